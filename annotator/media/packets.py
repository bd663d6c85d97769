"""The packet index of a clip: when each frame is shown and where its key frame lies, learnt without decoding.

Headers lie: frame counts, durations and rates are guesses of whoever wrote the file. What counts are the packets. Times
are integers on the stream's own time base ("ticks") everywhere here; seconds only where a person is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import av
import av.container
import av.video.stream
import numpy as np
import numpy.typing as npt

from annotator.cancel import CancelToken, check
from annotator.media.container import pictures_of

# How many packets pass between two looks at the cancel token: a fraction of a millisecond.
_CHECK_EVERY = 256

# Containers that store no presentation times: the order of display must be asked of the decoder, once.
UNTIMED_CONTAINERS = frozenset({"avi", "h264", "hevc", "m4v", "mpegvideo"})


@dataclass(frozen=True)
class PacketIndex:
    """All packets of the video stream in decode order, and the presented frames in order of display.

    Attributes:
        time_base: seconds per tick.
        pts: int64 (packets,), presentation tick of each packet.
        dts: int64 (packets,), decode tick of each packet.
        key: bool (packets,), where decoding may start.
        size: int64 (packets,), bytes.
        shown: int64 (frames,), presentation ticks of the presented frames, ascending.
        packet_of: int64 (frames,), the packet in decode order that holds each presented frame.
        end: the tick at which the last frame's interval ends.
        untimed: the container had no presentation times; `pts` was learnt by decoding once.
        incomplete: a sentence about a missing end or a bad part, or empty.
    """

    time_base: Fraction
    pts: npt.NDArray[np.int64]
    dts: npt.NDArray[np.int64]
    key: npt.NDArray[np.bool_]
    size: npt.NDArray[np.int64]
    shown: npt.NDArray[np.int64]
    packet_of: npt.NDArray[np.int64]
    end: int
    untimed: bool
    incomplete: str

    def key_before(self, packet: int, further: int = 0) -> int:
        """The packet, in decode order, from which decoding must start to get `packet`.

        The last key frame that is not shown after it: frames that follow a key frame in the file but precede it on
        the screen (open groups of pictures) need the key frame before. `further` goes that many key frames back.
        """
        keys = np.flatnonzero(self.key[: packet + 1])
        fits = keys[self.pts[keys] <= self.pts[packet]]
        if not fits.size:
            return 0
        return int(fits[max(0, fits.size - 1 - further)])

    def packet_at(self, pts: int) -> int | None:
        """The packet of the presented frame with exactly this tick, if there is one."""
        place = int(np.searchsorted(self.shown, pts))
        if place < self.shown.size and int(self.shown[place]) == pts:
            return int(self.packet_of[place])
        return None


@dataclass
class _Rows:
    """What one pass over the file collects."""

    pts: list[int | None]
    dts: list[int | None]
    duration: list[int]
    key: list[bool]
    discard: list[bool]
    size: list[int]
    other_end: Fraction
    broke: bool


def build_index(container: av.container.InputContainer, token: CancelToken | None) -> PacketIndex:
    """Read every packet of the file once. The container is left at its end: seek or reopen before decoding.

    Empty arrays if the stream holds no frame that can be presented. Raises `Cancelled`.
    """
    stream = pictures_of(container)[0]
    rows = _demux(container, stream, token)
    time_base = Fraction(stream.time_base or Fraction(1, 1000))
    untimed = container.format.name in UNTIMED_CONTAINERS and stream.codec_context.has_b_frames > 0
    untimed = untimed or any(value is None for value in rows.pts)
    dts = _filled(rows.dts, rows.pts, _ticks_per_frame(stream, time_base))
    pts = dts.copy() if untimed else np.array(rows.pts, np.int64)
    key = np.array(rows.key, bool)
    if key.size and not key.any():
        key[0] = True
    visible = ~np.array(rows.discard, bool)
    if key.any() and not untimed:
        visible &= _after_first_key(pts, key)
    order = np.flatnonzero(visible)
    order = order[np.argsort(pts[order], kind="stable")]
    shown, first = np.unique(pts[order], return_index=True)
    end = _end_of_last(shown, rows, order[first], stream)
    return PacketIndex(
        time_base=time_base,
        pts=pts,
        dts=dts,
        key=key,
        size=np.array(rows.size, np.int64),
        shown=shown,
        packet_of=order[first],
        end=end,
        untimed=untimed,
        incomplete=_incomplete(container, rows, end * time_base) or _headless(key, visible),
    )


def reordered(index: PacketIndex, display_order: list[int]) -> PacketIndex:
    """The index of an untimed stream once the order of display is known (packets by their place in decode order).

    The ticks of the packets are handed out anew, in order of display.
    """
    ticks = np.sort(index.dts[np.array(sorted(display_order), np.int64)])
    packets = np.array(display_order, np.int64)
    pts = index.dts.copy()
    pts[packets] = ticks
    step = int(np.median(np.diff(ticks))) if ticks.size > 1 else 1
    return PacketIndex(
        time_base=index.time_base,
        pts=pts,
        dts=index.dts,
        key=index.key,
        size=index.size,
        shown=ticks,
        packet_of=packets,
        end=int(ticks[-1]) + max(1, step) if ticks.size else 0,
        untimed=True,
        incomplete=index.incomplete,
    )


def _demux(
    container: av.container.InputContainer, stream: av.video.stream.VideoStream, token: CancelToken | None
) -> _Rows:
    rows = _Rows([], [], [], [], [], [], Fraction(0), False)
    count = 0
    try:
        # Named one by one: a broken transport stream may grow streams that the container has no object for.
        for packet in container.demux(*container.streams):
            count += 1
            if count % _CHECK_EVERY == 0:
                check(token)
            if packet.stream_index != stream.index:
                if packet.pts is not None and packet.time_base is not None:
                    end = (packet.pts + (packet.duration or 0)) * Fraction(packet.time_base)
                    rows.other_end = max(rows.other_end, end)
                continue
            if packet.size == 0:
                continue
            rows.pts.append(packet.pts)
            rows.dts.append(packet.dts)
            rows.duration.append(packet.duration or 0)
            rows.key.append(packet.is_keyframe)
            rows.discard.append(packet.is_discard)
            rows.size.append(packet.size)
    except (av.FFmpegError, ValueError, IndexError):
        rows.broke = True
    return rows


def _ticks_per_frame(stream: av.video.stream.VideoStream, time_base: Fraction) -> int:
    rate = stream.guessed_rate or stream.average_rate or stream.base_rate
    return max(1, round(1 / (Fraction(rate) * time_base))) if rate else 1


def _filled(dts: list[int | None], pts: list[int | None], step: int) -> npt.NDArray[np.int64]:
    """Decode ticks without holes: where one is missing it follows its predecessor by one frame."""
    out = np.empty(len(dts), np.int64)
    last: int | None = None
    for i, value in enumerate(dts):
        if value is None:
            first = pts[i] if last is None else None
            value = (first if first is not None else 0) if last is None else last + step
        out[i] = last = value
    return out


def _after_first_key(pts: npt.NDArray[np.int64], key: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """What can be decoded at all: a file cut at its head starts with frames whose key frame is lost."""
    first = int(np.argmax(key))
    able: npt.NDArray[np.bool_] = pts >= pts[first]
    able[:first] = False
    return able


def _end_of_last(
    shown: npt.NDArray[np.int64], rows: _Rows, packets: npt.NDArray[np.int64], stream: av.video.stream.VideoStream
) -> int:
    """Where the last frame's interval ends: by its own duration, unless the track as a whole is stated shorter."""
    if not shown.size:
        return 0
    last = int(rows.duration[int(packets[-1])])
    if last <= 0:
        time_base = Fraction(stream.time_base or Fraction(1, 1000))
        last = int(np.median(np.diff(shown))) if shown.size > 1 else round(Fraction(1, 25) / time_base)
    end = int(shown[-1]) + max(1, last)
    if stream.duration and stream.start_time is not None:
        stated = int(stream.start_time + stream.duration)
        if int(shown[-1]) < stated < end:
            return stated
    return end


def _incomplete(container: av.container.InputContainer, rows: _Rows, video_end: Fraction) -> str:
    """Whether the file ends long before its header says; containers that state no length are believed."""
    if rows.broke:
        return "the file is damaged: some of its packets cannot be read"
    if not container.duration or container.format.name in ("mpegts", "mpeg"):
        return ""
    stated = Fraction(container.duration, av.time_base)
    reached = max(video_end, rows.other_end)
    if stated - reached > max(Fraction(1, 2), stated / 20) and not _long_last_frame(rows, stated - reached):
        return (
            f"the file is incomplete: it should last {float(stated):.1f} s and ends at {float(reached):.1f} s, "
            "get it again to see the rest"
        )
    return ""


def _headless(key: npt.NDArray[np.bool_], visible: npt.NDArray[np.bool_]) -> str:
    """Whether the file begins inside a group of pictures: what precedes its first key frame cannot be decoded."""
    if not key.size or key[0] or visible[0]:
        return ""
    lost = int(np.argmax(key))
    return f"the file is incomplete: its beginning is cut off, {lost} frames before the first key frame are lost"


def _long_last_frame(rows: _Rows, missing: Fraction) -> bool:
    """A last frame without a stated duration may stay on the screen as long as the longest one before it."""
    stamps = sorted(value for value in rows.pts if value is not None)
    if len(stamps) < 2 or (rows.duration and rows.duration[-1] > 0):
        return False
    longest = max(b - a for a, b in pairwise(stamps))
    return missing <= longest
