"""The Figures page at full scale, offscreen: values, then intervals, while the window goes on answering.

15 raters, 5,859 turns of 734 dialogues with 8 dimensions, 734 sessions with 4, a twentieth missing, two judges, 2,000
resamples: about 710,000 labels in one workspace, read through the page as a person opens it. A pass of the event loop
is the longest time for which a timer of the window's own thread had to wait.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from tests.benchmarks.rows import Row, quantile
from tests.benchmarks.stats_scale import DIALOGUES, RATERS, dialogues
from tests.benchmarks.window import Paints, spin

MODEL = "maker::model-0::video"
JUDGES = ("backend::judge-a::v1", "backend::judge-b::v1")
GAP, PORTION, TICK_MS, HELD_MS, PATIENCE_S = 0.05, 20_000, 5, 50.0, 600
SECTIONS = ("calibration", "retention")


def run() -> list[Row]:
    """All rows; the workspace is made first."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        for name in ("CONFIG", "STATE", "DATA", "CACHE"):
            os.environ[f"ANNOTATOR_{name}_DIR"] = str(Path(folder) / name.lower())
        from annotator.app import make_application
        from annotator.ui import collector

        app = make_application([])
        sys.setswitchinterval(0.001)  # both as annotator.app.main does
        collector.start()
        labels = fill(Path(folder) / "w")
        return measured(app, Path(folder) / "w", labels)


# ------------------------------------------------------------------------------------------------------- the workspace
def fill(folder: Path, seed: int = 1) -> int:
    """Dialogues, answers of one model, two judges, and everybody's scores and verdicts; returns how many labels."""
    from annotator.domain.report import ImportReport
    from annotator.store import create_store

    turns = np.bincount(dialogues(seed), minlength=DIALOGUES)
    rng = np.random.default_rng(seed)
    quality = 3.6 + rng.normal(0, 0.7, DIALOGUES)
    with create_store(folder, rater="lead") as store:
        items, responders = _items(turns)
        with store.imports.begin("rubric-mme", "bench") as writer:
            writer.put_dialogues(items)
            writer.put_responders(responders)
            writer.put_judge_records(_judged(items, turns, quality, rng))
            writer.publish(ImportReport(kind="rubric-mme"))
        count, held = 0, []
        for draft in _said(items, turns, quality, rng):
            held.append(draft)
            if len(held) == PORTION:
                count += store.many.append(held)
                held = []
        return count + store.many.append(held)


def _items(turns: Any) -> tuple[list[Any], list[Any]]:
    from annotator.domain.ids import item_id
    from annotator.domain.items import Answer, Category, Dialogue, Responder, Turn
    from annotator.domain.timecode import parse

    scenes, kinds = ("work", "home", "outdoor", "retail", "health", "family", "industry"), ("count", "place", "read")
    items, responders = [], []
    for i, n in enumerate(turns.tolist()):
        name = item_id("dialogue", f"b{i}", "video")
        asked = tuple(
            Turn(
                index=k,
                question=f"question {i} {k}",
                reference="reference",
                timestamp=parse("00:10"),
                category=Category(primary=kinds[k % 3]),
            )
            for k in range(n)
        )
        items.append(Dialogue(item_id=name, source_id=f"b{i}", modality="video", scenario=scenes[i % 7], turns=asked,
                              source=f"file-{i % 3}.json"))  # fmt: skip
        answers = tuple(Answer(index=k, text=f"answer {i} {k} " + "words " * (1 + (i + k) % 40)) for k in range(n))
        responders.append(Responder(item_id=name, responder=MODEL, answers=answers))
    return items, responders


def _places(items: list[Any], turns: Any) -> Iterator[tuple[int, Any, str, tuple[str, ...]]]:
    from annotator.domain.rubric import dimensions_of

    for i, (item, n) in enumerate(zip(items, turns.tolist(), strict=True)):
        for target in (*(f"turn:{k}" for k in range(n)), "session"):
            yield i, item, target, tuple(dimensions_of(target))


def _judged(items: list[Any], turns: Any, quality: Any, rng: Any) -> Iterator[tuple[str, Any]]:
    from annotator.domain.judge import JudgeRecord

    for i, item, target, names in _places(items, turns):
        for place, judge in enumerate(JUDGES):
            seen = np.clip(np.round(quality[i] * 0.7 + 1.6 - place * 0.3 + rng.normal(0, 0.6, len(names))), 1, 5)
            scores = {name: int(score) for name, score in zip(names, seen, strict=True)}
            yield item.item_id, JudgeRecord(
                judgement_id=f"{item.source_id}/{target}", judge=judge, source_id=item.source_id, responder=MODEL,
                target=target, modality="video", status="success", scores=scores, reasons={},
                avg=float(np.mean(seen)), prediction=None, raw={"scores": scores},
            )  # fmt: skip


def _said(items: list[Any], turns: Any, quality: Any, rng: Any) -> Iterator[Any]:
    from annotator.store import Draft

    lean = rng.normal(0, 0.3, RATERS)
    for i, item, target, names in _places(items, turns):
        scores = np.clip(np.round(quality[i] + lean[:, None] + rng.normal(0, 0.7, (RATERS, len(names)))), 1, 5)
        there = rng.random(scores.shape) >= GAP
        week = f"2026-{1 + i // 70:02d}-0{1 + i % 9}T10:00:00.000000Z"
        for r in range(RATERS):
            for d, name in enumerate(names):
                if there[r, d]:
                    yield Draft(f"rater{r:02d}", item.item_id, target, name, int(scores[r, d]), responder=MODEL,
                                active_ms=2_000 + 100 * d, at=week)  # fmt: skip
            if target == "session":
                verdict = "keep" if quality[i] + lean[r] > 3.2 else "revise" if r % 2 else "reject"
                yield Draft(f"rater{r:02d}", item.item_id, "item", "verdict", verdict, active_ms=900, at=week)


# ------------------------------------------------------------------------------------------------------ the measuring
class Passes(QObject):
    """How long a timer of this thread had to wait, at worst, and what the thread itself had to do meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[tuple[float, float]] = []
        self._last = (time.perf_counter(), time.thread_time())
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._tick)
        self._timer.start(TICK_MS)

    def _tick(self) -> None:
        now = (time.perf_counter(), time.thread_time())
        self.gaps.append((1000 * (now[0] - self._last[0]), 1000 * (now[1] - self._last[1])))
        self._last = now

    def begin(self) -> None:
        """Forget what was."""
        self.gaps.clear()
        self._last = (time.perf_counter(), time.thread_time())

    def longest(self) -> tuple[float, float, float]:
        """The longest wait, the longest work of the thread in one pass, the 99th percentile of waits; milliseconds."""
        waits = [wait for wait, _ in self.gaps]
        return max(waits), max(own for _, own in self.gaps), quantile(waits, 0.99)


def until(done: Callable[[], bool]) -> None:
    """Run the event loop until something is so."""
    limit = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > limit:
            raise TimeoutError("the page did not answer in time")
        spin(2)


def measured(app: QApplication, folder: Path, labels: int) -> list[Row]:
    """Each section as a person opens it, and stopping half-way."""
    from annotator.ui.lanes import Lanes
    from annotator.ui.statistics.page import StatisticsPage

    lanes = Lanes()
    page = StatisticsPage(lanes)
    page.resize(1600, 1000)
    page.show()
    page.set_workspace(folder, {MODEL: "A"})
    spin(300)
    passes, rows = Passes(), []
    for name in SECTIONS:
        rows += opened(page, passes, name, labels)
    rows += stopped(page, lanes, passes)
    page.shut_down()
    lanes.shutdown()
    return rows


def opened(page: Any, passes: Passes, name: str, labels: int) -> list[Row]:
    """Open a section: its first values painted, its last interval there; how the window's thread fared meanwhile."""
    shares: list[tuple[float, float]] = []
    arrivals: list[float] = []
    told = page.runner.progressed.connect(lambda share: shares.append((time.perf_counter(), share)))
    came = page.runner.arrived.connect(lambda: arrivals.append(time.perf_counter()))
    page.bar.tabs.set_current(name)
    passes.begin()
    wall, cpu = time.perf_counter(), time.process_time()
    page.page_shown()
    paints = Paints(page.section())
    until(lambda: bool(arrivals) and any(at > arrivals[0] for at in paints.at))
    first = (next(at for at in paints.at if at > arrivals[0]) - wall, time.process_time() - cpu)
    until(lambda: not page.runner.busy)
    spin(50)
    whole = (time.perf_counter() - wall, time.process_time() - cpu)
    page.runner.progressed.disconnect(told)
    page.runner.arrived.disconnect(came)
    at = [wall, *(moment for moment, _ in shares), wall + whole[0]]
    silent = max(b - a for a, b in pairwise(at))
    wait, own, p99 = passes.longest()
    return [
        Row(f"{name}: open to first values painted, {labels:,} labels", first[1], "s CPU", None, "",
            f"{first[0]:.1f} s on the clock"),
        Row(f"{name}: open to the last interval", whole[1], "s CPU", 20.0 if name == "calibration" else None, "",
            f"{whole[0]:.1f} s on the clock; progress told {len(shares)} times, longest silence {silent:.1f} s",
            "The target is that of the figures (`stats_scale` holds it); the page asks for them in many groupings, for "
            "two judges, and first reads all labels out of the database."),
        Row(f"{name}: longest work of the window's thread in one pass", own, "ms CPU", HELD_MS, "",
            f"longest wait of a timer {wait:.0f} ms on the clock, 99 % within {p99:.0f} ms",
            "One pass takes over an answer and paints the cards anew."),
    ]  # fmt: skip


def stopped(page: Any, lanes: Any, passes: Passes) -> list[Row]:
    """Stop while intervals are being made: until the page says so, until the lane is free."""
    said, idle = [], []
    for share in (0.02, 0.1, 0.2):
        page.runner._room._answers.clear()  # as after somebody wrote a label
        page.bar.tabs.set_current("calibration")
        passes.begin()
        page.page_shown()
        until(lambda share=share: page.progress.share is not None and page.progress.share >= share)
        start = time.perf_counter()
        page.bar.cancel.click()
        paints = Paints(page.bar)
        until(lambda paints=paints: bool(paints.at))
        said.append(1000 * (paints.at[0] - start))
        until(lambda: not lanes.busy)
        idle.append(1000 * (time.perf_counter() - start))
    return [
        Row("stop: until the page says that it has stopped", max(said), "ms", 100.0, "", "longest of three"),
        Row("stop: until nothing is calculated any more", max(idle), "ms", 500.0, "", "longest of three",
            "One step of a figure, between two looks at whether it is still wanted, takes that long."),
    ]  # fmt: skip
