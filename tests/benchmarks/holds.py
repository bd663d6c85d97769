"""How long the window does not answer: a beat of its event loop every two milliseconds, and the longest pause of it.

While 734 dialogues and ten models' answers are imported in the window, and while a 42-megapixel picture is brought to
the stage. The import works in a lane of the same interpreter, so both share its lock.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer

from tests.benchmarks.rows import Row, quantile
from tests.benchmarks.window import Bench, cold_media, spin

BEAT_MS = 2
LOADS = 10


class Beat(QObject):
    """Notes how late the event loop came back to a timer."""

    def __init__(self) -> None:
        super().__init__()
        self.late: list[float] = []
        self._due = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def _beat(self) -> None:
        now = time.perf_counter()
        self.late.append(max(0.0, 1000 * (now - self._due)))
        self._due = now + BEAT_MS / 1000

    def during(self, work: Callable[[], None]) -> list[float]:
        """The pauses while `work` runs, milliseconds."""
        self.late.clear()
        self._due = time.perf_counter() + BEAT_MS / 1000
        self._timer.start(BEAT_MS)
        work()
        self._timer.stop()
        return list(self.late)


def run() -> list[Row]:
    """Both rows, and the beat of a window at rest beside them."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        for name in ("CONFIG", "STATE", "DATA", "CACHE"):
            os.environ[f"ANNOTATOR_{name}_DIR"] = str(Path(folder) / name.lower())
        import sys

        from annotator.app import make_application
        from annotator.ui import collector

        sys.setswitchinterval(0.001)  # as annotator.app.main does
        collector.start()
        return measured(make_application([]), Path(folder))


def measured(app: Any, folder: Path) -> list[Row]:
    """Open the sample, load its large picture again and again, then import into it."""
    from annotator.workspace.setup import ensure_demo
    from tests.benchmarks.importing import _sources

    ensure_demo(folder / "sample")
    sources = folder / "sources"
    sources.mkdir()
    _sources(sources)
    bench = Bench(app, folder / "sample")
    beat = Beat()
    rest = beat.during(lambda: spin(2000))
    loads = loading(bench, beat)
    done: list[bool] = []
    bench.window.lanes.idle.connect(lambda: done.append(True))
    flows = bench.window.flows
    flows.start_import([sources])
    pauses = beat.during(lambda: _import(bench, done))
    bench.close()
    beside = f"at rest: longest {max(rest):.1f} ms"
    imported = "longest hold while 734 dialogues by ten models are imported"
    return [
        Row(
            "longest hold while a 42 MP picture comes to the stage",
            max(loads),
            "ms",
            16,
            beside,
            spread(loads),
            "A goal: it is the worst beat of thousands; the worker that decodes shares caches, memory and "
            "the interpreter's lock with the window.",
        ),
        Row(
            imported,
            max(pauses),
            "ms",
            None,
            beside,
            spread(pauses),
        ),
    ]


def _import(bench: Bench, done: list[bool]) -> None:
    limit = time.monotonic() + 300
    while not done and time.monotonic() < limit:
        spin(50)


def loading(bench: Bench, beat: Beat) -> list[float]:
    """Bring the largest picture of the sample to the stage, from nothing, some times."""
    desk, media = bench.window.desk, bench.window.review.media
    largest = max(
        (row for row in desk.queue.rows if row.modality == "image"),
        key=lambda row: _pixels(desk.workspace.review(*row.key)),
    )
    desk.open_row(*largest.key)
    bench.settle()
    view = desk.view
    turn = max(range(len(view.turns)), key=lambda k: _size(view.turns[k]))
    bench.window.review.open_turn(turn)
    bench.settle()
    pauses: list[float] = []
    for _ in range(LOADS):
        cold_media(bench)
        media.stage.show_state(None)
        bench.settle()
        came: list[bool] = []
        heard = media.session.picture.connect(lambda _picture, _keep, came=came: came.append(True))
        media.show_turn(turn)
        pauses += beat.during(lambda came=came: _until(lambda: len(came) > 1))
        media.session.picture.disconnect(heard)
    return pauses


def _until(done: Callable[[], bool]) -> None:
    limit = time.monotonic() + 5
    while not done() and time.monotonic() < limit:
        spin(30)
    spin(100)


def _pixels(view: Any) -> int:
    return max(map(_size, view.turns), default=0)


def _size(turn: Any) -> int:
    from annotator.workspace.views import asset_path

    paths = [asset_path(asset) for asset in turn.evidence]
    return max((path.stat().st_size for path in paths if path is not None), default=0)


def spread(pauses: list[float]) -> str:
    """How the beats were late."""
    return f"{len(pauses)} beats; p99 {quantile(pauses, 0.99):.1f}, p50 {quantile(pauses, 0.5):.1f} ms"
