"""The transcript as a list of turns behind the as-of gate: what is shown, laid out and scrolled; no pointer yet."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.transcript_marks import Mark, Selection, Tool
from annotator.ui.transcript_model import PartName, TranscriptModel, build_entries
from annotator.ui.transcript_rows import RowLayout, RowMaker, RowOptions
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView


class TranscriptList(Live, QListView):
    """Rows by turn. Nothing beyond the open turn is in it, neither painted nor in the model."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = TranscriptModel(self)
        self._maker = RowMaker()
        self._view: ReviewView | None = None
        self._turn: int | None = 0
        self._reference = True
        self._expanded: frozenset[int] = frozenset()
        self._whole: frozenset[tuple[int, PartName]] = frozenset()
        self._rows: dict[int, tuple[Any, RowLayout]] = {}
        self.setModel(self._model)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        # The digits score wherever the keyboard is in the window; a list's type-ahead would eat them.
        self.setProperty("routesKeys", True)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)

    def selection(self) -> Selection | None:
        """What is selected; None where nothing is."""
        return None

    def marks(self, turn: int) -> tuple[Mark, ...]:
        """The marks on a turn's answer, the current dimension's last."""
        return ()

    def tools(self, turn: int, layout: RowLayout) -> list[Tool]:
        """The links beside the answer's label."""
        return []

    def show_review(self, view: ReviewView, turn: int | None = 0) -> None:
        """Show a dialogue; another one than before starts at `turn`, so that opening never shows a later one."""
        other = self._view is None or self._view.row.key != view.row.key
        self._view = view
        if other:
            self._turn = turn
            self._expanded, self._whole = frozenset(), frozenset()
        self._refresh()
        if other:
            self.scroll_to_turn()

    def show_turn(self, turn: int | None) -> None:
        """Open a turn (None = the session view: all turns)."""
        if turn == self._turn:
            return
        self._turn = turn
        self._expanded = frozenset()
        self._refresh()
        self.scroll_to_turn()

    def prepare(self, view: ReviewView, turn: int | None) -> None:
        """Break the lines of a dialogue that likely comes next; they are found again when it is shown."""
        options = RowOptions(self._reference)
        for entry in build_entries(view, turn):
            self._maker.row(entry, self.row_width(), options)

    def set_reference_visible(self, visible: bool) -> None:
        """Show or hide the reference answers (key `R`)."""
        if visible != self._reference:
            self._reference = self._model.reference = visible
            self._relayout()
            self.scroll_to_turn()

    def reference_visible(self) -> bool:
        """Whether the reference answers are shown."""
        return self._reference

    def handle(self, action: str) -> bool:
        """Do what an action id means here; False where it is none of ours."""
        if action == "reference":
            self.set_reference_visible(not self._reference)
            return True
        return False

    def current_turn(self) -> int | None:
        """The open turn; None in the session view."""
        return self._turn

    def scroll_to_turn(self) -> None:
        """Put the open turn in view: whole where it fits, with the turns before it above."""
        bar = self.verticalScrollBar()
        self.doItemsLayout()
        if self._turn is None:
            bar.setValue(0)
            return
        tops = [0.0]
        for row in range(self._model.rowCount()):
            tops.append(tops[-1] + round(self.row_layout(row).height))
        if len(tops) > self._turn + 1:
            peek = density.metrics().future_turn if self._turn + 2 < len(tops) else 0
            wanted = tops[self._turn + 1] + peek - self.viewport().height()
            bar.setValue(round(max(0.0, min(wanted, tops[self._turn]))))

    def open_whole(self, row: int, part: PartName) -> None:
        """Lay out all of a text that was cut."""
        self._whole = self._whole | {(row, part)}
        self._relayout()

    def toggle_fold(self, row: int) -> None:
        """Open a past turn in place, or fold it again."""
        self._expanded = self._expanded ^ {row}
        self._relayout()

    def part(self, turn: int, name: PartName) -> str | None:
        """A text of a turn as typed, where the turn is open and has it."""
        entries = self._model.entries()
        if not 0 <= turn < len(entries):
            return None
        return next((p.text for p in entries[turn].parts if p.name == name and p.kind == "text"), None)

    def row_width(self) -> int:
        """The width rows are laid out at, px."""
        return max(120, self.viewport().width())

    def row_layout(self, row: int) -> RowLayout:
        """The layout of a row, kept until its entry, its options or the width change."""
        entry = self._model.entries()[row]
        whole = frozenset(part for k, part in self._whole if k == row)
        options = RowOptions(self._reference, whole, row in self._expanded)
        key = (entry, options, self.row_width(), density.current(), density.text_scale())
        kept = self._rows.get(row)
        if kept is None or kept[0] != key:
            kept = self._rows[row] = (key, self._maker.row(entry, self.row_width(), options))
        return kept[1]

    def _refresh(self) -> None:
        if self._view is not None:
            entries = build_entries(self._view, self._turn)
            self._rows = {k: v for k, v in self._rows.items() if k < len(entries)}
            changed = self._model.set_entries(entries)
            if not changed and self._rows:
                return  # a score of the open turn changes nothing here
        self._relayout()

    def _relayout(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def retranslate(self) -> None:
        """Statements of ours inside the rows change with the language."""
        self.setAccessibleName(tr("transcript.name"))
        self._rows.clear()
        self._refresh()

    def restyle(self) -> None:
        """Paint again; layouts hold no colour."""
        self.viewport().update()

    def remeasure(self) -> None:
        """Rows are laid out again at other sizes."""
        self.verticalScrollBar().setSingleStep(density.scaled(40))
        self._rows.clear()
        self._relayout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width breaks other lines; the open turn stays in view."""
        super().resizeEvent(event)
        if event.oldSize() != event.size():
            self.scroll_to_turn()

    def keyboardSearch(self, search: str) -> None:
        """No type-ahead: letters are actions."""
