"""The rotation and mirroring which a container asks for.

The decoder's binding tells the rotation of a frame. Mirrors it tells only through a frame's side data, and touching
that makes the interpreter crash later, while it collects garbage, for frames that carry a colour profile. The
containers that can ask for a mirror at all are MP4 and QuickTime, and what they ask for stands in the track's header:
it is read from there.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import cv2

from annotator.media import display
from annotator.media.display import Pixels

# A header box larger than this is no header.
_LARGEST_MOOV = 256 * 2**20


@dataclass(frozen=True)
class Matrix:
    """The signs of a 2 x 2 matrix of quarter turns: across = a x + c y, down = b x + d y."""

    a: int = 1
    b: int = 0
    c: int = 0
    d: int = 1

    @property
    def turns(self) -> bool:
        """Whether width and height change places."""
        return self.a == 0

    @property
    def mirrors(self) -> bool:
        """Whether left and right, or top and bottom, change places besides any turn."""
        return self.a * self.d - self.b * self.c < 0

    def apply(self, pixels: Pixels) -> Pixels:
        """The picture as it should stand on the screen."""
        if self.turns:
            pixels = display.as_pixels(cv2.transpose(pixels))
            across, down = self.c < 0, self.b < 0
        else:
            across, down = self.a < 0, self.d < 0
        if across and down:
            return display.as_pixels(cv2.flip(pixels, -1))
        if across:
            return display.as_pixels(cv2.flip(pixels, 1))
        return display.as_pixels(cv2.flip(pixels, 0)) if down else pixels


_TURNS = {90: Matrix(0, -1, 1, 0), -90: Matrix(0, 1, -1, 0), 180: Matrix(-1, 0, 0, -1), -180: Matrix(-1, 0, 0, -1)}


def matrix_of(path: str, container: str, rotation: int) -> Matrix:
    """What to do with the frames of a file, given its container's name and the rotation its frames tell.

    The track's own matrix counts where it mirrors; for turns alone the frames know better (streams may turn midway).
    """
    turn = _TURNS.get(90 * round(rotation / 90), Matrix())
    if not container.startswith("mov"):
        return turn
    try:
        with open(path, "rb") as handle:
            own = _track_matrix(handle)
    except (OSError, struct.error):
        return turn
    return own if own is not None and own.mirrors else turn


def _track_matrix(handle: BinaryIO) -> Matrix | None:
    """The matrix of the first video track, or None if there is none to be found."""
    size = os.fstat(handle.fileno()).st_size
    for kind, begin, end in _boxes_of_file(handle, size):
        if kind != b"moov":
            continue
        if end - begin > _LARGEST_MOOV:
            return None
        handle.seek(begin)
        moov = handle.read(end - begin)
        for track in _inside(moov, b"trak"):
            media = next(_inside(track, b"mdia"), b"")
            handler = next(_inside(media, b"hdlr"), b"")
            header = next(_inside(track, b"tkhd"), b"")
            if handler[8:12] == b"vide" and header:
                return _from_header(header)
    return None


def _from_header(header: bytes) -> Matrix:
    at = 52 if header[0] == 1 else 40
    a, b, _, c, d = struct.unpack_from(">5i", header, at)
    if abs(a) + abs(d) >= abs(b) + abs(c):
        return Matrix(_sign(a) or 1, 0, 0, _sign(d) or 1)
    return Matrix(0, _sign(b) or 1, _sign(c) or 1, 0)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _boxes_of_file(handle: BinaryIO, size: int) -> Iterator[tuple[bytes, int, int]]:
    """The outermost boxes as (kind, begin of content, end)."""
    at = 0
    while at + 8 <= size:
        handle.seek(at)
        head = handle.read(16)
        length, kind = struct.unpack_from(">I4s", head)
        begin = at + 8
        if length == 1 and len(head) == 16:
            length, begin = struct.unpack_from(">Q", head, 8)[0], at + 16
        end = size if length == 0 else at + length
        if end < begin:
            return
        yield kind, begin, min(end, size)
        at = end


def _inside(data: bytes, wanted: bytes) -> Iterator[bytes]:
    """The contents of the boxes of one kind directly inside another's content."""
    at = 0
    while at + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if length < 8:
            return
        if kind == wanted:
            yield data[at + 8 : at + length]
        at += length
