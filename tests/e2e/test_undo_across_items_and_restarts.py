"""Undo takes back what was said, wherever it was said, also after a restart, and goes there to show it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt

from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver

Drive = Callable[..., Driver]


def test_undo_and_redo_on_one_row(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    driver.press("32")
    dims = ("accuracy", "completeness")
    target = driver.window.review.target
    before = [driver.value(target, d) for d in dims]
    driver.control("z")
    assert driver.value(target, dims[1]) != before[1]
    driver.control("z")
    driver.control("z", shift=True)
    driver.control("z", shift=True)
    assert [driver.value(target, d) for d in dims] == before


def test_undo_restores_the_value_before_not_nothing(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    target = driver.window.review.target
    dimension = driver.window.review.grid.current_dimension()
    driver.press("3")
    driver.key(Qt.Key.Key_Up)
    driver.press("5")
    assert driver.value(target, dimension) == 5
    driver.control("z")
    assert driver.value(target, dimension) == 3


def test_undo_goes_back_to_another_item_after_a_restart(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    key, target = driver.view.row.key, driver.window.review.target
    dimension = driver.window.review.grid.current_dimension()
    driver.press("4")
    driver.press("nn")
    assert driver.view.row.key != key
    driver.close()
    again = drive(workspace)
    again.press("nnn")
    again.control("z")
    assert again.view.row.key == key
    assert again.value(target, dimension) is None
    assert again.window.review.target == target
    again.control("z", shift=True)
    assert again.value(target, dimension) == 4
    again.close()
    with Workspace.open(workspace) as held:
        assert held.store.upkeep.check().rebuilt_equal


def test_a_new_statement_ends_redo(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    driver.press("4")
    driver.control("z")
    driver.press("2")
    driver.control("z", shift=True)
    target = driver.window.review.target
    assert 4 not in [driver.value(target, d) for d in ("accuracy", "completeness")]
    assert "nothing" in driver.message().casefold()
