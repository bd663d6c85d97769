"""Small parts of the strip: what the gate says in words, where thumbnails stand, how they fill their boxes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QImage, QPainter, QPen, QPolygonF

from annotator.domain.timecode import clock
from annotator.ui import theme
from annotator.ui.i18n import tr
from annotator.ui.timeline_model import Axis, Scene


def gate_text(scene: Scene) -> tuple[str, str]:
    """What the flag or bar says, and its icon."""
    if scene.current is None:
        return tr(
            "timeline.all_open" if scene.is_video else "timeline.all_pictures_open", n=len(scene.strip.stops)
        ), "lock-open"
    turn = scene.current + 1
    if scene.gate.peeking:
        return tr("timeline.peeking", turn=turn), "lock-open"
    segment = scene.gate.landing(scene.current)
    if segment is None:
        return tr("timeline.gate_nothing", turn=turn), "lock"
    opening = scene.gate.opening(segment.stop)
    if not scene.is_video:
        count = sum(scene.gate.allows(i) for i in range(len(scene.strip.stops)))
        return tr("timeline.gate_pictures", turn=turn, n=count, total=len(scene.strip.stops)), "lock"
    if opening.until is not None:
        return tr("timeline.gate_time", turn=turn, time=clock(opening.until, 1)), "lock"
    if opening.unread:
        return tr("timeline.gate_unread", turn=turn), "lock-open"
    return tr("timeline.gate_clips", turn=turn, n=segment.stop + 1), "lock"


def slots(axis: Axis, stop: int, height: float, offset: float, room: float) -> list[tuple[float, float, Fraction]]:
    """The thumbnails of a stop that are in view: (left, right, instant), each about 16:9, none beyond the gate.

    The instant is that of the slot's left edge, so that the picture's own moment lies inside its slot.
    """
    left, right = axis.span_of(stop)
    opening = axis.scene.gate.opening(stop)
    if not opening.open or right <= left:
        return []
    end = right if opening.until is None else min(right, axis.x_of(stop, opening.until))
    step = max(24.0, height * 16 / 9)
    duration = axis.scene.duration(stop)
    found: list[tuple[float, float, Fraction]] = []
    number = max(0, int((offset - left) / step))
    while left + number * step < min(end, offset + room):
        start = left + number * step
        at = Fraction(round((start - left) / (right - left) * float(duration) * 1000), 1000)
        if opening.allows(at):
            found.append((start, min(start + step, end), at))
        number += 1
    return found


class Thumbs:
    """The thumbnails of a strip, each kept as it was last fitted: scaling one costs more than all else of the strip."""

    def __init__(self) -> None:
        """None yet."""
        self.images: dict[tuple[int, Fraction], QImage] = {}
        self._fitted: dict[tuple[int, Fraction], QImage] = {}

    def put(self, place: tuple[int, Fraction], image: QImage) -> None:
        """A thumbnail, or a better one."""
        self.images[place] = image
        self._fitted.pop(place, None)

    def keep(self, wanted: Callable[[int, Fraction], bool]) -> None:
        """Forget all others, fitted ones too."""
        for place in [place for place in self.images if not wanted(*place)]:
            del self.images[place]
            self._fitted.pop(place, None)

    def clear(self) -> None:
        """Forget all."""
        self.images.clear()
        self._fitted.clear()

    def paint(self, painter: QPainter, place: tuple[int, Fraction], box: QRectF) -> bool:
        """Cover the box, in whole pixels, with a thumbnail cut at its sides rather than squeezed; False without one."""
        image = self.images.get(place)
        if image is None or image.isNull() or box.width() < 1 or box.height() < 1:
            return False
        device = painter.device()
        ratio = device.devicePixelRatioF() if device is not None else 1.0
        left, top = round(box.left()), round(box.top())
        size = QSizeF(round(box.right()) - left, round(box.bottom()) - top) * ratio
        fitted = self._fitted.get(place)
        if fitted is None or fitted.size() != size.toSize():
            fitted = self._fitted[place] = covering(image, size.toSize())
            fitted.setDevicePixelRatio(ratio)
        painter.drawImage(QPointF(left, top), fitted)
        return True


def covering(image: QImage, size: QSize) -> QImage:
    """The image at a size in device pixels: cut at its right in a narrow place, else evenly at its sides."""
    if size.isEmpty():
        return QImage()
    scale = max(size.width() / image.width(), size.height() / image.height())
    width, height = min(image.width(), size.width() / scale), min(image.height(), size.height() / scale)
    left = 0.0 if size.width() < size.height() * image.width() / image.height() else (image.width() - width) / 2
    part = QRectF(left, (image.height() - height) / 2, width, height).toAlignedRect().intersected(image.rect())
    return image.copy(part).scaled(
        size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )


def paint_rough(painter: QPainter, box: QRectF) -> None:
    """A small diamond: this is a key frame near the instant, the frame itself is on its way."""
    at = box.topLeft() + QPointF(7, 7)
    diamond = QPolygonF([at + QPointF(0, -4), at + QPointF(4, 0), at + QPointF(0, 4), at + QPointF(-4, 0)])
    painter.save()
    painter.setPen(QPen(theme.color("text"), 1))
    painter.setBrush(theme.color("panel"))
    painter.drawPolygon(diamond, Qt.FillRule.OddEvenFill)
    painter.restore()
