"""The queue at the left: search and filters above, rows, and how to walk them below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QListView, QVBoxLayout, QWidget

from annotator.domain.queue import QueueFilter, QueueRow
from annotator.domain.rubric import scenario_name
from annotator.ui import density, i18n
from annotator.ui.i18n import tr
from annotator.ui.queue_model import ROW_ROLE, QueueDelegate, QueueList, QueueModel
from annotator.ui.queue_only import OnlyChip
from annotator.ui.queue_spot import SpotChip
from annotator.ui.widgets import ElidedLabel, EmptyState, FilterChip, Keycap, Menu, PanelHead, SearchField, Separator
from annotator.ui.widgets.base import Live
from annotator.workspace.views import QueueView

SEARCH_PAUSE_MS = 180
SPREAD = ("scenarios", "modalities", "more")


class FilterBar(Live, QWidget):
    """Search and filter chips (objectName `filterBar`).

    Signals:
        changed: the new `QueueFilter`, when a person changed it.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Everything shown: nothing is filtered at first."""
        super().__init__(parent)
        self.setObjectName("filterBar")
        self.filter = QueueFilter()
        self._view: QueueView | None = None
        self.search = SearchField()
        self.unfinished = FilterChip()
        self.chips: dict[str, FilterChip] = {}
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(SEARCH_PAUSE_MS)
        self._pause.timeout.connect(self._search_rests)
        self.only = OnlyChip()
        self.spot = SpotChip()
        self._row = QHBoxLayout()
        self._row.setSpacing(4)
        self._row.addWidget(self.unfinished)
        for name in (*SPREAD, "all"):
            self.chips[name] = FilterChip("", menu=True)
            self._row.addWidget(self.chips[name])
        self._row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(6)
        layout.addWidget(self.search)
        layout.addWidget(self.only)
        layout.addWidget(self.spot)
        layout.addLayout(self._row)
        self._connect()
        self.go_live()

    def _connect(self) -> None:
        self.search.changed.connect(self._typed)
        self.only.clicked.connect(self._leave_only)
        self.spot.chosen.connect(self._choose_spot)
        self.unfinished.clicked.connect(self._toggle_unfinished)
        self.chips["scenarios"].clicked.connect(self._open_scenarios)
        self.chips["modalities"].clicked.connect(self._open_modalities)
        self.chips["more"].clicked.connect(self._open_more)
        self.chips["all"].clicked.connect(self._open_all)

    def show_view(self, view: QueueView) -> None:
        """Take the counts that the chips and menus show."""
        self._view = view
        self.retranslate()

    def set_filter(self, new: QueueFilter) -> None:
        """Show another filter without telling anybody."""
        self.filter = new
        with QSignalBlocker(self.search):
            self.search.set_text(new.search)
        self.retranslate()

    def set_only(self, new: QueueFilter, title: str) -> None:
        """Show a filter of exact rows without telling anybody; its chip bears the title and takes the filter away."""
        self.only.set_title(title)
        self.set_filter(new)

    def _leave_only(self) -> None:
        self._change(replace(self.filter, only=frozenset()))

    def _choose_spot(self, name: str) -> None:
        self._change(replace(self.filter, project=name, only=frozenset()))

    def retranslate(self) -> None:
        """Read all texts again."""
        view, current = self._view, self.filter
        if view is not None:
            self.spot.show_spots(view.spots, current.project, view.complete, view.total)
        self.only.setVisible(bool(current.only))
        open_rows = view.total - view.complete if view else 0
        self.search.set_placeholder(tr("queue.search"))
        self.search.edit.setAccessibleName(tr("queue.search"))
        self.unfinished.set_text(tr("queue.open", n=i18n.count(open_rows)))
        self.unfinished.set_active(current.unfinished)
        self._chip("scenarios", tr("queue.scenario"), len(current.scenarios))
        self._chip("modalities", tr("queue.modality"), len(current.modalities))
        more = len(current.categories) + len(current.responders) + len(current.statuses)
        self._chip("more", tr("queue.more"), more)
        self._chip("all", tr("queue.filter"), more + len(current.scenarios) + len(current.modalities))
        self.remeasure()

    def _chip(self, name: str, text: str, chosen: int) -> None:
        chip = self.chips[name]
        chip.set_text(f"{text} {chosen}" if chosen else text)
        chip.set_active(bool(chosen))
        chip.setAccessibleName(text)

    def remeasure(self) -> None:
        """Fold the chips into one where there is no room for all."""
        spread = [self.unfinished, *(self.chips[n] for n in SPREAD)]
        needed = sum(c.sizeHint().width() for c in spread) + self._row.spacing() * (len(spread) - 1)
        folded = density.metrics().filters_fold or needed > self.width() - 20
        for name, chip in self.chips.items():
            chip.setVisible((name == "all") == folded)
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The room changed."""
        super().resizeEvent(event)
        self.remeasure()

    def _typed(self, _text: str) -> None:
        self._pause.start()

    def _search_rests(self) -> None:
        self._change(replace(self.filter, search=self.search.text()))

    def _toggle_unfinished(self) -> None:
        self._change(replace(self.filter, unfinished=not self.filter.unfinished))

    def clear(self) -> None:
        """Show everything again."""
        self.search.set_text("")
        self._change(QueueFilter())

    def _change(self, new: QueueFilter) -> None:
        self._pause.stop()
        if new != self.filter:
            self.filter = new
            self.changed.emit(new)
        self.retranslate()

    def _open_scenarios(self) -> None:
        self._popup("scenarios", ("scenarios",))

    def _open_modalities(self) -> None:
        self._popup("modalities", ("modalities",))

    def _open_more(self) -> None:
        self._popup("more", ("statuses", "responders", "categories"))

    def _open_all(self) -> None:
        self._popup("all", ("statuses", "scenarios", "modalities", "responders", "categories"))

    def _popup(self, chip: str, fields: tuple[str, ...]) -> None:
        menu = Menu(parent=self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in fields:
            target = menu if len(fields) == 1 else self._submenu(menu, name)
            self._fill(target, name)
        menu.addSeparator()
        menu.addAction(tr("queue.clear"), self.clear)
        below = self.chips[chip]
        menu.popup(below.mapToGlobal(below.rect().bottomLeft()))
        self.retranslate()

    def _submenu(self, menu: Menu, name: str) -> Menu:
        inner = Menu(tr(f"queue.field.{name}"), menu)
        menu.addMenu(inner)
        return inner

    def _fill(self, menu: Menu, name: str) -> None:
        counts: Counter[str] = getattr(self._view.facets, name) if self._view else Counter()
        chosen: frozenset[str] = getattr(self.filter, name)
        for value, n in sorted(counts.items(), key=lambda kv: (-kv[1], kv[0])):
            label = value_text(name, value, self._view).replace("&", "&&")
            action = QAction(f"{label}  {i18n.count(n)}", menu)
            action.setCheckable(True)
            action.setChecked(value in chosen)
            action.triggered.connect(self._chooser(name, value))
            menu.addAction(action)

    def _chooser(self, name: str, value: str) -> Callable[[bool], None]:
        def choose(on: bool) -> None:
            chosen: frozenset[str] = getattr(self.filter, name)
            new = chosen | {value} if on else chosen - {value}
            self._change(replace(self.filter, **{name: new}))  # type: ignore[arg-type]

        return choose


def value_text(name: str, value: str, view: QueueView | None) -> str:
    """A filter value in words; a responder by what a rater may see of it."""
    if name == "scenarios":
        return scenario_name(value, i18n.language())
    if name == "modalities":
        return tr(f"queue.kind.{value}")
    if name == "statuses":
        return tr(f"queue.status.{value}")
    if name == "responders":
        alias = view.aliases.get(value, "") if view else ""
        return tr("queue.model", name=alias) if alias else tr("queue.reference")
    return value


class QueuePanel(Live, QWidget):
    """Filter bar, rows and foot.

    Signals:
        chosen: (item id, responder) when a person picks a row.
        filter_changed: the new `QueueFilter`.
        step_wanted: +1 or -1, from the foot.
    """

    chosen = Signal(str, str)
    filter_changed = Signal(object)
    close_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start without rows."""
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self._view: QueueView | None = None
        self._current: tuple[str, str] | None = None
        self.head = PanelHead("")
        self.filters = FilterBar()
        self.model = QueueModel(self)
        self.list = QueueList()
        self._set_up_list()
        self.empty = EmptyState("list-checks")
        self.empty.activated.connect(self.filters.clear)
        self._foot = self._build_foot()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (self.head, self.filters, Separator()):
            layout.addWidget(part)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.empty, 1)
        layout.addWidget(Separator())
        layout.addWidget(self._foot)
        self.filters.changed.connect(self.filter_changed)
        self.go_live()

    def _set_up_list(self) -> None:
        view = self.list
        view.setObjectName("queueView")
        view.setModel(self.model)
        view.setItemDelegate(QueueDelegate(view))
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

    def show_view(self, view: QueueView) -> None:
        """Show rows and counts; the current row stays where it is still shown."""
        self._view = view
        self.model.set_rows(view.rows)
        self.filters.show_view(view)
        empty = not view.rows
        self.list.setVisible(not empty)
        self.empty.setVisible(empty)
        self.set_current(self._current)
        self.retranslate()

    def update_row(self, row: QueueRow, complete: int) -> None:
        """Replace one row, and the count of finished ones."""
        self.model.update_row(row)
        if self._view is not None and self._view.complete != complete:
            self._view = replace(self._view, complete=complete)
            self.filters.show_view(self._view)

    def set_current(self, key: tuple[str, str] | None) -> None:
        """Select a row and bring it into view; the one that is selected stays where it was scrolled to."""
        place = self.model.place(key)
        if key == self._current and place is not None and self.list.currentIndex().row() == place:
            return
        self._current = key
        if place is None:
            self.list.clearSelection()
            self.list.setCurrentIndex(QModelIndex())
            return
        index = self.model.index(place)
        self.list.setCurrentIndex(index)
        self.list.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def _picked(self, index: QModelIndex) -> None:
        row: QueueRow | None = index.data(ROW_ROLE)
        if row is not None:
            self.chosen.emit(row.item_id, row.responder)

    def retranslate(self) -> None:
        """Read all texts again."""
        view = self._view
        shown, total = (len(view.rows), view.total) if view else (0, 0)
        self.head.set_title(tr("queue.title"), f"{i18n.count(shown)} / {i18n.count(total)}")
        self.list.setAccessibleName(tr("queue.title"))
        self._next.set_text(tr("queue.next"))
        self._previous.set_text(tr("queue.previous"))
        if total:
            self.empty.set_texts(tr("queue.nothing"), tr("queue.nothing_why", n=i18n.count(total)), tr("queue.clear"))
        else:
            self.empty.set_texts(tr("queue.nothing_yet"), tr("queue.nothing_yet_why"), "")
        self.list.viewport().update()

    def restyle(self) -> None:
        """Colours changed."""
        self.list.viewport().update()

    def remeasure(self) -> None:
        """Row heights changed."""
        self.list.doItemsLayout()
        self.updateGeometry()
