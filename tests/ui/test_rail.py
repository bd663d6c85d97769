"""The rail: every page and command has its place, in a low window with large text too."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from annotator.ui import density, fonts
from annotator.ui.rail import Rail


@pytest.fixture
def scale() -> Iterator[None]:
    before = density.text_scale()
    yield
    density.set_text_scale(before)


@pytest.mark.parametrize("percent", [90, 100, 150])
@pytest.mark.parametrize("height", [600, 729, 1400])
def test_no_button_covers_another(qtbot: QtBot, scale: None, percent: int, height: int) -> None:
    density.set_text_scale(percent)
    rail = Rail()
    qtbot.addWidget(rail)
    rail.resize(rail.width(), height)
    rail.show()
    boxes = [button.geometry() for button in rail.buttons.values()]
    assert len(boxes) == 11 and boxes[-1].bottom() < height
    assert all(above.bottom() < below.top() for above, below in itertools.pairwise(boxes))
    assert all(box.height() >= 18 + 3 + fonts.px(13) for box in boxes)  # icon and word
    rail.offer("choice", False)
    rail.resize(rail.width(), 1400)
    assert rail.buttons["export"].height() == density.metrics().rail_button


def test_a_command_is_told_and_no_page_is_marked(qtbot: QtBot) -> None:
    rail = Rail()
    qtbot.addWidget(rail)
    rail.set_current("review")
    with qtbot.waitSignal(rail.chosen) as told:
        rail.buttons["export"].click()
    assert told.args == ["export"]
    assert rail.buttons["review"].isChecked() and not rail.buttons["export"].isChecked()
