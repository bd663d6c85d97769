"""The decoder at work: a container, its position, and runs of decoded frames from a verified key frame on."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

import av
import av.container
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from annotator.cancel import CancelToken, check
from annotator.media.container import open_container, pictures_of
from annotator.media.packets import PacketIndex

VideoPacket: TypeAlias = "Packet[VideoStream]"

# Only here may frames that nothing is built on be skipped on the way to the target: the same in AV1 gave wrong frames.
_MAY_SKIP = frozenset({"h264", "hevc"})

# Decoder libraries named after themselves instead of what they decode.
_CODEC_NAMES = {"libdav1d": "av1", "libaom-av1": "av1", "libvpx": "vp8", "libvpx-vp9": "vp9"}

# A seek that overshoots is tried again from this many key frames further back, then from the start.
_RETRIES = (0, 1, 3, 8)


class _StumbledError(Exception):
    """The decoder met damage while it ran at full speed."""


class Reader:
    """A container and a decoder that run from key frames. One thread at a time.

    `careful` is set once the clip has shown damage: from then on frames are decoded in single steps, without skipping,
    so that an error belongs to its packet and the same frames are marked whichever way they are reached.
    """

    def __init__(self, path: str, *, careful: bool = False) -> None:
        """Open the file; WorldError if that fails."""
        self._path = path
        self.careful = careful
        self._bad_from: dict[int, int | None] = {}
        self._index: PacketIndex | None = None
        self._open()
        name = self._stream.codec_context.name
        self.codec = _CODEC_NAMES.get(name, name)
        self.container = self._container.format.name
        aspect = self._stream.sample_aspect_ratio
        self.aspect = Fraction(aspect) if aspect else None

    def _open(self) -> None:
        self._container = open_container(self._path)
        self._stream = pictures_of(self._container)[0]
        context = self._stream.codec_context
        context.thread_type = "NONE" if self.careful else "AUTO"
        if self.careful:
            context.thread_count = 1
        self._has_palette = context.pix_fmt == "pal8" and self._container.format.name == "avi"
        self._packets: Iterator[VideoPacket] | None = None
        self._position = 0
        self._fresh = True
        self._forget()

    def _forget(self) -> None:
        """Nothing decoded is waiting, nothing was skipped."""
        self._pending: deque[VideoFrame] = deque()
        self._last_out: int | None = None
        self._skipped_below = -(2**63)

    def use(self, index: PacketIndex) -> None:
        """Work by this index from now on."""
        self._index = index

    def close(self) -> None:
        """Release the file; safe to call twice."""
        self._packets = None
        self._container.close()

    def _demux(self) -> Iterator[VideoPacket]:
        """The stream's packets up to the first that cannot be read: a broken file ends there, it does not raise."""
        with contextlib.suppress(av.FFmpegError, ValueError, IndexError):
            yield from self._container.demux(self._stream)

    def _reopen(self) -> None:
        self.close()
        self._open()

    @property
    def index(self) -> PacketIndex:
        """The packet index in use."""
        if self._index is None:
            raise RuntimeError("the reader was given no index")
        return self._index

    # --------------------------------------------------------------------------------------------------------- runs

    def run_to(
        self,
        packet: int,
        token: CancelToken | None,
        *,
        keep_all: bool = False,
        step_on: int = 0,
        further: int = 0,
        whole: bool = False,
    ) -> Iterator[tuple[VideoFrame, bool]]:
        """Decoded frames in order of display, with whether they are clean, on the way to `packet` and beyond it.

        Continues where the last run ended if that is shorter than a seek. Unless `keep_all`, frames before the target
        may be missing. At the first sign of damage the run starts again, in single steps: frames that were handed out
        come again then. `further` starts that many key frames earlier, `whole` at the very first. The caller stops when
        it has enough.
        """
        if whole:
            further = int(self.index.key.size)
        if not self.careful:
            try:
                yield from self._run(packet, token, keep_all=keep_all, step_on=step_on, further=further)
            except _StumbledError:
                self.careful = True
                self._reopen()
            else:
                return
        yield from self._run(packet, token, keep_all=True, step_on=step_on, further=further)

    def _run(
        self, packet: int, token: CancelToken | None, *, keep_all: bool, step_on: int, further: int
    ) -> Iterator[tuple[VideoFrame, bool]]:
        target = int(self.index.pts[packet])
        key = self.index.key_before(packet, further)
        if further or not self._continues_to(packet, target, key, step_on):
            self._go_to(key, token)
        skip = not keep_all and self.codec in _MAY_SKIP
        if skip:
            self._skipped_below = max(self._skipped_below, target)
        context = self._stream.codec_context
        while True:
            while self._pending:
                frame = self._pending.popleft()
                if frame.is_corrupt and not self.careful:
                    raise _StumbledError
                self._last_out = frame.pts if frame.pts is not None else self._last_out
                yield frame, not (self.careful and self._is_tainted(frame, token))
            if self._packets is None:
                return
            # Before the next packet is taken, not after: a cancelled run must not lose one.
            check(token)
            item = next(self._packets, None)
            if item is None or item.size == 0:
                self._packets = None
                self._pending.extend(self._drain())
                continue
            number = self._position
            self._position += 1
            self._stamp(item, number)
            before = number < self.index.pts.size and int(self.index.pts[number]) < target
            context.skip_frame = "NONREF" if skip and before else "DEFAULT"
            self._pending.extend(self._decode(item))

    def _continues_to(self, packet: int, target: int, key: int, step_on: int) -> bool:
        """Whether decoding on from here gives the target, with nothing skipped, and sooner than a seek would."""
        if self._packets is None and not self._pending:
            return False
        ahead = target >= self._skipped_below and (self._last_out is None or target > self._last_out)
        return ahead and (key < self._position or packet - self._position <= step_on)

    def _decode(self, item: VideoPacket) -> list[VideoFrame]:
        """The frames that come out when a packet goes in; a broken packet gives none once the clip is known damaged."""
        try:
            return self._stream.codec_context.decode(item)
        except (av.FFmpegError, EOFError) as error:
            if not self.careful:
                raise _StumbledError from error
            return []

    def _is_tainted(self, frame: VideoFrame, token: CancelToken | None) -> bool:
        """Whether a frame, or one it may be built on, is damaged: all of a group from its first bad packet on."""
        packet = self.index.packet_at(frame.pts) if frame.pts is not None else None
        if packet is None:
            return bool(frame.is_corrupt)
        key = self.index.key_before(packet)
        if key not in self._bad_from:
            with contextlib.closing(Reader(self._path, careful=True)) as scout:
                scout.use(self.index)
                self._bad_from[key] = scout.first_bad(key, token)
        bad = self._bad_from[key]
        return bad is not None and packet >= bad

    def first_bad(self, key: int, token: CancelToken | None) -> int | None:
        """Decode one group of pictures in single steps: its first packet that does not give a clean frame, or None."""
        self._go_to(key, token)
        missing = {
            int(number) for number in self.index.packet_of[self.index.packet_of >= key]
            if self.index.key_before(int(number)) == key
        } if self.index.key.any() else set()  # fmt: skip
        last = max(missing, default=key)
        bad: set[int] = set()
        for item in self._packets or ():
            check(token)
            if item.size == 0 or self._position > last:
                break
            self._stamp(item, self._position)
            self._position += 1
            self._sift(self._decode(item), missing, bad)
        self._sift(self._drain(), missing, bad)
        self._packets = None
        return min(missing | bad, default=None)

    def _sift(self, decoded: list[VideoFrame], missing: set[int], bad: set[int]) -> None:
        for frame in decoded:
            packet = self.index.packet_at(frame.pts) if frame.pts is not None else None
            if packet is not None:
                missing.discard(packet)
                if frame.is_corrupt:
                    bad.add(packet)

    def _stamp(self, packet: VideoPacket, number: int) -> None:
        """Give a packet of an untimed stream the presentation tick that was learnt for it."""
        if self.index.untimed and number < self.index.pts.size:
            packet.pts = int(self.index.pts[number])

    def _drain(self) -> list[VideoFrame]:
        """The frames which the decoder still holds back for reordering; it must be flushed before it is used again."""
        context = self._stream.codec_context
        context.skip_frame = "DEFAULT"
        try:
            out = context.decode(None)
        except (av.FFmpegError, EOFError):
            out = []
        context.flush_buffers()
        return out

    def key_frame(self, packet: int, token: CancelToken | None) -> VideoFrame | None:
        """The key frame `packet` decoded alone and drained at once, or None if it does not decode."""
        self._go_to(packet, token)
        self._stream.codec_context.skip_frame = "DEFAULT"
        wanted = int(self.index.pts[packet])
        found: list[VideoFrame] = []
        for item in self._packets or ():
            number = self._position
            self._position += 1
            self._stamp(item, number)
            with contextlib.suppress(_StumbledError):
                found.extend(self._decode(item))
            if number >= packet:
                break
        found.extend(self._drain())
        self._packets = None
        return next((frame for frame in found if frame.pts == wanted), None)

    # -------------------------------------------------------------------------------------------------------- seeks

    def _go_to(self, key: int, token: CancelToken | None) -> None:
        """Stand right before the key frame `key`: seek by decode time, check what arrives, else try further back."""
        if self._has_palette:
            # The palette travels with the very first packet only: a jump past it would show black.
            self._from_start(0, token)
            return
        if key == 0 and self._fresh:
            self._from_start(0, token)
            return
        keys = [number for number in range(key, -1, -1) if bool(self.index.key[number])] or [0]
        if not self._is_stream_without_times():
            for back in _RETRIES:
                if back >= len(keys):
                    break
                if self._seek_and_check(int(self.index.dts[keys[back]]), key, token):
                    return
        self._from_start(key, token)

    def _is_stream_without_times(self) -> bool:
        return self.index.untimed and self._container.format.name != "avi"

    def _seek_and_check(self, dts: int, key: int, token: CancelToken | None) -> bool:
        try:
            self._container.seek(dts, stream=self._stream, backward=True)
            self._stream.codec_context.flush_buffers()
        except av.FFmpegError:
            return False
        self._fresh = False
        wanted = (int(self.index.dts[key]), int(self.index.size[key]))
        packets = self._demux()
        for item in packets:
            check(token)
            if item.size == 0:
                return False
            if item.is_keyframe and (item.dts, item.size) == wanted:
                self._stand(item, packets, key)
                return True
            if item.dts is not None and item.dts > wanted[0]:
                return False
        return False

    def _from_start(self, key: int, token: CancelToken | None) -> None:
        """Count packets from a fresh opening: always right, and only slow for long files without seekable times."""
        if not self._fresh:
            self._reopen()
        self._fresh = False
        number = 0
        packets = self._demux()
        for item in packets:
            check(token)
            if item.size == 0:
                break
            if number == key:
                self._stand(item, packets, key)
                return
            number += 1
        self._packets = iter(())
        self._position = key
        self._forget()

    def _stand(self, first: VideoPacket, rest: Iterator[VideoPacket], key: int) -> None:
        def packets() -> Iterator[VideoPacket]:
            yield first
            yield from rest

        self._packets = packets()
        self._position = key
        self._forget()

    # ------------------------------------------------------------------------------------------- streams without times

    def display_order(self, token: CancelToken | None) -> list[int]:
        """Decode an untimed stream once, without converting a pixel, to learn the order in which it is shown."""
        self._reopen()
        self._fresh = False
        context = self._stream.codec_context
        order: list[int] = []
        number = 0
        for item in self._demux():
            check(token)
            if item.size == 0:
                break
            item.pts = item.dts = number
            number += 1
            try:
                order.extend(frame.pts for frame in context.decode(item) if frame.pts is not None)
            except (av.FFmpegError, EOFError):
                self.careful = True
        order.extend(frame.pts for frame in self._drain() if frame.pts is not None)
        self._reopen()
        return list(dict.fromkeys(order))
