"""A whole dialogue is audited by keys alone: few presses, no pointer, everything on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.ui.i18n import tr
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver

Drive = Callable[..., Driver]
SCORES = "54321504"
NINE_TURNS = "sample-v1"
MOST_PRESSES = 95


def open_nine_turns(driver: Driver) -> None:
    """Go to a row of the nine-turn dialogue that nobody has begun, by keys that are not counted."""
    for _ in range(len(driver.window.desk.queue.rows)):  # type: ignore[union-attr]
        if driver.view.row.source_id == NINE_TURNS and driver.view.row.status == "new":
            driver.presses = 0
            return
        driver.press("n")
    raise AssertionError("the sample has no nine-turn dialogue to begin with")


def audit(driver: Driver) -> None:
    """Score every turn and the session, and give a verdict."""
    for turn in range(9):
        assert driver.window.review.turn == turn
        assert driver.window.review.grid.current() == 0
        driver.press(SCORES)
        driver.press("]")
    driver.press("4321")
    driver.press("k")


def test_nine_turns_take_few_presses_and_no_pointer(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    open_nine_turns(driver)
    key = driver.view.row.key
    audit(driver)
    assert driver.view.row.status == "complete"
    driver.control(Qt.Key.Key_Return)
    assert driver.presses <= MOST_PRESSES
    assert driver.view.row.key != key
    driver.close()
    expected = ["cannot_judge" if c == "0" else int(c) for c in SCORES]
    with Workspace.open(workspace, read_only=True) as held:
        sheet = held.review(*key).sheet
        for turn in range(9):
            assert [sheet.value(f"turn:{turn}", d) for d in TURN_DIMENSIONS] == expected
            assert set(sheet.value(f"turn:{turn}", "viewing")) == {"opened", "played", "seen_full"}
        assert [sheet.value("session", d) for d in SESSION_DIMENSIONS] == [4, 3, 2, 1]
        assert sheet.value("item", "verdict") == "keep"
        assert sheet.value("item", "complete") is True


def test_opening_shows_the_first_unfinished_turn_and_asks_nothing(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    open_nine_turns(driver)
    driver.press(SCORES)
    driver.press("]")
    driver.press("5")
    key = driver.view.row.key
    driver.close()
    again = drive(workspace)
    while again.view.row.key != key:
        again.press("n")
    assert again.window.review.turn == 1
    assert again.window.review.grid.current_dimension() == "completeness"
    assert QApplication.activeModalWidget() is None


def test_complete_with_gaps_goes_to_the_first_of_them(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    open_nine_turns(driver)
    driver.press("5")
    driver.press("]]]")
    driver.control(Qt.Key.Key_Return)
    assert driver.window.review.turn == 0
    assert driver.window.review.grid.current_dimension() == "completeness"
    assert driver.value("item", "complete") is None


def test_next_gap_walks_what_is_missing(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    open_nine_turns(driver)
    driver.press(SCORES)
    driver.press("g")
    assert driver.window.review.turn == 1
    driver.press("S")
    driver.press("1234")
    driver.press("g")
    assert driver.window.review.turn == 8 or driver.app.focusWidget().objectName() == "verdict_keep"


def test_digits_on_the_verdict_never_score(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    open_nine_turns(driver)
    driver.press("".join(f"{SCORES}]" for _ in range(9)))
    driver.press("4321")
    driver.press("g")
    assert driver.app.focusWidget().objectName() == "verdict_keep"
    for digit in "50":
        driver.press(digit)
        assert [driver.value("session", d) for d in SESSION_DIMENSIONS] == [4, 3, 2, 1]
        assert driver.message() == tr("messages.on_verdict")
    driver.press("\x1b")
    driver.press("5")
    assert driver.value("session", SESSION_DIMENSIONS[3]) == 5


def test_what_is_said_of_a_turn_goes_with_it(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    open_nine_turns(driver)
    driver.press("y")
    assert driver.message() == tr("messages.peeked")
    driver.press("y]")
    assert driver.message() == ""


def test_digits_in_a_reason_never_score(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    open_nine_turns(driver)
    driver.press("2")
    driver.key(Qt.Key.Key_Up)
    driver.press("\t")
    driver.press("5 of 5 signs, k v x n ]")
    assert driver.value("turn:0", "completeness") is None
    assert driver.window.review.turn == 0
    driver.press("\x1b")
    assert driver.value("turn:0", "reason:accuracy") == "5 of 5 signs, k v x n ]"
    driver.press("3")
    assert driver.value("turn:0", "accuracy") == 3


def test_nothing_of_later_turns_is_in_the_window(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    open_nine_turns(driver)
    driver.press("]]")
    shown = "\n".join(driver.texts())
    view = driver.view
    for turn in view.turns[3:]:
        answer = view.answers[turn.index]
        assert turn.question not in shown
        assert turn.reference not in shown
        assert answer is None or not answer.text or answer.text not in shown
    assert view.turns[2].question in shown
    driver.press("S")
    assert view.turns[8].question in "\n".join(driver.texts())


def test_tested_models_are_named_nowhere(drive: Drive, workspace: Path, sample_workspace: Path) -> None:
    driver = drive(workspace)
    names = {"northlight", "tideglass"}
    driver.window.flows.start_import([sample_workspace / "data"])
    driver.settle()
    assert driver.window.import_page.lines.tree.topLevelItemCount() > 0
    for page in ("import", "problems"):
        driver.window.show_page(page)
        driver.settle()
        assert [t for t in driver.texts() if any(n in t.casefold() for n in names)] == []
    driver.window.show_page("review")
    for _ in range(11):
        driver.press("n]")
        assert [t for t in driver.texts() if any(n in t.casefold() for n in names)] == []
