"""Nothing is cut at 1366 x 768: every word of the panels has the room it needs, in both languages and themes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QAbstractButton, QApplication, QTabBar, QWidget

from annotator.domain.sheet import Cell
from annotator.ui import density, fonts, i18n
from annotator.ui.grid import ScoreGrid
from annotator.ui.itembar import ItemBar
from annotator.ui.transcript import TranscriptView
from annotator.ui.tray import Tray
from annotator.ui.verdictbar import VerdictBar
from annotator.ui.widgets import ElidedLabel, paint
from tests.helpers.invented import invented
from tests.ui.panels.helpers import Desk

DeskMaker = Callable[..., Desk]
LANGUAGES: tuple[Any, ...] = ("en", "zh_CN")
SIZES = ((1366, 768), (1600, 1000), (2560, 1440))


def cut(panel: QWidget) -> list[str]:
    """What of a panel's visible words is wider than its place, or lies outside the panel."""
    found = []
    for widget in panel.findChildren(QWidget):
        if not widget.isVisible():
            continue
        narrow = isinstance(widget, ElidedLabel | QAbstractButton) and widget.width() < widget.sizeHint().width()
        corner = widget.mapTo(panel, widget.rect().bottomRight())
        if narrow or not panel.rect().contains(corner):
            found.append(f"{type(widget).__name__} {widget.objectName()} {widget.accessibleName()}")
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_score_rows_are_whole(desk: DeskMaker, language: Any, size: tuple[int, int]) -> None:
    i18n.set_language(language)
    density.update_for(QSize(*size))
    grid, transcript = ScoreGrid(), TranscriptView()
    width = density.metrics().right_width
    window = desk(transcript, width=width, height=size[1] - 26 - 36 - 46)
    window.layout().addWidget(grid)
    for target in ("turn:3", "session"):
        grid.show_sheet(invented(language), target)
        transcript.show_review(invented(language))
        for number in range(len(grid.rows())):
            grid.set_current(number)
            QApplication.processEvents()
            assert cut(grid) == []
            assert window.rect().contains(grid.geometry()) and grid.height() == grid.wanted_height()
            assert transcript.height() > 120, "the transcript keeps room to read in"
            row = grid.rows()[number]
            room = row.strip.x() - fonts.px(14)
            first, second = row.name_texts()
            assert paint.text_width(first, fonts.font("body", 500)) <= room
            assert paint.text_width(second, fonts.font("meta")) <= room
            if row.levels.isVisible():
                assert row.levels.cut() == ()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(1366, 768), (2560, 1440)])
def test_large_text_leaves_every_score_in_sight(desk: DeskMaker, language: Any, size: tuple[int, int]) -> None:
    i18n.set_language(language)
    density.update_for(QSize(*size))
    density.set_text_scale(200)
    grid = ScoreGrid()
    window = desk(grid, width=density.metrics().right_width, height=size[1])
    for target in ("turn:3", "session"):
        grid.show_sheet(invented(language), target)
        QApplication.processEvents()
        for row in grid.rows():
            assert row.strip.isVisible() and row.strip.geometry().right() < row.width() <= window.width()
        grid.set_room(360)
        for number, row in enumerate(grid.rows()):
            grid.set_current(number)
            assert grid.height() == 360 < grid.wanted_height()
            assert grid.rect().contains(row.mapTo(grid, row.rect().topLeft()))
            assert grid.rect().contains(row.mapTo(grid, row.rect().bottomRight()))
        grid.set_room(size[1] * 2)
        assert grid.height() == grid.wanted_height()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("verdict", [None, "keep", "revise", "reject"])
@pytest.mark.parametrize("size", SIZES)
def test_verdict_bar_is_whole(desk: DeskMaker, language: Any, verdict: str | None, size: tuple[int, int]) -> None:
    i18n.set_language(language)
    density.update_for(QSize(*size))
    bar = VerdictBar()
    desk(bar, width=size[0] - density.metrics().rail - density.metrics().queue_width, height=46)
    cells = {("item", "verdict_reasons"): Cell(["visual_mismatch", "language"])}
    if verdict is not None:
        cells[("item", "verdict")] = Cell(verdict)
    bar.show_sheet(invented(language, cells=cells))
    QApplication.processEvents()
    assert cut(bar) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_stand_open_in_a_normal_window(desk: DeskMaker, language: Any) -> None:
    i18n.set_language(language)
    bar = VerdictBar()
    desk(bar, width=1600 - 52 - 236, height=46)
    bar.show_sheet(invented(language, cells={("item", "verdict"): Cell("revise")}))
    QApplication.processEvents()
    assert all(chip.isVisible() for chip in bar.chips.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_item_bar_is_whole(desk: DeskMaker, language: Any, size: tuple[int, int]) -> None:
    i18n.set_language(language)
    density.update_for(QSize(*size))
    bar = ItemBar()
    desk(bar, width=size[0] - density.metrics().rail - density.metrics().queue_width, height=36)
    bar.show_review(invented(language), 3)
    QApplication.processEvents()
    assert [c for c in cut(bar) if not c.startswith("ElidedLabel")] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_tray_tabs_are_whole(desk: DeskMaker, language: Any) -> None:
    i18n.set_language(language)
    density.update_for(QSize(1366, 768))
    tray = Tray()
    desk(tray, width=590, height=260)
    tray.show_review(invented(language, cells={("item", "note"): Cell("n"), ("turn:3", "edit:question"): Cell("q")}), 3)
    QApplication.processEvents()
    bar = tray.findChild(QTabBar)
    assert bar is not None
    assert bar.width() >= bar.sizeHint().width() and tray.cap.geometry().right() < tray.width()


def test_larger_text_is_not_cut_either(desk: DeskMaker) -> None:
    density.set_text_scale(150)
    grid = ScoreGrid()
    desk(grid, width=720, height=900)
    grid.show_sheet(invented("en"), "turn:3")
    QApplication.processEvents()
    assert cut(grid) == []
