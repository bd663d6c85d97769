"""What every chart shares: marks that can be pointed at, walked by arrows and opened, and one line of exact values."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui import fonts, style, theme
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live

SERIES: Final[dict[str, tuple[str, str]]] = {
    "a": ("series-a", "circle"),
    "b": ("series-b", "triangle"),
    "c": ("series-c", "square"),
    "people": ("text2", "diamond"),
    "judge": ("series-a", "ring"),
    "band": ("control", "band"),
}
"""Series -> colour role and shape: never hue alone."""

_MOVES: Final = {
    Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1), Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0),
}  # fmt: skip
_KEPT: Final = [
    key.value
    for key in (
        *_MOVES,
        Qt.Key.Key_Home,
        Qt.Key.Key_End,
        Qt.Key.Key_Return,
        Qt.Key.Key_Enter,
        Qt.Key.Key_Space,
        Qt.Key.Key_I,
    )
]


@dataclass(frozen=True)
class Hit:
    """One thing in a chart that can be pointed at.

    Attributes:
        key: what `activated` hands out; opens: whether there are items behind it.
        area: where it is; column, row: its place for the arrows.
        text: its exact values in one line, for eyes and screen readers.
    """

    key: Hashable
    area: QRectF
    column: int
    row: int
    text: str
    opens: bool = True


class Chart(Live, QWidget):
    """A painted chart. A subclass says its hits in `make_hits` and paints itself in `paint_chart`.

    Signals:
        activated(key): a mark with items behind it was clicked, or Enter pressed on it.
        pointed(text): the exact values of the mark under the pointer or the arrows; "" where there is none.
        definition_wanted: `I` was pressed.
    """

    activated = Signal(object)
    pointed = Signal(str)
    definition_wanted = Signal()
    RING: Final = 3

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hits: list[Hit] = []
        self._current: Hashable | None = None
        self._hover: Hashable | None = None
        self._title = ""
        self._measured: tuple[int, int] | None = None
        self.points_only = False
        self._content: tuple[object, ...] = ()
        self._size: tuple[QSize, QSize] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setProperty("keepsKeys", _KEPT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    # --- for subclasses -----------------------------------------------------------------------------------------
    def make_hits(self) -> list[Hit]:
        """What can be pointed at, in the reading order, at the present size."""
        return []

    def paint_chart(self, painter: QPainter) -> None:
        """Paint everything but marks of keyboard and pointer."""

    # --- what it is called and tells -----------------------------------------------------------------------------
    def set_title(self, title: str) -> None:
        """What a screen reader calls the chart."""
        self._title = title
        self._tell()

    def shows(self, *content: object) -> bool:
        """Whether this is what is shown already; if not, it is noted, and the caller shows it (see `changed`).

        Each answer that arrives is offered to all charts of a section: one that it does not touch is not painted anew.
        """
        if content == self._content:
            return True
        self._content = content
        return False

    def changed(self) -> None:
        """Values changed: measure and tell anew; the cards around are laid out anew only where the size is another."""
        self._measured = None
        size = (self.sizeHint(), self.minimumSizeHint())
        if size != self._size:
            self._size = size
            self.updateGeometry()
        self.update()
        self._tell()

    def hits(self) -> list[Hit]:
        """The marks at the present size."""
        size = (self.width(), self.height())
        if self._measured != size:
            self._measured = size
            self._hits = self.make_hits()
        return self._hits

    def texts(self) -> list[str]:
        """The exact values of all marks, in reading order."""
        return [hit.text for hit in self.hits()]

    def current(self) -> Hit | None:
        """The mark of the pointer, else of the keyboard."""
        wanted = self._hover if self._hover is not None else self._current if self.hasFocus() else None
        return next((hit for hit in self.hits() if hit.key == wanted), None) if wanted is not None else None

    def _tell(self) -> None:
        now = self.current()
        self.setAccessibleName(f"{self._title}: {now.text}" if now else self._title)
        self.setAccessibleDescription("" if now else "; ".join(self.texts()[:60]))
        if self.hasFocus():
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.NameChanged))
        self.pointed.emit(now.text if now else "")

    # --- hands ---------------------------------------------------------------------------------------------------
    def hit_at(self, point: QPointF) -> Hit | None:
        """What lies under a point; of several the smallest."""
        under = [hit for hit in self.hits() if hit.area.contains(point)]
        return min(under, key=lambda hit: hit.area.width() * hit.area.height()) if under else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell what is under the pointer."""
        self._point_at(self.hit_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went."""
        self._point_at(None)
        super().leaveEvent(event)

    def _point_at(self, hit: Hit | None) -> None:
        key = hit.key if hit else None
        if key != self._hover:
            self._hover = key
            self.setCursor(Qt.CursorShape.PointingHandCursor if hit and hit.opens else Qt.CursorShape.ArrowCursor)
            self.update()
            self._tell()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """The keyboard follows the pointer."""
        hit = self.hit_at(event.position())
        if hit is not None and event.button() == Qt.MouseButton.LeftButton:
            self._current = hit.key
            self.update()
        super().mousePressEvent(event)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open what was clicked."""
        hit = self.hit_at(event.position())
        if hit is not None and hit.opens and hit.key == self._current and event.button() == Qt.MouseButton.LeftButton:
            self.activated.emit(hit.key)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk, Home and End jump, Enter opens."""
        key = Qt.Key(event.key())
        hits = self.hits()
        if key == Qt.Key.Key_I:
            self.definition_wanted.emit()
        elif not hits:
            super().keyPressEvent(event)
        elif key in _MOVES:
            self._walk(*_MOVES[key])
        elif key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._select(hits[0 if key == Qt.Key.Key_Home else -1])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            hit = next((one for one in hits if one.key == self._current), None)
            if hit is not None and hit.opens:
                self.activated.emit(hit.key)
        else:
            super().keyPressEvent(event)

    def _walk(self, across: int, down: int) -> None:
        hits = self.hits()
        now = next((hit for hit in hits if hit.key == self._current), None)
        if now is None:
            self._select(hits[0])
            return
        ahead = [
            hit for hit in hits
            if (hit.column - now.column) * across > 0 or (hit.row - now.row) * down > 0
        ]  # fmt: skip

        def far(hit: Hit) -> tuple[int, int]:
            columns, rows = abs(hit.column - now.column), abs(hit.row - now.row)
            return (columns, rows) if across else (rows, columns)

        same = [hit for hit in ahead if (hit.row == now.row if across else True)]
        if same:
            self._select(min(same, key=far))

    def _select(self, hit: Hit) -> None:
        self._current, self._hover = hit.key, None
        self.update()
        self._tell()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard came: the first mark, if none was chosen."""
        if self._current is None and self.hits():
            self._current = self.hits()[0].key
        super().focusInEvent(event)
        self.update()
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard went."""
        super().focusOutEvent(event)
        self.update()
        self._tell()

    # --- painting ------------------------------------------------------------------------------------------------
    def paintEvent(self, event: QPaintEvent) -> None:
        """The chart, then where pointer and keyboard are."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_ground(painter)
        self.paint_chart(painter)
        if self.hasFocus():
            hit = next((one for one in self.hits() if one.key == self._current), None)
            if hit is not None:
                inner = hit.area.intersected(QRectF(self.rect())).adjusted(3, 3, -3, -3)
                style.draw_focus_ring(painter, inner, 3.0)
        painter.end()

    def paint_ground(self, painter: QPainter) -> None:
        """What lies under the marks: the row or cell that is pointed at."""
        hit = next((one for one in self.hits() if one.key == self._hover), None)
        if hit is not None:
            painter.fillRect(hit.area, theme.color("hover"))

    def minimumSizeHint(self) -> QSize:
        """It may be narrow, never flat."""
        return QSize(min(220, self.sizeHint().width()), self.sizeHint().height())

    def remeasure(self) -> None:
        """Text sizes changed."""
        self._measured = None
        super().remeasure()


def draw_mark(painter: QPainter, x: float, y: float, series: str, hollow: bool = False) -> None:
    """The 9 px mark of a series at (x, y), with a halo of the panel's colour; `hollow`: its interval is not there."""
    role, shape = SERIES[series]
    colour = theme.color(role)
    painter.save()
    painter.setPen(QPen(theme.color("panel"), 1.5))
    painter.setBrush(theme.color("panel") if hollow or shape in ("diamond", "ring") else colour)
    outline = QPen(
        colour, 1.6, Qt.PenStyle.DotLine if hollow and shape not in ("diamond", "ring") else Qt.PenStyle.SolidLine
    )
    if hollow or shape in ("diamond", "ring"):
        painter.setPen(outline)
    size = 4.5
    if shape in ("circle", "ring"):
        painter.drawEllipse(QPointF(x, y), size, size)
    elif shape == "triangle":
        painter.drawPolygon([QPointF(x, y - 5), QPointF(x + 5, y + 4), QPointF(x - 5, y + 4)])
    elif shape == "square":
        painter.drawRect(QRectF(x - 4, y - 4, 8, 8))
    else:
        painter.drawPolygon([QPointF(x, y - 5.5), QPointF(x + 5.5, y), QPointF(x, y + 5.5), QPointF(x - 5.5, y)])
    painter.restore()


def draw_band(painter: QPainter, area: QRectF) -> None:
    """The human ceiling: a sunken band with an edge that can be seen."""
    paint.frame(painter, area, theme.color("sunken"), theme.color("control"), 1.0)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values between two ends, at most `most` of them."""
    span = high - low
    if span <= 0:
        return [low]
    rough = span / max(1, most - 1)
    unit = 10.0 ** math.floor(math.log10(rough))
    steps = [unit * factor for factor in (0.1, 0.2, 0.5, 1, 2, 2.5, 5, 10)]
    step = next(each for each in steps if each >= max(unit, rough) - 1e-12)
    while math.floor(high / step + 1e-9) - math.ceil(low / step - 1e-9) < 1:
        step = max(each for each in steps if each < step - 1e-12)  # one value alone gives no scale
    first = math.ceil(low / step - 1e-9)
    return [round(step * place, 10) for place in range(first, math.floor(high / step + 1e-9) + 1)]


def span_of(values: Sequence[float], low: float | None, high: float | None) -> tuple[float, float]:
    """The ends of an axis: as told, else a little beyond the values; never empty."""
    there = [value for value in values if math.isfinite(value)]
    ends = (min(there), max(there)) if there else (0.0, 1.0)
    room = 0.06 * (ends[1] - ends[0]) or 0.1
    start = low if low is not None else ends[0] - room
    end = high if high is not None else ends[1] + room
    return (start, end) if end > start else (start, start + 1.0)


class Legend(Live, QWidget):
    """Which mark is whose: in the head of a card."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[tuple[str, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.go_live()

    def set_parts(self, *parts: tuple[str, str]) -> None:
        """(series, words) from left to right."""
        self._parts = parts
        self.setAccessibleName(", ".join(words for _, words in parts))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """All parts on one line."""
        font = fonts.font("label")
        width = sum(round(paint.text_width(words, font)) + 38 for _, words in self._parts)
        return QSize(width, fonts.line_height("label") + 2)

    def minimumSizeHint(self) -> QSize:
        """All of it: a mark without its word says nothing."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A line with its mark, then the words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        x, font, middle = 0.0, fonts.font("label"), self.height() / 2
        for series, words in self._parts:
            if series == "band":
                draw_band(painter, QRectF(x + 3, middle - 5, 18, 10))
            else:
                painter.fillRect(QRectF(x + 2, middle - 1, 20, 2), theme.color(SERIES[series][0]))
                draw_mark(painter, x + 12, middle, series)
            width = paint.text_width(words, font)
            paint.draw_text(painter, QRectF(x + 27, 0, width + 2, self.height()), words, font, "text2")
            x += width + 38
        painter.end()
