"""Several files read as one, so that the parts of a split archive need no copy that joins them."""

from __future__ import annotations

import bisect
import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO


class Joined(io.RawIOBase):
    """The concatenation of files; one of them is open at a time."""

    def __init__(self, paths: Sequence[Path], on_read: Callable[[int], None] | None = None) -> None:
        """Look at the sizes; the files must not change while this is used. `on_read` is told of bytes as they are."""
        super().__init__()
        self._paths = list(paths)
        self._ends: list[int] = []
        total = 0
        for path in self._paths:
            total += path.stat().st_size
            self._ends.append(total)
        self.size = total
        self._at = 0
        self._open: BinaryIO | None = None
        self._number = -1
        self._on_read = on_read

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a byte of the whole."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self.size}[whence]
        if base + offset < 0:
            raise OSError(f"there is no byte {base + offset}")
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        """The byte of the whole that comes next."""
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Read from the file that holds the next byte, up to its end."""
        if self._at >= self.size:
            return 0
        number = bisect.bisect_right(self._ends, self._at)
        begin = self._ends[number - 1] if number else 0
        source = self._source(number)
        source.seek(self._at - begin)
        view = memoryview(buffer)[: self._ends[number] - self._at]
        block = source.read(len(view))
        view[: len(block)] = block
        self._at += len(block)
        if self._on_read is not None:
            self._on_read(len(block))
        return len(block)

    def _source(self, number: int) -> BinaryIO:
        if self._open is None or number != self._number:
            if self._open is not None:
                self._open.close()
            self._open = self._paths[number].open("rb")
            self._number = number
        return self._open

    def close(self) -> None:
        """Close the file that is open."""
        if self._open is not None:
            self._open.close()
            self._open = None
        super().close()
