"""What comes in, checked once: arrays of floats with NaN for gaps, a scale from the rubric, clusters and weights."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.stats.result import Array, Ints

Clusters = Sequence[Any] | NDArray[Any]
Progress = Callable[[int, int], None]
Mask = NDArray[np.bool_]

MATCH = 1e-9
"""How near a number must be to a level of the scale to be that level."""


def numbers(values: ArrayLike, name: str) -> Array:
    """A vector of floats, None and NaN for gaps. Raises ValueError for another shape or for infinity."""
    out = np.asarray(values, dtype=np.float64)
    if out.ndim != 1:
        raise ValueError(f"{name} must have one dimension (units), not {out.ndim}")
    if np.isinf(out).any():
        raise ValueError(f"{name} holds an infinite number")
    return out


def matrix(ratings: ArrayLike) -> Array:
    """Ratings as floats (raters, units), None and NaN for gaps. Raises ValueError for another shape or for infinity."""
    out = np.asarray(ratings, dtype=np.float64)
    if out.ndim != 2:
        raise ValueError(f"ratings must have two dimensions (raters, units), not {out.ndim}")
    if np.isinf(out).any():
        raise ValueError("ratings hold an infinite number")
    return out


def pair(first: ArrayLike, second: ArrayLike) -> tuple[Array, Array]:
    """Two vectors over the same units."""
    one, two = numbers(first, "the first argument"), numbers(second, "the second argument")
    if one.shape != two.shape:
        raise ValueError(f"both arguments must have one number per unit, not {one.size} and {two.size}")
    return one, two


def levels_of(scale: Iterable[float]) -> Array:
    """The scale's levels, ascending. It comes from the rubric, never from the ratings: so it must be given."""
    levels = np.asarray(list(scale), dtype=np.float64)
    if levels.ndim != 1 or levels.size < 2 or not np.isfinite(levels).all():
        raise ValueError("scale must list all levels of the scale, two or more")
    ascending: Array = np.unique(levels)
    if ascending.size != levels.size:
        raise ValueError("scale lists a level twice")
    return ascending


def coded(values: Array, levels: Array) -> Ints:
    """The index of each value on the scale, -1 for a gap. Raises ValueError for a value that is no level of it."""
    gaps = np.isnan(values)
    filled = np.where(gaps, levels[0], values)
    step = (levels[-1] - levels[0]) / (levels.size - 1)
    nearest: Ints = np.clip(np.rint((filled - levels[0]) / step), 0, levels.size - 1).astype(np.int64)
    off = np.abs(levels[nearest] - filled) > MATCH
    if off.any():  # levels at unequal steps, or no level at all
        nearest = np.clip(np.searchsorted(levels, filled - MATCH), 0, levels.size - 1)
        off = np.abs(levels[nearest] - filled) > MATCH
    if off.any():
        raise ValueError(f"{float(filled[off][0]):g} is not a level of the scale {levels.tolist()}")
    nearest[gaps] = -1
    return nearest


@dataclass(frozen=True)
class Sample:
    """The units that take part in one figure: their weights (mean 1), and their clusters, numbered from 0."""

    weights: Array
    codes: Ints | None
    n_clusters: int
    key: int

    def summed(self, columns: Array) -> Array:
        """Columns (units, d), weighted, summed within clusters: (clusters, d); one row where there are no clusters."""
        weighted = columns * self.weights[:, None]
        if self.codes is None:
            return np.asarray(weighted.sum(axis=0))[None, :]
        sums = [np.bincount(self.codes, column, minlength=self.n_clusters) for column in weighted.T]
        return np.stack(sums, axis=1)

    def tallied(self, places: Ints, size: int, values: Array | None = None) -> Array:
        """Weight (times value) at each of `size` places, by cluster: (clusters, size); one row without clusters."""
        weights = self.weights if values is None else self.weights * values
        rows, cells = (1, places) if self.codes is None else (self.n_clusters, self.codes * size + places)
        return np.bincount(cells, weights, minlength=rows * size).astype(np.float64).reshape(rows, size)


@dataclass(frozen=True)
class Design:
    """How the units were drawn and how the interval is to be made: the keyword arguments that all estimators share."""

    codes: Ints | None
    weights: Array
    confidence: float
    resamples: int
    seed: int
    progress: Progress | None
    key: int

    def of(self, used: Mask) -> tuple[Mask, Sample]:
        """The units of `used` that carry weight, and their sample."""
        used = used & (self.weights > 0)
        weights = self.weights[used]
        if weights.size:
            weights = weights / weights.mean()
        if self.codes is None:
            return used, Sample(weights, None, 0, 0)
        names, codes = np.unique(self.codes[used], return_inverse=True)
        return used, Sample(weights, codes.reshape(-1), int(names.size), hash((self.key, names.tobytes())))


def design(
    n_units: int,
    clusters: Clusters | None,
    sampling_weights: ArrayLike | None,
    confidence: float,
    resamples: int,
    seed: int,
    progress: Progress | None,
) -> Design:
    """Check the shared keyword arguments against the number of units."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    if resamples < 1:
        raise ValueError(f"an interval needs resamples, not {resamples}")
    weights = np.ones(n_units)
    if sampling_weights is not None:
        weights = numbers(sampling_weights, "sampling_weights")
        if weights.size != n_units:
            raise ValueError(f"sampling_weights must have one weight per unit: {n_units}, not {weights.size}")
        if np.isnan(weights).any() or (weights < 0).any():
            raise ValueError("sampling_weights must be given for every unit and not be negative")
    codes, key = (None, 0) if clusters is None else cluster_codes(clusters)
    if codes is not None and codes.size != n_units:
        raise ValueError(f"clusters must have one id per unit: {n_units}, not {codes.size}")
    return Design(codes, weights, confidence, resamples, seed, progress, key)


def cluster_codes(*lists: Clusters) -> tuple[Ints, int]:
    """Clusters as integers in the order of their ids, so that the order of the units never changes a resample; a key.

    Integers are taken as they are (the fast way); other ids are sorted by kind and text, and the key tells them apart.
    """
    arrays = [np.asarray(ids) for ids in lists]
    if any(ids.ndim != 1 for ids in arrays):
        raise ValueError("clusters must have one dimension: one id per unit")
    ids = np.concatenate([ids for ids in arrays if ids.size] or arrays)
    if ids.dtype.kind in "iub":
        return ids.astype(np.int64), 0
    if ids.dtype.kind == "f":
        if np.isnan(ids).any():
            raise ValueError("clusters must be given for every unit")
        names, codes = np.unique(ids, return_inverse=True)
        return codes.reshape(-1).astype(np.int64), hash(names.tobytes())
    listed = ids.tolist()
    if any(one is None or one != one for one in listed):
        raise ValueError("clusters must be given for every unit")
    ordered = sorted(set(listed), key=lambda name: (str(type(name)), str(name)))
    order = {name: code for code, name in enumerate(ordered)}
    return np.fromiter((order[name] for name in listed), dtype=np.int64, count=len(listed)), hash(tuple(ordered))


def raters_heard(*rows: Array) -> int:
    """How many raters gave at least one rating."""
    return int(sum(bool((~np.isnan(row)).any()) for row in rows))


def said(number: float) -> str:
    """A score as people write it."""
    return f"{number:g}"
