"""Clips, pictures and dialogues for the tests of the media panel; all of it is made here."""

from __future__ import annotations

import colorsys
import wave
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from annotator.domain.gate import Strip
from annotator.domain.items import Asset, Dialogue, Turn
from annotator.domain.queue import QueueRow
from annotator.domain.rubric import TURN_DIMENSIONS, load_rubric
from annotator.domain.sheet import Cell, Sheet
from annotator.domain.timecode import parse
from annotator.sample.counter import draw_counter
from annotator.workspace.views import ReviewView

ITEM = "dialogue:0123456789abcdef"
RESPONDER = "acme::model-b::omnibench_video_stream_text"


def frame_pixels(index: int, width: int = 320, height: int = 180) -> np.ndarray:
    """A frame that can be told from every other: a colour that drifts, a square that moves, the burnt counter."""
    pixels = np.empty((height, width, 3), np.uint8)
    top, bottom = (
        np.array(colorsys.hsv_to_rgb((index / 240 + k * 0.08) % 1, 0.45, 0.8 - 0.3 * k)) * 255 for k in (0, 1)
    )
    ramp = np.linspace(0, 1, height)[:, None, None]
    pixels[:] = (top * (1 - ramp) + bottom * ramp).astype(np.uint8)
    side = height // 5
    x = (index * 3) % (width - side)
    pixels[height // 3 : height // 3 + side, x : x + side] = (245, 240, 230)
    for column in range(0, width, width // 8):
        pixels[: height // 8, column : column + width // 24] = (60, 70, 90)
    draw_counter(pixels, index)
    return pixels


def make_clip(path: Path, seconds: float = 4, fps: int = 10, size: tuple[int, int] = (320, 180), gop: int = 12) -> Path:
    """An H.264 clip with a burnt counter."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=fps, options={"g": str(gop), "preset": "ultrafast", "crf": "18"})
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        for index in range(round(seconds * fps)):
            frame = av.VideoFrame.from_ndarray(frame_pixels(index, *size), format="rgb24")
            frame.pts, frame.time_base = index, Fraction(1, fps)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def picture_pixels(width: int, height: int, seed: int = 0) -> np.ndarray:
    """BGR pixels in which every place can be told: ramps, a fine checker, lines of text."""
    y, x = np.mgrid[0:height, 0:width]
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[..., 0] = (x * 255 // max(1, width - 1)).astype(np.uint8)
    pixels[..., 1] = (y * 255 // max(1, height - 1)).astype(np.uint8)
    pixels[..., 2] = (seed * 37) % 256
    band = slice(height // 3, height // 3 + max(8, height // 10))
    pixels[band] = np.where(((x[band] + y[band]) & 1)[..., None] == 1, 250, 10)
    scale = max(0.5, height / 500)
    for line in range(4):
        at = (width // 20, round(height * (0.55 + 0.1 * line)))
        text = f"{seed} line {line} 0123456789"
        cv2.putText(pixels, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, (240, 245, 250), max(1, round(scale * 2)))
    return pixels


def make_picture(path: Path, width: int = 400, height: int = 300, seed: int = 0) -> Path:
    """A PNG or JPEG, by suffix."""
    path.parent.mkdir(parents=True, exist_ok=True)
    assert cv2.imwrite(str(path), picture_pixels(width, height, seed))
    return path


def make_sound(path: Path, seconds: float = 0.2) -> Path:
    """A short tone as WAV."""
    path.parent.mkdir(parents=True, exist_ok=True)
    time = np.arange(round(16000 * seconds)) / 16000
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16000)
        out.writeframes((np.sin(time * 2 * np.pi * 440) * 9000).astype("<i2").tobytes())
    return path


def found(root: Path, inside: str, role: str = "clip") -> Asset:
    """An asset whose file is there."""
    return Asset(role=role, raw=inside, field="clip_path", status="ok", inside=inside, root=str(root))


def broken(status: str, raw: str, role: str = "clip") -> Asset:
    """An asset that cannot be shown."""
    return Asset(role=role, raw=raw, field="clip_path", status=status)


def review(
    modality: str,
    evidence: Sequence[Sequence[Asset]],
    times: Sequence[Any] = (),
    audio: Sequence[Asset | None] = (),
    scores: int = 0,
    responders: tuple[tuple[str, str], ...] = ((RESPONDER, "Model A"),),
    item: str = ITEM,
) -> ReviewView:
    """A review view over the given evidence, one entry for each turn; `scores` turns are scored."""
    turns = tuple(
        Turn(
            index=k,
            question=f"question {k}",
            reference="answer",
            timestamp=parse(times[k] if k < len(times) else None),
            evidence=tuple(assets),
            audio=audio[k] if k < len(audio) else None,
        )
        for k, assets in enumerate(evidence)
    )
    dialogue = Dialogue(item_id=item, source_id="V-1", modality=modality, turns=turns)
    cells = {
        (f"turn:{k}", name): Cell(2 + (k + place) % 4)
        for k in range(scores)
        for place, name in enumerate(TURN_DIMENSIONS)
    }
    sheet = Sheet(item, RESPONDER, "r1", "open", len(turns), cells)
    row = QueueRow(
        item_id=item, responder=RESPONDER, source_id="V-1", title="t", alias="A", scenario="unknown", modality=modality,
        categories=(), spoken=bool(audio), turns=len(turns), progress=bytes(len(turns)), session=0, verdict=None,
        status="new",
    )  # fmt: skip
    return ReviewView(
        row=row, dialogue=dialogue, turns=turns, answers=(None,) * len(turns), responders=responders, sheet=sheet,
        strip=Strip(modality, turns), rubric=load_rubric(),
    )  # fmt: skip
