"""Importing 29,429 questions from each container, twenty models' outputs, filtering, and computing accuracy.

Each measurement runs in a process of its own, so that CPU and memory are its own.
"""

from __future__ import annotations

import csv
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.benchmarks.rows import Row, quantile
from tests.helpers.questions import packed, png, write_json

COUNT, ENGLISH, MODELS, IMAGES = 29_429, 23_512, 20, 20_000
WALK, FRAME_MS = 61, 16.7
_LETTERS = "ABCDE"
_PARTS = 5
_DOMAINS = (
    ("Monitoring", "Vehicle/counting"), ("Remote Sensing", "color"), ("Diagram and Table", "table"),
    ("Autonomous_Driving", "Objects_Identify"), ("OCR with Complex Context", "license"),
)  # fmt: skip


def _record(number: int) -> dict[str, Any]:
    rng = random.Random(number)
    subtask, category = _DOMAINS[number % 5]
    words = " ".join(rng.choices(("bus", "lane", "red", "left", "sign", "roof", "near", "the", "white", "of"), k=14))
    text = f"第{number}题：画面中的{words}是什么颜色？" if number >= ENGLISH else f"Which object {number}: {words}?"
    return {
        "Question_id": f"perception/{subtask}/{category}/{number:05d}",
        "Image": f"folder_{number % 40}/{number % IMAGES}.jpg",
        "Text": text,
        "Question Type": "Multiple Choice",
        "Answer choices": [f"({c}) {c.lower()} {rng.randrange(10_000)} {words[:20]}" for c in _LETTERS],
        "Ground truth": _LETTERS[number % 5],
        "Category": category,
        "Subtask": subtask,
        "Task": "Perception" if number % 7 else "Reasoning",
    }


def _packed(number: int) -> dict[str, Any]:
    record = _record(number)
    row = packed(number, png(number % IMAGES, 24, 16), record["Ground truth"])
    row |= {"question": record["Text"], "multi-choice options": record["Answer choices"]}
    return row | {"category": f"{record['Task']}/{record['Subtask']}", "l2-category": record["Category"]}


def _sources(folder: Path) -> None:
    folder.mkdir()
    write_json(folder / "json/MME_RealWorld.json", [_record(n) for n in range(COUNT)])
    rows = [_packed(n) for n in range(COUNT)]
    size = COUNT // _PARTS + 1
    for part in range(_PARTS):
        write_json(folder / f"base64/MME_base64_{part}.json", rows[part * size : (part + 1) * size])
    (folder / "tsv").mkdir()
    with (folder / "tsv/MME-RealWorld.tsv").open("w", encoding="utf-8", newline="") as handle:
        writer = csv.DictWriter(handle, list(rows[0]), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows({**r, "multi-choice options": str(r["multi-choice options"])} for r in rows)
    import pyarrow as pa
    import pyarrow.parquet as pq

    (folder / "parquet").mkdir()
    table = pa.Table.from_pylist([{**{k: v for k, v in r.items() if k != "image"}, "bytes": r["image"]} for r in rows])
    pq.write_table(table, folder / "parquet/train-00000-of-00001.parquet", row_group_size=4000)
    (folder / "outputs").mkdir()
    for model in range(MODELS):
        rng = random.Random(model)
        with (folder / f"outputs/model{chr(97 + model)}.jsonl").open("w", encoding="utf-8") as handle:
            for number in range(COUNT):
                record = _record(number)
                letter = rng.choice(_LETTERS) if rng.random() < 0.4 else record["Ground truth"]
                text = record["Answer choices"][_LETTERS.index(letter)]
                output = rng.choice((letter, letter, text, f"The answer is {letter}.", f"Based on the image, {letter}"))
                handle.write(json.dumps({**record, "Output": output}, ensure_ascii=False) + "\n")


def _measured(action: str, *arguments: object) -> dict[str, float]:
    """Run one action of this module in a new process; CPU and wall seconds, peak memory above the interpreter in MB."""
    command = [sys.executable, "-m", "tests.benchmarks.questions", action, *map(str, arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    held: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return held


def _peak() -> float:
    """The most memory that this process has had, MB; what `getrusage` tells is inherited from who started it."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _import(workspace: str, source: str) -> dict[str, float]:
    base = _peak()
    from annotator.store import create_store, open_store
    from annotator.workspace.importing import import_source

    folder = Path(workspace)
    with open_store(folder, write=True) if folder.exists() else create_store(folder, rater="qa") as store:
        cpu, wall = time.process_time(), time.perf_counter()
        report = import_source(store, Path(source))
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        if report.refused or not (report.questions == COUNT or report.joined == COUNT * MODELS):
            raise SystemExit(f"not what was made: {report.notes[:3]} {report.questions} {report.joined}")
    return {"cpu": cpu, "wall": wall, "memory": _peak() - base}


def _floor(source: str) -> dict[str, float]:
    """The least that an import can be: parse the file, and put each record back as text into a table of two columns."""
    import sqlite3

    cpu = time.process_time()
    with sqlite3.connect(":memory:") as held:
        held.execute("CREATE TABLE item (id TEXT PRIMARY KEY, body TEXT)")
        for file in Path(source).iterdir():
            records = json.loads(file.read_text(encoding="utf-8"))
            rows = ((f"{file}/{at}", json.dumps(record, ensure_ascii=False)) for at, record in enumerate(records))
            held.executemany("INSERT INTO item VALUES (?, ?)", rows)
    return {"cpu": time.process_time() - cpu}


def _filter(workspace: str) -> dict[str, float]:
    from annotator.domain.question_sheet import QuestionFilter
    from annotator.workspace.questions import Questions
    from annotator.workspace.workspace import Workspace

    with Workspace.open(Path(workspace), read_only=True) as opened:
        questions = Questions(opened)
        first = time.perf_counter()
        questions.queue(QuestionFilter())
        first = time.perf_counter() - first
        times = []
        for wanted in (
            QuestionFilter(domains=frozenset({"Monitoring"})), QuestionFilter(unfinished=True),
            QuestionFilter(languages=frozenset({"zh"}), tasks=frozenset({"Reasoning"})),
            QuestionFilter(letters_open=True), QuestionFilter(search="object 99"), QuestionFilter(search="object 2771"),
        ):  # fmt: skip
            started = time.perf_counter()
            questions.queue(wanted)
            times.append(time.perf_counter() - started)
        typed, times = times[-2], [*times[:-2], times[-1]]  # the first letter typed reads the texts
        item = next(iter(questions.queue(QuestionFilter()).rows)).item_id
        started = time.perf_counter()
        questions.question(item)
        one = time.perf_counter() - started
    return {
        "first": first * 1000,
        "worst": max(times) * 1000,
        "search": times[-1] * 1000,
        "typed": typed * 1000,
        "one": one * 1000,
    }


def _accuracy(workspace: str, *by: str) -> dict[str, float]:
    from annotator.report.figures import Asked
    from annotator.store import open_store
    from annotator.workspace.figures_accuracy import accuracy_of

    base = _peak()
    with open_store(Path(workspace), write=False) as store:
        cpu = time.process_time()
        figures, _ = accuracy_of(store, Asked(by=by))
        cpu = time.process_time() - cpu
    return {"cpu": cpu, "figures": len(figures), "memory": _peak() - base}


def _walk(folder: str, count: str) -> dict[str, float]:
    """Questions in a row by answer, box, digit and Enter; from Enter to the paint of the next question's image."""
    import os

    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    for name in ("CONFIG", "STATE", "DATA"):
        os.environ[f"ANNOTATOR_{name}_DIR"] = str(Path(folder) / name.lower())
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    from annotator.app import make_application
    from tests.benchmarks.window import Bench, Paints
    from tests.ui.choice import sample

    app = make_application([])
    sys.setswitchinterval(0.001)  # as annotator.app.main does
    bench = Bench(app, sample.workspace(Path(folder) / "set", int(count), (2000, 1500)))
    page = bench.window.choice.page
    stage = page.stage.stage
    paints = Paints(stage)
    shift, left = Qt.KeyboardModifier.ShiftModifier, Qt.MouseButton.LeftButton
    taken: list[float] = []
    for number in range(int(count) - 1):
        bench.until(lambda: page.stage.picture is not None and not page.stage.loader.busy)
        page.take_keyboard()
        QTest.keyClick(app.focusWidget() or bench.window, "ABCD"[number % 4].lower())
        QTest.mousePress(stage, left, shift, QPoint(300, 250))
        QTest.mouseMove(stage, QPoint(400, 300))
        QTest.mouseRelease(stage, left, shift, QPoint(400, 300))
        QTest.keyClick(app.focusWidget() or bench.window, "1")
        bench.settle_quickly()
        bench.until(lambda: not page.stage.loader.busy)
        before = page.desk.view.row.item_id
        taken.append(bench.press(Qt.Key.Key_Return, paints))
        if page.desk.view.row.item_id == before or page.stage.picture is None:
            raise SystemExit("the next question was not painted")
    own = list(bench.own)
    bench.close()
    return {"wall": quantile(taken, 0.95), "half": quantile(taken, 0.5), "own": quantile(own, 0.95)}


ACTIONS: dict[str, Callable[..., dict[str, float]]] = {
    "import": _import, "floor": _floor, "filter": _filter, "accuracy": _accuracy, "walk": _walk,
}  # fmt: skip


def run() -> list[Row]:
    """Measure, with everything in a folder that is removed."""
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as name:
        got = _measured("walk", Path(name) / "walk", WALK)
        note = f"p50 {got['half']:.1f} ms; the window's own CPU p95 {got['own']:.1f} ms"
        what = f"Enter to the paint of the next question, prepared, {WALK} in a row, p95"
        why = (
            "Laying out and painting picture, question and choices takes the window's own thread 9 to 14 ms; whatever "
            "else the machine does at that moment comes on top."
        )
        rows.append(Row(what, got["wall"], "ms", FRAME_MS, note=note, why=why))
        folder = Path(name) / "sets"
        _sources(folder)
        for kind, target in (("json", 5.0), ("base64", 60.0), ("tsv", 60.0), ("parquet", 60.0)):
            workspace = Path(name) / f"w-{kind}"
            got = _measured("import", workspace, folder / kind)
            what = f"import {COUNT:,} questions from {kind}"
            floor = f"json and SQLite alone {_measured('floor', folder / kind)['cpu']:.2f} s" if kind == "json" else ""
            why = "Each record is read, checked, related to its picture, proved by a digest and indexed for the search."
            rows.append(Row(f"{what}: CPU", got["cpu"], "s", target, floor, f"{got['wall']:.1f} s on the clock", why))
            rows.append(Row(f"{what}: memory above the interpreter", got["memory"], "MB", 500.0))
        workspace = Path(name) / "w-json"
        got = _measured("import", workspace, folder / "outputs")
        rows.append(Row(f"import {COUNT * MODELS:,} outputs of {MODELS} models", got["wall"], "s", 600.0,
                        note=f"{got['cpu']:.0f} s CPU, {got['memory']:.0f} MB above the interpreter"))  # fmt: skip
        got = _measured("filter", workspace)
        told = f"search {got['search']:.0f} ms (the first {got['typed']:.0f}), first reading {got['first']:.0f} ms"
        rows.append(Row("filter the questions, the slowest of five", got["worst"], "ms", 100.0, note=told))
        rows.append(Row("open one question with 20 outputs", got["one"], "ms"))
        for by in ((), ("model", "profile"), ("model", "domain", "task")):
            got = _measured("accuracy", workspace, *by)
            what = "accuracy of all outputs" + (f" by {', '.join(by)}" if by else "")
            rows.append(Row(f"{what}: CPU", got["cpu"], "s", 30.0,
                            note=f"{got['figures']:.0f} figures, {got['memory']:.0f} MB"))  # fmt: skip
    return rows


if __name__ == "__main__":
    print(json.dumps(ACTIONS[sys.argv[1]](*sys.argv[2:])))
