"""The spot-checks of a workspace as they are kept: names, drawn units with their weights, and how far a rater is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

from annotator.domain.base import content_hash
from annotator.domain.queue import QueueRow, row_of_drawn
from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.errors import WorldError
from annotator.store import Store
from annotator.store.spots import DIGESTS, PREFIX, open_part
from annotator.workspace.views import SpotState

Row = tuple[str, str]


@dataclass(frozen=True)
class SpotRows:
    """What one spot-check drew, by queue row, and whether it shows the judge after the commit."""

    rows: Mapping[Row, frozenset[str]]
    reveal: bool
    digest: str = ""


def projects(store: Store) -> list[str]:
    """The names of all spot-checks, in order of drawing."""
    return list(store.desk.get("projects", []))


def project_of(store: Store, project: str) -> dict[str, Any]:
    """What of a kept spot-check tells nothing of judges: how it was drawn, and its units without their weights.

    Raises:
        WorldError: no such project.
    """
    held = store.desk.get(PREFIX + project)
    if held is None:
        known = ", ".join(projects(store)) or "none"
        raise WorldError(f'There is no project "{project}" in this workspace (there is: {known}).')
    return dict(held)


def whole_of(store: Store, project: str) -> dict[str, Any]:
    """A kept spot-check with its strata and weights.

    Raises:
        WorldError: no such project; or `blind`, on a connection that may not know what judges said.
    """
    held = project_of(store, project)
    return {**held, **(store.spots.body(str(held.get("digest", ""))) or {})}


def keep_draw(store: Store, body: Mapping[str, Any]) -> dict[str, str]:
    """Keep a draw under its name; returns the names of all draws of that name, by digest, where it is new.

    Draws are told apart by their content. Of several that were given one name (on devices that did not know of each
    other) the one with the smallest digest bears it and the others carry a part of theirs behind it, so that the names
    are equal on every device, in whatever order they came.
    """
    digest, name = content_hash(body), str(body["project"])
    digests = {**store.desk.get(DIGESTS, {})}
    if digest in digests.values():
        return {}
    parts = {held: project_of(store, own) for own, held in digests.items()}
    rivals = {held: part for held, part in parts.items() if part["project"] == name} | {digest: open_part(body, digest)}
    first = min(rivals)
    named = {held: name if held == first else f"{name}~{held[:6]}" for held in sorted(rivals)}
    facts: dict[str, Any] = {PREFIX + named[held]: part for held, part in rivals.items()}
    facts[DIGESTS] = digests | {own: held for held, own in named.items()}
    facts["projects"] = list(dict.fromkeys([*projects(store), *named.values()]))
    store.spots.keep(digest, body, facts)
    return named


def weights_of(store: Store, project: str) -> dict[tuple[str, str, str], float]:
    """(item id, responder, target) -> weight of what was drawn; what was not drawn is not in it."""
    return {(unit[0], unit[1], unit[2]): float(unit[3]) for unit in whole_of(store, project)["units"]}


def drawn_rows(store: Store) -> dict[str, SpotRows]:
    """What every spot-check drew, by its name; a draw never changes, so that each is read once."""
    held, digests = _DRAWN.setdefault(store, {}), store.desk.get(DIGESTS, {})
    for name in projects(store):
        if name not in held or held[name].digest != digests.get(name, ""):
            told = project_of(store, name)
            if "units" not in told:  # a named draw of another kind
                continue
            rows: dict[Row, set[str]] = {}
            for item_id, responder, target, *_ in told["units"]:
                rows.setdefault((item_id, responder), set()).add(target)
            drawn = {row: frozenset(targets) for row, targets in rows.items()}
            held[name] = SpotRows(drawn, bool(told.get("reveal", True)), digests.get(name, ""))
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
