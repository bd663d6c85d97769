"""A spot-check by keys alone: blind, lock, reveal; agree, keep, revise, undo; no door through which a judge leaks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from annotator.domain.rubric import TURN_DIMENSIONS
from annotator.errors import WorldError
from annotator.store import create_store
from annotator.ui.settingsdialog import SettingsDialog
from annotator.workspace.spotcheck import draw
from annotator.workspace.workspace import Workspace
from tests.helpers.driver import Driver
from tests.helpers.imports import TASK, bring, judged, sample, video, write
from tests.unit.workspace.test_importing_attributions import attributed

Drive = Callable[..., Driver]
ROW = f"p::northlight::{TASK}"
REASON = "裁判的理由：出口编号读错了"
SUMMARY = "归因说明：红色路牌上写的是另一个编号"
SECRETS = (REASON, SUMMARY, "gemini-judge", "幻觉与捏造", "Hallucination or invention")


@pytest.fixture
def spot(tmp_path: Path) -> Path:
    """Two dialogues of two turns; a spot-check drew the first turn of each, which two judges scored."""
    folder, names = tmp_path / "spot", ("d1", "d2")
    with create_store(folder, rater="li") as store:
        bring(store, write(tmp_path / "d.json", [video(name) for name in names]))
        bring(store, write(tmp_path / "s.jsonl", [sample(name, "northlight") for name in names]))
        records = [
            judged(
                name, 0, model="northlight", judge=judge,
                scores={d: {"score": score, "reason": f"{REASON} {d}"} for d in TURN_DIMENSIONS},
            )
            for name in names for judge, score in (("gemini-judge", 2), ("other-judge", 5))
        ]  # fmt: skip
        bring(store, write(tmp_path / "j.jsonl", records))
        why = [attributed(name, 0, model="northlight", attribution_summary=SUMMARY) for name in names]
        bring(store, write(tmp_path / "a.jsonl", why))
        draw(store, "pilot", 2)
    return folder


def begin(drive: Drive, folder: Path) -> Driver:
    """The window, its queue set to the spot-check as a person would set it in the menu."""
    driver = drive(folder)
    chip = driver.window.review.queue.filters.spot
    assert chip.isVisible()
    menu = chip.menu()
    next(action for action in menu.actions() if action.text().startswith("pilot")).trigger()
    menu.deleteLater()
    driver.settle()
    return driver


def leaks(driver: Driver) -> list[str]:
    """What of the judges' data stands anywhere in the window: texts, tooltips, names, item views."""
    return [text for text in driver.texts() if any(secret in text for secret in SECRETS)]


def test_blind_lock_reveal(drive: Drive, spot: Path) -> None:
    driver = begin(drive, spot)
    review = driver.window.review
    key = driver.view.row.key
    assert [g.target for g in driver.view.sheet.gaps()] == ["turn:0"] * 8
    assert leaks(driver) == [] and not review.grid.beside.isVisible()
    driver.press("44444443")
    assert leaks(driver) == []
    driver.control(Qt.Key.Key_Return)  # the lock
    assert driver.view.row.key == key and driver.view.reveal.state == "open"
    assert review.grid.beside.isVisible() and review.turn == 0 and review.grid.current() == 0
    assert REASON in review.grid.beside.shown_text() and SUMMARY in review.grid.beside.shown_text()
    driver.press("a")  # agrees: 2
    driver.press("=")  # keeps: 4
    driver.press("5")  # revises
    driver.key("A", Qt.KeyboardModifier.ShiftModifier)  # the second judge
    assert "other-judge" in review.grid.beside.title.text()
    driver.press("a")  # agrees with it: 5
    assert [driver.value("turn:0", d) for d in TURN_DIMENSIONS[:4]] == [2, 4, 5, 5]
    driver.control(Qt.Key.Key_Z)
    assert driver.value("turn:0", TURN_DIMENSIONS[3]) == 4
    driver.control(Qt.Key.Key_Z, shift=True)
    assert driver.value("turn:0", TURN_DIMENSIONS[3]) == 5
    driver.press("g")
    assert review.grid.current() == 4  # the next row without a second opinion
    driver.control(Qt.Key.Key_Return)
    assert driver.view.row.key != key and driver.view.reveal.state == "closed"
    assert leaks(driver) == []  # nothing of the row before is left over, and nothing of this one is told
    driver.close()
    with Workspace.open(spot, read_only=True) as held:
        first = held.store.labels.cells(*key, "li", "blind")
        second = held.store.labels.cells(*key, "li", "revised")
        assert [first["turn:0", d].value for d in TURN_DIMENSIONS] == [4, 4, 4, 4, 4, 4, 4, 3]
        said = {d: second["turn:0", d].value for d in TURN_DIMENSIONS if ("turn:0", d) in second}
        assert said == dict(zip(TURN_DIMENSIONS, (2, 4, 5, 5), strict=False))
        assert second["item", "revealed"].value == ["turn:0"]


def test_tags_that_the_attribution_names_are_offered(drive: Drive, spot: Path) -> None:
    driver = begin(drive, spot)
    driver.press("33333333")
    driver.control(Qt.Key.Key_Return)
    grid = driver.window.review.grid
    button = next(b for b in grid.beside.tags if b.isVisible())
    button.click()
    driver.settle()
    assert driver.value("turn:0", "tags:accuracy") == ["幻觉与捏造"]
    assert not any(b.isVisible() for b in grid.beside.tags)
    driver.press("\x1b")
    driver.key(Qt.Key.Key_Down)
    driver.press("t")
    assert grid.popup is not None and "hallucination" in grid.popup.list.item(1).text().casefold()
    driver.press("\x1b")


def test_no_door_is_open_while_blind(drive: Drive, spot: Path) -> None:
    driver = begin(drive, spot)
    window = driver.window
    for page in ("import", "problems", "sync", "review"):
        window.show_page(page)
        driver.settle()
        assert leaks(driver) == []
    window.show_page("statistics")
    driver.settle()
    page = window.pages.get("statistics")
    driver.wait(page.closed.isVisible)  # type: ignore[attr-defined]
    assert not any(REASON in text or SUMMARY in text for text in driver.texts())
    window.show_page("review")
    workspace = window.desk.workspace
    assert workspace is not None and workspace.store.database.blind
    item = driver.view.dialogue.item_id
    for ask in (lambda: workspace.store.judges.records(item), lambda: workspace.store.attributions.of(item)):
        with pytest.raises(WorldError, match="until your own scores are committed"):
            ask()
    for _ in range(3):  # undo, redo and completing with gaps show nothing either
        driver.press("3")
        driver.control(Qt.Key.Key_Z)
        driver.control(Qt.Key.Key_Return)
    assert driver.view.reveal.state == "closed" and leaks(driver) == []


def test_the_import_page_keeps_what_judges_scored_to_itself(drive: Drive, spot: Path, tmp_path: Path) -> None:
    driver = begin(drive, spot)
    odd = [judged("d1", 1, model="northlight", judge="gemini-judge", avg_score=4.75, scores={
        "accuracy": {"score": 2, "reason": REASON}, "relevance": {"score": 3.5, "reason": ""}})]  # fmt: skip
    driver.window.flows.start_import([write(tmp_path / "odd.jsonl", odd)])
    driver.settle()
    report = driver.window.import_page.report
    assert report is not None
    reasons = [line.reason for line in report.lines]
    assert len(reasons) == 2 and not any(value in text for value in ("3.5", "4.75") for text in reasons)
    shown = [text for text in driver.texts() if "3.5 " in text or "4.75" in text]
    assert shown == [] and leaks(driver) == []


def test_a_lead_turns_the_reveal_off_in_the_settings(drive: Drive, spot: Path) -> None:
    driver = begin(drive, spot)
    dialog = SettingsDialog(driver.window)
    dialog.open()
    assert dialog.reveal.choice.isVisible()
    dialog.reveal.choice.chosen.emit("off")
    driver.settle()
    dialog.close()
    key = driver.view.row.key
    driver.press("44444444")
    driver.control(Qt.Key.Key_Return)
    assert driver.view.row.key != key and driver.view.reveal.state == "off"
    assert leaks(driver) == []
    driver.close()
    with Workspace.open(spot, window=True) as held:
        assert held.reveals.allowed is False and held.review(*key).reveal.state == "off"


@pytest.mark.parametrize(("language", "size"), [("en", (1366, 768)), ("zh_CN", (1366, 768)), ("zh_CN", (2560, 1440))])
def test_the_reveal_is_whole_in_both_languages(drive: Drive, spot: Path, language: str, size: tuple[int, int]) -> None:
    from annotator.ui import i18n

    driver = drive(spot, size)
    i18n.set_language(language)
    driver.window.review.queue.filters.spot.chosen.emit("pilot")
    driver.settle()
    driver.press("44444444")
    driver.control(Qt.Key.Key_Return)
    grid, panel = driver.window.review.grid, driver.window.review.grid.beside
    assert grid.mapTo(driver.window, grid.rect().bottomLeft()).y() <= driver.window.height()
    assert panel.geometry().bottom() <= grid.height() and panel.texts.viewport().height() >= 60
    for button in (panel.agree, panel.keep):
        assert button.isVisible() and button.width() >= button.sizeHint().width()
        assert button.geometry().right() <= panel.width()
    rows = grid.rows()
    assert all(row.isVisible() and row.height() >= row.base_height() for row in rows)
    assert driver.window.review.transcript.height() > 80
    i18n.set_language("en")


def test_what_waits_is_decided_on_its_page(drive: Drive, spot: Path, tmp_path: Path) -> None:
    driver = begin(drive, spot)
    window = driver.window
    window.flows.start_import([write(tmp_path / "late.jsonl", [judged("d9", 0, judge="gemini-2.5-pro")])])
    driver.settle()
    window.show_page("problems")
    driver.settle()
    (card,) = window.problems_page.cards
    assert "1 judgements of api::gemini-2.5-pro::v1 wait" in card.reason.text() and list(card.buttons) == ["drop"]
    card.buttons["drop"].click()
    driver.settle()
    assert window.problems_page.cards == []
    assert window.desk.workspace is not None and window.desk.workspace.problems() == []
