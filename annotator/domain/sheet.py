"""One rater's sheet for one queue row: what is said, what is missing, and what status follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS, dimensions_of

Status = Literal["new", "started", "complete", "returned", "conflict", "stale"]
STATUSES: tuple[Status, ...] = ("new", "started", "complete", "returned", "conflict", "stale")


@dataclass(frozen=True, slots=True)
class Cell:
    """The current value of one field of one target.

    Attributes:
        value: None where nothing is said (or it was withdrawn, or devices disagree).
        conflict: the differing values, where devices of this rater disagree.
        stale: made on an older revision of what it judged; shown as such and kept out of figures.
        at: when it was said (UTC text), for display.
        second: it was said after the reveal of what a judge said; `first` is then what was said blind.
    """

    value: Any
    conflict: tuple[Any, ...] = ()
    stale: bool = False
    at: str = ""
    first: Any = None
    second: bool = False


class Gap(NamedTuple):
    """Something still missing: a dimension of a target, or the verdict (`item`, `verdict`)."""

    target: str
    field: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one rater has said about one dialogue and responder, the candidate's verdict included.

    Attributes:
        item_id, responder, rater, phase: whose sheet it is.
        turns: how many turns the dialogue has.
        cells: by (target, field); candidate fields (verdict, edits) are in it as well.
        asked: the targets that a spot-check drew, where one is worked on; None where everything is asked, the verdict
            too.
        revealed: a judge's scores were shown: what is said from now on stands beside what was said blind.
    """

    item_id: str
    responder: str | None
    rater: str
    phase: str
    turns: int
    cells: Mapping[tuple[str, str], Cell] = field(default_factory=dict)
    asked: frozenset[str] | None = None
    revealed: bool = False

    def cell(self, target: str, name: str) -> Cell:
        """The cell of a field; an empty one where nothing was said."""
        return self.cells.get((target, name), _EMPTY)

    def value(self, target: str, name: str) -> Any:
        """The current value of a field, None where nothing counts."""
        return self.cell(target, name).value

    def done(self, target: str) -> int:
        """How many dimensions of a target have a value that counts."""
        return sum(self._counts(target, d) for d in dimensions_of(target))

    def scores(self, target: str) -> tuple[Any, ...]:
        """The values of a target's dimensions in rubric order (None = missing)."""
        return tuple(self.value(target, d) for d in dimensions_of(target))

    def gaps(self) -> tuple[Gap, ...]:
        """What is missing, in the order of work: turns, session, verdict."""
        targets = [t for t in self.targets() if self.asked is None or t in self.asked]
        found = [Gap(t, d) for t in targets for d in dimensions_of(t) if not self._counts(t, d)]
        if self.asked is None and not self._counts("item", "verdict"):
            found.append(Gap("item", "verdict"))
        return tuple(found)

    def targets(self) -> tuple[str, ...]:
        """Everything that is scored: each turn, then the session."""
        return (*(f"turn:{k}" for k in range(self.turns)), "session")

    def next_gap(self, after: Gap | None = None) -> Gap | None:
        """The first gap behind `after` in the order of work, wrapping round; None where nothing is missing."""
        gaps = self.gaps()
        if not gaps or after is None:
            return gaps[0] if gaps else None
        place = self._place(after)
        return next((g for g in gaps if self._place(g) > place), gaps[0])

    def _place(self, gap: Gap) -> tuple[int, int]:
        targets = (*self.targets(), "item")
        dimensions = dimensions_of(gap.target)
        inner = dimensions.index(gap.field) if gap.field in dimensions else 0
        return (targets.index(gap.target) if gap.target in targets else len(targets), inner)

    def _counts(self, target: str, name: str) -> bool:
        cell = self.cell(target, name)
        return cell.value is not None and not cell.stale

    def with_value(self, target: str, name: str, value: Any) -> Sheet:
        """The sheet after one statement: what was stale or in conflict is settled by it."""
        said = Cell(value)
        if self.revealed:
            held = self.cell(target, name)
            first = held.first if held.second else held.value
            said = Cell(first) if value is None else Cell(value, first=first, second=True)
        return replace(self, cells={**self.cells, (target, name): said})

    def status(self, returned: bool = False) -> Status:
        """The status of the row (see `row_status`)."""
        judged = [c for (t, f), c in self.cells.items() if f in _DIMENSIONS or (t, f) == ("item", "verdict")]
        return row_status(
            any_said=any(c.value is not None for c in judged),
            all_said=not self.gaps(),
            conflict=any(c.conflict for c in judged),
            stale=any(c.stale and c.value is not None for c in judged),
            returned=returned,
        )


_EMPTY = Cell(None)
_DIMENSIONS = frozenset((*TURN_DIMENSIONS, *SESSION_DIMENSIONS))


def row_status(*, any_said: bool, all_said: bool, conflict: bool, stale: bool, returned: bool) -> Status:
    """The one status of a queue row; what needs a person comes first."""
    if conflict:
        return "conflict"
    if stale:
        return "stale"
    if returned:
        return "returned"
    if all_said:
        return "complete"
    return "started" if any_said else "new"


def turn_progress(sheet: Sheet) -> tuple[int, ...]:
    """How many of the eight dimensions each turn has, in turn order."""
    return tuple(sheet.done(f"turn:{k}") for k in range(sheet.turns))


def with_second(
    blind: Mapping[tuple[str, str], Cell], revised: Mapping[tuple[str, str], Cell]
) -> dict[tuple[str, str], Cell]:
    """Blind cells with the second opinions over them; a second opinion that was withdrawn leaves the first."""
    over = {
        key: replace(cell, first=blind.get(key, _EMPTY).value, second=True)
        for key, cell in revised.items()
        if cell.value is not None or cell.conflict
    }
    return {**blind, **over}


def merge_cells(*parts: Iterable[tuple[tuple[str, str], Cell]]) -> dict[tuple[str, str], Cell]:
    """Cells of several origins as one mapping; later parts win."""
    return {key: cell for part in parts for key, cell in part}
