"""Reading texts in a scrolled area: paragraphs by our own line advance, marked stretches, scrolling that is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from annotator.ui import fonts, theme
from annotator.ui.fonts import StyleName
from annotator.ui.transcript_layout import TextBlock
from annotator.ui.widgets.base import Live

BAR = 2


@dataclass(frozen=True, slots=True)
class Para:
    """One paragraph: its text, style, weight and colour role; a bar at its left; px of air above it."""

    text: str
    style: StyleName = "read"
    role: str = "text"
    weight: int | None = None
    bar: bool = False
    air: int = 0


class _Laid(NamedTuple):
    para: Para
    x: float
    y: float
    block: TextBlock


class ReadingArea(Live, QAbstractScrollArea):
    """Paragraphs of plain text; nothing in them is markup. A long one is laid out whole once its end is reached.

    Signals:
        scrolled(share): a person scrolled; 0 is the top, 1 the end.
        pressed(): it was clicked.
    """

    scrolled = Signal(float)
    pressed = Signal()

    def __init__(self, margin: tuple[int, int] = (14, 10), parent: QWidget | None = None) -> None:
        """Empty; `margin` px at the sides, and above and below."""
        super().__init__(parent)
        self._margin = margin
        self._paras: tuple[Para, ...] = ()
        self._laid: list[_Laid] = []
        self._spans: tuple[tuple[int, int], ...] = ()
        self._ground = "panel"
        self._whole = False
        self._height, self._laid_width = 0.0, 0
        self._following = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(self._bar_moved)
        self.go_live()

    # --- what is shown ----------------------------------------------------------------------------------------
    def set_paras(self, paras: Sequence[Para]) -> None:
        """Show other paragraphs, from the top."""
        if tuple(paras) != self._paras:
            self._paras, self._spans, self._whole = tuple(paras), (), False
            self._follow(0.0)
            self._lay_out()

    def set_spans(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark stretches of the first paragraph, [start, end) in code points."""
        if tuple(spans) != self._spans:
            self._spans = tuple(spans)
            if spans and not self._whole:
                self._whole = True
                self._lay_out()
            self.viewport().update()

    def spans(self) -> tuple[tuple[int, int], ...]:
        """The marked stretches."""
        return self._spans

    def set_ground(self, role: str) -> None:
        """The colour behind the text."""
        if role != self._ground:
            self._ground = role
            self.viewport().update()

    def text(self) -> str:
        """Everything as one text."""
        return "\n".join(para.text for para in self._paras)

    def content_height(self) -> int:
        """The height of all paragraphs with their margins, px."""
        return round(self._height)

    # --- scrolling --------------------------------------------------------------------------------------------
    def scroll_to(self, share: float) -> None:
        """Follow another area: 0 is the top, 1 the end. Nothing is told."""
        self._follow(share)

    def scroll_by_page(self, by: int) -> None:
        """A page on or back, less two lines."""
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + by * max(40, self.viewport().height() - 2 * fonts.line_height("read")))

    def _follow(self, share: float) -> None:
        self._following = True
        bar = self.verticalScrollBar()
        bar.setValue(round(share * bar.maximum()))
        self._following = False

    def _bar_moved(self, value: int) -> None:
        bar = self.verticalScrollBar()
        if value >= bar.maximum() and not self._whole and any(laid.block.cut for laid in self._laid):
            self._whole = True
            self._lay_out()
        self.viewport().update()
        if not self._following:
            self.scrolled.emit(bar.value() / bar.maximum() if bar.maximum() else 0.0)

    # --- laying out and painting ------------------------------------------------------------------------------
    def _lay_out(self) -> None:
        side, top = self._margin
        self._laid, y = [], float(top)
        for para in self._paras:
            x = side + (fonts.px(10) if para.bar else 0)
            width = max(60, self.viewport().width() - x - side)
            y += para.air
            font = fonts.font(para.style, para.weight)
            block = TextBlock(para.text, font, fonts.line_height(para.style), width, limited=not self._whole)
            self._laid.append(_Laid(para, x, y, block))
            y += block.height
        self._height, self._laid_width = y + top, self.viewport().width()
        self._set_range()
        self.setAccessibleDescription(self.text())
        self.updateGeometry()
        self.viewport().update()

    def _set_range(self) -> None:
        bar = self.verticalScrollBar()
        self._following = True
        bar.setRange(0, max(0, round(self._height - self.viewport().height())))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(fonts.line_height("read"))
        self._following = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other width, other lines."""
        super().resizeEvent(event)
        if self.viewport().width() != self._laid_width:
            self._lay_out()
        else:
            self._set_range()

    def remeasure(self) -> None:
        """Other fonts, other lines."""
        self._lay_out()

    def restyle(self) -> None:
        """Paint again."""
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """As high as its paragraphs."""
        return QSize(200, round(self._height))

    def minimumSizeHint(self) -> QSize:
        """It scrolls."""
        return QSize(60, fonts.px(40))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Tell."""
        self.pressed.emit()
        super().mousePressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, marks, paragraphs."""
        painter = QPainter(self.viewport())
        clip = QRectF(self.viewport().rect())
        painter.fillRect(clip, theme.color(self._ground))
        shift = -self.verticalScrollBar().value()
        for number, laid in enumerate(self._laid):
            y = laid.y + shift
            if y > clip.bottom() or y + laid.block.height < clip.top():
                continue
            if laid.para.bar:
                painter.fillRect(QRectF(laid.x - fonts.px(10), y, BAR, laid.block.height), theme.color("control"))
            for start, end in self._spans if number == 0 else ():
                self._mark(painter, laid, y, start, end)
            painter.setPen(theme.color(laid.para.role))
            laid.block.draw(painter, laid.x, y, clip)

    @staticmethod
    def _mark(painter: QPainter, laid: _Laid, y: float, start: int, end: int) -> None:
        """One neutral mark: it says "different", not "right"."""
        for rect in laid.block.rects(start, end):
            place = rect.translated(laid.x, y)
            painter.fillRect(place.adjusted(0, 1, 0, -1), theme.color("selected"))
            painter.fillRect(QRectF(place.x(), place.bottom() - 3, place.width(), BAR), theme.color("accent"))
