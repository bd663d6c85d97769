"""Davidson's strengths with intervals over clusters: thousands of resampled tables are fitted side by side.

A resample's wins and ties are sums over its clusters, so that one product of matrices gives all tables, and one Newton
step moves all fits. The fit is that of `davidson`; a table on which that has no answer counts as undefined.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.stats.inputs import Clusters, Progress, cluster_codes, design
from annotator.stats.preference import STEPS, Strengths, davidson
from annotator.stats.resample import interval, plan_of
from annotator.stats.result import Array, with_interval

_TIGHT: Final = 1e-11
Mask = NDArray[np.bool_]


def davidson_clustered(
    wins: ArrayLike,
    ties: ArrayLike,
    clusters: Clusters,
    resamples: int = 2_000,
    seed: int = 0,
    confidence: float = 0.95,
    progress: Progress | None = None,
) -> Strengths:
    """Strengths of all units' wins and ties together, with intervals over clusters.

    `wins[u, i, j]` and `ties[u, i, j]` are (units, items, items), one cluster id per unit; `value`, `low` and `high`
    hold one number per item. Equal to `clustered` around `davidson`, on the same draws.
    """
    won, tied = (np.asarray(table, dtype=np.float64) for table in (wins, ties))
    whole = davidson(won.sum(axis=0), tied.sum(axis=0))
    if not isinstance(whole.value, tuple):
        return whole
    codes, _ = cluster_codes(clusters)
    how = design(codes.size, clusters, None, confidence, resamples, seed, progress)
    _, sample = how.of(np.ones(codes.size, dtype=bool))
    plan = plan_of(how, sample)
    assert sample.codes is not None and plan is not None
    items = won.shape[1]
    sums = np.zeros((sample.n_clusters, 2 * items * items))
    np.add.at(sums, sample.codes, np.concatenate([won, tied], axis=1).reshape(codes.size, -1))

    def evaluate(counts: Array) -> Array:
        tables = (counts @ sums).reshape(-1, 2, items, items)
        return strengths_of(tables[:, 0], tables[:, 1])

    made = interval(evaluate, np.asarray(whole.value), plan)
    return replace(with_interval(replace(whole, n_units=int(codes.size)), made), nu=whole.nu)


def strengths_of(won: Array, tied: Array) -> Array:
    """Davidson's strengths (tables, items) of tables (tables, items, items); NaN where they cannot be told."""
    out = np.full(won.shape[:2], np.nan)
    told = _told(won, tied)
    if told.any():
        out[told] = _fits(won[told], tied[told])
    return out


def _told(won: Array, tied: Array) -> Mask:
    """Which tables have finite strengths that are most likely: see `davidson`."""
    items = won.shape[1]
    eye = np.eye(items, dtype=bool)
    reach = (won + tied > 0) | eye
    room = np.where(tied > 0, 1.0, np.inf)
    room = np.where(np.swapaxes(won, 1, 2) > 0, -1.0, room)
    room[:, eye] = 0.0
    for middle in range(items):
        reach |= reach[:, :, middle, None] & reach[:, None, middle, :]
        room = np.minimum(room, room[:, :, middle, None] + room[:, None, middle, :])
    ordered = (room[:, eye] >= 0).all(axis=1) & tied.any(axis=(1, 2))
    connected, decided = (np.asarray(table.reshape(len(table), -1)) for table in (reach, won > 0))
    told: Mask = np.logical_and(connected.all(axis=1), decided.any(axis=1)) & ~ordered
    return told


def _fits(won: Array, tied: Array) -> Array:
    count, items = won.shape[:2]
    at = np.zeros((count, items + 1))
    going = np.arange(count)
    for _ in range(STEPS):
        fit = _Step(won[going], tied[going], at[going])
        rough = np.abs(fit.slope).max(axis=1) > _TIGHT * fit.met.sum(axis=(1, 2))
        if not rough.any():
            break
        going = going[rough]
        fit = _Step(won[going], tied[going], at[going])
        step = np.linalg.solve(fit.curvature(), fit.slope[:, :, None])[:, :, 0]
        size = _halved(fit.climb, at[going], step)
        moved = at[going] + size[:, None] * step
        moved[:, :items] -= moved[:, :items].mean(axis=1, keepdims=True)
        at[going] = moved
    return at[:, :items]


def _halved(climb: Callable[[Array], Array], at: Array, step: Array) -> Array:
    """How much of each step to take: as much as climbs."""
    size, now = np.ones(at.shape[0]), climb(at)
    while (worse := (climb(at + size[:, None] * step) < now) & (size > 1e-9)).any():
        size[worse] /= 2
    return size


class _Step:
    """Where all fits stand: slopes, curvature, and how likely other places are. Tables without ties keep nu at 0."""

    def __init__(self, won: Array, tied: Array, at: Array) -> None:
        self.won, self.tied = won, tied
        self.ties: Mask = np.asarray(tied.reshape(len(tied), -1).any(axis=1))
        self.met = won + np.swapaxes(won, 1, 2) + tied
        self.win, self.tie = self._shares(at)
        slope = (won + tied / 2 - self.met * (self.win + self.tie / 2)).sum(axis=2)
        of_nu = np.where(self.ties, np.triu(tied - self.met * self.tie).sum(axis=(1, 2)), 0.0)
        self.slope = np.concatenate([slope, of_nu[:, None]], axis=1)

    def _shares(self, at: Array) -> tuple[Array, Array]:
        """Probabilities that i beats j, and that they tie."""
        items = self.won.shape[1]
        half = (at[:, :items, None] - at[:, None, :items]) / 2
        tie = np.where(self.ties, at[:, items], -np.inf)[:, None, None]
        top = np.maximum(np.abs(half), tie)
        parts = np.exp(half - top), np.exp(-half - top), np.exp(tie - top)
        total = parts[0] + parts[1] + parts[2]
        return parts[0] / total, parts[2] / total

    def climb(self, at: Array) -> Array:
        """The log-likelihoods."""
        win, tie = (np.maximum(part, 1e-300) for part in self._shares(at))
        likely: Array = (self.won * np.log(win)).sum(axis=(1, 2)) + (np.triu(self.tied) * np.log(tie)).sum(axis=(1, 2))
        return likely

    def curvature(self) -> Array:
        """Minus the second derivatives by the strengths and log nu; what they leave free (the sum) is held at 0."""
        count, items = self.won.shape[:2]
        turned = np.swapaxes(self.win, 1, 2)
        lead = self.win - turned
        pair = self.met * ((self.win + turned) / 4 - lead**2 / 4)
        out = np.zeros((count, items + 1, items + 1))
        out[:, :items, :items] = pair.mean(axis=(1, 2))[:, None, None] + 1e-300 - pair
        diagonal = np.arange(items)
        out[:, diagonal, diagonal] += pair.sum(axis=2)
        cross = np.where(self.ties[:, None], (-self.met * self.tie * lead / 2).sum(axis=2), 0.0)
        out[:, :items, items] = out[:, items, :items] = cross
        of_nu = np.triu(self.met * self.tie * (1 - self.tie), 1).sum(axis=(1, 2))
        out[:, items, items] = np.where(self.ties, of_nu, 1.0)
        return out
