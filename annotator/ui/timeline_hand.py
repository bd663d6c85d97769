"""The hand on the evidence strip: clicks, drags, wheel and keys, turned into places; and where those places are."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QPointF, QRectF, Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from annotator.ui import density
from annotator.ui.timeline_model import ZOOM_MAX, Axis, PinMark, Scene
from annotator.ui.timeline_paint import LABELS_PX, Lanes
from annotator.ui.timeline_pins import pin_boxes

_NOTCH = 120.0
KEYS = {
    Qt.Key.Key_Left: ("frame_back", "second_back"),
    Qt.Key.Key_Right: ("frame_forward", "second_forward"),
    Qt.Key.Key_Home: ("segment_start", "segment_start"),
    Qt.Key.Key_End: ("segment_end", "segment_end"),
}


class TimelineHand(QWidget):
    """What the strip does under mouse and keyboard; the strip itself says what it shows."""

    turn_clicked = Signal(int)
    seek = Signal(int, object)
    scrub = Signal(int, object)
    refused = Signal(int, object)
    action = Signal(str)
    thumbs_wanted = Signal(object)
    pin_clicked = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing is shown."""
        super().__init__(parent)
        self._scene: Scene | None = None
        self._axis: Axis | None = None
        self._zoom = 1.0
        self._offset = 0.0
        self._wheel = 0.0
        self._dragging = self._moved = False

    def _renew(self) -> None:
        """What is shown lies elsewhere now."""
        raise AssertionError("a strip says how it is painted")

    def turn_at(self, x: float) -> int | None:
        """The turn under a pixel of the widget; None beside all turns."""
        if self._axis is None or not self._area().left() <= x < self._area().right():
            return None
        return self._axis.turn_at(x - self._area().left() + self._offset)

    def x_of(self, stop: int, at: Fraction) -> float | None:
        """Where an instant lies in the widget."""
        if self._axis is None:
            return None
        x = (
            self._axis.x_of(stop, at)
            if self._scene is not None and self._scene.is_video
            else self._axis.span_of(stop)[0]
        )
        return self._area().left() - self._offset + x

    def _area(self) -> QRectF:
        labels = self._scene is None or self._scene.is_video
        left = density.scaled(LABELS_PX) if labels else 0
        return QRectF(left, 1, max(1, self.width() - left), self.height() - 1)

    def _clamped(self, offset: float) -> float:
        most = (self._axis.width if self._axis is not None else 0) - self._area().width()
        return max(0.0, min(offset, most))

    def _playhead_x(self) -> float | None:
        scene = self._scene
        if scene is None or scene.playhead is None or not scene.is_video:
            return None
        stop, at = scene.playhead
        return self.x_of(stop, at) if stop < len(scene.strip.stops) else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A turn's block opens the turn; ruler and frames go to the instant."""
        if event.button() is not Qt.MouseButton.LeftButton or self._scene is None:
            return
        x, y = event.position().x(), event.position().y()
        pin = self._pin_at(event.position())
        if pin is not None:
            self.pin_clicked.emit(pin.target, pin.field)
            return
        lanes = Lanes.now()
        if not self._scene.is_video or y >= lanes.turns[0] - 2:
            turn = self.turn_at(x)
            if turn is not None and not (self._scene.is_video and y >= lanes.turns[0] + lanes.turns[1] + 2):
                self._click_cell(x, turn)
                return
        self._dragging = self._scene.is_video
        self._moved = False
        self._go(x)

    def _pin_at(self, at: QPointF) -> PinMark | None:
        """The evidence mark under a position, the last one painted first."""
        if self._axis is None or self._scene is None:
            return None
        boxes = pin_boxes(self._axis, self._area(), self._offset)
        return next((pin for pin, box in reversed(boxes) if box.contains(at)), None)

    def _click_cell(self, x: float, turn: int) -> None:
        """In the session view a click on a picture shows it; else it opens the turn."""
        scene, axis = self._scene, self._axis
        if scene is not None and axis is not None and not scene.is_video and scene.current is None:
            place = axis.place_at(x - self._area().left() + self._offset)
            if place is not None:
                self.seek.emit(*place)
                return
        self.turn_clicked.emit(turn)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag through time, as far as the gate."""
        if self._dragging:
            self._moved = True
            self._go(event.position().x(), self.scrub)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go: the exact instant is wanted now."""
        if self._dragging and self._moved:
            self._go(event.position().x())
        self._dragging = False

    def _go(self, x: float, told: SignalInstance | None = None) -> None:
        if self._axis is None or self._scene is None:
            return
        area = self._area()
        place = self._axis.place_at(min(max(x - area.left() + self._offset, 0.0), self._axis.width))
        if place is None:
            return
        stop, at = place
        if self._scene.gate.allows(stop, at):
            (told or self.seek).emit(stop, at)
        else:
            self.refused.emit(stop, at)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel zooms about the pointer; with Shift it pans."""
        if self._axis is None:
            return
        delta = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or (delta.x() and not delta.y()):
            self._offset = self._clamped(self._offset - (delta.y() or delta.x()) / 2)
        else:
            at = event.position().x() - self._area().left()
            share = (at + self._offset) / self._axis.width
            self._zoom = min(ZOOM_MAX, max(1.0, self._zoom * 1.25 ** (delta.y() / _NOTCH)))
            if self._scene is not None:
                self._axis = Axis(self._scene, self._area().width(), self._zoom)
            self._offset = self._clamped(share * self._axis.width - at)
        self._renew()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Frames, seconds and the segment's ends; Enter opens the turn under the playhead."""
        key = Qt.Key(event.key())
        if key in KEYS:
            shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.action.emit(KEYS[key][shifted])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            x = self._playhead_x()
            turn = self.turn_at(x) if x is not None else None
            if turn is not None:
                self.turn_clicked.emit(turn)
        else:
            super().keyPressEvent(event)
