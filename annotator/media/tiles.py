"""Native pixels of pictures too large to be held: tile by tile, from the original or from a lossless copy of it.

A TIFF that holds its own pyramid is read where it is wanted. Everything else can be read from top to bottom only, and
a tile at its foot would cost a whole decoding; so it is decoded once into a file of display pixels, in tiles, with its
halvings, on which every tile is one read.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import cv2
import numpy as np

from annotator.cancel import CancelToken
from annotator.errors import WorldError
from annotator.media import decode, display, streaming
from annotator.media.display import Pixels
from annotator.media.header import Header, open_vips, read_header, refuse
from annotator.media.sniff import world_error

SIDE = 512
# The preview stands in for anything smaller.
SMALLEST_PX = 1024
_SLOT = SIDE * SIDE * 3
_MAGIC = b"tiles\x00\x01\x00"
_HEAD = 4096
_SPARE_BYTES = 1 << 30

Size = tuple[int, int]


@dataclass(frozen=True)
class Tiles:
    """A very large picture, read by tiles of `SIDE` px.

    Attributes:
        header: of the original.
        sizes: (width, height) of each level as displayed; level 0 is native, each further one half the one before.
        copy: the lossless copy; None where the original itself is read.
        damaged: part of it could not be decoded.
    """

    header: Header
    sizes: tuple[Size, ...]
    copy: Path | None
    damaged: bool = False

    @property
    def nbytes(self) -> int:
        """What it holds in memory: next to nothing."""
        return 1024

    def grid(self, level: int) -> Size:
        """Columns and rows of a level."""
        width, height = self.sizes[level]
        return -(-width // SIDE), -(-height // SIDE)

    def box(self, level: int, column: int, row: int) -> tuple[int, int, int, int]:
        """The place (x, y, width, height) of a tile in its level, as displayed."""
        width, height = self.sizes[level]
        x, y = column * SIDE, row * SIDE
        return x, y, min(SIDE, width - x), min(SIDE, height - y)

    def tile(self, level: int, column: int, row: int, token: CancelToken | None = None) -> Pixels:
        """The display pixels of a tile, upright. Raises WorldError where the file is gone or broken."""
        stored_w, stored_h = display.oriented_size(*self.sizes[level], self.header.orientation)
        rect = display.stored_rect(self.box(level, column, row), stored_w, stored_h, self.header.orientation)
        if self.copy is None:
            pixels = decode.decode_rect(self.header, token, rect, page=level).pixels
        else:
            stored = [display.oriented_size(*size, self.header.orientation) for size in self.sizes]
            pixels = _read(self.copy, stored, level, rect)
        return display.orient(pixels, self.header.orientation)


def level_sizes(width: int, height: int) -> list[Size]:
    """The sizes of a copy's levels, native first."""
    sizes = [(width, height)]
    while max(sizes[-1]) > SMALLEST_PX:
        sizes.append((max(1, sizes[-1][0] // 2), max(1, sizes[-1][1] // 2)))
    return sizes


def copy_bytes(header: Header) -> int:
    """The size of the lossless copy of a picture, in bytes."""
    return _HEAD + _SLOT * sum(_columns(w) * _columns(h) for w, h in level_sizes(header.width, header.height))


def in_original(path: str | os.PathLike[str]) -> Tiles | None:
    """The tiles of a TIFF that holds its own pyramid in eight bits; None for everything else."""
    header = read_header(path)
    if header.format != "tiff" or header.levels < 2 or header.bits > 8:
        return None
    pages = (open_vips(path, "tiff", strict=False, page=level) for level in range(header.levels))
    sizes = (display.oriented_size(int(page.width), int(page.height), header.orientation) for page in pages)
    return Tiles(header, tuple(sizes), None)


def opened(path: str | os.PathLike[str], copy: Path) -> Tiles | None:
    """The tiles of a copy that was finished earlier, None where there is none."""
    header = read_header(path)
    try:
        with open(copy, "rb") as handle:
            head = handle.read(_HEAD)
        if head[:8] != _MAGIC:
            return None
        (length,) = struct.unpack_from("<I", head, 8)
        damaged = bool(json.loads(head[12 : 12 + length])["damaged"])
    except (OSError, ValueError, KeyError, struct.error):
        return None
    return _tiles(header, copy, damaged=damaged)


def _tiles(header: Header, copy: Path, *, damaged: bool) -> Tiles:
    sizes = (display.oriented_size(*s, header.orientation) for s in level_sizes(header.width, header.height))
    return Tiles(header, tuple(sizes), copy, damaged)


def make(path: str | os.PathLike[str], copy: Path, free_bytes: int, token: CancelToken | None = None) -> Tiles:
    """Decode a picture once into a lossless copy of its display pixels, in tiles; whole or not at all.

    Raises WorldError where it cannot be read by rows, where nothing of it can be decoded, or where the disk has no
    room, and Cancelled between strips.
    """
    header = read_header(path)
    if not streaming.streams(header):
        raise refuse(path, "is too large for its format to be shown: make a smaller copy.", "media_over_budget")
    if copy_bytes(header) + _SPARE_BYTES > free_bytes:
        raise refuse(
            path,
            f"needs {copy_bytes(header) / 1e9:,.1f} GB of free disk for its native pixels: it is shown reduced. Make "
            "room, or convert it to a tiled TIFF with a pyramid.",
            "media_no_room",
        )
    partial = copy.with_name(f"{copy.name}.{threading.get_ident()}.part")
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        with open(partial, "w+b") as handle:
            damaged = _write(handle, header, token)
            told = json.dumps({"damaged": damaged}).encode()
            handle.seek(0)
            handle.write(_MAGIC + struct.pack("<I", len(told)) + told)
        os.replace(partial, copy)
    except OSError as error:
        raise world_error(copy, error) from error
    finally:
        with contextlib.suppress(OSError):
            partial.unlink()
    return _tiles(header, copy, damaged=damaged)


def _write(file: BinaryIO, header: Header, token: CancelToken | None) -> bool:
    sizes = level_sizes(header.width, header.height)
    writers = _levels(file, sizes)
    was_damaged = False
    for _, rows, damaged in streaming.rows(header, token):
        if damaged and not was_damaged:
            writers, was_damaged = _levels(file, sizes), True
        writers[0].add(rows[:, :, :3])
    writers[0].finish()
    return was_damaged


def _levels(file: BinaryIO, sizes: list[Size]) -> list[_Level]:
    found: list[_Level] = []
    base, below = _HEAD, None
    bases = []
    for width, height in sizes:
        bases.append(base)
        base += _SLOT * _columns(width) * _columns(height)
    for (width, _), start in zip(reversed(sizes), reversed(bases), strict=True):
        below = _Level(file, start, width, below)
        found.append(below)
    return found[::-1]


class _Level:
    """Writes one level strip by strip, and hands each strip, halved, on to the level below."""

    def __init__(self, file: BinaryIO, base: int, width: int, below: _Level | None) -> None:
        self._file, self._base, self._width, self._below = file, base, width, below
        self._held: list[Pixels] = []
        self._rows = self._strip = 0

    def add(self, rows: Pixels) -> None:
        """More rows, BGR; all but the last of a picture come in even numbers."""
        self._held.append(rows)
        self._rows += rows.shape[0]
        if self._rows >= SIDE:
            whole = np.concatenate(self._held) if len(self._held) > 1 else self._held[0]
            self._held, self._rows = [], 0
            if whole.shape[0] > SIDE:
                self._held, self._rows = [whole[SIDE:]], whole.shape[0] - SIDE
            self._flush(whole[:SIDE])

    def finish(self) -> None:
        """The last rows, here and below."""
        if self._rows:
            self._flush(np.concatenate(self._held))
            self._held, self._rows = [], 0
        if self._below is not None:
            self._below.finish()

    def _flush(self, strip: Pixels) -> None:
        columns = _columns(self._width)
        for column in range(columns):
            tile = np.ascontiguousarray(strip[:, column * SIDE : (column + 1) * SIDE])
            self._file.seek(self._base + _SLOT * (self._strip * columns + column))
            self._file.write(tile.data)
        self._strip += 1
        if self._below is not None and strip.shape[0] >= 2:
            size = (max(1, self._width // 2), strip.shape[0] // 2)
            halved = cv2.resize(np.ascontiguousarray(strip), size, interpolation=cv2.INTER_AREA)
            self._below.add(np.asarray(halved, np.uint8))


def _read(copy: Path, sizes: list[Size], level: int, rect: tuple[int, int, int, int]) -> Pixels:
    """A rectangle of a level of the copy, put together from the tiles it touches."""
    width, height = sizes[level]
    base = _HEAD + _SLOT * sum(_columns(w) * _columns(h) for w, h in sizes[:level])
    x, y, w, h = rect
    out = display.empty(h, w)
    out[:, :, 3] = 255
    try:
        with open(copy, "rb") as handle:
            for row in range(y // SIDE, (y + h - 1) // SIDE + 1):
                for column in range(x // SIDE, (x + w - 1) // SIDE + 1):
                    left, top = column * SIDE, row * SIDE
                    shape = (min(SIDE, height - top), min(SIDE, width - left), 3)
                    start = base + _SLOT * (row * _columns(width) + column)
                    handle.seek(start)
                    tile = np.frombuffer(handle.read(shape[0] * shape[1] * 3), np.uint8).reshape(shape)
                    x0, y0, x1, y1 = max(x, left), max(y, top), min(x + w, left + shape[1]), min(y + h, top + shape[0])
                    out[y0 - y : y1 - y, x0 - x : x1 - x, :3] = tile[y0 - top : y1 - top, x0 - left : x1 - left]
    except OSError as error:
        raise world_error(copy, error) from error
    except ValueError as error:
        raise WorldError(
            f'The kept copy "{copy}" is damaged: delete it, and open the picture again.',
            code="media_io",
            path=str(copy),
        ) from error
    return out


def _columns(length: int) -> int:
    return -(-length // SIDE)
