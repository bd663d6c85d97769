"""Sound as samples: one decode path for files of sound and the sound tracks of clips."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import av
import av.container
import numpy as np
import numpy.typing as npt
from av.audio.resampler import AudioResampler

from annotator.cancel import CancelToken, check
from annotator.errors import WorldError
from annotator.media.container import open_by_av
from annotator.media.sniff import name_of, read_head, sniff

Samples = npt.NDArray[np.int16]

# Three hours at 48 kHz in stereo are 2 GB; a question is seconds, a clip minutes. Beyond this the rest is left out.
MAX_SECONDS = 3600

# One channel stays one; whatever has more is mixed down to two, for that is what a desk has.
_MAX_CHANNELS = 2


@dataclass(frozen=True)
class Sound:
    """Decoded sound.

    Attributes:
        pcm: int16 (samples, channels), channels 1 or 2, C-contiguous.
        rate: samples per second.
        start: seconds from the container's zero to the first sample.
        codec: the codec's name.
        damaged: part of it could not be decoded; `why` says so in words.
        why: a sentence about the damage, or empty.
    """

    pcm: Samples
    rate: int
    start: Fraction = Fraction(0)
    codec: str = ""
    damaged: bool = False
    why: str = ""

    @property
    def duration(self) -> Fraction:
        """Seconds from the first sample to the end of the last."""
        return Fraction(self.pcm.shape[0], self.rate)

    @property
    def nbytes(self) -> int:
        """Bytes of memory the samples take."""
        return int(self.pcm.nbytes)


def open_sound(path: str | os.PathLike[str]) -> av.container.InputContainer:
    """Open a file for its sound; a sentence for what has none or cannot be opened."""
    where = os.fspath(path)
    if sniff(read_head(path)) == "markup":
        raise WorldError(
            f"{name_of(path)} is a web page, not sound: the download went wrong, get it again.",
            code="media_not_media",
            path=where,
        )
    container = open_by_av(where)
    if container is None:
        raise WorldError(
            f"{name_of(path)} is damaged or no sound of any known kind: get the file again.",
            code="media_damaged",
            path=where,
        )
    if not container.streams.audio:
        container.close()
        raise WorldError(f"{name_of(path)} holds no sound.", code="media_no_sound", path=where)
    # A codec this build has no decoder for leaves the stream without one.
    context: object = container.streams.audio[0].codec_context
    if context is None:
        container.close()
        raise WorldError(
            f"{name_of(path)} is damaged or its sound is in a codec that cannot be decoded here: get the file again.",
            code="media_undecodable",
            path=where,
        )
    return container


def has_sound(path: str | os.PathLike[str]) -> bool:
    """Whether the file opens and has a sound track."""
    try:
        open_sound(path).close()
    except WorldError:
        return False
    return True


def decode_pcm(
    path: str | os.PathLike[str],
    rate: int = 48_000,
    token: CancelToken | None = None,
    until: Fraction | None = None,
) -> Sound:
    """The first sound track as 16-bit samples at `rate`. What cannot be decoded is left out, and said.

    With `until`, an instant of the container's own time, nothing that lies after it is kept.

    Gaps in the track's own times (lost packets, a cut) become silence, so that sound stays in step with pictures.
    Raises WorldError if nothing can be heard.
    """
    with open_sound(path) as container:
        stream = container.streams.audio[0]
        channels = min(_MAX_CHANNELS, max(1, stream.codec_context.channels or 1))
        collector = _Collector(rate, channels)
        errors, cut = _decode_into(collector, container, token, until)
        stated = Fraction(stream.duration * stream.time_base) if stream.duration and stream.time_base else Fraction(0)
        codec = stream.codec_context.name
    stated = max(stated, _wav_seconds(path))
    pcm = collector.joined()
    if until is not None:
        pcm = pcm[: max(0, int((until - (collector.start or Fraction(0))) * rate))]
        stated = Fraction(0)
    if not pcm.shape[0]:
        raise WorldError(
            f"{name_of(path)} has a sound track, but nothing of it can be decoded: get the file again.",
            code="media_damaged",
            path=os.fspath(path),
        )
    heard = Fraction(pcm.shape[0], rate)
    silent = Fraction(collector.silence, rate)
    why = ""
    if cut:
        why = f"{name_of(path)} is longer than {MAX_SECONDS // 60} minutes: the rest is left out"
    elif silent:
        why = f"{name_of(path)} is damaged: {float(silent):.1f} s of it are missing and silent"
    elif errors:
        why = f"{name_of(path)} is damaged: {errors} parts of the sound cannot be decoded"
    elif stated - heard > max(Fraction(1, 2), stated / 20):
        why = f"{name_of(path)} is incomplete: {float(heard):.1f} of {float(stated):.1f} s can be heard"
    return Sound(pcm, rate, collector.start or Fraction(0), codec, bool(why), why)


def _wav_seconds(path: str | os.PathLike[str]) -> Fraction:
    """The length a WAV file's own header states, 0 for others: the library silently believes the file's size instead.

    Sizes of 0 and of all ones say nothing: programs that wrote to a pipe could not know better.
    """
    head = read_head(path)
    at, bytes_per_second = 12, 0
    if head[:4] != b"RIFF" or head[8:12] != b"WAVE":
        return Fraction(0)
    while at + 8 <= len(head):
        name, size = head[at : at + 4], int.from_bytes(head[at + 4 : at + 8], "little")
        if name == b"fmt ":
            bytes_per_second = int.from_bytes(head[at + 16 : at + 20], "little")
        if name == b"data":
            return Fraction(size, bytes_per_second) if bytes_per_second and 0 < size < 0xFFFFFF00 else Fraction(0)
        at += 8 + size + (size & 1)
    return Fraction(0)


def _decode_into(
    collector: _Collector,
    container: av.container.InputContainer,
    token: CancelToken | None,
    until: Fraction | None = None,
) -> tuple[int, bool]:
    """Decode packet by packet; the number of bad ones, and whether the limit cut it off."""
    stream = container.streams.audio[0]
    errors = 0
    packets = container.demux(stream)
    while True:
        check(token)
        try:
            packet = next(packets)
        except StopIteration:
            break
        except (av.FFmpegError, EOFError):
            errors += 1
            break
        try:
            for frame in stream.codec_context.decode(packet if packet.size else None):
                collector.take(frame)
        except (av.FFmpegError, EOFError):
            errors += 1
        if packet.size == 0:
            break
        if collector.seconds > MAX_SECONDS:
            return errors, True
        if until is not None and collector.start is not None and collector.start + collector.seconds > until:
            break
    collector.flush()
    return errors, False


class _Collector:
    """Resampled blocks in order, gaps filled with silence."""

    def __init__(self, rate: int, channels: int) -> None:
        self._rate = rate
        self._channels = channels
        self._layout = "mono" if channels == 1 else "stereo"
        self._resampler = AudioResampler(format="s16", layout=self._layout, rate=rate)
        self._blocks: list[Samples] = []
        self._count = 0
        self.silence = 0
        self._source: tuple[Any, ...] | None = None
        self.start: Fraction | None = None

    @property
    def seconds(self) -> Fraction:
        return Fraction(self._count, self._rate)

    def take(self, frame: av.AudioFrame) -> None:
        """Add a decoded frame; a jump ahead in its time becomes silence."""
        kind = (frame.format.name, frame.layout.name, frame.sample_rate)
        if self._source is not None and kind != self._source:
            # A track that changes its form midway gets a fresh resampler.
            self.flush()
            self._resampler = AudioResampler(format="s16", layout=self._layout, rate=self._rate)
        self._source = kind
        if frame.pts is not None and frame.time_base is not None:
            at = frame.pts * Fraction(frame.time_base)
            if self.start is None:
                self.start = at
            missing = int((at - self.start) * self._rate) - self._count
            if self._rate // 10 < missing < self._rate * MAX_SECONDS:
                self.silence += missing
                self._add(np.zeros((missing, self._channels), np.int16))
        frame.pts = None
        for out in self._resampler.resample(frame):
            self._take_block(out)

    def flush(self) -> None:
        """Take what the resampler still holds."""
        for out in self._resampler.resample(None):
            self._take_block(out)

    def _take_block(self, out: av.AudioFrame) -> None:
        self._add(np.ascontiguousarray(out.to_ndarray().reshape(-1, self._channels), np.int16))

    def _add(self, block: Samples) -> None:
        self._blocks.append(block)
        self._count += block.shape[0]

    def joined(self) -> Samples:
        """All blocks as one array (samples, channels)."""
        if not self._blocks:
            return np.zeros((0, self._channels), np.int16)
        return np.concatenate(self._blocks)


def peaks(sound: Sound, buckets: int) -> npt.NDArray[np.float32]:
    """Lowest and highest sample of each of `buckets` equal stretches, float32 (buckets, 2) in -1 to 1: a waveform.

    Channels are taken together. Stretches without a sample (more buckets than samples) repeat their neighbour.
    """
    if buckets < 1:
        raise ValueError("a waveform needs at least one bucket")
    count = sound.pcm.shape[0]
    edges = (np.arange(buckets, dtype=np.int64) * count) // buckets
    edges = np.minimum(edges, max(0, count - 1))
    low = np.minimum.reduceat(sound.pcm.min(axis=1), edges)
    high = np.maximum.reduceat(sound.pcm.max(axis=1), edges)
    return np.stack([low, high], axis=1).astype(np.float32) / np.float32(32768.0)
