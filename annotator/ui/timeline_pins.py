"""Marks on the evidence strip: pins on the lower edge of the frames, on the strip of pictures in their cells."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen

from annotator.ui import icons, theme
from annotator.ui.timeline_model import Axis, PinMark
from annotator.ui.timeline_paint import Lanes, bar_height

SIDE = 16.0


def pin_boxes(axis: Axis, area: QRectF, offset: float) -> list[tuple[PinMark, QRectF]]:
    """Where each pin that is open and in view stands; pins of one place stand beside each other."""
    scene = axis.scene
    found: list[tuple[PinMark, QRectF]] = []
    taken: dict[int, int] = {}
    for pin in scene.pins:
        if pin.stop >= len(scene.strip.stops) or not scene.gate.allows(pin.stop, pin.at):
            continue
        if scene.is_video:
            top, height = Lanes.now().frames
            x = area.left() - offset + axis.x_of(pin.stop, pin.at) if pin.at is not None else area.left() - offset
            box = QRectF(x - SIDE / 2, top + height - SIDE, SIDE, SIDE)
        else:
            left, right = axis.span_of(pin.stop)
            place = taken[pin.stop] = taken.get(pin.stop, -1) + 1
            x = area.left() - offset + right - 14 - SIDE - place * (SIDE + 2)
            if x < area.left() - offset + left:
                continue
            box = QRectF(x, area.bottom() - 5 - SIDE - 20, SIDE, SIDE)
            box.moveTop(max(box.top(), area.top() + bar_height() + 30))
        if box.right() > area.left() and box.left() < area.right():
            found.append((pin, box))
    return found


def paint_pins(painter: QPainter, axis: Axis, area: QRectF, offset: float) -> None:
    """All pins, on a plate that holds on any picture."""
    painter.save()
    painter.setClipRect(area)
    for _, box in pin_boxes(axis, area, offset):
        painter.setPen(QPen(theme.color("accent"), 1.5))
        painter.setBrush(theme.color("panel"))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        icons.paint(painter, "pin", box.center().x() - 6, box.center().y() - 6, "accent-text", 12)
    painter.restore()
