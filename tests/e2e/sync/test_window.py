"""Syncing in the window: the mark in the foot, the page, settling, what is asked, and that raters stay blind."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from annotator.domain.queue import QueueFilter
from annotator.ui import i18n
from annotator.ui.sync_page import SyncPage
from annotator.workspace import syncing
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.e2e.sync.made import bundles
from tests.helpers.driver import Driver

Drive = Callable[..., Driver]
SECRET = "only-bo-said-this-7731"


class Other:
    """Somebody else's workspace with the same data, synced from behind the scenes."""

    def __init__(self, folder: Path, rater: str, shared: Path) -> None:
        self.door = Workspace.open(folder, rater=rater)
        self.shared = shared
        self.row = self.door.queue(QueueFilter()).rows[0]

    def say(self, field: str, value: Any, target: str = "turn:0") -> None:
        self.door.say(self.row.item_id, self.row.responder, [Intent(target, field, value)], 5, "en")

    def sync(self) -> syncing.SyncReport:
        return syncing.sync(self.door, self.shared)


@pytest.fixture
def other(sample_workspace: Path, tmp_path: Path, shared: Path) -> Iterator[Callable[[str], Other]]:
    made: list[Other] = []

    def make(rater: str) -> Other:
        folder = tmp_path / f"other{len(made)}"
        shutil.copytree(sample_workspace, folder, ignore=shutil.ignore_patterns("data"))
        made.append(Other(folder, rater, shared))
        return made[-1]

    yield make
    for one in made:
        one.door.close()


def page_of(driver: Driver) -> SyncPage:
    page = driver.window.pages.get("sync")
    assert isinstance(page, SyncPage)
    return page


def open_page(driver: Driver) -> SyncPage:
    driver.window.status.sync.click()
    driver.settle()
    page = page_of(driver)
    assert driver.window.stack.currentWidget() is page
    return page


def use(driver: Driver, folder: Path) -> None:
    driver.window.sync.use_folder(folder)
    driver.settle()


def test_from_no_folder_to_synced(drive: Drive, workspace: Path, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = drive(workspace)
    chip = driver.window.status.sync
    assert chip.objectName() == "syncLabel" and chip.state() == "none" and chip.isVisible()
    driver.press("3")
    page = open_page(driver)
    assert not page.buttons["now"].isVisible() and page.buttons["choose"].hasFocus()
    monkeypatch.setattr("annotator.ui.sync_flow.QFileDialog.getExistingDirectory", lambda *_: str(shared))
    driver.key(Qt.Key.Key_Return)
    driver.settle()
    driver.wait(lambda: chip.state() == "synced")
    assert len(bundles(shared)) == 1 and chip.text() == "Synced just now"
    assert page.figures.values["waiting"] == 0 and page.figures.values["sent"] > 0
    driver.window.show_page("review")
    driver.press("4")
    driver.wait(lambda: "waiting: " in chip.text())
    assert chip.state() == "synced"


def test_a_drive_that_is_gone_is_no_alarm_and_loses_nothing(
    drive: Drive, workspace: Path, shared: Path, tmp_path: Path
) -> None:
    driver = drive(workspace)
    driver.press("3")
    use(driver, shared)
    driver.window.show_page("review")
    driver.press("44")
    shared.rename(tmp_path / "unplugged")
    driver.window.sync.sync_now(False, False)
    driver.settle()
    chip = driver.window.status.sync
    assert chip.state() == "offline" and chip.text() == "Offline waiting: 2"
    assert driver.message() == ""
    assert "There is no folder" in open_page(driver).why.text()
    (tmp_path / "unplugged").rename(shared)
    page_of(driver).buttons["now"].click()
    driver.settle()
    assert chip.state() == "synced" and page_of(driver).figures.values["sent"] == 2


def test_an_emptied_folder_asks_before_anything_is_written(drive: Drive, workspace: Path, shared: Path) -> None:
    driver = drive(workspace)
    driver.press("3")
    use(driver, shared)
    for path in shared.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    page = open_page(driver)
    page.buttons["now"].click()
    driver.settle()
    assert "was emptied" in page.why.text() and page.buttons["again"].isVisible()
    assert "emptied" in driver.message() and list(shared.iterdir()) == []
    page.buttons["again"].click()
    driver.settle()
    assert driver.window.status.sync.state() == "synced" and len(bundles(shared)) == 1
    assert not page.buttons["again"].isVisible()


def test_two_devices_of_one_person_are_settled_with_a_click(
    drive: Drive, workspace: Path, shared: Path, other: Callable[[str], Other]
) -> None:
    driver = drive(workspace)
    here = driver.view.row
    rater = driver.window.desk.info.rater  # type: ignore[union-attr]
    there = other(rater)
    there.row = here
    there.say("accuracy", 5)
    there.sync()
    driver.press("2")
    use(driver, shared)
    chip = driver.window.status.sync
    assert chip.state() == "conflicts" and chip.text() == "Conflicts: 1"
    assert "two devices" in driver.message()
    page = open_page(driver)
    (box,) = page.conflict_boxes()
    by_value = {s.value.text(): s for s in box.sides}
    assert by_value.keys() == {"2", "5"} and by_value["2"].side.here and not by_value["5"].side.here
    by_value["5"].keep.click()
    driver.settle()
    driver.wait(lambda: chip.state() == "synced")
    assert page.conflict_boxes() == []
    assert driver.value("turn:0", "accuracy") == 5
    page.buttons["now"].click()
    driver.settle()
    there.sync()
    assert syncing.conflicts(there.door) == []


def test_nothing_that_others_said_is_on_any_screen(
    drive: Drive, workspace: Path, shared: Path, other: Callable[[str], Other]
) -> None:
    bo = other("bo")
    bo.say("accuracy", 1)
    bo.say("reason:accuracy", SECRET)
    bo.say("verdict", "reject", "item")
    bo.sync()
    driver = drive(workspace)
    before = driver.view
    use(driver, shared)
    assert driver.window.sync is not None and driver.window.desk.workspace is not None
    assert any(e.value == SECRET for e in driver.window.desk.workspace.store.labels.events())
    page = open_page(driver)
    assert [(r.rater, r.events) for r in page.came.rows if r.rater == "bo"] == [("bo", 3)]
    for name in ("review", "import", "problems", "sync", "review"):
        driver.window.show_page(name)
        driver.settle()
        assert not [text for text in driver.texts() if SECRET in text]
    assert driver.view.sheet.value("turn:0", "accuracy") == before.sheet.value("turn:0", "accuracy")
    assert driver.view.row == before.row


def test_a_mismatch_is_loud(drive: Drive, workspace: Path, shared: Path, other: Callable[[str], Other]) -> None:
    from dataclasses import replace

    bo = other("bo")
    bo.say("accuracy", 1)
    bo.sync()
    driver = drive(workspace)
    door = driver.window.desk.workspace
    assert door is not None
    event = next(e for e in bo.door.store.labels.events() if e.rater == "bo")
    rival = replace(event, value=4, device="elsewhere")
    door.store.labels.merge([replace(rival, digest=rival.compute_digest())])
    use(driver, shared)
    assert driver.window.status.sync.state() == "mismatch"
    current = driver.window.messages.current()
    assert current is not None and current.kind == "error" and "counts differ" in current.text
    page = open_page(driver)
    assert page.told.isVisible() and page.aside.isVisible() and page.figures.values["aside"] == 1
    assert page.seen.isVisible()
    page.seen.click()
    driver.settle()
    driver.wait(lambda: driver.window.status.sync.state() == "synced")
    assert page.aside.isVisible() and page.figures.values["aside"] == 0 and not page.seen.isVisible()


def test_every_few_minutes_by_itself(
    drive: Drive, workspace: Path, shared: Path, other: Callable[[str], Other], monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = drive(workspace)
    use(driver, shared)
    page = open_page(driver)
    page.every.setCurrentIndex(1)
    page.every.activated.emit(1)
    driver.settle()
    flow = driver.window.sync
    timer = flow.findChildren(type(driver.window.status.sync._beat))[0]
    assert timer.interval() == 5 * 60_000 and timer.isActive()
    bo = other("bo")
    bo.say("accuracy", 1)
    bo.sync()
    timer.timeout.emit()
    driver.settle()
    assert page.figures.values["received"] == 1
    driver.window.leave_workspace()
    driver.settle()
    assert not timer.isActive() and not driver.window.status.sync.isVisible()
    driver.open(workspace)
    assert timer.interval() == 5 * 60_000 and timer.isActive()


def test_both_languages_and_themes_follow_live(drive: Drive, workspace: Path, shared: Path) -> None:
    driver = drive(workspace, (1366, 768))
    use(driver, shared)
    page = open_page(driver)
    assert page.head.title.text() == "Sync"
    i18n.set_language("zh_CN")
    driver.settle()
    assert page.head.title.text() == "同步" and driver.window.status.sync.text().startswith("已同步")
    assert page.every.itemText(1) == "每 5 分钟"
    i18n.set_language("en")
    assert page.area.horizontalScrollBar().maximum() == 0


def test_leaving_while_a_sync_runs_stops_it(drive: Drive, workspace: Path, shared: Path) -> None:
    driver = drive(workspace)
    driver.press("3")
    use(driver, shared)
    driver.window.sync.sync_now(False, True)
    driver.window.leave_workspace()
    driver.settle()
    assert driver.message() == "" and driver.window.stack.currentWidget() is driver.window.welcome
