"""When the disk refuses, the value stays on screen, it is said once, and it is written as soon as the disk can."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.errors import WorldError
from annotator.store.labels import Labels
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
