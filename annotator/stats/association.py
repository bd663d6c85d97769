"""Association of two lists: rank and product-moment correlation, and how well a score tells kept from rejected."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from annotator.stats.inputs import Clusters, Design, Progress, Sample, design, pair, raters_heard, said
from annotator.stats.ranks import spearman_of, surplus_of, tau_b, tau_b_of, weighted_midranks
from annotator.stats.resample import additive, by_units
from annotator.stats.result import Array, Interval, Result, plain, ratio, with_interval

MOST_CELLS = 256
"""Up to so many cells of the cross table of both lists' values, resamples are made from tables of clusters."""
MOST_TABLE = 2_000_000
CORRELATION = (-1.0, 1.0)


def spearman(
    x: ArrayLike,
    y: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Spearman's rho: Pearson's correlation of mid-ranks (ties share the mean of their ranks).

    Sampling weights count as repetitions of a unit.
    """

    def by_rows(x: Array, y: Array, weights: Array) -> Array:
        one, two = weighted_midranks(x, weights), weighted_midranks(y, weights)
        squares = (weights * one**2).sum(axis=1) * (weights * two**2).sum(axis=1)
        return np.clip(ratio((weights * one * two).sum(axis=1), np.sqrt(squares)), *CORRELATION)

    how = (clusters, sampling_weights, confidence, resamples, seed, progress)
    return _ranked(x, y, spearman_of, by_rows, *how)


def kendall_tau_b(
    x: ArrayLike,
    y: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Kendall's tau-b: concordant less discordant pairs over the geometric mean of the pairs untied in x and in y.

    Sampling weights count as repetitions of a unit.
    """

    def by_rows(x: Array, y: Array, weights: Array) -> Array:
        one, two = (np.unique(values, return_inverse=True)[1].reshape(-1) for values in (x, y))
        shape = (int(one.max(initial=0)) + 1, int(two.max(initial=0)) + 1)
        out = np.empty(len(weights))
        for place, row in enumerate(weights):
            if shape[0] * shape[1] <= MOST_TABLE:
                cells: Array = np.bincount(one * shape[1] + two, row, minlength=shape[0] * shape[1]).astype(np.float64)
                out[place] = tau_b_of(cells.reshape(1, *shape))[0]
            else:
                margins: list[Array] = [np.bincount(ranks, row).astype(np.float64)[None, :] for ranks in (one, two)]
                out[place] = tau_b(np.array([surplus_of(one, two, row)]), *margins)[0]
        return out

    how = (clusters, sampling_weights, confidence, resamples, seed, progress)
    return _ranked(x, y, tau_b_of, by_rows, *how)


def _ranked(
    x: ArrayLike,
    y: ArrayLike,
    of_tables: Callable[[Array], Array],
    of_rows: Callable[[Array, Array, Array], Array],
    clusters: Clusters | None,
    sampling_weights: ArrayLike | None,
    confidence: float,
    resamples: int,
    seed: int,
    progress: Progress | None,
) -> Result:
    one, two = pair(x, y)
    how = design(one.size, clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(~np.isnan(one) & ~np.isnan(two))
    first, second = one[used], two[used]
    value, made = _crossed(first, second, of_tables, of_rows, how, sample, CORRELATION)
    why = _why_not(first, second) if np.isnan(value) else None
    figure = Result(value=plain(value), why=why, n_units=first.size, n_raters=raters_heard(one, two))
    return with_interval(figure, made)


def _crossed(
    x: Array,
    y: Array,
    of_tables: Callable[[Array], Array],
    of_rows: Callable[[Array, Array, Array], Array],
    how: Design,
    sample: Sample,
    bounds: tuple[float, float],
) -> tuple[Array, Interval]:
    """By tables where both lists have few values, which is most of what people score; else by rows of weights."""
    one, two = (np.unique(values, return_inverse=True)[1].reshape(-1) for values in (x, y))
    shape = (int(one.max(initial=0)) + 1, int(two.max(initial=0)) + 1)
    cells = shape[0] * shape[1]
    if cells <= MOST_CELLS:
        tables = sample.tallied(one * shape[1] + two, cells)
        return additive(tables, lambda sums: of_tables(sums.reshape(-1, *shape)), how, sample, bounds)
    value = of_rows(x, y, sample.weights[None, :])[0]
    return value, by_units(lambda weights: of_rows(x, y, weights), value, how, sample, bounds)


def pearson(
    x: ArrayLike,
    y: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Pearson's product-moment correlation."""
    one, two = pair(x, y)
    how = design(one.size, clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(~np.isnan(one) & ~np.isnan(two))
    first, second = _about_mean(one[used]), _about_mean(two[used])
    columns = np.stack([np.ones(first.size), first, second, first**2, second**2, first * second], axis=1)

    def finish(sums: Array) -> Array:
        n = sums[:, 0]
        both = sums[:, 5] - ratio(sums[:, 1] * sums[:, 2], n)
        spread = [sums[:, 2 + place] - ratio(sums[:, place] ** 2, n) for place in (1, 2)]
        # What is left of a constant list by rounding is no variation.
        flat = (spread[0] <= 1e-12 * n) | (spread[1] <= 1e-12 * n)
        return np.clip(ratio(both, np.where(flat, 0.0, np.sqrt(np.abs(spread[0] * spread[1])))), *CORRELATION)

    value, made = additive(sample.summed(columns), finish, how, sample, CORRELATION)
    why = _why_not(one[used], two[used]) if np.isnan(value) else None
    figure = Result(value=plain(value), why=why, n_units=first.size, n_raters=raters_heard(one, two))
    return with_interval(figure, made)


def auc(
    score: ArrayLike,
    kept: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """How often a kept unit scores above a rejected one, ties counting half (area under the ROC curve).

    `kept` is 1 or True, 0 or False, NaN for unknown. Raises ValueError for another value.
    """
    one, two = pair(score, kept)
    if not np.isin(two[~np.isnan(two)], (0.0, 1.0)).all():
        raise ValueError("kept must be 1, 0 or missing for every unit")
    how = design(one.size, clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(~np.isnan(one) & ~np.isnan(two))
    scores, keeps = one[used], two[used]
    rejected, keeps_ = int((keeps == 0).sum()), int((keeps == 1).sum())
    why = None
    if not rejected or not keeps_:
        why = "undefined: no unit has both a score and a verdict" if not scores.size else None
        why = why or f"undefined: every unit is {'kept' if keeps_ else 'rejected'}"
        return Result(value=None, why=why, n_units=scores.size, confidence=confidence)

    def of_tables(tables: Array) -> Array:
        below = np.cumsum(tables[:, :, 0], axis=1) - tables[:, :, 0] / 2
        both = tables[:, :, 0].sum(axis=1) * tables[:, :, 1].sum(axis=1)
        return ratio((tables[:, :, 1] * below).sum(axis=1), both)

    def of_rows(score: Array, kept: Array, weights: Array) -> Array:
        # The mean rank of the kept, less its smallest possible value, over the number of the rejected.
        good, bad = weights * kept, weights * (1 - kept)
        ranks = weighted_midranks(score, weights) + weights.sum(axis=1, keepdims=True) / 2
        mean = ratio((good * ranks).sum(axis=1), good.sum(axis=1))
        return ratio(mean - good.sum(axis=1) / 2, bad.sum(axis=1))

    value, made = _crossed(scores, keeps, of_tables, of_rows, how, sample, (0.0, 1.0))
    return with_interval(Result(value=plain(value), n_units=scores.size), made)


def _about_mean(values: Array) -> Array:
    """Centred and in units of the spread, so that sums of squares lose no digits."""
    if not values.size:
        return values
    wide = float(np.ptp(values))
    centred: Array = (values - values.mean()) / (wide if wide > 0 else 1.0)
    return centred


def _why_not(first: Array, second: Array) -> str:
    if not first.size:
        return "undefined: no unit has both numbers"
    for values, which in ((first, "first"), (second, "second")):
        if np.unique(values).size == 1:
            return f"undefined: the {which} list is {said(float(values[0]))} throughout"
    return "undefined: the numbers do not vary"
