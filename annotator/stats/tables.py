"""Where a judge errs: the table of judge against human scores, and what it misses at a cut."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from annotator.stats.error import mean
from annotator.stats.inputs import Clusters, Progress, coded, design, levels_of, pair, raters_heard
from annotator.stats.resample import additive
from annotator.stats.result import Array, Result, Value, ratio, with_interval


def confusion(
    judge: ArrayLike,
    human: ArrayLike,
    scale: Iterable[float],
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """How many units the judge gave level i and people level j: `value[i][j]`, levels ascending.

    Weighted counts where sampling weights are given, scaled to the number of units. `low` and `high` are those of each
    cell's share, times the number of units.
    """
    one, two = pair(judge, human)
    levels = levels_of(scale)
    first, second = coded(one, levels), coded(two, levels)
    how = design(one.size, clusters, sampling_weights, confidence, resamples, seed, progress)
    used, sample = how.of((first >= 0) & (second >= 0))
    first, second = first[used], second[used]
    heard = raters_heard(one, two)
    if not first.size:
        return Result(value=None, why="undefined: no unit has both scores", n_raters=heard, confidence=confidence)
    cells = sample.tallied(first * levels.size + second, levels.size**2)

    def finish(sums: Array) -> Array:
        return ratio(sums, sums.sum(axis=1, keepdims=True)) * first.size

    value, made = additive(cells, finish, how, sample, (0.0, float(first.size)))
    flat = tuple(float(cell) for cell in np.round(value, 9))
    made = replace(made, low=_rows(made.low, levels.size), high=_rows(made.high, levels.size))
    return with_interval(Result(value=_rows(flat, levels.size), n_units=first.size, n_raters=heard), made)


def _rows(flat: Value, width: int) -> Value:
    if not isinstance(flat, tuple):
        return None
    return tuple(flat[start : start + width] for start in range(0, len(flat), width))


@dataclass(frozen=True, kw_only=True)
class Detection(Result):
    """`value` is (sensitivity, specificity), None where either is undefined; both stand alone with their intervals."""

    sensitivity: Result
    specificity: Result


def detection(
    judge: ArrayLike,
    human: ArrayLike,
    cut: float,
    below: bool = False,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Detection:
    """Does the judge find the low scores that people gave? Low is <= `cut`, or < `cut` with `below`.

    Sensitivity: of the units low to people, the share low to the judge. Specificity: of the others, the share not low.
    """
    one, two = pair(judge, human)
    known = ~np.isnan(one) & ~np.isnan(two)
    found = one < cut if below else one <= cut
    low = two < cut if below else two <= cut
    parts = []
    for right, which, lacking in ((found, low, "low"), (~found, ~low, "other than low")):
        shares = np.where(known & which, right, np.nan)
        part = mean(shares, clusters, sampling_weights, confidence, resamples, seed, progress)
        why = part.why if part.n_units else f"undefined: people scored no unit {lacking}"
        parts.append(replace(part, why=why, n_raters=raters_heard(one, two)))
    whys = [part.why for part in parts if part.value is None]
    return Detection(
        value=None if whys else tuple(part.value for part in parts),
        why=whys[0] if whys else None,
        n_units=int(known.sum()),
        n_raters=raters_heard(one, two),
        confidence=confidence,
        sensitivity=parts[0],
        specificity=parts[1],
    )
