"""The window at work, offscreen, from the key to the paint that shows the answer.

734 dialogues by ten models (7,340 rows, labels of 400 turns) for the queue; the sample, with its films and pictures,
for the next dialogue. A paint counts when its whole pass is through.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.benchmarks.rows import Row, quantile

DIALOGUES, MODELS = 734, 10
SCROLLS = 400
FRAME_MS = 16
NONE = Qt.KeyboardModifier.NoModifier
ROOT = Path(__file__).resolve().parents[2]
WARM = """
import sys
from pathlib import Path
from annotator.app import make_application
from annotator.store import create_store
from tests.benchmarks.window import Bench
folder = Path(sys.argv[1]) / "warm"
create_store(folder, rater="bench").close()
Bench(make_application([]), folder).close()
"""
DIGITS = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5)


class Paints(QObject):
    """Notes when the paint passes that touched some widgets were through, to the last pixel in the window's buffer.

    A paint pass is the window's answer to one `UpdateRequest`: it is let through from here, so that its end is known.
    (An event posted from within the pass comes only behind timers that are due, and so behind work of the next turn.)
    """

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self.at: list[float] = []
        self.own: list[float] = []  # the same moments in CPU time of the window's thread
        self._touched = self._inside = False
        self._window = widgets[0].window()
        for widget in (*widgets, self._window):
            widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note the widgets' paints, and take the time behind the pass that they belong to."""
        if event.type() == QEvent.Type.Paint and watched is not self._window:
            self._touched = True
        if event.type() != QEvent.Type.UpdateRequest or watched is not self._window or self._inside:
            return False
        self._inside, self._touched = True, False
        QCoreApplication.sendEvent(watched, event)
        self._inside = False
        if self._touched:
            self.at.append(time.perf_counter())
            self.own.append(time.thread_time())
        return True


def run() -> list[Row]:
    """All rows; the big workspace is made first."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        for name in ("CONFIG", "STATE", "DATA", "CACHE"):
            os.environ[f"ANNOTATOR_{name}_DIR"] = str(Path(folder) / name.lower())
        warm(folder)
        from annotator.app import make_application
        from annotator.ui import collector

        app = make_application([])
        sys.setswitchinterval(0.001)  # both as annotator.app.main does
        collector.start()
        return [*at_scale(app, Path(folder) / "big"), *at_the_sample(app, Path(folder) / "sample")]


def warm(folder: str) -> None:
    """Let all that is imported be there as byte code, as where the program is installed: open a workspace once."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(Path(folder) / "pyc")
    done = subprocess.run([sys.executable, "-c", WARM, folder], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the window did not open: {done.stderr[-800:]}")


class Bench:
    """One real window on one workspace."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        from annotator.ui.lanes import Lanes
        from annotator.ui.window import MainWindow

        self.app = app
        self.own: list[float] = []  # what each key press took of the window's thread, CPU milliseconds
        self.window = MainWindow(Lanes())
        self.window.resize(1600, 1000)
        self.window.show()
        spin(200)
        ready: list[bool] = []
        self.window.ready.connect(lambda: ready.append(True))
        start = time.process_time()
        self.window.open_path(folder)
        self.until(lambda: bool(ready))
        self.window.repaint()
        self.opened_s = time.process_time() - start
        self.settle()

    def until(self, done: Callable[[], bool]) -> None:
        """Run the event loop until something is so."""
        limit = time.monotonic() + 60
        while not done():
            if time.monotonic() > limit:
                raise TimeoutError("the window did not answer in a minute")
            self.app.processEvents()
            if not done():
                time.sleep(0.0002)  # the lanes want the interpreter too

    def settle(self) -> None:
        """Nothing on its way any more."""
        self.until(lambda: not self.window.lanes.busy and not self.window.desk.outbox.waiting)
        spin(400)

    def settle_quickly(self) -> None:
        """Everything said is on disk and shown as saved, and all panels have followed."""
        spin(100)  # about as long as a quick hand needs from one key to the next
        self.until(lambda: not self.window.lanes.busy and not self.window.desk.outbox.waiting)

    def press(self, key: Any, paints: Paints) -> float:
        """Press a key where the keyboard is; milliseconds until the next paint was through."""
        seen = len(paints.at)
        start, own = time.perf_counter(), time.thread_time()
        QTest.sendKeyEvent(QTest.KeyAction.Press, self.app.focusWidget() or self.window, key, "", NONE)
        self.until(lambda: len(paints.at) > seen)
        QTest.sendKeyEvent(QTest.KeyAction.Release, self.app.focusWidget() or self.window, key, "", NONE)
        self.own.append(1000 * (paints.own[seen] - own))
        return 1000 * (paints.at[seen] - start)

    def close(self) -> None:
        """Close as a person would."""
        self.settle()
        self.window.close()
        spin(50)


def spin(ms: int) -> None:
    """Run the event loop for a while."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


# ------------------------------------------------------------------------------------------------------------ at scale
def fill(folder: Path) -> None:
    """734 dialogues, ten models, a judge, and labels of 400 turns."""
    from annotator.domain.judge import JudgeRecord
    from annotator.domain.report import ImportReport
    from annotator.domain.rubric import TURN_DIMENSIONS
    from annotator.store import Draft, create_store
    from tests.benchmarks import store as material

    items, responders = material.dialogues(DIALOGUES), material.answered(DIALOGUES, MODELS)
    with create_store(folder, rater="bench") as store:
        with store.imports.begin("rubric-mme", "bench") as writer:
            writer.put_dialogues(items)
            writer.put_responders(responders)
            writer.put_judge_records(judged(items, responders, JudgeRecord))
            writer.publish(ImportReport(kind="rubric-mme"))
        for number in range(400):
            one = responders[number * 3]
            store.labels.append([
                Draft("bench", one.item_id, f"turn:{number % 8}", name, 1 + number % 5, responder=one.responder)
                for name in TURN_DIMENSIONS[: 8 if number % 2 else 3]
            ])  # fmt: skip


def judged(items: list[Any], responders: list[Any], kind: Any) -> Iterator[tuple[str, Any]]:
    """One judge's scores of every turn of every answer."""
    from annotator.domain.rubric import TURN_DIMENSIONS

    source_of = {item.item_id: item.source_id for item in items}
    for responder in responders:
        for answer in responder.answers:
            yield responder.item_id, kind(
                judgement_id=f"{responder.item_id}/{responder.responder}/{answer.index}",
                judge="backend::judge::v1", source_id=source_of[responder.item_id], responder=responder.responder,
                target=f"turn:{answer.index}", modality="video", status="success",
                scores=dict.fromkeys(TURN_DIMENSIONS, 4), reasons={}, avg=4.0, prediction=None, raw={},
            )  # fmt: skip


def at_scale(app: QApplication, folder: Path) -> list[Row]:
    """The queue of 7,340 rows."""
    fill(folder)
    bench = Bench(app, folder)
    queue = bench.window.review.queue
    count = queue.model.rowCount()
    what = f"open a workspace of {count:,} rows until its first row is painted"
    why = "The queue itself takes a tenth of it; half of it is importing the modules of the domain and of the pages."
    rows = [Row(what, bench.opened_s, "s CPU", 1.5, "", "from byte code", why)]
    rows += scrolled(bench, queue.list)
    rows += filtered(bench, queue)
    rows += scored(bench, f"{count:,} rows")
    bench.close()
    return rows


def scrolled(bench: Bench, view: Any) -> list[Row]:
    """Wheel steps at 60 a second, and pages by the keyboard."""
    paints = Paints(view.viewport())
    middle = QPointF(view.viewport().rect().center())
    spent = []
    due = time.perf_counter()
    for _ in range(SCROLLS):
        due += FRAME_MS / 1000
        bench.until(lambda due=due: time.perf_counter() >= due)
        start = time.perf_counter()
        wheel = QWheelEvent(
            middle, QPointF(view.viewport().mapToGlobal(middle.toPoint())), QPoint(), QPoint(0, -120),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        seen = len(paints.at)
        QApplication.sendEvent(view.viewport(), wheel)
        bench.until(lambda seen=seen: len(paints.at) > seen)
        spent.append(1000 * (paints.at[seen] - start))
    gaps = [1000 * (b - a) for a, b in zip(paints.at, paints.at[1:], strict=False)]
    what = f"scroll the queue by the wheel, {SCROLLS} steps, gap between frames, p95"
    note = f"p50 {statistics.median(gaps):.1f}, longest {max(gaps):.0f} ms"
    work = f"p95; p50 {statistics.median(spent):.1f}, longest {max(spent):.0f} ms"
    view.setFocus()
    pages = [bench.press(Qt.Key.Key_PageDown, paints) for _ in range(100)]
    return [
        Row(what, quantile(gaps, 0.95), "ms", 33, f"steps every {FRAME_MS} ms", note),
        Row("a wheel step to its paint", quantile(spent, 0.95), "ms", 16, "", work),
        Row("a page of the queue by PageDown to its paint, p95", quantile(pages, 0.95), "ms", 33),
    ]


def painted(paints: Paints) -> Callable[[], bool]:
    """Whether there was a paint since now."""
    seen = len(paints.at)
    return lambda: len(paints.at) > seen


def filtered(bench: Bench, queue: Any) -> list[Row]:
    """Filter and search: asked, found, painted."""
    from dataclasses import replace

    desk = bench.window.desk
    paints = Paints(queue.list.viewport())
    taken: dict[str, list[float]] = {"filter": [], "search": []}
    for step in range(10):
        for name, new in (
            ("filter", replace(desk.filter, unfinished=not desk.filter.unfinished)),
            ("search", replace(desk.filter, search=f"b{step}" if not desk.filter.search else "")),
        ):
            arrived: list[bool] = []
            desk.queue_changed.connect(lambda _view, arrived=arrived: arrived.append(True))
            start = time.perf_counter()
            desk.set_filter(new)
            bench.until(lambda arrived=arrived: bool(arrived))
            bench.until(painted(paints))
            taken[name].append(1000 * (paints.at[-1] - start))
            bench.settle()
    return [
        Row(
            "filter the queue to its paint", statistics.median(taken["filter"]), "ms", 100, "", spread(taken["filter"])
        ),
        Row(
            "search the queue to its paint", statistics.median(taken["search"]), "ms", 300, "", spread(taken["search"])
        ),
    ]


def spread(values: list[float]) -> str:
    """Median and longest in words."""
    return f"p50 {statistics.median(values):.1f}, longest {max(values):.0f} ms"


def scored(bench: Bench, where: str) -> list[Row]:
    """Score keys: until painted as pending, until COMMIT and the journal's fsync returned in the lane.

    Beside it what the disk takes for two bare appends, each with its fsync: no label can be safe sooner.
    """
    window = bench.window
    review = window.review
    review.take_keyboard()
    paints = Paints(*review.grid.rows())
    durable: list[float] = []
    workspace: Any = window.desk.workspace
    labels = workspace.store.labels
    append = labels.append

    def timed(drafts: Any) -> Any:
        events = append(drafts)
        durable.append(time.perf_counter())
        return events

    labels.append = timed
    to_paint, to_disk, bare = [], [], []
    bench.own.clear()
    for number in range(120):
        review.open_turn(number % 8)
        bench.settle_quickly()
        for _ in (0, 1):
            # Another value than stands there: what stands already is not said again.
            held = window.desk.view.sheet.value(review.target, review.grid.current_dimension())
            key = DIGITS[held % 5 if isinstance(held, int) else 3]
            done = len(durable)
            start = time.perf_counter()
            to_paint.append(bench.press(key, paints))
            bench.until(lambda done=done: len(durable) > done)
            to_disk.append(1000 * (durable[done] - start))
            bench.settle_quickly()
            bare.append(appended(workspace.store.folder / "cache"))
    own = f"the window's own CPU p50 {statistics.median(bench.own):.1f}, p95 {quantile(bench.own, 0.95):.1f} ms"
    disk = f"two bare appends with fsync: p50 {statistics.median(bare):.1f}, p95 {quantile(bare, 0.95):.1f} ms"
    return [
        Row(
            f"a score key to its paint, {where}, p95",
            quantile(to_paint, 0.95),
            "ms",
            8,
            "",
            f"{spread(to_paint)}; {own}",
            "The window's own part stands beside it; the rest is waiting: for the interpreter, which the lane that "
            "saves wants too, and for a core.",
        ),
        Row(
            f"a score key to COMMIT, {where}, p95",
            quantile(to_disk, 0.95),
            "ms",
            10,
            disk,
            spread(to_disk),
            "It waits for two fsyncs, of the database and of the journal, and takes turns with the painting window at "
            "the interpreter.",
        ),
    ]


def appended(folder: Path) -> float:
    """Milliseconds for two appends of a page, each with its fsync, as a label needs them."""
    start = time.perf_counter()
    for name in ("bare-1", "bare-2"):
        with (folder / name).open("ab", buffering=0) as file:
            file.write(bytes(4096))
            os.fsync(file.fileno())
    return 1000 * (time.perf_counter() - start)


# ----------------------------------------------------------------------------------------------------------- the sample
def at_the_sample(app: QApplication, folder: Path) -> list[Row]:
    """The next turn and the next dialogue: text, grid and first picture."""
    from annotator.workspace.setup import ensure_demo

    ensure_demo(folder)
    bench = Bench(app, folder)
    taken: dict[str, list[tuple[float, float]]] = {"turn": [], "ahead": [], "cold": []}
    for _ in range(6):
        for key in (Qt.Key.Key_BracketRight, Qt.Key.Key_BracketRight, Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketLeft):
            if bench.window.review.turn is not None:
                taken["turn"].append(picture_after(bench, key))
        taken["ahead"].append(picture_after(bench, Qt.Key.Key_N))
    for _ in range(6):
        bench.window.desk._views.clear()
        cold_media(bench)
        taken["cold"].append(picture_after(bench, Qt.Key.Key_P))
    bench.close()
    return [
        next_row("next dialogue, read ahead", taken["ahead"], 16),
        next_row("next dialogue, cold", taken["cold"], 50),
        next_row("next or previous turn", taken["turn"], 50),
    ]


def next_row(what: str, taken: list[tuple[float, float]], target: float) -> Row:
    """A row with the time on the clock, and beside it what the window's thread itself took of it."""
    wall, own = zip(*taken, strict=True)
    note = f"median of {len(wall)}, longest {max(wall):.0f} ms; the window's own CPU {statistics.median(own):.0f} ms"
    why = "What is left is the painting: text, eight rows of the grid and the picture, by the processor alone."
    return Row(f"{what}: text, grid, picture painted", statistics.median(wall), "ms", target, "", note, why)


def picture_after(bench: Bench, key: Any) -> tuple[float, float]:
    """Press a key; milliseconds until text, grid and the new picture were painted, and the window's own of them.

    The other panels follow in the next pass of the event loop; they are not part of it.
    """
    review = bench.window.review
    media = review.media
    came: list[float] = []
    heard = media.session.picture.connect(lambda _picture, _keep: came.append(time.perf_counter()))
    # What changes in the grid is marked under the same key, so it is painted in the text's own pass (and where no score
    # differs between two dialogues there is nothing to paint).
    watched = [Paints(review.transcript.viewport())]
    stage = Paints(media.stage)
    start, own = time.perf_counter(), time.thread_time()
    QTest.keyClick(bench.app.focusWidget() or bench.window, key)
    bench.until(lambda: bool(came) and bool(stage.at) and stage.at[-1] > came[0] and all(p.at for p in watched))
    seen = next(k for k, at in enumerate(stage.at) if at > came[0])
    spent = 1000 * (max(stage.at[seen], *(paints.at[0] for paints in watched)) - start)
    own = 1000 * (max(stage.own[seen], *(paints.own[0] for paints in watched)) - own)
    media.session.picture.disconnect(heard)
    bench.settle()
    return spent, own


def cold_media(bench: Bench) -> None:
    """Forget everything that was decoded, and from now on read nothing ahead and keep no preview on disk."""
    from annotator.media.service import MediaService

    desk, media = bench.window.desk, bench.window.review.media
    desk._read_ahead = lambda: None
    media.strip.warm = lambda: None
    media.loader.drop()
    media.loader._make = MediaService
    if media.loader._service is not None:
        media.loader._service.shutdown()
        media.loader._service = None
    media.loader._facts.clear()
