"""Looks now and then whether others wrote into the open workspace: a command, a sync, another window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from annotator.ui.desk import Desk

LOOK_MS = 1500


class Watch(QObject):
    """Asks in the quick lane while nothing else is going on, and lets the desk read anew."""

    def __init__(self, desk: Desk) -> None:
        """Not started: there is no workspace yet."""
        super().__init__(desk)
        self._desk = desk
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """A workspace was opened."""
        self._timer.start()

    def look(self) -> None:
        """Ask once."""
        desk = self._desk
        workspace = desk.workspace
        if workspace is None:
            self._timer.stop()
        elif not (desk.outbox.waiting or desk.lanes.busy):
            desk.lanes.quick(workspace.outside.changed, self._looked)

    def _looked(self, changed: bool) -> None:
        if changed and self._desk.workspace is not None:
            self._desk.refresh()
