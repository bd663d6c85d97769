"""A judge against people, unit by unit: how far off, in which direction, and where."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from annotator.stats.inputs import Clusters, Progress, design, numbers, pair, raters_heard
from annotator.stats.resample import additive
from annotator.stats.result import Array, Result, Value, plain, ratio, with_interval

LIMIT = 1.959963984540054
"""Limits of agreement hold 95 % of differences if those are normal; the level of the interval does not change them."""


def mean(
    values: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """The mean over units, weighted by the sampling weights; gaps are dropped."""
    given = numbers(values, "values")
    how = design(given.size, clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(~np.isnan(given))
    kept = given[used]
    centre = float(kept.mean()) if kept.size else 0.0
    columns = np.stack([kept - centre, np.ones(kept.size)], axis=1)
    value, made = additive(sample.summed(columns), lambda sums: centre + ratio(sums[:, 0], sums[:, 1]), how, sample)
    why = None if kept.size else "undefined: there are no numbers"
    return with_interval(Result(value=plain(value), why=why, n_units=kept.size), made)


def bias(
    judge: ArrayLike,
    human: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Mean of judge - human: above zero, the judge is lenient."""
    one, two = pair(judge, human)
    figure = mean(one - two, clusters, sampling_weights, confidence, resamples, seed, progress)
    return _of_pair(figure, one, two)


def mae(
    judge: ArrayLike,
    human: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Mean absolute difference of judge and human."""
    one, two = pair(judge, human)
    figure = mean(np.abs(one - two), clusters, sampling_weights, confidence, resamples, seed, progress)
    return _of_pair(figure, one, two)


def _of_pair(figure: Result, one: Array, two: Array) -> Result:
    why = figure.why if figure.n_units else "undefined: no unit has both scores"
    return replace(figure, why=why, n_raters=raters_heard(one, two))


@dataclass(frozen=True, kw_only=True)
class BlandAltman(Result):
    """`value`, `low`, `high` are (bias, lower limit, upper limit); `slope` is of the difference on the pair's mean."""

    slope: float | None = None
    slope_low: float | None = None
    slope_high: float | None = None
    slope_why: str | None = None


def bland_altman(
    judge: ArrayLike,
    human: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> BlandAltman:
    """Limits of agreement (Bland and Altman 1986): mean of judge - human, and it -+ 1.96 standard deviations (n - 1).

    `value` is (bias, lower limit, upper limit). A slope below zero says that the judge's range is narrower than
    people's.
    """
    one, two = pair(judge, human)
    how = design(one.size, clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of(~np.isnan(one - two))
    gap, centre = (one - two)[used], ((one + two) / 2)[used]
    at = float(centre.mean()) if centre.size else 0.0
    off = float(gap.mean()) if gap.size else 0.0
    centre, shifted = centre - at, gap - off
    columns = np.stack([np.ones(gap.size), shifted, shifted**2, centre, centre**2, shifted * centre], axis=1)

    def finish(sums: Array) -> Array:
        n, first, squares, middle, spread, both = sums.T
        bias_, middle_ = ratio(first, n), ratio(middle, n)
        deviation = np.sqrt(np.maximum(ratio(squares - first * bias_, n - 1, 1e-9), 0.0))
        slope = ratio(
            both - first * middle_, np.where(spread - middle * middle_ > 1e-9 * n, spread - middle * middle_, 0)
        )
        return np.stack([bias_ + off, bias_ + off - LIMIT * deviation, bias_ + off + LIMIT * deviation, slope], axis=1)

    value, made = additive(sample.summed(columns), finish, how, sample)
    heard = raters_heard(one, two)
    if gap.size < 2:
        why = "undefined: fewer than two units have both scores"
        return BlandAltman(value=None, why=why, n_units=gap.size, n_raters=heard, slope_why=why)
    parts = [plain(value), made.low, made.high]
    triples: list[Value] = [part[:3] if isinstance(part, tuple) else None for part in parts]
    slopes = [part[3] if isinstance(part, tuple) else None for part in parts]
    slope_why = "undefined: all pairs have the same mean" if slopes[0] is None else None
    figure = BlandAltman(value=triples[0], n_units=gap.size, n_raters=heard, slope=slopes[0], slope_why=slope_why)
    made = replace(made, low=triples[1], high=triples[2])
    return replace(with_interval(figure, made), slope_low=slopes[1], slope_high=slopes[2])
