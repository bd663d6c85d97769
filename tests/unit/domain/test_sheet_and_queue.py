"""The sheet's gaps and status, and the queue's order, filter and literal search text."""

from __future__ import annotations

import pytest

from annotator.domain.queue import QueueFilter, QueueRow, facets, fold_text, next_unfinished, row_after, step
from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.domain.sheet import Cell, Gap, Sheet


def full_sheet(turns: int = 2, **without: bool) -> Sheet:
    cells = {(f"turn:{k}", d): Cell(4) for k in range(turns) for d in TURN_DIMENSIONS}
    cells |= {("session", d): Cell("cannot_judge") for d in SESSION_DIMENSIONS}
    cells[("item", "verdict")] = Cell("keep")
    return Sheet("dialogue:1", "p::m::t", "r", "blind", turns, cells)


def row(number: int, status: str = "new") -> QueueRow:
    return QueueRow(
        item_id=f"dialogue:{number}", responder="p::m::t", source_id=f"V-{number}", title="title", alias="A",
        scenario="office", modality="video", categories=("ocr",), spoken=False, turns=2, progress=bytes(2), session=0,
        verdict=None, status=status,  # type: ignore[arg-type]
    )  # fmt: skip


def test_a_full_sheet_is_complete_and_cannot_judge_counts() -> None:
    assert full_sheet().gaps() == ()
    assert full_sheet().status() == "complete"


def test_gaps_come_in_the_order_of_work() -> None:
    empty = Sheet("dialogue:1", "p::m::t", "r", "blind", 2)
    gaps = empty.gaps()
    assert len(gaps) == 2 * 8 + 4 + 1
    assert gaps[0] == Gap("turn:0", "accuracy")
    assert gaps[-1] == Gap("item", "verdict")
    assert empty.status() == "new"


def test_the_next_gap_is_behind_the_cursor_and_wraps() -> None:
    sheet = full_sheet().with_value("turn:0", "relevance", None).with_value("session", "intent_fulfillment", None)
    assert sheet.next_gap(Gap("turn:0", "accuracy")) == Gap("turn:0", "relevance")
    assert sheet.next_gap(Gap("turn:1", "accuracy")) == Gap("session", "intent_fulfillment")
    assert sheet.next_gap(Gap("item", "verdict")) == Gap("turn:0", "relevance")
    assert full_sheet().next_gap() is None


@pytest.mark.parametrize(
    ("cell", "status"),
    [(Cell(4, stale=True), "stale"), (Cell(None, conflict=(3, 4)), "conflict"), (Cell(None), "started")],
)
def test_what_needs_a_person_shows_first(cell: Cell, status: str) -> None:
    full = full_sheet()
    sheet = Sheet("dialogue:1", "p::m::t", "r", "blind", 2, {**full.cells, ("turn:1", "accuracy"): cell})
    assert sheet.status() == status
    assert ("turn:1", "accuracy") in sheet.gaps()


def test_notes_and_facts_do_not_start_a_row() -> None:
    sheet = Sheet(
        "dialogue:1", "p::m::t", "r", "blind", 1, {("item", "note"): Cell("x"), ("turn:0", "viewing"): Cell({})}
    )
    assert sheet.status() == "new"


def test_a_statement_settles_conflict_and_staleness() -> None:
    old = Sheet("dialogue:1", "p::m::t", "r", "blind", 1, {("turn:0", "accuracy"): Cell(None, conflict=(1, 2))})
    assert old.with_value("turn:0", "accuracy", 2).cell("turn:0", "accuracy") == Cell(2)


def test_a_row_follows_its_sheet() -> None:
    after = row_after(row(1), full_sheet())
    assert (after.status, after.progress, after.session, after.verdict) == ("complete", bytes([8, 8]), 4, "keep")


def test_a_returned_row_stays_returned_until_completed_anew() -> None:
    assert row_after(row(1, "returned"), full_sheet()).status == "returned"
    assert row_after(row(1, "returned"), full_sheet().with_value("item", "complete", True)).status == "complete"


def test_walking_the_filtered_order() -> None:
    rows = [row(1, "complete"), row(2), row(3, "complete"), row(4, "started")]
    assert step(rows, rows[0].key, 1) == rows[1]
    assert step(rows, rows[0].key, -1) is None
    assert step(rows, rows[3].key, 1) is None
    assert next_unfinished(rows, rows[1].key) == rows[3]
    assert next_unfinished(rows, rows[3].key) == rows[1]
    assert next_unfinished([rows[0], rows[2]], rows[0].key) is None
    assert next_unfinished([rows[1]], rows[1].key) is None


def test_the_filter_and_its_counts() -> None:
    rows = [row(1, "complete"), row(2)]
    assert QueueFilter(unfinished=True).kept(rows) == [rows[1]]
    assert QueueFilter(scenarios=frozenset({"office"})).kept(rows) == rows
    assert QueueFilter(categories=frozenset({"counting"})).kept(rows) == []
    assert QueueFilter(only=frozenset({rows[1].key})).kept(rows) == [rows[1]]
    assert QueueFilter(only=frozenset({rows[1].key})).narrows
    assert not QueueFilter().narrows
    assert facets(rows).statuses == {"complete": 1, "new": 1}


@pytest.mark.parametrize(
    ("one", "other"),
    [("É", "e\u0301"), ("ＡＢＣ", "ａｂｃ"), ("Straße", "STRASSE"), ("你好", "你好")],
)
def test_search_text_ignores_case_and_unicode_form(one: str, other: str) -> None:
    assert fold_text(one) == fold_text(other)


def test_search_text_keeps_what_differs() -> None:
    assert fold_text("e") != fold_text("é")
    assert fold_text("%") == "%"
