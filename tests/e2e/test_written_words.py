"""Words written in several breaths: nothing older lies over them, undo shows what it brought back, keys lead out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from annotator.ui.choice_page import ChoicePage
from annotator.ui.comparison.page import ComparisonPage
from annotator.ui.reason import NoteEdit, ReasonEdit
from annotator.workspace.questions import Questions
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver
from tests.ui.choice import sample as questions
from tests.ui.comparison import sample as comparisons

Drive = Callable[..., Driver]
PAIR = 5


def shown(edit: ReasonEdit | NoteEdit) -> str:
    return edit.text() if isinstance(edit, ReasonEdit) else edit.toPlainText()


def write_in_breaths(driver: Driver, edit: ReasonEdit | NoteEdit) -> None:
    """Three pieces, each said while the keyboard stays in the field, as a pause says it."""
    driver.wait(lambda: not driver.window.lanes.busy)
    edit.setFocus()
    for piece, text in (("first ", "first "), ("second ", "first second "), ("third", "first second third")):
        QTest.keyClicks(edit, piece)
        driver.settle()
        edit.commit()
        driver.settle()
        assert edit.hasFocus(), QApplication.focusWidget()
        assert shown(edit) == text


def active(drive: Drive, folder: Path) -> Driver:
    """The window, once the keyboard is in it."""
    driver = drive(folder)
    driver.settle()
    driver.window.activateWindow()
    driver.wait(driver.window.isActiveWindow)
    return driver


def compared(drive: Drive, folder: Path) -> tuple[Driver, ComparisonPage]:
    """A comparison of two responses in the window."""
    driver = active(drive, folder)
    driver.window.show_page("compare")
    page = driver.window.comparison.page
    assert isinstance(page, ComparisonPage)
    driver.wait(lambda: page.desk.queue is not None)
    driver.settle()
    page.desk.open(page.desk.queue.rows[PAIR].item_id)
    driver.settle()
    driver.wait(lambda: page.stage.picture is not None and not page.stage.loader.busy)
    return driver, page


def focus() -> QWidget | None:
    return QApplication.focusWidget()


def test_reasons_of_comparisons(drive: Drive, tmp_path: Path) -> None:
    driver, page = compared(drive, comparisons.workspace(tmp_path))
    item, column = page.desk.view.row.item_id, page.panel.columns[0]
    for edit in (column.reason.edit, page.ranking.reason):
        write_in_breaths(driver, edit)
    page.take_focus()
    driver.settle()
    driver.control(Qt.Key.Key_Z)
    assert page.ranking.reason.text() == "first second "
    page.take_focus()
    driver.settle()
    held = page.desk.comparisons
    assert held is not None
    sheet = held.comparison(item).sheet
    assert sheet.value("item", "ranking_reason") == "first second "
    assert sheet.value(f"response:{column.place}", "note") == "first second third"


def test_an_example_is_written_and_left_by_keys(drive: Drive, tmp_path: Path) -> None:
    driver, page = compared(drive, comparisons.workspace(tmp_path))
    item = page.desk.view.row.item_id
    driver.press("123454")
    driver.press("0")
    driver.press("g")
    text = page.ranking.example.text
    assert focus() is text
    write_in_breaths(driver, text)
    driver.key(Qt.Key.Key_Escape)
    driver.settle()
    assert focus() is not text
    assert page.key_context == "comparison_ranking"
    driver.control(Qt.Key.Key_Return)
    assert page.desk.view.row.item_id != item
    held = page.desk.comparisons
    assert held is not None
    example = held.comparison(item).sheet.example
    assert example is not None
    assert example.text == "first second third"


def test_notes_of_questions(drive: Drive, tmp_path: Path) -> None:
    folder = questions.workspace(tmp_path, 3)
    driver = active(drive, folder)
    page = driver.window.stack.currentWidget()
    assert isinstance(page, ChoicePage)
    driver.wait(lambda: page.desk.view is not None)
    item = page.desk.view.row.item_id
    driver.press("c1")
    edit = page.column.verdict.note_edit
    write_in_breaths(driver, edit)
    driver.key(Qt.Key.Key_Escape)
    driver.control(Qt.Key.Key_Z)
    assert shown(edit) == "first second"
    driver.close()
    with Workspace.open(folder, read_only=True) as held:
        assert Questions(held).question(item).sheet.value("note") == "first second"


def test_what_is_missing_is_found_from_the_verdict_too(drive: Drive, workspace: Path) -> None:
    driver = active(drive, workspace)
    while driver.view.row.status != "new":
        driver.press("n")
    review = driver.window.review
    review.go_to(driver.view.sheet.gaps()[-1])
    assert focus() is review.verdict.buttons["keep"]
    driver.press("g")
    assert (review.turn, review.grid.current()) == (0, 0)
    assert focus() is review.grid
