"""The bundled sample's figures, counted by hand from its own script, and printed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from annotator.report.figures import Asked
from annotator.sample.judging import session_records, turn_records
from annotator.sample.labelling import label_records
from annotator.sample.records import answers_entry, dataset_entry
from annotator.sample.script import MODELS, read_dialogues
from annotator.store import Store
from annotator.workspace.figures import figures_of
from tests.helpers.imports import bring, workspace, write


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The sample without its media."""
    folder, dialogues = tmp_path_factory.mktemp("sample"), read_dialogues()
    with workspace(folder) as held:
        for modality in ("video", "image"):
            bring(
                held,
                write(folder / f"{modality}.json", [dataset_entry(d) for d in dialogues if d.modality == modality]),
            )
        answers = [answers_entry(d, model) for d in dialogues for model in MODELS]
        bring(held, write(folder / "answers.jsonl", answers))
        bring(held, write(folder / "turns.jsonl", turn_records(dialogues)))
        bring(held, write(folder / "sessions.jsonl", session_records(dialogues)))
        bring(held, write(folder / "labels.jsonl", label_records(dialogues)), kind="labels")
        yield held


def golden(store: Store, subject: str) -> dict[str, Any]:
    return {figure.name: figure for figure in figures_of(store, subject, Asked()).figures}


def by_hand() -> list[tuple[int, int]]:
    """(judge, human) of every unit with both, from the records alone."""
    dialogues = read_dialogues()
    judged: dict[tuple[str, str, str, str], int] = {}
    for record in [*turn_records(dialogues), *session_records(dialogues)]:
        responder = "::".join((record["tested_provider"], record["tested_model_name"], record["task_name"]))
        target = "session" if "round_index" not in record else f"turn:{record['round_index']}"
        for dimension, cell in record["scores"].items() if record["status"] == "success" else ():
            judged[record["dialogue_id"], responder, target, dimension] = int(float(cell["score"]))
    return [
        (judged[key], line["value"])
        for line in label_records(dialogues)
        if isinstance(line["value"], int)
        and (key := (line["source_id"], line["responder"], line["target"], line["field"])) in judged
    ]


def test_calibration_of_the_sample(store: Store) -> None:
    figures, pairs = golden(store, "calibration"), by_hand()
    assert figures["exact"].n == len(pairs) == 180
    assert figures["exact"].value == pytest.approx(sum(j == h for j, h in pairs) / len(pairs))
    printed = {name: round(figures[name].value, 4) for name in ("exact", "within_1", "bias", "mae", "ac_quadratic")}
    assert printed == {"exact": 0.7556, "within_1": 0.8722, "bias": -0.0167, "mae": 0.4389, "ac_quadratic": 0.9022}
    assert figures["confusion"].value[4][4] == sum(pair == (5, 5) for pair in pairs) == 127
    assert figures["ceiling_exact"].why == "undefined: there is only one rater"
    assert figures["bias"].why == "no interval: 3 clusters, fewer than the 5 that one needs"


def test_retention_of_the_sample(store: Store) -> None:
    figures = golden(store, "retention")
    keep = figures["wilson_keep"]
    assert (keep.value, round(keep.low, 4), round(keep.high, 4), keep.n) == (0.5, 0.0945, 0.9055, 2)
    stages = ("imported", "media_complete", "heard", "two_raters", "decided", "kept")
    assert [figures[f"funnel_{stage}"].value for stage in stages] == [6, 0, 2, 0, 2, 1]  # none of its media lie here
    assert (figures["judge_keep_4.25"].value, figures["reason_content"].value) == (pytest.approx(4 / 6), 1.0)


def test_effort_of_the_sample(store: Store) -> None:
    figures = golden(store, "effort")
    spent = sum(line["active_ms"] for line in label_records(read_dialogues()))
    assert figures["minutes"].value == pytest.approx(spent / 60_000)
    assert figures["labels"].value == len(label_records(read_dialogues()))
