"""Imports: nothing is seen before all of it is, and what was left half done goes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.report import ImportReport, Problem
from annotator.errors import WorldError
from annotator.store import Store, import_writer, open_store
from tests.unit.store.made import MODELS, RATER, answers, dialogue, fill, judgement, score, the_id, workspace


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with workspace(tmp_path / "w") as made:
        yield made


def rows_of(store: Store) -> dict[str, int]:
    tables = (
        "item",
        "item_body",
        "responder",
        "responder_body",
        "judge_record",
        "waiting_record",
        "problem",
        "decision",
    )
    return {t: store.database.all(f"SELECT count(*) FROM {t}")[0][0] for t in tables} | {
        "import_run": store.database.all("SELECT count(*) FROM import_run")[0][0]
    }


def problem(name: str) -> Problem:
    return Problem(
        id=name, code="dup_conflict", item=the_id(0), reason="two of one id", choices=("keep-first", "keep-second")
    )


def test_nothing_is_seen_before_it_is_published(store: Store) -> None:
    with store.imports.begin("rubric-mme", "more.json") as writer:
        writer.put_dialogues([dialogue(5), dialogue(0, revision=2, mark=" new")])
        writer.put_responders([answers(5, MODELS[2])])
        writer.put_judge_records([(the_id(0), judgement(0))])
        writer.put_waiting([judgement(9)])
        writer.put_problems([problem("p1")])
        writer.flush()
        assert store.items.head(the_id(5)) is None
        assert store.items.dialogue(the_id(0)).revision == 1
        assert len(store.queue.rows(RATER)) == 4
        assert store.items.search("new") == set()
        assert store.items.responder_ids() == list(MODELS[:2])
        assert store.judges.records(the_id(0)) == store.judges.waiting() == []
        assert store.imports.problems() == []
        # It sees its own rows.
        assert writer.known_dialogue(the_id(5)) is not None
        found = writer.dialogue(the_id(0))
        assert found is not None
        assert found.revision == 2
        assert writer.responder(the_id(5), MODELS[2]) == answers(5, MODELS[2])
        assert writer.known_source_ids()["d5"] == [the_id(5)]
        writer.publish(ImportReport(kind="rubric-mme", dialogues=2))
    assert store.items.dialogue(the_id(0)).revision == 2
    assert len(store.queue.rows(RATER)) == 5
    assert store.judges.records(the_id(0)) == [judgement(0)]
    assert store.judges.waiting() == [judgement(9)]
    assert store.imports.problems() == [problem("p1")]
    assert store.imports.published()[-1].report["dialogues"] == 2


def test_an_import_that_is_left_or_fails_leaves_no_trace(store: Store) -> None:
    before = rows_of(store)

    def failing() -> None:
        with store.imports.begin("rubric-mme", "bad.json") as writer:
            writer.put_dialogues(dialogue(i) for i in range(10, 800))
            writer.put_problems([problem("p1")])
            writer.put_decision("p1", "drop")
            writer.flush()
            assert rows_of(store) != before
            raise WorldError("bad.json is no JSON: mend it.")

    with pytest.raises(WorldError, match="no JSON"):
        failing()
    assert rows_of(store) == before
    with store.imports.begin("rubric-mme", "left.json") as writer:
        writer.put_dialogues([dialogue(20)])
    assert rows_of(store) == before
    assert store.upkeep.check().ok


def test_an_import_that_was_killed_is_swept_when_the_workspace_is_opened(tmp_path: Path) -> None:
    workspace(tmp_path / "w").close()
    code = f"""
import os, signal
from pathlib import Path
from annotator.store import open_store
from tests.unit.store.made import answers, dialogue, judgement, the_id
store = open_store(Path({str(tmp_path / "w")!r}), write=True)
writer = store.imports.begin("rubric-mme", "killed.json")
writer.put_dialogues(dialogue(i) for i in range(10, 700))
writer.put_responders(answers(i, "x::y::z") for i in range(10, 700))
writer.put_judge_records([(the_id(0), judgement(0))])
writer.flush()
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False)
    assert done.returncode == -9
    with open_store(tmp_path / "w", write=False) as reading:
        assert rows_of(reading)["item"] > 600
        assert reading.items.totals()["dialogues"] == 2
    with open_store(tmp_path / "w", write=True) as store:
        assert rows_of(store) == {
            **dict.fromkeys(("item", "item_body"), 2),
            **dict.fromkeys(("responder", "responder_body"), 4),
            **dict.fromkeys(("judge_record", "waiting_record", "problem", "decision"), 0),
            "import_run": 1,
        }
        assert store.upkeep.check().ok


def test_two_imports_at_one_time_are_refused_and_the_running_one_is_not_swept(store: Store, tmp_path: Path) -> None:
    with store.imports.begin("rubric-mme", "one.json") as writer:
        writer.put_dialogues([dialogue(5)])
        writer.flush()
        with pytest.raises(WorldError, match="running") as caught:
            store.imports.begin("rubric-mme", "two.json")
        assert caught.value.code == "import_running"
        with open_store(tmp_path / "w", write=True) as beside:
            assert rows_of(beside)["item"] == 3
        writer.publish(ImportReport())
    assert store.items.head(the_id(5)) is not None


def test_labels_can_be_made_while_an_import_is_being_written(store: Store) -> None:
    with store.imports.begin("rubric-mme", "one.json") as writer:
        writer.put_dialogues(dialogue(i) for i in range(10, 900))
        store.labels.append([score()])
        writer.put_dialogues(dialogue(i) for i in range(900, 950))
        writer.publish(ImportReport())
    assert store.labels.count() == 1
    assert store.upkeep.check().ok


def test_transactions_stay_small(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    placed = import_writer.made.placed

    def watched(opened, table, rows, run):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        light, bodies = placed(opened, table, rows, run)
        sizes.append(len(light) + len(bodies))
        return light, bodies

    monkeypatch.setattr(import_writer.made, "placed", watched)
    fill(store, map(dialogue, range(10, 1000)), (answers(i, MODELS[0]) for i in range(10, 1000)))
    assert max(sizes) <= 500
    assert sum(sizes) == 4 * 990


def test_what_is_known_tells_every_revision(store: Store) -> None:
    fill(store, [dialogue(0, revision=2, mark=" second")])
    with store.imports.begin("rubric-mme", "again.json") as writer:
        known = writer.known_dialogue(the_id(0))
        assert known is not None
        assert (known.revision, known.content_hash) == (2, dialogue(0, mark=" second").content_hash())
        assert known.hashes == {dialogue(0).content_hash(), dialogue(0, mark=" second").content_hash()}
        answered = writer.known_responder(the_id(0), MODELS[0])
        assert answered is not None
        assert answered.content_hash == answers(0, MODELS[0]).content_hash()
        assert writer.known_responder(the_id(0), "new::model::x") is None


def test_said_twice_in_one_import_the_last_word_counts(store: Store) -> None:
    with store.imports.begin("rubric-mme", "twice.json") as writer:
        writer.put_responders([answers(0, MODELS[2], turns=1), answers(0, MODELS[2], turns=2)])
        writer.flush()
        writer.put_responders([answers(0, MODELS[2], turns=3)])
        writer.put_problems([problem("p1"), problem("p1")])
        writer.flush()
        writer.put_problems([problem("p1")])
        writer.publish(ImportReport())
    assert store.items.responder(the_id(0), MODELS[2]) == answers(0, MODELS[2], turns=3)
    assert store.imports.problems() == [problem("p1")]
    assert store.upkeep.check().ok


def test_a_decision_counts_with_what_it_brought(store: Store) -> None:
    with store.imports.begin("rubric-mme", "a.json") as writer:
        writer.put_problems([problem("p1"), problem("p2")])
        writer.publish(ImportReport())
    with store.imports.begin("decision", "p1") as writer:
        writer.put_dialogues([dialogue(0, revision=2, mark=" second")])
        writer.put_decision("p1", "keep-second")
        writer.flush()
        assert store.imports.decisions() == {}
        writer.publish(ImportReport())
    assert store.imports.decisions() == {"p1": "keep-second"}
    assert [p.id for p in store.imports.problems()] == ["p2"]
    assert [p.id for p in store.imports.problems(open_only=False)] == ["p1", "p2"]
    assert store.imports.problem("p1") == problem("p1")
    assert store.imports.problem("p9") is None
    # The same source again: what is settled stays settled.
    with store.imports.begin("rubric-mme", "a.json") as writer:
        writer.put_problems([problem("p1"), problem("p2")])
        writer.publish(ImportReport())
    assert [p.id for p in store.imports.problems()] == ["p2"]


def test_judgements_wait_for_their_item_and_join_it(store: Store) -> None:
    with store.imports.begin("judge", "j.jsonl") as writer:
        writer.put_waiting([judgement(9), judgement(9, judge="other::judge::v1"), judgement(8)])
        assert writer.known_judge(judgement(9).judgement_id, "g::pro::v1") is not None
        writer.publish(ImportReport())
    assert len(store.judges.waiting()) == 3

    def join(publish: bool) -> None:
        with store.imports.begin("rubric-mme", "d.json") as writer:
            writer.put_dialogues([dialogue(9)])
            waiting = writer.waiting("d9")
            assert [r.judge for _, r in waiting] == ["g::pro::v1", "other::judge::v1"]
            writer.put_judge_records((the_id(9), record) for _, record in waiting)
            writer.join(place for place, _ in waiting)
            if publish:
                writer.publish(ImportReport())

    join(publish=False)
    assert len(store.judges.waiting()) == 3
    join(publish=True)
    assert store.judges.waiting() == [judgement(8)]
    assert len(store.judges.records(the_id(9))) == 2
    assert store.judges.count() == 2


def test_of_several_records_of_one_judgement_the_last_counts_and_two_judges_are_two(store: Store) -> None:
    with store.imports.begin("judge", "j.jsonl") as writer:
        writer.put_judge_records((the_id(0), judgement(0, score=s)) for s in (2, 3))
        writer.put_judge_records([(the_id(0), judgement(0, judge="other::judge::v1", score=5))])
        writer.put_judge_records([(the_id(0), judgement(0, turn=1, score=1))])
        writer.publish(ImportReport())
    found = store.judges.records(the_id(0), MODELS[0], "turn:0")
    assert [(r.judge, r.scores["accuracy"]) for r in found] == [("g::pro::v1", 3), ("other::judge::v1", 5)]
    assert len(store.judges.records(the_id(0))) == 3
    assert store.judges.records(the_id(0), MODELS[1]) == []


def test_an_import_beside_few_labels_does_not_slow_down_the_log(store: Store) -> None:
    store.labels.append([score(value=1 + v % 5) for v in range(60)])
    fill(store, [dialogue(5)])
    counted = {row[0] for row in store.database.all("SELECT tbl FROM sqlite_stat1")}
    assert "item" in counted
    assert counted & {"label_log", "label_now", "label_subject", "label_setting", "progress"} == set()
    for query in (
        "SELECT * FROM label_event WHERE arrival IN (1, 2)",
        "SELECT * FROM label_current WHERE item_id = 'x' AND responder IN ('', 'y') AND rater = 'r' AND phase = 'p'",
        "SELECT * FROM progress WHERE rater = 'r' AND phase = 'blind' AND item_id = 'x'",
        "SELECT seq FROM label_event WHERE device = 'd' ORDER BY seq DESC LIMIT 1",
    ):
        plan = " ".join(str(row[3]) for row in store.database.all(f"EXPLAIN QUERY PLAN {query}"))
        assert "SEARCH" in plan
        assert "SCAN" not in plan
