"""Clips made for a test: the frame's number stands in its pixels, as in the case files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

BITS = 12


def read_number(pixels: npt.NDArray[np.uint8]) -> int | None:
    """The number in a frame's two rows of squares (the second row inverts the first), or None if they disagree."""
    square = pixels.shape[1] / BITS
    rows = []
    for row in (0, 1):
        at = int((row + 0.5) * square)
        rows.append([float(pixels[at, int((i + 0.5) * square), :3].mean()) > 127.0 for i in range(BITS)])
    if any(a == b for a, b in zip(*rows, strict=True)):
        return None
    return sum(1 << (BITS - 1 - i) for i, bit in enumerate(rows[0]) if bit)


def numbered(n: int, width: int = 192, height: int = 112) -> npt.NDArray[np.uint8]:
    """uint8 (height, width, 3) RGB with a number in it and a moving bar."""
    rgb = np.full((height, width, 3), 90, np.uint8)
    square = width // BITS
    for i in range(BITS):
        bit = (n >> (BITS - 1 - i)) & 1
        rgb[:square, i * square : (i + 1) * square] = 255 * bit
        rgb[square : 2 * square, i * square : (i + 1) * square] = 255 * (1 - bit)
    left = (n * 7) % (width - 20)
    rgb[height // 2 : height // 2 + 12, left : left + 20] = (220, 40, 40)
    return rgb


def make_clip(
    path: Path,
    count: int,
    codec: str,
    *,
    fps: int = 10,
    options: dict[str, str] | None = None,
    pts: list[int] | None = None,
    pix_fmt: str = "yuv420p",
    size: tuple[int, int] = (192, 112),
    container_options: dict[str, str] | None = None,
    aspect: Any = None,
) -> Path:
    """Encode numbered frames; `pts` in frame ticks, else one after the other."""
    with av.open(str(path), "w", options=container_options or {}) as out:
        stream: Any = out.add_stream(codec, rate=fps, options=options or {})
        stream.width, stream.height = size
        stream.pix_fmt = pix_fmt
        if aspect is not None:
            stream.codec_context.sample_aspect_ratio = aspect
        for n in range(count):
            frame = av.VideoFrame.from_ndarray(numbered(n, *size), format="rgb24")
            frame.pts = pts[n] if pts is not None else n
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path
