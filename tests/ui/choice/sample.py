"""A small set of invented questions in the official shape, with drawn images and the outputs of three models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.ui.choice.invented import picture

MODELS = ("alpha-7b", "beta-13b", "gamma-2b")
HIDDEN = "I counted the marked bays twice, so option (D) it is."
_OUTPUTS = (("D", "The answer is (C)."), ("B or C, hard to tell", HIDDEN), ("", "green"))


def record(number: int) -> dict[str, Any]:
    """One official record."""
    driving = number % 4 == 3
    return {
        "Question_id": f"set/{'driving' if driving else 'remote'}/{number:04d}",
        "Image": f"image-{number}.png",
        "Text": f"How many white cars stand in row {number}?",
        "Question Type": "Multiple Choice",
        "Answer choices": ["(A) three", "(B) five", "(C) six", "(D) eight", "(E) The image does not feature a car"],
        "Ground truth": "ABCD"[number % 4],
        "Category": "Objects_Identify" if driving else "count",
        "Subtask": "Autonomous_Driving" if driving else "Remote Sensing",
        "Task": "Perception",
    }


def write(folder: Path, count: int = 6, size: tuple[int, int] = (1600, 1100)) -> tuple[Path, list[Path]]:
    """The set and the models' files in a folder; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        picture(folder, number, size)
    records = [record(n) for n in range(count)]
    questions = folder / "MME_RealWorld.json"
    questions.write_text(json.dumps(records), encoding="utf-8")
    outputs = []
    for place, model in enumerate(MODELS):
        path = folder / f"{model}.jsonl"
        lines = (json.dumps({**r, "Output": _OUTPUTS[place][n % 2]}) for n, r in enumerate(records))
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        outputs.append(path)
    return questions, outputs


def workspace(folder: Path, count: int = 6, size: tuple[int, int] = (1600, 1100)) -> Path:
    """A workspace with the set and the outputs imported."""
    from annotator.workspace.workspace import Workspace

    questions, outputs = write(folder / "data", count, size)
    made = Workspace.create(folder / "workspace", rater="lin")
    try:
        made.import_source(questions, media_roots=(questions.parent,))
        for path in outputs:
            made.import_source(path, kind="predictions")
    finally:
        made.close()
    return folder / "workspace"
