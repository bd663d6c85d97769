"""The frame counter burnt into every clip of the sample, and the eye that reads it back.

Along the bottom of each frame lies a dark band. Its left 70 % holds 28 equal blocks, black or white: a start mark
(white, black), the frame number in 16 bits (most significant first), a checksum in 8 bits and an end mark (black,
white). All measures are shares of the picture, so the counter can be read from a scaled picture too. To the right of
the blocks stand the same number and the time, for people.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]

BITS = 16
CHECK_BITS = 8
BLOCKS = 2 + BITS + CHECK_BITS + 2
BAND_SHARE = 24
"""The band is 1/24 of the picture's height."""
BLOCK_SHARE = 40
"""A block is 1/40 of the picture's width."""
_GROUND = 18
_MIDDLE = 128


class CounterUnreadableError(ValueError):
    """The picture carries no counter, or a damaged one."""


def checksum(index: int) -> int:
    """Eight bits over a 16-bit `index`: CRC-8 (x^8 + x^2 + x + 1), so that one or two wrong bits never pass."""
    register = 0
    for byte in (index >> 8, index & 0xFF):
        register ^= byte
        for _ in range(8):
            register = (register << 1 ^ 0x07 if register & 0x80 else register << 1) & 0xFF
    return register ^ 0x55


def pattern(index: int) -> list[bool]:
    """The 28 blocks of frame `index` (0-65535), left to right, true for white."""
    if not 0 <= index < 1 << BITS:
        raise ValueError(f"a frame counter has {BITS} bits: {index} does not fit")
    value = [bool(index >> bit & 1) for bit in reversed(range(BITS))]
    check = [bool(checksum(index) >> bit & 1) for bit in reversed(range(CHECK_BITS))]
    return [True, False, *value, *check, False, True]


def band_top(height_px: int) -> int:
    """The first row of the band in a picture of this height."""
    return height_px - max(4, round(height_px / BAND_SHARE))


def draw_counter(frame: Pixels, index: int) -> None:
    """Burn `index` into `frame`, uint8 (height, width, channels), in place; every channel alike."""
    height_px, width_px = frame.shape[:2]
    top = band_top(height_px)
    frame[top:] = _GROUND
    inset = max(1, (height_px - top) // 5)
    for block, white in enumerate(pattern(index)):
        if white:
            left, right = round(block * width_px / BLOCK_SHARE), round((block + 1) * width_px / BLOCK_SHARE)
            frame[top + inset : height_px - inset, left:right] = 235


def read_counter(pixels_bgrx: Pixels) -> int:
    """The frame number burnt into a picture, uint8 (height, width, 3 or 4), any channel order.

    Raises:
        CounterUnreadableError: when marks or checksum do not agree.
    """
    height_px, width_px = pixels_bgrx.shape[:2]
    top = band_top(height_px)
    row_a, row_b = top + (height_px - top) * 2 // 5, max(top + (height_px - top) * 3 // 5, top + 1)
    half = max(1, width_px // BLOCK_SHARE // 4)
    bits = []
    for block in range(BLOCKS):
        centre = round((block + 0.5) * width_px / BLOCK_SHARE)
        patch = pixels_bgrx[row_a:row_b, centre - half : centre + half, :3]
        bits.append(float(patch.mean()) > _MIDDLE)
    index = 0
    for bit in bits[2 : 2 + BITS]:
        index = index << 1 | int(bit)
    if bits != pattern(index):
        raise CounterUnreadableError("no frame counter can be read along the bottom of this picture")
    return index
