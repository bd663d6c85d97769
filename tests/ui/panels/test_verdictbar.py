"""The verdict bar: three verdicts, reasons, what is missing, and the way on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from annotator.domain.rubric import SESSION_DIMENSIONS
from annotator.domain.sheet import Cell
from annotator.ui import i18n
from annotator.ui.verdictbar import VerdictBar
from tests.helpers.invented import invented, scored_whole
from tests.ui.panels.helpers import Desk, collect

DeskMaker = Callable[..., Desk]


@pytest.fixture
def bar(desk: DeskMaker) -> VerdictBar:
    made = VerdictBar()
    desk(made, width=1312, height=60)
    made.show_sheet(invented("en"))
    return made


def whole() -> Any:
    cells = scored_whole(invented("en"))
    cells |= {("session", SESSION_DIMENSIONS[3]): Cell(4), ("item", "verdict"): Cell("keep")}
    return invented("en", cells=cells)


@pytest.mark.parametrize(("key", "verdict"), [("k", "keep"), ("v", "revise"), ("x", "reject")])
def test_keys_say_the_verdict_once(qtbot: Any, bar: VerdictBar, key: str, verdict: str) -> None:
    said = collect(bar)
    for _ in range(2):
        qtbot.keyClick(bar.window(), key)
    assert said == [("item", "verdict", verdict)]
    assert bar.verdict() == verdict
    assert [v for v, button in bar.buttons.items() if button.isChecked()] == [verdict]


def test_click_on_the_chosen_verdict_leaves_it_chosen(qtbot: Any, bar: VerdictBar) -> None:
    said = collect(bar)
    for _ in range(2):
        qtbot.mouseClick(bar.buttons["keep"], Qt.MouseButton.LeftButton)
    assert said == [("item", "verdict", "keep")] and bar.buttons["keep"].isChecked()


def test_reasons_come_with_revise_and_reject_only(qtbot: Any, bar: VerdictBar) -> None:
    assert not bar.fold.isVisible() and not any(chip.isVisible() for chip in bar.chips.values())
    qtbot.keyClick(bar.window(), "v")
    assert all(chip.isVisible() for chip in bar.chips.values())
    said = collect(bar)
    qtbot.mouseClick(bar.chips["rights"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(bar.chips["content"], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(bar.chips["rights"], Qt.MouseButton.LeftButton)
    assert [value for _, _, value in said] == [["rights"], ["content", "rights"], ["content"]]
    qtbot.keyClick(bar.window(), "k")
    assert not any(chip.isVisible() for chip in bar.chips.values())


def test_reasons_fold_into_a_menu_where_there_is_no_room(qtbot: Any, bar: VerdictBar) -> None:
    qtbot.keyClick(bar.window(), "v")
    bar.window().resize(900, 60)
    QApplication.processEvents()
    assert bar.fold.isVisible() and not any(chip.isVisible() for chip in bar.chips.values())
    said = collect(bar)
    action = next(a for a in bar.menu.actions() if a.data() == "policy")
    action.trigger()
    assert said == [("item", "verdict_reasons", ["policy"])] and bar.fold.text() == "Reasons 1: Policy"


def test_what_is_missing_is_counted(bar: VerdictBar) -> None:
    assert bar.missing.text() == "Left: 42 turn, 4 session, verdict"
    bar.show_sheet(invented("en", cells=scored_whole(invented("en"))))
    assert bar.missing.text() == "Left: 1 session, verdict"
    i18n.set_language("zh_CN")
    assert bar.missing.text() == "还缺 1 会话分和结论"


def test_complete_waits_for_everything_and_says_why(qtbot: Any, bar: VerdictBar) -> None:
    assert not bar.complete.isEnabled()
    with qtbot.waitSignal(bar.complete_refused) as refused, qtbot.assertNotEmitted(bar.complete_wanted):
        qtbot.keyClick(bar.window(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert refused.args == ["Left: 42 turn, 4 session, verdict"]
    bar.show_sheet(whole())
    assert bar.complete.isEnabled() and bar.missing.text() == "Nothing missing" and not bar.gap_key.isVisible()
    with qtbot.waitSignal(bar.complete_wanted):
        qtbot.keyClick(bar.window(), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_revising_is_told_when_it_begins_and_ends(qtbot: Any, bar: VerdictBar) -> None:
    told: list[bool] = []
    bar.revising.connect(told.append)
    for key in "kvx":
        qtbot.keyClick(bar.window(), key)
    assert told == [True, False]


def test_read_only_says_so_and_takes_nothing(qtbot: Any, bar: VerdictBar) -> None:
    bar.show_sheet(invented("en", read_only=True))
    said = collect(bar)
    qtbot.keyClick(bar.window(), "k")
    qtbot.mouseClick(bar.buttons["keep"], Qt.MouseButton.LeftButton)
    assert said == [] and "Read only" in bar.missing.text() and not bar.complete.isEnabled()


def test_another_dialogue_does_not_inherit_a_verdict(qtbot: Any, bar: VerdictBar) -> None:
    qtbot.keyClick(bar.window(), "x")
    bar.show_sheet(invented("en", item="dialogue:00000000000000aa"))
    assert bar.verdict() is None


def test_names_for_scripts(bar: VerdictBar) -> None:
    names = {bar.objectName(), *(button.objectName() for button in bar.buttons.values())}
    assert names == {"verdictBar", "verdict_keep", "verdict_revise", "verdict_reject"}


def test_verdict_on_an_older_text_is_missing_until_said_again(qtbot: Any, bar: VerdictBar) -> None:
    cells = scored_whole(invented("en")) | {("session", SESSION_DIMENSIONS[3]): Cell(4)}
    bar.show_sheet(invented("en", cells=cells | {("item", "verdict"): Cell("keep", stale=True)}))
    assert bar.missing.text() == "Left: the verdict" and not bar.complete.isEnabled()
    assert bar.reasons_label.isVisible() and bar.reasons_label.text().startswith("Older text")
    said = collect(bar)
    qtbot.keyClick(bar.window(), "k")
    assert said == [("item", "verdict", "keep")] and bar.complete.isEnabled()


def test_two_devices_that_differ_are_told(qtbot: Any, bar: VerdictBar) -> None:
    bar.show_sheet(invented("en", cells={("item", "verdict"): Cell(None, conflict=("keep", "reject"))}))
    assert bar.reasons_label.text() == "Two devices differ: Keep | Reject" and bar.reasons_label.isVisible()
    qtbot.keyClick(bar.window(), "x")
    assert bar.reasons_label.text() == "Reasons"
