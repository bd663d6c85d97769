"""What the store costs, at the size of the benchmark: run as a script, prints one line of figures for each row.

    .venv/bin/python -m tests.benchmarks.store [--json]

CPU seconds and medians, since wall time depends on whatever else the machine does.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from annotator.domain.ids import item_id
from annotator.domain.items import Answer, Dialogue, Responder, Turn
from annotator.domain.report import ImportReport
from annotator.domain.rubric import TURN_DIMENSIONS
from annotator.domain.timecode import parse
from annotator.store import Draft, Store, create_store, open_store
from tests.benchmarks.rows import Row

DIALOGUES, TURNS, MODELS = 734, 8, 10
RATER = "bench"


def _id(number: int) -> str:
    return item_id("dialogue", f"b{number}", "video")


def dialogues(count: int) -> list[Dialogue]:
    return [
        Dialogue(
            item_id=_id(i),
            source_id=f"b{i}",
            modality="video",
            environment="work-desk",
            scenario="work",
            turns=tuple(
                Turn(
                    index=k,
                    question="这是一个关于画面的问题。" * 6,
                    reference="参考回答。" * 20,
                    timestamp=parse("00:10"),
                )
                for k in range(TURNS)
            ),
        )
        for i in range(count)
    ]


def answered(count: int, models: int) -> list[Responder]:
    return [
        Responder(
            item_id=_id(i),
            responder=f"maker::model-{m}::video",
            answers=tuple(Answer(index=k, text=f"模型回答 {i} {k} " + "内容" * 120) for k in range(TURNS)),
        )
        for i in range(count)
        for m in range(models)
    ]


def timed(work: Callable[[], object], repeats: int = 1) -> dict[str, float]:
    """Median CPU and wall milliseconds of a call."""
    cpu, wall = [], []
    for _ in range(repeats):
        c, w = time.process_time(), time.perf_counter()
        work()
        cpu.append(1000 * (time.process_time() - c))
        wall.append(1000 * (time.perf_counter() - w))
    return {"cpu_ms": round(median(cpu), 2), "wall_ms": round(median(wall), 2)}


def spread(samples: list[float]) -> dict[str, float]:
    """Median and 95th percentile of wall milliseconds."""
    return {"p50_ms": round(median(samples), 3), "p95_ms": round(quantiles(samples, n=20)[18], 3)}


def fill(store: Store, items: list[Dialogue], responders: list[Responder]) -> None:
    with store.imports.begin("rubric-mme", "bench") as writer:
        writer.put_dialogues(items)
        writer.put_responders(responders)
        writer.publish(ImportReport(kind="rubric-mme"))


def appends(store: Store, count: int, together: int) -> dict[str, float]:
    wall = []
    for number in range(count):
        name = TURN_DIMENSIONS[number % 8]
        drafts = [
            Draft(RATER, _id(number % DIALOGUES), f"turn:{k}", name, 1 + number % 5, responder="maker::model-0::video")
            for k in range(together)
        ]
        start = time.perf_counter()
        store.labels.append(drafts)
        wall.append(1000 * (time.perf_counter() - start))
    return spread(wall)


def beside_an_import(store: Store, items: list[Dialogue], responders: list[Responder]) -> dict[str, float]:
    """How long a label takes while an import is being written by another thread."""
    work = threading.Thread(target=fill, args=(store, items, responders))
    wall = []
    work.start()
    while work.is_alive():
        start = time.perf_counter()
        store.labels.append([Draft(RATER, _id(0), "turn:0", "accuracy", 4, responder="maker::model-0::video")])
        wall.append(1000 * (time.perf_counter() - start))
        time.sleep(0.03)
    work.join()
    return spread(wall)


def figures_of(folder: Path) -> dict[str, dict[str, float]]:
    """All figures, by name."""
    figures: dict[str, dict[str, float]] = {}
    items, responders = dialogues(DIALOGUES), answered(DIALOGUES, MODELS)
    with create_store(folder / "w", rater=RATER) as store:
        # Once in a process: SQLModel and SQLAlchemy.
        figures["load SQLModel"] = timed(lambda: importlib.import_module("annotator.store.bulk"))
        figures["import 734 x 10 answers"] = timed(lambda: fill(store, items, responders))
        figures["append 1 label"] = appends(store, 400, 1)
        figures["append 8 labels"] = appends(store, 200, 8)
        figures["queue 7,340 rows"] = timed(lambda: store.queue.rows(RATER), 5)
        row = store.queue.rows(RATER)[0]
        figures["one queue row"] = timed(lambda: store.queue.row(RATER, row.item_id, row.responder), 50)
        figures["search, found nowhere"] = timed(lambda: store.items.search("needle"), 5)
        figures["search, found everywhere"] = timed(lambda: store.items.search("回答"), 5)
        figures["one dialogue and its answers"] = timed(lambda: _open_one(store, row.item_id), 20)
        figures["sheet of one row"] = timed(lambda: store.labels.cells(row.item_id, row.responder, RATER, "blind"), 50)
        everything = [
            Draft(f"r{r}", _id(i), f"turn:{k}", name, 4, responder="maker::model-1::video")
            for r in range(2)
            for i in range(DIALOGUES)
            for k in range(TURNS)
            for name in TURN_DIMENSIONS[:3]
        ]
        start = time.process_time()
        for first in range(0, len(everything), 500):
            store.labels.append(everything[first : first + 500])
        figures[f"append {len(everything)} labels by 500"] = {"cpu_ms": round(1000 * (time.process_time() - start), 1)}
        figures["check all of it"] = timed(store.upkeep.check)
        figures["rebuild all of it"] = timed(store.upkeep.rebuild)
        figures["backup"] = timed(lambda: store.upkeep.backup(folder / "copy.db"))
        with create_store(folder / "v", rater=RATER) as other:
            figures["append beside an import"] = beside_an_import(other, items, responders)
            figures["merge all of it"] = timed(lambda: other.labels.merge(store.labels.events()))
            figures["merge it again"] = timed(lambda: other.labels.merge(store.labels.events()))
    figures["open"] = timed(lambda: open_store(folder / "w", write=True).close(), 10)
    with create_store(folder / "x", rater=RATER) as store:
        fill(store, dialogues(2943), answered(2943, MODELS)[:29_429])
        figures["queue 29,429 rows"] = timed(lambda: store.queue.rows(RATER), 3)
    return figures


def _open_one(store: Store, item: str) -> None:
    store.items.dialogue(item)
    store.items.responders(item)


TARGETS = {"append 1 label": ("p95_ms", 10.0)}


def run() -> list[Row]:
    """The same as rows: the 95th percentile where there is one, else CPU milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANNOTATOR_STATE_DIR"] = str(Path(folder) / "state")
        figures = figures_of(Path(folder))
    rows = []
    for name, figure in figures.items():
        kind, target = TARGETS.get(name, ("p95_ms" if "p95_ms" in figure else "cpu_ms", None))
        note = ", ".join(f"{k.removesuffix('_ms')} {v:.2f}" for k, v in figure.items() if k != kind)
        rows.append(Row(name, figure[kind], "ms p95" if kind == "p95_ms" else "ms CPU", target, "", note))
    return rows


def main() -> None:
    """Run in a folder of its own and print."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANNOTATOR_STATE_DIR"] = str(Path(folder) / "state")
        figures = figures_of(Path(folder))
    if "--json" in sys.argv:
        print(json.dumps(figures, indent=1))
        return
    for name, figure in figures.items():
        print(f"{name:36s} " + "  ".join(f"{k} {v:10.3f}" for k, v in figure.items()))


if __name__ == "__main__":
    main()
