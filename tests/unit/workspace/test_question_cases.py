"""Every trouble input of questions and outputs, with its exact values."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.letters import extract
from annotator.domain.questions import Prediction, Question
from annotator.domain.report import ImportReport
from annotator.store import Store, create_store
from annotator.workspace.importing import import_source
from annotator.workspace.listing import list_items, show_item
from tests.helpers.questions import CASES

ALL: list[dict[str, Any]] = json.loads((CASES / "question-cases.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with create_store(tmp_path / "w", rater="tester") as opened:
        yield opened


def _brought(store: Store, case: dict[str, Any]) -> list[ImportReport]:
    return [import_source(store, CASES / name) for name in case["files"]]


def _pages(store: Store) -> list[dict[str, Any]]:
    return [show_item(store, entry["item"]) for entry in list_items(store, kind="question")]


def _predictions(store: Store) -> list[Prediction]:
    return [p for entry in list_items(store, kind="question") for p in store.predictions.of(entry["item"])]


def _check_lines(case: dict[str, Any], reports: list[ImportReport]) -> None:
    counts = Counter(line.code for report in reports for line in report.lines)
    for wanted in case["expect"]["report"]:
        least = wanted.get("min", wanted["count"])
        assert least <= counts[wanted["code"]], (wanted, counts)
        if "min" not in wanted:
            assert counts[wanted["code"]] == wanted["count"], (wanted, counts)
    if case["expect"]["report"] == []:
        assert not reports[-1].lines


@pytest.mark.parametrize("case", [c for c in ALL if c["kind"] == "mcq"], ids=lambda c: c["id"])
def test_questions(store: Store, case: dict[str, Any]) -> None:
    reports = _brought(store, case)
    pages, expect = _pages(store), case["expect"]
    assert sum(r.questions for r in reports) == len(pages) == expect["questions"]
    _check_lines(case, reports)
    if "letters" in expect:
        assert [[c["letter"] for c in page["choices"]] for page in pages] == expect["letters"]
    if "choice_count" in expect:
        assert [len(page["choices"]) for page in pages] == expect["choice_count"]
    if "truth_position" in expect:
        places = [page["key_positions"] for page in pages]
        assert [p[0] if len(p) == 1 else None for p in places] == expect["truth_position"]
        flagged = [{f["code"] for f in page["findings"]} for page in pages]
        assert "truth_bad" in flagged[1] and "truth_bad" not in flagged[0]
    if "twins" in expect:
        twins = [[f["letters"] for f in page["findings"] if f["code"] == "choice_twin"] for page in pages]
        assert twins[0] == [expect["twins"][0]]
        right = [page["source_id"] for page in pages if any(f["code"] == "truth_twin" for f in page["findings"])]
        assert right == expect["two_right_answers"]
    if isinstance(expect.get("texts"), list):
        assert [[c["text"] for c in page["choices"]] for page in pages] == expect["texts"]
    elif "texts" in expect:
        held = {f"{Path(p['source']).name}:{p['source_id']}": [c["text"] for c in p["choices"]] for p in pages}
        assert {name: held[name] for name in expect["texts"]} == expect["texts"]
    if "distinct_ids" in expect:
        assert len({page["source_id"] for page in pages}) == expect["distinct_ids"]
        contents = {(p["source_id"], p["text"], json.dumps(p["choices"]), p["key"]) for p in pages}
        assert len(contents) == expect["distinct_contents"]
        assert len({page["item"] for page in pages}) == expect["questions"]


@pytest.mark.parametrize("case", [c for c in ALL if c["kind"] == "predictions"], ids=lambda c: c["id"])
def test_outputs(store: Store, case: dict[str, Any]) -> None:
    reports = _brought(store, case)
    last, expect = reports[-1], case["expect"]
    made = _predictions(store)
    assert last.joined == expect["joined"] == len(made)
    assert last.refused is expect.get("refused", False)
    for name in ("correct", "failed", "blank"):
        if name in expect:
            assert getattr(last, name) == expect[name], name
    if not last.refused:
        _check_lines({"expect": expect}, [last])
    if "correct_strict" in expect:
        assert last.correct == expect["correct_strict"]
    if "strict" in expect:
        assert [p.careful for p in made] == expect["strict"]
        assert [p.official or "" for p in made] == expect["official"]
    if "lengths" in expect:
        assert [len(p.output or "") for p in made] == expect["lengths"]
    if "official_letters" in expect:
        # The rule itself reads letters out of error messages; an exception of it is none.
        assert [p.official or "error" for p in made] == expect["official_letters"]
        assert [p.letter("official") for p in made] == [None, None, None, None, None, "A"]
        assert round(last.correct / last.joined, 4) == expect["accuracy_all"]
        assert last.correct / (last.joined - last.failed - last.blank) == expect["accuracy_answered"]
        assert last.joined - last.failed - last.blank == expect["answered"]


def test_letters_are_those_of_the_named_profiles(store: Store) -> None:
    _brought(store, next(c for c in ALL if c["id"] == "C-PRD-PROFILES"))
    for entry in list_items(store, kind="question"):
        question = Question.model_validate(store.items.body(entry["item"]))
        marked = [f"({c.letter}) {c.text}" for c in question.choices]
        for held in store.predictions.of(entry["item"]):
            for profile in ("official", "vlmevalkit", "careful"):
                assert getattr(held, profile) == extract(profile, held.output, marked)


def test_a_file_of_objects_is_never_opened(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pickle

    def loaded(*_: object) -> None:
        raise AssertionError("a pickle was loaded")

    monkeypatch.setattr(pickle, "load", loaded)
    monkeypatch.setattr(pickle, "loads", loaded)
    (tmp_path / "folder").mkdir()
    data = (CASES / "predictions/m_MME-RealWorld.pkl").read_bytes()
    (tmp_path / "folder/m_MME-RealWorld.pkl").write_bytes(data)
    (tmp_path / "folder/questions.json").write_bytes((CASES / "predictions/questions.json").read_bytes())
    report = import_source(store, tmp_path / "folder")
    assert report.questions == 6 and report.joined == 0
    assert any("m_MME-RealWorld.pkl" in note for note in report.notes)
    assert import_source(store, tmp_path / "folder/m_MME-RealWorld.pkl").refused
