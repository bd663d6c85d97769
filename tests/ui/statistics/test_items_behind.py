"""From a figure to exactly the items behind it: counted by hand from labels and judge records."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.store import open_store
from annotator.store.readings import Readings
from annotator.ui.statistics.calibration import CalibrationSection
from annotator.ui.statistics.page import StatisticsPage
from tests.helpers.driver import Driver
from tests.ui.statistics.bench import Bench

Unit = tuple[str, str, str, str]
Place = tuple[str, str, str]


def people_and_judges(folder: Path) -> tuple[dict[Unit, list[int]], dict[tuple[str, Unit], int]]:
    """Blind scores of each unit, and each judge's."""
    said: dict[Unit, list[int]] = {}
    judged: dict[tuple[str, Unit], int] = {}
    with open_store(folder, write=False) as store:
        rows = Readings(store.database)
        for row in rows.said("blind", (*TURN_DIMENSIONS, *SESSION_DIMENSIONS)):
            said.setdefault((row.item_id, row.responder, row.target, row.field), []).append(row.value)
        for scored in rows.scored():
            for dimension, score in scored.scores.items():
                judged[scored.judge, (scored.item_id, scored.responder, scored.target, dimension)] = score
    return said, judged


def middle(scores: list[int]) -> int:
    return sorted(scores)[(len(scores) - 1) // 2]


def in_cell(folder: Path, judge: str, cell: tuple[int, int], dimension: str = "") -> set[Place]:
    said, judged = people_and_judges(folder)
    return {
        unit[:3]
        for (who, unit), score in judged.items()
        if who == judge and unit in said and (score, middle(said[unit])) == cell and dimension in ("", unit[3])
    }


@pytest.fixture
def shown(bench: Callable[..., Bench], made_workspace: Path) -> tuple[Bench, CalibrationSection]:
    made = bench(made_workspace)
    made.settle()
    section = made.section
    assert isinstance(section, CalibrationSection)
    return made, section


def test_every_cell_opens_exactly_its_items(shown: tuple[Bench, CalibrationSection], made_workspace: Path) -> None:
    made, section = shown
    cells = {cell.key: cell.count for row in section.heat.cells() for cell in row}
    opened = [key for key in ((5, 5), (4, 3), (5, 3), (3, 3)) if cells[key]]
    assert len(opened) > 2
    for judge, people in opened:
        made.click(section.heat, (judge, people))
        behind, title = made.found[-1]
        assert set(behind.places) == in_cell(made_workspace, section.closer.judge, (judge, people))
        assert behind.units == cells[judge, people]
        assert title == f"all dimensions: judge {judge}, people {people}"
    empty = next(key for key, count in cells.items() if not count)
    made.click(section.heat, empty)
    assert len(made.found) == len(opened)


def test_a_cell_of_one_dimension_and_one_judge(shown: tuple[Bench, CalibrationSection], made_workspace: Path) -> None:
    made, section = shown
    other = next(judge for judge in section.judges if judge != section.closer.judge)
    section.closer.choose("accuracy", other)
    made.settle()
    key = max((cell for row in section.heat.cells() for cell in row), key=lambda cell: cell.count).key
    assert isinstance(key, tuple)
    made.click(section.heat, key)
    assert set(made.found[-1][0].places) == in_cell(made_workspace, other, key, "accuracy")


def test_rows_raters_levels_and_pairs_open_what_they_stand_on(
    shown: tuple[Bench, CalibrationSection], made_workspace: Path
) -> None:
    made, section = shown
    said, judged = people_and_judges(made_workspace)
    scored = {unit for _, unit in judged if unit in said}
    made.click(section.forest, ("dimension", "accuracy"))
    assert set(made.found[-1][0].places) == {unit[:3] for unit in scored if unit[3] == "accuracy"}
    made.click(section.people.raters, ("rater", "li"))
    assert set(made.found[-1][0].places) == {unit[:3] for unit in said}
    judge = section.closer.judge
    made.click(section.curve, ("level", 4))
    of_level = {u[:3] for (who, u), score in judged.items() if who == judge and score == 4 and u in said}
    assert set(made.found[-1][0].places) == of_level
    made.click(section.judges_apart, ("difference_bias", *section.judges))
    assert set(made.found[-1][0].places) == {unit[:3] for unit in scored}
    made.click(section.next, ("next", "accuracy"))
    left = {u[:3] for who, u in judged if who == judge and u[3] == "accuracy" and u not in said}
    assert set(made.found[-1][0].places) == left
    assert left


def test_enter_in_a_cell_sets_the_queue_and_its_chip_takes_it_back(
    drive: Callable[[Path], Driver], own: Callable[[Path], Path], made_workspace: Path
) -> None:
    folder = own(made_workspace)
    driver = drive(folder)
    window = driver.window
    window.show_page("statistics")
    driver.settle()
    page = window.pages.get("statistics")
    assert isinstance(page, StatisticsPage)
    section = page.section()
    assert isinstance(section, CalibrationSection)
    section.heat.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(section.heat, Qt.Key.Key_Home)
    for _ in range(4):
        QTest.keyClick(section.heat, Qt.Key.Key_Right)
    current = section.heat.current()
    assert current is not None
    assert (current.key, current.row) == ((5, 5), 0)
    QTest.keyClick(section.heat, Qt.Key.Key_Return)
    driver.wait(lambda: window.stack.currentWidget() is window.review)
    driver.settle()
    places = in_cell(folder, section.closer.judge, (5, 5))
    assert window.desk.queue is not None
    assert {row.key for row in window.desk.queue.rows} == {(item, who) for item, who, _ in places}
    view = driver.view
    assert (view.row.item_id, view.row.responder, window.review.target) in places
    chip = window.review.queue.filters.only
    assert chip.isVisible()
    assert chip.title == "all dimensions: judge 5, people 5"
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
    driver.settle()
    assert not chip.isVisible()
    assert window.desk.queue is not None
    assert len(window.desk.queue.rows) == window.desk.queue.total


def test_the_report_is_written_from_the_page(
    drive: Callable[[Path], Driver], own: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    sample_workspace: Path,
) -> None:  # fmt: skip
    driver = drive(own(sample_workspace))
    window = driver.window
    window.show_page("statistics")
    driver.settle()
    page = window.pages.get("statistics")
    assert isinstance(page, StatisticsPage)
    target = tmp_path / "all.html"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    QTest.mouseClick(page.bar.report, Qt.MouseButton.LeftButton)
    driver.settle()
    assert driver.message().startswith("all.html is written, with ")
    assert "<svg" in target.read_text(encoding="utf-8")
    assert json.loads(target.with_suffix(".json").read_text(encoding="utf-8"))["sections"]
    assert not page.runner.busy
