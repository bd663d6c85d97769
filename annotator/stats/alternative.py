"""The alternative annotator test (Calderon, Reichart and Dror 2025): may a judge stand in for a person?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from annotator.stats.inputs import Clusters, Design, Mask, Progress, Sample, design, matrix, numbers, raters_heard
from annotator.stats.proportion import adjust
from annotator.stats.resample import FEWEST_CLUSTERS, additive
from annotator.stats.result import Array, Result, ratio

FEWEST_UNITS = 30
FALSE_DISCOVERIES = 0.05
NEEDED = 0.5
SLACK = 1e-12
METRICS = ("accuracy", "rmse")


@dataclass(frozen=True, kw_only=True)
class AlternativeAnnotator(Result):
    """`value` is the winning rate.

    Attributes:
        winning_rate: the share of tested raters against whom the judge wins (adjusted p <= 0.05).
        advantage: mean over raters of how often the judge agrees with the others at least as well as the rater does.
        advantage_low, advantage_high: its interval, where clusters were given.
        p_values, p_adjusted: one per rater in the order given, raw and after Benjamini-Yekutieli; None if not tested.
        whys: why a rater was not tested, None if it was.
        passes: whether the winning rate reaches one half.
    """

    winning_rate: float | None = None
    advantage: float | None = None
    advantage_low: float | None = None
    advantage_high: float | None = None
    p_values: tuple[float | None, ...] = ()
    p_adjusted: tuple[float | None, ...] = ()
    whys: tuple[str | None, ...] = ()
    epsilon: float = 0.0
    passes: bool | None = None


def alternative_annotator_test(
    humans: ArrayLike,
    judge: ArrayLike,
    epsilon: float,
    metric: str = "accuracy",
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> AlternativeAnnotator:
    """For each rater: does the judge agree with the other raters at least as well as this one does?

    `humans` is (raters, units), `judge` (units,). On each unit that the rater, another rater and the judge scored, both
    are measured against the other raters: share of equal scores (accuracy), or minus the root mean squared distance
    (rmse). The one that is not worse gets 1, so both do at a tie. The judge wins if a one-sided t test finds the mean
    of (rater - judge) below `epsilon`, the discount for its lower cost, after Benjamini-Yekutieli at 0.05; raters with
    fewer than 30 units are not tested. Winning against half of the raters passes. With clusters, or weights, the t
    test's standard error is cluster-robust, with one degree of freedom less than there are clusters.
    """
    table, by_judge = matrix(humans), numbers(judge, "judge")
    if by_judge.size != table.shape[1]:
        raise ValueError(f"judge must have one score per unit: {table.shape[1]}, not {by_judge.size}")
    if metric not in METRICS:
        raise ValueError(f"metric must be accuracy or rmse, not {metric!r}")
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon must lie between 0 and 1, not {epsilon}")
    how = design(by_judge.size, clusters, sampling_weights, confidence, resamples, seed, progress)
    known = ~np.isnan(by_judge) & ((~np.isnan(table)).sum(axis=0) >= 2)
    wins, losses = _indicators(table, by_judge, known, metric)
    tests = [_test(loses - beats, how, epsilon) for beats, loses in zip(wins, losses, strict=True)]
    p_values, whys = tuple(test[0] for test in tests), tuple(test[1] for test in tests)
    tested = np.array([why is None for why in whys], dtype=bool)
    heard = raters_heard(*table)
    figure = AlternativeAnnotator(
        value=None, n_units=int(known.sum()), n_raters=heard, p_values=p_values, whys=whys, epsilon=epsilon
    )
    if not tested.any():
        why = f"undefined: no rater has {FEWEST_UNITS} units that another rater and the judge scored too"
        why = why if heard >= 2 else "undefined: the test needs two raters or more"
        return replace(figure, why=why, p_adjusted=(None,) * len(table), confidence=confidence)
    adjusted = adjust(p_values, "by").value
    assert isinstance(adjusted, tuple)
    rate = sum(p is not None and p <= FALSE_DISCOVERIES for p in adjusted) / int(tested.sum())
    figure = replace(figure, value=rate, winning_rate=rate, p_adjusted=adjusted, passes=rate >= NEEDED)
    return _advantage(figure, wins[tested], how)


def _indicators(table: Array, judge: Array, known: Mask, metric: str) -> tuple[Array, Array]:
    """1 where the judge (the rater) is not worse against the others, NaN where not comparable: (raters, units) each."""
    wins, losses = np.full(table.shape, np.nan), np.full(table.shape, np.nan)
    for place, rater in enumerate(table):
        others = np.delete(table, place, axis=0)
        usable = known & ~np.isnan(rater)
        others = others[:, usable]
        scores = [_score(answers[usable], others, metric) for answers in (judge, rater)]
        wins[place, usable] = scores[0] >= scores[1] - SLACK
        losses[place, usable] = scores[1] >= scores[0] - SLACK
    return wins, losses


def _score(answers: Array, others: Array, metric: str) -> Array:
    there = ~np.isnan(others)
    count = np.maximum(there.sum(axis=0), 1)
    if metric == "accuracy":
        return np.asarray((np.abs(others - answers) <= SLACK).sum(axis=0) / count)
    return np.asarray(-np.sqrt(np.where(there, (others - answers) ** 2, 0.0).sum(axis=0) / count))


def _test(gaps: Array, how: Design, epsilon: float) -> tuple[float | None, str | None]:
    """The p value of mean(gaps) < epsilon for one rater, or why there is none."""
    from scipy.special import stdtr

    used, sample = how.of(~np.isnan(gaps))
    n = int(used.sum())
    if n < FEWEST_UNITS:
        return None, f"not tested: {n} units, fewer than {FEWEST_UNITS}"
    if sample.codes is not None and sample.n_clusters < FEWEST_CLUSTERS:
        return None, f"not tested: {sample.n_clusters} clusters, fewer than {FEWEST_CLUSTERS}"
    centre = float(np.average(gaps[used], weights=sample.weights))
    off = sample.weights * (gaps[used] - centre)
    parts = _per_group(off, sample)
    groups = parts.size
    error = float(np.sqrt(groups / (groups - 1) * (parts**2).sum()) / sample.weights.sum())
    if error < SLACK:
        return (0.0 if centre < epsilon - SLACK else 1.0), None
    return float(stdtr(groups - 1, (centre - epsilon) / error)), None


def _per_group(off: Array, sample: Sample) -> Array:
    if sample.codes is None:
        return off
    return np.bincount(sample.codes, off, minlength=sample.n_clusters).astype(np.float64)


def _advantage(figure: AlternativeAnnotator, wins: Array, how: Design) -> AlternativeAnnotator:
    """Adds the advantage probability: the mean over raters of their means over units, each with its interval."""
    used, sample = how.of(np.asarray(~np.isnan(wins).all(axis=0)))
    there = ~np.isnan(wins[:, used])
    sums = np.hstack([sample.summed(np.where(there, wins[:, used], 0.0).T), sample.summed(there.T.astype(np.float64))])

    def finish(sums: Array) -> Array:
        won, seen = np.split(sums, 2, axis=1)
        return np.asarray(ratio(won, seen).mean(axis=1))

    value, made = additive(sums, finish, how, sample, (0.0, 1.0))
    return replace(
        figure,
        advantage=float(value),
        advantage_low=made.low if isinstance(made.low, float) else None,
        advantage_high=made.high if isinstance(made.high, float) else None,
        n_clusters=made.n_clusters,
        seed=made.seed,
        method=made.method,
        resamples=made.resamples,
        confidence=made.confidence,
    )
