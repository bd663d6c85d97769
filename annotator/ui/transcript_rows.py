"""Where everything of one transcript row stands: texts, head, links. Geometry only; the delegate paints it.

Rows are laid out once per content and width and kept; text blocks are shared between rows and states.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any, Literal

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from annotator.ui import density, fonts, i18n
from annotator.ui.fonts import StyleName
from annotator.ui.i18n import tr
from annotator.ui.transcript_layout import TextBlock
from annotator.ui.transcript_model import Entry, Part, PartName
from annotator.ui.widgets import paint

HeadKind = Literal["text", "spark", "warning", "stale", "link", "category", "fold"]
LEFT, RIGHT, TOP = 44, 14, 6
HEAD, GAP = 18, 8
_BLOCKS_KEPT = 240


@dataclass(frozen=True, slots=True)
class TextItem:
    """A text block at a place in the row; `bar` is the line at the left of a reference."""

    part: Part
    x: float
    y: float
    block: TextBlock
    role: str
    bar: bool = False

    def rect(self) -> QRectF:
        """Its area in the row."""
        return QRectF(self.x, self.y, self.block.width, self.block.height)

    def position_at(self, at: QPointF) -> int:
        """The code point of the text nearest to a point of the row."""
        return self.block.position_at(at.x() - self.x, at.y() - self.y)


@dataclass(frozen=True, slots=True)
class LineItem:
    """One line of text in the row, elided to its rectangle; `key` is an action whose keycap stands behind it."""

    rect: QRectF
    text: str
    style: StyleName
    weight: int
    role: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class HeadItem:
    """One piece of a row's head; `value` is a text, or the scores of a spark."""

    kind: HeadKind
    rect: QRectF
    value: Any


@dataclass(slots=True)
class RowLayout:
    """A row's pieces in the row's own coordinates, and the places that do something when clicked."""

    height: float = 0.0
    texts: list[TextItem] = field(default_factory=list)
    lines: list[LineItem] = field(default_factory=list)
    head: list[HeadItem] = field(default_factory=list)
    hits: list[tuple[str, QRectF]] = field(default_factory=list)
    tools: QRectF = field(default_factory=QRectF)

    def hit(self, at: QPointF) -> str:
        """The name of the link under a point, else ""."""
        return next((name for name, rect in self.hits if rect.contains(at)), "")

    def text_at(self, at: QPointF) -> TextItem | None:
        """The text of the data under a point; a statement of ours is not selectable."""
        return next((t for t in self.texts if t.part.kind == "text" and t.rect().contains(at)), None)

    def text(self, name: PartName) -> TextItem | None:
        """The block of a part, where it is laid out."""
        return next((t for t in self.texts if t.part.name == name), None)


@dataclass(frozen=True, slots=True)
class RowOptions:
    """What a row shows beyond its entry: the reference, which parts whole, and whether a past turn is opened."""

    reference: bool = True
    whole: frozenset[PartName] = frozenset()
    expanded: bool = False


class RowMaker:
    """Lays out rows and keeps text blocks by (text, style, weight, width), least recently used first to go."""

    def __init__(self) -> None:
        self._blocks: OrderedDict[tuple[Any, ...], TextBlock] = OrderedDict()

    def block(self, text: str, style: StyleName, weight: int, advance: int, width: float, limited: bool) -> TextBlock:
        """A text block, from the cache where it was made before."""
        key = (text, style, weight, advance, round(width), limited, density.current(), density.text_scale())
        found = self._blocks.get(key)
        if found is None:
            found = self._blocks[key] = TextBlock(text, fonts.font(style, weight), advance, width, limited)
            while len(self._blocks) > _BLOCKS_KEPT:
                self._blocks.popitem(last=False)
        self._blocks.move_to_end(key)
        return found

    def row(self, entry: Entry, width: float, options: RowOptions) -> RowLayout:
        """Lay out one row of `width` px."""
        made = RowLayout()
        if entry.state == "future":
            made.height = density.metrics().future_turn
            return made
        left, inner = fonts.px(LEFT), max(60.0, width - fonts.px(LEFT) - fonts.px(RIGHT))
        made.height = fonts.px(TOP)
        self._head(made, entry, left, inner, options)
        if entry.state == "past" and not options.expanded and not density.metrics().past_turn_reference:
            self._folded(made, entry, left, inner)
        else:
            self._whole(made, entry, left, inner, options)
        made.height = round(made.height + fonts.px(10 if entry.state == "current" else TOP))
        return made

    def _head(self, made: RowLayout, entry: Entry, left: float, inner: float, options: RowOptions) -> None:
        height, right = fonts.px(HEAD), left + inner
        x = left
        if entry.state == "past" and not density.metrics().past_turn_reference:
            rect = QRectF(right - 16, made.height, 16, height)
            made.head.append(HeadItem("fold", rect, "chevron-up" if options.expanded else "chevron-down"))
            made.hits.append(("fold", rect.adjusted(-6, -4, 6, 4)))
            right -= 16 + fonts.px(GAP)
        for kind, value, wide in self._head_pieces(entry):
            room = right - x
            if room < fonts.px(24):
                break
            rect = QRectF(x, made.height, min(wide, room), height)
            made.head.append(HeadItem(kind, rect, value))
            if kind == "link":
                made.hits.append(("play", rect.adjusted(-3, -3, 3, 3)))
            x += rect.width() + fonts.px(GAP)
        if entry.state == "current" and entry.category and right - x > fonts.px(60):
            made.head.append(HeadItem("category", QRectF(x, made.height, right - x, height), entry.category))
        made.height += height

    @staticmethod
    def _head_pieces(entry: Entry) -> list[tuple[HeadKind, Any, float]]:
        meta, label = QFontMetricsF(fonts.font("meta", tabular=True)), QFontMetricsF(fonts.font("label"))
        icon = 13 + fonts.px(4)
        pieces: list[tuple[HeadKind, Any, float]] = []
        if entry.place:
            pieces.append(("text", entry.place, min(fonts.px(240), meta.horizontalAdvance(entry.place) + 1)))
        if entry.state == "current" and entry.spoken:
            pieces.append(("text", entry.spoken, meta.horizontalAdvance(entry.spoken) + 1))
        if entry.state != "past" and entry.audio:
            play = tr("transcript.play")
            pieces.append(("link", play, icon + meta.horizontalAdvance(play) + 1))
        if entry.scores:
            pieces.append(("spark", entry.scores, paint.spark_width(len(entry.scores))))
        if entry.stale:
            stale = tr("transcript.stale")
            pieces.append(("stale", stale, icon + label.horizontalAdvance(stale) + 1))
        if entry.warning and entry.state != "current":
            pieces.append(("warning", entry.warning, icon + label.horizontalAdvance(entry.warning) + 1))
        return pieces

    @staticmethod
    def _folded(made: RowLayout, entry: Entry, left: float, inner: float) -> None:
        line = fonts.px(20)
        shown = ("question",) if density.metrics().past_turn_one_line else ("question", "answer")
        for part in entry.parts:
            if part.name in shown:
                rect = QRectF(left, made.height, inner, line)
                made.lines.append(LineItem(rect, one_line(part.text), "body", 400, _role(part, "past")))
                made.height += line

    def _whole(self, made: RowLayout, entry: Entry, left: float, inner: float, options: RowOptions) -> None:
        current = entry.state == "current"
        has_reference = any(part.name == "reference" for part in entry.parts)
        style: StyleName = "read" if current else "body"
        advance = fonts.line_height("read") if current else fonts.px(20)
        for part in entry.parts:
            if part.name == "reference":
                self._reference(made, entry, part, left, inner, options)
                continue
            if part.name == "earlier":
                self._label(made, tr("transcript.earlier"), left, inner)
                made.tools = QRectF()
            if current and part.name == "answer":
                self._label(
                    made,
                    tr("transcript.model_answer") if has_reference else tr("transcript.reference"),
                    left,
                    inner,
                )
            weight = 600 if current and part.name == "question" and part.kind == "text" else 400
            self._text(made, part, left, inner, style, weight, advance, _role(part, entry.state), options)

    def _reference(
        self, made: RowLayout, entry: Entry, part: Part, left: float, inner: float, options: RowOptions
    ) -> None:
        current = entry.state == "current"
        if current:
            self._label(made, tr("transcript.reference"), left, inner, key="reference")
            shown = "" if options.reference else tr("transcript.reference_hidden")
            if shown:
                label = made.lines[-1]
                wide = label.rect.width() + fonts.px(26)
                rect = QRectF(left + wide, label.rect.y(), max(0.0, inner - wide), label.rect.height())
                made.lines.append(LineItem(rect, shown, "meta", 400, "text3"))
            made.hits.append(("reference", QRectF(left, made.lines[-1].rect.y(), inner, fonts.px(16))))
        if not options.reference:
            return
        made.height += fonts.px(2)
        indent = fonts.px(12)
        advance = max(fonts.px(20), fonts.line_height("read") - fonts.px(2)) if current else fonts.px(20)
        self._text(
            made, part, left + indent, inner - indent, "body", 400, advance, _role(part, "past"), options, bar=True
        )

    @staticmethod
    def _label(made: RowLayout, text: str, left: float, inner: float, key: str = "") -> None:
        made.height += fonts.px(5)
        wide = min(inner, QFontMetricsF(fonts.font("meta", 600)).horizontalAdvance(text) + 2)
        made.lines.append(LineItem(QRectF(left, made.height, wide, fonts.px(16)), text, "meta", 600, "text3", key))
        if not key:
            start = left + wide + fonts.px(GAP)
            made.tools = QRectF(start, made.height, max(0.0, left + inner - start), fonts.px(16))
        made.height += fonts.px(16)

    def _text(
        self, made: RowLayout, part: Part, x: float, width: float, style: StyleName, weight: int, advance: int,
        role: str, options: RowOptions, bar: bool = False,
    ) -> None:  # fmt: skip
        block = self.block(part.text, style, weight, advance, width, part.name not in options.whole)
        made.texts.append(TextItem(part, x, made.height, block, role, bar))
        made.height += block.height
        if block.cut:
            text = tr("transcript.show_all", count=i18n.count(len(part.text)))
            wide = QFontMetricsF(fonts.font("label", 500)).horizontalAdvance(text) + 2
            rect = QRectF(x, made.height, min(width, wide), fonts.px(20))
            made.lines.append(LineItem(rect, text, "label", 500, "accent-text"))
            made.hits.append((f"whole:{part.name}", rect))
            made.height += fonts.px(20)


def _role(part: Part, state: str) -> str:
    if part.kind == "error":
        return "error"
    if part.kind == "absent":
        return "text3"
    if part.name == "earlier":
        return "text3"
    if state == "current":
        return "text"
    return "text" if part.name == "answer" else "text2"


def one_line(text: str) -> str:
    """The beginning of a text as one line, enough to be elided."""
    return " ".join(text[:400].split())
