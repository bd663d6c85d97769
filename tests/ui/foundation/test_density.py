from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from annotator.ui import density
from annotator.ui.density import Density


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (1024, Density.SMALL), (1366, Density.SMALL), (1499, Density.SMALL), (1500, Density.NORMAL),
        (1600, Density.NORMAL), (2199, Density.NORMAL), (2200, Density.WIDE), (2560, Density.WIDE),
    ],
)  # fmt: skip
def test_the_class_follows_the_width(width: int, expected: Density) -> None:
    density.update_for(QSize(width, 1000))
    assert density.current() is expected


@pytest.mark.parametrize(("width", "expected"), [(2560, Density.NORMAL), (1600, Density.SMALL), (1366, Density.SMALL)])
def test_large_text_behaves_as_the_next_smaller_width(width: int, expected: Density) -> None:
    density.update_for(QSize(width, 1000))
    density.set_text_scale(150)
    assert density.current() is expected
    assert density.queue_closes() is (width == 1366)


def test_the_queue_closes_below_1280() -> None:
    density.update_for(QSize(1280, 800))
    assert not density.queue_closes()
    density.update_for(QSize(1279, 800))
    assert density.queue_closes()


def test_low_windows_fold_the_timeline() -> None:
    density.update_for(QSize(1600, 820))
    assert (density.is_short(), density.metrics().frames_lane, density.metrics().timeline) == (False, 50, 139)
    density.update_for(QSize(1600, 819))
    assert (density.is_short(), density.metrics().frames_lane) == (True, 36)
    assert density.metrics().timeline < 139


@pytest.mark.parametrize(
    ("width", "row", "extra", "cell"), [(1366, 28, 38, (27, 20)), (1600, 34, 70, (30, 24)), (2560, 40, 70, (30, 24))]
)
def test_score_rows(width: int, row: int, extra: int, cell: tuple[int, int]) -> None:
    density.update_for(QSize(width, 1000))
    table = density.metrics()
    assert (table.score_row, table.active_row_extra, (table.cell_width, table.cell_height)) == (row, extra, cell)


def test_fixed_heights_of_a_normal_window() -> None:
    table = density.metrics()
    bars = (table.status_bar, table.item_bar, table.page_bar, table.verdict_bar, table.panel_head, table.transport)
    rail = (table.rail, table.rail_button, table.keycap)
    rows = (table.queue_row, table.session_row, table.choice_row_blind, table.choice_row_revealed)
    tables = (table.table_row, table.table_head, table.future_turn)
    controls = (table.button, table.button_small, table.segmented, table.chip)
    assert (bars, rail, rows) == ((26, 36, 44, 46, 34, 38), (52, 44, 17), (48, 58, 36, 33))
    assert (tables, controls) == ((28, 24, 25), (28, 24, 26, 20))


def test_rows_grow_with_the_text_and_never_shrink() -> None:
    density.set_text_scale(150)
    assert density.metrics().queue_row == 72
    density.set_text_scale(80)
    assert density.metrics().queue_row == 48


@pytest.mark.parametrize(
    ("width", "scale", "right", "queue"),
    [(1366, 100, 520, 204), (2560, 100, 760, 300), (1366, 200, 632, 204), (2560, 200, 1144, 358), (1366, 120, 624, 204),
     (1024, 200, 520, 204)],
)  # fmt: skip
def test_columns_grow_with_large_text_up_to_a_share_of_the_window(
    width: int, scale: int, right: int, queue: int
) -> None:
    density.update_for(QSize(width, 1000))
    density.set_text_scale(scale)
    table = density.metrics()
    assert (table.right_width, table.queue_width) == (right, queue)
    assert table.right_min <= table.right_width <= table.right_max
    assert table.queue_min <= table.queue_width <= table.queue_max


def test_the_bus_speaks_only_when_something_changes(qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(density.bus().changed):
        density.update_for(QSize(1610, 990))
        density.set_text_scale(100)
    with qtbot.waitSignal(density.bus().changed):
        density.update_for(QSize(1366, 990))
    with qtbot.waitSignal(density.bus().changed):
        density.set_text_scale(110)


def test_the_text_scale_is_kept_within_80_and_200() -> None:
    density.set_text_scale(20)
    assert density.text_scale() == 80
    density.set_text_scale(900)
    assert density.text_scale() == 200


def test_what_small_windows_leave_out() -> None:
    density.update_for(QSize(1366, 768))
    table = density.metrics()
    assert table.filters_fold and table.reasons_fold and table.tray_folded and table.past_turn_one_line
    assert not (table.second_language or table.level_texts or table.key_hints or table.queue_scenario)
