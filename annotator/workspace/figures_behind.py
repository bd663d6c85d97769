"""The items behind a figure: which queue rows, and which of their turns and sessions, a group or a cell stands on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from annotator.report.tables import Ints, Table, UnitKey, middles, ratings
from annotator.store import Store
from annotator.workspace.figures import Held, table_of

if TYPE_CHECKING:
    from annotator.workspace.figures_room import Question


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
    store: Store, held: Held, question: Question, by: Mapping[str, str], cell: tuple[int, int] | None = None
) -> Behind:
    """The units of a group of agreement or calibration; `cell` is (judge's level, people's) of its confusion table.

    Without a cell: what people scored in the group (calibration: what the judge scored too). With one, exactly the
    units that the table counts there: people's level is the lower median of their labels.
    """
    judged = question.subject == "calibration"
    where = {**question.part(), **{name: frozenset({value}) for name, value in by.items()}}
    asked = replace(question.asked(), by=())
    table, _, _ = table_of(store, asked, judged=judged, project=question.project, held=held, where=where)
    units = _judged(table, cell) if judged else np.unique(table.label_unit)
    places = dict.fromkeys(_place(table.units[int(unit)]) for unit in units)
    return Behind(tuple(sorted(places, key=_order)), int(units.size))


def _judged(table: Table, cell: tuple[int, int] | None) -> Ints:
    people = ratings(table)
    if not people.units.size:
        return np.empty(0, dtype=np.int64)
    level = middles(people.scores)
    at = np.minimum(np.searchsorted(people.units, table.judge_unit), people.units.size - 1)
    said = np.where(people.units[at] == table.judge_unit, level[at], np.nan)
    kept = ~np.isnan(said)
    if cell is not None:
        kept &= (table.judge_values == cell[0]) & (said == cell[1])
    found: Ints = np.unique(table.judge_unit[kept])
    return found


def _place(unit: UnitKey) -> tuple[str, str, str]:
    return unit.item_id, unit.responder, unit.target


def _order(place: tuple[str, str, str]) -> tuple[str, str, bool, int]:
    """Turns in their order, the session behind them."""
    item_id, responder, target = place
    session = target == "session"
    return item_id, responder, session, 0 if session else int(target.partition(":")[2])
