"""The report of a workspace that holds questions and comparisons too: their parts, definitions, items, verification."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from annotator.report.figures import Asked
from annotator.report.html_text import definition
from annotator.store import Draft, Store
from annotator.workspace.comparisons_making import make_comparisons
from annotator.workspace.figures_items import items_behind
from annotator.workspace.intake_comparisons import comparisons_in
from annotator.workspace.report_sections import SECTIONS
from annotator.workspace.reporting import verify, write_report
from tests.helpers.imports import bring, sample, video, workspace, write
from tests.helpers.questions import answered, official, write_json, write_lines

MODELS = ("m", "n", "o")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Six questions with two models' outputs and a person's answers; six ranked comparisons of three models."""
    folder = tmp_path_factory.mktemp("kinds")
    with workspace(folder) as held:
        records = [official(n, key="C") for n in range(6)]
        bring(held, write_json(folder / "q.json", records))
        bring(held, write_lines(folder / "FirstVLM.jsonl", answered(records, ("C", "A", "C", "E", "C", "B"))))
        bring(held, write_lines(folder / "OtherVLM.jsonl", answered(records, "CCCCCC")))
        questions = [head.item_id for head in held.items.heads("question")]
        held.labels.append([Draft("li", item, "item", "answer", "CA"[k % 2]) for k, item in enumerate(questions)])
        names = [f"d{k}" for k in range(6)]
        bring(held, write(folder / "d.json", [video(name, 1) for name in names]))
        bring(held, write(folder / "s.jsonl", [sample(name, model, 1) for name in names for model in MODELS]))
        make_comparisons(held, list(MODELS), 6, level="turn", seed=1, project="p", repeats=0.5)
        for one in comparisons_in(held):
            order = {name: place for place, name in enumerate(MODELS, 1)}
            ranking = [order[str(each.responder).split("::")[1]] for each in one.responses]
            held.labels.append([Draft("li", one.item_id, "item", "ranking", ranking)])
        yield held


@pytest.fixture(scope="module")
def told(store: Store, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    file = tmp_path_factory.mktemp("report") / "r.html"
    done = write_report(store, file, Asked(resamples=20), "zh_CN")
    found: dict[str, Any] = json.loads(done.numbers.read_text(encoding="utf-8"))
    return found | {"text": done.page.read_text(encoding="utf-8"), "file": done.numbers}


def figures(told: dict[str, Any], section: str) -> list[dict[str, Any]]:
    return next(list(one["figures"]) for one in told["sections"] if one["id"] == section)


def test_all_sections_are_there_and_every_figure_has_its_definition(told: dict[str, Any]) -> None:
    assert [section["id"] for section in told["sections"]] == [section.id for section in SECTIONS]
    missing = {
        figure["name"]
        for section in told["sections"]
        for figure in section["figures"]
        for lang in ("en", "zh_CN")
        if not definition(figure["name"], lang, section["subject"])
    }
    assert missing == set()
    for title in ("4  人更偏好哪个回答？", "5  模型选对的比例有多高？", "答案为 E 的比例"):
        assert title in told["text"]
    assert "65.8%" in told["text"]


def test_accuracy_is_that_of_the_outputs(told: dict[str, Any], store: Store) -> None:
    of = {(one["name"], one["by"]["model"]): one for one in figures(told, "accuracy_by_model")}
    assert of["accuracy", "FirstVLM"]["value"] == pytest.approx(3 / 6)
    assert of["accuracy", "OtherVLM"]["value"] == 1.0
    questions = sorted(head.item_id for head in store.items.heads("question"))
    assert told["items"][of["accuracy", "FirstVLM"]["behind"]] == questions
    rubrics = {section["subject"]: section["rubric"] for section in told["sections"]}
    assert rubrics["accuracy"].startswith("question@") and rubrics["retention"].startswith("rubric-mme@")
    assert items_behind(store, "accuracy", "accuracy_people", {}) == tuple(questions)
    assert items_behind(store, "accuracy", "avg", {"model": "OtherVLM"}) == tuple(questions)


def test_preference_stands_on_its_comparisons(told: dict[str, Any], store: Store) -> None:
    made = list(comparisons_in(store))
    first = sorted(one.item_id for one in made if one.repeat_of is None)
    again = sorted(one.item_id for one in made if one.repeat_of is not None)
    assert len(first) == 6
    assert again
    of = {one["name"]: one for one in figures(told, "preference")}
    assert told["items"][of["tie_rate"]["behind"]] == first
    assert told["items"][of["self_agreement"]["behind"]] == again
    assert of["self_agreement"]["value"] == 1.0
    assert of["davidson"]["value"] is None and of["davidson"]["why"]
    pair = [f"p::{name}::omnibench_video_stream_text" for name in ("m", "n")]
    assert items_behind(store, "preference", "win_rate_half", {"responders": pair}) == tuple(first)


def test_it_holds_until_somebody_says_something_else(told: dict[str, Any], store: Store) -> None:
    assert verify(store, told["file"], Asked()) == []
    question = next(iter(store.items.heads("question"))).item_id
    store.labels.append([Draft("wu", question, "item", "answer", "B")])
    lines = verify(store, told["file"], Asked())
    assert any("accuracy_people" in line for line in lines)
