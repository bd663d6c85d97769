"""Where the panels of a question are: queue left, image centre, question and choices right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.choice_column import column_width
from annotator.ui.widgets import Separator, Splitter


class ChoiceLayout(QWidget):
    """Splitters and visibility; what is shown in small windows is decided here by the size class."""

    def __init__(self, queue: QWidget, itembar: QWidget, stage: QWidget, tray: QWidget, column: QWidget) -> None:
        """Take the panels into their places."""
        super().__init__()
        self._queue, self._column = queue, column
        self._queue_wanted: bool | None = None
        self._widths: tuple[int, int] | None = None
        centre = QWidget()
        upright = QVBoxLayout(centre)
        upright.setContentsMargins(0, 0, 0, 0)
        upright.setSpacing(0)
        upright.addWidget(stage, 1)
        upright.addWidget(tray)
        self.inner = Splitter(Qt.Orientation.Horizontal)
        self.inner.addWidget(centre)
        self.inner.addWidget(column)
        self.inner.setStretchFactor(0, 1)
        main = QWidget()
        above = QVBoxLayout(main)
        above.setContentsMargins(0, 0, 0, 0)
        above.setSpacing(0)
        above.addWidget(itembar)
        above.addWidget(Separator())
        above.addWidget(self.inner, 1)
        self.columns = Splitter(Qt.Orientation.Horizontal)
        self.columns.addWidget(queue)
        self.columns.addWidget(main)
        self.columns.setStretchFactor(1, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.columns)
        self.remeasure()

    def remeasure(self) -> None:
        """Column widths of the size class, once per class; a person's own drag stays within one class."""
        table = density.metrics()
        widths = (table.queue_width, column_width())
        self._queue.setMinimumWidth(table.queue_min)
        self._queue.setMaximumWidth(table.queue_max)
        self._queue.setVisible(self._queue_wanted if self._queue_wanted is not None else not density.queue_closes())
        if widths != self._widths and self.width() > sum(widths):
            self._widths = widths
            total = self.width()
            self.columns.setSizes([widths[0], total - widths[0]])
            rest = total - (0 if self._queue.isHidden() else widths[0])
            self.inner.setSizes([rest - widths[1], widths[1]])

    def toggle_queue(self) -> None:
        """Show or hide the queue."""
        self._queue_wanted = self._queue.isHidden()
        self.remeasure()

    def show_queue(self) -> None:
        """Show the queue."""
        self._queue_wanted = True
        self.remeasure()
