"""Error attributions: joined to dialogue and turn in any order, the last of a judgement counting, nothing dropped."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import WorldError
from annotator.store import Store
from annotator.workspace.checking import check_workspace
from annotator.workspace.problems import decide, waiting
from tests.helpers.imports import TASK, bring, codes, judged, lines_of, sample, video, workspace, write


def attributed(name: str = "d1", index: int | None = 0, model: str = "m", **more: Any) -> dict[str, Any]:
    """A Phase 4 record of `judged(name, index, model)`; `index` None for a session."""
    key = f"p::{model}::{TASK}::{name}"
    dimension, category = (
        ("accuracy", "幻觉与捏造") if index is not None else ("intent_fulfillment", "关键需求覆盖不全")
    )
    record = {
        "schema_version": "rubric_mme_phase4_v1",
        "candidate_id": key if index is None else f"{key}::{name}:round_{index:03d}",
        "severity": "warning", "low_score_metrics": [dimension], "critical_metrics": [],
        "primary_error_category": category, "secondary_error_categories": [category],
        "affected_metrics": [dimension], "attribution_summary": f"why {name} {index}",
    }  # fmt: skip
    return {**record, **more}


def _held(store: Store, name: str = "d1") -> list[tuple[str, str, str]]:
    found = store.attributions.of(store.items.resolve(name))
    return sorted((a.responder, a.target, a.summary) for a in found)


def test_turns_and_sessions_find_their_place_by_the_id_alone(tmp_path: Path) -> None:
    names = ("d1", "a::b", "x:round_001")
    records = [attributed(name, index) for name in names for index in (0, 1, None)]
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video(name) for name in names]))
        report = bring(store, write(tmp_path / "turn_error_attributions.jsonl", records))
        assert report.kind == "attributions" and not report.refused
        assert (report.records, report.attributions, report.matched, report.waiting, report.new) == (9, 9, 9, 0, 9)
        assert report.lines == []
        for name in names:
            assert _held(store, name) == [
                (f"p::m::{TASK}", "session", f"why {name} None"),
                (f"p::m::{TASK}", "turn:0", f"why {name} 0"),
                (f"p::m::{TASK}", "turn:1", f"why {name} 1"),
            ]
        (first,) = store.attributions.of(store.items.resolve("d1"), f"p::m::{TASK}", "turn:0")
        assert (first.severity, first.low, first.affected) == ("warning", ("accuracy",), ("accuracy",))
        assert first.categories == ("幻觉与捏造",) and first.about("accuracy") and not first.about("relevance")
        assert store.judges.count() == 0  # no judge's record is made of it


@pytest.mark.parametrize("order", [*itertools.permutations(("data", "judge", "why"))])
def test_any_order_gives_the_same(tmp_path: Path, order: tuple[str, ...]) -> None:
    sources = {
        "data": write(tmp_path / "d.json", [video("d1")]),
        "judge": write(tmp_path / "j.jsonl", [judged("d1", 0), judged("d1", 1)]),
        "why": write(tmp_path / "a.jsonl", [attributed("d1", 0), attributed("d1", 1), attributed("d9", 0)]),
    }
    with workspace(tmp_path) as store:
        for name in order:
            report = bring(store, sources[name])
            if name == "why":
                there = "data" in order[: order.index("why")]
                assert (report.matched, report.waiting) == ((2, 1) if there else (0, 3))
                assert codes(report) == {"attribution_unmatched": 1 if there else 3}
        assert [target for _, target, _ in _held(store)] == ["turn:0", "turn:1"]
        assert [a.source_id for a in store.attributions.waiting()] == ["d9"]
        assert bring(store, write(tmp_path / "more.json", [video("d9")])).joined == 1
        assert store.attributions.waiting() == [] and len(_held(store, "d9")) == 1


def test_the_last_attribution_of_a_judgement_counts_and_a_second_import_changes_nothing(tmp_path: Path) -> None:
    records = [attributed("d1", 0, attribution_summary="old"), attributed("d1", 0, attribution_summary="new")]
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1")]))
        source = write(tmp_path / "a.jsonl", records)
        report = bring(store, source)
        assert (report.records, report.attributions, report.new) == (2, 1, 1)
        assert codes(report) == {"attribution_retry": 1}
        assert [summary for *_, summary in _held(store)] == ["new"]
        again = bring(store, source)
        assert (again.new, again.revised, again.unchanged) == (0, 0, 1)
        changed = bring(store, write(tmp_path / "b.jsonl", [attributed("d1", 0, attribution_summary="newest")]))
        assert (changed.new, changed.revised) == (0, 1)
        assert [summary for *_, summary in _held(store)] == ["newest"] and store.attributions.count() == 1


def test_odd_records_are_said_and_what_is_usable_is_kept(tmp_path: Path) -> None:
    records = [
        attributed("d1", 0, primary_error_category="完全陌生的类别", secondary_error_categories="幻觉与捏造"),
        attributed("d1", 1, low_score_metrics=["accuracy", "session_consistency"], severity="terrible"),
        attributed(
            "d1", 0, primary_error_category="事实性错误/对象与属性错误", model="n", secondary_error_categories=[7]
        ),
        {"candidate_id": "x", "severity": "ok"},
        {"candidate_id": 7, "severity": "ok", "primary_error_category": "幻觉与捏造"},
    ]
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1")]))
        report = bring(store, write(tmp_path / "a.jsonl", records))
        assert (report.attributions, report.rejected) == (3, 2)
        assert codes(report) == {"tag_unknown": 1, "dim_unknown": 1, "field_type": 3, "id_damaged": 2}
        assert "terrible" in next(line.reason for line in lines_of(report, "field_type") if line.field == "severity")
        kept = {(a.responder, a.target): a for a in store.attributions.of(store.items.resolve("d1"))}
        assert kept[f"p::m::{TASK}", "turn:0"].categories == ("完全陌生的类别", "幻觉与捏造")
        assert kept[f"p::m::{TASK}", "turn:1"].low == ("accuracy",)
        assert kept[f"p::n::{TASK}", "turn:0"].categories == ("对象与属性错误",)


def test_what_waits_is_put_to_a_person_and_may_be_let_go(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "s.jsonl", [sample("d1")]))
        judges = write(tmp_path / "j.jsonl", [judged("d1", 0), judged("d8", 0), judged("d9", None)])
        bring(store, judges)
        bring(store, write(tmp_path / "a.jsonl", [attributed("d8", 0)]))
        first, second = waiting(store)
        assert (first.code, first.detail["records"], first.choices) == ("judge_waiting", 2, ("drop",))
        assert "d8, d9" in first.reason and second.code == "attribution_waiting"
        told = check_workspace(store)
        assert told["waiting"] == [] and [w["id"] for w in told["waiting_records"]] == [first.id, second.id]
        assert told["attributions"] == {"held": 0, "waiting": 1}
        with pytest.raises(WorldError, match="choose drop"):
            decide(store, first.id, "keep-first")
        report = decide(store, first.id, "drop")
        assert report is not None and report.rejected == 2
        assert [p.id for p in waiting(store)] == [second.id] and store.judges.waiting() == []
        assert len(store.judges.records(store.items.resolve("d1"))) == 1  # what has its item stays
        with pytest.raises(WorldError, match="waits any more"):
            decide(store, first.id, "drop")
        assert bring(store, judges).waiting == 2  # imported once more it waits once more
        assert bring(store, write(tmp_path / "late.jsonl", [sample("d8")])).joined == 2
