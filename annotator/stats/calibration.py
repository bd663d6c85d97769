"""Mapping a judge's scores onto people's, and how far the judge is off where it says so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from annotator.stats.inputs import Clusters, Progress, cluster_codes, design, numbers, pair, raters_heard
from annotator.stats.resample import additive
from annotator.stats.result import Array, Ints, Result, plain, ratio, with_interval

NOTHING = "undefined: no unit has both scores"
MOST_KNOTS = 12
"""Up to so many distinct scores of the judge, maps of all resamples are fitted at once."""


@dataclass(frozen=True, kw_only=True)
class Isotonic(Result):
    """A rising step from judge to human: `value` holds the fitted means at `knots`, the judge's distinct scores.

    `low` and `high` are their intervals where clusters were given.
    """

    knots: tuple[float, ...] = ()

    def predict(self, x: ArrayLike) -> Array:
        """The human score expected at each judge score: linear between knots, level outside them, shaped like `x`.

        Gaps stay gaps. Raises ValueError where the map is undefined.
        """
        if not isinstance(self.value, tuple):
            raise ValueError(self.why or NOTHING)
        given = np.asarray(x, dtype=np.float64)
        out: Array = np.asarray(np.interp(given, self.knots, np.asarray(self.value, dtype=np.float64)))
        return np.where(np.isnan(given), np.nan, out)


def isotonic(
    judge: ArrayLike,
    human: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Isotonic:
    """Least-squares rising map from judge to human, ties in the judge's score pooled first (pool adjacent violators).

    `.predict(x)` maps scores; `value` holds the fitted means at `.knots`.
    """
    one, two = pair(judge, human)
    how = design(one.size, clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(~np.isnan(one) & ~np.isnan(two))
    heard = raters_heard(one, two)
    if not used.any():
        return Isotonic(value=None, why=NOTHING, n_raters=heard, confidence=confidence)
    knots, place = np.unique(one[used], return_inverse=True)
    place = place.reshape(-1)

    def finish(sums: Array) -> Array:
        return _rising(sums[:, : knots.size], sums[:, knots.size :])

    sums = np.hstack([sample.tallied(place, knots.size), sample.tallied(place, knots.size, two[used])])
    value, made = additive(sums, finish, how, sample)
    figure = Isotonic(
        value=plain(value), n_units=int(used.sum()), n_raters=heard, knots=tuple(float(knot) for knot in knots)
    )
    return with_interval(figure, made)


def _rising(weights: Array, totals: Array) -> Array:
    """Isotonic means of each row of (b, knots); a place that a resample left empty takes what its neighbours say."""
    if weights.shape[1] > MOST_KNOTS:
        return np.stack([_pooled(*row) for row in zip(weights, totals, strict=True)])
    fitted = _max_min(weights, totals)
    for place in np.flatnonzero((weights <= 0).any(axis=1)):
        there = np.flatnonzero(weights[place] > 0)
        if there.size:
            fitted[place] = np.interp(np.arange(weights.shape[1]), there, fitted[place, there])
        else:
            fitted[place] = np.nan
    return fitted


def _max_min(weights: Array, totals: Array) -> Array:
    """Rising means by their closed form: at i the largest over j <= i of the smallest mean of j..k over k >= i.

    Source: Robertson, Wright and Dykstra 1988, Order Restricted Statistical Inference, theorem 1.4.4. All rows at once,
    which for the few levels of a scale is much faster than pooling row by row.
    """
    none = np.zeros((len(weights), 1))
    weight = np.hstack([none, np.cumsum(weights, axis=1)])
    total = np.hstack([none, np.cumsum(totals, axis=1)])
    fitted: Array = np.full(weights.shape, -np.inf)
    for first in range(weights.shape[1]):
        span = weight[:, first + 1 :] - weight[:, first, None]
        mean = np.full(span.shape, np.inf)
        np.divide(total[:, first + 1 :] - total[:, first, None], span, out=mean, where=span > 0)
        least = np.minimum.accumulate(mean[:, ::-1], axis=1)[:, ::-1]
        np.maximum(fitted[:, first:], least, out=fitted[:, first:])
    return fitted


def _pooled(weights: Array, totals: Array) -> Array:
    """Isotonic means of one row of many knots, by pooling adjacent violators."""
    from scipy.optimize import isotonic_regression

    there = weights > 0
    if not there.any():
        return np.full(weights.size, np.nan)
    fitted = isotonic_regression(totals[there] / weights[there], weights=weights[there]).x
    filled: Array = np.interp(np.arange(weights.size), np.flatnonzero(there), fitted)
    return filled


def cross_fitted(
    judge: ArrayLike,
    human: ArrayLike,
    clusters: Clusters,
    folds: int = 5,
    seed: int = 0,
    sampling_weights: ArrayLike | None = None,
) -> Array:
    """The judge's scores mapped by an isotonic fit that never saw the unit's own cluster: (units,), NaN for gaps.

    Clusters are dealt to `folds` at random, seeded. Only so is the calibration error after mapping an honest one.
    """
    one, two = pair(judge, human)
    names, codes = np.unique(cluster_codes(clusters)[0], return_inverse=True)
    codes = codes.reshape(-1)
    if codes.size != one.size:
        raise ValueError(f"clusters must have one id per unit: {one.size}, not {codes.size}")
    if not 2 <= folds <= names.size:
        raise ValueError(f"{names.size} clusters cannot be dealt to {folds} folds")
    weights = np.ones(one.size) if sampling_weights is None else numbers(sampling_weights, "sampling_weights")
    dealt = np.random.default_rng(seed).permutation(names.size) % folds
    out = np.full(one.size, np.nan)
    for fold in range(folds):
        held = dealt[codes] == fold
        fit = isotonic(one[~held], two[~held], sampling_weights=weights[~held])
        if fit.value is not None:
            out[held] = fit.predict(one[held])
    return out


@dataclass(frozen=True, kw_only=True)
class Reliability(Result):
    """The curve: `value` is people's mean in each bin, `judge` the judge's mean there, `counts` the units."""

    judge: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()


def reliability(
    judge: ArrayLike,
    human: ArrayLike,
    bins: int = 10,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Reliability:
    """People's mean score where the judge gives a score: `value` by rising judge score, with `judge` beside it.

    One bin per distinct judge score; where those are more than `bins`, `bins` groups of about equal size.
    """
    one, two = pair(judge, human)
    how = design(one.size, clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(~np.isnan(one) & ~np.isnan(two))
    heard = raters_heard(one, two)
    if not used.any():
        return Reliability(value=None, why=NOTHING, n_raters=heard, confidence=confidence)
    place = _bins(one[used], bins)
    size = int(place.max()) + 1

    def finish(sums: Array) -> Array:
        return ratio(sums[:, size:], sums[:, :size])

    weights = sample.tallied(place, size)
    value, made = additive(np.hstack([weights, sample.tallied(place, size, two[used])]), finish, how, sample)
    at = sample.tallied(place, size, one[used]).sum(axis=0) / weights.sum(axis=0)
    figure = Reliability(
        value=plain(value),
        n_units=int(used.sum()),
        n_raters=heard,
        judge=tuple(float(score) for score in at),
        counts=tuple(int(count) for count in np.bincount(place, minlength=size)),
    )
    return with_interval(figure, made)


def _bins(judge: Array, bins: int) -> Ints:
    """Each unit's bin, numbered from 0 by rising score; equal scores always share a bin."""
    if bins < 1:
        raise ValueError(f"there must be one bin or more, not {bins}")
    levels, place = np.unique(judge, return_inverse=True)
    place = place.reshape(-1)
    if levels.size <= bins:
        return place
    upto = np.cumsum(np.bincount(place))
    group = np.minimum((upto - 1) * bins // judge.size, bins - 1)[place]
    return np.unique(group, return_inverse=True)[1].reshape(-1)


def calibration_error(
    judge: ArrayLike,
    human: ArrayLike,
    bins: int = 10,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Expected calibration error: mean over bins of |judge's mean - people's mean|, weighted by the bins' units.

    Bins as in `reliability`. Noise only ever adds to absolute gaps, and resampling adds it once more: so the interval
    is the basic bootstrap's, which takes that share off, not the percentile's, which would double it.
    """
    one, two = pair(judge, human)
    how = design(one.size, clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(~np.isnan(one) & ~np.isnan(two))
    heard = raters_heard(one, two)
    if not used.any():
        return Result(value=None, why=NOTHING, n_raters=heard, confidence=confidence)
    place = _bins(one[used], bins)
    gaps = sample.tallied(place, int(place.max()) + 1, (one - two)[used])
    sums_by_cluster = np.hstack([gaps, sample.summed(np.ones((place.size, 1)))])

    def finish(sums: Array) -> Array:
        return ratio(np.abs(sums[:, :-1]).sum(axis=1), sums[:, -1])

    value, made = additive(sums_by_cluster, finish, how, sample, (0.0, np.inf), basic=True)
    figure = Result(value=plain(value), n_units=place.size, n_raters=heard)
    return with_interval(figure, made)
