"""What of the questions is shown: search, open ones, disagreeing profiles, and menus of what they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.domain.question_sheet import QuestionFilter
from annotator.ui import density, i18n
from annotator.ui.choice_words import name_of
from annotator.ui.i18n import tr
from annotator.ui.queuepanel import SEARCH_PAUSE_MS
from annotator.ui.widgets import FilterChip, Menu, SearchField
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.questions import QuestionQueueView

# Field of the filter -> facet of the rows.
FIELDS = {
    "domains": "domain", "categories": "category", "tasks": "task", "languages": "language", "splits": "split",
    "statuses": "status", "crosses": "cross",
}  # fmt: skip
MENUS = {"domain": ("domains", "categories"), "more": ("statuses", "crosses", "tasks", "languages", "splits")}


class QuestionFilterBar(Live, QWidget):
    """Search and filter chips (objectName `filterBar`).

    Signals:
        changed: the new `QuestionFilter`, when a person changed it.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Everything shown: nothing is filtered at first."""
        super().__init__(parent)
        self.setObjectName("filterBar")
        self.filter = QuestionFilter()
        self._view: QuestionQueueView | None = None
        self.search = SearchField()
        self.unfinished, self.letters = FilterChip(), FilterChip()
        self.chips = {name: FilterChip("", menu=True) for name in (*MENUS, "all")}
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(SEARCH_PAUSE_MS)
        self._pause.timeout.connect(self._search_rests)
        self._row = QHBoxLayout()
        self._row.setSpacing(4)
        for chip in (self.unfinished, self.letters, *self.chips.values()):
            self._row.addWidget(chip)
        self._row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(6)
        layout.addWidget(self.search)
        layout.addLayout(self._row)
        self.search.changed.connect(self._typed)
        self.unfinished.clicked.connect(self._toggle_unfinished)
        self.letters.clicked.connect(self._toggle_letters)
        self.chips["domain"].clicked.connect(self._open_domain)
        self.chips["more"].clicked.connect(self._open_more)
        self.chips["all"].clicked.connect(self._open_all)
        self.go_live()

    def show_view(self, view: QuestionQueueView) -> None:
        """Take the counts that the chips and menus show."""
        self._view = view
        self.retranslate()

    def retranslate(self) -> None:
        """Read all texts again."""
        view, current = self._view, self.filter
        self.search.set_placeholder(tr("choice.search"))
        self.search.edit.setAccessibleName(tr("choice.search"))
        self.unfinished.set_text(tr("choice.open", n=i18n.count(view.total - view.complete if view else 0)))
        self.unfinished.set_active(current.unfinished)
        self.letters.set_text(tr("choice.disagree_short"))
        self.letters.setAccessibleName(tr("choice.disagree"))
        self.letters.setToolTip(tr("choice.disagree"))
        self.letters.set_active(current.letters_open)
        for name, fields in (*MENUS.items(), ("all", tuple(FIELDS))):
            chosen = sum(len(getattr(current, field)) for field in fields) + (name == "all" and current.letters_open)
            text = tr(f"choice.filter.{name}")
            chip = self.chips[name]
            chip.set_text(f"{text} {chosen}" if chosen else text)
            chip.set_active(bool(chosen))
            chip.setAccessibleName(text)
        self.remeasure()

    def remeasure(self) -> None:
        """Fold the menus into one where there is no room for both."""
        spread = [self.unfinished, self.letters, *(self.chips[n] for n in MENUS)]
        needed = sum(c.sizeHint().width() for c in spread) + self._row.spacing() * (len(spread) - 1)
        folded = density.metrics().filters_fold or needed > self.width() - 20
        for name, chip in self.chips.items():
            chip.setVisible((name == "all") == folded)
        self.letters.setVisible(not density.metrics().filters_fold)
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

    def _toggle_letters(self) -> None:
        self._change(replace(self.filter, letters_open=not self.filter.letters_open))

    def clear(self) -> None:
        """Show everything again."""
        self.search.set_text("")
        self._change(QuestionFilter())

    def _change(self, new: QuestionFilter) -> None:
        self._pause.stop()
        if new != self.filter:
            self.filter = new
            self.changed.emit(new)
        self.retranslate()

    def _open_domain(self) -> None:
        self._popup("domain", MENUS["domain"])

    def _open_more(self) -> None:
        self._popup("more", MENUS["more"])

    def _open_all(self) -> None:
        self._popup("all", tuple(FIELDS))

    def _popup(self, chip: str, fields: tuple[str, ...]) -> None:
        menu = Menu(parent=self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self.letters.isHidden():
            action = menu.addAction(tr("choice.disagree"), self._toggle_letters)
            action.setCheckable(True)
            action.setChecked(self.filter.letters_open)
        for name in fields:
            inner = Menu(tr(f"choice.field.{FIELDS[name]}"), menu)
            menu.addMenu(inner)
            self._fill(inner, name)
        menu.addSeparator()
        menu.addAction(tr("queue.clear"), self.clear)
        below = self.chips[chip]
        menu.popup(below.mapToGlobal(below.rect().bottomLeft()))
        self.retranslate()

    def _fill(self, menu: Menu, name: str) -> None:
        held: Counter[str] = self._view.facets[FIELDS[name]] if self._view else Counter()
        chosen: frozenset[str] = getattr(self.filter, name)
        for value, n in sorted(held.items(), key=lambda kv: (-kv[1], kv[0])):
            label = value_text(FIELDS[name], value).replace("&", "&&")
            action = QAction(f"{label}  {i18n.count(n)}", menu)
            action.setCheckable(True)
            action.setChecked(value in chosen)
            action.triggered.connect(self._chooser(name, value))
            menu.addAction(action)

    def _chooser(self, name: str, value: str) -> Callable[[bool], None]:
        def choose(on: bool) -> None:
            chosen: frozenset[str] = getattr(self.filter, name)
            changes: dict[str, Any] = {name: chosen | {value} if on else chosen - {value}}
            self._change(replace(self.filter, **changes))

        return choose


def value_text(facet: str, value: str) -> str:
    """A filter value in words."""
    return tr(f"queue.status.{value}") if facet == "status" else name_of(facet, value)
