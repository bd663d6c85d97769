"""What the score grid knows: the sheet it was given, and over it what was said since and has not come back."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Literal

from annotator.domain.rubric import Dimension, dimensions_of
from annotator.domain.sheet import Cell
from annotator.ui.reveal_panel import Beside
from annotator.ui.score_row import RowState
from annotator.ui.transcript_model import tag_name
from annotator.workspace.views import Opinion, ReviewView

Where = Literal["pending", "failed", "saved"]
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Own:
    """A value said here, and where it is on its way to the sheet."""

    value: Any
    where: Where = "pending"


class GridState:
    """The cells of one review row as the person must see them now."""

    def __init__(self) -> None:
        self.view: ReviewView | None = None
        self.target = ""
        self._own: dict[Key, Own] = {}
        self._spoken: set[Key] = set()
        self._waiting: Counter[Key] = Counter()

    def is_same_row(self, view: ReviewView) -> bool:
        """Whether a review is of the row that is shown."""
        return self.view is not None and self.view.row.key == view.row.key

    def take(self, view: ReviewView, target: str) -> None:
        """Show a review; what is saved, so that its sheet holds it or has moved past it, is no longer kept here."""
        if not self.is_same_row(view):
            self._own.clear()
            self._spoken.clear()
            self._waiting.clear()
        self.view, self.target = view, target
        for key, own in list(self._own.items()):
            if own.where == "saved":
                del self._own[key]
                self._waiting.pop(key, None)
            else:  # on its way: the sheet holds it already, what is said of its saving is about the last of it
                cell = view.sheet.cell(*key)
                if cell.value == own.value and not cell.stale and not cell.conflict:
                    self._waiting.pop(key, None)

    @property
    def writable(self) -> bool:
        """Whether labels can be made."""
        return self.view is not None and not self.view.read_only

    def cell(self, field: str, target: str = "") -> Cell:
        """A field as it stands now."""
        key = (target or self.target, field)
        if key in self._own:
            own = self._own[key].value
            seconds = self.view is not None and self.view.sheet.revealed
            return self.view.sheet.with_value(*key, own).cell(*key) if self.view and seconds else Cell(own)
        return Cell(None) if self.view is None else self.view.sheet.cell(*key)

    def say(self, field: str, value: Any) -> None:
        """Take a value that was just said."""
        self._own[(self.target, field)] = Own(value)
        self._spoken.add((self.target, field))
        self._waiting[(self.target, field)] += 1

    def mark(self, target: str, field: str, where: Where) -> bool:
        """Note where a value is on its way to the disk; said twice, it is saved when both are.

        Returns whether anything is shown otherwise than before.
        """
        key = (target, field)
        if where == "saved":
            self._waiting[key] -= 1
            if self._waiting[key] > 0:
                return False
            del self._waiting[key]
        own = self._own.get(key)
        if (own is None and where == "saved") or (own is not None and own.where == where):
            return False
        self._own[key] = Own(self.cell(field, target).value, where)
        return True

    def counts(self, dimension: str) -> bool:
        """Whether a dimension has a value that counts."""
        cell = self.cell(dimension)
        return cell.value is not None and not cell.stale

    def done(self) -> int:
        """How many dimensions of the target count."""
        return sum(self.counts(d) for d in dimensions_of(self.target))

    def complete(self) -> bool:
        """Whether all do."""
        return self.done() == len(dimensions_of(self.target))

    def opinions(self) -> tuple[Opinion, ...]:
        """What judges said of the target, once that is shown."""
        return () if self.view is None else self.view.reveal.opinions.get(self.target, ())

    def judged(self, dimension: str) -> tuple[int | None, ...]:
        """The judges' scores of a dimension, in their order."""
        return tuple(opinion.scores.get(dimension) for opinion in self.opinions())

    def due(self, dimension: str) -> bool:
        """Whether a second opinion is asked for and not said yet."""
        return bool(self.judged(dimension)) and not self.cell(dimension).second

    def beside(self, dimension: Dimension) -> Beside | None:
        """What stands beside a row; None before the reveal."""
        view, opinions = self.view, self.opinions()
        if view is None or not opinions:
            return None
        cell = self.cell(dimension.id)
        return Beside(
            dimension, view.rubric, cell.value, cell.first if cell.second else cell.value, self.due(dimension.id),
            opinions, view.reveal.attributions.get(self.target, ()), self.row(dimension.id).tags, self.writable,
        )  # fmt: skip

    def spot(self) -> str:
        """What a spot-check has to do with the target: `closed`, `off`, `open`, `undrawn`, or ""."""
        if self.view is None or self.view.reveal.state == "none":
            return ""
        reveal, asked = self.view.reveal, self.view.sheet.asked
        if self.target not in reveal.drawn:
            return "" if asked is None else "undrawn"
        if reveal.state == "open":
            return "open" if self.opinions() else ""
        return "off" if reveal.state == "off" else "closed"

    def stale_fields(self) -> tuple[str, ...]:
        """The fields of the target whose value was made on an older text."""
        names = (f"{p}{d}" for d in dimensions_of(self.target) for p in ("", "reason:", "tags:", "span:"))
        cells = ((name, self.cell(name)) for name in names)
        return tuple(name for name, cell in cells if cell.stale and cell.value is not None)

    def row(self, dimension: str) -> RowState:
        """What the row of a dimension shows."""
        view = self.view
        if view is None:
            return RowState()
        reason_field, tags_field = f"reason:{dimension}", f"tags:{dimension}"
        cell, own = self.cell(dimension), self._own.get((self.target, dimension))
        reason = str(self.cell(reason_field).value or "")
        tags = tuple(str(tag) for tag in self.cell(tags_field).value or ())
        draft = view.drafts.get((self.target, reason_field))
        spoken = (self.target, reason_field) in self._spoken
        mine = (self._own.get((self.target, f)) for f in (dimension, reason_field, tags_field))
        return RowState(
            value=cell.value,
            reason=reason,
            tags=tags,
            tag_names=tuple(tag_name(view.rubric, tag) for tag in tags),
            draft=None if draft == reason or spoken else draft,
            pending=own is not None and own.where == "pending",
            failed=any(o is not None and o.where == "failed" for o in mine),
            conflict=cell.conflict,
            stale=cell.stale,
            read_only=view.read_only,
            judged=self.judged(dimension),
            due=self.due(dimension),
            first=cell.first if cell.second and cell.first != cell.value else None,
        )
