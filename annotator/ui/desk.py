"""What is open on this person's desk: the workspace, the row under review, and what is not on disk yet.

The desk stands between panels and workspace: it asks in lanes, applies a statement to the sheet at once, sends it to
the outbox, and tells by signals what changed. It draws nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from annotator.domain.queue import QueueFilter, QueueRow, next_unfinished, step
from annotator.domain.sheet import Gap
from annotator.ui import i18n
from annotator.ui.lanes import Lanes
from annotator.ui.outbox import Letter, Outbox, to_workspace
from annotator.ui.shelf import SAID_FIRST_MS, ActiveClock, Key, Places, Shelf, overlaid, row_for, soon
from annotator.ui.watch import Watch
from annotator.workspace.views import Changes, Intent, QueueView, ReviewView, WorkspaceInfo

if TYPE_CHECKING:
    from annotator.workspace.workspace import Workspace


class Desk(QObject):
    """The open workspace and the row under review.

    Signals:
        opened: WorkspaceInfo; refused: WorldError; closed.
        queue_changed: QueueView; row_changed: (QueueRow, rows complete).
        review_ready: ReviewView of another row; sheet_changed: the same row's ReviewView with a newer sheet.
        saved: (target, field) of the shown row is on disk; save_failed: (WorldError, how many wait).
        outbox_changed: something about what is not on disk changed.
        moved: (target, field) to go to, after undo and redo.
        hint: a sentence key of `messages.toml` for the message bar.
        nothing_left: no unfinished row follows.
        undo_changed: whether there is something to undo, and something to redo.
        leaving: another row is about to be shown, or none: say what is typed and not said.
        problems_changed: how many problems wait; read_ahead: the ReviewView of a row that may come next.
    """

    opened = Signal(object)
    refused = Signal(object)
    closed = Signal()
    queue_changed = Signal(object)
    row_changed = Signal(object, int)
    review_ready = Signal(object)
    sheet_changed = Signal(object)
    saved = Signal(str, str)
    save_failed = Signal(object, int)
    outbox_changed = Signal()
    moved = Signal(str, str)
    hint = Signal(str)
    nothing_left = Signal()
    problems_changed = Signal(int)
    read_ahead = Signal(object)
    leaving = Signal()
    undo_changed = Signal(bool, bool)

    def __init__(self, lanes: Lanes, parent: QObject | None = None) -> None:
        """Nothing is open at first."""
        super().__init__(parent)
        self.lanes = lanes
        self.workspace: Workspace | None = None
        self.info: WorkspaceInfo | None = None
        self.view: ReviewView | None = None
        self._queue: QueueView | None = None
        self.filter = QueueFilter()
        self.clock = ActiveClock()
        self.outbox = Outbox(lanes, self)
        self.outbox.saved.connect(self._on_saved)
        self.outbox.failed.connect(self.save_failed)
        self.outbox.state_changed.connect(self.outbox_changed)
        self.outbox.state_changed.connect(self._close_drained)
        self._closing: list[Workspace] = []
        self.watch = Watch(self)
        self._views = Shelf()
        self._places = Places()
        self._rows_told = soon(self, self._tell_rows)
        self._wanted: Key | None = None
        self._queue_asked = 0
        self._afterwards: list[str] = []
        # By kind of item: who shows what undo and redo changed, where it is no dialogue.
        self.elsewhere: dict[str, Callable[[Changes], None]] = {}

    @property
    def queue(self) -> QueueView | None:
        """The rows as filtered, with all that was said about them."""
        self._queue = self._places.merged(self._queue)
        return self._queue

    def open(self, folder: Path, *, read_only: bool = False) -> None:
        """Open a workspace in the quick lane; `opened` or `refused` follows."""

        def call() -> tuple[Workspace, WorkspaceInfo, QueueView]:
            from annotator.workspace.workspace import Workspace

            workspace = Workspace.open(folder, read_only=read_only, window=True)
            return workspace, workspace.info(), workspace.queue(QueueFilter())

        self.lanes.quick(call, self._opened, self.refused.emit)

    def adopt(self, workspace: Workspace) -> None:
        """Use a workspace that is open already."""
        self._opened((workspace, workspace.info(), workspace.queue(QueueFilter())))

    def _opened(self, answer: tuple[Workspace, WorkspaceInfo, QueueView]) -> None:
        self.close()
        self.workspace, self.info, self._queue = answer
        self.filter = QueueFilter()
        self.clock = ActiveClock()
        self.opened.emit(self.info)
        self.queue_changed.emit(self.queue)
        self.ask_problems()
        self.open_first()
        workspace = self.workspace
        self.lanes.quick(workspace.undo_state, lambda state: self.undo_changed.emit(*state))
        self.watch.start()

    def close(self) -> None:
        """Close what is open; a workspace whose statements are still on their way is closed behind them."""
        if self.workspace is None:
            return
        self.leaving.emit()
        self._closing.append(self.workspace)
        self.workspace = self.info = self.view = self._queue = None
        self._places.forget()
        self._views.clear()
        self._wanted = None
        self.closed.emit()
        self._close_drained()

    def _close_drained(self) -> None:
        if self._closing and not self.outbox.waiting:
            done, self._closing = self._closing, []
            for workspace in done:
                self.lanes.quick(workspace.close)

    @property
    def can_write(self) -> bool:
        """Whether labels can be made here."""
        return self.info is not None and not self.info.read_only

    def set_filter(self, new: QueueFilter) -> None:
        """Show other rows; of another spot-check, from its first open row on."""
        other, self.filter = new.project != self.filter.project, new
        if other:
            self._views.clear()  # what is asked of a row is another thing there
        self.refresh_queue(then_first=other)

    def refresh_queue(self, then_first: bool = False, *, fresh: bool = False) -> None:
        """Read the queue again; `fresh` from the disk."""
        workspace = self.workspace
        if workspace is None:
            return
        self._queue_asked += 1
        asked, wanted = self._queue_asked, self.filter

        def arrived(view: QueueView) -> None:
            if asked == self._queue_asked and workspace is self.workspace:
                mine = self.view.row if self.view is not None and self.outbox.waiting else None
                self._queue = overlaid(view, mine)
                self.queue_changed.emit(self.queue)
                if then_first or self.view is None:
                    self.open_first()

        self.lanes.quick(lambda: workspace.queue(wanted, fresh=fresh), arrived)

    def open_first(self) -> None:
        """Open the first row with something left to do, else the first row."""
        rows = self.queue.rows if self.queue else ()
        row = next((r for r in rows if not (r.finished or r.unplayable)), rows[0] if rows else None)
        if row is not None:
            self.open_row(row.item_id, row.responder)

    def open_row(self, item_id: str, responder: str) -> None:
        """Show a row; at once where it was read ahead."""
        self.leaving.emit()
        self._wanted = key = (item_id, responder)
        held = self._views.get(key)
        if held is not None:
            self._show(held)
            return
        workspace = self.workspace
        if workspace is None:
            return

        def arrived(view: ReviewView) -> None:
            if workspace is self.workspace:
                kept = self._keep(view)
                if self._wanted == key:
                    self._show(kept)

        self.lanes.quick(lambda: workspace.review(item_id, responder), arrived)

    def _keep(self, view: ReviewView) -> ReviewView:
        return self._views.put(view, self.outbox.unsaved(*view.row.key))

    def _show(self, view: ReviewView) -> None:
        self.leaving.emit()  # what was typed while the row was fetched belongs to the row before
        self.view = view
        self.clock.take()
        self.review_ready.emit(view)
        self._read_ahead()

    def _read_ahead(self) -> None:
        workspace, queue, view = self.workspace, self.queue, self.view
        if workspace is None or queue is None or view is None:
            return
        near = (step(queue.rows, view.row.key, 1), next_unfinished(queue.rows, view.row.key),
                step(queue.rows, view.row.key, -1))  # fmt: skip
        for key in dict.fromkeys(r.key for r in near if r is not None):
            if key not in self._views:
                self.lanes.quick(self._reader(workspace, key), self._read_ahead_arrived)

    @staticmethod
    def _reader(workspace: Workspace, key: Key) -> Callable[[], tuple[Workspace, ReviewView]]:
        return lambda: (workspace, workspace.review(*key))

    def _read_ahead_arrived(self, answer: tuple[Workspace, ReviewView]) -> None:
        workspace, view = answer
        if workspace is self.workspace:
            if view.row.key not in self._views:
                self._keep(view)
            self.read_ahead.emit(view)

    def go(self, by: int) -> None:
        """The next or previous row of the filtered order."""
        row = step(self.queue.rows, self._wanted, by) if self.queue else None
        if row is None:
            self.hint.emit("messages.last_row" if by > 0 else "messages.first_row")
        else:
            self.open_row(row.item_id, row.responder)

    def go_next_unfinished(self) -> bool:
        """The next row with something left to do; False where there is none."""
        row = next_unfinished(self.queue.rows, self._wanted) if self.queue else None
        if row is None:
            self.nothing_left.emit()
            return False
        self.open_row(row.item_id, row.responder)
        return True

    def open_responder(self, responder: str) -> None:
        """The same dialogue, answered by another."""
        if self.view is not None:
            self.open_row(self.view.dialogue.item_id, responder)

    def say(self, intents: Sequence[Intent]) -> None:
        """State something about the shown row: shown at once as pending, on disk soon after."""
        view, workspace = self.view, self.workspace
        if view is None or workspace is None or not self.can_write or not intents:
            return
        send = to_workspace(workspace, view)
        # On its way to the disk first: the lane works while the window paints.
        self.outbox.post(Letter(*view.row.key, tuple(intents), self.clock.take(), i18n.language(), send))
        self._take_sheet(view.after(intents))

    def _take_sheet(self, view: ReviewView) -> None:
        self.view = view
        if view.row.key in self._views:
            self._views.put(view)
        self._replace_rows([view.row])
        self.sheet_changed.emit(view)

    def _replace_rows(self, rows: Iterable[QueueRow]) -> None:
        self._places.note(rows)
        self._rows_told.start(SAID_FIRST_MS if self.outbox.waiting else 0)

    def _tell_rows(self) -> None:
        queue, rows = self.queue, self._places.untold()
        for row in rows if queue is not None else ():
            self.row_changed.emit(row, queue.complete)  # type: ignore[union-attr]

    def _on_saved(self, letter: Letter, changes: Changes) -> None:
        self._tell_rows()
        view = self.view
        if view is not None and view.row.key == (letter.item_id, letter.responder):
            waiting = {(i.target, i.field) for i in self.outbox.unsaved(*view.row.key)}
            for intent in letter.intents:
                if (intent.target, intent.field) not in waiting:
                    self.saved.emit(intent.target, intent.field)
        if changes.undo is not None:
            self.undo_changed.emit(*changes.undo)
        others = [k for k in changes.rows if k != (letter.item_id, letter.responder)]
        self._views.forget(others)
        self._refresh_rows(others)
        if not self.outbox.waiting and self._afterwards:
            wanted, self._afterwards = self._afterwards, []
            for name in wanted:
                self._step_back(name)

    def _refresh_rows(self, keys: Sequence[Key]) -> None:
        workspace = self.workspace
        if workspace is not None and keys:
            self.lanes.quick(lambda: workspace.rows(keys), self._replace_rows)

    def undo(self) -> None:
        """Take the last statement of this person on this device back."""
        self._step_back("undo")

    def redo(self) -> None:
        """Say again what was taken back last."""
        self._step_back("redo")

    def _step_back(self, name: str) -> None:
        workspace = self.workspace
        if workspace is None or not self.can_write:
            return
        if self.outbox.waiting:  # undo is about what is on disk; it waits for what is on its way there
            if self.outbox.failing:
                self.hint.emit("messages.undo_waits")
            else:
                self._afterwards.append(name)
            return
        lang = i18n.language()
        call = workspace.undo if name == "undo" else workspace.redo
        self.lanes.quick(lambda: call(lang), self._stepped_back)

    def _stepped_back(self, changes: Changes | None) -> None:
        if changes is None or changes.moved_to is None:
            self.hint.emit("messages.nothing_to_undo")
            return
        item_id, responder, target, field = changes.moved_to
        if changes.undo is not None:
            self.undo_changed.emit(*changes.undo)
        shower = self.elsewhere.get(item_id.partition(":")[0])
        if shower is not None:
            shower(changes)
            return
        self._views.forget(changes.rows)
        self._refresh_rows(sorted(changes.rows))
        workspace = self.workspace
        if workspace is None:
            return
        key = row_for(item_id, responder, self.view, self.queue.rows if self.queue else ())
        self._wanted = key

        def arrived(fresh: ReviewView) -> None:
            view = self._keep(fresh)
            same = self.view is not None and self.view.row.key == key
            if same:
                self._take_sheet(view)
            else:
                self._show(view)
            self.moved.emit(target, field)

        self.lanes.quick(lambda: workspace.review(*key), arrived)

    def next_gap(self, after: Gap | None) -> Gap | None:
        """What is missing next in the shown row."""
        return self.view.sheet.next_gap(after) if self.view else None

    def save_draft(self, target: str, field: str, text: str) -> None:
        """Keep a text that is being written, outside the log."""
        view, workspace = self.view, self.workspace
        if view is not None and workspace is not None and self.can_write:
            key = view.row.key
            self.lanes.quick(lambda: workspace.save_draft(*key, target, field, text))

    def ask_problems(self) -> None:
        """Count what waits for a decision."""
        workspace = self.workspace
        if workspace is not None:
            self.lanes.quick(lambda: len(workspace.problems()), self.problems_changed.emit)

    def refresh(self) -> None:
        """Read everything again and stay where the person is."""
        workspace, view = self.workspace, self.view
        self._views.clear()
        self.refresh_queue(fresh=True)
        self.ask_problems()
        if workspace is None or view is None:
            return
        key = view.row.key

        def arrived(fresh: ReviewView) -> None:
            if workspace is self.workspace:
                self.take_fresh(fresh)

        self.lanes.quick(lambda: workspace.review(*key), arrived)

    def take_fresh(self, fresh: ReviewView) -> None:
        """Show a newer reading of the row that is shown; of another row nothing is taken."""
        if self.view is not None and self.view.row.key == fresh.row.key:
            self._take_sheet(self._keep(fresh))

    def reload(self) -> None:
        """Read everything again: after an import or a decision."""
        self._views.clear()
        self.refresh_queue()
        self.ask_problems()
        if self.view is not None:
            self.open_row(*self.view.row.key)
