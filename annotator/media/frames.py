"""One frame of a clip as a display buffer: colours, transparency, stretched pixels, the display matrix."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import av
import av.video.frame
import numpy as np
from av.video.reformatter import Colorspace, Interpolation

from annotator.media import display
from annotator.media.display import Pixels

# From this height on untagged video is read as BT.709, below as BT.601: what players do. Tags win where they are.
HD_FROM_ROWS = 720

_BT709, _BT2020 = 1, 9
_UNSPECIFIED = 2
_CONVERSIONS = {1: Colorspace.ITU709, 4: Colorspace.FCC, 5: Colorspace.ITU601, 6: Colorspace.ITU601,
                7: Colorspace.SMPTE240M, 9: Colorspace.BT2020, 10: Colorspace.BT2020}  # fmt: skip
_HDR_TRANSFERS = {16: "HDR (PQ)", 18: "HDR (HLG)"}


@dataclass(frozen=True)
class Frame:
    """A frame ready for display.

    Attributes:
        index: its number among the presented frames, from 0.
        time: seconds after the first presented frame, exact.
        pixels: uint8 (height, width, 4), blue, green, red, unused (255); C-contiguous; upright.
        exact: it is the frame that was asked for, not a key frame or neighbour in its place.
        damaged: it, or what it is built on, could not be decoded cleanly; `why` says so in words.
        why: a sentence about the damage or the substitution, or empty.
        notes: what a person should know about how it is shown.
    """

    index: int
    time: Fraction
    pixels: Pixels
    exact: bool = True
    damaged: bool = False
    why: str = ""
    notes: tuple[str, ...] = ()

    @property
    def nbytes(self) -> int:
        """Bytes of memory the pixels take."""
        return int(self.pixels.nbytes)


def stretched_size(width: int, height: int, aspect: Fraction | None) -> tuple[int, int]:
    """The size in square pixels of a frame whose own are not; one side grows, none shrinks."""
    if not aspect or aspect == 1 or not Fraction(1, 10) < aspect < 10:
        return width, height
    if aspect > 1:
        return round(width * aspect), height
    return width, round(height / aspect)


def to_buffer(frame: av.video.frame.VideoFrame, size: tuple[int, int] | None = None) -> Pixels:
    """A decoded frame as a display buffer, unturned, at `size` (width, height) or its own."""
    width, height = size or (frame.width, frame.height)
    number = int(frame.colorspace)
    if number == _UNSPECIFIED and _is_yuv(frame):
        number = _BT709 if frame.height >= HD_FROM_ROWS else 5
    resized = (width, height) != (frame.width, frame.height)
    converted = frame.reformat(
        width=width,
        height=height,
        format="bgra",
        src_colorspace=_CONVERSIONS.get(number),
        interpolation=Interpolation.BICUBIC if resized else None,
    )
    plane = converted.planes[0]
    rows = np.frombuffer(memoryview(plane), np.uint8)[: plane.line_size * height].reshape(height, plane.line_size)
    # Without padding at the rows' ends the converter's own memory is handed on; the array keeps it alive.
    pixels = display.as_pixels(rows[:, : width * 4]).reshape(height, width, 4)
    if has_alpha(frame):
        return display.over_checker(pixels)
    if frame.format.has_palette:
        pixels[:, :, 3] = 255
    return pixels


def _is_yuv(frame: av.video.frame.VideoFrame) -> bool:
    return not frame.format.is_rgb and not frame.format.has_palette and not frame.format.name.startswith("gray")


def has_alpha(frame: av.video.frame.VideoFrame) -> bool:
    """Whether the frame's format carries real transparency (palettes of raw video do not)."""
    name = frame.format.name
    return name.startswith(("bgra", "rgba", "argb", "abgr", "yuva", "gbrap", "ya8", "ya16"))


def colour_of(frame: av.video.frame.VideoFrame) -> tuple[str, tuple[str, ...]]:
    """How the colours are stored, in a few words, and notes on how they are shown."""
    number = int(frame.colorspace)
    notes: list[str] = []
    words = [frame.format.name]
    if _is_yuv(frame):
        if number == _UNSPECIFIED:
            standard = "BT.709" if frame.height >= HD_FROM_ROWS else "BT.601"
            words.append(f"untagged, read as {standard}")
        else:
            words.append(
                {_BT709: "BT.709", 5: "BT.601", 6: "BT.601", _BT2020: "BT.2020"}.get(number, f"matrix {number}")
            )
        words.append("full range" if int(frame.color_range) == 2 else "limited range")
    hdr = _HDR_TRANSFERS.get(int(frame.color_trc))
    if hdr:
        notes.append(f"{hdr} video, shown without tone mapping: it looks flatter than on an HDR screen")
    return ", ".join(words), tuple(notes)
