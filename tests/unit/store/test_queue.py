"""Queue rows: progress, status and aliases, and that they say what the sheets say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.domain.sheet import Sheet, turn_progress
from annotator.store import Draft, Store, open_store
from annotator.store.desk import letters
from tests.unit.store.made import MODELS, RATER, answers, dialogue, fill, score, the_id, whole_sheet, workspace


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with workspace(tmp_path / "w") as made:
        yield made


def status_of(store: Store, number: int = 0, responder: str = MODELS[0]) -> str:
    row = store.queue.row(RATER, the_id(number), responder)
    assert row is not None
    return row.status


def test_a_row_tells_what_is_needed_to_know_it_by(store: Store) -> None:
    row = store.queue.rows(RATER)[0]
    assert (row.item_id, row.source_id, row.modality, row.turns) == (the_id(0), "d0", "video", 3)
    assert (row.scenario, row.categories) == ("work_and_office_environment", ("cat0", "cat1"))
    assert (row.status, row.progress, row.session, row.verdict) == ("new", b"\0\0\0", 0, None)
    assert row.missing_media == 3
    assert store.queue.row(RATER, the_id(0), row.responder) == row
    assert store.queue.row(RATER, the_id(0), "nobody") is None
    assert store.queue.row(RATER, "dialogue:unknown", MODELS[0]) is None


def test_a_row_goes_from_new_to_complete_and_the_verdict_is_the_dialogues(store: Store) -> None:
    assert status_of(store) == "new"
    drafts = whole_sheet(0, MODELS[0])
    store.labels.append(drafts[:1])
    assert status_of(store) == "started"
    store.labels.append(drafts[1:-1])
    assert status_of(store) == "started"
    store.labels.append(drafts[-1:])
    assert status_of(store) == "complete"
    assert status_of(store, 0, MODELS[1]) == "started"
    assert status_of(store, 1) == "new"
    row = store.queue.row(RATER, the_id(0), MODELS[0])
    assert row is not None
    assert (row.progress, row.session, row.verdict) == (b"\x08\x08\x08", 4, "keep")
    store.labels.append([replace(drafts[3], value=None)])
    assert status_of(store) == "started"
    store.labels.append([replace(drafts[3], value="cannot_judge")])
    assert status_of(store) == "complete"
    store.labels.append([score(value=1, parents=())])
    assert status_of(store) == "conflict"
    assert [r.status for r in store.queue.rows("somebody else")] == ["new"] * 4


def test_changed_content_makes_the_row_stale_until_it_is_said_again(store: Store) -> None:
    store.labels.append(whole_sheet(0, MODELS[0]))
    fill(store, [dialogue(0, revision=2, mark=" new")])
    assert status_of(store) == "stale"
    store.labels.append(whole_sheet(0, MODELS[0]))
    assert status_of(store) == "complete"


def test_several_phases_are_read_as_one_sheet(store: Store) -> None:
    drafts = whole_sheet(0, MODELS[0])
    half = len(drafts) // 2
    store.labels.append(drafts[:half])
    store.labels.append([replace(d, phase="open") for d in drafts[half - 2 :]])
    rows = {p: store.queue.row(RATER, the_id(0), MODELS[0], p) for p in (("blind",), ("open",), ("blind", "open"))}
    assert {p: r.status for p, r in rows.items() if r} == {
        ("blind",): "started",
        ("open",): "started",
        ("blind", "open"): "complete",
    }


def test_status_and_progress_equal_what_the_sheet_says(store: Store) -> None:
    rng = random.Random(7)
    fill(store, [dialogue(0, revision=2, turns=3, mark="")])
    places = [(f"turn:{k}", d) for k in range(3) for d in TURN_DIMENSIONS]
    places += [("session", d) for d in SESSION_DIMENSIONS]
    seen: set[str] = set()
    for number in range(60):
        target, field = rng.choice(places)
        value = rng.choice([1, 5, "cannot_judge", None, 3])
        drafts = [score(0, value, target=target, field=field)]
        if number in (8, 50):
            drafts = [score(0, 1), score(0, 2, parents=())]
        if number % 20 == 10:
            drafts = whole_sheet(0, MODELS[0])
        if number == 32:
            fill(store, [dialogue(0, revision=3, mark=" changed")])
        store.labels.append(drafts)
        cells = store.labels.cells(the_id(0), MODELS[0], RATER, "blind")
        sheet = Sheet(the_id(0), MODELS[0], RATER, "blind", 3, cells)
        row = store.queue.row(RATER, the_id(0), MODELS[0])
        assert row is not None
        assert (row.status, tuple(row.progress), row.session) == (
            sheet.status(),
            turn_progress(sheet),
            sheet.done("session"),
        )
        seen.add(row.status)
    assert seen >= {"started", "complete", "conflict", "stale"}


def test_the_reference_is_a_row_only_where_no_model_answered_unless_wanted(store: Store) -> None:
    fill(store, [dialogue(5)])
    assert [r.responder for r in store.queue.rows(RATER) if r.item_id == the_id(5)] == ["reference"]
    assert sum(r.responder == "reference" for r in store.queue.rows(RATER)) == 1
    store.desk.set("rate_reference", True)
    rows = store.queue.rows(RATER)
    assert sum(r.responder == "reference" for r in rows) == 3
    assert {r.alias for r in rows if r.responder == "reference"} == {""}


def test_rows_stand_in_order_of_import_and_then_of_alias(store: Store) -> None:
    fill(store, [dialogue(5)], [answers(0, MODELS[2])])
    rows = store.queue.rows(RATER)
    assert [r.source_id for r in rows] == ["d0", "d0", "d0", "d1", "d1", "d5"]
    assert [r.alias for r in rows[:3]] == ["A", "B", "C"]


def test_an_alias_once_given_stays_and_raters_differ(store: Store, tmp_path: Path) -> None:
    first = store.desk.aliases(RATER)
    assert sorted(first.values()) == ["A", "B"]
    many = [f"p::m{i}::t" for i in range(30)]
    fill(store, [], [answers(0, m) for m in many])
    later = store.desk.aliases(RATER)
    assert {r: later[r] for r in first} == first
    assert sorted(later.values(), key=lambda t: (len(t), t)) == [letters(i) for i in range(32)]
    assert [later[m] for m in many] != sorted(later[m] for m in many)
    assert store.desk.aliases("bo") != later
    with open_store(tmp_path / "w", write=True) as again:
        assert again.desk.aliases(RATER) == later


def test_where_nothing_can_be_written_the_aliases_are_those_that_would_be_given(tmp_path: Path) -> None:
    workspace(tmp_path / "w").close()
    with open_store(tmp_path / "w", write=False) as reading:
        worked_out = reading.desk.aliases(RATER)
        assert [r.alias for r in reading.queue.rows(RATER)] == ["A", "B", "A", "B"]
    with open_store(tmp_path / "w", write=True) as store:
        assert store.desk.aliases(RATER) == worked_out


def test_letters_go_on_behind_z() -> None:
    assert [letters(i) for i in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_a_label_on_a_turn_that_is_not_there_does_no_harm(store: Store) -> None:
    store.labels.append([score(value=4, target="turn:999999"), score(value=4, target="turn:7")])
    assert status_of(store) == "started"
    row = store.queue.row(RATER, the_id(0), MODELS[0])
    assert row is not None
    assert row.progress == b"\0\0\0"


def test_drafts_and_media_folders_are_kept(store: Store) -> None:
    store.desk.save_draft(RATER, the_id(0), MODELS[0], "turn:0", "reason:accuracy", "half a sen")
    store.desk.save_draft(RATER, the_id(0), None, "item", "note", "半句")
    assert store.desk.drafts(RATER, the_id(0), MODELS[0]) == {("turn:0", "reason:accuracy"): "half a sen"}
    assert store.desk.drafts(RATER, the_id(0), None) == {("item", "note"): "半句"}
    store.desk.save_draft(RATER, the_id(0), MODELS[0], "turn:0", "reason:accuracy", None)
    assert store.desk.drafts(RATER, the_id(0), MODELS[0]) == {}
    store.desk.add_media_roots(["/data/b", "/data/a"])
    store.desk.add_media_roots(["/data/a", "/data/c"])
    assert store.desk.media_roots() == ("/data/b", "/data/a", "/data/c")
    assert store.labels.append([Draft(RATER, the_id(0), "item", "note", "x")])[0].seq == 1
