"""Moving pictures (GIF, animated WebP) as a clip: frames by index, each for as long as the file says."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

import PIL.Image

from annotator.cancel import CancelToken, check
from annotator.errors import WorldError
from annotator.media import decode, display
from annotator.media.clip import as_time
from annotator.media.display import Pixels
from annotator.media.frames import Frame
from annotator.media.header import PILLOW_ERRORS, check_budget, frame_count, opened_by_pillow, read_header, refuse
from annotator.media.sniff import name_of

# Files that ask for no delay at all were made for players that waited this long anyway.
CUSTOMARY_DELAY_MS = 100
_SHORTEST_DELAY_MS = 20

# Composed frames kept, for steps backward would compose the whole picture again from its first frame.
_KEPT_BYTES = 64 * 2**20

# Every frame is composed in full: beyond an 8K screen's pixels each step would take a second.
FRAME_PIXEL_BUDGET = 34_000_000


class Animation:
    """A moving picture with the interface of a clip. Frames are composed as the format says, over the checker."""

    rotation = 0

    def __init__(self, path: str | os.PathLike[str], token: CancelToken | None = None) -> None:
        """Read the header and the delays; WorldError for what cannot be shown."""
        self.path = os.fspath(path)
        self._header = read_header(path)
        check_budget(self._header, FRAME_PIXEL_BUDGET)
        self.codec = self._header.format
        self.width, self.height = self._header.displayed
        self.notes = self._header.notes
        self.damaged, self.why = False, ""
        self.start = Fraction(0)
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, Pixels] = OrderedDict()
        self._delays_ms: list[int] = []
        with opened_by_pillow(path) as image:
            self._read_delays(image, token)
        if not self._delays_ms:
            raise refuse(path, "is damaged, none of its frames can be shown: get the file again.")

    def _read_delays(self, image: PIL.Image.Image, token: CancelToken | None) -> None:
        count = frame_count(image)
        for number in range(count):
            check(token)
            try:
                decode.seek_page(image, number)
                if self._header.format == "webp":
                    image.load()
            except PILLOW_ERRORS:
                self.damaged = True
                self.why = f"{name_of(self.path)} is damaged or incomplete: {number} of {count} frames can be shown"
                return
            delay = round(float(image.info.get("duration", 0) or 0))
            self._delays_ms.append(delay if delay >= _SHORTEST_DELAY_MS else CUSTOMARY_DELAY_MS)

    @property
    def durations_ms(self) -> tuple[int, ...]:
        """How long each frame stays, in milliseconds."""
        return tuple(self._delays_ms)

    def __len__(self) -> int:
        return len(self._delays_ms)

    @cached_property
    def times(self) -> tuple[Fraction, ...]:
        """When each frame appears, in seconds."""
        ends = accumulate(self._delays_ms)
        return (Fraction(0), *(Fraction(end, 1000) for end in ends))[: len(self)]

    @property
    def duration(self) -> Fraction:
        """One round of the animation, in seconds."""
        return Fraction(sum(self._delays_ms), 1000)

    def index_at(self, t: Fraction | float | int) -> int:
        """The frame whose interval holds t: before 0 the first, past the end the last."""
        wanted, index = as_time(t), 0
        for number, begins in enumerate(self.times):
            if begins > wanted:
                break
            index = number
        return index

    def time_of(self, index: int) -> Fraction:
        """When frame `index` appears, in seconds."""
        return self.times[index]

    def frame_at(self, t: Fraction | float | int, token: CancelToken | None = None) -> Frame:
        """The frame whose interval holds t seconds."""
        return self.frame(self.index_at(t), token)

    def frame(self, index: int, token: CancelToken | None = None) -> Frame:
        """Frame `index`, composed; the nearest earlier one, marked, where its data is damaged."""
        if not 0 <= index < len(self):
            raise IndexError(f"frame {index} of {len(self)}")
        with self._lock:
            if index in self._kept:
                self._kept.move_to_end(index)
                return self._made(index, index, self._kept[index])
            with opened_by_pillow(self.path) as image:
                for number in range(index, -1, -1):
                    check(token)
                    try:
                        image.seek(number)
                        image.load()
                        pixels, _ = decode.pillow_to_buffer(image, self._header)
                    except PILLOW_ERRORS:
                        continue
                    pixels = display.orient(pixels, self._header.orientation)
                    self._keep(number, pixels)
                    return self._made(index, number, pixels)
        raise WorldError(f"{name_of(self.path)}: frame {index} cannot be decoded.", path=self.path)

    def _keep(self, number: int, pixels: Pixels) -> None:
        self._kept[number] = pixels
        while len(self._kept) > max(1, _KEPT_BYTES // pixels.nbytes):
            self._kept.popitem(last=False)

    def _made(self, asked: int, number: int, pixels: Pixels) -> Frame:
        if number == asked:
            return Frame(number, self.times[number], pixels, notes=self.notes)
        why = f"frame {asked} of {name_of(self.path)} cannot be decoded: frame {number} is shown in its place"
        return Frame(number, self.times[number], pixels, exact=False, damaged=True, why=why, notes=self.notes)

    def preview_at(self, t: Fraction | float | int, token: CancelToken | None = None) -> Frame:
        """Moving pictures have nothing quicker than the frame itself."""
        return self.frame_at(t, token)

    def close(self) -> None:
        """Nothing is held open between frames."""

    def __enter__(self) -> Animation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
