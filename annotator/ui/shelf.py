"""Small helpers of the desk: the clock of active time, and the shelf of review views that were read ahead."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer

from annotator.domain.queue import QueueRow, row_after
from annotator.workspace.views import Intent, QueueView, ReviewView

KEPT_VIEWS = 12
# What was said is painted and saved first; what follows from it on other panels waits for that, but not longer.
SAID_FIRST_MS = 15
IDLE_MS = 30_000
Key = tuple[str, str]


class ActiveClock:
    """Milliseconds that a person was at it: gaps longer than half a minute count as half a minute."""

    def __init__(self) -> None:
        """Start now."""
        self._last = time.monotonic()
        self._sum = 0.0

    def touch(self) -> None:
        """The person did something."""
        now = time.monotonic()
        self._sum += min((now - self._last) * 1000, IDLE_MS)
        self._last = now

    def take(self) -> int:
        """The milliseconds since the last taking."""
        self.touch()
        taken, self._sum = round(self._sum), 0.0
        return taken


class Places:
    """Where each row of a queue stands, so that a score does not look through thousands of rows for one.

    A row that changed is noted at once and put into the queue when somebody looks: not while a score is on its way to
    the screen.
    """

    def __init__(self) -> None:
        """No queue yet."""
        self._rows: Sequence[QueueRow] | None = None
        self._places: dict[Key, int] = {}
        self._noted: dict[Key, QueueRow] = {}
        self._untold: dict[Key, QueueRow] = {}

    def note(self, rows: Iterable[QueueRow]) -> None:
        """Take rows as they stand now."""
        for row in rows:
            self._noted[row.key] = self._untold[row.key] = row

    def merged(self, queue: QueueView | None) -> QueueView | None:
        """The queue with what was noted since."""
        if queue is None or not self._noted:
            return queue
        rows, self._noted = self._noted, {}
        return self.replaced(queue, rows.values())

    def untold(self) -> list[QueueRow]:
        """What was noted since the last time that this was asked."""
        rows, self._untold = list(self._untold.values()), {}
        return rows

    def forget(self) -> None:
        """Another workspace: nothing noted counts any more."""
        self._noted.clear()
        self._untold.clear()

    def replaced(self, queue: QueueView, rows: Iterable[QueueRow]) -> QueueView:
        """The queue with these rows instead of their older selves, and its count of complete ones; others are left."""
        if self._rows is not queue.rows:
            self._places = {row.key: place for place, row in enumerate(queue.rows)}
        held, gained = list(queue.rows), 0
        for row in rows:
            place = self._places.get(row.key)
            if place is not None:
                gained += row.finished - held[place].finished
                held[place] = row
        made = replace(queue, rows=tuple(held), complete=queue.complete + gained)
        self._rows = made.rows
        return made


def overlaid(queue: QueueView, mine: QueueRow | None) -> QueueView:
    """A queue as read, with a row about which something is said and not on disk yet over what the store says of it."""
    if mine is None:
        return queue
    return replace(queue, rows=tuple(mine if row.key == mine.key else row for row in queue.rows))


def soon(parent: QObject, call: Callable[[], None]) -> QTimer:
    """A timer that makes a call once, behind what is due to be painted: in the event loop's next turn, or later."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.timeout.connect(call)
    return timer


def row_for(item_id: str, responder: str | None, view: ReviewView | None, rows: Sequence[QueueRow]) -> Key:
    """The row to show for a label; candidate labels belong to the dialogue, so any of its rows will do."""
    if responder is not None:
        return (item_id, responder)
    if view is not None and view.row.item_id == item_id:
        return view.row.key
    return next((r.key for r in rows if r.item_id == item_id), (item_id, ""))


class Shelf:
    """The last few review views, newest last, so that the next row is there before it is asked for."""

    def __init__(self) -> None:
        """Empty."""
        self._views: OrderedDict[Key, ReviewView] = OrderedDict()

    def get(self, key: Key) -> ReviewView | None:
        """The view of a row, if it is here."""
        return self._views.get(key)

    def __contains__(self, key: Key) -> bool:
        """Whether a row's view is here."""
        return key in self._views

    def put(self, view: ReviewView, unsaved: Iterable[Intent] = ()) -> ReviewView:
        """Keep a view; what is said and not on disk yet lies over it. Returns what is kept."""
        sheet = view.sheet
        for intent in unsaved:
            sheet = sheet.with_value(intent.target, intent.field, intent.value)
        if sheet is not view.sheet:
            view = replace(view, sheet=sheet, row=row_after(view.row, sheet))
        self._views[view.row.key] = view
        self._views.move_to_end(view.row.key)
        while len(self._views) > KEPT_VIEWS:
            self._views.popitem(last=False)
        return view

    def forget(self, keys: Iterable[Key]) -> None:
        """Drop some views: they changed."""
        for key in keys:
            self._views.pop(key, None)

    def clear(self) -> None:
        """Drop all."""
        self._views.clear()
