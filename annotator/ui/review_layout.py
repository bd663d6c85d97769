"""Where the panels of the audit page are: queue left, media centre, texts and scores right. Places do not move."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.grid import ScoreGrid
from annotator.ui.widgets import Separator, Splitter

TRANSCRIPT_LEAST = 90


class ReviewLayout(QWidget):
    """Splitters and visibility; what is shown in small windows is decided here by the size class."""

    def __init__(
        self, queue: QWidget, itembar: QWidget, media: QWidget, tray: QWidget, transcript: QWidget, grid: ScoreGrid
    ) -> None:
        """Take the panels into their places."""
        super().__init__()
        self._queue = queue
        self._queue_wanted: bool | None = None
        self._widths: tuple[int, int] | None = None
        self.columns = Splitter(Qt.Orientation.Horizontal)
        self.centre = Splitter(Qt.Orientation.Vertical)
        self.centre.addWidget(media)
        self.centre.addWidget(tray)
        self.centre.setStretchFactor(0, 1)
        self.centre.setCollapsible(0, False)
        self.inner = Splitter(Qt.Orientation.Horizontal)
        self.inner.addWidget(self.centre)
        self._grid = grid
        self._right_column = self._right(transcript, grid)
        self.inner.addWidget(self._right_column)
        self.inner.setStretchFactor(0, 1)
        self.inner.setChildrenCollapsible(False)
        main = QWidget()
        column = QVBoxLayout(main)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(itembar)
        column.addWidget(Separator())
        column.addWidget(self.inner, 1)
        self.columns.addWidget(queue)
        self.columns.addWidget(main)
        self.columns.setStretchFactor(1, 1)
        self.columns.setChildrenCollapsible(False)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.columns)
        self.remeasure()

    @staticmethod
    def _right(transcript: QWidget, grid: QWidget) -> QWidget:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        # The grid keeps its height; the transcript gives way.
        column.addWidget(transcript, 1)
        column.addWidget(Separator(role="line"))
        column.addWidget(grid)
        return right

    def remeasure(self) -> None:
        """Column widths of the size class, once per class; a person's own drag stays within one class."""
        metrics = density.metrics()
        widths = (metrics.queue_width, metrics.right_width)
        self._queue.setMinimumWidth(metrics.queue_min)
        self._queue.setMaximumWidth(metrics.queue_max)
        right = self._right_column
        right.setMinimumWidth(metrics.right_min)
        right.setMaximumWidth(metrics.right_max)
        self._queue.setVisible(self._queue_wanted if self._queue_wanted is not None else not density.queue_closes())
        if widths != self._widths and self.width() > metrics.queue_width + metrics.right_width:
            self._widths = widths
            total = self.width()
            self.columns.setSizes([metrics.queue_width, total - metrics.queue_width])
            rest = total - (metrics.queue_width if self._queue.isVisible() else 0)
            self.inner.setSizes([rest - metrics.right_width, metrics.right_width])
        self._give_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The grid keeps its height, but leaves the transcript some lines however large the text is."""
        super().resizeEvent(event)
        self._give_room()

    def _give_room(self) -> None:
        room = self.height() - density.metrics().item_bar - density.scaled(TRANSCRIPT_LEAST)
        self._grid.set_room(room)

    def toggle_queue(self) -> None:
        """Show or hide the queue."""
        self._queue_wanted = not self._queue.isVisible()
        self.remeasure()

    def show_queue(self) -> None:
        """Show the queue."""
        self._queue_wanted = True
        self.remeasure()
