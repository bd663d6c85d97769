"""Scores as one long table, and the arrays that figures are made of.

A unit is one dimension of one (item, responder, target). Each label belongs to a unit and a rater, each judgement to a
unit and a judge. Groups are made over labels, so that what belongs to a unit (its scenario) and what belongs to a
label (its rater, its week) are asked for in one way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]


class UnitKey(NamedTuple):
    """What is scored once by each rater."""

    item_id: str
    responder: str
    target: str
    dimension: str


@dataclass(frozen=True)
class Column:
    """One field to group by: the code of each row, and what the codes stand for, in the order to show them."""

    codes: Ints
    names: tuple[str, ...]

    def at(self, rows: Ints) -> Column:
        """The field of some rows, in their order."""
        return Column(self.codes[rows], self.names)


def column(values: Sequence[str], order: Sequence[str] = ()) -> Column:
    """Texts as a column; names in `order` come first, the others sorted behind them."""
    present = set(values)
    names = [*(name for name in order if name in present), *sorted(present - set(order))]
    code = {name: place for place, name in enumerate(names)}
    return Column(np.fromiter((code[value] for value in values), dtype=np.int64, count=len(values)), tuple(names))


@dataclass(frozen=True)
class Table:
    """Scores of people and judges over the same units.

    Attributes:
        units: what is scored; `clusters` the dialogue of each (None: nobody said); `weights` one over the chance that
            it was drawn, None where everything was.
        of_units: fields that belong to a unit; `of_labels` those of a label.
        label_unit, label_rater, values: one entry per label; values are NaN where a rater could not judge.
        raters, judges: names in the order of their codes.
        judge_unit, judge_code, judge_values: one entry per judge's score.
        revised: what the same rater said of the unit after the reveal, one entry per label, NaN where nothing.
        again: what the same rater said of the very same content when it came again in another item, likewise.
        shift: the later of these two scores less the earlier, likewise.
        sized: how long the answer of a unit is, in characters; None where it was not asked for.
    """

    units: Sequence[UnitKey]
    of_units: Mapping[str, Column]
    of_labels: Mapping[str, Column]
    label_unit: Ints
    label_rater: Ints
    values: Array
    raters: tuple[str, ...]
    clusters: Ints | None = None
    weights: Array | None = None
    judges: tuple[str, ...] = ()
    judge_unit: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    judge_code: Ints = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    judge_values: Array = field(default_factory=lambda: np.empty(0))
    sized: Array | None = None
    revised: Array | None = None
    again: Array | None = None
    shift: Array | None = None

    def fields(self) -> tuple[str, ...]:
        """What labels can be grouped by."""
        return (*self.of_units, *self.of_labels, "rater")

    def label_column(self, name: str) -> Column:
        """A field over labels."""
        if name == "rater":
            return Column(self.label_rater, self.raters)
        if name in self.of_labels:
            return self.of_labels[name]
        return self.of_units[name].at(self.label_unit)

    def judge_column(self, name: str) -> Column:
        """A field over judges' scores."""
        return Column(self.judge_code, self.judges) if name == "judge" else self.of_units[name].at(self.judge_unit)


@dataclass(frozen=True)
class Ratings:
    """Raters against units: `scores` is (raters, units), NaN for a gap."""

    scores: Array
    raters: tuple[str, ...]
    units: Ints
    clusters: Ints | None
    weights: Array | None
    cannot: int = 0
    said: int = 0

    def how(self) -> dict[str, Any]:
        """The keyword arguments of estimators over these units."""
        return {"clusters": self.clusters, "sampling_weights": self.weights}


def groups(columns: Mapping[str, Column], size: int) -> Iterator[tuple[dict[str, str], Mask]]:
    """Each combination of the fields' values that occurs, with its rows; all rows together where no field is named."""
    if not columns:
        yield {}, np.ones(size, dtype=bool)
        return
    sizes = [len(one.names) for one in columns.values()]
    codes = [one.codes for one in columns.values()]
    if not codes[0].size:
        return
    together = codes[0]  # one number for a combination: rows of numbers are sorted far slower, and hold the interpreter
    for code, many in zip(codes[1:], sizes[1:], strict=True):
        together = together * many + code
    there, place = np.unique(together, return_inverse=True)
    place = place.reshape(-1)
    for at, combination in enumerate(np.stack(np.unravel_index(there, sizes), axis=1)):
        names = zip(columns.items(), combination, strict=True)
        yield {name: one.names[int(code)] for (name, one), code in names}, place == at


def ratings(table: Table, rows: Mask | None = None) -> Ratings:
    """The labels of some rows (of all) as an array of those raters and units that occur in them."""
    chosen = np.arange(table.values.size) if rows is None else np.flatnonzero(rows)
    units, unit = np.unique(table.label_unit[chosen], return_inverse=True)
    who, rater = np.unique(table.label_rater[chosen], return_inverse=True)
    scores = np.full((who.size, units.size), np.nan)
    scores[rater.reshape(-1), unit.reshape(-1)] = table.values[chosen]
    return Ratings(
        scores=scores,
        raters=tuple(table.raters[int(code)] for code in who),
        units=units,
        clusters=None if table.clusters is None else table.clusters[units],
        weights=None if table.weights is None else table.weights[units],
        cannot=int(np.isnan(table.values[chosen]).sum()),
        said=int(chosen.size),
    )


def middles(scores: Array) -> Array:
    """The median of each unit's ratings, the lower of the two middle ones: always a level of the scale; NaN if none."""
    count = (~np.isnan(scores)).sum(axis=0)
    if not scores.size:
        return np.full(scores.shape[1], np.nan)
    ordered = np.sort(scores, axis=0)  # gaps go to the end
    at = np.maximum(count - 1, 0) // 2
    return np.where(count > 0, np.take_along_axis(ordered, at[None, :], axis=0)[0], np.nan)


def means(scores: Array) -> Array:
    """The mean of each unit's ratings, NaN where there is none."""
    there = ~np.isnan(scores)
    count = there.sum(axis=0)
    total = np.where(there, scores, 0.0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def others(scores: Array, rater: int) -> Array:
    """The mean of the other raters' scores on each unit, NaN where nobody else scored it."""
    return means(np.delete(scores, rater, axis=0))
