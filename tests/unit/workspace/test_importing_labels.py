"""Label lines: kept or refused one by one, and the two round trips."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from annotator.store import Draft, Store
from annotator.workspace.importing import import_source
from tests.helpers.imports import TASK, bring, codes, lines_of, sample, video, workspace, write

M, N = f"p::m::{TASK}", f"p::n::{TASK}"


def _line(**more: Any) -> dict[str, Any]:
    return {
        "source_id": "d1",
        "responder": M,
        "target": "turn:0",
        "field": "accuracy",
        "value": 4,
        "rater": "r",
        **more,
    }


def _fill(store: Store, folder: Path) -> str:
    bring(store, write(folder / "d.json", [video("d1"), video("d2")]))
    bring(store, write(folder / "s.jsonl", [sample("d1", "m", 3), sample("d1", "n"), sample("d2", "m")]))
    return store.items.resolve("d1")


def _current(store: Store) -> list[Any]:
    return [(c.current.key, c.current.value, c.stale) for c in store.labels.current()]


@pytest.mark.parametrize(
    "line",
    [
        _line(),
        _line(value="cannot_judge"),
        _line(value=4.0),
        _line(value=None),
        _line(target="turn:2"),
        _line(target="session", field="intent_fulfillment"),
        _line(field="reason:accuracy", value="because"),
        _line(field="span:accuracy", value=[[0, 2, "逻辑推理错误"]]),
        _line(target="item", field="verdict", value="keep", responder=None),
        _line(target="item", field="verdict", value="reject"),
        _line(target="item", field="note", value="n", responder=None),
        _line(target="item", field="complete", value=True),
        _line(source_id="d2", responder=None),
        _line(responder="reference"),
        _line(phase="blind"),
    ],
)
def test_lines_that_fit(tmp_path: Path, line: dict[str, Any]) -> None:
    with workspace(tmp_path) as store:
        _fill(store, tmp_path)
        report = bring(store, write(tmp_path / "l.jsonl", [line]))
        assert (report.accepted, report.rejected, report.lines) == (1, 0, [])
        assert report.kind == "labels" and not report.refused
        found = store.labels.current()
        assert len(found) == (line["value"] is not None)
        if found:
            key = found[0].current.key
            assert key.phase == line.get("phase", "open") and key.rater == "r"
            assert (key.responder is None) == (line["field"] in ("verdict", "note"))
        again = bring(store, tmp_path / "l.jsonl")
        assert (again.unchanged, again.new) == (1, 0) and store.labels.count() == len(found)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (_line(source_id="none"), "not in the workspace"),
        (_line(item="dialogue:0123456789abcdef"), "not in the workspace"),
        (_line(value=6), "does not fit"),
        (_line(value=True), "does not fit"),
        (_line(value="4"), "does not fit"),
        (_line(value=4.5), "does not fit"),
        (_line(field="humour"), "not known"),
        (_line(field="intent_fulfillment"), "not known"),
        (_line(target="turn:9"), "past the end"),
        (_line(responder=N, target="turn:2"), "past the end"),
        (_line(target="turn:x"), "none of"),
        (_line(target="response:0", field="helpfulness"), "does not exist"),
        (_line(responder=None), "has 2"),
        (_line(responder="p::z::t"), "did not answer"),
        (_line(phase="later"), "phase"),
        (_line(rater=7), "must be a text"),
        (_line(active_ms=-1), "whole number"),
        ({k: v for k, v in _line().items() if k != "value"}, "missing"),
        ({k: v for k, v in _line().items() if k != "target"} | {"target": ""}, "missing"),
        (_line(event_id="x"), "needs"),
        (_line(event_id="x", device="d", seq=1, digest="0" * 32, at="2026-03-02T09:30:00Z"), "is no UUID"),
        (_line(at="yesterday"), "is no time with its zone"),
        (_line(at="2026-03-02T09:30:00"), "is no time with its zone"),
        (
            _line(field="span:accuracy", value=[[0, 2, "逻辑推理错误"], [3, 999, "逻辑推理错误"]]),
            "from 3 to 999 ends past",
        ),
        (_line(responder="reference", field="span:accuracy", value=[[0, 999, "逻辑推理错误"]]), "ends past the answer"),
    ],
)
def test_lines_that_are_refused_harm_no_other(tmp_path: Path, line: dict[str, Any], why: str) -> None:
    with workspace(tmp_path) as store:
        _fill(store, tmp_path)
        report = bring(store, write(tmp_path / "l.jsonl", [line, _line(value=2)]))
        assert (report.accepted, report.rejected, report.refused) == (1, 1, False)
        (refused,) = lines_of(report, "label_refused")
        assert why in refused.reason and refused.line == 1
        assert [c.current.value for c in store.labels.current()] == [2]
        alone = bring(store, write(tmp_path / "alone.jsonl", [line]), kind="labels")
        assert alone.refused and codes(alone) == {"label_refused": 1}


def test_the_rater_of_the_label_command_wins(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        _fill(store, tmp_path)
        source = write(
            tmp_path / "l.jsonl", [_line(), {k: v for k, v in _line(target="turn:1").items() if k != "rater"}]
        )
        import_source(store, source, kind="labels", rater="ann", rater_wins=True)
        assert {c.current.key.rater for c in store.labels.current()} == {"ann"}
        import_source(store, source, kind="labels", rater="ann")
        assert store.labels.raters() == ["ann", "r"]


def test_labels_of_a_folder_meet_the_items_of_the_same_folder(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    write(folder / "d.json", [video("d1")])
    write(folder / "s.jsonl", [sample("d1")])
    write(
        folder / "a_labels.jsonl", [_line(), _line(source_id="zz"), _line(target="item", field="verdict", value="keep")]
    )
    with workspace(tmp_path) as store:
        report = bring(store, folder)
        assert (report.dialogues, report.accepted, codes(report)) == (1, 2, {"label_refused": 1})
        assert len(store.labels.current()) == 2
        assert bring(store, folder).unchanged == 4 and store.labels.count() == 2


def _say(store: Store, item: str) -> None:
    for rater, value in (("a", 4), ("b", 2)):
        for turn in (0, 1):
            store.labels.append([Draft(rater, item, f"turn:{turn}", "accuracy", value, M, lang="en", active_ms=5)])
        store.labels.append([Draft(rater, item, "turn:0", "accuracy", value + 1, M)])
        store.labels.append([Draft(rater, item, "turn:0", "reason:accuracy", "因为\n“x”", M)])
        store.labels.append([Draft(rater, item, "item", "verdict", "keep"), Draft(rater, item, "item", "note", "n")])
        store.labels.append([Draft(rater, item, "turn:1", "accuracy", None, M)])


@pytest.mark.parametrize("judged", [True, False], ids=["with-judged", "without-judged"])
def test_events_travel_whole(tmp_path: Path, judged: bool) -> None:
    with workspace(tmp_path / "a") as store, workspace(tmp_path / "b") as other:
        item = _fill(store, tmp_path / "a")
        _say(store, item)
        rows = []
        for event in store.labels.events():
            row = asdict(event) | {"item": event.item_id, "source_id": "d1"}
            rows.append({k: v for k, v in row.items() if k != "item_id" and (judged or k not in ("judged", "extra"))})
        _fill(other, tmp_path / "b")
        report = bring(other, write(tmp_path / "events.jsonl", rows))
        assert (report.new, report.rejected, report.lines) == (len(rows), 0, [])
        assert list(other.labels.events()) == list(store.labels.events())
        assert _current(other) == _current(store)
        assert bring(other, tmp_path / "events.jsonl").unchanged == len(rows)
        rows[0]["value"] = 1
        damaged = bring(other, write(tmp_path / "damaged.jsonl", rows))
        assert damaged.rejected == 1 and "altered" in damaged.lines[0].reason and damaged.lines[0].line == 1


def test_current_labels_travel_by_value(tmp_path: Path) -> None:
    with workspace(tmp_path / "a") as store, workspace(tmp_path / "b") as other:
        item = _fill(store, tmp_path / "a")
        _say(store, item)
        rows = [
            {**held.current.key._asdict(), "item": held.current.key.item_id, "value": held.current.value,
             "at": held.current.at, "rubric": held.current.rubric, "item_revision": 1}
            for held in store.labels.current()
        ]  # fmt: skip
        for row in rows:
            del row["item_id"]
        _fill(other, tmp_path / "b")
        bring(other, write(tmp_path / "labels.jsonl", json.loads(json.dumps(rows))))
        said = [row for row in _current(store) if row[1] is not None]
        assert [row for row in _current(other) if row[1] is not None] == said
        assert bring(other, tmp_path / "labels.jsonl").new == 0


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"item_revision": 2}, "item_revision 2 is not there: the item has only revision 1"),
        ({"item_revision": 0}, "item_revision 0 is not there"),
        ({"event_id": "not-one"}, 'event_id "not-one" is no UUID'),
    ],
)
def test_the_label_command_refuses_what_cannot_be_so(tmp_path: Path, more: dict[str, Any], why: str) -> None:
    with workspace(tmp_path) as store:
        _fill(store, tmp_path)
        source = write(tmp_path / "l.jsonl", [_line(), _line(target="turn:1", **more)])
        report = import_source(store, source, kind="labels", rater="ann", rater_wins=True)
        assert (report.accepted, report.rejected) == (1, 1)
        (refused,) = lines_of(report, "label_refused")
        assert why in refused.reason and (refused.file, refused.line) == ("l.jsonl", 2)


def test_lines_of_a_source_are_the_same_events_in_every_workspace(tmp_path: Path) -> None:
    told = [
        _line(at="2026-03-02T09:30:00Z"),
        _line(value=2),
        _line(target="turn:1", rater="s"),
        _line(target="item", field="verdict", value="keep", responder=None),
    ]
    source = write(tmp_path / "l.jsonl", told)
    held = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        with workspace(tmp_path / name) as store:
            _fill(store, tmp_path / name)
            assert bring(store, source).new == 4
            held.append(list(store.labels.events()))
            once = write(tmp_path / name / "once.jsonl", [told[1], *told[2:]])
            assert bring(store, once, kind="labels").new == 0
            assert store.upkeep.check().ok
            assert store.device not in {e.device for e in held[-1]}
    assert held[0] == held[1] and len(held[0]) == 4
    with workspace(tmp_path / "a2") as store:
        result = store.labels.merge([*held[0], *held[1]])
        assert (result.inserted, result.duplicates, result.quarantined) == (4, 4, ())
        (accuracy,) = (c.current for c in store.labels.current() if c.current.key.target == "turn:0")
        assert accuracy.value == 2 and len(accuracy.heads) == 1


def test_what_somebody_said_here_is_superseded_by_a_source_and_rivals_nothing(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        item = _fill(store, tmp_path)
        store.labels.append([Draft("r", item, "turn:0", "accuracy", 1, responder=M, phase="open")])
        bring(store, write(tmp_path / "l.jsonl", [_line(), _line(target="turn:1")]))
        assert [c.current.value for c in store.labels.current()] == [4, 4]
        assert store.labels.conflicts() == []
        assert sorted(e.device == store.device for e in store.labels.events()) == [False, True, True]


@pytest.mark.parametrize("values", [(4, 2), (4, 2, 4), (4, None), (1, 2, 3, 2)], ids=str)
def test_a_file_that_says_one_key_several_times_says_nothing_new_the_second_time(
    tmp_path: Path, values: tuple[Any, ...]
) -> None:
    with workspace(tmp_path) as store:
        _fill(store, tmp_path)
        path = write(tmp_path / "l.jsonl", [_line(value=value) for value in values])
        assert bring(store, path).new == len(values)
        held, said = _current(store), store.labels.count()
        again = bring(store, path)
        assert (again.new, again.unchanged) == (0, len(values))
        assert (_current(store), store.labels.count()) == (held, said)
        other = bring(store, write(tmp_path / "m.jsonl", [_line(value=value) for value in (5, values[-1])]))
        assert other.new == 2 and store.labels.count() == said + 2
