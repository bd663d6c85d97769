from __future__ import annotations

from typing import get_args

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from annotator.ui import i18n, key_match, keys
from annotator.ui.widgets.keys_overlay import KeysOverlay

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
K = Qt.Key


class Desk:
    """A window with one of each control, and what its router heard."""

    def __init__(self, qtbot: QtBot) -> None:
        self.window = QWidget()
        qtbot.addWidget(self.window)
        column = QVBoxLayout(self.window)
        self.ground = QWidget()
        self.ground.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.line, self.text, self.spin, self.list = QLineEdit(), QPlainTextEdit(), QSpinBox(), QListWidget()
        self.button, self.combo = QPushButton("b"), QComboBox()
        self.list.addItems(["one", "two", "three"])
        for widget in (self.ground, self.line, self.text, self.spin, self.list, self.button, self.combo):
            column.addWidget(widget)
        self.router = keys.KeyRouter(self.window)
        self.router.set_context("dialogue")
        self.heard: list[object] = []
        self.router.triggered.connect(self.heard.append)
        self.router.held.connect(self.hear_hold)
        with qtbot.waitExposed(self.window):
            self.window.show()
        self.ground.setFocus()

    def hear_hold(self, action: str, down: bool) -> None:
        self.heard.append((action, down))

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE, on: QWidget | None = None) -> list[object]:
        self.heard.clear()
        QTest.keyClick(on or self.window, key, modifiers)
        return list(self.heard)


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


CONTRACT = [
    (K.Key_1, NONE, "score_1"), (K.Key_5, NONE, "score_5"), (K.Key_0, NONE, "cannot_judge"),
    (K.Key_Minus, NONE, "cannot_judge"), (K.Key_Up, NONE, "row_up"), (K.Key_Down, NONE, "row_down"),
    (K.Key_BracketLeft, NONE, "turn_prev"), (K.Key_BracketRight, NONE, "turn_next"), (K.Key_N, NONE, "item_next"),
    (K.Key_P, NONE, "item_prev"), (K.Key_G, NONE, "next_gap"), (K.Key_Tab, NONE, "reason"), (K.Key_T, NONE, "tags"),
    (K.Key_Escape, NONE, "grid"), (K.Key_S, NONE, "toggle_session"), (K.Key_K, NONE, "verdict_keep"),
    (K.Key_V, NONE, "verdict_revise"), (K.Key_X, NONE, "verdict_reject"), (K.Key_R, NONE, "reference"),
    (K.Key_L, NONE, "levels"), (K.Key_M, NONE, "model_frames"), (K.Key_Y, NONE, "peek"),
    (K.Key_Comma, NONE, "frame_back"), (K.Key_Period, NONE, "frame_forward"), (K.Key_Comma, SHIFT, "second_back"),
    (K.Key_Less, SHIFT, "second_back"), (K.Key_Greater, SHIFT, "second_forward"),
    (K.Key_Home, NONE, "segment_start"), (K.Key_End, NONE, "segment_end"), (K.Key_F, NONE, "fit"),
    (K.Key_0, CONTROL, "actual_size"), (K.Key_Plus, CONTROL, "zoom_in"), (K.Key_Plus, CONTROL | SHIFT, "zoom_in"),
    (K.Key_Equal, CONTROL, "zoom_in"), (K.Key_Minus, CONTROL, "zoom_out"), (K.Key_F9, NONE, "navigator"),
    (K.Key_F7, NONE, "toggle_queue"), (K.Key_F8, NONE, "toggle_tray"), (K.Key_B, NONE, "evidence"),
    (K.Key_Return, CONTROL, "complete_next"), (K.Key_Enter, CONTROL, "complete_next"), (K.Key_Z, CONTROL, "undo"),
    (K.Key_Z, CONTROL | SHIFT, "redo"), (K.Key_Question, NONE, "all_keys"), (K.Key_Question, SHIFT, "all_keys"),
    (K.Key_Slash, NONE, "search"), (K.Key_A, NONE, "agree"), (K.Key_Equal, NONE, "keep_mine"),
    (K.Key_A, SHIFT, "judge_next"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "modifiers", "action"), CONTRACT)
def test_every_key_of_the_contract(desk: Desk, key: Qt.Key, modifiers: Qt.KeyboardModifier, action: str) -> None:
    assert desk.press(key, modifiers) == [action]


@pytest.mark.parametrize(
    ("key", "modifiers"), [(K.Key_1, CONTROL), (K.Key_K, SHIFT), (K.Key_Q, NONE), (K.Key_6, NONE), (K.Key_7, NONE)]
)
def test_other_keys_mean_nothing_in_a_dialogue(desk: Desk, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    assert desk.press(key, modifiers) == []


@pytest.mark.parametrize(
    ("context", "key", "action"),
    [
        ("question", K.Key_B, "answer_b"), ("question", K.Key_0, "answer_cannot"), ("question", K.Key_K, None),
        ("question_open", K.Key_B, "box"), ("question_open", K.Key_7, "key_verdict_7"),
        ("question_open", K.Key_A, None), ("question_open", K.Key_Return, "next_question"),
        ("question_letter", K.Key_B, "letter_b"),
        ("question_letter", K.Key_0, "letter_none"), ("question_letter", K.Key_Return, "letter_confirm"),
        ("comparison", K.Key_4, "score_4"), ("comparison_ranking", K.Key_C, "pick_c"),
        ("comparison_ranking", K.Key_Left, "rank_left"), ("comparison_ranking", K.Key_Equal, "tie"),
        ("comparison_ranking", K.Key_1, "pairwise_1"), ("none", K.Key_1, None),
        ("none", K.Key_Question, "all_keys"),
    ],
)  # fmt: skip
def test_the_same_key_elsewhere(desk: Desk, context: keys.Context, key: Qt.Key, action: str | None) -> None:
    desk.router.set_context(context)
    assert desk.press(key) == ([action] if action else [])


def test_no_context_gives_one_key_two_meanings() -> None:
    for context in get_args(keys.Context):
        taken: dict[key_match.Combination, str] = {}
        for key in keys.KEYS:
            for sequence in key.sequences if context in key.contexts else ():
                place = key_match.parse(sequence)
                pair = {key.id, taken.get(place, key.id)}
                assert len(pair) == 1 or pair == {"play", "pan"}, (context, sequence, pair)
                taken[place] = key.id


def test_digits_typed_into_fields_never_score(desk: Desk) -> None:
    for field in (desk.line, desk.text, desk.spin):
        field.setFocus()
        for key in (K.Key_1, K.Key_5, K.Key_K, K.Key_Space, K.Key_Return, K.Key_Tab):
            assert desk.press(key, on=field) == []
            field.setFocus()
        assert field is desk.spin or "15" in (desk.line.text() if field is desk.line else desk.text.toPlainText())
        assert desk.press(K.Key_Return, CONTROL, on=field) == []
        assert desk.press(K.Key_Z, CONTROL, on=field) == []


def test_keys_sent_to_the_window_respect_the_field_that_has_the_focus(desk: Desk) -> None:
    desk.line.setFocus()
    assert desk.press(K.Key_3) == []


def test_escape_leads_out_of_a_field(desk: Desk) -> None:
    desk.line.setFocus()
    assert desk.press(K.Key_Escape, on=desk.line) == ["grid"]


def test_nothing_fires_while_an_input_method_composes(desk: Desk) -> None:
    desk.text.setFocus()
    QApplication.sendEvent(desk.text, QInputMethodEvent("zhun", []))
    assert desk.press(K.Key_1, on=desk.text) == []
    assert desk.press(K.Key_K, on=desk.text) == []


def test_nothing_fires_under_a_menu_or_in_another_window(desk: Desk, qtbot: QtBot) -> None:
    menu = QMenu(desk.window)
    menu.addAction("one")
    menu.popup(desk.window.mapToGlobal(QPoint(5, 5)))
    qtbot.waitUntil(menu.isVisible)
    assert desk.press(K.Key_1) == []
    menu.close()
    dialog = QDialog(desk.window)
    dialog.setModal(True)
    dialog.open()
    assert desk.press(K.Key_1) == []
    assert desk.press(K.Key_1, on=dialog) == []
    dialog.close()
    assert desk.press(K.Key_1) == ["score_1"]


def test_plain_controls_keep_the_keys_they_are_worked_with(desk: Desk, qtbot: QtBot) -> None:
    desk.button.setFocus()
    with qtbot.waitSignal(desk.button.clicked):
        assert desk.press(K.Key_Space, on=desk.button) == []
    assert desk.press(K.Key_1, on=desk.button) == ["score_1"]
    desk.list.setFocus()
    desk.list.setCurrentRow(0)
    assert desk.press(K.Key_Down, on=desk.list) == []
    assert desk.list.currentRow() == 1
    assert desk.press(K.Key_T, on=desk.list) == ["tags"]
    assert desk.list.currentRow() == 1
    assert desk.press(K.Key_Return, CONTROL, on=desk.list) == ["complete_next"]


def test_a_view_can_hand_its_keys_to_the_router(desk: Desk) -> None:
    desk.list.setProperty("routesKeys", True)
    desk.list.setFocus()
    assert desk.press(K.Key_Down, on=desk.list) == ["row_down"]


def test_a_widget_can_keep_keys_of_its_own(desk: Desk) -> None:
    desk.ground.setProperty("keepsKeys", [K.Key_Home.value])
    assert desk.press(K.Key_Home, on=desk.ground) == []
    assert desk.press(K.Key_End, on=desk.ground) == ["segment_end"]


def test_space_taps_play_and_holds_pan(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk.press(K.Key_Space) == [("pan", True), ("pan", False), "play"]
    desk.heard.clear()
    QTest.keyPress(desk.window, K.Key_Space)
    QTest.mousePress(desk.ground, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(desk.ground, Qt.MouseButton.LeftButton)
    QTest.keyRelease(desk.window, K.Key_Space)
    assert desk.heard == [("pan", True), ("pan", False)]
    monkeypatch.setattr(keys, "TAP_MS", -1)
    assert desk.press(K.Key_Space) == [("pan", True), ("pan", False)]


def test_z_is_held_and_let_go_when_the_window_loses_the_keyboard(desk: Desk) -> None:
    QTest.keyPress(desk.window, K.Key_Z)
    assert desk.heard == [("loupe", True)]
    QApplication.sendEvent(desk.window, QEvent(QEvent.Type.WindowDeactivate))
    assert desk.heard == [("loupe", True), ("loupe", False)]
    QTest.keyRelease(desk.window, K.Key_Z)
    assert desk.heard == [("loupe", True), ("loupe", False)]


def test_only_the_window_and_what_has_the_keyboard_are_listened_to(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each event that Python is asked about waits for the interpreter, and a paint pass has hundreds."""
    asked: list[QObject] = []
    inner = keys.KeyRouter.eventFilter

    def noted(self: keys.KeyRouter, watched: QObject, event: QEvent) -> bool:
        asked.append(watched)
        return inner(self, watched, event)

    monkeypatch.setattr(keys.KeyRouter, "eventFilter", noted)
    for has_keyboard in (desk.ground, desk.button, desk.list):
        has_keyboard.setFocus()
        assert desk.press(K.Key_T, on=has_keyboard) == ["tags"]
        asked.clear()
        for widget in (desk.ground, desk.line, desk.text, desk.spin, desk.list, desk.button, desk.combo):
            widget.repaint()
            QApplication.sendEvent(widget, QEvent(QEvent.Type.User))
        assert set(asked) <= {has_keyboard, desk.window}


def test_a_key_let_go_in_another_window_is_let_go(desk: Desk, qtbot: QtBot) -> None:
    other = QWidget()
    qtbot.addWidget(other)
    QTest.keyPress(desk.window, K.Key_Z)
    QTest.keyRelease(other, K.Key_Z)
    assert desk.heard == [("loupe", True), ("loupe", False)]


def repeated(key: Qt.Key) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, NONE, "", True, 1)


def test_a_held_digit_scores_once_and_a_held_arrow_walks(desk: Desk) -> None:
    desk.press(K.Key_3)
    QApplication.sendEvent(desk.window, repeated(K.Key_3))
    assert desk.heard == ["score_3"]
    QApplication.sendEvent(desk.window, repeated(K.Key_Down))
    assert desk.heard == ["score_3", "row_down"]


def native(key: int, scan: int, text: str, virtual: int = 0, modifiers: Qt.KeyboardModifier = NONE) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, scan, virtual, 0, text)


@pytest.mark.parametrize(
    ("event", "action"),
    [
        (native(K.Key_unknown, 45, "л"), "verdict_keep"),  # Cyrillic layout: the key at the place of K
        (native(K.Key_Ampersand, 10, "&"), "score_1"),  # AZERTY: digits without Shift
        (native(K.Key_unknown, 34, "【"), "turn_prev"),  # Chinese punctuation
        (native(0, 0, "【"), "turn_prev"),  # the same from an input method that hides the place
        (native(0, 0, "３"), "score_3"),  # full-width digit
        (native(0, 0, "。"), "frame_forward"),
        (native(0, 0, "？", modifiers=SHIFT), "all_keys"),
        (native(K.Key_W, 59, "w"), None),  # Dvorak has W at the comma: a Latin letter means itself
    ],
)
def test_the_physical_key_counts_where_a_layout_or_input_method_hides_it(
    desk: Desk, event: QKeyEvent, action: str | None
) -> None:
    QApplication.sendEvent(desk.window, event)
    assert desk.heard == ([action] if action else [])


def test_places_on_the_three_platforms() -> None:
    assert key_match.place_of(native(0, 10, ""), "xcb") == "1"
    assert key_match.place_of(native(0, 45, ""), "wayland") == "K"
    assert key_match.place_of(native(0, 37, ""), "windows") == "K"
    assert key_match.place_of(native(0, 1, "", 40), "cocoa") == "K"
    assert key_match.place_of(native(0, 0, ""), "xcb") is None


def test_one_key_can_be_bound_to_complete_and_next(desk: Desk) -> None:
    assert desk.press(K.Key_F4) == []
    keys.set_complete_key("F4")
    assert desk.press(K.Key_F4) == ["complete_next"]
    assert keys.caps("complete_next") == ("Ctrl+Enter", "F4")
    keys.set_complete_key(None)
    assert desk.press(K.Key_F4) == []
    with pytest.raises(ValueError, match="taken"):
        keys.set_complete_key("K")


def test_keycaps_and_descriptions() -> None:
    assert keys.label("peek") == "Y"
    assert keys.label("row_up") == "↑"
    assert keys.label("complete_next") == "Ctrl+Enter"
    assert keys.description("undo") == "Undo"
    i18n.set_language("zh_CN")
    assert keys.description("undo") == "撤销"


def test_every_key_is_described_and_every_description_is_a_key() -> None:
    words = i18n.table("keys")
    for key in keys.KEYS:
        assert key.id in words
    extra = {"title", "note", "close"} | {f"group_{group}" for group in keys.GROUPS}
    runs = {name for name in words if name.startswith("run_")}
    assert set(words) == {key.id for key in keys.KEYS} | extra | runs


def test_the_overview_shows_every_key_in_both_languages(qtbot: QtBot) -> None:
    page = KeysOverlay()
    qtbot.addWidget(page)
    shown = {key for key, _first, _second in page._lines}
    expected = {key.id for key in keys.KEYS} - {f"{run}_{n}" for run in ("answer", "letter", "pick") for n in "abcde"}
    expected -= {f"{run}_{n}" for run in ("score", "response_flag") for n in range(1, 6)}
    assert {f"keys.{name}" for name in expected} <= shown
    texts = {(first.text(), second.text()) for _key, first, second in page._lines}
    assert ("Undo", "撤销") in texts
    i18n.set_language("zh_CN")
    assert ("撤销", "Undo") in {(first.text(), second.text()) for _key, first, second in page._lines}
    assert page.windowTitle() == "全部快捷键"
