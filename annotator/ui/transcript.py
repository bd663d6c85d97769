"""The transcript: questions, answers and references of a dialogue, turn by turn, behind the as-of gate.

One list view, one model, one delegate. It takes a review view and says what the person does: play a question, go to a
turn, mark a stretch of an answer.
"""

from __future__ import annotations

from typing import Any, Literal

from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from annotator.ui import density
from annotator.ui.i18n import tr
from annotator.ui.transcript_delegate import TranscriptDelegate
from annotator.ui.transcript_marks import Mark, Marks, Selection, Span, Tool
from annotator.ui.transcript_model import Entry, PartName, TranscriptModel, build_entries
from annotator.ui.transcript_rows import RowLayout, RowMaker, RowOptions, TextItem
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView

DRAG_PX = 3


class TranscriptView(Live, QListView):
    """The dialogue's texts. Nothing beyond the open turn is in it, neither painted nor in the model.

    Signals:
        play_audio(turn): play the spoken question.
        turn_clicked(turn): go to a turn.
        mark_wanted(): a stretch of the answer is selected and the person wants to name what is wrong with it.
        said(target, field, value): a span list of the current dimension.
    """

    play_audio = Signal(int)
    turn_clicked = Signal(int)
    mark_wanted = Signal()
    said = Signal(str, str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("transcriptView")
        self._model = TranscriptModel(self)
        self._maker = RowMaker()
        self._view: ReviewView | None = None
        self._turn: int | None = 0
        self._reference = True
        self._expanded: frozenset[int] = frozenset()
        self._whole: frozenset[tuple[int, PartName]] = frozenset()
        self._selection: Selection | None = None
        self._press: QPoint | None = None
        self._dragging = False
        self._marks = Marks()
        self._rows: dict[int, tuple[Any, RowLayout]] = {}
        self.setModel(self._model)
        self._delegate = TranscriptDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        # The digits score wherever the keyboard is in the window; a list's type-ahead would eat them.
        self.setProperty("routesKeys", True)
        self.setInputMethodHints(Qt.InputMethodHint.ImhNone)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.go_live()

    # -- what is shown ------------------------------------------------------------------------------------------------

    def show_review(self, view: ReviewView) -> None:
        """Show a dialogue; another one than before starts at its first turn: opening never shows a later one."""
        other = self._view is None or self._view.row.key != view.row.key
        self._view = view
        if other:
            self._turn = 0
            self._expanded, self._whole, self._selection = frozenset(), frozenset(), None
        self._marks.set_view(view)
        self._refresh()
        if other:
            self.scroll_to_turn()

    def show_turn(self, turn: int | None) -> None:
        """Open a turn (None = the session view: all turns)."""
        if turn == self._turn:
            return
        self._turn = turn
        self._selection = None
        self._expanded = frozenset()
        self._refresh()
        self.scroll_to_turn()

    def set_dimension(self, dimension: str) -> None:
        """The dimension that is scored now: new marks belong to it, and its marks stand out."""
        if dimension != self._marks.dimension:
            self._marks.dimension = dimension
            self.viewport().update()

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

    # -- spans --------------------------------------------------------------------------------------------------------

    def selection(self) -> Selection | None:
        """What is selected; None where nothing is."""
        return None if self._selection is None or self._selection.empty else self._selection

    def selected_text(self) -> str:
        """The selected text as typed."""
        found = self.selection()
        part = None if found is None else self._part(found.turn, found.part)
        return "" if found is None or part is None else part[slice(*found.span)]

    def can_mark(self) -> bool:
        """Whether a stretch of an answer is selected that a tag can be put on."""
        found = self.selection()
        return found is not None and found.part == "answer" and bool(self._marks.field(found.turn)) and self._writable()

    def mark_selection(self, tag: str) -> None:
        """Mark the selected stretch of the answer with an error tag of the current dimension."""
        found = self.selection()
        if found is not None and self.can_mark():
            self._say_spans(found.turn, self._marks.add(found, tag))

    def unmark_selection(self) -> None:
        """Take away the current dimension's marks that the selection touches."""
        found = self.selection()
        if found is not None and self.can_mark():
            self._say_spans(found.turn, self._marks.remove(found, self._length(found.turn)))

    def select(self, turn: int, part: PartName, start: int, end: int) -> None:
        """Select a stretch of a text in code points."""
        self._selection = Selection(turn, part, start, end)
        self.viewport().update()

    def marks(self, turn: int) -> tuple[Mark, ...]:
        """The marks on a turn's answer, the current dimension's last."""
        return self._marks.of(turn, self._length(turn))

    def tools(self, turn: int, layout: RowLayout) -> list[Tool]:
        """The links beside the answer's label while something of that answer is selected."""
        found = self.selection()
        if found is None or found.turn != turn or layout.tools.isEmpty() or not self.can_mark():
            return []
        return self._marks.tools(found, self._length(turn), layout.tools)

    def _say_spans(self, turn: int, spans: list[Span]) -> None:
        self._selection = None
        self.said.emit(f"turn:{turn}", self._marks.field(turn), spans)
        self.viewport().update()

    def _length(self, turn: int) -> int:
        return len(self._part(turn, "answer") or "")

    def _writable(self) -> bool:
        return self._view is not None and not self._view.read_only

    def _part(self, turn: int, name: PartName) -> str | None:
        entries = self._model.entries()
        if not 0 <= turn < len(entries):
            return None
        return next((p.text for p in entries[turn].parts if p.name == name and p.kind == "text"), None)

    # -- layout -------------------------------------------------------------------------------------------------------

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
            self._rows = {k: v for k, v in self._rows.items() if k < len(self._view.turns)}
            self._model.set_entries(build_entries(self._view, self._turn))
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

    # -- pointer and keys ---------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a selection, or remember where a click began."""
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._press, self._dragging = event.position().toPoint(), False
        place = self._place(event.position())
        if place is not None and self._link(place[0], place[1]):
            return  # a link may act on what is selected
        self._selection = None
        row, at, item = place if place is not None else (0, QPointF(), None)
        if item is not None:
            start = item.position_at(at)
            self._selection = Selection(row, item.part.name, start, start)
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Extend the selection inside its text; show what a click would do."""
        self._cursor(event.position())
        if self._press is None or self._selection is None or not event.buttons() & Qt.MouseButton.LeftButton:
            return
        if (event.position().toPoint() - self._press).manhattanLength() < DRAG_PX and not self._dragging:
            return
        self._dragging = True
        index = self._model.index(self._selection.turn)
        item = self.row_layout(index.row()).text(self._selection.part)
        if item is not None:
            at = event.position() - QPointF(self.visualRect(index).topLeft())
            head = item.position_at(at)
            old = self._selection
            self._selection = Selection(old.turn, old.part, old.anchor, head)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click that selected nothing means the link under it, the mark under it, or the turn."""
        pressed, self._press = self._press, None
        if pressed is None or self._dragging or event.button() is not Qt.MouseButton.LeftButton:
            return
        place = self._place(event.position())
        if place is not None:
            self._click(*place)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select the word."""
        place = self._place(event.position())
        row, at, item = place if place is not None else (0, QPointF(), None)
        if item is not None:
            start, end = item.block.word_at(item.position_at(at))
            self.select(row, item.part.name, start, end)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy, select the answer, scroll; everything else is an action of the window."""
        if event.matches(QKeySequence.StandardKey.Copy):
            if self.selected_text():
                QGuiApplication.clipboard().setText(self.selected_text())
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            answer = self._part(self._turn or 0, "answer")
            if answer:
                self.select(self._turn or 0, "answer", 0, len(answer))
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + (bar.pageStep() if event.key() == Qt.Key.Key_PageDown else -bar.pageStep()))
        else:
            event.ignore()

    def keyboardSearch(self, search: str) -> None:
        """No type-ahead: letters are actions."""

    def _place(self, at: QPointF) -> tuple[int, QPointF, TextItem | None] | None:
        index = self.indexAt(at.toPoint())
        if not index.isValid():
            return None
        inside = at - QPointF(self.visualRect(index).topLeft())
        return (index.row(), inside, self.row_layout(index.row()).text_at(inside))

    def _link(self, row: int, inside: QPointF) -> str:
        layout = self.row_layout(row)
        tool = next((t.name for t in self.tools(row, layout) if t.rect.contains(inside)), "")
        return tool or layout.hit(inside)

    def _click(self, row: int, inside: QPointF, item: TextItem | None) -> None:
        link = self._link(row, inside)
        if link:
            self._follow(row, link)
            return
        if item is not None and item.part.name == "answer":
            at = item.position_at(inside)
            mark = next((m for m in self.marks(row) if m.current and m.start <= at <= m.end), None)
            if mark is not None:
                self.select(row, "answer", mark.start, mark.end)
                return
        if self._state(row) in ("past", "open"):
            self.turn_clicked.emit(row)

    def _follow(self, row: int, link: str) -> None:
        name, _, part = link.partition(":")
        if name == "play":
            self.play_audio.emit(row)
        elif name == "mark":
            self.mark_wanted.emit()
        elif name == "unmark":
            self.unmark_selection()
        elif name == "reference":
            self.set_reference_visible(not self._reference)
        elif name == "fold":
            self._expanded = self._expanded ^ {row}
            self._relayout()
        elif name == "whole":
            whole: PartName = "question" if part == "question" else "answer" if part == "answer" else "reference"
            self._whole = self._whole | {(row, whole)}
            self._relayout()

    def _state(self, row: int) -> Literal["past", "current", "future", "open"]:
        entries: tuple[Entry, ...] = self._model.entries()
        return entries[row].state

    def _cursor(self, at: QPointF) -> None:
        place = self._place(at)
        shape = Qt.CursorShape.ArrowCursor
        if place is not None:
            row, inside, item = place
            if self._link(row, inside) or (item is None and self._state(row) in ("past", "open")):
                shape = Qt.CursorShape.PointingHandCursor
            elif item is not None:
                shape = Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)
