"""The items behind a figure: which queue rows, and which of their turns and sessions, a group or a cell stands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from annotator.report.tables import Ints, Table, UnitKey, middles, ratings
from annotator.store import Store
from annotator.workspace.figures import Held, table_of

if TYPE_CHECKING:
    from annotator.workspace.figures_room import Question


Cell = tuple[int | None, int | None]
"""The judge's level and people's; None is any."""


@dataclass(frozen=True)
class Behind:
    """What a figure stands on, in the order of items.

    Attributes:
        places: (item id, responder, target) of each turn and session, once each.
        units: how many scores of one dimension these are.
    """

    places: tuple[tuple[str, str, str], ...]
    units: int

    @property
    def keys(self) -> frozenset[tuple[str, str]]:
        """The queue rows."""
        return frozenset((item_id, responder) for item_id, responder, _ in self.places)


def behind_figures(
    store: Store, held: Held, question: Question, by: Mapping[str, str], cell: Cell | None = None
) -> Behind:
    """The units of a group of agreement or calibration; `cell` is (judge's level, people's) of its confusion table.

    Without a cell: what people scored in the group (calibration: what the judge scored too). With one, exactly the
    units that the table counts there: people's level is the lower median of their labels; None is any level.
    """
    table = _table(store, held, question, by)
    units = _judged(table, cell) if question.subject == "calibration" else np.unique(table.label_unit)
    return _behind(table, units)


def behind_both(store: Store, held: Held, question: Question, judges: Sequence[str]) -> Behind:
    """What people and each of these judges scored."""
    tables = [_table(store, held, question, {"judge": judge}) for judge in judges]
    units = _judged(tables[0], None)
    for table in tables[1:]:
        units = np.intersect1d(units, _judged(table, None))
    return _behind(tables[0], units)


def behind_raters(store: Store, held: Held, question: Question, raters: Sequence[str]) -> Behind:
    """What each of these raters scored."""
    table = _table(store, held, question, {})
    codes = [table.raters.index(rater) for rater in raters if rater in table.raters]
    units = [np.unique(table.label_unit[table.label_rater == code]) for code in codes]
    shared: Ints = units[0] if units else np.empty(0, dtype=np.int64)
    for more in units[1:]:
        shared = np.intersect1d(shared, more)
    return _behind(table, shared)


def unlabelled(store: Store, held: Held, question: Question, by: Mapping[str, str]) -> Behind:
    """What the judge scored in a group and no person did."""
    table = _table(store, held, question, by)
    return _behind(table, np.setdiff1d(table.judge_unit, table.label_unit))


def _table(store: Store, held: Held, question: Question, by: Mapping[str, str]) -> Table:
    where = {**question.part(), **{name: frozenset({value}) for name, value in by.items()}}
    asked = replace(question.asked(), by=())
    judged = question.subject == "calibration"
    return table_of(store, asked, judged=judged, project=question.project, held=held, where=where)[0]


def _behind(table: Table, units: Ints) -> Behind:
    places = dict.fromkeys(_place(table.units[int(unit)]) for unit in units)
    return Behind(tuple(sorted(places, key=_order)), int(units.size))


def _judged(table: Table, cell: Cell | None) -> Ints:
    people = ratings(table)
    if not people.units.size:
        return np.empty(0, dtype=np.int64)
    level = middles(people.scores)
    at = np.minimum(np.searchsorted(people.units, table.judge_unit), people.units.size - 1)
    said = np.where(people.units[at] == table.judge_unit, level[at], np.nan)
    kept = ~np.isnan(said)
    for wanted, values in zip(cell or (None, None), (table.judge_values, said), strict=True):
        if wanted is not None:
            kept &= values == wanted
    found: Ints = np.unique(table.judge_unit[kept])
    return found


def _place(unit: UnitKey) -> tuple[str, str, str]:
    return unit.item_id, unit.responder, unit.target


def _order(place: tuple[str, str, str]) -> tuple[str, str, bool, int]:
    """Turns in their order, the session behind them."""
    item_id, responder, target = place
    session = target == "session"
    return item_id, responder, session, 0 if session else int(target.partition(":")[2])
