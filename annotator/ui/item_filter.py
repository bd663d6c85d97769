"""What of the items of one kind is shown: search, chips that are on or off, and menus of what the items are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from annotator.ui import density, i18n
from annotator.ui.i18n import tr
from annotator.ui.queuepanel import SEARCH_PAUSE_MS
from annotator.ui.widgets import FilterChip, Menu, SearchField
from annotator.ui.widgets.base import Live


class ItemFilterBar(Live, QWidget):
    """Search and filter chips (objectName `filterBar`); the filter has `search` and `unfinished`.

    Signals:
        changed: the new filter, when a person changed it.
    """

    # Keys of the texts; field of the filter -> facet of the rows; chip -> fields of its menu.
    SEARCH: ClassVar[str]
    OPEN: ClassVar[str]
    FIELDS: ClassVar[Mapping[str, str]]
    MENUS: ClassVar[Mapping[str, tuple[str, ...]]]

    changed = Signal(object)

    def __init__(self, empty: Any, parent: QWidget | None = None) -> None:
        """Everything shown: nothing is filtered at first, as `empty` says."""
        super().__init__(parent)
        self.setObjectName("filterBar")
        self.filter = self._empty = empty
        self._view: Any = None
        self.search = SearchField()
        self.unfinished = FilterChip()
        self.switches: dict[str, FilterChip] = {name: FilterChip() for name in self.switched()}
        self.chips = {name: FilterChip("", menu=True) for name in (*self.MENUS, "all")}
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(SEARCH_PAUSE_MS)
        self._pause.timeout.connect(self._search_rests)
        self._row = QHBoxLayout()
        self._row.setSpacing(4)
        for chip in (self.unfinished, *self.switches.values(), *self.chips.values()):
            self._row.addWidget(chip)
        self._row.addStretch(1)
        layout = self._column = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(6)
        layout.addWidget(self.search)
        layout.addLayout(self._row)
        self.search.changed.connect(self._typed)
        self.unfinished.clicked.connect(self._toggle_unfinished)
        for name, chip in self.switches.items():
            chip.setProperty("field", name)
            chip.clicked.connect(self._switched)
        for name, chip in self.chips.items():
            chip.setProperty("menu", name)
            chip.clicked.connect(self._menu_wanted)
        self.go_live()

    # --- what the filter is -----------------------------------------------------------------------------------
    def switched(self) -> tuple[str, ...]:
        """Further fields of the filter that are on or off; subclasses say."""
        return ()

    def chosen(self, field: str) -> frozenset[str]:
        """The values of a field that are asked for."""
        held = getattr(self.filter, field)
        return held if isinstance(held, frozenset) else frozenset(filter(None, (held,)))

    def toggled(self, field: str, value: str, on: bool) -> Any:
        """The filter with one value asked for, or not."""
        if isinstance(getattr(self.filter, field), frozenset):
            chosen = self.chosen(field)
            return replace(self.filter, **{field: chosen | {value} if on else chosen - {value}})
        return replace(self.filter, **{field: value if on else ""})

    def chip_text(self, name: str) -> str:
        """The word on the chip of a menu; subclasses say."""
        return name

    def field_text(self, facet: str) -> str:
        """A field in words; subclasses say."""
        return facet

    def switch_texts(self, name: str) -> tuple[str, str]:
        """(the word on the chip, the whole sentence) of a field that is on or off; subclasses say."""
        return name, name

    def value_text(self, facet: str, value: str) -> str:
        """A value in words; subclasses say."""
        return tr(f"queue.status.{value}") if facet == "status" else value

    # --- showing ----------------------------------------------------------------------------------------------
    def show_view(self, view: Any) -> None:
        """Take the counts that the chips and menus show."""
        self._view = view
        self.retranslate()

    def retranslate(self) -> None:
        """Read all texts again."""
        view, current = self._view, self.filter
        self.search.set_placeholder(tr(self.SEARCH))
        self.search.edit.setAccessibleName(tr(self.SEARCH))
        self.unfinished.set_text(tr(self.OPEN, n=i18n.count(view.total - view.complete if view else 0)))
        self.unfinished.set_active(current.unfinished)
        for name, chip in self.switches.items():
            word, sentence = self.switch_texts(name)
            chip.set_text(word)
            chip.setAccessibleName(sentence)
            chip.setToolTip(sentence)
            chip.set_active(getattr(current, name))
        for name, fields in (*self.MENUS.items(), ("all", tuple(self.FIELDS))):
            chosen = sum(len(self.chosen(field)) for field in fields)
            if name == "all":
                chosen += sum(getattr(current, switch) for switch in self.switches)
            text = self.chip_text(name)
            chip = self.chips[name]
            chip.set_text(f"{text} {chosen}" if chosen else text)
            chip.set_active(bool(chosen))
            chip.setAccessibleName(text)
        self.remeasure()

    def remeasure(self) -> None:
        """Fold the menus into one where there is no room for them."""
        folds = density.metrics().filters_fold
        spread = [self.unfinished, *self.switches.values(), *(self.chips[n] for n in self.MENUS)]
        needed = sum(c.sizeHint().width() for c in spread) + self._row.spacing() * (len(spread) - 1)
        folded = folds or needed > self.width() - 20
        for name, chip in self.chips.items():
            chip.setVisible((name == "all") == folded)
        for chip in self.switches.values():
            chip.setVisible(not folds)
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The room changed."""
        super().resizeEvent(event)
        self.remeasure()

    # --- changing ---------------------------------------------------------------------------------------------
    def _typed(self, _text: str) -> None:
        self._pause.start()

    def _search_rests(self) -> None:
        self.change(replace(self.filter, search=self.search.text()))

    def _toggle_unfinished(self) -> None:
        self.change(replace(self.filter, unfinished=not self.filter.unfinished))

    def _switched(self) -> None:
        sender = self.sender()
        if sender is not None:
            self._flip(str(sender.property("field")))

    def _flip(self, field: str) -> None:
        self.change(replace(self.filter, **{field: not getattr(self.filter, field)}))

    def clear(self) -> None:
        """Show everything again."""
        self.search.set_text("")
        self.change(self._empty)

    def take(self, held: Any) -> None:
        """Show a filter that was set elsewhere; nothing is told."""
        if held != self.filter:
            self._pause.stop()
            self.filter = held
            self.search.set_text(held.search)
            self._pause.stop()
            self.retranslate()

    def change(self, new: Any) -> None:
        """Filter otherwise."""
        self._pause.stop()
        if new != self.filter:
            self.filter = new
            self.changed.emit(new)
        self.retranslate()

    def _menu_wanted(self) -> None:
        sender = self.sender()
        if sender is not None:
            name = str(sender.property("menu"))
            self._popup(name, tuple(self.FIELDS) if name == "all" else self.MENUS[name])

    def _popup(self, chip: str, fields: tuple[str, ...]) -> None:
        menu = Menu(parent=self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name, switch in self.switches.items():
            if switch.isHidden():
                action = menu.addAction(self.switch_texts(name)[1])
                action.setCheckable(True)
                action.setChecked(getattr(self.filter, name))
                action.triggered.connect(self._flipper(name))
        for name in fields:
            inner = Menu(self.field_text(self.FIELDS[name]), menu)
            menu.addMenu(inner)
            self._fill(inner, name)
        menu.addSeparator()
        menu.addAction(tr("queue.clear"), self.clear)
        below = self.chips[chip]
        menu.popup(below.mapToGlobal(below.rect().bottomLeft()))
        self.retranslate()

    def _fill(self, menu: Menu, name: str) -> None:
        held: Counter[str] = self._view.facets[self.FIELDS[name]] if self._view else Counter()
        chosen = self.chosen(name)
        for value, n in sorted(held.items(), key=lambda kv: (-kv[1], kv[0])):
            label = self.value_text(self.FIELDS[name], value).replace("&", "&&")
            action = QAction(f"{label}  {i18n.count(n)}", menu)
            action.setCheckable(True)
            action.setChecked(value in chosen)
            action.triggered.connect(self._chooser(name, value))
            menu.addAction(action)

    def _flipper(self, name: str) -> Callable[[bool], None]:
        return lambda _on: self._flip(name)

    def _chooser(self, name: str, value: str) -> Callable[[bool], None]:
        return lambda on: self.change(self.toggled(name, value, on))
