"""Syncing as the window does it: by hand and every few minutes, in the bulk lane, told by the mark in the foot."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog

from annotator.cancel import CancelToken
from annotator.errors import WorldError
from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.sentences import words

if TYPE_CHECKING:
    from annotator.ui.desk import Desk
    from annotator.ui.sync_page import SyncPage
    from annotator.ui.widgets.message import MessageKind
    from annotator.ui.window import MainWindow
    from annotator.workspace.sync_views import Aside, Conflict, SyncReport, SyncState
    from annotator.workspace.views import Changes
    from annotator.workspace.workspace import Workspace

PROGRESS_EVERY_S = 0.1
# A little after the last label: while somebody scores, the count of what waits may lag behind.
COUNT_AFTER_MS = 1500
MESSAGE = "sync"
_ASKS = ("hub_gone", "hub_changed")


class SyncFlow(QObject):
    """One per window; follows the desk from workspace to workspace.

    Signals:
        progressed: (done, total) of the running sync, from its thread; throttled.
    """

    progressed = Signal(int, int)

    def __init__(self, window: MainWindow, desk: Desk) -> None:
        """Nothing is open yet."""
        super().__init__(window)
        self._window, self._desk = window, desk
        self._page: SyncPage | None = None
        self._token: CancelToken | None = None
        self._error: WorldError | None = None
        self._state: SyncState | None = None
        self._told: set[str] = set()
        self._listening = False
        self._every = QTimer(self)
        self._every.timeout.connect(self._due)
        self._count = QTimer(self)
        self._count.setSingleShot(True)
        self._count.setInterval(COUNT_AFTER_MS)
        self._count.timeout.connect(self.refresh)
        desk.opened.connect(self._opened)
        desk.closed.connect(self._closed)
        desk.outbox.saved.connect(self._count_later)
        window.status.sync.clicked.connect(self.open_page)
        self.progressed.connect(self._progressed)

    def connect_page(self, page: SyncPage) -> None:
        """Answer what the page asks."""
        self._page = page
        page.shown_now.connect(self.refresh)
        page.folder_wanted.connect(self.choose_folder)
        page.sync_wanted.connect(self.sync_now)
        page.cancel_wanted.connect(self.cancel)
        page.minutes_wanted.connect(self._set_minutes)
        page.picked.connect(self.settle)
        page.seen_wanted.connect(self.acknowledge)

    # --- how it stands ------------------------------------------------------------------------------------------
    def _opened(self, _info: object) -> None:
        self._error, self._state = None, None
        self._told.clear()
        self.refresh()

    def _closed(self) -> None:
        self._every.stop()
        self._count.stop()
        if self._token is not None:
            self._token.cancel()
            self._token = None

    def _count_later(self, _letter: object, _changes: object) -> None:
        if not self._count.isActive():
            self._count.start()

    def refresh(self) -> None:
        """Read again how syncing stands; the shared folder is not touched."""
        workspace = self._desk.workspace
        if workspace is None:
            return
        whole = self._page is not None

        def call() -> tuple[SyncState, list[Conflict], list[Aside]]:
            from annotator.workspace import syncing

            state = syncing.state(workspace)
            return state, syncing.conflicts(workspace) if whole else [], syncing.quarantine(workspace) if whole else []

        def arrived(answer: tuple[SyncState, list[Conflict], list[Aside]]) -> None:
            if workspace is self._desk.workspace:
                self._arrived(*answer)

        self._desk.lanes.quick(call, arrived)

    def _arrived(self, state: SyncState, conflicts: list[Conflict], aside: list[Aside]) -> None:
        self._state = state
        if self._token is None:
            self._window.status.sync.show_state(state, failed=self._error is not None)
            if self._page is not None:
                self._page.show_state(state, self._error, writable=self._desk.can_write)
        if self._page is not None:
            self._page.show_conflicts(conflicts)
            self._page.show_aside(aside)
        self._window.rail.set_count("sync", state.conflicts)
        wanted = state.minutes * 60_000 if state.folder is not None and self._desk.can_write else 0
        if wanted != (self._every.interval() if self._every.isActive() else 0):
            self._every.stop()
            if wanted:
                self._every.start(wanted)

    def open_page(self) -> None:
        """The sync page."""
        if self._desk.workspace is not None:
            self._window.show_page("sync")

    # --- choosing -----------------------------------------------------------------------------------------------
    def choose_folder(self) -> None:
        """Ask for the shared folder, and sync with it at once."""
        name = QFileDialog.getExistingDirectory(self._window, tr("sync.folder.choose_title"))
        if name:
            self.use_folder(Path(name))

    def use_folder(self, folder: Path) -> None:
        """Sync with this folder from now on."""
        self._choose(folder, None)
        self.sync_now(False, False)

    def _set_minutes(self, minutes: int) -> None:
        if self._state is not None:
            self._choose(self._state.folder, minutes)

    def _choose(self, folder: Path | None, minutes: int | None) -> None:
        workspace = self._desk.workspace
        if workspace is None or not self._desk.can_write:
            return

        def call() -> None:
            from annotator.workspace import syncing

            syncing.choose(workspace, folder, minutes)

        self._error = None
        self._desk.lanes.quick(call, self._chosen)

    def _chosen(self, _: object) -> None:
        self.refresh()

    # --- syncing ------------------------------------------------------------------------------------------------
    def _due(self) -> None:
        self.sync_now(False, False)

    def sync_now(self, begin_again: bool, verify: bool) -> None:
        """Sync in the bulk lane; one at a time."""
        workspace = self._desk.workspace
        if workspace is None or self._token is not None or not self._desk.can_write:
            return
        last = [0.0]

        def progress(done: int, total: int) -> None:
            now = time.monotonic()
            if now - last[0] >= PROGRESS_EVERY_S:
                last[0] = now
                self.progressed.emit(done, total)

        def call(token: CancelToken) -> SyncReport | None:
            from annotator.workspace import syncing

            folder = syncing.state(workspace).folder
            if folder is None:
                return None
            return syncing.sync(
                workspace, folder, begin_again=begin_again, verify=verify, token=token, progress=progress
            )

        def done(report: SyncReport | None) -> None:
            if workspace is self._desk.workspace:
                self._synced(report)

        def failed(error: WorldError) -> None:
            if workspace is self._desk.workspace:
                self._failed(error)

        # In order behind a choice of folder that was asked for just before.
        self._token = CancelToken()
        token = self._token
        self._progressed(0, 0)
        self._desk.lanes.quick(lambda: None, lambda _: self._start(workspace, token, call, done, failed))

    def _start(self, workspace: Workspace, token: CancelToken, call: object, done: object, failed: object) -> None:
        if workspace is self._desk.workspace and token is self._token:
            self._desk.lanes.bulk(call, done, failed, token)  # type: ignore[arg-type]

    def _progressed(self, done: int, total: int) -> None:
        if self._token is not None:
            self._window.status.sync.show_running(done, total)
            if self._page is not None:
                self._page.show_progress(done, total)

    def cancel(self) -> None:
        """Stop; what came in until then stays."""
        if self._token is not None:
            self._token.cancel()
            self._token = None
            self._desk.reload()
            self.refresh()

    def _synced(self, report: SyncReport | None) -> None:
        self._token, self._error = None, None
        if report is not None:
            if report.came_in or report.judges or report.draws or report.attributions:
                self._desk.reload()
            self._tell(report)
        self.refresh()

    def _tell(self, report: SyncReport) -> None:
        """What a person must not overlook; each once."""
        from annotator.ui.sync_words import told_words

        if report.differences:
            self._say("error", tr("sync.message.mismatch"), "mismatch", report.differences[0].why)
        elif report.stopped:
            self._say("warn", words(report.stopped), "stopped", report.stopped)
        if report.conflicts:
            text = tr("sync.message.conflicts", n=i18n.count(report.conflicts))
            self._say("warn", text, "conflicts", f"{report.conflicts}")
        for notice in report.notices:
            self._say("warn", told_words(notice), f"notice:{notice.kind}:{notice.who}", f"{notice.kind}:{notice.who}")

    def _failed(self, error: WorldError) -> None:
        self._token, self._error = None, error
        if error.code in _ASKS:
            self._say("warn", tr("sync.message.asks"), "asks", error.sentence)
        elif error.code not in ("folder_gone", "sync_running"):  # a folder out of reach is normal: the mark says so
            self._say("warn", words(error.sentence), "failed", error.sentence)
        self.refresh()

    def _say(self, kind: MessageKind, text: str, key: str, once: str) -> None:
        from annotator.ui.widgets.message import Message

        if once in self._told:
            return
        self._told.add(once)
        if not self._listening:  # the bar is made with the first message
            self._listening = True
            self._window.messages.acted.connect(self._acted)
        self._window.messages.show_message(
            Message(kind, text, (("open", tr("sync.message.open")),), f"{MESSAGE}:{key}")
        )

    def _acted(self, key: str, action: str) -> None:
        if key.startswith(f"{MESSAGE}:") and action == "open":
            self.open_page()

    # --- settling -----------------------------------------------------------------------------------------------
    def settle(self, conflict: Conflict, event_id: str) -> None:
        """Keep one of the things said; the others stay in the history."""
        workspace = self._desk.workspace
        if workspace is None or not self._desk.can_write:
            return
        lang = i18n.language()

        def call() -> Changes:
            from annotator.workspace import syncing

            return syncing.settle(workspace, conflict, event_id, lang)

        self._desk.lanes.quick(call, self._settled)

    def _settled(self, _changes: Changes) -> None:
        self._desk.reload()
        self.refresh()

    def acknowledge(self) -> None:
        """What is kept aside was seen; the comparison with the folder is made again, and counts it as known."""
        workspace = self._desk.workspace
        if workspace is None or not self._desk.can_write:
            return

        def call() -> int:
            from annotator.workspace import syncing

            return syncing.acknowledge(workspace)

        self._desk.lanes.quick(call, self._acknowledged)

    def _acknowledged(self, fresh: int) -> None:
        self.refresh()
        if fresh:
            self.sync_now(False, False)
