"""A picture too large to be held, as the window paints it: its preview, and over it the native tiles that are at hand.

What is not at hand is asked for while painting, and painted when it comes; until then the preview stands in its place.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QTransform

from annotator.ui.media_adjust import Adjustment
from annotator.ui.media_picture import ShownPicture, wrap
from annotator.ui.viewport import Viewport

if TYPE_CHECKING:
    from annotator.media.tiles import Tiles

Key = tuple[int, int, int]
Want = Callable[["TiledPicture", Key], None]
# 160 MB; the largest window shows some 50 of them.
_KEPT = 160
# A crop of more pixels than these is not put together: it would not fit beside the cache.
_GRAB_PIXELS = 60_000_000


class TiledPicture(ShownPicture):
    """A preview with tiles over it; every pixel that is told or grabbed is a native one."""

    def __init__(self, preview: ShownPicture, tiles: Tiles, want: Want) -> None:
        """`want` brings a tile to `put`; it may be called often for the same one."""
        super().__init__(
            preview.arrays, preview.full, damaged=preview.damaged or tiles.damaged, why=preview.why, notes=preview.notes
        )
        self.tiles = tiles
        self.native = True
        self._want = want
        self._asked: set[Key] = set()
        self._held: OrderedDict[Key, tuple[QImage, Any]] = OrderedDict()

    def put(self, key: Key, pixels: Any) -> None:
        """A tile has come."""
        self._asked.discard(key)
        self._held[key] = (wrap(pixels), pixels)
        while len(self._held) > _KEPT:
            self._held.popitem(last=False)

    def give_up(self, key: Key) -> None:
        """A tile could not be had; it is asked for again when it is seen again."""
        self._asked.discard(key)

    def _tile(self, key: Key) -> tuple[QImage, Any] | None:
        held = self._held.get(key)
        if held is None:
            if key not in self._asked:
                self._asked.add(key)
                self._want(self, key)
            return None
        self._held.move_to_end(key)
        return held

    def _tile_level(self, zoom: float) -> int | None:
        """The smallest level with a pixel for each device pixel; None where the preview has them already."""
        wanted = self.full.width() * zoom
        if self.preview_width >= wanted - 1e-6:
            return None
        fitting = [k for k, (width, _) in enumerate(self.tiles.sizes) if width >= wanted - 1e-6]
        return fitting[-1] if fitting else 0

    def _keys(self, level: int, rect: QRectF) -> list[Key]:
        """The tiles of a level that a part of the picture (in its own pixels) touches."""
        from annotator.media.tiles import SIDE

        width, height = self.tiles.sizes[level]
        across, down = width / self.full.width(), height / self.full.height()
        columns, rows = self.tiles.grid(level)
        first_x, last_x = int(rect.left() * across // SIDE), int(max(0.0, rect.right() * across - 1e-6) // SIDE)
        first_y, last_y = int(rect.top() * down // SIDE), int(max(0.0, rect.bottom() * down - 1e-6) // SIDE)
        return [
            (level, column, row)
            for row in range(max(0, first_y), min(rows - 1, last_y) + 1)
            for column in range(max(0, first_x), min(columns - 1, last_x) + 1)
        ]

    def paint(
        self, painter: QPainter, viewport: Viewport, moving: bool = False, adjust: Adjustment | None = None
    ) -> None:
        """The preview, then the tiles of the level that this zoom needs."""
        super().paint(painter, viewport, moving, adjust)
        level, seen = self._tile_level(viewport.zoom), viewport.visible()
        if level is None or seen.isEmpty() or self.blurred:
            return
        width, height = self.tiles.sizes[level]
        scale = QTransform.fromScale(self.full.width() / width, self.full.height() / height)
        hard = level == 0 and viewport.zoom >= 1.0 and abs(viewport.zoom - round(viewport.zoom)) < 1e-9
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not (moving or hard))
        painter.setTransform(scale * viewport.transform(), True)
        for key in self._keys(level, seen):
            held = self._tile(key)
            if held is None:
                continue
            x, y, _, _ = self.tiles.box(*key)
            image, pixels = held
            if adjust is not None and not adjust.neutral:
                changed = adjust.applied(pixels)
                painter.drawImage(QPointF(x, y), wrap(changed))
            else:
                painter.drawImage(QPointF(x, y), image)
        painter.restore()

    def shows_native(self, viewport: Viewport) -> bool:
        """Whether every pixel in view at 100 % or more is a native one."""
        return viewport.zoom >= 1 and all(key in self._held for key in self._keys(0, viewport.visible()))

    def native_image(self) -> QImage | None:
        """Never all of it at once."""
        return None

    def colour_at(self, at: QPoint) -> QColor | None:
        """The colour of a native pixel; None outside, and until its tile has come."""
        if self.blurred or not QRect(QPoint(0, 0), self.full).contains(at):
            return None
        (key,) = self._keys(0, QRectF(at.x(), at.y(), 1, 1))
        held = self._tile(key)
        x, y, _, _ = self.tiles.box(*key)
        return None if held is None else held[0].pixelColor(at.x() - x, at.y() - y)

    def grab(self, rect: QRect) -> QImage | None:
        """Native pixels of a rectangle; None until all of its tiles have come, and where it is too large."""
        inside = rect.intersected(QRect(QPoint(0, 0), self.full))
        if self.blurred or inside.isEmpty() or inside.width() * inside.height() > _GRAB_PIXELS:
            return None
        keys = self._keys(0, QRectF(inside))
        held = {key: self._tile(key) for key in keys}
        if len(keys) > _KEPT or any(tile is None for tile in held.values()):
            return None
        made = QImage(inside.size(), QImage.Format.Format_RGB32)
        painter = QPainter(made)
        for key, tile in held.items():
            if tile is not None:
                x, y, _, _ = self.tiles.box(*key)
                painter.drawImage(QPoint(x, y) - inside.topLeft(), tile[0])
        painter.end()
        return made
