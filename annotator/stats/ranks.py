"""Ranks with ties under weights: mid-ranks, and concordant less discordant pairs.

Weights count as repetitions of a unit, so a resample in which a unit is drawn twice is that unit with weight 2.
"""

from __future__ import annotations

import numpy as np

from annotator.stats.levels import mid_counts
from annotator.stats.result import Array, Ints, ratio


def weighted_midranks(values: Array, weights: Array) -> Array:
    """Mid-ranks of `values` (units,) about their mean, for each row of `weights` (b, units): (b, units)."""
    _, place = np.unique(values, return_inverse=True)
    place = place.reshape(-1)
    order = np.argsort(place, kind="stable")
    starts = np.flatnonzero(np.diff(place[order], prepend=-1))
    margins = np.add.reduceat(weights[:, order], starts, axis=1) if values.size else weights
    middle = mid_counts(margins) - margins.sum(axis=1, keepdims=True) / 2
    ranks: Array = middle[:, place]
    return ranks


def spearman_of(tables: Array) -> Array:
    """Spearman's rho, Pearson's correlation of mid-ranks, of cross tables (b, x levels, y levels)."""
    across, down = tables.sum(axis=2), tables.sum(axis=1)
    half = across.sum(axis=1, keepdims=True) / 2
    x, y = mid_counts(across) - half, mid_counts(down) - half
    both = np.einsum("bij,bi,bj->b", tables, x, y, optimize=True)
    squares = (across * x**2).sum(axis=1) * (down * y**2).sum(axis=1)
    return np.clip(ratio(both, np.sqrt(squares)), -1, 1)


def tau_b_of(tables: Array) -> Array:
    """Kendall's tau-b, (C - D) / sqrt of untied pairs in x times untied pairs in y, of cross tables (b, x, y)."""
    over = np.cumsum(tables, axis=1) - tables  # how many have the same y and a smaller x
    before = np.cumsum(over, axis=2)
    smaller, larger = before - over, before[:, :, -1:] - before
    surplus = (tables * (smaller - larger)).sum(axis=(1, 2))
    return tau_b(surplus, tables.sum(axis=2), tables.sum(axis=1))


def tau_b(surplus: Array, across: Array, down: Array) -> Array:
    """Tau-b from concordant less discordant pairs (b,) and the margins of x and y (b, levels)."""
    untied = [margins.sum(axis=1) ** 2 - (margins**2).sum(axis=1) for margins in (across, down)]
    several = [(margins > 0).sum(axis=1) > 1 for margins in (across, down)]
    divisor = np.where(several[0] & several[1], np.sqrt(np.maximum(untied[0] * untied[1], 0.0)) / 2, 0.0)
    return np.clip(ratio(surplus, divisor), -1, 1)


def surplus_of(x: Ints, y: Ints, weights: Array) -> float:
    """Concordant less discordant weighted pairs of two lists of ranks with many levels, in n log^2 n steps.

    Two units are told apart by the highest bit in which their y differ. For every bit the units are grouped by the bits
    above it; within a group, ordered by x, those with the bit meet the weight of those without it on either side.
    """
    order = np.lexsort((y, x))
    x, y, weights = x[order], y[order], weights[order]
    surplus = 0.0
    for bit in range(int(y.max(initial=0)).bit_length()):
        group = y >> (bit + 1)
        by_group = np.argsort(group, kind="stable")
        group, across = group[by_group], x[by_group]
        has = ((y[by_group] >> bit) & 1).astype(bool)
        low = np.concatenate([[0.0], np.cumsum(np.where(has, 0.0, weights[by_group]))])
        new_group = np.diff(group, prepend=-1) != 0
        group_start = np.flatnonzero(new_group)
        group_end = np.append(group_start[1:], group.size)
        run_start = np.flatnonzero(new_group | (np.diff(across, prepend=-1) != 0))
        run_end = np.append(run_start[1:], group.size)
        group_of = np.cumsum(new_group) - 1
        run_of = np.searchsorted(run_start, np.arange(group.size), side="right") - 1
        less = low[run_start[run_of]] - low[group_start[group_of]]
        more = low[group_end[group_of]] - low[run_end[run_of]]
        surplus += float((weights[by_group] * (less - more))[has].sum())
    return surplus
