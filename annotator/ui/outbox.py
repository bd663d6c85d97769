"""What a person said and the disk has not confirmed: kept in order, sent in order, never dropped.

A statement is shown at once as pending. It leaves the outbox only when COMMIT and the journal's fsync have returned. A
failed save keeps everything, says so once, and is tried again until it works.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from annotator.errors import WorldError
from annotator.ui.lanes import Lanes
from annotator.workspace.views import Changes, Intent, ReviewView

if TYPE_CHECKING:
    from annotator.workspace.workspace import Workspace

RETRY_MS = 2000


@dataclass(frozen=True, slots=True)
class Letter:
    """Statements about one queue row that belong together, made at one moment."""

    item_id: str
    responder: str
    intents: tuple[Intent, ...]
    active_ms: int
    lang: str
    send: Send


Send = Callable[["Letter"], Changes]


class Outbox(QObject):
    """Sends letters one after another through the quick lane.

    Signals:
        saved: (letter, changes) when a letter is durable.
        failed: (error, waiting) the first time that saving fails; not again until something was saved.
        state_changed: whenever the number waiting, or failing, changed.
    """

    saved = Signal(object, object)
    failed = Signal(object, int)
    state_changed = Signal()

    def __init__(self, lanes: Lanes, parent: QObject | None = None) -> None:
        """Nothing waits."""
        super().__init__(parent)
        self._lanes = lanes
        self._waiting: list[Letter] = []
        self._in_flight = False
        self.failing = False
        self.last_saved: float | None = None
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.setInterval(RETRY_MS)
        self._retry.timeout.connect(self._pump)

    @property
    def waiting(self) -> int:
        """How many statements are not on disk yet."""
        return sum(len(letter.intents) for letter in self._waiting)

    def post(self, letter: Letter) -> None:
        """Put statements into the outbox and start sending.

        A letter carries its own way to the disk (`send`, called in the quick lane; it returns when the letter is
        durable), so that one that still waits when another workspace is opened goes where it was meant to go.
        """
        self._waiting.append(letter)
        self.state_changed.emit()
        if not self.failing:
            self._pump()

    def unsaved(self, item_id: str, responder: str) -> tuple[Intent, ...]:
        """What waits about one row, oldest first: it lies over what the store says."""
        return tuple(i for w in self._waiting if (w.item_id, w.responder) == (item_id, responder) for i in w.intents)

    def retry_now(self) -> None:
        """Try again at once."""
        self._retry.stop()
        self._pump()

    def _pump(self) -> None:
        if self._in_flight or not self._waiting:
            return
        self._in_flight = True
        letter = self._waiting[0]
        self._lanes.quick(lambda: (letter, letter.send(letter)), self._on_saved, self._on_failed)

    def _on_saved(self, answer: tuple[Letter, Changes]) -> None:
        letter, changes = answer
        self._in_flight = False
        self._waiting.pop(0)
        self.failing = False
        self.last_saved = time.monotonic()
        self.saved.emit(letter, changes)
        self.state_changed.emit()
        self._pump()

    def _on_failed(self, error: WorldError) -> None:
        self._in_flight = False
        first = not self.failing
        self.failing = True
        self._retry.start()
        self.state_changed.emit()
        if first:
            self.failed.emit(error, self.waiting)


def to_workspace(workspace: Workspace, seen: ReviewView) -> Callable[[Letter], Changes]:
    """How a letter reaches the workspace it was written for, with what was before the person's eyes."""

    def send(letter: Letter) -> Changes:
        return workspace.say(letter.item_id, letter.responder, letter.intents, letter.active_ms, letter.lang, seen=seen)

    return send
