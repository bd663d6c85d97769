"""Where the panels of a comparison are: queue left, media and responses, the ranking below, and room for a reviewer."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from annotator.ui import density
from annotator.ui.density import Density
from annotator.ui.widgets import Splitter


class ComparisonLayout(QWidget):
    """The queue is closed unless the window is wide or somebody opened it: the responses need the room."""

    def __init__(self, queue: QWidget, itembar: QWidget, panel: QWidget, ranking: QWidget, empty: QWidget) -> None:
        """Take the panels into their places; `empty` stands where there is nothing to compare."""
        super().__init__()
        self._queue = queue
        self._queue_wanted: bool | None = None
        self._width: int | None = None
        self._above, self._below, self._beside = QVBoxLayout(), QVBoxLayout(), QHBoxLayout()
        self._beside.setSpacing(0)
        for slot in (self._above, self._below):
            slot.setSpacing(0)
        work = QWidget()
        upright = QVBoxLayout(work)
        upright.setContentsMargins(0, 0, 0, 0)
        upright.setSpacing(0)
        upright.addLayout(self._above)
        middle = QHBoxLayout()
        middle.setSpacing(0)
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(panel, 1)
        left.addWidget(ranking)
        middle.addLayout(left, 1)
        middle.addLayout(self._beside)
        upright.addLayout(middle, 1)
        upright.addLayout(self._below)
        self._work, self._empty = work, empty
        self.stack = QStackedWidget()
        self.stack.addWidget(work)
        self.stack.addWidget(empty)
        main = QWidget()
        whole = QVBoxLayout(main)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(itembar)
        whole.addWidget(self.stack, 1)
        self.columns = Splitter(Qt.Orientation.Horizontal)
        self.columns.addWidget(queue)
        self.columns.addWidget(main)
        self.columns.setStretchFactor(1, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.columns)
        self.remeasure()

    def add_above(self, widget: QWidget) -> None:
        """A bar under the item bar."""
        self._above.addWidget(widget)

    def add_beside(self, widget: QWidget) -> None:
        """A panel at the right of the responses, as wide as its size hint."""
        self._beside.addWidget(widget)

    def add_below(self, widget: QWidget) -> None:
        """A bar or panel under the ranking."""
        self._below.addWidget(widget)

    def show_empty(self, empty: bool) -> None:
        """Nothing to compare, or the comparison."""
        self.stack.setCurrentWidget(self._empty if empty else self._work)

    def is_empty(self) -> bool:
        """Whether the sentence stands in place of a comparison."""
        return self.stack.currentWidget() is self._empty

    def remeasure(self) -> None:
        """The queue's width of the size class, once per class; a person's own drag stays within one class."""
        table = density.metrics()
        self._queue.setMinimumWidth(table.queue_min)
        self._queue.setMaximumWidth(table.queue_max)
        wide = density.current() is Density.WIDE
        self._queue.setVisible(self._queue_wanted if self._queue_wanted is not None else wide)
        if table.queue_width != self._width and self.width() > table.queue_width:
            self._width = table.queue_width
            self.columns.setSizes([table.queue_width, self.width() - table.queue_width])

    def toggle_queue(self) -> None:
        """Show or hide the queue."""
        self._queue_wanted = self._queue.isHidden()
        self.remeasure()

    def show_queue(self) -> None:
        """Show the queue."""
        self._queue_wanted = True
        self.remeasure()
