"""The spot-checks of a workspace as they are kept: names, drawn units with their weights, and how far a rater is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

from annotator.domain.queue import QueueRow, row_of_drawn
from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.errors import WorldError
from annotator.store import Store
from annotator.workspace.views import SpotState

PREFIX: Final = "project:"
Row = tuple[str, str]


@dataclass(frozen=True)
class SpotRows:
    """What one spot-check drew, by queue row, and whether it shows the judge after the commit."""

    rows: Mapping[Row, frozenset[str]]
    reveal: bool


def projects(store: Store) -> list[str]:
    """The names of all spot-checks, in order of drawing."""
    return list(store.desk.get("projects", []))


def project_of(store: Store, project: str) -> dict[str, Any]:
    """A kept spot-check.

    Raises:
        WorldError: no such project.
    """
    held = store.desk.get(PREFIX + project)
    if held is None:
        known = ", ".join(projects(store)) or "none"
        raise WorldError(f'There is no project "{project}" in this workspace (there is: {known}).')
    return dict(held)


def weights_of(store: Store, project: str) -> dict[tuple[str, str, str], float]:
    """(item id, responder, target) -> weight of what was drawn; what was not drawn is not in it."""
    return {(unit[0], unit[1], unit[2]): float(unit[3]) for unit in project_of(store, project)["units"]}


def drawn_rows(store: Store) -> dict[str, SpotRows]:
    """What every spot-check drew, by its name; a drawn spot-check never changes, so that each is read once."""
    held = _DRAWN.setdefault(store, {})
    for name in projects(store):
        if name not in held:
            told = project_of(store, name)
            if "units" not in told:  # a named draw of another kind
                continue
            rows: dict[Row, set[str]] = {}
            for item_id, responder, target, *_ in told["units"]:
                rows.setdefault((item_id, responder), set()).add(target)
            held[name] = SpotRows({row: frozenset(t) for row, t in rows.items()}, bool(told.get("reveal", True)))
    return held


_DRAWN: Final[WeakKeyDictionary[Store, dict[str, SpotRows]]] = WeakKeyDictionary()


class SpotBook:
    """The spot-check that is worked on, if any, and what it makes of the queue."""

    def __init__(self, store: Store) -> None:
        """None is worked on."""
        self._store = store
        self.project = ""

    def asked(self, item_id: str, responder: str) -> frozenset[str] | None:
        """The targets asked of a row; None where everything is."""
        spot = self._spot()
        return None if spot is None else spot.rows.get((item_id, responder))

    def shown(self, rows: Sequence[QueueRow]) -> list[QueueRow]:
        """The rows of the spot-check that is worked on, each as far as it is drawn; all rows without one."""
        spot = self._spot()
        if spot is None:
            return list(rows)
        return [row_of_drawn(row, spot.rows[row.key]) for row in rows if row.key in spot.rows]

    def as_asked(self, rows: Sequence[QueueRow]) -> list[QueueRow]:
        """Some rows as far as they are asked; those that were not drawn as they are."""
        return [row if (asked := self.asked(*row.key)) is None else row_of_drawn(row, asked) for row in rows]

    def states(self, rows: Iterable[QueueRow]) -> tuple[SpotState, ...]:
        """How far each spot-check is, in order of drawing."""
        spots = drawn_rows(self._store)
        if not spots:
            return ()
        by_key = {row.key: row for row in rows}
        return tuple(
            SpotState(
                name,
                sum(len(targets) for targets in spot.rows.values()),
                sum(_done(by_key.get(key), targets) for key, targets in spot.rows.items()),
            )
            for name, spot in spots.items()
        )

    def _spot(self) -> SpotRows | None:
        return drawn_rows(self._store).get(self.project) if self.project else None


def _done(row: QueueRow | None, targets: Iterable[str]) -> int:
    """How many of the targets are said whole."""
    if row is None:
        return 0
    full = {f"turn:{k}": n == len(TURN_DIMENSIONS) for k, n in enumerate(row.progress)}
    full["session"] = row.session == len(SESSION_DIMENSIONS)
    return sum(full.get(target, False) for target in targets)
