"""Shares of outputs (those that say E, those in which a letter was read) with intervals over images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from annotator.report.accuracy import Array, Group, Ints, Outcomes, groups_of, same_images
from annotator.report.figures import Asked, Figure
from annotator.stats.inputs import design
from annotator.stats.resample import additive

_AT_ONCE: Final = 200


def rates(outcomes: Outcomes, marks: Mapping[str, Array], asked: Asked) -> list[Figure]:
    """The share of each mark (0 or 1 by row) in each combination of the fields; images are resampled whole."""
    groups = list(groups_of(outcomes, asked.by))
    made: dict[int, list[Figure]] = {}
    for places in same_images(outcomes, groups):
        for start in range(0, len(places), _AT_ONCE):
            part = places[start : start + _AT_ONCE]
            for place, figures in zip(part, _rates(outcomes, [groups[p] for p in part], marks, asked), strict=True):
                made[place] = figures
    return [figure for place in range(len(groups)) for figure in made[place]]


def _rates(outcomes: Outcomes, groups: Sequence[Group], marks: Mapping[str, Array], asked: Asked) -> list[list[Figure]]:
    """The shares of groups that stand on the same images."""
    images = np.unique(outcomes.cluster[groups[0].rows])
    if not images.size:
        why = "undefined: there are no outputs"
        return [[Figure(name=name, by=group.by, value=None, why=why) for name in marks] for group in groups]
    width = len(marks) + 1
    sums = np.concatenate([_sums(outcomes.cluster[g.rows], images, g.rows, marks) for g in groups], axis=1)
    progress = asked.how()["progress"]
    how = design(images.size, np.arange(images.size), None, 0.95, asked.resamples, asked.seed, progress)
    _, sample = how.of(np.ones(images.size, dtype=bool))

    def finish(totals: Array) -> Array:
        held = totals.reshape(totals.shape[0], len(groups), width)
        out = np.full((*held.shape[:2], len(marks)), np.nan)
        np.divide(held[:, :, :-1], held[:, :, -1:], out=out, where=held[:, :, -1:] > 0)
        return out.reshape(totals.shape[0], len(groups) * len(marks))

    values, interval = additive(sums, finish, how, sample, (0.0, 1.0))
    low, high = (_listed(ends, values.size) for ends in (interval.low, interval.high))
    more = {} if interval.method is None else {"method": interval.method}
    return [
        [
            Figure(
                name=name, by=group.by, value=float(values[at]), why=interval.why, low=low[at], high=high[at],
                n=int(group.rows.size), n_clusters=int(images.size), more=more,
            )
            for at, name in enumerate(marks, start=place * len(marks))
        ]
        for place, group in enumerate(groups)
    ]  # fmt: skip


def _sums(cluster: Ints, images: Ints, rows: Ints, marks: Mapping[str, Array]) -> Array:
    """(images, marks and the count)."""
    at = np.searchsorted(images, cluster)
    parts = [np.bincount(at, mark[rows], minlength=images.size) for mark in marks.values()]
    return np.stack([*parts, np.bincount(at, minlength=images.size).astype(np.float64)], axis=1)


def _listed(ends: object, size: int) -> list[float | None]:
    if ends is None:
        return [None] * size
    return list(ends) if isinstance(ends, tuple) else [float(ends)]  # type: ignore[arg-type]
