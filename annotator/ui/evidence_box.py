"""Drawing a rectangle on the picture: in its own pixels, whatever the zoom, with its size and share beside it."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen

from annotator.ui import fonts, theme
from annotator.ui.i18n import tr
from annotator.ui.mediaview import MediaView
from annotator.ui.widgets import paint

_GRIP_PX = 9
_LEAST_PX = 3


def share_of(box: QRect, full: QSize) -> float:
    """The share of a picture that a rectangle covers, 0 to 1."""
    area = full.width() * full.height()
    return box.width() * box.height() / area if area else 0.0


def share_text(share: float) -> str:
    """A share as percent, fine enough for a small sign in a large picture."""
    percent = share * 100
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.1f} %" if percent >= 1 else f"{percent:.2g} %"


class BoxTool(QObject):
    """Watches the stage's mouse while it is armed (or Shift is held) and keeps one rectangle.

    Signals:
        drawn(QRect): a rectangle was drawn while armed.
        changed(): armed, disarmed, drawn or cleared.
    """

    drawn = Signal(QRect)
    changed = Signal()

    def __init__(self, view: MediaView) -> None:
        """Nothing drawn."""
        super().__init__(view)
        self._view = view
        self.armed = False
        self._rect = QRect()
        self._anchor: QPointF | None = None
        self._pressed_at = QPointF()
        view.installEventFilter(self)
        view.overlays.append(self.paint)

    @property
    def rect(self) -> QRect:
        """The rectangle in picture pixels; empty where none is drawn."""
        return QRect(self._rect)

    def arm(self, on: bool) -> None:
        """The next drag draws."""
        if on != self.armed:
            self.armed = on
            self._view.set_cross(on)
            self.changed.emit()

    def clear(self) -> None:
        """Forget the rectangle."""
        self._anchor = None
        if not self._rect.isEmpty():
            self._rect = QRect()
            self._view.update()
            self.changed.emit()

    def show_rect(self, rect: QRect) -> None:
        """Show a rectangle that was drawn earlier."""
        self._rect = QRect(rect)
        self._view.update()
        self.changed.emit()

    # --------------------------------------------------------------------------------------------------------- drawing
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the drags that draw."""
        kinds: dict[QEvent.Type, Callable[[QMouseEvent], bool]] = {
            QEvent.Type.MouseButtonPress: self._press,
            QEvent.Type.MouseMove: self._move,
            QEvent.Type.MouseButtonRelease: self._release,
        }
        handler = kinds.get(event.type())
        return handler(event) if handler is not None and isinstance(event, QMouseEvent) else False

    def _press(self, event: QMouseEvent) -> bool:
        if event.button() is not Qt.MouseButton.LeftButton or self._view.picture is None:
            return False
        corner = self._opposite(event.position())
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if corner is None and not self.armed and not shifted:
            return False
        self._pressed_at = event.position()
        self._anchor = corner if corner is not None else self._inside(event.position())
        return True

    def _move(self, event: QMouseEvent) -> bool:
        if self._anchor is None:
            return False
        far = (event.position() - self._pressed_at).manhattanLength() >= _LEAST_PX
        if far:
            self._rect = self._between(self._anchor, self._inside(event.position()))
            self._view.update()
        # The view still tells the pixel under the pointer.
        return False

    def _release(self, event: QMouseEvent) -> bool:
        if self._anchor is None:
            return False
        far = (event.position() - self._pressed_at).manhattanLength() >= _LEAST_PX
        self._anchor = None
        if far and not self._rect.isEmpty():
            if self.armed:
                self.drawn.emit(self._rect)
            self.changed.emit()
        return True

    def _inside(self, at: QPointF) -> QPointF:
        place, size = self._view.viewport.to_picture(at), self._view.viewport.picture
        return QPointF(min(max(place.x(), 0.0), size.width()), min(max(place.y(), 0.0), size.height()))

    def _between(self, a: QPointF, b: QPointF) -> QRect:
        """The whole pixels that two corners touch, inside the picture."""
        size = self._view.viewport.picture.toSize()
        left, right = sorted((a.x(), b.x()))
        top, bottom = sorted((a.y(), b.y()))
        x, y = min(math.floor(left), size.width() - 1), min(math.floor(top), size.height() - 1)
        return QRect(x, y, max(1, math.ceil(right) - x), max(1, math.ceil(bottom) - y))

    def _opposite(self, at: QPointF) -> QPointF | None:
        """The corner that stays when the one under the pointer is dragged."""
        if self._rect.isEmpty():
            return None
        left, top = self._rect.left(), self._rect.top()
        right, bottom = left + self._rect.width(), top + self._rect.height()
        for x, y in ((left, top), (right, top), (left, bottom), (right, bottom)):
            away = self._view.viewport.to_view(QPointF(x, y)) - at
            if max(abs(away.x()), abs(away.y())) <= _GRIP_PX:
                return QPointF(left + right - x, top + bottom - y)
        return None

    # -------------------------------------------------------------------------------------------------------- painting
    def paint(self, painter: QPainter) -> None:
        """The frame with a white inner line, its corners, its share and size."""
        if self._rect.isEmpty() or self._view.picture is None:
            return
        box = self._view.viewport.transform().mapRect(QRectF(self._rect))
        painter.save()
        paint_box(painter, box)
        for corner in (box.topLeft(), box.topRight(), box.bottomLeft(), box.bottomRight()):
            grip = QRectF(corner.x() - 4, corner.y() - 4, 8, 8)
            painter.fillRect(grip, theme.color("accent"))
            painter.fillRect(grip.adjusted(2, 2, -2, -2), QColor(Qt.GlobalColor.white))
        self._paint_chip(painter, box)
        painter.restore()

    def _paint_chip(self, painter: QPainter, box: QRectF) -> None:
        percent = share_text(share_of(self._rect, self._view.viewport.picture.toSize()))
        text = tr("evidence.share_size", share=percent, width=self._rect.width(), height=self._rect.height())
        font = fonts.font("label", 600, tabular=True)
        width, height = paint.text_width(text, font) + 14, fonts.line_height("label") + 4
        top = box.top() - height - 5
        if top < 2:
            top = min(box.bottom() + 5, self._view.height() - height - 2)
        left = min(max(2.0, box.left() - 2), self._view.width() - width - 2)
        chip = QRectF(left, top, width, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent"))
        painter.drawRoundedRect(chip, 3, 3)
        paint.draw_text(painter, chip, text, font, "on-accent", paint.CENTER)


def paint_box(painter: QPainter, box: QRectF) -> None:
    """A rectangle that holds on any picture: the accent, and white inside it."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("accent"), 2))
    painter.drawRect(box.adjusted(-1, -1, 1, 1))
    painter.setPen(QPen(QColor(Qt.GlobalColor.white), 2))
    painter.drawRect(box.adjusted(1, 1, -1, -1))
