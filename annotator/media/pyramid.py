"""A picture at half its size, and half of that, and so on: for painting it at any zoom without aliasing."""

from __future__ import annotations

from dataclasses import dataclass

import cv2

from annotator.cancel import CancelToken, check
from annotator.media import display
from annotator.media.display import Pixels
from annotator.media.pictures import Picture

# Below this the smallest level costs nothing to scale.
SMALLEST_SIDE_PX = 256


@dataclass(frozen=True)
class Pyramid:
    """Levels of one picture: level 0 holds its native pixels, each further one half the size of the one before.

    All levels are uint8 (height, width, 4) BGRX. One third more memory than the picture alone.
    """

    levels: tuple[Pixels, ...]

    @property
    def nbytes(self) -> int:
        """Bytes of all levels."""
        return sum(int(level.nbytes) for level in self.levels)

    def level_for(self, zoom: float) -> int:
        """The coarsest level that still has a pixel for each pixel of the screen at this zoom (1.0 is native)."""
        level = 0
        while level + 1 < len(self.levels) and zoom * 2 ** (level + 1) <= 1.0:
            level += 1
        return level

    def crop(self, x: int, y: int, w: int, h: int) -> Pixels:
        """Native pixels of a rectangle, cut off at the edges; a copy."""
        height, width = self.levels[0].shape[:2]
        left, top, right, bottom = max(0, x), max(0, y), min(width, x + w), min(height, y + h)
        return display.as_pixels(self.levels[0][top : max(top, bottom), left : max(left, right)].copy())


def build(picture: Picture | Pixels, token: CancelToken | None = None) -> Pyramid:
    """Halve by area average until the longer side is small. Raises `Cancelled` between levels."""
    level = picture.pixels if isinstance(picture, Picture) else picture
    levels = [level]
    while max(level.shape[:2]) > SMALLEST_SIDE_PX:
        check(token)
        height, width = max(1, level.shape[0] // 2), max(1, level.shape[1] // 2)
        level = display.as_pixels(cv2.resize(level, (width, height), interpolation=cv2.INTER_AREA))
        levels.append(level)
    return Pyramid(tuple(levels))
