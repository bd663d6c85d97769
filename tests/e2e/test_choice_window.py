"""Questions in the real window on a real workspace: blind, by keys, durable, undone across kinds of items."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget

from annotator.domain.questions import Question
from annotator.ui.choice_page import ChoicePage
from annotator.workspace.questions import PredictionView, Questions
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver
from tests.ui.choice import sample
from tests.ui.choice.walk import objects, texts

Drive = Callable[..., Driver]
COUNT = 6


@pytest.fixture(scope="module")
def question_workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of questions; copy it before writing to it."""
    return sample.workspace(tmp_path_factory.mktemp("questions"), COUNT)


@pytest.fixture
def folder(question_workspace: Path, tmp_path: Path) -> Path:
    """A workspace of this test's own."""
    made = tmp_path / "workspace"
    shutil.copytree(question_workspace, made)
    return made


@pytest.fixture
def both(sample_workspace: Path, tmp_path: Path) -> Path:
    """A workspace with dialogues and questions."""
    made = tmp_path / "both"
    shutil.copytree(sample_workspace, made, ignore=shutil.ignore_patterns("data"))
    questions, outputs = sample.write(tmp_path / "data", 3)
    with Workspace.open(made) as held:
        held.import_source(questions, media_roots=(questions.parent,))
        held.import_source(outputs[0], kind="predictions")
    return made


@pytest.fixture
def on_page(drive: Drive) -> Callable[..., tuple[Driver, ChoicePage]]:
    """Opens a workspace and waits until a question and its image are shown."""

    def make(folder: Path, size: tuple[int, int] = (1600, 1000)) -> tuple[Driver, ChoicePage]:
        driver = drive(folder, size)
        driver.settle()
        if driver.window.choice.count and not isinstance(driver.window.stack.currentWidget(), ChoicePage):
            driver.window.show_page("choice")
        page = driver.window.stack.currentWidget()
        assert isinstance(page, ChoicePage)
        driver.wait(lambda: page.desk.view is not None and page.stage.picture is not None)
        return driver, page

    return make


def button(window: QWidget, name: str) -> QAbstractButton:
    found = window.findChild(QAbstractButton, name)
    assert found is not None, name
    return found


def test_a_workspace_of_questions_opens_on_the_first_of_them(drive: Drive, folder: Path) -> None:
    driver = drive(folder)
    driver.settle()
    page = driver.window.stack.currentWidget()
    assert isinstance(page, ChoicePage)
    assert driver.window.rail.buttons["choice"].isVisible()
    assert page.desk.view is not None
    assert page.desk.view.question.source_id == "set/remote/0000"
    assert page.foot.isVisible()
    for name in ("answer_A", "answer_B", "answer_C", "answer_D", "answer_E", "answer_cannot"):
        assert button(driver.window, name).isVisible()
        assert button(driver.window, name).accessibleName()
    panel = driver.window.findChild(QWidget, "answerPanel")
    assert panel is not None
    assert panel.isVisible()


def test_a_workspace_without_questions_has_no_such_page(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    assert not driver.window.rail.buttons["choice"].isVisible()
    assert driver.window.rail.buttons["review"].isVisible()


def test_nothing_of_key_or_models_is_in_the_window_before_the_answer(
    on_page: Callable[..., tuple[Driver, ChoicePage]], folder: Path
) -> None:
    driver, page = on_page(folder)

    def secrets() -> list[str]:
        shown = "\n".join(texts(driver.window))
        return [word for word in (sample.HIDDEN, "B or C, hard to tell", "Key A") if word in shown]

    assert secrets() == []
    # Everything that the page and its desk hold, short of the workspace itself, which has all of it on disk.
    held = list(objects(page.desk.view, page.desk._views, page.desk.queue, page.column, page.stage))
    assert any(isinstance(o, Question) for o in held)
    assert all(o.key is None and o.key_raw == "" and o.findings == () for o in held if isinstance(o, Question))
    assert not any(isinstance(o, PredictionView) for o in held)
    driver.press("b")
    assert secrets() == ["B or C, hard to tell", "Key A"]
    driver.press("n")
    assert secrets() == []


def test_all_of_them_by_keys_are_on_disk(on_page: Callable[..., tuple[Driver, ChoicePage]], folder: Path) -> None:
    driver, page = on_page(folder)
    stage = page.stage.stage
    for number in range(COUNT):
        driver.wait(lambda: page.stage.picture is not None)
        driver.press("ABCD"[number % 4].lower())
        driver.press("b")
        QTest.mousePress(stage, Qt.MouseButton.LeftButton, pos=QPoint(300, 250))
        QTest.mouseMove(stage, QPoint(340, 270))
        QTest.mouseMove(stage, QPoint(400, 300))
        QTest.mouseRelease(stage, Qt.MouseButton.LeftButton, pos=QPoint(400, 300))
        driver.settle()
        driver.press("1")
        driver.press("j")
        driver.press("\n")
        driver.press("\n")
    assert driver.saved_state == "saved"
    assert page.desk.queue is not None
    assert page.desk.queue.complete == COUNT
    driver.close()
    with Workspace.open(folder, read_only=True) as held:
        questions = Questions(held)
        from annotator.domain.question_sheet import QuestionFilter

        for number, row in enumerate(questions.queue(QuestionFilter()).rows):
            view = questions.question(row.item_id)
            sheet = view.sheet
            assert sheet.value("answer") == "ABCD"[number % 4]
            assert sheet.phases["answer"] == "blind"
            assert sheet.phases["key_verdict"] == "open"
            assert sheet.value("key_verdict") == "right"
            assert len(sheet.letters()) == 1
            box, evidence = sheet.value("box"), sheet.value("evidence")
            assert evidence["box"] == box
            assert evidence == questions.evidence(row.item_id, box, 1600, 1100)
            assert evidence["bound"] == (0.01 if view.question.subtask == "Autonomous_Driving" else 0.1)
            assert view.share == evidence["share"]
            assert set(sheet.value("viewing")) == {"opened", "played", "seen_full"}


def test_what_was_said_is_there_after_opening_again(
    on_page: Callable[..., tuple[Driver, ChoicePage]], folder: Path
) -> None:
    driver, page = on_page(folder)
    driver.press("d")
    driver.press("2")
    assert page.desk.view is not None
    assert page.desk.view.sheet.value("key_letter") == "D"
    driver.close()
    again, page = on_page(folder)
    assert page.desk.view is not None
    assert page.desk.view.question.source_id == "set/remote/0001"  # the first with something left
    again.press("p")
    assert page.desk.view.sheet.value("answer") == "D"
    assert page.column.verdict.isVisible()


def test_undo_crosses_from_questions_to_dialogues_and_back(
    on_page: Callable[..., tuple[Driver, ChoicePage]], both: Path
) -> None:
    driver, page = on_page(both)
    window = driver.window
    window.show_page("review")
    driver.press("5")
    key = driver.view.row.key
    target, field = driver.window.review.target, "accuracy"
    window.show_page("choice")
    driver.press("c")
    driver.press("1")
    driver.control(Qt.Key.Key_Z)
    assert window.stack.currentWidget() is page
    assert page.desk.view is not None
    assert page.desk.view.sheet.value("key_verdict") is None
    driver.control(Qt.Key.Key_Z)
    driver.control(Qt.Key.Key_Z)
    assert window.stack.currentWidget() is window.review
    assert driver.view.row.key == key
    assert driver.value(target, field) is None
    driver.control(Qt.Key.Key_Z, shift=True)
    driver.control(Qt.Key.Key_Z, shift=True)
    assert window.stack.currentWidget() is page
    assert page.desk.view.sheet.value("answer") == "C"


def test_the_next_image_is_painted_at_once_where_it_was_prepared(
    on_page: Callable[..., tuple[Driver, ChoicePage]], folder: Path
) -> None:
    driver, page = on_page(folder)
    driver.wait(lambda: not page.stage.loader.busy)
    driver.settle()
    driver.press("a")
    driver.press("1")
    driver.wait(lambda: not page.stage.loader.busy)
    driver.press("\n", settle=False)
    # In the same turn of the event loop: no blank stage between two questions.
    assert page.desk.view is not None
    assert page.desk.view.question.source_id == "set/remote/0001"
    picture = page.stage.picture
    assert picture is not None
    assert picture.native


def test_the_foot_and_the_progress_follow_the_page(
    on_page: Callable[..., tuple[Driver, ChoicePage]], both: Path
) -> None:
    driver, page = on_page(both)
    window = driver.window
    assert page.foot.isVisible()
    assert not window.review.verdict.isVisible()
    assert window.status.progress._total == 3
    window.show_page("review")
    assert not page.foot.isVisible()
    assert window.review.verdict.isVisible()
    assert window.desk.queue is not None
    assert window.status.progress._total == window.desk.queue.total


def test_outputs_that_come_in_later_are_there_without_opening_again(
    on_page: Callable[..., tuple[Driver, ChoicePage]], both: Path, tmp_path: Path
) -> None:
    driver, page = on_page(both)
    driver.press("c")
    assert page.column.letters.model.rowCount() == 1
    held = driver.window.desk.workspace
    assert held is not None
    held.import_source(sample.write(tmp_path / "data", 3)[1][1], kind="predictions")
    driver.window.desk.reload()
    driver.settle()
    assert page.column.letters.model.rowCount() == 2
    assert page.desk.view is not None
    assert page.desk.view.sheet.value("answer") == "C"


TWENTY = 20


def test_twenty_in_a_row_each_by_answer_box_digit_and_enter(
    on_page: Callable[..., tuple[Driver, ChoicePage]], tmp_path: Path
) -> None:
    driver, page = on_page(sample.workspace(tmp_path / "twenty", TWENTY, (320, 220)))
    stage = page.stage.stage
    driver.presses = 0
    for number in range(TWENTY):
        driver.wait(lambda: page.stage.picture is not None and not page.stage.loader.busy)
        driver.press("ABCD"[number % 4].lower())
        QTest.mousePress(stage, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(300, 250))
        QTest.mouseMove(stage, QPoint(340, 270))
        QTest.mouseMove(stage, QPoint(400, 300))
        QTest.mouseRelease(stage, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, QPoint(400, 300))
        driver.press("1")
        driver.wait(lambda: not page.stage.loader.busy)
        driver.press("\n", settle=False)
        if number + 1 < TWENTY:  # prepared before: the next question and its image are there in this turn of the loop
            assert page.desk.view is not None
            assert page.desk.view.question.source_id.endswith(f"{number + 1:04d}")
            assert page.stage.picture is not None
        driver.settle()
    assert driver.presses == 3 * TWENTY
    assert page.desk.queue is not None
    assert page.desk.queue.complete == TWENTY
    source = page.desk.source
    sheets = [source.question(row.item_id).sheet for row in page.desk.queue.rows]
    assert all(sheet.value("box") is not None and sheet.value("key_verdict") == "right" for sheet in sheets)


def test_what_is_locked_tells_how_many_and_the_time_of_an_answer_stays(
    on_page: Callable[..., tuple[Driver, ChoicePage]], folder: Path
) -> None:
    driver, page = on_page(folder)
    told = page.column.letters_locked
    assert "3" in told.note.text() and "rules" in told.note.text()
    assert "0" in page.column.findings_locked.note.text()
    assert page.desk.view is not None and page.desk.view.n_predictions == 3 and page.desk.view.predictions == ()
    item = page.desk.view.row.item_id
    driver.press("d")
    driver.close()
    with Workspace.open(folder, read_only=True) as held:
        view = Questions(held).question(item)
        spent = [e.active_ms for e in held.store.labels.events(item_id=view.row.item_id) if e.field == "answer"]
    assert view.answer_ms == spent[0] and len(view.predictions) == view.n_predictions == 3
    _, again = on_page(folder)
    again.desk.open(view.row.item_id)
    driver.wait(lambda: again.desk.view is not None and again.desk.view.row.item_id == view.row.item_id)
    assert again.column.answers.lock.isVisible()


def test_undo_and_redo_are_offered_where_there_is_something_to_undo(
    on_page: Callable[..., tuple[Driver, ChoicePage]], folder: Path
) -> None:
    driver, page = on_page(folder)
    bar = page.itembar
    assert (bar.undo.isEnabled(), bar.redo.isEnabled()) == (False, False)
    driver.press("c")
    assert (bar.undo.isEnabled(), bar.redo.isEnabled()) == (True, False)
    bar.undo.click()
    driver.settle()
    assert (bar.undo.isEnabled(), bar.redo.isEnabled()) == (False, True)
    assert page.desk.view is not None and page.desk.view.sheet.value("answer") is None
    bar.redo.click()
    driver.settle()
    assert page.desk.view.sheet.value("answer") == "C"
