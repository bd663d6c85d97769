"""The queue of items that are no dialogues: search and filters above, rows, and how to walk them below."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QVBoxLayout, QWidget

from annotator.ui import i18n
from annotator.ui.i18n import tr
from annotator.ui.item_filter import ItemFilterBar
from annotator.ui.item_queue_model import ItemDelegate, ItemModel
from annotator.ui.queue_model import ROW_ROLE, QueueList
from annotator.ui.widgets import ElidedLabel, EmptyState, Keycap, PanelHead, Separator
from annotator.ui.widgets.base import Live


class QueueTexts(NamedTuple):
    """The keys of a queue's words: its title, that no row is shown, and why (some, or none at all)."""

    title: str
    nothing: str
    nothing_why: str
    nothing_yet_why: str


class ItemQueuePanel(Live, QWidget):
    """Filter bar, rows and foot.

    Signals:
        chosen(item id): a person picks a row.
        filter_changed: the new filter.
    """

    chosen = Signal(str)
    filter_changed = Signal(object)

    def __init__(
        self, texts: QueueTexts, icon: str, filters: ItemFilterBar, model: ItemModel, delegate: type[ItemDelegate]
    ) -> None:
        """Start without rows; `texts` are the keys of its words."""
        super().__init__()
        self._texts = texts
        self.setAutoFillBackground(True)
        self._view: Any = None
        self._current: str | None = None
        self.head = PanelHead("")
        self.filters = filters
        self.model = model
        model.setParent(self)
        self.list = QueueList()
        self._set_up_list(delegate)
        self.empty = EmptyState(icon)
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

    def _set_up_list(self, delegate: type[ItemDelegate]) -> None:
        view = self.list
        view.setObjectName("queueView")
        view.setModel(self.model)
        view.setItemDelegate(delegate(view))
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

    def show_view(self, view: Any) -> None:
        """Show rows and counts; the current row stays where it is still shown."""
        self._view = view
        self.model.set_rows(view.rows)
        self.filters.show_view(view)
        self.list.setVisible(bool(view.rows))
        self.empty.setVisible(not view.rows)
        self.set_current(self._current)
        self.retranslate()

    def update_row(self, row: Any, complete: int) -> None:
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
        row: Any = index.data(ROW_ROLE)
        if row is not None:
            self.chosen.emit(row.item_id)

    def retranslate(self) -> None:
        """Read all texts again."""
        view = self._view
        shown, total = (len(view.rows), view.total) if view else (0, 0)
        title = tr(self._texts.title)
        self.head.set_title(title, f"{i18n.count(shown)} / {i18n.count(total)}")
        self.list.setAccessibleName(title)
        self._next.set_text(tr("choice.next_short"))
        self._previous.set_text(tr("choice.previous_short"))
        texts = self._texts
        why = tr(texts.nothing_why, n=i18n.count(total)) if total else tr(texts.nothing_yet_why)
        self.empty.set_texts(tr(texts.nothing), why, tr("queue.clear") if total else "")
        self.list.viewport().update()

    def restyle(self) -> None:
        """Colours changed."""
        self.list.viewport().update()

    def remeasure(self) -> None:
        """Row heights changed."""
        self.list.doItemsLayout()
        self.updateGeometry()
