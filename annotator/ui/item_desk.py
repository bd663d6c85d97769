"""The desk of items that are no dialogues (questions, comparisons): what is shown, what was said, what comes next.

It shares workspace, lanes and outbox with the desk of dialogues, so that there is one way to the disk, one saved mark
and one history to undo. What the items are is said by the two desks that derive from it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QObject, Signal

from annotator.ui import i18n
from annotator.ui.after_paint import AfterPaint
from annotator.ui.desk import Desk
from annotator.ui.item_places import ItemPlaces
from annotator.ui.outbox import Letter
from annotator.ui.shelf import ActiveClock
from annotator.workspace.views import Changes, Intent

if TYPE_CHECKING:
    from annotator.workspace.workspace import Workspace

KEPT_VIEWS = 8


class ItemDesk(QObject):
    """The items of one kind in the open workspace, and the one that is shown.

    `source` is the workspace's side of them (its `queue`, `count` and `say`). A view has `row`, `sheet`, `read_only`;
    a row has `item_id`, `finished`.

    Signals:
        counted(n): how many items there are.
        queue_changed: the queue's view; row_changed: (row, rows complete).
        item_ready: the view of another item; sheet_changed: the same one's with a newer sheet.
        saved(target, field): said of the shown item and on disk.
        hint: a key of the texts for the message bar; nothing_left: no unfinished item follows.
        moved(target, field): to be brought into view, after undo and redo; come_forward: it is on this page.
        read_ahead: the view of an item that may come next.
    """

    KIND: ClassVar[str]
    LAST: ClassVar[str]
    FIRST: ClassVar[str]

    counted = Signal(int)
    queue_changed = Signal(object)
    row_changed = Signal(object, int)
    item_ready = Signal(object)
    sheet_changed = Signal(object)
    saved = Signal(str, str)
    hint = Signal(str)
    nothing_left = Signal()
    moved = Signal(str, str)
    come_forward = Signal()
    read_ahead = Signal(object)

    def __init__(self, desk: Desk, make: Callable[[Workspace], Any]) -> None:
        """`make` gives the workspace's side of the items."""
        super().__init__(desk)
        self.desk = desk
        self.source: Any = None
        self.queue: Any = None
        self.view: Any = None
        self.filter: Any = self._no_filter()
        self.clock = ActiveClock()
        self._make = make
        self._lanes, self._outbox = desk.lanes, desk.outbox
        self._views: OrderedDict[str, Any] = OrderedDict()
        self._places = ItemPlaces()
        self._wanted: str | None = None
        self._asked = 0
        # What may come next is asked for once what is shown is painted.
        self._ahead = AfterPaint(self)
        self._ahead.due.connect(self._read_ahead)
        desk.opened.connect(self._opened)
        desk.closed.connect(self._closed)
        desk.problems_changed.connect(self._count)  # after opening, importing and deciding
        desk.elsewhere[self.KIND] = self._stepped_back
        self._outbox.saved.connect(self._on_saved)

    # --- what the items are -----------------------------------------------------------------------------------
    def _no_filter(self) -> Any:
        """The filter that shows everything."""
        raise AssertionError("a desk says how its queue is filtered")

    def _read(self, source: Any, item_id: str) -> Any:
        """The view of one item; runs in a lane."""
        raise AssertionError("a desk says how an item is read")

    def _laid_over(self, view: Any, intents: Sequence[Intent]) -> Any:
        """The view with statements that are on their way to the disk laid over its sheet."""
        raise AssertionError("a desk says what a statement changes")

    # --- opening and closing ----------------------------------------------------------------------------------
    def _opened(self, _info: object) -> None:
        self._forget()
        workspace = self.desk.workspace
        self.source = self._make(workspace) if workspace is not None else None

    def _closed(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self.source = self.queue = self.view = self._wanted = None
        self.filter = self._no_filter()
        self._views.clear()
        self._places = ItemPlaces()

    def _count(self, _n: int = 0) -> None:
        source = self.source
        if source is not None:
            self._lanes.quick(source.count, self._counted)

    def _counted(self, n: int) -> None:
        if self.source is not None:
            self.counted.emit(n)

    @property
    def can_write(self) -> bool:
        """Whether anything can be said of the shown item."""
        return self.desk.can_write and self.view is not None and not self.view.read_only

    # --- the queue --------------------------------------------------------------------------------------------
    def set_filter(self, new: Any) -> None:
        """Show other rows."""
        self.filter = new
        self.refresh_queue()

    def refresh_queue(self, *, fresh: bool = False, then_first: bool = False) -> None:
        """Read the queue (again); the first item with something left to do is opened where none is, or on demand."""
        source = self.source
        if source is None:
            return
        self._asked += 1
        asked, wanted = self._asked, self.filter

        def arrived(view: Any) -> None:
            if asked == self._asked and source is self.source:
                self._take_queue(view)
                if self.view is None or then_first:
                    self.open_first()

        self._lanes.quick(lambda: source.queue(wanted, fresh=fresh), arrived)

    def reload(self) -> None:
        """Read everything again: after an import."""
        self._views.clear()
        self.refresh_queue(fresh=True)
        if self.view is not None and self.source is not None:
            self._fetch(self.source, self.view.row.item_id, self._refreshed)

    def _take_queue(self, view: Any) -> None:
        self.queue = view
        self._places.read(view)
        if self.view is not None and self._outbox.waiting:
            self._replace_row(self.view.row, tell=False)  # what is said and not on disk lies over what the store says
        self.queue_changed.emit(self.queue)

    def _replace_row(self, row: Any, *, tell: bool = True) -> None:
        if self.queue is not None:
            self.queue = self._places.replaced(self.queue, row)
            if tell:
                self.row_changed.emit(row, self.queue.complete)

    def open_first(self) -> None:
        """Open the first item with something left to do, else the first one."""
        rows = self.queue.rows if self.queue else ()
        row = next((r for r in rows if not r.finished), rows[0] if rows else None)
        if row is not None:
            self.open(row.item_id)

    def place(self) -> tuple[int, int]:
        """(which row of the queue is shown, counted from 1 and 0 where none is; how many there are)."""
        return self._places.number(self._wanted), len(self.queue.rows) if self.queue is not None else 0

    # --- the shown item ---------------------------------------------------------------------------------------
    def open(self, item_id: str) -> None:
        """Show an item; at once where it was read ahead."""
        self.desk.leaving.emit()
        self._wanted = item_id
        held, source = self._views.get(item_id), self.source
        if held is not None:
            self._show(held)
        elif source is not None:
            self._fetch(source, item_id, self._show_wanted)

    def _fetch(self, source: Any, item_id: str, then: Callable[[Any], None]) -> None:
        def arrived(view: Any) -> None:
            if source is self.source:
                then(self._keep(view))

        self._lanes.quick(lambda: self._read(source, item_id), arrived)

    def _show_wanted(self, view: Any) -> None:
        if view.row.item_id == self._wanted:
            self._show(view)

    def _keep(self, view: Any) -> Any:
        item = view.row.item_id
        unsaved = self._outbox.unsaved(item, "")
        kept = self._laid_over(view, unsaved) if unsaved else view
        self._views[item] = kept
        self._views.move_to_end(item)
        while len(self._views) > KEPT_VIEWS:
            self._views.popitem(last=False)
        return kept

    def _show(self, view: Any) -> None:
        self.desk.leaving.emit()
        self.view = view
        self.clock.take()
        self.item_ready.emit(view)
        self._ahead.start()

    def _read_ahead(self) -> None:
        source, queue, here = self.source, self.queue, self._wanted
        near = [self._places.step(queue, here, by) for by in (1, -1)]
        near.insert(1, self._places.unfinished(queue, here))
        for item in dict.fromkeys(r.item_id for r in near if r is not None):
            held = self._views.get(item)
            if held is not None:
                self.read_ahead.emit(held)
            elif source is not None:
                self._fetch(source, item, self.read_ahead.emit)

    def go(self, by: int) -> None:
        """The next or previous item of the filtered order."""
        row = self._places.step(self.queue, self._wanted, by)
        if row is None:
            self.hint.emit(self.LAST if by > 0 else self.FIRST)
        else:
            self.open(row.item_id)

    def go_next_unfinished(self) -> bool:
        """The next item with something left to do; False where there is none."""
        row = self._places.unfinished(self.queue, self._wanted)
        if row is None:
            self.nothing_left.emit()
            return False
        self.open(row.item_id)
        return True

    # --- saying -----------------------------------------------------------------------------------------------
    def _state(self, intents: Sequence[Intent], spent_ms: int) -> None:
        """Say something of the shown item: shown at once as pending, on disk soon after."""
        item = self.view.row.item_id
        self._outbox.post(Letter(item, "", tuple(intents), spent_ms, i18n.language(), _sender(self.source)))
        self._take(self._keep(self._laid_over(self.view, intents)))

    def _take(self, view: Any) -> None:
        self.view = view
        self._replace_row(view.row)
        self.sheet_changed.emit(view)

    def _on_saved(self, letter: Letter, _changes: Changes) -> None:
        item, source = letter.item_id, self.source
        if not item.startswith(self.KIND) or source is None:
            return
        waiting = {(i.target, i.field) for i in self._outbox.unsaved(item, "")}
        shown = self.view is not None and self.view.row.item_id == item
        for intent in letter.intents:
            if shown and (intent.target, intent.field) not in waiting:
                self.saved.emit(intent.target, intent.field)
        # Only the store knows what a statement reveals, and what others said: read what it hands out now.
        self._fetch(source, item, self._refreshed)

    def _refreshed(self, view: Any) -> None:
        if self.view is not None and self.view.row.item_id == view.row.item_id:
            self._take(view)
        else:
            self._replace_row(view.row)

    # --- undo -------------------------------------------------------------------------------------------------
    def _stepped_back(self, changes: Changes) -> None:
        if changes.moved_to is None or self.source is None:
            return
        item, _, target, field = changes.moved_to
        self._views.pop(item, None)
        self._wanted = item
        self.come_forward.emit()

        def arrived(view: Any) -> None:
            if self.view is not None and self.view.row.item_id == item:
                self._take(view)
            else:
                self._replace_row(view.row)
                self._show_wanted(view)
            self.moved.emit(target, field)

        self._fetch(self.source, item, arrived)


def _sender(source: Any) -> Callable[[Letter], Changes]:
    """How a letter reaches the items it was written for."""

    def send(letter: Letter) -> Changes:
        changes: Changes = source.say(letter.item_id, letter.intents, letter.active_ms, letter.lang)
        # The queue of dialogues knows none of these rows.
        return replace(changes, rows=frozenset())

    return send
