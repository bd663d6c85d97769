"""Intervals over clusters: percentile bootstrap from 20 clusters on, t with a jackknife from 5 on, none below.

The unit of resampling is the cluster (the dialogue), because units within a cluster are not independent. Figures whose
value is a function of sums over units are resampled in two levels: the sums are made once per cluster, and a resample
is a row of multinomial counts times those sums. A batch of 1,000 resamples is one product of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.stats.inputs import Design, Progress, Sample
from annotator.stats.result import Array, Interval, plain

FEWEST_CLUSTERS = 5
FEWEST_FOR_BOOTSTRAP = 20
BATCH = 1_000
UNDEFINED_SHARE = 0.05
"""An interval is given as long as no more than this share of the resamples leaves the figure undefined."""
_KEPT_COUNTS = 2_000_000
_BLOCK = 2_000_000

Evaluate = Callable[[Array], Array]
"""Takes multipliers (b, clusters), how often each cluster is drawn; returns (b,) or (b, p), NaN where undefined."""
Finish = Callable[[Array], Array]
"""Takes sums over units (b, d); returns (b,) or (b, p), NaN where undefined."""


@dataclass(frozen=True)
class Plan:
    """How to resample: the number of clusters in each stratum (drawn apart from one another), and the level."""

    strata: tuple[int, ...]
    confidence: float
    resamples: int
    seed: int
    progress: Progress | None
    key: int = 0


def plan_of(how: Design, sample: Sample) -> Plan | None:
    """The plan for one sample; None where no clusters were given, since then there is nothing honest to resample."""
    if sample.codes is None:
        return None
    return Plan((sample.n_clusters,), how.confidence, how.resamples, how.seed, how.progress, sample.key)


def additive(
    sums: Array,
    finish: Finish,
    how: Design,
    sample: Sample,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    *,
    basic: bool = False,
) -> tuple[Array, Interval]:
    """A figure that is a function of sums over units: its value (NaN if undefined, of 0 or 1 dimension), its interval.

    `sums` is (clusters, d), as `Sample.summed` and `Sample.tallied` make it; one row where no clusters were given.
    """
    value = np.asarray(finish(sums.sum(axis=0)[None, :])[0])
    plan = plan_of(how, sample)
    if plan is None:
        return value, Interval(confidence=how.confidence)
    # Few columns: this way round the product takes two thirds of the time of counts @ sums.
    turned = np.ascontiguousarray(sums.T)
    return value, interval(lambda counts: finish((turned @ counts.T).T), value, plan, bounds, basic=basic)


def side_by_side(
    sums: Array, finish: Finish, how: Design, sample: Sample, bounds: tuple[float, float] = (-np.inf, np.inf)
) -> tuple[Array, list[Interval]]:
    """Several figures over the same units' clusters, as `additive` makes each: values (p,), an interval for each."""
    values = np.asarray(finish(sums.sum(axis=0)[None, :])[0])
    plan = plan_of(how, sample)
    if plan is None:
        return values, [Interval(confidence=how.confidence)] * values.size
    turned = np.ascontiguousarray(sums.T)

    def evaluate(counts: Array) -> Array:
        return finish((turned @ counts.T).T)

    fewest = min(plan.strata)
    if fewest < FEWEST_CLUSTERS or np.isnan(values).all():
        return values, [interval(evaluate, value, plan, bounds) for value in values]
    jackknife = fewest < FEWEST_FOR_BOOTSTRAP
    replicates = evaluate(1.0 - np.eye(fewest)) if jackknife else bootstrap(evaluate, plan)
    made = []
    for value, column in zip(values, replicates.T, strict=True):
        base = _base(plan)
        if not np.isnan(value):
            one = np.asarray(value)
            base = (
                _by_t(column, one, plan, base, bounds)
                if jackknife
                else _by_quantiles(column, one, plan, base, bounds, basic=False)
            )
        made.append(base)
    return values, made


def by_units(
    evaluate: Evaluate, value: Array, how: Design, sample: Sample, bounds: tuple[float, float] = (-np.inf, np.inf)
) -> Interval:
    """The interval of a figure that takes whole rows of units' weights (b, units): ranks of many levels.

    Cut so that one row block holds no more than a few million numbers.
    """
    plan, codes = plan_of(how, sample), sample.codes
    if plan is None or codes is None:
        return Interval(confidence=how.confidence)
    rows = max(1, _BLOCK // max(1, codes.size))

    def in_blocks(counts: Array) -> Array:
        blocks = [counts[start : start + rows] for start in range(0, len(counts), rows)]
        return np.concatenate([evaluate(block[:, codes] * sample.weights) for block in blocks])

    return interval(in_blocks, value, plan, bounds)


def interval(
    evaluate: Evaluate,
    value: Array,
    plan: Plan,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    *,
    basic: bool = False,
) -> Interval:
    """The interval of a value, by the rule that the number of clusters sets; the ends are kept within `bounds`.

    `basic` reflects the bootstrap's quantiles at the value (2 value - q): for figures that resampling inflates.
    """
    base = _base(plan)
    fewest = min(plan.strata)
    if np.isnan(value).all():
        return base
    if fewest < FEWEST_CLUSTERS:
        words = "1 cluster" if fewest == 1 else f"{fewest} clusters"
        return replace(base, why=f"no interval: {words}, fewer than the {FEWEST_CLUSTERS} that one needs")
    if fewest < FEWEST_FOR_BOOTSTRAP:
        return _by_t(evaluate(1.0 - np.eye(sum(plan.strata))), value, plan, base, bounds)
    return _by_quantiles(bootstrap(evaluate, plan), value, plan, base, bounds, basic=basic)


def _base(plan: Plan) -> Interval:
    return Interval(
        n_clusters=plan.strata[0], seed=plan.seed, confidence=plan.confidence, cluster_key=hash((plan.key, plan.strata))
    )


def from_replicates(replicates: Array, value: Array, plan: Plan, *, jackknife: bool) -> Interval:
    """The interval of a value whose replicates are known: a bootstrap's, or a jackknife's."""
    base = Interval(n_clusters=plan.strata[0], seed=plan.seed, confidence=plan.confidence, cluster_key=plan.key)
    if jackknife:
        return _by_t(replicates, value, plan, base, (-np.inf, np.inf))
    return _by_quantiles(replicates, value, plan, base, (-np.inf, np.inf), basic=False)


def _by_quantiles(
    replicates: Array, value: Array, plan: Plan, base: Interval, bounds: tuple[float, float], *, basic: bool
) -> Interval:
    low, high, lost = _quantiles(replicates, plan.confidence)
    if basic:
        low, high = 2 * value - high, 2 * value - low
    why = None
    if np.isnan(low).all():
        why = f"no interval: the figure is undefined in {lost:.0%} of the resamples"
    kind = "basic" if basic else "percentile"
    return replace(
        base,
        low=_ends(low, bounds),
        high=_ends(high, bounds),
        why=why,
        method=f"{kind} bootstrap over clusters",
        resamples=plan.resamples,
        replicates=replicates,
    )


def bootstrap(evaluate: Evaluate, plan: Plan) -> Array:
    """The figure on every resample, (resamples,) or (resamples, p)."""
    parts: list[Array] = []
    done = 0
    for counts in multipliers(plan):
        parts.append(evaluate(counts))
        done += counts.shape[0]
        if plan.progress is not None:
            plan.progress(done, plan.resamples)
    return np.concatenate(parts)


def multipliers(plan: Plan) -> Iterator[Array]:
    """How often each cluster is drawn, in batches of (at most 1,000, clusters of all strata)."""
    drawn = [_drawn(size, plan.resamples, plan.seed, place) for place, size in enumerate(plan.strata)]
    for batch in zip(*drawn, strict=True):
        yield batch[0] if len(batch) == 1 else np.concatenate(batch, axis=1)


def _drawn(clusters: int, resamples: int, seed: int, place: int) -> Iterator[Array]:
    if clusters * resamples <= _KEPT_COUNTS:
        return iter(_kept(clusters, resamples, seed, place))
    return map(_floats, _draw(clusters, resamples, seed, place))


@lru_cache(maxsize=2)
def _kept(clusters: int, resamples: int, seed: int, place: int) -> tuple[Array, ...]:
    # A report asks for hundreds of figures over the same clusters with the same seed, one after the other.
    return tuple(_floats(counts) for counts in _small(clusters, resamples, seed, place))


@lru_cache(maxsize=96)
def _small(clusters: int, resamples: int, seed: int, place: int) -> tuple[NDArray[Any], ...]:
    # Gaps differ from pair to pair of raters, so the number of clusters does too, within a few dozen. Counts are small:
    # kept as bytes, a hundred tables of them take less memory than a dozen of floats.
    return tuple(_bytes(counts) for counts in _draw(clusters, resamples, seed, place))


def _bytes(counts: NDArray[np.intp]) -> NDArray[Any]:
    return counts.astype(np.uint8 if counts.max(initial=0) <= 255 else np.uint32)


def _floats(counts: NDArray[Any]) -> Array:
    made = counts.astype(np.float64)
    made.setflags(write=False)
    return made


def _draw(clusters: int, resamples: int, seed: int, place: int) -> Iterator[NDArray[np.intp]]:
    rng = np.random.default_rng([seed, place])
    for start in range(0, resamples, BATCH):
        rows = min(BATCH, resamples - start)
        picks = rng.integers(0, clusters, size=(rows, clusters))
        picks += np.arange(rows)[:, None] * clusters
        yield np.bincount(picks.reshape(-1), minlength=rows * clusters).reshape(rows, clusters)


def _by_t(left_out: Array, value: Array, plan: Plan, base: Interval, bounds: tuple[float, float]) -> Interval:
    """Value +- t(fewest - 1 degrees of freedom) times the delete-one-cluster jackknife's standard error.

    For the mean of clusters of one size this is the classic interval of a mean of clusters' means.
    """
    from scipy.special import stdtrit

    variance = np.zeros(value.shape)
    start = 0
    for size in plan.strata:
        part = left_out[start : start + size]
        variance = variance + (size - 1) / size * ((part - part.mean(axis=0)) ** 2).sum(axis=0)
        start += size
    fewest = min(plan.strata)
    half = stdtrit(fewest - 1, 0.5 + plan.confidence / 2) * np.sqrt(variance)
    why = None
    if np.isnan(half).all():
        why = "no interval: the figure is undefined without one of its clusters"
    return replace(
        base,
        low=_ends(value - half, bounds),
        high=_ends(value + half, bounds),
        why=why,
        method=f"cluster-robust t interval (jackknife, {fewest - 1} degrees of freedom)",
        replicates=left_out,
    )


def _quantiles(replicates: Array, confidence: float) -> tuple[Array, Array, float]:
    """Both ends for each column, NaN where too many resamples are undefined; the largest share of undefined ones."""
    columns = replicates.reshape(replicates.shape[0], -1)
    ends = np.full((2, columns.shape[1]), np.nan)
    most = 0.0
    for place, column in enumerate(columns.T):
        defined = column[~np.isnan(column)]
        lost = 1 - defined.size / column.size
        most = max(most, lost)
        if lost <= UNDEFINED_SHARE:
            ends[:, place] = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    shape = replicates.shape[1:]
    return ends[0].reshape(shape), ends[1].reshape(shape), most


def _ends(ends: Array, bounds: tuple[float, float]) -> float | tuple[float | None, ...] | None:
    kept = plain(np.clip(ends, *bounds))
    return None if isinstance(kept, tuple) and all(end is None for end in kept) else kept
