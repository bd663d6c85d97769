"""From a picture file to a display buffer: the one decode path behind preview, full picture, loupe, crop and export.

Each function here returns the stored orientation; `pictures` turns the result, once. Decoding is strict first. Where
that fails, what can be decoded is returned with `damaged` set; where nothing can, a sentence is raised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import PIL.Image
import pyvips
import simplejpeg

from annotator.cancel import CancelToken, check
from annotator.media import colour, display
from annotator.media.display import Pixels
from annotator.media.header import PILLOW_ERRORS, Header, open_vips, opened_by_pillow, refuse
from annotator.media.sniff import world_error

# A whole JPEG of this size takes some 20 ms: below, a smaller scale gains nothing worth its inexactness.
REDUCE_FROM_PIXELS = 2_000_000

Eight = npt.NDArray[np.uint8]

STRIP_ROWS = 512
# The first strip is smaller: of a large picture it is shown before the rest is decoded.
_FIRST_ROWS = 128

_DAMAGED = "damaged or incomplete: what could be decoded is shown"


@dataclass(frozen=True)
class Decoded:
    """A display buffer in the stored orientation, and what has to be said about it."""

    pixels: Pixels
    damaged: bool = False
    why: str = ""
    notes: tuple[str, ...] = ()


# Called with a display buffer and how many of its rows are filled.
Seen = Callable[[Pixels, int], None]


def decode_whole(header: Header, token: CancelToken | None, page: int = 0, seen: Seen | None = None) -> Decoded:
    """Every pixel of the picture (of its page or frame `page`).

    `seen` is told of rows as they come, where they come from top to bottom.
    """
    check(token)
    if header.format == "jpeg" and not (header.channels == 4 and header.profile):
        return _decode_jpeg(header, token, (0, 0))
    if header.through_vips:
        return _decode_vips(header, token, lambda image: image, page=page, seen=seen)
    return _decode_pillow(header, token, page)


def decode_reduced(header: Header, token: CancelToken | None, min_w: int, min_h: int) -> Decoded | None:
    """The picture at a smaller size that is at least `min_w` x `min_h`, where that is cheaper than the whole.

    None where it is not: only JPEG has cheap smaller scales. They cover the picture in steps of its eighths, so that
    the last row and column may stand for less than the others; small pictures are averaged from the whole instead.
    """
    check(token)
    return _decode_jpeg(header, token, (min_w, min_h)) if has_smaller_scales(header) else None


def has_smaller_scales(header: Header) -> bool:
    """Whether a smaller size of the picture is decoded at less cost than the whole."""
    plain = header.format == "jpeg" and not (header.channels == 4 and header.profile)
    return plain and header.pixels > REDUCE_FROM_PIXELS


def decode_shrunk(
    header: Header, token: CancelToken | None, factor: int, window: colour.Window | None = None
) -> Decoded:
    """A picture of any size averaged down by a whole factor while it streams past; memory stays small.

    `window`: that of the whole picture, where it is deep.
    """
    check(token)
    if header.format == "jpeg":
        return _decode_jpeg(header, token, (header.width // factor, header.height // factor))
    if not header.through_vips:
        raise refuse(header.path, "is too large for its format to be shown: make a smaller copy.", "media_over_budget")

    page = 0
    while page + 1 < header.levels and 2 ** (page + 1) <= factor:
        page += 1
    further = factor // 2**page

    def shrink(image: Any) -> Any:
        return image.shrink(min(further, image.width), min(further, image.height)) if further > 1 else image

    return _decode_vips(header, token, shrink, page=page, window=window)


def decode_rect(
    header: Header,
    token: CancelToken | None,
    rect: tuple[int, int, int, int],
    page: int = 0,
    window: colour.Window | None = None,
) -> Decoded:
    """Native pixels of a rectangle (x, y, width, height) of the stored picture, without holding the rest.

    `page`: of a pyramid's smaller size. `window`: that of the whole picture, where it is deep.
    """
    check(token)
    if not header.through_vips:
        whole = decode_whole(header, token)
        x, y, w, h = rect
        return Decoded(display.as_pixels(whole.pixels[y : y + h, x : x + w]), whole.damaged, whole.why, whole.notes)
    return _decode_vips(header, token, lambda i: i.crop(*rect), page, origin=(rect[0], rect[1]), window=window)


# ------------------------------------------------------------------------------------------------------------- JPEG


def _decode_jpeg(header: Header, token: CancelToken | None, at_least: tuple[int, int]) -> Decoded:
    """libjpeg-turbo straight to a display buffer; `at_least` (width, height) asks for its smallest scale above."""
    try:
        with open(header.path, "rb") as handle:
            data = handle.read()
    except OSError as error:
        raise world_error(header.path, error) from error
    check(token)
    options: dict[str, Any] = {"colorspace": "BGRX", "min_width": at_least[0], "min_height": at_least[1]}
    if at_least == (0, 0):
        options = {"colorspace": "BGRX"}
    damaged = False
    try:
        pixels = simplejpeg.decode_jpeg(data, strict=True, **options)
    except ValueError:
        damaged = True
        try:
            pixels = simplejpeg.decode_jpeg(data, strict=False, **options)
        except ValueError:
            # Rare kinds (12 bits, arithmetic coding, lossless) are beyond the fast decoder, not damaged.
            return _decode_vips(header, token, lambda image: image)
    check(token)
    pixels = display.as_pixels(pixels)
    if header.channels == 4:
        pixels[:, :, 3] = 255
    if damaged and _is_one_colour(pixels):
        raise refuse(header.path, "holds no picture data, only a header: get the file again.")
    if header.profile is not None:
        _in_strips(pixels, lambda strip, _top: colour.apply_profile(header.profile, strip), token)  # type: ignore[arg-type]
    return Decoded(pixels, damaged, _DAMAGED if damaged else "", header.notes)


def _in_strips(pixels: Pixels, work: Callable[[Pixels, int], Pixels], token: CancelToken | None) -> None:
    """Replace a buffer's rows, strip by strip: memory stays small, and a cancelled job stops soon."""
    for top in range(0, pixels.shape[0], STRIP_ROWS):
        check(token)
        pixels[top : top + STRIP_ROWS] = work(pixels[top : top + STRIP_ROWS], top)


def _is_one_colour(pixels: Pixels) -> bool:
    return bool((pixels == pixels[0, 0]).all())


# ---------------------------------------------------------------------------------------------------------- libvips


def _decode_vips(
    header: Header,
    token: CancelToken | None,
    change: Callable[[Any], Any],
    page: int = 0,
    origin: tuple[int, int] = (0, 0),
    window: colour.Window | None = None,
    seen: Seen | None = None,
) -> Decoded:
    try:
        return _vips_pass(header, token, change, page, origin, window, seen, strict=True)
    except pyvips.Error:
        check(token)
    try:
        rest = _vips_pass(header, token, change, page, origin, window, seen, strict=False)
    except pyvips.Error as error:
        raise refuse(header.path, "is damaged, nothing of it can be shown: get the file again.") from error
    if _is_one_colour(rest.pixels):
        raise refuse(header.path, "holds no picture data, only a header: get the file again.")
    return Decoded(rest.pixels, True, _DAMAGED, rest.notes)


def _vips_pass(
    header: Header,
    token: CancelToken | None,
    change: Callable[[Any], Any],
    page: int,
    origin: tuple[int, int],
    window: colour.Window | None,
    seen: Seen | None,
    *,
    strict: bool,
) -> Decoded:
    image, inks = prepared(header, page, strict=strict, change=change)
    if str(image.format) == "uchar":
        pixels = display.empty(int(image.height), int(image.width))
        for top, strip in strips(image, token):
            finish_into(pixels[top : top + strip.shape[0]], header, strip, top, origin, inks=inks)
            if seen is not None:
                seen(pixels, top + int(strip.shape[0]))
        return Decoded(pixels, notes=header.notes)
    return _deep_pass(header, token, image, origin, window, inks=inks)


def prepared(
    header: Header, page: int, *, strict: bool, change: Callable[[Any], Any] | None = None
) -> tuple[Any, bool]:
    """The stored picture as libvips streams it, in grey, RGB or inks with or without alpha; and whether it is inks."""
    image = open_vips(header.path, header.format, strict=strict, page=page)
    image = change(image) if change is not None else image
    inks = str(image.interpretation) == "cmyk"
    if str(image.interpretation) in ("lab", "labs", "xyz"):
        image = image.colourspace("srgb")
    if image.bands > 4:
        image = image[0:4] if image.hasalpha() else image[0:3]
    return image, inks


# What an opaque pixel's alpha is in kinds of numbers other than sixteen bits.
_OPAQUE = {"float": 1.0, "double": 1.0, "uint": 2.0**32 - 1, "int": 2.0**31 - 1, "short": 2.0**15 - 1}


def deep(image: Any, *, alpha: bool) -> tuple[Any, np.dtype[Any]]:
    """More than eight bits, as one of two kinds of numbers; alpha always in the range of sixteen bits."""
    kind = str(image.format)
    if kind not in ("ushort", "float"):
        image = image.cast("float")
    if alpha and kind in _OPAQUE:
        last = int(image.bands) - 1
        image = image[0:last].bandjoin(image[last].linear(65535.0 / _OPAQUE[kind], 0.0).cast("float"))
    return image, np.dtype(np.uint16) if str(image.format) == "ushort" else np.dtype(np.float32)


def _deep_pass(
    header: Header,
    token: CancelToken | None,
    image: Any,
    origin: tuple[int, int],
    window: colour.Window | None,
    *,
    inks: bool,
) -> Decoded:
    """More than eight bits: the values first, for the window, unless it is given, depends on their extremes."""
    image, dtype = deep(image, alpha=header.alpha)
    values = np.empty((int(image.height), int(image.width), int(image.bands)), dtype)
    for top, strip in strips(image, token, dtype):
        values[top : top + strip.shape[0]] = strip
    window = window or _window_over(header, values)
    full = colour.Window(0.0, 65535.0, "")
    pixels = display.empty(values.shape[0], values.shape[1])
    for top in range(0, values.shape[0], STRIP_ROWS):
        check(token)
        strip = values[top : top + STRIP_ROWS]
        eight = window.to_bytes(strip)
        if header.alpha:
            eight[:, :, -1] = full.to_bytes(strip[:, :, -1])
        finish_into(pixels[top : top + STRIP_ROWS], header, eight, top, origin, inks=inks)
    return Decoded(pixels, notes=(*header.notes, window.note))


def _window_over(header: Header, values: npt.NDArray[Any]) -> colour.Window:
    shown = values[:, :, : header.channels] if header.alpha else values
    finite = shown[np.isfinite(shown)] if values.dtype == np.float32 else shown
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if values.dtype == np.uint16 and header.profile is not None:
        high = 65535.0
    return colour.window_for(values.dtype, low, high)


def strips(image: Any, token: CancelToken | None, dtype: np.dtype[Any] | None = None) -> Any:
    """Rows from top to bottom as (first row, array (rows, width, bands)); raises pyvips.Error where they end."""
    region = pyvips.Region.new(image)
    kind = dtype or np.dtype(np.uint8)
    tops = [0, *range(_FIRST_ROWS, int(image.height), STRIP_ROWS), int(image.height)]
    for top, until in pairwise(tops):
        check(token)
        rows = until - top
        data = region.fetch(0, top, int(image.width), rows)
        yield top, np.frombuffer(data, kind).reshape(rows, int(image.width), int(image.bands))


def finish_into(out: Pixels, header: Header, strip: Eight, top: int, origin: tuple[int, int], *, inks: bool) -> None:
    """Turn a strip of grey, grey and alpha, RGB, RGBA or inks into rows of the display buffer, in place."""
    strip = display.as_pixels(strip)
    bands = strip.shape[2]
    if inks:
        out[:] = colour.inks_to_srgb(header.profile, display.as_pixels(strip[:, :, :4]))
        return
    if bands <= 2:
        cv2.cvtColor(display.as_pixels(strip[:, :, 0]), cv2.COLOR_GRAY2BGRA, dst=out)
        if bands == 2:
            out[:, :, 3] = strip[:, :, 1]
    else:
        cv2.cvtColor(strip, cv2.COLOR_RGB2BGRA if bands == 3 else cv2.COLOR_RGBA2BGRA, dst=out)
    if header.profile is not None:
        out[:] = colour.apply_profile(header.profile, out)
    if bands in (2, 4):
        out[:] = display.over_checker(out, top + origin[1], origin[0])


# ----------------------------------------------------------------------------------------------------------- Pillow


def _decode_pillow(header: Header, token: CancelToken | None, page: int) -> Decoded:
    """The rare formats. Pillow holds the interpreter while it hands pixels over, so this is the last resort."""
    with opened_by_pillow(header.path) as image:
        damaged = False
        try:
            for number in range(1, page + 1):
                seek_page(image, number)
            image.load()
        except PILLOW_ERRORS as error:
            damaged = True
            if _nothing_in(image):
                raise refuse(header.path, "is damaged, nothing of it can be shown: get the file again.") from error
        check(token)
        try:
            pixels, notes = pillow_to_buffer(image, header)
        except PILLOW_ERRORS as error:
            raise refuse(header.path, "is damaged, nothing of it can be shown: get the file again.") from error
        if damaged and _is_one_colour(pixels):
            raise refuse(header.path, "holds no picture data, only a header: get the file again.")
        return Decoded(pixels, damaged, _DAMAGED if damaged else "", (*header.notes, *notes))


def seek_page(image: PIL.Image.Image, number: int) -> None:
    """Go to the next frame; ValueError if it claims to be larger than the picture, which would take any memory."""
    size = image.size
    image.seek(number)
    if image.size != size:
        raise ValueError(f"frame {number} is larger than its picture")


def _nothing_in(image: PIL.Image.Image) -> bool:
    try:
        image.getpixel((0, 0))
    except PILLOW_ERRORS:
        return True
    return False


def pillow_to_buffer(image: PIL.Image.Image, header: Header) -> tuple[Pixels, tuple[str, ...]]:
    """A loaded Pillow image as a display buffer in the stored orientation, and the note of its window, if any."""
    if image.mode in ("I", "F", "I;16", "I;16B", "I;16L"):
        values = np.array(image)
        kind = np.dtype(np.uint16) if image.mode.startswith("I;16") else np.dtype(np.float32)
        window = colour.window_for(kind, float(values.min()), float(values.max()))
        return display.from_gray(window.to_bytes(values)), (window.note,)
    if image.mode == "LAB":
        return display.from_rgb(colour.lab_to_srgb(np.array(image))), ()
    if image.mode == "CMYK":
        return colour.inks_to_srgb(None, np.array(image)), ()
    if "A" in image.mode or "a" in image.mode or "transparency" in image.info:
        rgba = np.array(image.convert("RGBA"))
        out = display.as_pixels(cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGRA))
        if header.profile is not None:
            out = colour.apply_profile(header.profile, out)
        return display.over_checker(out), ()
    out = display.from_rgb(np.array(image.convert("RGB")))
    if header.profile is not None:
        out = colour.apply_profile(header.profile, out)
    return out, ()
