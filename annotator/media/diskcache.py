"""Previews of large pictures and lossless tiles of very large ones, kept on disk between sessions.

A file is known by its path, size and time of change, so a file that was replaced is another one. What is kept can be
made again from the originals at any time: a folder that is deleted, full or damaged costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import struct
import threading
from collections.abc import Hashable
from pathlib import Path

import simplejpeg

from annotator.media import display, keeping
from annotator.media.pictures import Picture

# From here on a cold preview takes longer than two frames of the screen; below, decoding it again is as quick.
PREVIEW_FROM_PIXELS = 8_000_000
# A preview is replaced by native pixels; at this quality nothing is seen of its own compression until then.
_QUALITY = 92
# Up to here reading and decoding takes no longer than a window may be held for: some 3 ms.
QUICK_BYTES = 256 * 2**10
_MAGIC = b"previ\x00\x01\x00"
PREVIEW_BYTES = 512 * 2**20
TILES_BYTES = 8 * 2**30


class DiskCache:
    """One folder of previews and tiles, each kind within a budget of bytes: the longest unused goes first."""

    def __init__(self, folder: Path, preview_bytes: int = PREVIEW_BYTES, tiles_bytes: int = TILES_BYTES) -> None:
        """`folder` is made when there is something to keep."""
        self.folder = folder
        self._budgets = {"previews": preview_bytes, "tiles": tiles_bytes}
        self._lock = threading.Lock()

    def place(self, kind: str, *names: Hashable) -> Path:
        """Where something is kept, whether or not it is there; `kind` is `previews` or `tiles`.

        The first of `names` is the identity of the file it is made from: it is found again by that file's name.
        """
        digest = hashlib.sha256(repr(names).encode("utf-8", "surrogatepass")).hexdigest()
        mark = keeping.mark_of(str(getattr(names[0], "path", "")) if names else "")
        return self.folder / kind / f"{mark}{digest[:40]}"

    def preview(self, identity: Hashable, box: tuple[int, int], at_most: int | None = None) -> Picture | None:
        """The preview kept for a file at a box; None where there is none, or none that can be read.

        `at_most`: nor one of more bytes.
        """
        place = self.place("previews", identity, box)
        try:
            if at_most is not None and place.stat().st_size > at_most:
                return None
            data = place.read_bytes()
            if data[:8] != _MAGIC:
                return None
            (length,) = struct.unpack_from("<I", data, 8)
            told = json.loads(data[12 : 12 + length])
            pixels = display.as_pixels(simplejpeg.decode_jpeg(data[12 + length :], "BGRX", strict=True))
            size = (int(told["width"]), int(told["height"]))
            found = Picture(pixels, *size, float(told["scale"]), notes=tuple(map(str, told["notes"])))
        except (OSError, ValueError, KeyError, TypeError, struct.error):
            return None
        if pixels.shape[:2] != display.fit_size(*size, *box)[::-1]:
            return None
        self.touch(place)
        return found

    def keep_preview(self, identity: Hashable, box: tuple[int, int], picture: Picture) -> bool:
        """Keep a preview of a large, whole picture; whether it was kept. A full disk is nobody's trouble here."""
        if picture.damaged or picture.full_width_px * picture.full_height_px < PREVIEW_FROM_PIXELS:
            return False
        told = {
            "width": picture.full_width_px, "height": picture.full_height_px, "scale": picture.scale,
            "notes": list(picture.notes),
        }  # fmt: skip
        head = json.dumps(told).encode()
        jpeg = simplejpeg.encode_jpeg(picture.pixels, _QUALITY, "BGRX", "444")
        place = self.place("previews", identity, box)
        partial = place.with_name(f"{place.name}.{threading.get_ident()}.part")
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            partial.write_bytes(_MAGIC + struct.pack("<I", len(head)) + head + jpeg)
            os.replace(partial, place)
        except OSError:
            with contextlib.suppress(OSError):
                partial.unlink()
            return False
        self.trim("previews")
        return True

    @staticmethod
    def touch(place: Path) -> None:
        """Something was used just now."""
        with contextlib.suppress(OSError):
            os.utime(place)

    def trim(self, kind: str, coming_bytes: int = 0) -> None:
        """Remove what was not used for longest until the rest, and `coming_bytes` more, fit the budget."""
        with self._lock:
            held: list[tuple[float, int, Path]] = []
            with contextlib.suppress(OSError):
                for entry in os.scandir(self.folder / kind):
                    with contextlib.suppress(OSError):
                        state = entry.stat()
                        held.append((state.st_mtime, state.st_size, Path(entry.path)))
            total = sum(size for _, size, _ in held) + coming_bytes
            for _, size, place in sorted(held):
                if total <= self._budgets[kind]:
                    break
                with contextlib.suppress(OSError):
                    place.unlink()
                    total -= size

    def room(self) -> int:
        """Free bytes of the disk that holds the folder."""
        place = self.folder
        while not place.exists() and place != place.parent:
            place = place.parent
        return shutil.disk_usage(place).free
