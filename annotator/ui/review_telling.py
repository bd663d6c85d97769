"""What pages tell: the saved mark, the message bar, the pixel under the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QObject, SignalInstance
from PySide6.QtGui import QColor

from annotator.errors import WorldError
from annotator.ui.after_paint import AfterPaint
from annotator.ui.desk import Desk
from annotator.ui.grid import ScoreGrid
from annotator.ui.i18n import tr
from annotator.ui.media_panel import MediaPanel
from annotator.ui.sentences import words
from annotator.ui.statusbar import StatusBar
from annotator.ui.widgets import Message, MessageBar
from annotator.ui.widgets.message import MessageKind
from annotator.workspace.views import Changes


class Picture(Protocol):
    """What shows pictures and tells of them."""

    pixel: SignalInstance
    zoom_changed: SignalInstance
    message: SignalInstance


class SaveTelling(QObject):
    """Connects the desk and what shows pictures with the status bar and the message bar.

    Two pages may both do so: a sentence under a key that is shown already takes its place.
    """

    def __init__(
        self, desk: Desk, status: StatusBar, messages: MessageBar, media: Sequence[Picture], parent: QObject
    ) -> None:
        """Connect everything that only has to be told."""
        super().__init__(parent)
        self._desk, self._status, self._messages = desk, status, messages
        self._told_failure = False
        self._under: tuple[int, int, QColor | None] = -1, -1, None
        self._told_pixel = AfterPaint(self)
        self._told_pixel.due.connect(self._tell_pixel)
        desk.save_failed.connect(self._save_failed)
        desk.outbox_changed.connect(self._outbox_changed)
        desk.outbox.saved.connect(self._saved)
        desk.hint.connect(self._hint)
        desk.nothing_left.connect(self._nothing_left)
        for shower in media:
            shower.pixel.connect(self._pixel)
            shower.zoom_changed.connect(status.show_zoom)
            shower.message.connect(self._media_message)
        messages.acted.connect(self._acted)

    def tell(self, kind: MessageKind, text: str, key: str, actions: tuple[tuple[str, str], ...] = ()) -> None:
        """Show a sentence; another one under the same key replaces it."""
        self._messages.show_message(Message(kind, text, actions, key))

    def forget(self, *keys: str) -> None:
        """Take back sentences whose matter is over."""
        for key in keys:
            self._messages.dismiss(key)

    def _hint(self, text_key: str) -> None:
        self.tell("info", tr(text_key), text_key)

    def _nothing_left(self) -> None:
        self.tell("ok", tr("messages.nothing_left"), "nothing_left")

    def _media_message(self, kind: MessageKind, text: str) -> None:
        # What is only of interest about what is open gives way to the next of its kind, and goes with its turn.
        self.tell(kind, text, "media" if kind == "info" else f"media:{text[:40]}")

    def _pixel(self, x: int, y: int, color: QColor | None) -> None:
        """What is under the pointer; when a picture goes and another comes at once, the foot is not laid out twice."""
        self._under = x, y, color
        self._told_pixel.start()

    def _tell_pixel(self) -> None:
        x, y, color = self._under
        text = "" if color is None else tr("status.pixel", x=x, y=y, colour=color.name().upper())
        self._status.show_pixel(text, color)

    def _outbox_changed(self) -> None:
        outbox = self._desk.outbox
        if not self._desk.can_write:
            self._status.show_read_only()
        elif outbox.failing:
            self._status.show_failed(outbox.waiting)
        elif outbox.waiting:
            self._status.show_pending()
        else:
            self._status.show_saved(outbox.last_saved)

    def _save_failed(self, error: WorldError, waiting: int) -> None:
        self._told_failure = True
        text = tr("messages.not_saved", why=words(error.sentence), n=waiting)
        self.tell("error", text, "not_saved", (("retry", tr("messages.retry")),))

    def _saved(self, _letter: object, _changes: Changes) -> None:
        if self._told_failure and not self._desk.outbox.failing:
            self._told_failure = False
            self._messages.dismiss("not_saved")
            self.tell("ok", tr("messages.saved_again"), "saved_again")

    def _acted(self, key: str, action: str) -> None:
        if (key, action) == ("not_saved", "retry"):
            self._desk.outbox.retry_now()


class Telling(SaveTelling):
    """The same for the audit page, whose grid marks what could not be saved."""

    def __init__(
        self, desk: Desk, status: StatusBar, messages: MessageBar, grid: ScoreGrid, media: MediaPanel, parent: QObject
    ) -> None:
        """Connect everything that only has to be told."""
        super().__init__(desk, status, messages, (media,), parent)
        self._grid = grid

    def _save_failed(self, error: WorldError, waiting: int) -> None:
        view = self._desk.view
        if view is not None:
            for intent in self._desk.outbox.unsaved(*view.row.key):
                self._grid.mark_failed(intent.target, intent.field)
        super()._save_failed(error, waiting)
