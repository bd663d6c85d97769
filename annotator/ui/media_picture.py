"""A picture as the window paints it: display buffers wrapped without a copy, one for each halving, only what is seen.

A buffer is uint8 (height, width, 4) in the order blue, green, red, unused, which is what `QImage.Format_RGB32` reads on
little-endian machines. The arrays are kept beside the images: an image that outlives its buffer shows freed memory.
"""

from __future__ import annotations

import math
import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QTransform

from annotator.ui.media_adjust import NEUTRAL, Adjustment
from annotator.ui.viewport import Viewport

_HAZE_PX = 9
_IGNORE = Qt.AspectRatioMode.IgnoreAspectRatio
_SMOOTH = Qt.TransformationMode.SmoothTransformation


def wrap(array: Any) -> QImage:
    """The display buffer as an image, without a copy; the caller keeps the array alive as long as the image."""
    height, width = array.shape[:2]
    return QImage(array.data, width, height, array.strides[0], QImage.Format.Format_RGB32)


def haze(image: QImage) -> QImage:
    """A few colours of an image, from which nothing can be made out."""
    tiny = image.scaled(
        _HAZE_PX, max(2, round(_HAZE_PX * image.height() / max(1, image.width()))), _IGNORE, _SMOOTH
    )  # fmt: skip
    return tiny.convertToFormat(QImage.Format.Format_RGB32)


class Fits:
    """Levels as they were fitted into the stage, so that a prepared picture is painted without scaling it again.

    Known by the level itself, which is not kept alive by it. Called from any thread.
    """

    def __init__(self, count: int) -> None:
        """Keep the `count` used last."""
        self._count = count
        self._lock = threading.Lock()
        self._made: OrderedDict[tuple[int, int, int], tuple[weakref.ref[Any], Any]] = OrderedDict()

    def get(self, level: Any, width: int, height: int) -> Any:
        """The level at a size, None where it was not kept."""
        key = (id(level), width, height)
        with self._lock:
            found = self._made.get(key)
            if found is None or found[0]() is not level:
                return None
            self._made.move_to_end(key)
            return found[1]

    def put(self, level: Any, fitted: Any) -> None:
        """Keep a level at a size; what belongs to levels that are gone goes with them."""
        height, width = fitted.shape[:2]
        with self._lock:
            self._made = OrderedDict((key, held) for key, held in self._made.items() if held[0]() is not None)
            self._made[id(level), width, height] = weakref.ref(level), fitted
            while len(self._made) > self._count:
                self._made.popitem(last=False)


# The picture on the stage, the one compared with it, and the neighbours on both sides, each with its preview.
FITS = Fits(8)


class ShownPicture:
    """One picture (or frame) with its levels, ready to be painted at any zoom.

    Attributes:
        full: size of the whole picture in its own pixels, whatever the levels hold.
        native: whether the first level holds the picture's own pixels.
        damaged, why: part of it could not be decoded; a sentence about it.
        notes: what a person should know about how it is shown.
        blurred: it is shown as a haze of a few colours, and no pixel of it can be read, until somebody asks for it.
    """

    def __init__(
        self,
        levels: Sequence[Any],
        full: QSize | None = None,
        *,
        damaged: bool = False,
        why: str = "",
        notes: tuple[str, ...] = (),
    ) -> None:
        """`levels`: display buffers, the largest first; `full`: the whole picture's size where they are smaller."""
        self._levels = [(wrap(array), array) for array in levels]
        first = self._levels[0][0].size()
        self.full = QSize(full) if full is not None else first
        self.native = first == self.full
        self.damaged = damaged
        self.why = why
        self.notes = notes
        self.blurred = False
        self._soft: QImage | None = None
        self._fitted: tuple[QImage, Any] | None = None

    @property
    def nbytes(self) -> int:
        """Bytes of the display buffers."""
        return sum(int(array.nbytes) for _, array in self._levels)

    @property
    def arrays(self) -> list[Any]:
        """The display buffers, the largest first."""
        return [array for _, array in self._levels]

    @property
    def preview_width(self) -> int:
        """Width of the largest level held, px."""
        return self._levels[0][0].width()

    def shows_native(self, viewport: Viewport) -> bool:
        """Whether every pixel in view is one of the picture's own, at 100 % or more."""
        return self.native and viewport.zoom >= 1

    def native_image(self) -> QImage | None:
        """The picture's own pixels, None while only a preview is there, or while it is blurred."""
        return self._levels[0][0] if self.native and not self.blurred else None

    def smallest_over(self, width: int) -> QImage:
        """The smallest level that is at least `width` px wide (else the largest): for thumbnails and the navigator."""
        fitting = [image for image, _ in self._levels if image.width() >= width]
        return fitting[-1] if fitting else self._levels[0][0]

    def colour_at(self, at: QPoint) -> QColor | None:
        """The colour of a picture pixel; None outside it, and while only a preview is there (it would be a guess)."""
        image = self.native_image()
        if image is None or not image.rect().contains(at):
            return None
        return image.pixelColor(at)

    def paint(
        self, painter: QPainter, viewport: Viewport, moving: bool = False, adjust: Adjustment | None = None
    ) -> None:
        """Paint the visible part; nearest while `moving` (a drag must not wait) and at whole zooms from 100 % on.

        `adjust` changes what is painted, never the picture.
        """
        seen = viewport.visible()
        if seen.isEmpty():
            return
        painter.save()
        if self.blurred:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.setTransform(viewport.transform(), True)
            painter.drawImage(QRectF(QPointF(0, 0), QSizeF(self.full)), self._haze())
            painter.restore()
            return
        if viewport.zoom < 1 and not viewport.quarters and adjust in (None, NEUTRAL) and seen == viewport.whole():
            self._paint_fitted(painter, viewport)
            painter.restore()
            return
        level = self._level_for(viewport.zoom)
        image, array = self._levels[level]
        scale_x, scale_y = image.width() / self.full.width(), image.height() / self.full.height()
        source = _whole_pixels(seen, scale_x, scale_y, image)
        hard = viewport.zoom >= 1.0 and abs(viewport.zoom - round(viewport.zoom)) < 1e-9 and image.size() == self.full
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not (moving or hard))
        painter.setTransform(QTransform.fromScale(1 / scale_x, 1 / scale_y) * viewport.transform(), True)
        if adjust is None or adjust.neutral:
            painter.drawImage(QPointF(source.topLeft()), image, QRectF(source))
        elif not source.isEmpty():
            part = array[source.top() : source.top() + source.height(), source.left() : source.left() + source.width()]
            changed = adjust.applied(part)
            painter.drawImage(QPointF(source.topLeft()), wrap(changed))
        painter.restore()

    def prepare(self, zoom: float, keep: bool = False) -> None:
        """Scale it for a zoom below 100 % at which all of it is in view; best done beside the window.

        `keep`: for when it is shown again, as long as its levels live.
        """
        width, height = max(1, round(self.full.width() * zoom)), max(1, round(self.full.height() * zoom))
        if self._fitted is not None and self._fitted[0].size() == QSize(width, height):
            return
        level = self._levels[self._level_for(zoom)][1]
        array = FITS.get(level, width, height)
        if array is None:
            from annotator.media import display

            array = display.to_screen(level, width, height)
            if keep:
                FITS.put(level, array)
        self._fitted = wrap(array), array

    def _paint_fitted(self, painter: QPainter, viewport: Viewport) -> None:
        """The whole picture, scaled once: then every paint is a copy, and the loupe over it costs no scaling again."""
        self.prepare(viewport.zoom)
        if self._fitted is not None:
            image = self._fitted[0]
            target = QRectF(viewport.transform().map(QPointF(0, 0)), QSizeF(image.size()) / viewport.ratio)
            painter.drawImage(target, image, QRectF(image.rect()))

    def _haze(self) -> QImage:
        if self._soft is None:
            self._soft = haze(self._levels[-1][0])
        return self._soft

    def _level_for(self, zoom: float) -> int:
        """The smallest level that still has a pixel for each device pixel."""
        chosen = 0
        for number, (image, _) in enumerate(self._levels[1:], 1):
            if image.width() < self.full.width() * zoom - 1e-6:
                break
            chosen = number
        return chosen

    def grab(self, rect: QRect) -> QImage | None:
        """Native pixels of a rectangle as an image of its own; None while only a preview is there."""
        image = self.native_image()
        inside = rect.intersected(image.rect()) if image is not None else QRect()
        return image.copy(inside) if image is not None and not inside.isEmpty() else None


def _whole_pixels(seen: QRectF, scale_x: float, scale_y: float, image: QImage) -> QRect:
    """The visible part in a level's pixels, grown to whole ones and by one for the smoothing at the edge."""
    left, top = math.floor(seen.left() * scale_x) - 1, math.floor(seen.top() * scale_y) - 1
    right, bottom = math.ceil(seen.right() * scale_x) + 1, math.ceil(seen.bottom() * scale_y) + 1
    return QRect(left, top, right - left, bottom - top).intersected(image.rect())
