"""A rater answers before anything of key or models can be seen; what is said after is told apart."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.question_sheet import QuestionFilter, cross_check, key_finding, settled_finding
from annotator.errors import WorldError
from annotator.store import open_store
from annotator.workspace.questions import Questions
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.helpers.questions import answered, official, png, write_json, write_lines

OUTPUTS = ("The best option: C", "A", "C or D", "E")


@pytest.fixture
def workspace(tmp_path: Path) -> Any:
    records = [official(n, key="C") for n in range(4)]
    records[3]["Answer choices"][1] = "(B) green bus"  # its truth text stands twice
    for n in range(3):
        path = tmp_path / "roots/monitoring_images" / f"{n}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png(n, 200, 100))
    with Workspace.create(tmp_path / "w", rater="lin") as opened:
        opened.import_source(write_json(tmp_path / "q.json", records), media_roots=[tmp_path / "roots"])
        opened.import_source(write_lines(tmp_path / "SecretVLM.jsonl", answered(records, OUTPUTS)))
        opened.import_source(write_lines(tmp_path / "OtherVLM.jsonl", answered(records, "CCCC")))
        yield opened


def items(questions: Questions) -> list[str]:
    return [row.item_id for row in questions.queue(QuestionFilter()).rows]


def everything(value: Any) -> str:
    return json.dumps(
        dataclasses.asdict(value), default=lambda v: v.model_dump() if hasattr(v, "model_dump") else str(v)
    )


def test_nothing_of_key_or_models_before_the_own_answer(workspace: Workspace) -> None:
    questions = Questions(workspace)
    item = items(questions)[3]
    view = questions.question(item)
    assert not view.revealed and view.question.key is None and view.predictions == () and view.question.findings == ()
    told = everything(view)
    for secret in ("SecretVLM", "OtherVLM", "truth_twin", '"official"', "Output"):
        assert secret not in told
    assert questions.next_letter(item) is None and view.row.letters_open == 0
    questions.say(item, [Intent("item", "answer", "B")], 100, "en")
    view = questions.question(item)
    assert view.revealed and view.question.key == "C" and len(view.predictions) == 2
    assert {f.code for f in view.question.findings} == {"choice_twin", "truth_twin", "image_missing"}
    assert "SecretVLM" not in {p.alias for p in view.predictions}


def test_names_are_shown_where_they_may_be(workspace: Workspace) -> None:
    workspace.store.desk.set("show_model_names", True)
    questions = Questions(workspace)
    item = items(questions)[0]
    questions.say(item, [Intent("item", "answer", "cannot_tell")])
    assert [p.alias for p in questions.question(item).predictions] == ["OtherVLM", "SecretVLM"]


def test_the_key_cannot_be_judged_before_the_answer(workspace: Workspace) -> None:
    questions = Questions(workspace)
    item = items(questions)[0]
    for field, value in (("key_verdict", "right"), ("key_letter", "A"), ("letter:SecretVLM", "C")):
        with pytest.raises(WorldError, match="Answer the question first"):
            questions.say(item, [Intent("item", field, value)])
    with pytest.raises(WorldError, match="does not fit"):
        questions.say(item, [Intent("item", "answer", "F")])
    assert workspace.store.labels.count() == 0


def test_each_statement_has_the_phase_of_what_could_be_seen(workspace: Workspace) -> None:
    questions = Questions(workspace)
    item = items(questions)[0]
    questions.say(item, [Intent("item", "answer", "A")])
    questions.say(item, [Intent("item", "key_verdict", "wrong"), Intent("item", "box", [1, 2, 30, 40])])
    questions.say(item, [Intent("item", "answer", "C")])
    phases = {(e.field, e.value if e.field == "answer" else ""): e.phase for e in workspace.store.labels.events()}
    assert phases == {
        ("answer", "A"): "blind",
        ("key_verdict", ""): "open",
        ("box", ""): "open",
        ("answer", "C"): "revised",
    }
    assert questions.question(item).sheet.value("answer") == "C"
    assert questions.say(item, [Intent("item", "answer", "C")]).events == 0


def test_an_answer_taken_back_hides_the_key_and_the_next_is_no_longer_blind(workspace: Workspace) -> None:
    questions = Questions(workspace)
    item = items(questions)[0]
    questions.say(item, [Intent("item", "answer", "A")])
    changes = workspace.undo()
    assert changes is not None and changes.moved_to == (item, None, "item", "answer")
    assert not questions.question(item).revealed and questions.question(item).row.status == "new"
    questions.say(item, [Intent("item", "answer", "C")])
    assert [e.phase for e in workspace.store.labels.events()] == ["blind", "blind", "revised"]
    workspace.undo()
    assert workspace.redo() is not None and questions.question(item).sheet.value("answer") == "C"


def test_an_open_project_shows_the_key_at_once(workspace: Workspace) -> None:
    questions = Questions(workspace)
    questions.set_phase("open")
    item = items(questions)[0]
    assert questions.phase == "open" and questions.question(item).question.key == "C"
    questions.say(item, [Intent("item", "key_verdict", "right"), Intent("item", "answer", "C")])
    assert {e.phase for e in workspace.store.labels.events()} == {"open"}
    assert questions.question(item).row.status == "complete"


def test_what_makes_a_question_complete(workspace: Workspace) -> None:
    questions = Questions(workspace)
    item = items(questions)[0]
    steps = [("answer", "A", "started"), ("key_verdict", "wrong", "started"), ("key_letter", "B", "complete")]
    for field, value, status in steps:
        questions.say(item, [Intent("item", field, value)])
        assert questions.question(item).row.status == status
    assert questions.queue(QuestionFilter()).complete == 1
    other = items(questions)[1]
    for field, value in (("answer", "C"), ("key_verdict", "wrong"), ("note", "nothing is right")):
        questions.say(other, [Intent("item", field, value)])
    assert questions.question(other).row.status == "complete"


def test_letters_that_the_profiles_read_differently_come_first(workspace: Workspace) -> None:
    questions = Questions(workspace)
    first, _, third, _ = items(questions)
    for item in (first, third):
        questions.say(item, [Intent("item", "answer", "C")])
    view = questions.question(third)
    assert {p.model: p.disagree for p in view.predictions} == {"SecretVLM": True, "OtherVLM": False}
    assert questions.next_letter(third) == "SecretVLM"
    assert questions.next_letter(third, "SecretVLM") == "OtherVLM"
    waiting = questions.queue(QuestionFilter(letters_open=True)).rows
    assert third in [r.item_id for r in waiting] and waiting[0].letters_open == 1
    questions.say(third, [Intent("item", "letter:SecretVLM", "none")])
    secret = next(p for p in questions.question(third).predictions if p.model == "SecretVLM")
    assert secret.said and secret.confirmed is None
    assert third not in [r.item_id for r in questions.queue(QuestionFilter(letters_open=True)).rows]


def test_a_box_keeps_its_share_beside_the_bound(workspace: Workspace) -> None:
    questions = Questions(workspace)
    item = items(questions)[0]
    questions.say(item, [Intent("item", "answer", "C")])
    box = [150, 50, 100, 100]
    value = questions.evidence(item, box, 200, 100)
    questions.say(item, [Intent("item", "box", box), Intent("item", "evidence", value)])
    view = questions.question(item)
    assert view.share == pytest.approx(0.125) and view.share_bound == 0.1  # half of it lies outside the picture
    assert view.image_path is not None and view.image_path.is_file()


def test_the_check_by_several_people(workspace: Workspace, tmp_path: Path) -> None:
    questions = Questions(workspace)
    item = items(questions)[0]

    def judge(rater: str, verdict: str, letter: str | None = None) -> str:
        with Workspace.open(tmp_path / "w", rater=rater) as opened:
            own = Questions(opened)
            assert own.question(item).others == ()
            own.say(item, [Intent("item", "answer", "C")])
            own.say(item, [Intent("item", "key_verdict", verdict), Intent("item", "key_letter", letter)])
            return own.question(item).cross

    assert judge("lin", "right") == "one"
    assert judge("mei", "wrong", "B") == "third_wanted"
    assert {o.rater: o.key_verdict for o in questions.question(item).others} == {"mei": "wrong"}
    assert judge("sam", "wrong", "B") == "settled"
    row = questions.row(item)
    assert row is not None and row.cross == "settled"
    assert [r.item_id for r in questions.queue(QuestionFilter(crosses=frozenset({"settled"}))).rows] == [item]


def test_states_of_the_check() -> None:
    assert cross_check({}) == "none"
    assert cross_check({"a": ("right", None), "b": ("right", "C")}) == "agreed"
    assert cross_check({"a": ("wrong", "B"), "b": ("wrong", "C")}) == "third_wanted"
    assert cross_check({"a": ("wrong", "B"), "b": ("wrong", "C"), "c": ("right", None)}) == "disputed"
    assert cross_check({"a": ("wrong", "B")}, adjudicated=True) == "settled"
    assert settled_finding({"a": ("wrong", "B"), "b": ("wrong", "B"), "c": ("right", None)}) == ("wrong", "B")
    assert settled_finding({"a": ("wrong", "B"), "b": ("right", None)}) is None


def test_a_key_counts_as_checked_once_two_people_agree_or_an_adjudication_says_so() -> None:
    one, other, right = ("wrong", "B"), ("wrong", "C"), ("right", None)
    alone = key_finding({"a": one})
    assert alone is not None
    assert (alone.letter, alone.raters, alone.state, alone.cross_checked) == ("B", 1, "one", False)
    both = key_finding({"a": one, "b": one})
    assert both is not None
    assert (both.letter, both.raters, both.cross_checked) == ("B", 2, True)
    assert key_finding({"a": one, "b": other}) is None
    three = key_finding({"a": one, "b": right, "c": one})
    assert three is not None
    assert (three.letter, three.state, three.cross_checked) == ("B", "settled", True)
    ruled = key_finding({"a": one, "b": other}, ruling=("wrong", "C"))
    assert ruled is not None
    assert (ruled.letter, ruled.raters, ruled.cross_checked) == ("C", 2, True)
    assert key_finding({}) is None
    unneeded = key_finding({"a": ("right", "B"), "b": right})
    assert unneeded is not None
    assert unneeded.letter is None


def test_filters_and_facets(workspace: Workspace) -> None:
    questions = Questions(workspace)
    view = questions.queue(QuestionFilter())
    assert (view.total, view.facets["domain"]["Monitoring"]) == (4, 4)
    questions.say(view.rows[0].item_id, [Intent("item", "answer", "A")])
    assert questions.queue(QuestionFilter()).facets["status"] == {"new": 3, "started": 1}
    found = questions.queue(QuestionFilter(search="LANE 2"))
    assert [r.title for r in found.rows] == ["Which vehicle is in lane 2?"] and found.total == 4
    assert len(questions.queue(QuestionFilter(unfinished=True, statuses=frozenset({"new"}))).rows) == 3


def test_a_workspace_that_is_only_read_shows_and_says_nothing(workspace: Workspace, tmp_path: Path) -> None:
    with open_store(tmp_path / "w", write=False) as store:
        questions = Questions(Workspace(store))
        view = questions.question(items(questions)[0])
        assert view.read_only
        with pytest.raises(WorldError):
            questions.say(view.row.item_id, [Intent("item", "answer", "A")])
