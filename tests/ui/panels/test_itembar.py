"""The item bar: which dialogue, whose answers, which level, and undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QWidget

from annotator.ui import density, i18n
from annotator.ui.itembar import ItemBar, responder_text
from tests.helpers.invented import RESPONDER, invented, scored_whole
from tests.ui.panels.helpers import Desk

DeskMaker = Callable[..., Desk]


@pytest.fixture
def bar(desk: DeskMaker) -> ItemBar:
    made = ItemBar()
    desk(made, width=1312, height=50)
    made.show_review(invented("en"), 3)
    return made


def test_says_which_dialogue(bar: ItemBar) -> None:
    assert bar.source.text() == "V-0417" and bar.title.text() == "Renting a bike at the lake"
    assert bar.kind.text() == "Streaming video · 9 turns" and bar.scenario.text() == "Outdoor public space"
    i18n.set_language("zh_CN")
    assert bar.kind.text() == "流式视频 · 9 轮" and bar.scenario.text() == "户外公共空间"


def test_progress_stands_in_the_switch(bar: ItemBar) -> None:
    assert bar.mode.part("turns").part.text == "Turns 4/9"
    assert bar.mode.part("session").part.text == "Session 0/4"
    bar.show_review(invented("en", cells=scored_whole(invented("en"))), None)
    assert bar.mode.part("turns").part.text == "Turns 9/9" and bar.mode.part("turns").part.icon == "check"
    assert bar.mode.part("session").part.text == "Session 3/4" and bar.mode.current() == "session"


def test_switch_and_key_ask_for_the_other_level(qtbot: Any, bar: ItemBar) -> None:
    with qtbot.waitSignal(bar.mode_chosen) as heard:
        qtbot.keyClick(bar.window(), "s")
    assert heard.args == ["session"]
    with qtbot.waitSignal(bar.mode_chosen) as heard:
        qtbot.mouseClick(bar.mode.part("session"), Qt.MouseButton.LeftButton)
    assert heard.args == ["session"] and bar.mode.current() == "turns", "it shows what is so, not what is asked for"


def test_names_of_tested_models_are_nowhere(bar: ItemBar) -> None:
    words: list[str] = []
    for widget in [bar, *bar.findChildren(QWidget)]:
        words += [widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.objectName()]
    words += [bar.responder.itemText(i) for i in range(bar.responder.count())]
    assert "Model B · name hidden" in words
    assert not any("acme" in word or "model-b" in word for word in words)


def test_responders_in_words() -> None:
    assert responder_text("reference", "") == "Reference"
    assert responder_text(RESPONDER, "model-b") == "model-b"
    assert responder_text(RESPONDER, "model-b (streaming)") == "model-b (streaming)"
    assert responder_text(RESPONDER, "A2") == "Model A2 · name hidden"
    assert responder_text("lab::O1::streaming", "O1") == "O1", "a name that looks like an alias is still a name"


def test_choosing_a_responder_asks_and_waits(qtbot: Any, bar: ItemBar) -> None:
    with qtbot.waitSignal(bar.responder_chosen) as heard:
        bar.responder.setCurrentIndex(0)
        bar.responder.activated.emit(0)
    assert heard.args == ["acme::model-a::streaming"] and bar.responder.currentData() == RESPONDER


def test_undo_and_redo_follow_what_there_is(qtbot: Any, bar: ItemBar) -> None:
    with qtbot.assertNotEmitted(bar.undo_wanted):
        qtbot.keyClick(bar.window(), "z", Qt.KeyboardModifier.ControlModifier)
    bar.set_undo(can_undo=True, can_redo=True, undo_what="accuracy 3")
    assert "accuracy 3" in bar.undo.toolTip()
    with qtbot.waitSignal(bar.undo_wanted):
        qtbot.keyClick(bar.window(), "z", Qt.KeyboardModifier.ControlModifier)
    with qtbot.waitSignal(bar.redo_wanted):
        qtbot.keyClick(bar.window(), "z", Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)


def test_narrow_windows_drop_the_chips(bar: ItemBar) -> None:
    density.update_for(QSize(1200, 768))
    QApplication.processEvents()
    assert not bar.kind.isVisible() and not bar.scenario.isVisible()
    assert bar.mode.isVisible() and bar.responder.isVisible()
