"""The log: saying, superseding, merging, asking back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.labels import LabelEvent
from annotator.domain.sheet import Cell
from annotator.errors import WorldError
from annotator.store import Draft, Store
from tests.unit.store.made import MODELS, RATER, answers, dialogue, fill, score, the_id, workspace


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with workspace(tmp_path / "w") as made:
        yield made


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    with workspace(tmp_path / "other") as made:
        yield made


def signed(event: LabelEvent, **changed: object) -> LabelEvent:
    new = replace(event, **changed)  # type: ignore[arg-type]
    return replace(new, digest=new.compute_digest())


def test_an_event_carries_all_that_it_must(store: Store) -> None:
    draft = score(value=4, rubric="rubric-mme@1", lang="zh_CN", active_ms=1500)
    event = store.labels.append([draft])[0]
    assert (event.device, event.seq, event.parents, event.item_revision) == (store.device, 1, (), 1)
    assert (event.rubric, event.lang, event.active_ms, event.phase) == ("rubric-mme@1", "zh_CN", 1500, "blind")
    assert event.digest == event.compute_digest()
    assert event.judged == store.items.judged(the_id(0), MODELS[0], "turn:0", "accuracy") != ""
    assert store.labels.event(event.event_id) == event
    assert list(store.labels.events()) == [event]


def test_a_new_value_supersedes_the_heads_and_undo_reads_them_back(store: Store) -> None:
    first = store.labels.append([score(value=2)])[0]
    second = store.labels.append([score(value=5)])[0]
    assert second.parents == (first.event_id,)
    assert [e.value for e in store.labels.history(RATER)] == [5, 2]
    superseded = store.labels.event(second.parents[0])
    assert superseded is not None
    undone = store.labels.append([score(value=superseded.value)])[0]
    assert undone.parents == (second.event_id,)
    assert store.labels.cells(the_id(0), MODELS[0], RATER, "blind")["turn:0", "accuracy"].value == 2
    withdrawn = store.labels.append([score(value=None)])[0]
    assert store.labels.current(item_id=the_id(0))[0].current.heads == (withdrawn.event_id,)
    assert store.labels.cells(the_id(0), MODELS[0], RATER, "blind")["turn:0", "accuracy"].value is None
    assert [e.seq for e in store.labels.history(RATER)] == [4, 3, 2, 1]


def test_two_drafts_of_one_key_in_one_call_follow_each_other(store: Store) -> None:
    first, second = store.labels.append([score(value=1), score(value=2)])
    assert second.parents == (first.event_id,)
    assert store.labels.conflicts() == []


def test_parents_that_leave_a_head_standing_make_a_conflict_that_a_later_label_settles(store: Store) -> None:
    store.labels.append([score(value=1)])
    store.labels.append([score(value=2, parents=())])
    conflict = store.labels.conflicts(RATER)[0].current
    assert sorted(conflict.conflict) == [1, 2]
    assert store.labels.cells(the_id(0), MODELS[0], RATER, "blind")["turn:0", "accuracy"].value is None
    settled = store.labels.append([score(value=3)])[0]
    assert set(settled.parents) == set(conflict.heads)
    assert store.labels.conflicts() == []
    assert store.upkeep.check().rebuilt_equal


def test_keys_are_apart_by_rater_phase_and_responder(store: Store) -> None:
    drafts = [
        score(value=1),
        replace(score(value=2), rater="bo"),
        replace(score(value=3), phase="open"),
        replace(score(value=4), responder=MODELS[1]),
        Draft(RATER, the_id(0), "item", "verdict", "keep"),
    ]
    store.labels.append(drafts)
    assert store.labels.cells(the_id(0), MODELS[0], RATER, "blind").keys() == {
        ("turn:0", "accuracy"),
        ("item", "verdict"),
    }
    assert len(store.labels.current()) == 5
    assert [c.current.value for c in store.labels.current(responder=None)] == ["keep"]
    assert [c.current.value for c in store.labels.current(rater="bo")] == [2]
    assert [c.current.value for c in store.labels.current(phase="open")] == [3]
    assert store.labels.raters() == [RATER, "bo"]


def test_values_come_back_exactly_as_they_were_said(store: Store) -> None:
    values = [
        "plain",
        "中文 \U0001f600 é",
        "half \ud83d a pair",
        "nul \x00 inside",
        [1, 2.5, "x", None, True],
        {"b": [1], "a": {"c": ""}},
        "",
        10**17,
    ]
    said = store.labels.append([Draft(RATER, the_id(0), "item", f"flag:{i}", v) for i, v in enumerate(values)])
    assert [e.value for e in said] == values
    assert [e.value for e in store.labels.events()] == values
    held = {c.current.key.field: c.current.value for c in store.labels.current()}
    assert [held[f"flag:{i}"] for i in range(len(values))] == values
    assert store.upkeep.check().ok


@pytest.mark.parametrize(
    "draft",
    [
        score(responder=""),
        score(phase="sometime"),
        replace(score(), rater="half \ud83d"),
        score(active_ms=2**63),
    ],
)
def test_what_cannot_be_kept_is_refused_and_nothing_of_the_call_is_saved(store: Store, draft: Draft) -> None:
    with pytest.raises(WorldError) as caught:
        store.labels.append([score(value=1), draft])
    assert caught.value.code == "unfit"
    assert store.labels.count() == 0
    assert store.labels.append([score(value=2)])[0].seq == 1


def test_merging_is_a_union_and_a_second_time_changes_nothing(store: Store, other: Store) -> None:
    other.labels.append([score(value=2), score(1, value=3)])
    events = list(other.labels.events())
    result = store.labels.merge(events)
    assert (result.inserted, result.duplicates, result.quarantined) == (2, 0, ())
    assert result.rows == {(the_id(0), MODELS[0]), (the_id(1), MODELS[0])}
    again = store.labels.merge(events)
    assert (again.inserted, again.duplicates, again.rows) == (0, 2, frozenset())
    assert list(store.labels.events()) == events
    assert store.upkeep.check().ok


def test_an_altered_event_is_kept_aside_and_reported(store: Store, other: Store) -> None:
    good, bad = other.labels.append([score(value=2), score(1, value=3)])
    result = store.labels.merge([good, replace(bad, value=5)])
    assert result.inserted == 1
    assert result.quarantined[0].event_id == bad.event_id
    assert "digest" in result.quarantined[0].reason
    held = store.labels.quarantine()
    assert held[0]["event"]["value"] == 5
    assert store.labels.count() == 1
    # The true event can still come.
    assert store.labels.merge([bad]).inserted == 1


def test_the_same_id_with_another_content_is_kept_aside(store: Store) -> None:
    event = store.labels.append([score(value=2)])[0]
    result = store.labels.merge([signed(event, value=5)])
    assert (result.inserted, result.duplicates, len(result.quarantined)) == (0, 0, 1)
    assert store.labels.event(event.event_id) == event
    store.labels.merge([signed(event, value=5)])
    assert len(store.labels.quarantine()) == 1


def test_a_place_in_a_log_is_never_taken_twice_and_the_rival_is_not_lost(store: Store, other: Store) -> None:
    event = other.labels.append([score(value=2)])[0]
    rival = signed(event, event_id="0" * 8 + "-0000-7000-8000-000000000000", value=5)
    store.labels.merge([event])
    result = store.labels.merge([rival])
    assert result.inserted == 0
    assert f"place 1 in the log of device {event.device}" in result.quarantined[0].reason
    assert store.labels.quarantine()[0]["event"]["value"] == 5


@pytest.mark.parametrize(
    "changed",
    [
        {"seq": 0},
        {"seq": 2**63},
        {"responder": ""},
        {"rater": "\ud83d"},
        {"parents": (1,)},
        {"seq": "1"},
        {"event_id": ""},
    ],
)
def test_an_event_that_fits_no_column_is_kept_aside(store: Store, other: Store, changed: dict[str, object]) -> None:
    event = other.labels.append([score(value=2)])[0]
    result = store.labels.merge([signed(event, **changed)])
    assert (result.inserted, len(result.quarantined)) == (0, 1)
    assert store.labels.count() == 0


def test_a_child_may_come_before_its_parent(store: Store, other: Store) -> None:
    parent = other.labels.append([score(value=2)])[0]
    child = other.labels.append([score(value=5)])[0]
    store.labels.merge([child])
    assert store.labels.current()[0].current.value == 5
    store.labels.merge([parent])
    assert store.labels.current()[0].current.value == 5
    assert store.labels.conflicts() == []


def test_fields_of_a_newer_version_are_handed_on_unharmed(store: Store, other: Store, tmp_path: Path) -> None:
    extra = json.dumps({"mood": "tired", "重": [1]})
    event = other.labels.append([score(value=2, extra=extra)])[0]
    store.labels.merge([event])
    found = store.labels.event(event.event_id)
    assert found is not None
    assert found.extra == extra
    assert any(extra == e.extra for e in store.journal.events())


def test_the_watermark_stops_at_the_first_gap(store: Store, other: Store) -> None:
    events = other.labels.append([score(value=v) for v in (1, 2, 3, 4)])
    store.labels.append([score(value=5)])
    store.labels.merge([events[0], events[1], events[3]])
    assert store.labels.watermark() == {store.device: 1, other.device: 2}
    result = store.upkeep.check()
    assert result.ok
    assert "3 of 4" in result.notes[0]


def test_labels_on_changed_content_are_stale_and_those_on_equal_parts_count(store: Store) -> None:
    store.labels.append(
        [score(value=4), score(value=3, target="turn:1"), score(value=2, target="session", field="session_consistency")]
    )
    store.labels.append(
        [Draft(RATER, the_id(0), "item", "verdict", "keep"), Draft(RATER, the_id(0), "item", "note", "hm")]
    )
    changed = dialogue(0, revision=2)
    turn = changed.turns[1].model_copy(update={"question": "another question"})
    fill(store, [changed.model_copy(update={"turns": (changed.turns[0], turn, changed.turns[2])})])
    stale = {(c.current.key.target, c.current.key.field): c.stale for c in store.labels.current()}
    assert stale == {
        ("turn:0", "accuracy"): False,
        ("turn:1", "accuracy"): True,
        ("session", "session_consistency"): True,
        ("item", "verdict"): True,
        ("item", "note"): False,
    }
    cells = store.labels.cells(the_id(0), MODELS[0], RATER, "blind")
    assert cells["turn:1", "accuracy"] == Cell(3, (), True, cells["turn:1", "accuracy"].at)
    # Said again on what is there now, it counts.
    store.labels.append([score(value=3, target="turn:1")])
    assert not store.labels.cells(the_id(0), MODELS[0], RATER, "blind")["turn:1", "accuracy"].stale
    assert store.upkeep.check().ok


def test_a_changed_answer_makes_only_its_own_labels_stale(store: Store) -> None:
    store.labels.append([score(value=4), replace(score(value=4), responder=MODELS[1])])
    fill(store, [], [answers(0, MODELS[0], revision=2, mark=" again")])
    assert {c.current.key.responder: c.stale for c in store.labels.current()} == {MODELS[0]: True, MODELS[1]: False}


def test_a_label_from_elsewhere_that_judged_something_else_arrives_stale(store: Store, tmp_path: Path) -> None:
    with workspace(tmp_path / "third") as third:
        fill(third, [dialogue(0, revision=2, mark=" changed")])
        event = third.labels.append([score(value=4)])[0]
    store.labels.merge([event])
    assert store.labels.current()[0].stale
    assert store.upkeep.check().ok


def test_labels_that_come_before_their_item_are_looked_at_when_it_comes(store: Store, tmp_path: Path) -> None:
    with workspace(tmp_path / "third", dialogues=4) as third:
        good = third.labels.append([score(3, value=4)])
    store.labels.merge(good)
    assert not store.labels.current()[0].stale
    fill(store, [dialogue(3, mark=" other")], [answers(3, MODELS[0])])
    assert store.labels.current()[0].stale
    assert store.upkeep.check().ok


def test_a_label_on_a_named_older_revision_judges_that_one(store: Store) -> None:
    before = store.items.judged(the_id(0), MODELS[0], "turn:0", "accuracy")
    fill(store, [dialogue(0, revision=2, mark=" new")])
    event = store.labels.append([score(value=4, item_revision=1)])[0]
    assert (event.item_revision, event.judged) == (1, before)
    assert store.labels.current()[0].stale
    assert store.upkeep.check().ok


def test_events_can_be_read_on_from_where_one_stopped(store: Store) -> None:
    store.labels.append([score(value=1 + v % 5) for v in range(2500)])
    assert [e.seq for e in store.labels.events()] == list(range(1, 2501))
    assert [e.seq for e in store.labels.events(after=2490)] == list(range(2491, 2501))
    assert len(list(store.labels.events(rater="nobody"))) == 0
    assert len(store.labels.history(RATER, limit=3)) == 3
