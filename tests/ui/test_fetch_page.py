"""The fetch page and its flow: asked for, running, stopped, failed, done, and then imported."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from annotator.errors import WorldError
from annotator.ui import i18n
from annotator.ui.fetch_state import FetchRequest
from annotator.ui.fetchpage import FetchPage
from annotator.ui.lanes import Lanes
from annotator.ui.window import MainWindow
from annotator.workspace import fetching
from annotator.workspace.fetching import KNOWN, Fetched, Pin, Step
from annotator.workspace.workspace import Workspace
from tests.unit.cli import sources

COMMIT = "1234567890abcdef1234567890abcdef12345678"
TIMEOUT_MS = 20_000


@pytest.fixture
def page(qtbot: QtBot, tmp_path: Path) -> FetchPage:
    i18n.set_language("en")
    made = FetchPage()
    qtbot.addWidget(made)
    made.resize(1314, 716)
    made.show_place(tmp_path, {}, writable=True)
    made.show()
    return made


def got(root: Path, **more: Any) -> Fetched:
    return Fetched(KNOWN[0], "main", COMMIT, root, **{"files": 6, "size": 6_000_000, "fetched": 2_000_000, **more})


def test_the_known_datasets_are_offered_and_the_folder_follows(page: FetchPage, tmp_path: Path) -> None:
    assert page.request() == FetchRequest(KNOWN[0], "", (), tmp_path / "data" / "RUBRIC-MME")
    page.known[KNOWN[1]].click()
    request = page.request()
    assert request is not None
    assert (request.repo_id, request.root) == (KNOWN[1], tmp_path / "data" / "RUBRIC-MME_small")
    assert [r for r, chip in page.known.items() if chip.isChecked()] == [KNOWN[1]]


def test_what_is_typed_is_asked_for(page: FetchPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.edits["repo"].setText(" https://huggingface.co/datasets/lab/bench/ ")
    page.edits["revision"].setText("v1.2")
    page.edits["allow"].setText("*.json, clips/* ")
    page.set_folder(str(tmp_path / "elsewhere"))
    with qtbot.waitSignal(page.fetch_wanted) as told:
        qtbot.keyClick(page.edits["revision"], Qt.Key.Key_Return)
    assert told.args == [FetchRequest("lab/bench", "v1.2", ("*.json", "clips/*"), tmp_path / "elsewhere")]
    page.edits["repo"].setText("lab/other")  # a folder that a person named stays
    assert page.edits["folder"].text() == str(tmp_path / "elsewhere")


@pytest.mark.parametrize("name", ["", "bench", "a b/c", "../x", "a/b/c"])
def test_what_is_no_dataset_cannot_be_asked_for(page: FetchPage, name: str) -> None:
    page.edits["repo"].setText(name)
    assert not page.buttons["fetch"].isEnabled()
    assert page.request() is None


def test_a_read_only_workspace_fetches_nothing(page: FetchPage, tmp_path: Path) -> None:
    page.show_place(tmp_path, {}, writable=False)
    assert not page.buttons["fetch"].isEnabled()


def test_a_pinned_workspace_says_so_and_offers_its_own(page: FetchPage, tmp_path: Path) -> None:
    page.show_place(tmp_path, {"lab/bench": Pin(COMMIT, "main", tmp_path)}, writable=True)
    assert page.repo_id == "lab/bench"
    assert COMMIT[:12] in page._foot_text.text()
    assert page.edits["folder"].text() == str(tmp_path)


def test_progress_tells_amounts_speed_and_time_left(page: FetchPage, qtbot: QtBot) -> None:
    page.show_running(KNOWN[0])
    assert page.state.bar.maximum() == 0  # nothing is known yet: it only moves
    page.show_step(Step("fetch", 25_000_000, 100_000_000, 3, 12, 2_500_000.0, 7200.0, "clips/a.mp4"))
    text = page.state.amounts.text()
    assert page.state.bar.value() == 250
    assert all(word in text for word in ("25.0 MB", "100.0 MB", "3", "12", "2.5 MB/s", "2 h 0 min")), text
    assert page.state.name.text() == "clips/a.mp4"
    assert not page.edits["repo"].isEnabled()
    i18n.set_language("zh_CN")
    assert "文件" in page.state.amounts.text()
    i18n.set_language("en")
    with qtbot.waitSignal(page.cancel_wanted):
        page.buttons["stop"].click()


def test_a_pause_is_told_and_goes_by(page: FetchPage) -> None:
    page.show_running(KNOWN[0])
    page.show_step(Step("look", pause=42.0))
    assert "42 s" in page.state.amounts.text() and "Waiting" in page.state.amounts.text()
    page.show_step(Step("fetch", 1_000, 2_000, 0, 1))
    assert "1.0 kB of 2.0 kB" in page.state.amounts.text()


def test_the_address_of_a_page_names_a_revision_too(page: FetchPage) -> None:
    page.edits["repo"].setText("https://hub.example/datasets/lab/bench/tree/v2/clips")
    request = page.request()
    assert request is not None and (request.repo_id, request.revision) == ("lab/bench", "v2")
    page.edits["revision"].setText("v3")  # what a person names goes first
    request = page.request()
    assert request is not None and request.revision == "v3"


REFUSED = (
    'e.zip has a member "../x", which leaves the folder by ..: nothing of it was unpacked.',
    'e.zip has a link "l" to "/etc", a place outside: nothing of it was unpacked.',
    "e.zip is a split archive of which the part ab is missing: nothing of it was unpacked.",
    "e.zip is protected by a password: nothing of it was unpacked.",
)
NOTES = (
    "e.zip: left out a.png, b.png and 3 more: it is damaged.",
    'e.zip: left out a.png: its name falls together with "A.png".',
    'e.zip: "a" and "A" differ by case or accents only; on Windows and macOS they would be one file.',
    "e.zip: archives inside stay packed: in.zip.",
)
TROUBLES = (
    "The connection to the Hub failed (it cannot be reached): what came so far is kept, and the next try goes on from "
    "there.",
    'The Hub does not accept your token for a/b: sign in with "hf auth login", or set HF_TOKEN, then try again.',
    'The Hub wants a token for a/b: sign in with "hf auth login", or set HF_TOKEN, then try again.',
    'The Hub refuses access to c.mp4 in a/b: sign in with "hf auth login", or set HF_TOKEN.',
    "The Hub lists c.mp4 in a/b and then does not have it: try again later, or fetch without it.",
    "The Hub's answer about a/b cannot be read: look whether the network wants you to sign in, and try again later.",
    'a/b lists "../x", which leaves the folder by ..: nothing is fetched.',
    "/d/x cannot be written (Not a directory): choose another data folder.",
    "/d holds the workspace itself: choose a folder for the data alone.",
)  # fmt: skip


def test_what_the_core_tells_stands_there_in_chinese(page: FetchPage, tmp_path: Path) -> None:
    i18n.set_language("zh_CN")
    try:
        for at in range(0, len(REFUSED), 2):
            page.show_done(got(tmp_path, refused=REFUSED[at : at + 2], notes=NOTES))
            shown = page.state.refused.text().split("\n") + page.state.notes.text().split("\n")
            assert len(shown) == 2 + len(NOTES)
            for text in shown:
                assert not re.search(r"[a-z]{3,} [a-z]{2,}", text), text
        for sentence in TROUBLES:
            page.show_failed(sentence)
            told = page.state.words._why.text()
            assert not re.search(r"[a-z]{3,} [a-z]{2,} [a-z]{2,} [a-z]", told.replace("hf auth login", "")), told
    finally:
        i18n.set_language("en")


def test_the_result_is_told_and_can_be_imported(page: FetchPage, qtbot: QtBot, tmp_path: Path) -> None:
    page.show_running(KNOWN[0])
    page.show_done(got(tmp_path, refused=("<b>evil.zip</b> leaves.",), notes=("a note",)))
    assert COMMIT in page.state.values["commit"].text()
    assert page.state.refused.text() == "<b>evil.zip</b> leaves."
    with qtbot.waitSignal(page.import_wanted):
        qtbot.keyClick(page.buttons["import"], Qt.Key.Key_Return)
    page.edits["revision"].setFocus()
    qtbot.keyClicks(page.edits["revision"], "v2")
    assert page.state.mode == "idle" and page.buttons["fetch"].isVisible()


def test_a_failure_stands_where_it_is_seen_and_can_be_tried_again(page: FetchPage, qtbot: QtBot) -> None:
    page.show_running(KNOWN[0])
    page.show_failed("lab/bench is <i>gated</i>.")
    assert page.state.words._why.text() == "lab/bench is <i>gated</i>."
    with qtbot.waitSignal(page.fetch_wanted):
        page.buttons["again"].click()


# --- in the window --------------------------------------------------------------------------------------------------
Stand = Callable[..., Fetched]


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    i18n.set_language("en")
    Workspace.create(tmp_path / "ws", rater="lin").close()
    made = MainWindow(Lanes())
    qtbot.addWidget(made)
    made.show()
    with qtbot.waitSignal(made.ready, timeout=TIMEOUT_MS):
        made.open_path(tmp_path / "ws")
    yield made
    made.close()


def page_of(window: MainWindow, qtbot: QtBot) -> FetchPage:
    window.show_page("fetch")
    page = window.pages.get("fetch")
    assert isinstance(page, FetchPage)
    qtbot.waitUntil(lambda: page.request() is not None, timeout=TIMEOUT_MS)
    return page


def stand_in(monkeypatch: pytest.MonkeyPatch, call: Stand) -> None:
    monkeypatch.setattr(fetching, "fetch", call)


def test_what_was_fetched_is_imported_at_once(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def call(workspace: Workspace, repo_id: str, **more: Any) -> Fetched:
        asked.append((repo_id, more["data_root"], more["revision"], more["allow"]))
        more["progress"](Step("fetch", 1, 2, 0, 1))
        return got(sources.write(more["data_root"]))

    stand_in(monkeypatch, call)
    page = page_of(window, qtbot)
    page.buttons["fetch"].click()
    qtbot.waitUntil(lambda: window.import_page.report is not None, timeout=TIMEOUT_MS)
    assert asked == [(KNOWN[0], tmp_path / "ws" / "data" / "RUBRIC-MME", None, ())]
    assert window.import_page.report is not None and window.import_page.report.dialogues == 2
    assert window.stack.currentWidget() is window.import_page


def test_who_works_elsewhere_is_asked_and_not_taken_away(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def call(workspace: Workspace, repo_id: str, **more: Any) -> Fetched:
        assert go.wait(10)
        return got(sources.write(more["data_root"]))

    stand_in(monkeypatch, call)
    page_of(window, qtbot).buttons["fetch"].click()
    window.show_page("problems")
    go.set()
    qtbot.waitUntil(lambda: window.messages.current() is not None, timeout=TIMEOUT_MS)
    message = window.messages.current()
    assert message is not None and KNOWN[0] in message.text
    assert window.stack.currentWidget() is window.problems_page
    window.messages.acted.emit(message.key, message.actions[0][0])
    qtbot.waitUntil(lambda: window.import_page.report is not None, timeout=TIMEOUT_MS)


def test_other_long_work_goes_on_beside_a_fetch_and_stopping_is_quick(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, ended = threading.Event(), threading.Event()

    def call(workspace: Workspace, repo_id: str, token: Any = None, **more: Any) -> Fetched:
        began.set()
        try:
            while True:
                token.check()
                time.sleep(0.01)
        finally:
            ended.set()

    stand_in(monkeypatch, call)
    page = page_of(window, qtbot)
    page.buttons["fetch"].click()
    done: list[int] = []
    window.lanes.bulk(lambda _token: 7, done.append)
    qtbot.waitUntil(lambda: done == [7], timeout=TIMEOUT_MS)
    assert began.wait(30)  # what was stopped before its turn would never have been at work
    page.buttons["stop"].click()
    assert page.state.mode == "cancelled"
    assert ended.wait(30)
    began.clear()
    ended.clear()
    page.buttons["again"].click()
    assert began.wait(30)
    window.close()  # nobody has to wait for a fetch to close the window
    assert ended.wait(30)


def test_leaving_the_workspace_stops_the_fetch(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    began, ended = threading.Event(), threading.Event()

    def call(workspace: Workspace, repo_id: str, token: Any = None, **more: Any) -> Fetched:
        began.set()
        while not token.cancelled:
            time.sleep(0.01)
        ended.set()
        token.check()
        raise AssertionError("not stopped")

    stand_in(monkeypatch, call)
    page = page_of(window, qtbot)
    page.buttons["fetch"].click()
    assert began.wait(30)
    window.leave_workspace()
    assert ended.wait(30)
    assert page.state.mode == "cancelled"


def test_trouble_is_told_on_the_page(window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    def call(workspace: Workspace, repo_id: str, **more: Any) -> Fetched:
        raise WorldError("The Hub is not available now (503): try again later.", code="unavailable")

    stand_in(monkeypatch, call)
    page = page_of(window, qtbot)
    page.buttons["fetch"].click()
    qtbot.waitUntil(lambda: page.state.mode == "failed", timeout=TIMEOUT_MS)
    assert "503" in page.state.words._why.text()


def test_the_import_page_leads_there(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("import")
    window.import_page.buttons["fetch"].click()
    assert isinstance(window.stack.currentWidget(), FetchPage)
    assert window.rail.buttons["import"].isChecked()


def test_the_welcome_page_makes_a_workspace_and_leads_there(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from annotator.ui import flows

    window.leave_workspace()
    monkeypatch.setattr(flows.QFileDialog, "getExistingDirectory", staticmethod(lambda *_: str(tmp_path / "fresh")))
    qtbot.keyClick(window.welcome.buttons["sample"], "3")
    qtbot.waitUntil(lambda: isinstance(window.stack.currentWidget(), FetchPage), timeout=TIMEOUT_MS)
    page = page_of(window, qtbot)
    assert page.edits["folder"].text() == str(tmp_path / "fresh" / "data" / "RUBRIC-MME")
