"""Agreement of two raters, corrected for chance: kappa and pi; and the kappas of every two of many raters at once.

Each figure is a function of sums over units. Pairs whose units lie in the same clusters share one product of matrices.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from annotator.stats.agreement import UP_TO_ONE, why_not
from annotator.stats.inputs import (
    Clusters,
    Design,
    Progress,
    Sample,
    coded,
    design,
    levels_of,
    matrix,
    pair,
    raters_heard,
)
from annotator.stats.levels import agreement_weights, counted
from annotator.stats.resample import side_by_side
from annotator.stats.result import Array, Ints, Result, plain, ratio, with_interval

AT_ONCE = 600
"""So many sums of one cluster go through one product at most: tables of resamples stay within some megabytes."""


def kappa(
    a: ArrayLike,
    b: ArrayLike,
    weights: str | None = None,
    scale: Iterable[float] = (),
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Cohen's kappa of two raters, `weights` None, linear or quadratic (Cohen 1960, 1968).

    1 - sum v_kl p_kl / sum v_kl p_k. p_.l with v the disagreement, 1 - w; distances are those of the scale's levels.
    Zero where one rater gives one level only; undefined where both give the same level throughout.
    """
    how = (clusters, sampling_weights, confidence, resamples, seed, progress)
    return _of_two(np.stack(pair(a, b)), weights, scale, False, *how)[0]


def kappas(
    ratings: ArrayLike,
    weights: str | None = None,
    scale: Iterable[float] = (),
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[Result, ...]:
    """`kappa` of every two of (raters, units), first with second, first with third and so on; the same numbers, faster.

    Empty with fewer than two rows.
    """
    how = (clusters, sampling_weights, confidence, resamples, seed, progress)
    return _of_two(matrix(ratings), weights, scale, False, *how)


def scott_pi(
    a: ArrayLike,
    b: ArrayLike,
    scale: Iterable[float],
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Scott's pi of two raters: like kappa without weights, but chance from both raters' pooled shares (Scott 1955)."""
    how = (clusters, sampling_weights, confidence, resamples, seed, progress)
    return _of_two(np.stack(pair(a, b)), None, scale, True, *how)[0]


def _of_two(
    ratings: Array,
    weights: str | None,
    scale: Iterable[float],
    pooled: bool,
    clusters: Clusters | None,
    sampling_weights: ArrayLike | None,
    confidence: float,
    resamples: int,
    seed: int,
    progress: Progress | None,
) -> tuple[Result, ...]:
    """The figure of every two rows, in the order of `combinations`."""
    levels = levels_of(scale)
    apart = 1 - agreement_weights(levels, weights)
    codes = coded(ratings, levels)
    how = design(ratings.shape[1], clusters, sampling_weights, confidence, resamples, seed, progress)
    pairs = list(combinations(range(len(ratings)), 2))
    groups: dict[tuple[int, int], list[tuple[int, Sample, Array]]] = {}
    sizes = []
    for place, (one, two) in enumerate(pairs):
        sample, sums, size = _summed(codes[one], codes[two], apart, how)
        groups.setdefault((sample.key, sample.n_clusters), []).append((place, sample, sums))
        sizes.append(size)
    made: dict[int, Result] = {}
    width = 1 + 2 * levels.size
    step = max(1, AT_ONCE // width)
    for held in groups.values():
        for part in (held[start : start + step] for start in range(0, len(held), step)):
            values, intervals = side_by_side(
                np.hstack([sums for _, _, sums in part]),
                lambda sums: _kappas_of(sums, apart, width, pooled),
                how,
                part[0][1],
                UP_TO_ONE,
            )
            for (place, _, _), value, interval in zip(part, values, intervals, strict=True):
                both = ratings[list(pairs[place])]
                figure = Result(value=plain(value), n_units=sizes[place], n_raters=raters_heard(*both))
                made[place] = with_interval(
                    figure if not np.isnan(value) else _without(figure, both, levels, how), interval
                )
    return tuple(made[place] for place in range(len(pairs)))


def _summed(one: Ints, two: Ints, apart: Array, how: Design) -> tuple[Sample, Array, int]:
    """The units that both rated, and by cluster: disagreement, how often each gave each level (clusters, 1 + 2 q)."""
    used, sample = how.of((one >= 0) & (two >= 0))
    first, second = one[used], two[used]
    margins = [sample.tallied(codes, len(apart)) for codes in (first, second)]
    return sample, np.hstack([sample.summed(apart[first, second][:, None]), *margins]), int(used.sum())


def _kappas_of(sums: Array, apart: Array, width: int, pooled: bool) -> Array:
    """1 - observed / expected of each pair: (b, pairs) from (b, pairs * width)."""
    held = sums.T.reshape(-1, width, len(sums))
    levels = len(apart)
    one_has, two_has = held[:, 1 : 1 + levels], held[:, 1 + levels :]
    if pooled:
        one_has = two_has = (one_has + two_has) / 2
    expected = ((apart @ one_has) * two_has).sum(axis=1)
    observed = held[:, 0] * two_has.sum(axis=1)
    kappas: Array = 1 - ratio(observed, expected)
    return kappas.T


def _without(figure: Result, both: Array, levels: Array, how: Design) -> Result:
    """The figure with the reason why it has no value."""
    codes = coded(both, levels)
    used, _ = how.of((codes[0] >= 0) & (codes[1] >= 0))
    return replace(figure, why=why_not(both, levels, counted(codes[:, used], levels.size)))
