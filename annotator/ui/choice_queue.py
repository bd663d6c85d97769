"""The queue of questions at the left: search and filters above, rows, and how to walk them below."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QVBoxLayout, QWidget

from annotator.domain.question_sheet import QuestionRow
from annotator.ui import i18n
from annotator.ui.choice_filter import QuestionFilterBar
from annotator.ui.choice_queue_model import QuestionDelegate, QuestionModel
from annotator.ui.i18n import tr
from annotator.ui.queue_model import ROW_ROLE, QueueList
from annotator.ui.widgets import ElidedLabel, EmptyState, Keycap, PanelHead, Separator
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.questions import QuestionQueueView


class QuestionQueuePanel(Live, QWidget):
    """Filter bar, rows and foot.

    Signals:
        chosen(item id): a person picks a row.
        filter_changed: the new `QuestionFilter`.
    """

    chosen = Signal(str)
    filter_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start without rows."""
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self._view: QuestionQueueView | None = None
        self._current: str | None = None
        self.head = PanelHead("")
        self.filters = QuestionFilterBar()
        self.model = QuestionModel(self)
        self.list = QueueList()
        self._set_up_list()
        self.empty = EmptyState("list-checks")
        self.empty.activated.connect(self.filters.clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (self.head, self.filters, Separator()):
            layout.addWidget(part)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.empty, 1)
        layout.addWidget(Separator())
        layout.addWidget(self._build_foot())
        self.filters.changed.connect(self.filter_changed)
        self.go_live()

    def _set_up_list(self) -> None:
        view = self.list
        view.setObjectName("queueView")
        view.setModel(self.model)
        view.setItemDelegate(QuestionDelegate(view))
        view.setUniformItemSizes(True)
        view.setMouseTracking(True)
        view.setFrameShape(QListView.Shape.NoFrame)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.clicked.connect(self._picked)
        view.activated.connect(self._picked)

    def _build_foot(self) -> QWidget:
        foot = QWidget()
        row = QHBoxLayout(foot)
        row.setContentsMargins(10, 4, 10, 4)
        row.setSpacing(6)
        self._next = ElidedLabel("", style="label", role="text2")
        self._previous = ElidedLabel("", style="label", role="text2")
        for cap, label in (("item_next", self._next), ("item_prev", self._previous)):
            row.addWidget(Keycap(cap))
            row.addWidget(label)
        row.addStretch(1)
        return foot

    def show_view(self, view: QuestionQueueView) -> None:
        """Show rows and counts; the current row stays where it is still shown."""
        self._view = view
        self.model.set_rows(view.rows)
        self.filters.show_view(view)
        self.list.setVisible(bool(view.rows))
        self.empty.setVisible(not view.rows)
        self.set_current(self._current)
        self.retranslate()

    def update_row(self, row: QuestionRow, complete: int) -> None:
        """Replace one row, and the count of finished ones."""
        self.model.update_row(row)
        if self._view is not None and self._view.complete != complete:
            self._view = replace(self._view, complete=complete)
            self.filters.show_view(self._view)

    def set_current(self, item_id: str | None) -> None:
        """Select a row and bring it into view."""
        self._current = item_id
        place = self.model.place(item_id)
        if place is None:
            self.list.clearSelection()
            self.list.setCurrentIndex(QModelIndex())
            return
        index = self.model.index(place)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def _picked(self, index: QModelIndex) -> None:
        row: QuestionRow | None = index.data(ROW_ROLE)
        if row is not None:
            self.chosen.emit(row.item_id)

    def retranslate(self) -> None:
        """Read all texts again."""
        view = self._view
        shown, total = (len(view.rows), view.total) if view else (0, 0)
        self.head.set_title(tr("choice.title"), f"{i18n.count(shown)} / {i18n.count(total)}")
        self.list.setAccessibleName(tr("choice.title"))
        self._next.set_text(tr("choice.next_short"))
        self._previous.set_text(tr("choice.previous_short"))
        why = tr("choice.nothing_why", n=i18n.count(total)) if total else tr("choice.nothing_yet_why")
        self.empty.set_texts(tr("choice.nothing"), why, tr("queue.clear") if total else "")
        self.list.viewport().update()

    def restyle(self) -> None:
        """Colours changed."""
        self.list.viewport().update()

    def remeasure(self) -> None:
        """Row heights changed."""
        self.list.doItemsLayout()
        self.updateGeometry()
