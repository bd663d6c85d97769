"""What is said goes through the one outbox: pending, durable, failing, undone; typed words are never lost."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotator.workspace.views import Changes
from tests.helpers.driver import spin
from tests.ui.choice.bench import Bench


def test_an_answer_is_pending_until_it_is_on_disk(bench: Bench) -> None:
    bench.press("c", settle=False)
    row = bench.page.column.answers.rows[2]
    assert row.state.own
    assert row.state.pending
    assert bench.status.saved.state() == "pending"
    bench.settle()
    assert not row.state.pending
    assert bench.status.saved.state() == "saved"


def test_a_failed_save_keeps_all_and_says_it_once(bench: Bench) -> None:
    bench.press("c")
    bench.questions.failing = True
    bench.press("1")
    bench.press("j\n")
    assert bench.status.saved.state() == "failed"
    message = bench.messages.current()
    assert message is not None
    assert "disk is full" in message.text
    assert bench.view.sheet.value("key_verdict") == "right"
    failed = [r for r in bench.page.column.letters.model.rows if r.failed]
    assert len(failed) == 1
    first = bench.view.row.item_id
    bench.press("n")
    bench.press("p")
    assert bench.view.row.item_id == first
    assert bench.view.sheet.value("key_verdict") == "right"  # what is not saved lies over what the store says
    bench.questions.failing = False
    bench.dialogues.outbox.retry_now()
    bench.settle()
    assert bench.questions.question(first).sheet.value("key_verdict") == "right"
    assert not any(r.failed or r.pending for r in bench.page.column.letters.model.rows)
    assert bench.status.saved.state() == "saved"


def test_undo_goes_back_to_the_question_it_was_said_of(bench: Bench) -> None:
    first = bench.view.row.item_id
    bench.press("c")
    bench.press("1")
    bench.press("\n")
    assert bench.view.row.item_id != first
    bench.control(Qt.Key.Key_Z)
    assert bench.view.row.item_id == first
    assert bench.view.sheet.value("key_verdict") is None
    assert bench.view.sheet.value("answer") == "C"
    assert bench.router.context() == "question_open"


def test_undoing_a_dialogues_label_is_not_ours(bench: Bench) -> None:
    """Labels of dialogues are shown by the desk of dialogues."""
    went: list[str] = []
    bench.dialogues.elsewhere["question"] = lambda changes: went.append(str(changes.moved_to))
    bench.dialogues._stepped_back(Changes(moved_to=("question:1", None, "item", "answer")))
    assert len(went) == 1


def test_a_note_in_hand_is_said_of_its_own_question(bench: Bench) -> None:
    first = bench.view.row.item_id
    bench.press("c")
    bench.press("1")
    edit = bench.page.column.verdict.note_edit
    edit.setFocus()
    QTest.keyClicks(edit, "half a thought")
    bench.desk.go(1)
    bench.settle()
    assert bench.questions.question(first).sheet.value("note") == "half a thought"
    assert bench.view.sheet.value("note") is None
    assert bench.page.column.verdict.note_edit.text() == ""


def test_a_draft_is_shown_again(bench: Bench) -> None:
    bench.questions.drafts[bench.view.row.item_id] = {("item", "note"): "from before"}
    bench.press("c")
    assert bench.page.column.verdict.note_edit.text() == "from before"


def test_the_time_until_the_answer_goes_with_it_and_is_shown(bench: Bench) -> None:
    spin(60)
    bench.press("c")
    assert bench.questions.said[0][2] >= 50
    assert "locked" in bench.page.column.answers.lock.text()


def test_a_workspace_that_can_only_be_read_takes_nothing(bench: Bench) -> None:
    bench.questions.read_only = True
    bench.desk._views.clear()
    bench.desk.open(bench.view.row.item_id)
    bench.settle()
    bench.press("c")
    assert bench.questions.said == []
    assert not bench.view.sheet.answered
    assert not bench.page.column.answers.rows[0].state.open


def test_closing_lets_go_of_everything(bench: Bench) -> None:
    bench.press("c")
    bench.dialogues.close()
    bench.settle()
    assert bench.desk.view is None
    assert bench.page.stage.picture is None
