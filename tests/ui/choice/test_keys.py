"""Answering, judging and confirming by keys alone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from annotator.domain.labels import KEY_VERDICTS
from annotator.ui.choice_verdict import RightLetter
from tests.ui.choice.bench import Bench
from tests.ui.choice.invented import FakeQuestions


def drag(bench: Bench, start: QPoint, end: QPoint) -> None:
    stage = bench.page.stage.stage
    QTest.mousePress(stage, Qt.MouseButton.LeftButton, pos=start)
    for step in (0.3, 0.6, 1.0):
        QTest.mouseMove(stage, start + (end - start) * step)
    QTest.mouseRelease(stage, Qt.MouseButton.LeftButton, pos=end)
    bench.settle()


def test_twenty_in_a_row_by_answer_box_digit_and_enter(make_bench: Callable[..., Bench], images: Path) -> None:
    bench = make_bench(FakeQuestions(images, count=24))
    for number in range(20):
        item = f"question:{number:016x}"
        assert bench.view.row.item_id == item
        pictured = bench.view.image_path is not None
        bench.press("a")
        if pictured:
            bench.press("b")
            drag(bench, QPoint(300, 250), QPoint(420, 330))
        bench.press("1")
        bench.press("\n")
        sheet = bench.questions.question(item).sheet
        assert (sheet.value("answer"), sheet.value("key_verdict")) == ("A", "right")
        assert (sheet.value("box") is not None) == pictured
        assert bench.questions.question(item).row.finished
    assert bench.desk.queue is not None
    assert bench.desk.queue.complete == 20


def test_letters_answer_only_while_blind(bench: Bench) -> None:
    assert bench.router.context() == "question"
    bench.press("b")
    assert bench.view.sheet.value("answer") == "B"
    assert bench.router.context() == "question_open"
    bench.press("c")
    assert bench.view.sheet.value("answer") == "B"
    assert len(bench.questions.said) == 1


def test_two_letters_in_one_breath_are_one_answer(bench: Bench) -> None:
    bench.press("bc")
    assert bench.view.sheet.value("answer") == "B"
    assert len(bench.questions.said) == 1


def test_nought_cannot_tell(bench: Bench) -> None:
    bench.press("0")
    assert bench.view.sheet.value("answer") == "cannot_tell"
    assert bench.page.column.answers.cannot.state.own


@pytest.mark.parametrize("number", range(1, 8))
def test_digits_judge_the_key_in_the_order_of_the_table(bench: Bench, number: int) -> None:
    bench.press("d")
    bench.press(str(number))
    assert bench.view.sheet.value("key_verdict") == KEY_VERDICTS[number - 1]
    assert bench.page.column.verdict.buttons[KEY_VERDICTS[number - 1]].isChecked()


def test_a_wrong_key_takes_the_own_answer_as_the_right_letter(bench: Bench) -> None:
    bench.press("c")
    bench.press("2")
    assert bench.view.question.key == "D"
    assert bench.view.sheet.value("key_letter") == "C"
    assert bench.view.row.finished
    bench.press("1")
    assert bench.view.sheet.value("key_letter") is None


def test_a_wrong_key_asks_for_the_letter_where_the_answer_is_no_other(bench: Bench) -> None:
    bench.press("0")
    bench.press("2")
    assert bench.view.sheet.gaps() == ("key_letter",)
    assert isinstance(bench.focusWidget(), RightLetter)
    bench.press("e")
    assert bench.view.sheet.value("key_letter") == "E"
    assert bench.view.row.finished
    assert bench.focusWidget() is bench.page.column.answers


def test_a_note_stands_for_the_letter(bench: Bench) -> None:
    bench.press("0")
    bench.press("2")
    edit = bench.page.column.verdict.note_edit
    edit.setFocus()
    QTest.keyClicks(edit, "no choice fits, 1 and 2")
    bench.press("\n")
    assert bench.view.sheet.value("note") == "no choice fits, 1 and 2"
    assert bench.view.row.finished
    assert bench.workspace.kept[-1][-1] == "no choice fits, 1 and 2"
    assert bench.focusWidget() is bench.page.column.answers


def test_j_goes_through_the_letters_those_that_differ_first(bench: Bench) -> None:
    bench.press("c")
    models = [p.model for p in bench.view.predictions]
    order = []
    for _ in range(4):
        bench.press("j")
        assert bench.router.context() == "question_letter"
        order.append(bench.page.column.letters.current)
        bench.press("\n")
        assert bench.router.context() == "question_open"
    assert order == [models[1], models[3], models[0], models[2]]  # the blank output of the last model never counts
    letters = bench.view.sheet.letters()
    assert letters == {models[0]: "C", models[1]: "C", models[2]: "D", models[3]: "none"}
    bench.press("j")
    assert bench.router.context() == "question_open"
    assert bench.messages.current() is not None


def test_letters_correct_and_nought_says_none(bench: Bench) -> None:
    bench.press("c")
    models = [p.model for p in bench.view.predictions]
    bench.press("je")
    assert bench.view.sheet.value(f"letter:{models[1]}") == "E"
    bench.press("j0")
    assert bench.view.sheet.value(f"letter:{models[3]}") == "none"
    assert bench.view.sheet.value("answer") == "C"


def test_j_twice_skips_one_and_comes_back(bench: Bench) -> None:
    bench.press("c")
    models = [p.model for p in bench.view.predictions]
    bench.press("jj")
    assert bench.page.column.letters.current == models[3]
    bench.press("\x1b")
    assert bench.page.column.letters.current is None
    assert bench.router.context() == "question_open"


def test_enter_goes_on_only_with_no_letter_current(bench: Bench) -> None:
    first = bench.view.row.item_id
    bench.press("c")
    bench.press("j\n")
    assert bench.view.row.item_id == first
    bench.press("\n")
    assert bench.view.row.item_id != first
    bench.press("p")
    assert bench.view.row.item_id == first
    bench.press("p")
    assert bench.view.row.item_id == first
    assert bench.messages.current() is not None


def test_enter_while_blind_does_nothing(bench: Bench) -> None:
    first = bench.view.row.item_id
    bench.press("\n")
    assert bench.view.row.item_id == first


def test_gaps_in_the_order_of_work(bench: Bench) -> None:
    first = bench.view.row.item_id
    bench.control(Qt.Key.Key_Return)
    assert bench.view.row.item_id == first
    bench.press("d")
    bench.press("1")
    bench.press("g")
    assert bench.page.column.letters.current is not None
    bench.press("\x1b")
    bench.control(Qt.Key.Key_Return)
    assert bench.view.row.item_id != first


def test_no_box_before_the_answer(bench: Bench) -> None:
    bench.press("b")  # this is an answer
    bench.press("n")
    QTest.mouseClick(bench.page.stage.tools.box, Qt.MouseButton.LeftButton)
    assert not bench.page.stage.box.armed
    stage = bench.page.stage.stage
    QTest.mousePress(stage, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(300, 250))
    QTest.mouseMove(stage, QPoint(380, 300))
    QTest.mouseRelease(stage, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(380, 300))
    bench.settle()
    assert bench.page.stage.box.rect.isEmpty()
    assert bench.view.sheet.value("box") is None


def test_the_box_is_in_pixels_of_the_image_with_its_share(bench: Bench) -> None:
    bench.press("c")
    bench.press("b")
    drag(bench, QPoint(300, 250), QPoint(420, 330))
    box, evidence = bench.view.sheet.value("box"), bench.view.sheet.value("evidence")
    viewport = bench.page.stage.stage.viewport
    corner = viewport.to_picture(QPoint(300, 250).toPointF())
    assert abs(box[0] - corner.x()) <= 1
    assert abs(box[1] - corner.y()) <= 1
    assert evidence["box"] == box
    assert (evidence["width"], evidence["height"]) == (1600, 1100)
    assert evidence["share"] == pytest.approx(box[2] * box[3] / (1600 * 1100), abs=1e-7)
    assert evidence["bound"] == 0.1
    assert len(bench.questions.said[-1][1]) == 2  # one statement, saved together
    facts = bench.page.column.box.facts
    assert facts is not None
    assert facts.within
    QTest.mouseClick(bench.page.column.box.remove, Qt.MouseButton.LeftButton)
    bench.settle()
    assert bench.view.sheet.value("box") is None
    assert bench.page.stage.box.rect.isEmpty()


def test_a_box_beyond_the_bound_says_so(bench: Bench) -> None:
    bench.press("c")
    bench.press("b")
    stage = bench.page.stage.stage
    drag(bench, QPoint(60, 200), QPoint(stage.width() - 60, 550))
    facts = bench.page.column.box.facts
    assert facts is not None
    assert not facts.within
    assert bench.page.column.box.verdict.text() == "Beyond 1/10"


def test_a_long_output_keeps_beginning_and_end_and_opens_whole_on_a_click(bench: Bench) -> None:
    long = "It begins here. " + "The row is long. " * 400 + "Therefore the answer is (C)."
    bench.press("c")
    view = bench.view
    changed = replace(view.predictions[1], output=long)
    bench.desk._take(replace(view, predictions=(view.predictions[0], changed, *view.predictions[2:])))
    bench.press("j")
    letters = bench.page.column.letters
    row = letters.shown_row(1)
    text = letters.delegate.block(row, 400).text
    assert text.startswith("It begins here.")
    assert text.endswith("Therefore the answer is (C).")
    assert len(text) < len(long) / 2
    index = letters.model.index(1)
    before = letters.list.visualRect(index)
    QTest.mouseClick(letters.list.viewport(), Qt.MouseButton.LeftButton, pos=before.center())
    assert letters.delegate.block(letters.shown_row(1), 400).text == long
    assert letters.list.visualRect(index).height() > before.height()
    assert letters.current is not None


def test_a_click_on_the_confirmation_offers_the_letters(bench: Bench) -> None:
    bench.press("c")
    letters = bench.page.column.letters
    rect = letters.list.visualRect(letters.model.index(0))
    QTest.mouseClick(letters.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(rect.right() - 20, rect.top() + 12))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [a.text() for a in menu.actions()] == [*"ABCDE", "No letter in it"]
    menu.actions()[4].trigger()
    menu.close()
    bench.settle()
    assert bench.view.sheet.value(f"letter:{bench.view.predictions[0].model}") == "E"


def test_the_next_question_costs_the_window_little(bench: Bench) -> None:
    bench.press("a")
    bench.press("1")
    start = time.thread_time()
    bench.press("\n", settle=False)
    assert time.thread_time() - start < 0.1  # a tenth of it where nothing else runs
    assert bench.page.stage.picture is not None  # no blank stage between two images
