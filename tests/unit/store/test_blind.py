"""A blind workspace: readers are refused what judges said, in every thread and through every statement."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from annotator.errors import WorldError
from annotator.store import Draft
from annotator.store.readings import Readings
from tests.helpers.imports import TASK, bring, judged, sample, video, workspace, write

QUERIES = (
    "SELECT body FROM judge_record",
    "SELECT count(*) FROM judge_record",
    "SELECT 1 FROM item WHERE item_id IN (SELECT item_id FROM judge_record)",
    "WITH j AS (SELECT * FROM judge_record) SELECT * FROM j",
    "SELECT body FROM waiting_record",
    "SELECT judgement_id FROM attribution_record",
    "SELECT body FROM spot_draw",
)


def test_nothing_of_a_judge_is_read_until_the_commit(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1", 2)]))
        bring(store, write(tmp_path / "s.jsonl", [sample("d1", "m", 2)]))
        bring(store, write(tmp_path / "j.jsonl", [judged("d1", 0), judged("d1", 1)]))
        item = store.items.resolve("d1")
        assert len(store.judges.records(item)) == 2  # the statements are prepared, and in the cache
        store.database.set_blind(True)
        for ask in (
            lambda: store.judges.records(item),
            store.judges.count,
            lambda: list(Readings(store.database).scored()),
        ):
            with pytest.raises(WorldError, match="until your own scores are committed") as told:
                ask()
            assert told.value.code == "blind"
        for query in QUERIES:
            with pytest.raises(WorldError, match="committed"):
                store.database.all(query)
        # what a rater needs is all there
        assert store.items.dialogue(item).turns and store.queue.rows("li")
        draft = Draft(rater="li", item_id=item, responder=f"p::m::{TASK}", target="turn:0", field="accuracy", value=4)
        assert store.labels.append([draft]) and store.labels.cells(item, f"p::m::{TASK}", "li", "blind")
        assert _in_a_thread(store.judges.count) == "blind"
        store.database.set_blind(False)
        assert len(store.judges.records(item)) == 2 and store.judges.count() == 2
        assert _in_a_thread(store.judges.count) == "2"


def test_a_blind_workspace_sees_for_one_piece_of_work_and_is_blind_again(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1", 1)]))
        bring(store, write(tmp_path / "s.jsonl", [sample("d1", "m", 1)]))
        bring(store, write(tmp_path / "j.jsonl", [judged("d1", 0)]))
        store.database.set_blind(True)
        with store.database.seeing():
            assert store.judges.count() == 1
            assert _in_a_thread(store.judges.count) == "blind"  # another thread is not let in
            with store.database.seeing():
                assert store.judges.count() == 1
            assert store.judges.count() == 1
        with pytest.raises(WorldError, match="committed"):
            store.judges.count()
        with pytest.raises(ZeroDivisionError), store.database.seeing():
            raise ZeroDivisionError
        assert _in_a_thread(store.attributions.count) == "blind"
        assert store.predictions.waiting() == 0  # of a table that is shared with judges' records


def _in_a_thread(ask: object) -> str:
    told: list[str] = []

    def run() -> None:
        try:
            told.append(str(ask()))  # type: ignore[operator]
        except WorldError as error:
            told.append(error.code)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return told[0]


def test_imports_go_on_while_raters_are_blind(tmp_path: Path) -> None:
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "d.json", [video("d1", 1)]))
        store.database.set_blind(True)
        draft = Draft(rater="li", item_id=store.items.resolve("d1"), responder=None, target="item", field="verdict",
                      value="keep")  # fmt: skip
        assert len(store.labels.append([draft])) == 1
        assert store.database.blind
        report = bring(store, write(tmp_path / "j.jsonl", [judged("d1", 0), judged("d9", 0)]))
        assert (report.matched, report.waiting) == (1, 1)
        assert bring(store, tmp_path / "j.jsonl").unchanged == 2
        assert bring(store, write(tmp_path / "more.json", [video("d9", 1)])).joined == 1
