"""A clip by presentation time: the frame shown at t is the frame whose interval holds t.

Never frames per second times seconds: rates vary, start times are not zero, edit lists hide what is stored. A seek goes
to the key frame by its decode time and is believed only when that very key frame arrives; from there the decoder runs
to the frame wanted. Frames that nothing else is built on are skipped on the way, where the codec allows it.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from fractions import Fraction
from functools import cached_property

import numpy as np
from av.video.frame import VideoFrame

from annotator.cancel import CancelToken, check
from annotator.errors import WorldError
from annotator.media import frames as convert
from annotator.media.container import open_container
from annotator.media.display import fit_size
from annotator.media.frames import Frame
from annotator.media.matrix import matrix_of
from annotator.media.packets import PacketIndex, build_index, reordered
from annotator.media.reader import Reader
from annotator.media.sniff import name_of

# Decoded frames kept for steps backward and to and fro: this many bytes of the decoder's own format.
WINDOW_BYTES = 96 * 2**20

# Key frames kept for previews: all thumbnails of a group of pictures come from one.
_KEYS_KEPT = 2

# A frame ahead is reached by decoding on, without a seek, while no key frame lies between or it is this close.
_STEP_ON = 4


def as_time(seconds: Fraction | float | int | str) -> Fraction:
    """Seconds as an exact fraction. A float means the decimal it prints as: 0.3 is 3/10, not 0.29999999999999998."""
    return Fraction(str(seconds)) if isinstance(seconds, float) else Fraction(seconds)


class Clip:
    """One open video file. Calls may come from any thread, one at a time; `close` it when done.

    Raises WorldError on opening what holds no picture, is incomplete beyond use or cannot be decoded.
    """

    def __init__(
        self, path: str | os.PathLike[str], token: CancelToken | None = None, index: PacketIndex | None = None
    ) -> None:
        """Open, index (unless the index of an earlier opening is given) and decode the first frame."""
        self.path = os.fspath(path)
        self._lock = threading.RLock()
        self._window: OrderedDict[int, tuple[VideoFrame, bool]] = OrderedDict()
        self._keys: OrderedDict[int, VideoFrame] = OrderedDict()  # by packet
        self._last = -1
        self._reader = Reader(self.path)
        try:
            self.packet_index = index if index is not None else self._build(token)
            if not self.packet_index.shown.size:
                raise WorldError(
                    f"{name_of(path)} has a video track without a single frame: get the file again.",
                    code="media_no_frames",
                    path=self.path,
                )
            self._reader.use(self.packet_index)
            first = self._first_frame(token)
        except BaseException:
            self._reader.close()
            raise
        self.rotation = int(first.rotation)
        self._matrix = matrix_of(self.path, self._reader.container, self.rotation)
        self._size = convert.stretched_size(first.width, first.height, self._reader.aspect)
        self._stored = (first.width, first.height)
        self.width, self.height = self._size[::-1] if self._matrix.turns else self._size
        self.colour, self.notes = convert.colour_of(first)
        self.alpha = convert.has_alpha(first)
        self.bits = max(component.bits for component in first.format.components)

    def _build(self, token: CancelToken | None) -> PacketIndex:
        with open_container(self.path) as container:
            index = build_index(container, token)
        if not index.untimed or not index.pts.size:
            return index
        self._reader.use(index)
        return reordered(index, self._reader.display_order(token))

    def _first_frame(self, token: CancelToken | None) -> VideoFrame:
        got, _ = self._decode(0, token)
        if got is None:
            raise WorldError(
                f"{name_of(self.path)} ({self.codec}) opens, but none of its frames can be decoded here: "
                "get the file again or convert it to H.264.",
                code="media_undecodable",
                path=self.path,
            )
        return got[1]

    # ---------------------------------------------------------------------------------------------------- what it is

    @property
    def codec(self) -> str:
        """The codec's name, the same whichever decoder library does the work."""
        return self._reader.codec

    @property
    def damaged(self) -> bool:
        """Whether the file as a whole is known to be incomplete; single frames may be damaged besides."""
        return bool(self.packet_index.incomplete)

    @property
    def why(self) -> str:
        """A sentence about what is missing, or empty."""
        return f"{name_of(self.path)}: {self.packet_index.incomplete}" if self.damaged else ""

    @cached_property
    def times(self) -> tuple[Fraction, ...]:
        """When each frame appears, in seconds after the first presented frame; exact, ascending."""
        base = self.packet_index.time_base
        return tuple(tick * base for tick in (self.packet_index.shown - self.packet_index.shown[0]).tolist())

    @property
    def start(self) -> Fraction:
        """The container's own time of the first presented frame, in seconds."""
        return int(self.packet_index.shown[0]) * self.packet_index.time_base

    @property
    def duration(self) -> Fraction:
        """From the first frame's appearance to the end of the last one's interval, in seconds."""
        return int(self.packet_index.end - self.packet_index.shown[0]) * self.packet_index.time_base

    def __len__(self) -> int:
        return int(self.packet_index.shown.size)

    def index_at(self, t: Fraction | float | int) -> int:
        """The number of the frame whose interval holds t: before 0 the first, past the end the last."""
        ticks = as_time(t) / self.packet_index.time_base
        at = int(self.packet_index.shown[0]) + (ticks.numerator // ticks.denominator)
        return max(0, int(np.searchsorted(self.packet_index.shown, at, side="right")) - 1)

    def time_of(self, index: int) -> Fraction:
        """When frame `index` appears, in seconds after the first."""
        shown = self.packet_index.shown
        return int(shown[index] - shown[0]) * self.packet_index.time_base

    # ------------------------------------------------------------------------------------------------------- frames

    def frame_at(self, t: Fraction | float | int, token: CancelToken | None = None) -> Frame:
        """The frame whose interval holds t seconds after the first presented frame."""
        return self.frame(self.index_at(t), token)

    def frame(self, index: int, token: CancelToken | None = None) -> Frame:
        """Frame `index`, exactly; the nearest one that decodes, marked, where it does not. Raises IndexError."""
        if not 0 <= index < len(self):
            raise IndexError(f"frame {index} of {len(self)}")
        with self._lock:
            got, clean = self._decode(index, token)
            if got is None:
                raise WorldError(
                    f"{name_of(self.path)}: frame {index} and its neighbours cannot be decoded.",
                    code="media_undecodable",
                    path=self.path,
                )
            self._last = index
            return self._present(index, got[0], got[1], clean=clean)

    def preview_at(
        self, t: Fraction | float | int, token: CancelToken | None = None, box: tuple[int, int] | None = None
    ) -> Frame:
        """The key frame before t, decoded alone: quick, for scrubbing; `exact` tells whether it is the frame itself.

        `box`: fitted into this many pixels, for thumbnails; it is converted at that size and not at its own.
        """
        index = self.index_at(t)
        with self._lock:
            if index in self._window:
                return self._present(index, index, self._window[index][0], clean=self._window[index][1], box=box)
            packet = self.packet_index.key_before(int(self.packet_index.packet_of[index]))
            got = self._keys.get(packet) or self._reader.key_frame(packet, token)
            shown = self._index_of(int(self.packet_index.pts[packet]))
            if got is None or shown is None:
                return self.frame(index, token)
            self._keys[packet] = got
            self._keys.move_to_end(packet)
            while len(self._keys) > _KEYS_KEPT:
                self._keys.popitem(last=False)
            frame = self._present(index, shown, got, clean=not got.is_corrupt, box=box)
            why = "" if shown == index else "a key frame nearby, not the exact frame"
            return Frame(shown, frame.time, frame.pixels, shown == index, frame.damaged, why, frame.notes)

    def damaged_frames(self, token: CancelToken | None = None) -> list[int]:
        """Decode every frame, without showing any: the numbers of those that are missing, damaged or built on such."""
        with self._lock:
            clean_ones: set[int] = set()
            last = int(self.packet_index.key.size) - 1
            for frame, clean in self._reader.run_to(last, token, keep_all=True, whole=True):
                number = self._index_of(frame.pts) if frame.pts is not None else None
                if number is not None and clean:
                    clean_ones.add(number)
            return sorted(set(range(len(self))) - clean_ones)

    def rest(self) -> None:
        """Give back the memory of decoded frames while another clip is looked at."""
        with self._lock:
            self._window.clear()
            self._keys.clear()

    def close(self) -> None:
        """Release the file and the decoder; safe to call twice."""
        with self._lock:
            self._window.clear()
            self._keys.clear()
            self._reader.close()

    def __enter__(self) -> Clip:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---------------------------------------------------------------------------------------------------- decoding

    def _index_of(self, pts: int) -> int | None:
        """The presented frame with exactly this tick, if there is one (edit lists hide some)."""
        place = int(np.searchsorted(self.packet_index.shown, pts))
        if place < len(self) and int(self.packet_index.shown[place]) == pts:
            return place
        return None

    def _decode(self, index: int, token: CancelToken | None) -> tuple[tuple[int, VideoFrame] | None, bool]:
        """The decoded frame, or its nearest stand-in, with its number; and whether it is clean."""
        if index in self._window:
            self._window.move_to_end(index)
            frame, clean = self._window[index]
            return (index, frame), clean
        backward = self._last >= 0 and index < self._last <= index + 2
        best: tuple[int, VideoFrame, bool] | None = None
        # A frame that does not come out may need an earlier start: streams that refresh gradually have such.
        for further in (0, 1) if not self._reader.careful else (0,):
            found = self._run(index, token, keep_all=backward, further=further)
            if found is not None and found[0] == index:
                return (found[0], found[1]), found[2]
            best = best or found
        if best is not None:
            return (best[0], best[1]), best[2]
        return self._search_back(index, token)

    def _run(
        self, index: int, token: CancelToken | None, *, keep_all: bool, further: int
    ) -> tuple[int, VideoFrame, bool] | None:
        """One run towards a frame: the frame, else the last before it that came out, else the next one."""
        packet = int(self.packet_index.packet_of[index])
        before: tuple[int, VideoFrame, bool] | None = None
        for frame, clean in self._reader.run_to(packet, token, keep_all=keep_all, step_on=_STEP_ON, further=further):
            number = self._index_of(frame.pts) if frame.pts is not None else None
            if number is None:
                continue
            self._remember(number, frame, clean=clean)
            if number == index:
                return number, frame, clean
            if number > index:
                return before or (number, frame, clean)
            before = (number, frame, clean)
        return before

    def _search_back(self, index: int, token: CancelToken | None) -> tuple[tuple[int, VideoFrame] | None, bool]:
        """Nothing of the group decodes: the last frame of an earlier group, else the first that decodes at all."""
        packet = self.packet_index.key_before(int(self.packet_index.packet_of[index]))
        earlier = np.flatnonzero(self.packet_index.packet_of < packet)
        while earlier.size:
            check(token)
            number = int(earlier[-1])
            last: tuple[int, VideoFrame, bool] | None = None
            for frame, clean in self._reader.run_to(int(self.packet_index.packet_of[number]), token, keep_all=True):
                found = self._index_of(frame.pts) if frame.pts is not None else None
                if found is not None and found <= index:
                    last = (found, frame, clean)
                if found is not None and found >= number:
                    break
            if last is not None:
                return (last[0], last[1]), last[2]
            packet = self.packet_index.key_before(int(self.packet_index.packet_of[number]))
            earlier = np.flatnonzero(self.packet_index.packet_of < packet)
        for frame, clean in self._reader.run_to(0, token, keep_all=True):
            found = self._index_of(frame.pts) if frame.pts is not None else None
            if found is not None:
                return (found, frame), clean
        return None, False

    def _remember(self, number: int, frame: VideoFrame, *, clean: bool) -> None:
        size = sum(plane.buffer_size for plane in frame.planes) or 1
        self._window[number] = (frame, clean)
        self._window.move_to_end(number)
        while len(self._window) > max(2, WINDOW_BYTES // size):
            self._window.popitem(last=False)

    def _present(
        self, asked: int, number: int, frame: VideoFrame, *, clean: bool, box: tuple[int, int] | None = None
    ) -> Frame:
        notes = self.notes
        size = self._size if (frame.width, frame.height) == self._stored and self._size != self._stored else None
        if (frame.width, frame.height) != self._stored:
            size = self._size
            notes = (*notes, f"the clip changes its picture size here ({frame.width} x {frame.height}): scaled")
        if box is not None:
            small = fit_size(self.width, self.height, *box)
            size = small[::-1] if self._matrix.turns else small
        pixels = self._matrix.apply(convert.to_buffer(frame, size))
        why = ""
        if number != asked:
            why = f"frame {asked} of {name_of(self.path)} cannot be decoded: frame {number} is shown in its place"
        elif not clean:
            why = f"frame {number} of {name_of(self.path)} is damaged: parts of it may be wrong"
        return Frame(number, self.time_of(number), pixels, number == asked, number != asked or not clean, why, notes)
