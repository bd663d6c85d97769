"""When the disk refuses, the value stays on screen, it is said once, and it is written as soon as the disk can."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.errors import WorldError
from annotator.store.labels import Labels
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver

Drive = Callable[..., Driver]


def test_a_full_disk_is_told_once_and_nothing_is_lost(
    drive: Drive, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = drive(workspace)
    target = driver.window.review.target
    events = driver.window.desk.workspace.store.labels.count()  # type: ignore[union-attr]
    real = Labels.append
    failures: list[int] = []

    def refuse(self: Labels, drafts: object) -> object:
        failures.append(1)
        raise WorldError("The disk is full.", code="disk_full")

    monkeypatch.setattr(Labels, "append", refuse)
    driver.press("543")
    assert driver.saved_state == "failed"
    assert "The disk is full." in driver.message()
    assert [driver.value(target, d) for d in ("accuracy", "completeness", "relevance")] == [5, 4, 3]
    monkeypatch.setattr(Labels, "append", real)
    driver.window.desk.outbox.retry_now()
    driver.settle()
    assert driver.saved_state == "saved"
    store = driver.window.desk.workspace.store  # type: ignore[union-attr]
    assert store.labels.count() == events + 3
    assert failures


def test_a_second_window_is_told_and_reads(drive: Drive, workspace: Path) -> None:
    first = drive(workspace)
    second = drive(workspace)
    assert second.saved_state == "read_only"
    assert second.message()
    target = second.window.review.target
    second.press("5")
    assert second.value(target, "accuracy") is None
    first.press("5")
    assert first.saved_state == "saved"
    first.close()
    second.open(workspace)
    assert second.saved_state != "read_only"


def test_closing_at_once_after_a_key_waits_for_the_disk(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    key, target = driver.view.row.key, driver.window.review.target
    driver.press("\t", settle=False)
    driver.press("half a reason", settle=False)
    driver.press("\x1b", settle=False)
    driver.press("3", settle=False)
    driver.window.close()
    driver.wait(lambda: not driver.window.isVisible())
    with Workspace.open(workspace, read_only=True) as held:
        sheet = held.review(*key).sheet
        assert sheet.value(target, "accuracy") == 3
        assert sheet.value(target, "reason:accuracy") == "half a reason"


def test_what_is_on_its_way_goes_to_the_workspace_it_was_said_in(drive: Drive, workspace: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(workspace, other)
    driver = drive(workspace)
    key, target = driver.view.row.key, driver.window.review.target
    driver.press("5432", settle=False)
    driver.open(other)
    driver.wait(lambda: driver.window.desk.info is not None and driver.window.desk.info.folder == other)
    driver.settle()
    assert driver.value(target, "accuracy") is None
    driver.close()
    with Workspace.open(workspace, read_only=True) as held:
        sheet = held.review(*key).sheet
        assert [sheet.value(target, d) for d in ("accuracy", "completeness", "relevance", "conciseness")] == [
            5,
            4,
            3,
            2,
        ]
