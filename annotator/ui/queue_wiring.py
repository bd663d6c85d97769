"""The desk's queue on the audit page: rows, filters, the row that is open, and how much is complete."""

from __future__ import annotations

from PySide6.QtCore import QObject

from annotator.domain.queue import QueueRow
from annotator.ui.desk import Desk
from annotator.ui.queuepanel import QueuePanel
from annotator.ui.statusbar import StatusBar
from annotator.workspace.views import QueueView


class QueueWiring(QObject):
    """Connects the desk's queue with the panel that shows it, and with the count in the status bar."""

    def __init__(self, desk: Desk, panel: QueuePanel, status: StatusBar) -> None:
        """Show what is there, and what changes from now on."""
        super().__init__(panel)
        self._desk, self._panel, self._status = desk, panel, status
        desk.queue_changed.connect(self._changed)
        desk.row_changed.connect(self._row_changed)
        panel.chosen.connect(desk.open_row)
        panel.filter_changed.connect(desk.set_filter)
        if desk.queue is not None:
            panel.show_view(desk.queue)

    def _changed(self, view: QueueView) -> None:
        self._panel.show_view(view)
        self._tell(view.complete)

    def _row_changed(self, row: QueueRow, complete: int) -> None:
        self._panel.update_row(row, complete)
        self._tell(complete)

    def _tell(self, complete: int) -> None:
        queue = self._desk.queue
        if queue is not None:
            self._status.progress.set_progress(complete, queue.total)
