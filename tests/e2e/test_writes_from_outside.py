"""An open window notices what others wrote, and stays where the person is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver

Drive = Callable[..., Driver]


def test_a_label_from_a_command_appears_in_the_open_row(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    desk = driver.window.desk
    desk.watch.look()
    driver.settle()
    key, target = driver.view.row.key, driver.window.review.target
    driver.press("54")
    desk.watch.look()
    driver.settle()
    with Workspace.open(workspace) as other:
        other.say(*key, [Intent(target, "naturalness", 2)], 0, "en")
    desk.watch.look()
    driver.wait(lambda: driver.value(target, "naturalness") == 2)
    driver.settle()
    assert driver.value(target, "accuracy") == 5
    assert driver.window.review.target == target
    assert driver.window.review.grid.current_dimension() == "relevance"


def test_own_writes_are_not_taken_for_others(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    desk = driver.window.desk
    desk.watch.look()
    driver.settle()
    read: list[int] = []
    desk.queue_changed.connect(lambda _view: read.append(1))
    driver.press("5432")
    driver.control("z")
    desk.watch.look()
    driver.settle()
    assert read == []


def test_the_undo_buttons_follow_what_can_be_undone(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    bar = driver.window.review.itembar
    assert not bar.undo.isEnabled()
    driver.press("4")
    assert bar.undo.isEnabled()
    assert not bar.redo.isEnabled()
    driver.control("z")
    assert not bar.undo.isEnabled()
    assert bar.redo.isEnabled()
