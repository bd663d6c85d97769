"""The score grid, worked by keys: scores, reasons, states, and what must never fire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.domain.sheet import Cell
from annotator.ui import i18n, reason
from annotator.ui.grid import ScoreGrid
from tests.helpers.invented import invented
from tests.ui.panels.helpers import QUIET_MS, Desk, collect, compose

DeskMaker = Callable[..., Desk]
T3 = "turn:3"
REAL_QUIET_MS = reason.QUIET_MS


@pytest.fixture
def grid(desk: DeskMaker) -> ScoreGrid:
    """Turn 4 with nothing said about it, the keyboard in the grid."""
    made = ScoreGrid()
    desk(made)
    made.show_sheet(invented("en", half=False), T3)
    made.focus_grid()
    return made


def row(grid: ScoreGrid, dimension: str) -> Any:
    return next(r for r in grid.rows() if r.dimension.id == dimension)


def test_eight_rows_for_a_turn_and_four_for_the_session(grid: ScoreGrid) -> None:
    assert [r.dimension.id for r in grid.rows()] == list(TURN_DIMENSIONS)
    grid.show_sheet(invented("en"), "session")
    assert [r.dimension.id for r in grid.rows()] == list(SESSION_DIMENSIONS)
    assert all(r.isVisible() for r in grid.rows())
    assert sum(strip.isVisible() for strip in grid.findChildren(type(grid.rows()[0].strip))) == 4


def test_values_of_the_sheet_are_shown(grid: ScoreGrid) -> None:
    grid.show_sheet(invented("en"), T3)
    assert [r.strip.value() for r in grid.rows()] == [3, 4, 5, 4, 5, 5, None, None]
    assert row(grid, "accuracy").state.tag_names == ("Hallucination or invention", "Wrong object or attribute")
    assert row(grid, "completeness").remark() == ("Does not say to ask the staff", "text2")
    assert grid.head.count.text() == "6 / 8"


def test_a_turn_opens_at_its_first_missing_row(grid: ScoreGrid) -> None:
    grid.show_sheet(invented("en"), "turn:2")
    grid.show_sheet(invented("en"), T3)
    assert grid.current_dimension() == "intent_understanding_depth"


def test_digits_score_and_step_and_stay_at_the_last_row(qtbot: Any, grid: ScoreGrid) -> None:
    said, done = collect(grid), []
    grid.turn_done.connect(done.append)
    for number, digit in enumerate("12345015"):
        assert grid.current() == number
        qtbot.keyClick(grid, digit)
    values = [1, 2, 3, 4, 5, "cannot_judge", 1, 5]
    assert said == [(T3, d, v) for d, v in zip(TURN_DIMENSIONS, values, strict=True)]
    assert grid.current() == 7 and done == [T3]
    qtbot.keyClick(grid, "4")
    assert said[-1] == (T3, TURN_DIMENSIONS[7], 4) and grid.current() == 7 and done == [T3]


def test_dash_is_cannot_judge(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    qtbot.keyClick(grid, "-")
    assert said == [(T3, "accuracy", "cannot_judge")]


def test_the_same_score_again_steps_without_an_event(qtbot: Any, grid: ScoreGrid) -> None:
    grid.show_sheet(invented("en"), T3)
    grid.set_current(0)
    said = collect(grid)
    qtbot.keyClick(grid, "3")
    assert said == [] and grid.current() == 1


def test_arrows_walk_the_rows_and_stop_at_the_ends(qtbot: Any, grid: ScoreGrid) -> None:
    qtbot.keyClick(grid, Qt.Key.Key_Up)
    assert grid.current() == 0
    for _ in range(12):
        qtbot.keyClick(grid, Qt.Key.Key_Down)
    assert grid.current() == 7
    assert [r.active for r in grid.rows()] == [False] * 7 + [True]


def test_score_is_painted_at_once_as_pending_and_solid_when_saved(qtbot: Any, grid: ScoreGrid) -> None:
    qtbot.keyClick(grid, "4")
    strip = row(grid, "accuracy").strip
    assert strip.value() == 4 and strip.pending
    grid.mark_saved(T3, "accuracy")
    assert strip.value() == 4 and not strip.pending


def test_a_sheet_that_holds_the_value_already_does_not_call_it_saved(qtbot: Any, grid: ScoreGrid) -> None:
    """The window's own sheet runs ahead of the disk: solid is what `mark_saved` makes."""
    qtbot.keyClick(grid, "4")
    holding = invented("en", half=False, cells={(T3, "accuracy"): Cell(4)})
    grid.show_sheet(holding, T3)
    strip = row(grid, "accuracy").strip
    assert strip.value() == 4 and strip.pending
    grid.mark_saved(T3, "accuracy")
    assert strip.value() == 4 and not strip.pending
    grid.show_sheet(invented("en", half=False, cells={(T3, "accuracy"): Cell(2)}), T3)
    assert strip.value() == 2 and not strip.pending


def test_a_sheet_from_before_does_not_take_a_pending_score_back(qtbot: Any, grid: ScoreGrid) -> None:
    qtbot.keyClick(grid, "4")
    grid.show_sheet(invented("en", half=False), T3)
    assert row(grid, "accuracy").strip.value() == 4


def test_failed_save_keeps_the_value_and_says_so(qtbot: Any, grid: ScoreGrid) -> None:
    qtbot.keyClick(grid, "4")
    grid.mark_failed(T3, "accuracy")
    failed = row(grid, "accuracy")
    assert failed.strip.value() == 4 and failed.strip.not_saved and failed.icon() == ("refresh-cw", "error")
    grid.show_sheet(invented("en", half=False), T3)
    assert failed.strip.value() == 4 and failed.strip.not_saved
    grid.mark_saved(T3, "accuracy")
    assert not failed.strip.not_saved


def test_undone_value_of_the_sheet_wins_after_the_save(qtbot: Any, grid: ScoreGrid) -> None:
    qtbot.keyClick(grid, "4")
    grid.mark_saved(T3, "accuracy")
    grid.show_sheet(invented("en", half=False), T3)
    assert row(grid, "accuracy").strip.value() is None


def test_delete_withdraws(qtbot: Any, grid: ScoreGrid) -> None:
    grid.show_sheet(invented("en"), T3)
    grid.set_current(0)
    said = collect(grid)
    qtbot.keyClick(grid, Qt.Key.Key_Delete)
    assert said == [(T3, "accuracy", None)] and row(grid, "accuracy").strip.value() is None


def test_click_on_a_cell_scores_that_row(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    cell = grid.findChild(object, "score_relevance_2")
    qtbot.mouseClick(cell, Qt.MouseButton.LeftButton)
    assert said == [(T3, "relevance", 2)] and grid.current_dimension() == "relevance"


# -- reasons ----------------------------------------------------------------------------------------------------------


def test_tab_leads_to_the_reason_and_esc_back(qtbot: Any, grid: ScoreGrid) -> None:
    qtbot.keyClick(grid, Qt.Key.Key_Tab)
    field = row(grid, "accuracy").reason
    assert field.hasFocus() and field.objectName() == "reason_accuracy"
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert grid.hasFocus()


def test_digits_and_letters_in_the_reason_never_score(qtbot: Any, grid: ScoreGrid) -> None:
    said, desk = collect(grid), grid.window()
    qtbot.keyClick(grid, Qt.Key.Key_Tab)
    before = list(desk.actions)
    qtbot.keyClicks(row(grid, "accuracy").reason, "3 of 5 KVX []0-")
    assert said == [] and desk.actions == before and grid.current() == 0
    qtbot.keyClick(row(grid, "accuracy").reason, Qt.Key.Key_Escape)
    assert said == [(T3, "reason:accuracy", "3 of 5 KVX []0-")]


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier])
def test_enter_says_the_reason_once_and_gives_the_keyboard_back(
    qtbot: Any, grid: ScoreGrid, modifier: Qt.KeyboardModifier
) -> None:
    said = collect(grid)
    grid.focus_reason()
    field = row(grid, "accuracy").reason
    qtbot.keyClicks(field, "why")
    qtbot.keyClick(field, Qt.Key.Key_Return, modifier)
    qtbot.wait(QUIET_MS + 100)
    assert said == [(T3, "reason:accuracy", "why")] and grid.hasFocus()


def test_a_second_after_the_last_key_is_one_event(qtbot: Any, grid: ScoreGrid) -> None:
    said, drafts = collect(grid), []

    def drafted(*what: str) -> None:
        drafts.append(what)

    grid.draft.connect(drafted)
    grid.focus_reason()
    qtbot.keyClicks(row(grid, "accuracy").reason, "abc")
    assert said == []
    assert drafts == [(T3, "reason:accuracy", text) for text in ("a", "ab", "abc")]
    qtbot.waitUntil(lambda: bool(said), timeout=QUIET_MS * 3)
    assert said == [(T3, "reason:accuracy", "abc")]
    assert row(grid, "accuracy").reason.hasFocus()


def test_quiet_time_is_one_second() -> None:
    assert REAL_QUIET_MS == 1000


def test_emptied_reason_is_withdrawn(qtbot: Any, grid: ScoreGrid) -> None:
    grid.show_sheet(invented("en"), T3)
    grid.go_to("completeness")
    said = collect(grid)
    grid.focus_reason()
    row(grid, "completeness").reason.selectAll()
    qtbot.keyClick(row(grid, "completeness").reason, Qt.Key.Key_Backspace)
    grid.focus_grid()
    assert said == [(T3, "reason:completeness", None)]


def test_a_refresh_does_not_replace_what_is_being_typed(qtbot: Any, grid: ScoreGrid) -> None:
    grid.focus_reason()
    field = row(grid, "accuracy").reason
    qtbot.keyClicks(field, "half a th")
    grid.show_sheet(invented("en", half=False, cells={(T3, "relevance"): Cell(4)}), T3)
    assert field.text() == "half a th" and field.hasFocus()


def test_another_turn_first_says_what_is_typed_about_this_one(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    grid.focus_reason()
    qtbot.keyClicks(row(grid, "accuracy").reason, "here")
    grid.show_sheet(invented("en", half=False), "turn:4")
    assert said == [(T3, "reason:accuracy", "here")]
    assert row(grid, "accuracy").reason.text() == ""


def test_another_dialogue_is_never_given_the_words_of_this_one(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    grid.focus_reason()
    qtbot.keyClicks(row(grid, "accuracy").reason, "here")
    grid.show_sheet(invented("en", half=False, item="dialogue:00000000000000aa"), T3)
    qtbot.wait(QUIET_MS + 100)
    assert said == [] and row(grid, "accuracy").reason.text() == ""


def test_flush_says_it_before(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    grid.focus_reason()
    qtbot.keyClicks(row(grid, "accuracy").reason, "here")
    grid.flush()
    assert said == [(T3, "reason:accuracy", "here")]


def test_draft_comes_back_and_is_said_when_left(qtbot: Any, grid: ScoreGrid) -> None:
    view = invented("en", half=False, drafts={(T3, "reason:accuracy"): "not fin"}, item="dialogue:00000000000000ab")
    grid.show_sheet(view, T3)
    field = row(grid, "accuracy").reason
    assert field.text() == "not fin"
    said = collect(grid)
    grid.focus_reason()
    qtbot.keyClick(field, Qt.Key.Key_End)
    qtbot.keyClicks(field, "ished")
    grid.focus_grid()
    assert said == [(T3, "reason:accuracy", "not finished")]


def test_reason_is_asked_for_at_three_and_below_and_never_forced(qtbot: Any, grid: ScoreGrid) -> None:
    for digit in "34":
        qtbot.keyClick(grid, digit)
    assert grid.current() == 2, "no reason was demanded"
    assert row(grid, "accuracy").remark()[0] == "Please say why"
    assert row(grid, "completeness").remark()[0] == ""


# -- input methods ----------------------------------------------------------------------------------------------------


def test_while_an_input_method_composes_nothing_fires(qtbot: Any, grid: ScoreGrid) -> None:
    said, drafts = collect(grid), []
    grid.draft.connect(lambda *what: drafts.append(what))
    grid.focus_reason()
    field = row(grid, "accuracy").reason
    compose(field, "ni3")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.wait(QUIET_MS + 200)
    assert said == [] and drafts == [] and field.hasFocus() and grid.current() == 0
    compose(field, "", "你")
    assert field.text() == "你"
    qtbot.waitUntil(lambda: bool(said), timeout=QUIET_MS * 3)
    assert said == [(T3, "reason:accuracy", "你")]


def test_words_before_a_composed_one_wait_for_it(qtbot: Any, grid: ScoreGrid) -> None:
    said = collect(grid)
    grid.focus_reason()
    field = row(grid, "accuracy").reason
    qtbot.keyClicks(field, "a")
    compose(field, "hao")
    qtbot.wait(QUIET_MS + 200)
    assert said == []
    compose(field, "", "好")
    grid.focus_grid()
    assert said == [(T3, "reason:accuracy", "a好")]


# -- states -----------------------------------------------------------------------------------------------------------


def test_older_text_is_marked_and_reaffirmed_with_one_key(qtbot: Any, grid: ScoreGrid) -> None:
    cells = {(T3, "accuracy"): Cell(3, stale=True), (T3, "reason:accuracy"): Cell("r", stale=True)}
    grid.show_sheet(invented("en", half=False, cells=cells), T3)
    assert row(grid, "accuracy").icon() == ("history", "warn")
    assert row(grid, "accuracy").remark() == ("Scored on an older text: Enter keeps it", "warn")
    assert not grid.grab().isNull()
    assert grid.head.reaffirm.isVisible() and grid.head.count.text() == "0 / 8"
    said = collect(grid)
    qtbot.keyClick(grid, Qt.Key.Key_Return)
    assert said == [(T3, "accuracy", 3), (T3, "reason:accuracy", "r")]
    assert not grid.head.reaffirm.isVisible() and grid.head.count.text() == "1 / 8"


def test_conflict_shows_both_values_and_a_score_settles_it(qtbot: Any, grid: ScoreGrid) -> None:
    grid.show_sheet(invented("en", half=False, cells={(T3, "accuracy"): Cell(None, conflict=(2, 4))}), T3)
    conflicted = row(grid, "accuracy")
    assert conflicted.strip.conflict and "2 | 4" in conflicted.remark()[0]
    said = collect(grid)
    qtbot.keyClick(grid, "4")
    assert said == [(T3, "accuracy", 4)] and not conflicted.strip.conflict


def test_read_only_takes_nothing(qtbot: Any, grid: ScoreGrid) -> None:
    grid.show_sheet(invented("en", half=False, read_only=True), T3)
    said = collect(grid)
    for key in "1", "0", "t":
        qtbot.keyClick(grid, key)
    qtbot.mouseClick(grid.findChild(object, "score_accuracy_2"), Qt.MouseButton.LeftButton)
    assert said == [] and row(grid, "accuracy").reason.isReadOnly() and grid.popup is None


def test_levels_come_in_full_with_their_key(qtbot: Any, grid: ScoreGrid) -> None:
    first = row(grid, "accuracy")
    assert first.levels.isVisible() and len(set(first.levels.short_texts())) == 5
    height = grid.height()
    qtbot.keyClick(grid, "l")
    QApplication.processEvents()
    assert grid.height() > height and grid.head.levels.isChecked()
    assert first.levels.height() >= first.levels.height_at(first.levels.width())
    qtbot.keyClick(grid, "l")
    assert grid.height() == height


def test_grid_keeps_its_height_whichever_row_is_open(grid: ScoreGrid) -> None:
    heights = set()
    for number in range(8):
        grid.set_current(number)
        QApplication.processEvents()
        heights.add(grid.height())
        assert sum(r.height() for r in grid.rows()) + grid.head.height() == grid.height()
    assert len(heights) == 1


def test_language_switches_live(grid: ScoreGrid) -> None:
    grid.show_sheet(invented("en"), T3)
    i18n.set_language("zh_CN")
    assert row(grid, "accuracy").name_texts() == ("准确性", "Accuracy")
    assert row(grid, "accuracy").state.tag_names[0] == "幻觉与捏造"
    assert grid.head.title.text() == "第 4 轮"
    assert row(grid, "accuracy").reason.placeholderText() == "理由（≤ 3 分时请写）"


def test_every_interactive_widget_has_a_name(grid: ScoreGrid) -> None:
    for r in grid.rows():
        assert r.strip.accessibleName() and r.reason.accessibleName() and r.tags.accessibleName()
    assert grid.accessibleName() and grid.head.levels.accessibleName()


def test_a_score_said_twice_is_solid_when_both_are_saved(qtbot: Any, grid: ScoreGrid) -> None:
    qtbot.keyClick(grid, "3")
    grid.set_current(0)
    qtbot.keyClick(grid, "4")
    strip = row(grid, "accuracy").strip
    grid.mark_saved(T3, "accuracy")
    assert strip.value() == 4 and strip.pending
    grid.mark_saved(T3, "accuracy")
    assert strip.value() == 4 and not strip.pending
