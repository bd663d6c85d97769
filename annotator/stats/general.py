"""Intervals for any statistic, and for the difference of two figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from annotator.stats.inputs import Clusters, Progress, cluster_codes, design
from annotator.stats.resample import Plan, from_replicates, interval, plan_of
from annotator.stats.result import Array, Interval, Result, plain, with_interval


def clustered(
    statistic: Callable[[NDArray[np.int64]], float | Sequence[float] | None],
    clusters: Clusters,
    resamples: int = 2_000,
    seed: int = 0,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> Result:
    """The interval of any statistic: it is called with an integer array of unit indices and returns a float.

    Slow and general; the estimators of this library resample in matrices, with the same draws for the same seed and
    clusters. A unit that is drawn twice stands in the indices twice. The statistic may return None or NaN where it is
    undefined, and a sequence of floats, which makes `value`, `low` and `high` tuples in its order.
    `progress(done, resamples)` is called after each batch and stops the work by raising.
    """
    codes, _ = cluster_codes(clusters)
    how = design(codes.size, clusters, None, confidence, resamples, seed, progress)
    if not codes.size:
        return Result(value=None, why="undefined: there are no units", n_clusters=0, seed=seed, confidence=confidence)
    _, sample = how.of(np.ones(codes.size, dtype=bool))
    plan = plan_of(how, sample)
    assert sample.codes is not None and plan is not None
    order = np.argsort(sample.codes, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(sample.codes))[:-1])

    def call(indices: NDArray[np.int64]) -> Array:
        answer = statistic(indices)
        return np.asarray(np.nan if answer is None else answer, dtype=np.float64)

    value = call(np.arange(codes.size))

    def evaluate(counts: Array) -> Array:
        out = np.empty((counts.shape[0], *value.shape))
        for place, row in enumerate(counts.astype(np.int64)):
            out[place] = call(np.concatenate([members[cluster] for cluster in np.repeat(np.arange(row.size), row)]))
        return out

    if np.isnan(value).any():
        why = "undefined: the statistic gives no number for all units together"
        figure = Result(value=None, why=why, n_units=int(codes.size))
        return with_interval(figure, interval(evaluate, np.full(value.shape, np.nan), plan))
    return with_interval(Result(value=plain(value), n_units=int(codes.size)), interval(evaluate, value, plan))


def difference(first: Result, second: Result) -> Result:
    """First minus second with a paired interval, for two figures over the same clusters, seed and resamples.

    Both figures' replicates stand on the same draws, so their differences are the replicates of the difference: this is
    how two judges on the same items are compared. Raises ValueError where the two cannot be paired.
    """
    if not isinstance(first.value, float) or not isinstance(second.value, float):
        return Result(value=None, why="undefined: one of the two figures is undefined")
    n_units = min(first.n_units, second.n_units)
    figure = Result(value=first.value - second.value, n_units=n_units, n_raters=first.n_raters)
    if first.replicates is None or second.replicates is None or first.n_clusters is None or first.seed is None:
        return with_interval(figure, Interval(why="no interval: one of the two figures has none"))
    same = (first.cluster_key, first.seed, first.method, first.resamples, first.confidence)
    if same != (second.cluster_key, second.seed, second.method, second.resamples, second.confidence):
        raise ValueError("the two figures must have the same clusters, seed, number of resamples and confidence")
    few = first.resamples is None
    if few and len(first.replicates) != first.n_clusters:
        raise ValueError("figures of two lists with few clusters cannot be paired")
    plan = Plan((first.n_clusters,), first.confidence, first.resamples or 0, first.seed, None, first.cluster_key or 0)
    gaps = first.replicates - second.replicates
    return with_interval(figure, from_replicates(gaps, np.asarray(figure.value), plan, jackknife=few))
