"""A large picture while it is being decoded: what is there already, fitted into a box, from the top down."""

from __future__ import annotations

import time
from collections.abc import Callable

from annotator.media import display
from annotator.media.display import Pixels
from annotator.media.header import Header
from annotator.media.pictures import Picture

# Below this a picture is there before a part of it were seen.
PARTS_FROM_PIXELS = 8_000_000
# The first strip at once; later ones not more often than an eye follows: each is a picture to be painted.
_PAUSE_S = 0.12
# What is not there yet: neither of the checker's greys, for nothing is known about it.
_UNKNOWN = 128


class Partly:
    """Takes the whole's buffer as its rows are filled and tells a preview of what is there."""

    def __init__(
        self,
        header: Header,
        box: tuple[int, int],
        tell: Callable[[Picture], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`tell` is called in the decoding thread."""
        self._header, self._tell, self._clock = header, tell, clock
        self._full = header.displayed
        shown = display.fit_size(*self._full, *box)
        self._width, self._height = display.oriented_size(*shown, header.orientation)
        self._scale = shown[0] / self._full[0] if self._full[0] >= self._full[1] else shown[1] / self._full[1]
        self._small = display.empty(self._height, self._width)
        self._small[:] = _UNKNOWN
        self._done = 0
        self._told: float | None = None

    def __call__(self, pixels: Pixels, rows: int) -> None:
        """`rows` of the stored picture's display buffer are filled."""
        now = self._clock()
        if self._told is not None and now - self._told < _PAUSE_S and rows < pixels.shape[0]:
            return
        high = pixels.shape[0]
        if rows * self._height // high < self._done:
            self._done = 0  # again from the top, after damage was met
        until = rows * self._height // high
        if until <= self._done:
            return
        first, last = self._done * high // self._height, until * high // self._height
        part = display.resize(pixels[first : max(last, first + 1)], self._width, until - self._done)
        self._small[self._done : until] = part
        self._done, self._told = until, now
        upright = display.orient(self._small.copy(), self._header.orientation)
        self._tell(Picture(upright, *self._full, self._scale))
