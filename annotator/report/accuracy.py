"""Accuracy of models (and people) on multiple-choice questions, with intervals over images.

Sources: the benchmark's own aggregation. Avg weighs by items; Avg-C of a domain is the plain mean over its categories,
Avg-C over all the plain mean over domains. What is no answer (failed, blank, unreadable) is wrong, never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from annotator.report.figures import Asked, Figure
from annotator.stats.inputs import design
from annotator.stats.resample import additive

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
_COLUMNS_AT_ONCE: Final = 600
_PARTS: Final = ("accuracy", "avg", "avg_c")


def avg(values: Sequence[float], counts: Sequence[float]) -> float:
    """The mean weighted by items."""
    return float(np.dot(values, counts) / np.sum(counts))


def avg_c(values: Sequence[float]) -> float:
    """The plain mean over the parts."""
    return float(np.mean(values))


@dataclass(frozen=True)
class Outcomes:
    """One row for each output (or answer) that is judged.

    Attributes:
        right: (rows,) whether it is the key, 0 or 1.
        domain, category: (rows,) codes; `cluster`: (rows,) the image.
        fields: name -> (codes (rows,), values): what can be grouped by.
    """

    right: Array
    domain: Ints
    category: Ints
    cluster: Ints
    fields: Mapping[str, tuple[Ints, Sequence[str]]] = field(default_factory=dict)

    def taken(self, rows: Ints) -> Outcomes:
        """Some rows of it."""
        fields = {name: (codes[rows], values) for name, (codes, values) in self.fields.items()}
        return Outcomes(self.right[rows], self.domain[rows], self.category[rows], self.cluster[rows], fields)


class Group(NamedTuple):
    """The rows of one combination of the fields asked for."""

    by: dict[str, str]
    rows: Ints


def accuracies(outcomes: Outcomes, asked: Asked, name: str = "") -> list[Figure]:
    """`accuracy`, `avg` and `avg_c` of each combination of the fields asked for, in the order of their values.

    With `name` all three carry it behind their own (`accuracy_mended`).
    """
    groups = list(groups_of(outcomes, asked.by))
    made: dict[int, list[Figure]] = {}
    for places in same_images(outcomes, groups):
        for start in range(0, len(places), max(1, _COLUMNS_AT_ONCE // 16)):
            part = places[start : start + max(1, _COLUMNS_AT_ONCE // 16)]
            for place, figures in zip(part, _together(outcomes, [groups[p] for p in part], asked, name), strict=True):
                made[place] = figures
        asked.tell(len(made), len(groups))
    return [figure for place in range(len(groups)) for figure in made[place]]


def groups_of(outcomes: Outcomes, by: Sequence[str]) -> Iterator[Group]:
    """Each combination of the fields that occurs, in the order of their values."""
    size = len(outcomes.right)
    code = np.zeros(size, dtype=np.int64)
    for name in by:
        codes, values = outcomes.fields[name]
        code = code * max(1, len(values)) + codes
    order = np.argsort(code, kind="stable")
    cuts = np.flatnonzero(np.diff(code[order])) + 1
    for rows in np.split(order, cuts):
        if rows.size or not by:
            first = rows[0] if rows.size else None
            held = {n: outcomes.fields[n][1][outcomes.fields[n][0][first]] for n in by} if first is not None else {}
            yield Group(held, rows)


def same_images(outcomes: Outcomes, groups: Sequence[Group]) -> list[list[int]]:
    """Places of groups that stand on the same images: these are resampled together."""
    found: dict[bytes, list[int]] = {}
    for place, group in enumerate(groups):
        found.setdefault(np.unique(outcomes.cluster[group.rows]).tobytes(), []).append(place)
    return list(found.values())


def _together(outcomes: Outcomes, groups: Sequence[Group], asked: Asked, name: str) -> list[list[Figure]]:
    """The figures of groups that stand on the same images."""
    images, _ = np.unique(outcomes.cluster[groups[0].rows], return_inverse=True)
    if not images.size:
        return [[_undefined(part, name, group) for part in _PARTS] for group in groups]
    sums: list[Array] = []
    finishes: list[tuple[slice, int]] = []
    column = 0
    for group in groups:
        made, parts = _sums(outcomes.taken(group.rows), images)
        sums.append(made)
        finishes.append((slice(column, column + made.shape[1]), parts))
        column += made.shape[1]
    how = design(images.size, np.arange(images.size), None, 0.95, asked.resamples, asked.seed, _stopper(asked))
    _, sample = how.of(np.ones(images.size, dtype=bool))
    values, interval = additive(np.concatenate(sums, axis=1), _finish(finishes), how, sample, (0.0, 1.0))
    low = _listed(interval.low, values.size)
    high = _listed(interval.high, values.size)
    out: list[list[Figure]] = []
    for place, group in enumerate(groups):
        out.append(
            [
                Figure(
                    name=part + name,
                    by=group.by,
                    value=_number(values[3 * place + at]),
                    why=interval.why,
                    low=low[3 * place + at],
                    high=high[3 * place + at],
                    n=int(group.rows.size),
                    n_clusters=int(images.size),
                    more={} if interval.method is None else {"method": interval.method},
                )
                for at, part in enumerate(_PARTS)
            ]
        )
    return out


def _stopper(asked: Asked) -> Callable[[int, int], None]:
    told = asked.how()["progress"]

    def progress(done: int, of: int) -> None:
        told(done, of)

    return progress


def _sums(rows: Outcomes, images: Ints) -> tuple[Array, int]:
    """(rights and counts of each part by image (images, 2 parts), the number of parts).

    Parts are domains, or the categories where there is one domain only.
    """
    part = rows.domain if np.unique(rows.domain).size > 1 else rows.category
    _, codes = np.unique(part, return_inverse=True)
    parts = int(codes.max()) + 1
    cells = np.searchsorted(images, rows.cluster) * parts + codes
    size = images.size * parts
    right = np.bincount(cells, rows.right, minlength=size).reshape(images.size, parts)
    count = np.bincount(cells, minlength=size).astype(np.float64).reshape(images.size, parts)
    return np.concatenate([right, count], axis=1), parts


def _finish(finishes: Sequence[tuple[slice, int]]) -> Callable[[Array], Array]:
    def finish(sums: Array) -> Array:
        out = np.full((sums.shape[0], 3 * len(finishes)), np.nan)
        for place, (columns, parts) in enumerate(finishes):
            right, count = sums[:, columns][:, :parts], sums[:, columns][:, parts:]
            total = count.sum(axis=1)
            np.divide(right.sum(axis=1), total, out=out[:, 3 * place], where=total > 0)
            out[:, 3 * place + 1] = out[:, 3 * place]
            shares = np.full(right.shape, np.nan)
            np.divide(right, count, out=shares, where=count > 0)
            there = ~np.isnan(shares)
            some = there.any(axis=1)
            mean = np.where(there, shares, 0.0).sum(axis=1)
            np.divide(mean, there.sum(axis=1), out=out[:, 3 * place + 2], where=some)
        return out

    return finish


def _listed(ends: Any, size: int) -> list[float | None]:
    if ends is None:
        return [None] * size
    return list(ends) if isinstance(ends, tuple) else [ends]


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _undefined(part: str, name: str, group: Group) -> Figure:
    return Figure(name=part + name, by=group.by, value=None, why="undefined: there are no outputs")


def shares(outcomes: Outcomes, marks: Mapping[str, Array], asked: Asked) -> list[Figure]:
    """The plain share of each mark (0 or 1 by row) in each combination, without an interval."""
    made = []
    for group in groups_of(outcomes, asked.by):
        for name, mark in marks.items():
            held = mark[group.rows]
            value = float(held.mean()) if held.size else None
            why = None if held.size else "undefined: there are no outputs"
            made.append(Figure(name=name, by=group.by, value=value, why=why, n=int(held.size)))
    return made


def wrong_choices(outcomes: Outcomes, truth: Ints, letter: Ints, letters: Sequence[str], asked: Asked) -> list[Figure]:
    """What was answered for each key, as counts: rows are keys, columns letters, the last one no letter (-1)."""
    made = []
    size = len(letters)
    for group in groups_of(outcomes, asked.by):
        of, got = truth[group.rows], letter[group.rows]
        kept = of >= 0
        cells = of[kept] * (size + 1) + np.where(got[kept] < 0, size, got[kept])
        counts = np.bincount(cells, minlength=size * (size + 1)).reshape(size, size + 1)
        rows = tuple(tuple(int(n) for n in row) for row in counts)
        made.append(
            Figure(name="confusion", by=group.by, value=rows, n=int(kept.sum()), more={"letters": list(letters)})
        )
    return made
