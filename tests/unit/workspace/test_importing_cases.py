"""Every trouble input of the kinds `dialogue`, `paths` and `judge`, held against its right values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.report import ImportReport
from annotator.store import Store
from tests.helpers.imports import CASES, bring, cases, put_cases, workspace


def _check_lines(report: ImportReport, expected: dict[str, Any]) -> None:
    wanted = expected.get("report", [])
    if not wanted:
        assert report.lines == []
    for want in wanted:
        found = [line for line in report.lines if line.code == want["code"]]
        if "min" in want:
            assert len(found) >= want["min"], want
        else:
            assert len(found) == want["count"], (want, found)
        if "line" in want:
            assert [line.line for line in found] == [want["line"]]
        if "lines" in want:
            assert [line.line for line in found] == want["lines"]
        if "offset" in want:
            assert [line.offset for line in found] == [want["offset"]]
        if "names" in want:
            assert all(want["names"] in line.reason for line in found)


def _text(store: Store, place: str) -> str:
    name, index, what = place.split("/")
    turn = store.items.dialogue(store.items.resolve(name)).turns[int(index)]
    return turn.question if what == "question" else turn.reference


def _check_texts(store: Store, expected: dict[str, Any]) -> None:
    dialogues = [store.items.dialogue(h.item_id) for h in store.items.heads()]
    for place, text in expected.get("texts", {}).items():
        assert _text(store, place) == text
    for place, length in expected.get("lengths", {}).items():
        assert len(_text(store, place)) == length
    for text, count in expected.get("search", {}).items():
        assert len({item for item, _ in store.items.search(text)}) == count, text
    if "no_char" in expected:
        assert expected["no_char"] not in "".join(d.model_dump_json() for d in dialogues)
    shown = [text for d in dialogues for t in d.turns for text in (t.question, t.reference)]
    for text in expected.get("shown_as_typed", ()):
        assert text in shown


def _check_turns(store: Store, expected: dict[str, Any]) -> None:
    turns = [t for h in store.items.heads() for t in store.items.dialogue(h.item_id).turns]
    if "turn_time" in expected:
        assert [t.timestamp.start for t in turns] == expected["turn_time"]
    if "times" in expected:
        assert [t.timestamp.model_dump() for t in turns] == expected["times"]
    if "kept_entries" in expected:
        assert sum(len(t.entries) for t in turns) == expected["kept_entries"]
    for path in expected.get("paths", ()):
        asset = turns[path["turn"]].evidence[0]
        results = ("ok", "missing") if path["result"] == "open" else (path["result"],)
        assert asset.status in results and asset.raw == path["raw"], path
        if path["result"] != "open":
            assert asset.inside == path["inside"]


@pytest.mark.parametrize("case", cases("dialogue", "paths"), ids=lambda c: c["id"])
def test_dialogue_and_path_cases(case: dict[str, Any], tmp_path: Path) -> None:
    expected = case["expect"]
    files = put_cases(tmp_path, case["files"])
    for link, target in case.get("links", {}).items():
        (tmp_path / link).unlink()
        (tmp_path / link).symlink_to(target)
    roots = files[1:]
    with workspace(tmp_path) as store:
        report = bring(store, files[0], *roots)
        assert report.refused == expected.get("refused", False)
        assert (report.dialogues, report.turns) == (expected["dialogues"], expected["turns"])
        assert report.unanswered == expected.get("unanswered", report.unanswered)
        assert len(store.items.heads()) == expected["dialogues"]
        _check_lines(report, expected)
        _check_texts(store, expected)
        _check_turns(store, expected)
        ids = {h.source_id for h in store.items.heads()}
        assert ids >= set(expected.get("ids_include", ()))
        assert "ids" not in expected or ids == set(expected["ids"])
        waits = [p for p in store.imports.problems() if p.code == "dup_conflict"]
        assert len(waits) == expected.get("pending_conflicts", 0)
        again = bring(store, files[0], *roots)
        assert (again.new, again.revised) == (0, 0) and again.dialogues == report.dialogues
        assert [line.code for line in again.lines] == [line.code for line in report.lines]


@pytest.mark.parametrize("name", ["txt_emoji", "txt_fullwidth", "txt_lines", "txt_rtl", "txt_html"])
def test_texts_come_in_unchanged(name: str, tmp_path: Path) -> None:
    raw = json.loads((CASES / f"dialogue/{name}.json").read_text(encoding="utf-8"))
    wanted = [e["text"] for d in raw for e in d["stream_conversation"]["conversations"]]
    with workspace(tmp_path) as store:
        bring(store, CASES / f"dialogue/{name}.json")
        turns = [t for h in store.items.heads() for t in store.items.dialogue(h.item_id).turns]
        assert [text for t in turns for text in (t.question, t.reference)] == wanted


def _scores(store: Store) -> dict[str, dict[str, int]]:
    """Scores by `judge:dialogue/turn/dimension`-like keys: judge model -> {target/dimension: score}."""
    found: dict[str, dict[str, int]] = {}
    for head in store.items.heads():
        for record in store.judges.records(head.item_id):
            model = record.judge.split("::")[1]
            at = f"{head.source_id}/{record.target.removeprefix('turn:')}"
            for dimension, score in record.scores.items():
                found.setdefault(model, {})[f"{at}/{dimension}"] = score
    return found


@pytest.mark.parametrize("case", cases("judge"), ids=lambda c: c["id"])
@pytest.mark.parametrize("judges_first", [False, True], ids=["dialogues-first", "judges-first"])
def test_judge_cases(case: dict[str, Any], judges_first: bool, tmp_path: Path) -> None:
    expected = case["expect"]
    dialogues, judges = put_cases(tmp_path, case["files"])
    with workspace(tmp_path) as store:
        if judges_first:
            report = bring(store, judges)
            assert report.waiting and not report.matched
            joined = bring(store, dialogues).joined
            assert joined == expected.get("matched", joined)
        else:
            bring(store, dialogues)
            report = bring(store, judges)
            _check_lines(report, expected)
        assert report.records == expected["records"]
        scores = _scores(store)
        for judge, score in expected.get("accepted", {}).items():
            assert scores[judge] == {"d1/0/accuracy": score}
        if "accepted" in expected:
            assert scores.keys() == expected["accepted"].keys()
        for place, score in expected.get("value", {}).items():
            judge, _, at = place.rpartition(":")
            assert scores[judge or "judge-a"][at] == score
        if "score_values" in expected:
            assert sum(map(len, scores.values())) == expected["score_values"]
            assert judges_first or report.score_values == expected["score_values"]
        if "matched" in expected and not judges_first:
            assert (report.matched, report.waiting) == (expected["matched"], expected["waiting"])
        if "rejected" in expected:
            assert report.rejected == expected["rejected"] and report.accepted == expected["in_range"]
            assert not scores and [p.choices for p in store.imports.problems()] == [("map-scale", "drop")]
        if "avg" in expected:
            assert [r.avg for h in store.items.heads() for r in store.judges.records(h.item_id)] == expected["avg"]
        if "mean" in expected:
            sums: dict[str, list[int]] = {}
            for at, score in scores["judge-a"].items():
                sums.setdefault(at.rsplit("/", 1)[-1], []).append(score)
            assert {k: sum(v) / len(v) for k, v in sums.items()} == expected["mean"]
        again = bring(store, judges)
        assert (again.new, again.revised, again.unchanged) == (0, 0, again.matched + again.waiting)
        assert _scores(store) == scores
