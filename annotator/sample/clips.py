"""From scenes to H.264 clips: fixed settings, one thread, no clock, so that the same scene gives the same bytes.

The clips are as awkward as real ones where a viewer may stumble: B-frames, key frames seconds apart, a size that is no
multiple of sixteen, and one clip whose frames have no constant rate.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import cycle
from pathlib import Path
from typing import Protocol

import av
import cv2
import numpy as np

from annotator.cancel import CancelToken, check
from annotator.sample.canvas import Canvas, Pixels, Sprite
from annotator.sample.counter import BLOCK_SHARE, BLOCKS, band_top, draw_counter

RATE = 10
"""Frames per second of the clips with a constant rate."""
UNEVEN_MS = (50, 40, 110, 150, 70, 200, 40, 140)
"""How long the frames of the uneven clip last, in milliseconds, over and over."""
_OPTIONS = {
    "preset": "superfast",
    "crf": "24",
    "threads": "1",
    "bf": "2",
    "x264-params": "keyint=50:min-keyint=50:scenecut=0:b-adapt=0:open-gop=0:weightp=0:me=dia:subme=0:aq-mode=0",
}


class Scene(Protocol):
    """Something that can be drawn at any instant."""

    width_px: int
    height_px: int

    def frame(self, second: float) -> Pixels:
        """The picture at `second`, uint8 (height, width, 3), red first, a fresh array."""


def even_times(seconds: float) -> list[int]:
    """Presentation times of a clip with a constant rate, in units of 1/RATE second."""
    return list(range(round(seconds * RATE)))


def uneven_times(seconds: float) -> list[int]:
    """Presentation times of a clip without a constant rate, in milliseconds."""

    def walk() -> Iterator[int]:
        at_ms = 0
        for step_ms in cycle(UNEVEN_MS):
            if at_ms >= seconds * 1000:
                return
            yield at_ms
            at_ms += step_ms

    return list(walk())


@lru_cache(maxsize=64)
def _glyph(sign: str, size_px: int) -> Sprite:
    c = Canvas(size_px * 6 // 10 + 1, size_px + 2)
    c.text(((size_px * 6 // 10 + 1) / 2, size_px / 2 + 1), sign, size_px, (226, 228, 230), anchor="mm")
    return c.sprite()


def _stamp(frame: Pixels, index: int, second: float) -> None:
    """Number and time for people, beside the blocks."""
    height_px, width_px = frame.shape[:2]
    top = band_top(height_px)
    size_px = (height_px - top) * 7 // 10
    x = round(BLOCKS * width_px / BLOCK_SHARE) + size_px
    whole_ms = round(second * 1000)
    text = f"#{index:04d}  {whole_ms // 60000:02d}:{whole_ms // 1000 % 60:02d}.{whole_ms % 1000:03d}"
    for sign in text:
        if sign != " ":
            _glyph(sign, size_px).over(frame, x, top + (height_px - top - size_px) // 2 - 1)
        x += size_px * 6 // 10


def write_clip(
    file: Path, scene: Scene, times: Sequence[int], time_base: Fraction, token: CancelToken | None = None
) -> None:
    """Encode `scene` at `times` (in units of `time_base` seconds) as H.264 in MP4.

    Raises:
        Cancelled: between two frames, when the token says so; the unfinished file is the caller's to remove.
    """
    options = {"movflags": "+faststart", "fflags": "+bitexact"}
    with av.open(str(file), "w", format="mp4", options=options) as container:
        stream = container.add_stream("libx264", rate=RATE, options=dict(_OPTIONS))
        stream.width, stream.height, stream.pix_fmt = scene.width_px, scene.height_px, "yuv420p"
        stream.thread_count = 1
        stream.codec_context.time_base = time_base
        for index, at in enumerate(times):
            check(token)
            second = float(at * time_base)
            pixels = scene.frame(second)
            draw_counter(pixels, index)
            _stamp(pixels, index, second)
            # OpenCV converts four times as fast as the default scaler, to the same BT.601 that viewers assume at SD.
            planes = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2YUV_I420), dtype=np.uint8)
            frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
            frame.pts, frame.time_base = at, time_base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
