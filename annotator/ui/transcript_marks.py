"""Marked stretches of answers, and the selection they are made from. Positions are code points of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from annotator.domain.rubric import dimensions_of
from annotator.ui import fonts, keys
from annotator.ui.i18n import tr
from annotator.ui.transcript_model import PartName, tag_name
from annotator.workspace.views import ReviewView

Span = list[Any]


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked stretch of an answer; `current` where it belongs to the dimension that is scored now."""

    start: int
    end: int
    tag: str
    dimension: str
    current: bool = True


@dataclass(frozen=True, slots=True)
class Selection:
    """A selected stretch of one text, from `anchor` to `head` in either order."""

    turn: int
    part: PartName
    anchor: int
    head: int

    @property
    def span(self) -> tuple[int, int]:
        """Start and end, start first."""
        return (min(self.anchor, self.head), max(self.anchor, self.head))

    @property
    def empty(self) -> bool:
        """Whether nothing is selected."""
        return self.anchor == self.head


@dataclass(frozen=True, slots=True)
class Tool:
    """A link beside the answer's label: what it does ("" = it only says), where, its words, role and keycap."""

    name: str
    rect: QRectF
    text: str
    role: str
    key: str = ""


class Marks:
    """The marks of one review: what the sheet holds, and over it what was just said and has not come back yet."""

    def __init__(self) -> None:
        self.dimension = ""
        self._view: ReviewView | None = None
        self._said: dict[tuple[str, str], list[Span]] = {}

    def set_view(self, view: ReviewView) -> bool:
        """Take a review; what the sheet now says itself is forgotten, and everything with another row.

        Returns whether other marks are shown than before.
        """
        before = self.shown()
        if self._view is None or self._view.row.key != view.row.key:
            self._said.clear()
        self._said = {key: v for key, v in self._said.items() if view.sheet.value(*key) != v}
        self._view = view
        return self.shown() != before

    def shown(self) -> dict[tuple[str, str], Any]:
        """Every mark by its target and field."""
        cells = {} if self._view is None else self._view.sheet.cells
        held = {key: cell.value for key, cell in cells.items() if key[1].startswith("span:") and cell.value}
        return held | self._said

    def field(self, turn: int) -> str:
        """The field that new marks of a turn go to; "" where the current dimension is none of a turn's."""
        return f"span:{self.dimension}" if self.dimension in dimensions_of(f"turn:{turn}") else ""

    def spans(self, turn: int, dimension: str) -> Sequence[Any]:
        """The span list of one dimension as it stands now."""
        key = (f"turn:{turn}", f"span:{dimension}")
        if key in self._said:
            return self._said[key]
        return () if self._view is None else self._view.sheet.value(*key) or ()

    def of(self, turn: int, length: int) -> tuple[Mark, ...]:
        """The marks on an answer of `length` code points; those of the current dimension come last, on top."""
        found: list[Mark] = []
        for dimension in dimensions_of(f"turn:{turn}"):
            for start, end, tag in self.spans(turn, dimension):
                if isinstance(start, int) and isinstance(end, int) and 0 <= start < min(end, length):
                    found.append(Mark(start, min(end, length), str(tag), dimension, dimension == self.dimension))
        return tuple(sorted(found, key=lambda m: m.current))

    def touched(self, selection: Selection, length: int) -> list[Mark]:
        """The current dimension's marks that a selection overlaps."""
        start, end = selection.span
        return [m for m in self.of(selection.turn, length) if m.current and m.start < end and start < m.end]

    def add(self, selection: Selection, tag: str) -> list[Span]:
        """The span list with one more mark, in the order of the text."""
        new = [*selection.span, tag]
        old = [list(s) for s in self.spans(selection.turn, self.dimension) if list(s) != new]
        return self._say(selection.turn, sorted([*old, new], key=lambda s: (s[0], s[1], s[2])))

    def remove(self, selection: Selection, length: int) -> list[Span]:
        """The span list without the marks that the selection overlaps."""
        gone = [[m.start, m.end, m.tag] for m in self.touched(selection, length)]
        left = [list(s) for s in self.spans(selection.turn, self.dimension) if list(s) not in gone]
        return self._say(selection.turn, left)

    def _say(self, turn: int, spans: list[Span]) -> list[Span]:
        self._said[(f"turn:{turn}", self.field(turn))] = spans
        return [list(s) for s in spans]

    def tools(self, selection: Selection, length: int, room: QRectF) -> list[Tool]:
        """The links for a selected stretch, laid out from the left of `room`."""
        touched = self.touched(selection, length)
        if touched and self._view is not None:
            name = tag_name(self._view.rubric, touched[0].tag)
            wanted = [("", name, "warn", ""), ("unmark", tr("transcript.unmark"), "accent-text", "")]
        else:
            wanted = [("mark", tr("transcript.mark"), "accent-text", keys.label("tags"))]
        made: list[Tool] = []
        x, metrics = room.x(), QFontMetricsF(fonts.font("meta", 500))
        for name, text, role, key in wanted:
            rect = QRectF(x, room.y(), metrics.horizontalAdvance(text) + 2, room.height())
            made.append(Tool(name, rect, text, role, key))
            x = rect.right() + fonts.px(12)
        return made
