"""Drawing tools of the sample: a smooth canvas, sign lettering, and sprites to lay over a backdrop.

Scenes are drawn with Pillow at twice their size and reduced, which gives clean edges at little cost. A backdrop is
drawn once per state of a scene; what moves is a small sprite pasted by numpy, so that a clip takes a second, not a
minute. Signs use the two subset fonts in `resources/sample`, so that pictures look alike on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from annotator import resources

Pixels = npt.NDArray[np.uint8]
Colour = str | tuple[int, int, int] | tuple[int, int, int, int]
Box = tuple[float, float, float, float]


@lru_cache(maxsize=256)
def sign_font(size_px: int, bold: bool) -> ImageFont.FreeTypeFont:
    """The lettering of signs at a size in pixels."""
    name = "bold" if bold else "regular"
    file = resources.path(f"sample/signs-{name}.otf")
    return ImageFont.truetype(str(file), size_px, layout_engine=ImageFont.Layout.BASIC)


class Canvas:
    """A picture under construction; all coordinates are pixels of the finished picture.

    Attributes:
        width_px: width of the finished picture.
        height_px: height of the finished picture.
        scale: how many drawn pixels make one finished pixel, each way.
    """

    def __init__(self, width_px: int, height_px: int, ground: Colour = (0, 0, 0, 0), scale: int = 2) -> None:
        """Start with a plain ground; a transparent one makes a sprite."""
        self.width_px = width_px
        self.height_px = height_px
        self.scale = scale
        mode = "RGBA" if isinstance(ground, tuple) and len(ground) == 4 else "RGB"
        self.image = Image.new(mode, (width_px * scale, height_px * scale), ground)
        self._draw = ImageDraw.Draw(self.image)

    def _box(self, box: Box) -> tuple[float, float, float, float]:
        left, top, right, bottom = (v * self.scale for v in box)
        return (left, top, max(left, right - 1), max(top, bottom - 1))

    def gradient(self, box: Box, top: tuple[int, int, int], bottom: tuple[int, int, int]) -> None:
        """Fill a box with a vertical blend of two colours."""
        left, upper, right, lower = (round(v * self.scale) for v in box)
        share = np.linspace(0.0, 1.0, max(1, lower - upper))[:, None]
        column = np.array(top) * (1 - share) + np.array(bottom) * share
        strip = Image.fromarray(np.rint(column).astype(np.uint8)[:, None, :])
        self.image.paste(strip.resize((right - left, lower - upper), Image.Resampling.NEAREST), (left, upper))

    def rect(self, box: Box, fill: Colour, radius: float = 0, outline: Colour | None = None, width: float = 1) -> None:
        """A box with square or round corners."""
        pen = max(1, round(width * self.scale))
        self._draw.rounded_rectangle(self._box(box), radius * self.scale, fill, outline, pen if outline else 0)

    def ellipse(self, box: Box, fill: Colour | None, outline: Colour | None = None, width: float = 1) -> None:
        """An ellipse inside a box."""
        self._draw.ellipse(self._box(box), fill, outline, max(1, round(width * self.scale)) if outline else 0)

    def disc(self, x: float, y: float, radius: float, fill: Colour) -> None:
        """A filled circle about a point."""
        self.ellipse((x - radius, y - radius, x + radius, y + radius), fill)

    def poly(self, points: Sequence[tuple[float, float]], fill: Colour) -> None:
        """A filled polygon."""
        self._draw.polygon([(x * self.scale, y * self.scale) for x, y in points], fill)

    def line(self, points: Sequence[tuple[float, float]], fill: Colour, width: float = 1) -> None:
        """A line with round joints and ends."""
        pen = max(1, round(width * self.scale))
        self._draw.line([(x * self.scale, y * self.scale) for x, y in points], fill, pen, joint="curve")
        if width >= 3:
            for x, y in (points[0], points[-1]):
                self.disc(x, y, width / 2, fill)

    def arc(self, box: Box, start: float, end: float, fill: Colour, width: float = 1) -> None:
        """A part of an ellipse's edge; angles in degrees, clockwise from three o'clock."""
        self._draw.arc(self._box(box), start, end, fill, max(1, round(width * self.scale)))

    def text(
        self, at: tuple[float, float], text: str, size: float, fill: Colour, *, bold: bool = False, anchor: str = "lm"
    ) -> None:
        """One line of lettering; `anchor` as in Pillow (left, middle, right; middle, baseline)."""
        font = sign_font(round(size * self.scale), bold)
        self._draw.text((at[0] * self.scale, at[1] * self.scale), text, fill, font, anchor)

    def paste(self, other: Canvas, x: float, y: float) -> None:
        """Lay a transparent canvas of the same scale over this one."""
        self.image.paste(other.image, (round(x * self.scale), round(y * self.scale)), other.image)

    def pixels(self) -> Pixels:
        """The finished picture, uint8 (height, width, 3 or 4), red first."""
        image = self.image.reduce(self.scale) if self.scale > 1 else self.image
        return np.asarray(image, dtype=np.uint8).copy()

    def sprite(self) -> Sprite:
        """The finished picture as something to lay over frames."""
        return Sprite.of(self.pixels())


@dataclass(frozen=True)
class Sprite:
    """A small picture with coverage, ready to be laid over frames.

    Attributes:
        colour: uint16 (height, width, 3), already multiplied by the coverage.
        keep: uint16 (height, width, 1), 256 minus the coverage: the share of the ground that stays.
    """

    colour: npt.NDArray[np.uint16]
    keep: npt.NDArray[np.uint16]

    @classmethod
    def of(cls, rgba: Pixels) -> Sprite:
        """Prepare uint8 (height, width, 4) pixels."""
        cover = rgba[..., 3:].astype(np.uint16)
        cover += cover >> 7
        return cls(rgba[..., :3].astype(np.uint16) * cover, np.uint16(256) - cover)

    def over(self, frame: Pixels, x: float, y: float) -> None:
        """Lay this over uint8 (height, width, 3) pixels in place, cut at their edges."""
        height_px, width_px = self.keep.shape[:2]
        left, top = round(x), round(y)
        x0, y0 = max(0, left), max(0, top)
        x1, y1 = min(frame.shape[1], left + width_px), min(frame.shape[0], top + height_px)
        if x0 >= x1 or y0 >= y1:
            return
        part = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        ground = frame[y0:y1, x0:x1]
        frame[y0:y1, x0:x1] = (self.colour[part] + ground * self.keep[part]) >> 8
