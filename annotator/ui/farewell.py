"""Closing the window without losing a word: it goes when everything that was said is on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from annotator.ui.i18n import tr

if TYPE_CHECKING:
    from annotator.ui.desk import Desk


class Farewell(QObject):
    """Lets a window close at once, a little later, or only after a person gave up what cannot be saved."""

    def __init__(self, window: QWidget) -> None:
        """For this window."""
        super().__init__(window)
        self._window = window
        self._waiting_for: Desk | None = None
        self._given_up = False

    def may_go(self, desk: Desk) -> bool:
        """Whether the window may close now; if not, it is closed again when saving has ended or has failed."""
        desk.leaving.emit()
        if not desk.outbox.waiting or self._given_up:
            return True
        if desk.outbox.failing:
            self._given_up = self._asked(desk.outbox.waiting)
            return self._given_up
        if self._waiting_for is None:
            self._waiting_for = desk
            desk.outbox_changed.connect(self._look_again)
        return False

    def _look_again(self) -> None:
        desk = self._waiting_for
        if desk is not None and (not desk.outbox.waiting or desk.outbox.failing):
            desk.outbox_changed.disconnect(self._look_again)
            self._waiting_for = None
            self._window.close()

    def _asked(self, waiting: int) -> bool:
        question = tr("messages.close_unsaved", n=waiting)
        answer = QMessageBox.question(self._window, tr("window.title"), question)
        return answer == QMessageBox.StandardButton.Yes
