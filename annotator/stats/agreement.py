"""Agreement among any number of raters, corrected for chance: alpha, Fleiss, Brennan-Prediger, and Gwet's AC.

Chance is reckoned over the whole scale, which comes from the rubric. Gaps are missing: a unit with fewer than two
ratings says nothing about agreement. Each figure is a function of sums over units; so its interval is made in matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike

from annotator.stats.inputs import Clusters, Progress, coded, design, levels_of, matrix, raters_heard, said
from annotator.stats.levels import agreement_weights, counted, distances, mid_counts
from annotator.stats.resample import additive
from annotator.stats.result import Array, Result, plain, ratio, with_interval

UP_TO_ONE = (-np.inf, 1.0)


def alpha(
    ratings: ArrayLike,
    level: str,
    scale: Iterable[float],
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Krippendorff's alpha: 1 - observed over expected disagreement, gaps allowed (Krippendorff 2011).

    `ratings` is (raters, units); `level` of measurement is nominal, ordinal, interval or ratio; `scale` lists all
    levels. With n_uk ratings of level k on unit u, m_u in all (2 or more), the coincidences are
    o_ck = sum_u n_uc (n_uk - [c = k]) / (m_u - 1), their margins n_c, their total n, and
    alpha = 1 - (n - 1) sum o_ck d_ck / sum n_c n_k d_ck. The ordinal distance d_ck is the square of the number of
    ratings between c and k, half of both ends' included, so levels that nobody used add nothing.
    """
    table, levels = matrix(ratings), levels_of(scale)
    counts = counted(coded(table, levels), levels.size)
    each = counts.sum(axis=1)
    how = design(table.shape[1], clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(each >= 2)
    counts, each = counts[used], each[used]
    first, second = np.triu_indices(levels.size, 1)
    coincidences = counts[:, first] * counts[:, second] / (each - 1)[:, None]
    fixed = None if level == "ordinal" else distances(levels, level)[first, second]

    def finish(sums: Array) -> Array:
        apart, margins = sums[:, : first.size], sums[:, first.size :]
        far = fixed
        if far is None:
            middle = mid_counts(margins)
            far = (middle[:, second] - middle[:, first]) ** 2
        expected = (margins[:, first] * margins[:, second] * far).sum(axis=1)
        observed = (margins.sum(axis=1) - 1) * (apart * far).sum(axis=1)
        return 1 - ratio(observed, expected)

    value, interval = additive(sample.summed(np.hstack([coincidences, counts])), finish, how, sample, UP_TO_ONE)
    why = why_not(table, levels, counts) if np.isnan(value) else None
    figure = Result(value=plain(value), why=why, n_units=int(used.sum()), n_raters=raters_heard(*table))
    return with_interval(figure, interval)


def fleiss(
    ratings: ArrayLike,
    scale: Iterable[float],
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Fleiss' kappa (Fleiss 1971): every unit has equally many ratings; units that nobody rated are left out.

    Not applicable where the numbers differ: `fleiss_gwet` and `alpha` are made for gaps.
    """
    each = (~np.isnan(matrix(ratings))).sum(axis=0)
    if np.unique(each[each > 0]).size > 1:
        heard = raters_heard(*matrix(ratings))
        return Result(value=None, why="not applicable: unequal numbers of ratings", n_units=0, n_raters=heard)
    return fleiss_gwet(ratings, None, scale, clusters, sampling_weights, confidence, resamples, seed, progress)


def fleiss_gwet(
    ratings: ArrayLike,
    weights: str | None = None,
    scale: Iterable[float] = (),
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Fleiss' kappa carried over to gaps and weights by Gwet (2014): expected agreement sum w_kl pi_k pi_l."""

    def expected(shares: Array, agreeing: Array) -> Array:
        by_chance: Array = ((shares @ agreeing) * shares).sum(axis=1)
        return by_chance

    how = (clusters, sampling_weights, confidence, resamples, seed, progress)
    return _many(ratings, weights, scale, expected, *how)


def brennan_prediger(
    ratings: ArrayLike,
    weights: str | None = None,
    scale: Iterable[float] = (),
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Brennan and Prediger's coefficient (1981): every level of the scale is equally likely by chance; gaps allowed."""

    def expected(shares: Array, agreeing: Array) -> Array:
        return np.full(shares.shape[0], agreeing.mean())

    how = (clusters, sampling_weights, confidence, resamples, seed, progress)
    return _many(ratings, weights, scale, expected, *how)


def ac(
    ratings: ArrayLike,
    weights: str | None = None,
    scale: Iterable[float] = (),
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Gwet's AC1 (`weights` None) and AC2 (quadratic, ordinal, linear); defined at the ceiling, where alpha is not.

    Expected agreement is sum(w_kl) / (q (q - 1)) times sum pi_k (1 - pi_k), q levels, with pi_k the mean over rated
    units of level k's share (Gwet 2014, Handbook of Inter-Rater Reliability, 4th edition).
    """

    def expected(shares: Array, agreeing: Array) -> Array:
        q = agreeing.shape[0]
        by_chance: Array = agreeing.sum() / (q * (q - 1)) * (shares * (1 - shares)).sum(axis=1)
        return by_chance

    how = (clusters, sampling_weights, confidence, resamples, seed, progress)
    return _many(ratings, weights, scale, expected, *how)


def _many(
    ratings: ArrayLike,
    weights: str | None,
    scale: Iterable[float],
    expected: Callable[[Array, Array], Array],
    clusters: Clusters | None,
    sampling_weights: ArrayLike | None,
    confidence: float,
    resamples: int,
    seed: int,
    progress: Progress | None,
) -> Result:
    """(observed - expected) / (1 - expected); units with one rating count among the shares, as Gwet has it."""
    table, levels = matrix(ratings), levels_of(scale)
    agreeing = agreement_weights(levels, weights)
    counts = counted(coded(table, levels), levels.size)
    how = design(table.shape[1], clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(counts.sum(axis=1) >= 1)
    counts = counts[used]
    each = counts.sum(axis=1, keepdims=True)
    paired = each[:, 0] >= 2
    agreed = (counts * (counts @ agreeing - 1)).sum(axis=1) / np.maximum(each * (each - 1), 1)[:, 0]
    columns = np.hstack([(agreed * paired)[:, None], paired[:, None], counts / each])

    def finish(sums: Array) -> Array:
        chance = expected(ratio(sums[:, 2:], sums[:, 2:].sum(axis=1, keepdims=True)), agreeing)
        return ratio(ratio(sums[:, 0], sums[:, 1]) - chance, 1 - chance, 1e-12)

    value, interval = additive(sample.summed(columns), finish, how, sample, UP_TO_ONE)
    why = why_not(table, levels, counts[paired]) if np.isnan(value) else None
    return with_interval(
        Result(value=plain(value), why=why, n_units=int(paired.sum()), n_raters=raters_heard(*table)), interval
    )


def why_not(table: Array, levels: Array, paired_counts: Array) -> str:
    """The reason why an agreement figure over (raters, units) is undefined."""
    heard = raters_heard(*table)
    if heard == 0:
        return "undefined: there are no ratings"
    if heard == 1:
        return "undefined: there is only one rater"
    if not paired_counts.shape[0]:
        return "undefined: no unit was rated by two raters"
    present = levels[paired_counts.sum(axis=0) > 0]
    if present.size == 1:
        return f"undefined: all scores are {said(float(present[0]))}"
    return "undefined: the scores do not vary"
