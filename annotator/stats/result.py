"""What every function of this library hands out: a value, how sure it is, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Value = float | tuple[Any, ...] | None
"""Tuples hold floats, None where a part is undefined; those of `confusion` hold rows."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """One figure. `value` is None where the figure is undefined; it is never NaN, nor a number that stands for nothing.

    Attributes:
        value: the figure, or a tuple whose order the function's docstring names, or None.
        why: a sentence that says why `value` is None or, where clusters were given, why there is no interval.
        n_units: the units that took part (pairs with a gap are dropped, and this number says so).
        n_raters: how many raters gave at least one rating; None where there are no raters (a proportion).
        low, high: the ends of the interval at level `confidence`; shaped like `value`.
        n_clusters: the clusters that took part, where clusters were given.
        seed: what the resampling was seeded with, where clusters were given.
        method: how the interval was made, in words.
        resamples: the number of resamples, where a bootstrap was made.
        replicates: the figure on each resample (or on each set without one cluster), undefined ones NaN; two figures
            over the same clusters with the same seed saw the same resamples (see `difference`).
        cluster_key: equal for two figures that resample the same clusters.
    """

    value: Value
    why: str | None = None
    n_units: int = 0
    n_raters: int | None = None
    low: Value = None
    high: Value = None
    n_clusters: int | None = None
    seed: int | None = None
    method: str | None = None
    confidence: float = 0.95
    resamples: int | None = None
    replicates: Array | None = field(default=None, repr=False, compare=False)
    cluster_key: int | None = field(default=None, repr=False, compare=False)


AnyResult = TypeVar("AnyResult", bound=Result)


@dataclass(frozen=True, kw_only=True)
class Interval:
    """The interval part of a result, on its way from the resampling to the figure."""

    low: Value = None
    high: Value = None
    why: str | None = None
    n_clusters: int | None = None
    seed: int | None = None
    method: str | None = None
    confidence: float = 0.95
    resamples: int | None = None
    replicates: Array | None = None
    cluster_key: int | None = None


def with_interval(result: AnyResult, interval: Interval) -> AnyResult:
    """The result with its interval; the value's own reason, if there is one, goes before the interval's."""
    return replace(
        result,
        why=result.why or interval.why,
        low=interval.low,
        high=interval.high,
        n_clusters=interval.n_clusters,
        seed=interval.seed,
        method=interval.method,
        confidence=interval.confidence,
        resamples=interval.resamples,
        replicates=interval.replicates,
        cluster_key=interval.cluster_key,
    )


def plain(numbers: Array) -> Value:
    """A float from an array of no dimension, a tuple from one of one; NaN becomes None."""
    if numbers.ndim == 0:
        return None if np.isnan(numbers) else float(numbers)
    return tuple(None if np.isnan(number) else float(number) for number in numbers)


def ratio(over: Array, under: Array, least: float = 0.0) -> Array:
    """Elementwise quotient, NaN where the divisor is not above `least`."""
    out: Array = np.full(np.broadcast_shapes(over.shape, under.shape), np.nan)
    np.divide(over, under, out=out, where=under > least)
    return out
