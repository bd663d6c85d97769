"""Display buffers: uint8 (height, width, 4), blue, green, red, unused. How they are turned, fitted, adjusted, exported.

The fourth byte is always 255. Everything here works on whole arrays in native code, so that a worker thread does not
hold the interpreter while a window paints.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]

# What shows behind transparency: two light greys that no one takes for content, in squares of this many pixels.
CHECKER_PX = 8
CHECKER_LIGHT = 255
CHECKER_DARK = 235


def as_pixels(array: Any) -> Pixels:
    """The array as C-contiguous uint8, copied only where it must be."""
    return np.ascontiguousarray(array, dtype=np.uint8)


def empty(height: int, width: int) -> Pixels:
    """An unfilled display buffer."""
    return np.empty((height, width, 4), np.uint8)


def to_rgb(pixels: Pixels) -> Pixels:
    """uint8 (height, width, 3) in the order red, green, blue: for export and for people who think in RGB."""
    return as_pixels(cv2.cvtColor(pixels, cv2.COLOR_BGRA2RGB))


def from_rgb(rgb: Pixels) -> Pixels:
    """A display buffer of uint8 (height, width, 3) RGB."""
    return as_pixels(cv2.cvtColor(rgb, cv2.COLOR_RGB2BGRA))


def from_gray(gray: Pixels) -> Pixels:
    """A display buffer of uint8 (height, width) grey."""
    return as_pixels(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGRA))


def checker(height: int, width: int, top: int = 0, left: int = 0) -> npt.NDArray[np.uint8]:
    """The backdrop behind transparency, uint8 (height, width); `top` and `left` place a strip within its picture."""
    rows = (np.arange(top, top + height) // CHECKER_PX) & 1
    columns = (np.arange(left, left + width) // CHECKER_PX) & 1
    dark = (rows[:, None] ^ columns[None, :]).astype(bool)
    return np.where(dark, np.uint8(CHECKER_DARK), np.uint8(CHECKER_LIGHT))


def over_checker(bgra: Pixels, top: int = 0, left: int = 0) -> Pixels:
    """Compose straight (not premultiplied) alpha over the checker; the result is opaque."""
    alpha = bgra[:, :, 3]
    out = bgra.copy()
    out[:, :, 3] = 255
    if int(alpha.min(initial=255)) == 255:
        return out
    height, width = alpha.shape
    weight = alpha.astype(np.uint16)
    back = checker(height, width, top, left).astype(np.uint16) * (255 - weight)
    for channel in range(3):
        mixed = bgra[:, :, channel].astype(np.uint16) * weight + back
        out[:, :, channel] = (mixed + 127) // 255
    return out


def orient(pixels: Pixels, orientation: int) -> Pixels:
    """Apply an EXIF or TIFF orientation (1 to 8): afterwards the first row is the visual top."""
    if orientation == 2:
        return as_pixels(cv2.flip(pixels, 1))
    if orientation == 3:
        return as_pixels(cv2.rotate(pixels, cv2.ROTATE_180))
    if orientation == 4:
        return as_pixels(cv2.flip(pixels, 0))
    if orientation == 5:
        return as_pixels(cv2.transpose(pixels))
    if orientation == 6:
        return as_pixels(cv2.rotate(pixels, cv2.ROTATE_90_CLOCKWISE))
    if orientation == 7:
        return as_pixels(cv2.flip(cv2.transpose(pixels), -1))
    if orientation == 8:
        return as_pixels(cv2.rotate(pixels, cv2.ROTATE_90_COUNTERCLOCKWISE))
    return pixels


def oriented_size(width: int, height: int, orientation: int) -> tuple[int, int]:
    """Width and height as displayed."""
    return (height, width) if orientation in (5, 6, 7, 8) else (width, height)


def stored_rect(
    rect: tuple[int, int, int, int], width: int, height: int, orientation: int
) -> tuple[int, int, int, int]:
    """Where a rectangle (x, y, width, height) of the displayed picture lies in the stored one of `width` x `height`."""
    x, y, w, h = rect
    if orientation in (5, 6, 7, 8):
        x, y, w, h = y, x, h, w
    if orientation in (2, 3, 7, 8):
        x = width - x - w
    if orientation in (3, 4, 6, 7):
        y = height - y - h
    return x, y, w, h


def rotation_of(orientation: int) -> int:
    """Degrees, counter-clockwise, by which an orientation turns the stored picture (mirrors aside)."""
    return {3: 180, 4: 180, 5: -90, 6: -90, 7: 90, 8: 90}.get(orientation, 0)


def fit_size(width: int, height: int, box_w: int, box_h: int) -> tuple[int, int]:
    """The largest size within the box in the picture's proportions; never enlarged, never below one pixel."""
    scale = min(1.0, box_w / width, box_h / height)
    return max(1, min(box_w, round(width * scale))), max(1, min(box_h, round(height * scale)))


def resize(pixels: Pixels, width: int, height: int) -> Pixels:
    """Resample: area average when shrinking, cubic when growing."""
    have_h, have_w = pixels.shape[:2]
    if (have_w, have_h) == (width, height):
        return pixels
    shrinks = width <= have_w and height <= have_h
    return as_pixels(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC))


def to_screen(pixels: Pixels, width: int, height: int) -> Pixels:
    """A level at the size of the screen's pixels: quickly (bilinear) down to its half, else as `resize` does."""
    have_h, have_w = pixels.shape[:2]
    if width <= have_w < 2 * width + 2 and height <= have_h < 2 * height + 2:
        return as_pixels(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_LINEAR))
    return resize(pixels, width, height)


def adjust(pixels: Pixels, brightness: float = 0.0, contrast: float = 1.0, gamma: float = 1.0) -> Pixels:
    """A copy as a person wants to see it; the data itself is never changed.

    `brightness` is added (in shares of the full range, -1 to 1), `contrast` is a factor about middle grey, `gamma` is
    the exponent's denominator (above 1 lifts the shadows). Neutral values give the same pixels back.
    """
    if brightness == 0.0 and contrast == 1.0 and gamma == 1.0:
        return pixels
    ramp = np.arange(256, dtype=np.float64) / 255.0
    ramp = np.clip((ramp - 0.5) * contrast + 0.5 + brightness, 0.0, 1.0) ** (1.0 / max(gamma, 0.01))
    table = np.round(ramp * 255.0).astype(np.uint8)
    tables = np.stack([table, table, table, np.full(256, 255, np.uint8)], axis=1)[None]
    return as_pixels(cv2.LUT(pixels, tables))
