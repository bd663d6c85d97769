"""Pictures for people: a preview that is sharp at fit, the whole at native resolution, crops of native pixels.

All of them come from one decode path and have their orientation applied once, so that what is marked on one lies at
the same place on the others. Where a preview cannot be decoded cheaper than the whole, it is the whole, averaged.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import pyvips

from annotator.cancel import CancelToken, check
from annotator.errors import WorldError
from annotator.media import decode, display, streaming
from annotator.media.colour import Window
from annotator.media.display import Pixels, adjust, to_rgb
from annotator.media.header import FULL_PIXEL_BUDGET, Header, check_budget, read_header
from annotator.media.sniff import name_of

__all__ = [
    "FULL_PIXEL_BUDGET",
    "Picture",
    "adjust",
    "crop",
    "has_quick_preview",
    "load_full",
    "load_preview",
    "load_views",
    "reduced",
    "to_rgb",
]


@dataclass(frozen=True)
class Picture:
    """A picture ready for display.

    Attributes:
        pixels: uint8 (height, width, 4), blue, green, red, unused (255); C-contiguous; upright.
        full_width_px: width of the whole picture as displayed, whatever the size of `pixels`.
        full_height_px: height of the whole picture as displayed.
        scale: size of `pixels` as a share of the whole picture's, 1.0 for the whole.
        damaged: part of the file could not be decoded; `why` says so in words.
        why: a sentence about the damage, or empty.
        notes: what a person should know about how it is shown (window, profile, pages), never part of the data.
    """

    pixels: Pixels
    full_width_px: int
    full_height_px: int
    scale: float
    damaged: bool = False
    why: str = ""
    notes: tuple[str, ...] = ()

    @property
    def nbytes(self) -> int:
        """Bytes of memory the pixels take."""
        return int(self.pixels.nbytes)


def load_full(
    path: str | os.PathLike[str],
    token: CancelToken | None = None,
    pixel_budget: int = FULL_PIXEL_BUDGET,
    frame: int = 0,
    seen: decode.Seen | None = None,
) -> Picture:
    """The whole picture at native resolution (of a moving picture or a paged one, its frame or page `frame`).

    Raises WorldError for what cannot be shown, and for pictures of more than `pixel_budget` pixels: for these,
    `load_preview` gives a reduction and `crop` native pixels. `seen` is told of rows as they come.
    """
    header = read_header(path)
    check_budget(header, pixel_budget)
    return _whole(header, token, frame, seen)


def has_quick_preview(header: Header) -> bool:
    """Whether a preview comes without decoding the whole at its full size."""
    return header.pixels > FULL_PIXEL_BUDGET or decode.has_smaller_scales(header)


def load_preview(
    path: str | os.PathLike[str], box_w_px: int, box_h_px: int, token: CancelToken | None = None
) -> Picture:
    """The picture fitted into a box, sharp at that size and never enlarged."""
    return load_views(path, box_w_px, box_h_px, token)[0]


def load_views(
    path: str | os.PathLike[str], box_w_px: int, box_h_px: int, token: CancelToken | None = None
) -> tuple[Picture, Picture | None]:
    """The preview and, where it had to be decoded for it anyway, the whole picture (else None)."""
    header = read_header(path)
    full_w, full_h = header.displayed
    width, height = display.fit_size(full_w, full_h, max(1, box_w_px), max(1, box_h_px))
    if header.pixels > FULL_PIXEL_BUDGET:
        factor = max(1, min(full_w // width, full_h // height))
        shrunk = decode.decode_shrunk(header, token, factor, _whole_window(header, token))
        note = f"{header.pixels / 1e6:,.0f} megapixels: shown reduced, its native pixels by tiles"
        picture = _picture(header, shrunk, width, height)
        return replace(picture, notes=(*picture.notes, note)), None
    stored_w, stored_h = display.oriented_size(width, height, header.orientation)
    smaller = decode.decode_reduced(header, token, stored_w, stored_h) if (width, height) != (full_w, full_h) else None
    if smaller is not None:
        return _picture(header, smaller, width, height), None
    whole = _whole(header, token, 0)
    check(token)
    return reduced(whole, box_w_px, box_h_px), whole


def reduced(whole: Picture, box_w_px: int, box_h_px: int) -> Picture:
    """A whole picture fitted into a box: what `load_preview` gives where it has to decode the whole."""
    width, height = display.fit_size(whole.full_width_px, whole.full_height_px, max(1, box_w_px), max(1, box_h_px))
    pixels = display.resize(whole.pixels, width, height)
    return replace(whole, pixels=pixels, scale=_scale(width, height, whole.full_width_px, whole.full_height_px))


def _scale(width: int, height: int, full_w: int, full_h: int) -> float:
    """By the longer side, where rounding weighs least."""
    return width / full_w if full_w >= full_h else height / full_h


def _whole(header: Header, token: CancelToken | None, frame: int, seen: decode.Seen | None = None) -> Picture:
    if not 0 <= frame < max(1, header.frames):
        raise WorldError(f"{name_of(header.path)} has no frame {frame}: it has {header.frames}.", path=header.path)
    decoded = decode.decode_whole(header, token, frame, seen)
    check(token)
    width, height = display.oriented_size(decoded.pixels.shape[1], decoded.pixels.shape[0], header.orientation)
    return _picture(header, decoded, width, height, whole=True)


def _picture(header: Header, decoded: decode.Decoded, width: int, height: int, *, whole: bool = False) -> Picture:
    """Turn upright, bring to size."""
    full_w, full_h = (width, height) if whole else header.displayed
    stored_w, stored_h = display.oriented_size(width, height, header.orientation)
    pixels = display.orient(display.resize(decoded.pixels, stored_w, stored_h), header.orientation)
    scale = _scale(width, height, full_w, full_h)
    return Picture(pixels, full_w, full_h, scale, decoded.damaged, decoded.why, decoded.notes)


def crop(
    source: str | os.PathLike[str] | Picture, x: int, y: int, w: int, h: int, token: CancelToken | None = None
) -> Pixels:
    """Native pixels of a rectangle of the displayed picture, as a display buffer of their own.

    From a whole `Picture` it is a copy of its pixels; from a path the file is decoded, for pictures over the budget
    only as far as needed. The rectangle is cut off at the picture's edges; WorldError if nothing is left of it.
    """
    if isinstance(source, Picture):
        if source.scale != 1.0:
            raise ValueError("a crop is cut from the whole picture, not from a preview")
        left, top, right, bottom = _clipped(x, y, w, h, source.full_width_px, source.full_height_px)
        return display.as_pixels(source.pixels[top:bottom, left:right].copy())
    header = read_header(source)
    full_w, full_h = header.displayed
    if header.pixels <= FULL_PIXEL_BUDGET:
        return crop(_whole(header, token, 0), x, y, w, h, token)
    left, top, right, bottom = _clipped(x, y, w, h, full_w, full_h)
    rect = display.stored_rect((left, top, right - left, bottom - top), header.width, header.height, header.orientation)
    window = _whole_window(header, token)
    return display.orient(decode.decode_rect(header, token, rect, window=window).pixels, header.orientation)


def _whole_window(header: Header, token: CancelToken | None) -> Window | None:
    """The window of all values of a deep picture, so that a part of it looks as it does in the whole."""
    if header.bits <= 8 or not streaming.streams(header):
        return None
    try:
        return streaming.window_of(header, token)
    except pyvips.Error:
        check(token)
        return None


def _clipped(x: int, y: int, w: int, h: int, full_w: int, full_h: int) -> tuple[int, int, int, int]:
    left, top, right, bottom = max(0, x), max(0, y), min(full_w, x + w), min(full_h, y + h)
    if right <= left or bottom <= top:
        raise WorldError(f"The rectangle {x},{y},{w},{h} lies outside the picture of {full_w} x {full_h} pixels.")
    return left, top, right, bottom
