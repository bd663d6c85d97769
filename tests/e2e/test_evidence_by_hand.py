"""Evidence in the real window: drawn, kept, undone, found again; what does not play goes to the lead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from annotator.ui.media_check_panel import MediaCheckPanel
from annotator.ui.media_marked import MarkedPanel
from annotator.workspace.listing import list_items
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver

Drive = Callable[..., Driver]


def open_video(driver: Driver, turn: int) -> tuple[str, str]:
    """A row of a video dialogue, with its picture on the stage."""
    rows = driver.window.desk.queue.rows  # type: ignore[union-attr]
    row = next(r for r in rows if r.source_id == "sample-v1")
    driver.window.desk.open_row(*row.key)
    driver.settle()
    driver.window.review.open_turn(turn)
    driver.wait(lambda: driver.window.review.media.session.index is not None)
    return row.key


def draw(driver: Driver, a: tuple[float, float], b: tuple[float, float]) -> None:
    """Drag on the stage, by shares of its sides."""
    stage = driver.window.review.media.stage
    start, end = (QPoint(int(stage.width() * x), int(stage.height() * y)) for x, y in (a, b))
    QTest.mousePress(stage, Qt.MouseButton.LeftButton, pos=start)
    QTest.mouseMove(stage, (start + end) / 2)
    QTest.mouseMove(stage, end)
    QTest.mouseRelease(stage, Qt.MouseButton.LeftButton, pos=end)
    driver.settle()


def test_a_pin_is_kept_undone_and_found_again(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    key = open_video(driver, 3)
    page = driver.window.review
    driver.press("b")
    draw(driver, (0.3, 0.3), (0.5, 0.5))
    driver.press("1")
    driver.press(",")
    driver.wait(lambda: page.media.session.index == 159)  # a pin is on what is on screen, not on what is on its way
    driver.press("b")
    driver.press("b")
    assert [c.heading() for c in page.tray.evidence.cards] == ["Turn 4 Completeness", "Turn 4 Accuracy"]
    assert page.tray.tabs.tabText(0) == "Evidence 2" and len(page.media.timeline.scene.pins) == 2  # type: ignore[union-attr]
    driver.control(Qt.Key.Key_Z)
    assert [c.heading() for c in page.tray.evidence.cards] == ["Turn 4 Accuracy"], "undo takes the newest pin back"
    driver.control(Qt.Key.Key_Z, shift=True)
    assert len(page.tray.evidence.cards) == 2
    page.open_turn(2)
    driver.settle()
    assert not page.tray.evidence.cards, "an earlier turn knows nothing of it"
    page.open_turn(3)
    driver.settle()
    driver.close()
    with Workspace.open(workspace, read_only=True) as held:
        sheet = held.review(*key).sheet
        pins = {f: v.value for (t, f), v in sheet.cells.items() if t == "turn:3" and f.startswith("evidence")}
        assert len(pins) == 2 and pins["evidence"]["dimension"] == "accuracy"
        assert pins["evidence"]["frame"] == 160 and len(pins["evidence"]["box"]) == 4
        other = next(v for f, v in pins.items() if f != "evidence")
        assert other["box"] is None and other["frame"] == 159 and other["dimension"] == "completeness"
    again = drive(workspace)
    open_video(again, 3)
    again.wait(lambda: len(again.window.review.tray.evidence.cards) == 2)
    card = again.window.review.tray.evidence.cards[0]
    again.wait(lambda: card.image is not None)
    QTest.mouseClick(card, Qt.MouseButton.LeftButton)
    again.wait(lambda: again.window.review.media.session.index == 159)


def test_what_does_not_play_goes_to_the_lead(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    key = open_video(driver, 0)
    driver.press("u")
    row = next(r for r in driver.window.desk.queue.rows if r.key == key)  # type: ignore[union-attr]
    assert row.unplayable and not row.finished
    driver.settle()
    for _ in range(len(driver.window.desk.queue.rows)):  # type: ignore[union-attr]
        assert driver.window.desk.go_next_unfinished()
        driver.settle()
        assert driver.view.row.key != key, "it is not scored blindly on the way"
    driver.close()
    with Workspace.open(workspace, read_only=True) as held:
        entry = next(e for e in list_items(held.store) if e["item"] == key[0])
        marked = {r["id"] for r in entry["responders"] if r.get("unplayable")}
        assert marked == {key[1]}
    again = drive(workspace)
    assert again.view.row.key != key, "opening does not begin with it either"
    open_video(again, 0)
    again.press("u")
    assert not again.view.row.unplayable


def test_the_leads_page_lists_what_does_not_play(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    driver.window.show_page("problems")
    driver.settle()
    panel = driver.window.findChild(MarkedPanel)
    assert isinstance(panel, MarkedPanel) and panel.isHidden(), "nothing is marked yet"
    driver.window.show_page("review")
    key = open_video(driver, 0)
    driver.press("u")
    driver.window.show_page("problems")
    driver.settle()
    (mark,) = panel.found
    assert mark.key == key and mark.turn == driver.window.review.turn and not panel.isHidden()
    assert mark.source_id in panel.list.text() and "said by hand" in panel.list.text()
    QTest.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    driver.settle()
    assert [r.key for r in driver.window.desk.queue.rows] == [key]  # type: ignore[union-attr]
    assert driver.view.row.key == key and driver.window.review.isVisible()
    driver.press("u")
    driver.window.show_page("problems")
    driver.settle()
    assert panel.found == () and panel.isHidden(), "it was taken back"


def test_all_media_are_checked_from_the_window(drive: Drive, workspace: Path) -> None:
    driver = drive(workspace)
    driver.window.show_page("problems")
    driver.settle()
    panel = driver.window.findChild(MediaCheckPanel)
    assert isinstance(panel, MediaCheckPanel)
    QTest.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    assert panel.running and panel.button.text() == "Cancel"
    driver.wait(lambda: not panel.running)
    assert "with faults: 0" in panel.note.text()
    QTest.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    QTest.mouseClick(panel.button, Qt.MouseButton.LeftButton)
    assert not panel.running and panel.note.text().startswith("Stopped")
