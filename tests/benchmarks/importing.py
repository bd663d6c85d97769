"""Importing a release of the published size, ten models' answers and judgements with it, and importing it again."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from annotator.domain.report import ImportReport
from annotator.store import create_store
from annotator.workspace.importing import import_source
from tests.benchmarks.rows import Row
from tests.helpers.imports import image, judged, sample, video, write

VIDEO, VIDEO_TURNS = 426, 3658
IMAGE, IMAGE_TURNS = 308, 2201
MODELS = 10
ANSWER = "这是一段中等长度的回答，描述了画面中的人物、物体和动作。" * 6


def _lengths(dialogues: int, turns: int) -> list[int]:
    """Turns of each dialogue, as even as they go."""
    short, more = divmod(turns, dialogues)
    return [short + (k < more) for k in range(dialogues)]


def _sources(folder: Path) -> None:
    """A dataset of the published size; samples and judgements of the video part for each model."""
    lengths = _lengths(VIDEO, VIDEO_TURNS)
    write(folder / "video_final.json", [video(f"v{k}", n) for k, n in enumerate(lengths)])
    write(folder / "image_final.json", [image(f"i{k}", n) for k, n in enumerate(_lengths(IMAGE, IMAGE_TURNS))])
    for model in (f"model-{k}" for k in range(MODELS)):
        records, judgements = [], []
        for k, turns in enumerate(lengths):
            record = sample(f"v{k}", model, turns)
            for entry in record["rounds"]:
                entry["prediction"] = f"{ANSWER}{model}"
            records.append(record)
            judgements += [judged(f"v{k}", turn, model, prediction=f"{ANSWER}{model}") for turn in range(turns)]
        write(folder / f"{model}_samples.jsonl", records)
        write(folder / f"{model}_turn_judgements.jsonl", judgements)


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    started = time.process_time()
    value = call()
    return time.process_time() - started, value


def run() -> list[Row]:
    """Measure CPU seconds; the floor is reading the same bytes with the json module alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "release"
        _sources(folder)
        files = sorted(folder.iterdir())
        size = sum(f.stat().st_size for f in files) / 1e6
        floor, _ = _timed(lambda: [_plain(f) for f in files])
        store = create_store(Path(name) / "workspace", rater="bench")
        data = folder / "video_final.json"
        alone, first = _timed(lambda: [import_source(store, f) for f in (data, folder / "image_final.json")])
        assert sum(r.turns for r in first) == VIDEO_TURNS + IMAGE_TURNS
        whole, report = _timed(lambda: import_source(store, folder))
        again, repeated = _timed(lambda: import_source(store, folder))
        store.close()
    assert isinstance(report, ImportReport) and report.matched == MODELS * VIDEO_TURNS
    assert repeated.new == 0 and repeated.revised == 0
    answers = f"{MODELS} models, {MODELS * VIDEO_TURNS} answers and as many judgements, {size:.0f} MB"
    beside = f"json.loads alone {floor:.1f} s"
    return [
        Row("import of both dataset files, 734 dialogues and 5,859 turns", alone, "s CPU", 5),
        Row(f"import of a release: {answers}", whole, "s CPU", None, beside),
        Row("the same release again, which changes nothing", again, "s CPU", None, beside),
    ]


def _plain(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        json.loads(text)
    else:
        for line in text.splitlines():
            json.loads(line)
