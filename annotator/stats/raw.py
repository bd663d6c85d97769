"""Raw agreement: how often raters say the same, or nearly; defined wherever two raters saw one unit."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from annotator.stats.inputs import MATCH, Clusters, Progress, design, matrix, raters_heard
from annotator.stats.resample import additive
from annotator.stats.result import Array, Result, plain, ratio, with_interval


def exact(
    ratings: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Mean over units with two or more ratings of the share of pairs of raters that agree exactly."""
    return within(ratings, 0.0, clusters, sampling_weights, confidence, resamples, seed, progress)


def within(
    ratings: ArrayLike,
    by: float,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Mean over units with two or more ratings of the share of pairs of raters at most `by` apart.

    `ratings` is (raters, units), NaN for gaps. Every unit counts alike, however many raters it had.
    """
    table = matrix(ratings)
    if not by >= 0:
        raise ValueError(f"by must not be negative: {by}")
    close = np.zeros(table.shape[1])
    for one, two in combinations(table, 2):
        close += np.abs(one - two) <= by + MATCH  # a gap compares as False
    each = (~np.isnan(table)).sum(axis=0)
    how = design(table.shape[1], clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(each >= 2)
    shares = close[used] / (each[used] * (each[used] - 1) / 2)

    def finish(sums: Array) -> Array:
        return ratio(sums[:, 0], sums[:, 1])

    columns = np.stack([shares, np.ones(shares.size)], axis=1)
    value, interval = additive(sample.summed(columns), finish, how, sample, (0.0, 1.0))
    heard = raters_heard(*table)
    why = None
    if not used.any():
        why = ("undefined: there are no ratings", "undefined: there is only one rater")[heard] if heard < 2 else None
        why = why or "undefined: no unit was rated by two raters"
    return with_interval(Result(value=plain(value), why=why, n_units=int(used.sum()), n_raters=heard), interval)
