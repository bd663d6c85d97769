"""Video, 1080p H.264 in groups of 250: exact frames beside textbook PyAV and OpenCV (CPU, interleaved)."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import av
import cv2
import numpy as np

from annotator.media.clip import Clip
from annotator.media.service import MediaService
from tests.benchmarks.rows import Row, quantile

COUNT, FPS = 400, 30
SEEKS = 10
THUMBS = 100


def make(path: Path) -> None:
    """A panning texture, the same at each run."""
    noise = np.random.default_rng(0).integers(0, 255, (80, 120, 3), np.uint8)
    texture = cv2.resize(noise, (2400, 1500), interpolation=cv2.INTER_CUBIC)
    options = {"crf": "24", "preset": "veryfast", "x264-params": "keyint=250:bframes=3:scenecut=0"}
    with av.open(str(path), "w") as out:
        stream: Any = out.add_stream("libx264", rate=FPS, options=options)
        stream.width, stream.height, stream.pix_fmt = 1920, 1080, "yuv420p"
        for n in range(COUNT):
            left, top = (2 * n) % 440, n % 400
            view = np.ascontiguousarray(texture[top : top + 1080, left : left + 1920])
            frame = av.VideoFrame.from_ndarray(view, format="rgb24")
            frame.pts = n
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))


def run() -> list[Row]:
    """Measure on a clip made for the purpose."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hd.mp4"
        make(path)
        spent = _seeks(path)
        steps, back = _steps(path)
        prefetched = _prefetched_ms(path)
        wrong, wrong_cv2 = _wrong(path)
        strip, strip_cv2 = _strip_ms(path)
    why = (
        f"A preview is the decoding of one key frame ({spent['preview']:.0f} ms), and no less can show anything; the "
        "exact frame is cheap here, since frames that nothing is built on are skipped on the way to it."
    )
    return [
        Row(
            f"wrong frames of {2 * SEEKS} seeks by time, forwards and back",
            float(wrong),
            "frames",
            0.0,
            f"OpenCV by time: {wrong_cv2}",
            "each compared with the same clip decoded from its start; all kinds of clips are tests",
        ),
        Row(
            f"strip of {THUMBS} thumbnails: CPU as a multiple of OpenCV's",
            strip / strip_cv2,
            "x",
            0.1,
            f"OpenCV {strip_cv2 / 1000:.1f} s, from {SEEKS} of them",
            f"ours {strip / 1000:.2f} s: key frames first, marked, and refined when nothing else is wanted",
            "A thumbnail costs one key frame decoded; OpenCV decodes from the key frame to each instant.",
        ),
        Row(
            "cold exact seek: CPU as a multiple of OpenCV's",
            spent["ours"] / spent["cv2"],
            "x",
            0.8,
            f"OpenCV {spent['cv2']:.0f} ms, textbook PyAV {spent['pyav']:.0f} ms",
            f"ours {spent['ours']:.0f} ms, median of {SEEKS} seeks",
        ),
        Row(
            "key frame preview: CPU as a multiple of the exact frame's",
            spent["preview"] / spent["ours"],
            "x",
            0.1,
            f"exact {spent['ours']:.0f} ms",
            f"preview {spent['preview']:.0f} ms; the groups here average 125 frames to the target",
            why,
        ),
        Row("one frame on, wall, median", median(steps), "ms", None, "", f"p95 {quantile(steps, 0.95):.1f} ms"),
        Row("one frame back, wall, mean", sum(back) / len(back), "ms", None, "", f"longest {max(back):.0f} ms"),
        Row("jump to a prefetched turn, wall, p95", prefetched, "ms", 5.0, "", "200 jumps among 8 turns"),
    ]


def _seeks(path: Path) -> dict[str, float]:
    capture = cv2.VideoCapture(str(path))
    container: Any = av.open(str(path))
    stream = container.streams.video[0]
    stream.thread_type = "AUTO"
    rng = random.Random(1)
    spent: dict[str, list[float]] = {"ours": [], "pyav": [], "cv2": [], "preview": []}
    with Clip(path) as clip:
        index = clip.packet_index
    for target in (rng.randrange(COUNT) for _ in range(SEEKS)):

        def textbook(target: int = target) -> None:
            ticks = int(index.shown[target])
            container.seek(ticks, stream=stream)
            for frame in container.decode(stream):
                if frame.pts >= ticks:
                    frame.to_ndarray(format="bgra")
                    return

        def opencv(target: int = target) -> None:
            capture.set(cv2.CAP_PROP_POS_FRAMES, target)
            capture.read()

        # Each has its file open already, and nothing of it decoded.
        with Clip(path, index=index) as cold:
            cold.preview_at(0)
            spent["ours"].append(_cpu_ms(lambda cold=cold, target=target: cold.frame(target)))  # type: ignore[misc]
        spent["pyav"].append(_cpu_ms(textbook))
        spent["cv2"].append(_cpu_ms(opencv))
        with Clip(path, index=index) as cold:
            at = cold.time_of(target)
            spent["preview"].append(_cpu_ms(lambda cold=cold, at=at: cold.preview_at(at)))  # type: ignore[misc]
    capture.release()
    container.close()
    return {name: median(values) for name, values in spent.items()}


def _wrong(path: Path) -> tuple[int, int]:
    """Seeks by time that gave another frame than decoding from the start does: ours, and OpenCV's."""
    with Clip(path) as straight:
        times = straight.times
        marks = [straight.frame(n).pixels[::40, ::40].tobytes() for n in range(COUNT)]
    rng = random.Random(3)
    targets = sorted(rng.randrange(COUNT) for _ in range(SEEKS))
    targets += targets[::-1]
    with Clip(path) as clip:
        ours = sum(clip.frame_at(times[n]).pixels[::40, ::40].tobytes() != marks[n] for n in targets)
    capture = cv2.VideoCapture(str(path))
    theirs = 0
    for n in targets:
        capture.set(cv2.CAP_PROP_POS_MSEC, 1000 * float(times[n]))
        got, _ = capture.read()
        theirs += not got or round(capture.get(cv2.CAP_PROP_POS_FRAMES)) - 1 != n
    capture.release()
    return ours, theirs


def _strip_ms(path: Path) -> tuple[float, float]:
    """CPU milliseconds of a hundred thumbnails: key frames by us; exact frames by OpenCV, extrapolated."""
    spots = [n * COUNT / FPS / THUMBS for n in range(THUMBS)]
    with Clip(path) as clip:
        ours = _cpu_ms(lambda: [clip.preview_at(t) for t in spots])
    capture = cv2.VideoCapture(str(path))

    def some() -> None:
        for n in range(0, COUNT, COUNT // SEEKS):
            capture.set(cv2.CAP_PROP_POS_FRAMES, n)
            capture.read()

    theirs = _cpu_ms(some) * THUMBS / SEEKS
    capture.release()
    return ours, theirs


def _cpu_ms(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return 1000 * (time.process_time() - before)


def _wall_ms(work: Callable[[], object]) -> float:
    before = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - before)


def _steps(path: Path) -> tuple[list[float], list[float]]:
    with Clip(path) as clip:
        clip.frame(100)
        on = [_wall_ms(lambda n=n: clip.frame(n)) for n in range(101, 160)]  # type: ignore[misc]
        clip.frame(240)
        back = [_wall_ms(lambda n=n: clip.frame(n)) for n in range(239, 180, -1)]  # type: ignore[misc]
    return on, back


def _prefetched_ms(path: Path) -> float:
    turns = [n * COUNT / FPS / 8 for n in range(8)]
    rng = random.Random(2)
    with MediaService() as service:
        service.facts(path).result()
        for pending in [service.frame_at(path, t) for t in turns]:
            pending.result()
        took = [_wall_ms(lambda: service.frame_at(path, rng.choice(turns), lane="view").result(0)) for _ in range(200)]
    return quantile(took, 0.95)
