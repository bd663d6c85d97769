"""The hand on the stage: wheel, drag and pointer, turned into zooms and pans of a viewport."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from annotator.ui.loupe import Loupe
from annotator.ui.media_picture import ShownPicture
from annotator.ui.viewport import Viewport

_NOTCH = 120


class Hand(QWidget):
    """What a stage does under the mouse; the stage itself says what it shows and how it is painted."""

    loupe: Loupe
    _picture: ShownPicture | None

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing is held."""
        super().__init__(parent)
        self.viewport = Viewport()
        self._pointer: QPointF | None = None
        self._grip: QPointF | None = None
        self._hand = self._cross = self._moving = False
        self._wheel = 0

    def _changed(self) -> None:
        """The view has changed."""
        raise AssertionError("a stage says what follows from a change")

    def _tell_pixel(self) -> None:
        """The pointer is over another pixel."""
        raise AssertionError("a stage says what is under the pointer")

    def _anchor(self) -> QPointF | None:
        """Where to zoom: the pointer, if it is over the picture."""
        if self._pointer is None or self.viewport.pixel_at(self._pointer) is None:
            return None
        return self._pointer

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl zooms about the pointer, plain and Shift pan."""
        if self._picture is None:
            event.ignore()
            return
        self._pointer = event.position()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._wheel += event.angleDelta().y()
            steps, self._wheel = int(self._wheel / _NOTCH), self._wheel - int(self._wheel / _NOTCH) * _NOTCH
            for _ in range(abs(steps)):
                self.viewport.step(1 if steps > 0 else -1, self._anchor())
        else:
            delta = QPointF(event.pixelDelta()) if not event.pixelDelta().isNull() else QPointF(event.angleDelta()) / 2
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and delta.x() == 0:
                delta = delta.transposed()
            self.viewport.pan(delta.x(), delta.y())
            self._moving = True
        self._changed()
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the picture."""
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._grip = event.position()
            self._show_cursor()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan while held; tell the pixel under the pointer."""
        self._pointer = event.position()
        if self._grip is not None and self._picture is not None:
            move = event.position() - self._grip
            self._grip = event.position()
            if self.viewport.pannable():
                self.viewport.pan(move.x(), move.y())
                self._moving = True
                self._changed()
        self._tell_pixel()
        if self.loupe.isVisible():
            self.loupe.point_at(self._pointer, self.viewport)
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._grip = None
        self._show_cursor()

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer comes in."""
        self._pointer = event.position()
        self._tell_pixel()

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer leaves."""
        self._pointer = None
        self._tell_pixel()

    def _show_cursor(self) -> None:
        if self._grip is not None and self.viewport.pannable():
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self._cross and not self._hand:
            self.setCursor(Qt.CursorShape.CrossCursor)
        elif self._hand or (self._picture is not None and self.viewport.pannable()):
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.unsetCursor()
