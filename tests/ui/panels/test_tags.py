"""Error tags by keyboard alone, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt

from annotator.domain.rubric import load_rubric
from annotator.domain.sheet import Cell
from annotator.ui import i18n
from annotator.ui.grid import ScoreGrid
from annotator.ui.tags_popup import TAG_ROLE, TagPopup
from tests.helpers.invented import invented
from tests.ui.panels.helpers import Desk, collect, compose

DeskMaker = Callable[..., Desk]
T3 = "turn:3"


@pytest.fixture
def grid(desk: DeskMaker) -> ScoreGrid:
    made = ScoreGrid()
    desk(made)
    made.show_sheet(invented("en", half=False), T3)
    made.focus_grid()
    return made


def open_popup(qtbot: Any, grid: ScoreGrid) -> TagPopup:
    qtbot.keyClick(grid, "t")
    assert grid.popup is not None and grid.popup.is_open() and grid.popup.field.hasFocus()
    return grid.popup


def listed(popup: TagPopup) -> list[str]:
    tags = (popup.list.item(i).data(TAG_ROLE) for i in range(popup.list.count()))
    return [tag.id for tag in tags if tag is not None]


def test_turn_and_session_offer_their_own_tags(qtbot: Any, grid: ScoreGrid) -> None:
    rubric = load_rubric()
    popup = open_popup(qtbot, grid)
    assert listed(popup) == [t.id for t in rubric.tags_of("turn")]
    qtbot.keyClick(popup.field, Qt.Key.Key_Escape)
    grid.show_sheet(invented("en"), "session")
    popup = open_popup(qtbot, grid)
    assert listed(popup) == [t.id for t in rubric.tags_of("session")]


def test_ticked_tags_are_said_once_when_it_closes(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    popup = open_popup(qtbot, grid)
    qtbot.keyClick(popup.field, Qt.Key.Key_Down)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    qtbot.keyClick(popup.field, Qt.Key.Key_Up)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert said == []
    qtbot.keyClick(popup.field, Qt.Key.Key_Escape)
    assert said == [(T3, "tags:accuracy", ["幻觉与捏造", "对象与属性错误"])]
    assert not popup.isVisible() and grid.hasFocus()


@pytest.mark.parametrize("typed", ["invention", "捏造"])
def test_both_languages_filter(qtbot: Any, grid: ScoreGrid, typed: str) -> None:
    popup = open_popup(qtbot, grid)
    popup.field.setText(typed)
    assert listed(popup) == ["幻觉与捏造"]
    said = collect(grid)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert said == [(T3, "tags:accuracy", ["幻觉与捏造"])]


def test_digits_in_the_filter_do_not_score(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    popup = open_popup(qtbot, grid)
    qtbot.keyClicks(popup.field, "53kv")
    assert popup.field.text() == "53kv" and said == []
    compose(popup.field, "cuo4")
    assert said == []


def test_unticking_all_withdraws(qtbot: Any, grid: ScoreGrid) -> None:
    grid.show_sheet(invented("en", half=False, cells={(T3, "tags:accuracy"): Cell(["幻觉与捏造"])}), T3)
    said = collect(grid)
    popup = open_popup(qtbot, grid)
    assert popup.ticked() == ("幻觉与捏造",)
    qtbot.keyClick(popup.field, Qt.Key.Key_Space)
    qtbot.keyClick(popup.field, Qt.Key.Key_Escape)
    assert said == [(T3, "tags:accuracy", None)]


def test_nothing_changed_says_nothing(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    popup = open_popup(qtbot, grid)
    qtbot.keyClick(popup.field, Qt.Key.Key_Escape)
    assert said == []


def test_tags_outside_the_taxonomy_survive(qtbot: Any, grid: ScoreGrid) -> None:
    grid.show_sheet(invented("en", half=False, cells={(T3, "tags:accuracy"): Cell(["older tag"])}), T3)
    said = collect(grid)
    popup = open_popup(qtbot, grid)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    qtbot.keyClick(popup.field, Qt.Key.Key_Escape)
    assert said == [(T3, "tags:accuracy", ["幻觉与捏造", "older tag"])]


def test_leaving_for_another_turn_says_the_tags_about_the_old_one(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    popup = open_popup(qtbot, grid)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    grid.show_sheet(invented("en", half=False), "turn:4")
    assert said == [(T3, "tags:accuracy", ["幻觉与捏造"])] and not popup.isVisible()


def test_popup_lies_whole_inside_the_window(qtbot: Any, grid: ScoreGrid) -> None:
    for number in (0, 7):
        grid.set_current(number)
        popup = open_popup(qtbot, grid)
        assert grid.window().rect().contains(popup.geometry())
        qtbot.keyClick(popup.field, Qt.Key.Key_Escape)


def test_language_switches_while_it_is_open(qtbot: Any, grid: ScoreGrid) -> None:
    popup = open_popup(qtbot, grid)
    assert popup.list.item(0).text() == "Factual errors"
    i18n.set_language("zh_CN")
    assert popup.list.item(0).text() == "事实性错误"


def test_click_elsewhere_keeps_the_tags_and_the_clicked_field_keeps_the_keyboard(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    popup = open_popup(qtbot, grid)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    reason = grid.rows()[0].reason
    reason.setFocus(Qt.FocusReason.MouseFocusReason)
    assert said == [(T3, "tags:accuracy", ["幻觉与捏造"])] and not popup.isVisible() and reason.hasFocus()


def test_flush_says_ticked_tags(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    popup = open_popup(qtbot, grid)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    grid.flush()
    assert said == [(T3, "tags:accuracy", ["幻觉与捏造"])]


def test_another_dialogue_is_never_given_the_tags_of_this_one(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    popup = open_popup(qtbot, grid)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    grid.show_sheet(invented("en", half=False, item="dialogue:00000000000000aa"), T3)
    assert said == [] and not popup.isVisible()


def test_one_tag_is_taken_at_once(qtbot: Any, grid: ScoreGrid) -> None:
    popup = TagPopup(grid.window())
    chosen: list[list[str]] = []
    popup.chosen.connect(chosen.append)
    popup.open_for(grid, load_rubric().tags_of("turn"), single=True)
    qtbot.keyClick(popup.field, Qt.Key.Key_Down)
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert chosen == [["对象与属性错误"]] and not popup.isVisible()
