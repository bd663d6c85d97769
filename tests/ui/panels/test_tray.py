"""The tray: goal and persona, own scores, notes, and edits of a revise verdict."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication

from annotator.domain.sheet import Cell
from annotator.ui import density, i18n
from annotator.ui.tray import TABS, Tray, told
from tests.helpers.invented import invented, scored_whole
from tests.ui.panels.helpers import Desk, collect, compose

DeskMaker = Callable[..., Desk]
REVISE = {("item", "verdict"): Cell("revise")}


@pytest.fixture
def tray(desk: DeskMaker) -> Tray:
    made = Tray()
    desk(made, width=740, height=300)
    made.show_review(invented("en", cells=dict(REVISE)), 3)
    return made


def test_goal_and_persona_are_plain_text_with_a_word_on_who_made_them(tray: Tray) -> None:
    shown = tray.goal.text()
    assert "Rent a bike" in shown and "an old knee injury" in shown
    assert "describes no real person" in shown
    assert "all 9 turns" not in shown


def test_any_shape_of_json_can_be_told() -> None:
    assert told({"a": {"b": [1, {"c": None}]}, "d": True}) == ["a:", "    b:", "        1", "        c: –", "d: true"]
    assert told(None) == [] and told("x") == ["x"] and told([["y"], "<b>z</b>"]) == ["y", "<b>z</b>"]


def test_session_shows_own_scores_with_means(tray: Tray) -> None:
    assert not tray.score_area.isVisible()
    tray.show_review(invented("en", cells=scored_whole(invented("en"))), None)
    assert tray.score_area.isVisible() and "all 9 turns" in tray.goal.text()
    assert tray.scores.values()[0] == (5, 4, 3, 2, 5, 4, 3, 2, 5)
    assert tray.scores.means()[0] == "3.7"


def test_cannot_judge_is_left_out_of_the_mean(tray: Tray) -> None:
    tray.show_review(invented("en", scored=0, half=False, cells={("turn:0", "accuracy"): Cell("cannot_judge"),
                                                                 ("turn:1", "accuracy"): Cell(4)}), None)  # fmt: skip
    assert tray.scores.means()[:2] == ("4.0", "–")


def test_column_of_own_scores_leads_to_its_turn(qtbot: Any, tray: Tray) -> None:
    tray.show_review(invented("en"), None)
    with qtbot.waitSignal(tray.turn_clicked) as heard:
        qtbot.mouseClick(tray.scores, Qt.MouseButton.LeftButton, pos=QPoint(118 + 26 * 4 + 10, 60))
    assert heard.args == [4]


def test_notes_are_said_when_left(qtbot: Any, tray: Tray) -> None:
    tray.show_tab("notes")
    said = collect(tray)
    tray.notes["item"].setFocus()
    qtbot.keyClicks(tray.notes["item"], "1 look")
    compose(tray.notes["item"], "hao")
    assert said == []
    compose(tray.notes["item"], "", "好")
    tray.notes["turn"].setFocus()
    assert said == [("item", "note", "1 look好")]
    qtbot.keyClicks(tray.notes["turn"], "t")
    qtbot.keyClick(tray.notes["turn"], Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert said[1:] == [("turn:3", "note", "t")]
    assert tray.tabs.tabText(TABS.index("notes")) == "Notes 2"


def test_another_turn_first_says_the_note_on_this_one(qtbot: Any, tray: Tray) -> None:
    tray.show_tab("notes")
    said = collect(tray)
    tray.notes["turn"].setFocus()
    qtbot.keyClicks(tray.notes["turn"], "t")
    tray.show_review(invented("en", cells=dict(REVISE)), 4)
    assert said == [("turn:3", "note", "t")] and tray.notes["turn"].toPlainText() == ""


def test_edit_is_proposed_beside_what_stands_there(qtbot: Any, tray: Tray) -> None:
    said = collect(tray)
    tray.show_edits()
    turn = invented("en").turns[3]
    assert tray.edits.old["question"].text() == turn.question
    field = tray.edits.new["question"]
    assert field.toPlainText() == turn.question and field.hasFocus()  # type: ignore[union-attr]
    qtbot.keyClick(field, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(field, " 3")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert said == [("turn:3", "edit:question", turn.question + " 3")]
    assert tray.edits.states["question"].text() == "changed" and tray.tabs.tabText(TABS.index("edits")) == "Edits 1"


def test_edits_walk_by_tab_through_all_four_fields(qtbot: Any, tray: Tray) -> None:
    said = collect(tray)
    tray.show_edits()
    seen = []
    for _ in range(4):
        focus = QApplication.focusWidget()
        assert focus is not None
        seen.append(focus.objectName())
        qtbot.keyClick(focus, Qt.Key.Key_Tab)
    assert seen == ["edit_question", "edit_reference", "edit_timestamp", "edit_category"] and said == []


def test_timestamp_and_category_are_said_as_text(qtbot: Any, tray: Tray) -> None:
    said = collect(tray)
    tray.show_edits()
    for name, text in (("timestamp", "00:36.0"), ("category", "Planning")):
        field = tray.edits.new[name]
        field.setFocus()
        field.selectAll()
        qtbot.keyClicks(field, text)
    tray.flush()
    assert said == [("turn:3", "edit:timestamp", "00:36.0"), ("turn:3", "edit:category", "Planning")]


def test_old_words_again_withdraw_the_proposal(qtbot: Any, tray: Tray) -> None:
    cells = REVISE | {("turn:3", "edit:category"): Cell("Planning")}
    tray.show_review(invented("en", cells=cells), 3)
    tray.show_edits()
    field = tray.edits.new["category"]
    assert field.text() == "Planning"  # type: ignore[union-attr]
    said = collect(tray)
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "Safety and health")
    tray.flush()
    assert said == [("turn:3", "edit:category", None)]


def test_session_has_no_edits(tray: Tray) -> None:
    tray.show_review(invented("en", cells=dict(REVISE)), None)
    tray.show_tab("edits")
    assert not any(field.isVisible() for field in tray.edits.new.values())
    assert "belong to a turn" in tray.edits.hint.text()


def test_small_windows_fold_it_to_its_tabs(qtbot: Any, tray: Tray) -> None:
    assert tray.is_open()
    density.update_for(QSize(1366, 768))
    assert not tray.is_open() and tray.height() <= 31
    with qtbot.waitSignal(tray.opened) as told_open:
        qtbot.keyClick(tray.window(), Qt.Key.Key_F8)
    assert told_open.args == [True] and tray.height() > 150


def test_language_switches_live(tray: Tray) -> None:
    i18n.set_language("zh_CN")
    assert tray.tabs.tabText(TABS.index("goal")) == "目标与人物" and "人物为合成设定" in tray.goal.text()


def test_read_only_takes_no_words(qtbot: Any, tray: Tray) -> None:
    tray.show_review(invented("en", read_only=True), 3)
    said = collect(tray)
    tray.show_tab("notes")
    qtbot.keyClicks(tray.notes["item"], "x")
    tray.flush()
    assert said == []
