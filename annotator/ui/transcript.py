"""The transcript: questions, answers and references of a dialogue, turn by turn, behind the as-of gate.

One list view, one model, one delegate. It takes a review view and says what the person does: play a question, go to a
turn, mark a stretch of an answer.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QWidget

from annotator.ui.transcript_delegate import TranscriptDelegate
from annotator.ui.transcript_list import TranscriptList
from annotator.ui.transcript_marks import Mark, Marks, Selection, Span, Tool
from annotator.ui.transcript_model import PartName, State
from annotator.ui.transcript_rows import RowLayout, TextItem
from annotator.workspace.views import ReviewView

DRAG_PX = 3
_PARTS: dict[str, PartName] = {
    "earlier": "earlier",
    "question": "question",
    "answer": "answer",
    "reference": "reference",
}
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class TranscriptView(TranscriptList):
    """The dialogue's texts.

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
        self._selection: Selection | None = None
        self._press: QPoint | None = None
        self._dragging = False
        self._marks = Marks()
        self._delegate = TranscriptDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setMouseTracking(True)
        self.go_live()

    def show_review(self, view: ReviewView, turn: int | None = 0) -> None:
        """Show a dialogue; see `TranscriptList`."""
        if self._view is None or self._view.row.key != view.row.key:
            self._selection = None
        if self._marks.set_view(view):
            self.viewport().update()
        super().show_review(view, turn)

    def show_turn(self, turn: int | None) -> None:
        """Open a turn (None = the session view: all turns)."""
        if turn != self.current_turn():
            self._selection = None
        super().show_turn(turn)

    def set_dimension(self, dimension: str) -> None:
        """The dimension that is scored now: new marks belong to it, and its marks stand out."""
        if dimension != self._marks.dimension:
            self._marks.dimension = dimension
            if self._marks.shown() or self._selection is not None:  # the cursor moves with each score
                self.viewport().update()

    def selection(self) -> Selection | None:
        """What is selected; None where nothing is."""
        return None if self._selection is None or self._selection.empty else self._selection

    def selected_text(self) -> str:
        """The selected text as typed."""
        found = self.selection()
        part = None if found is None else self.part(found.turn, found.part)
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
        return len(self.part(turn, "answer") or "")

    def _writable(self) -> bool:
        return self._view is not None and not self._view.read_only

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
        """Copy, select in the answer, scroll; everything else is an action of the window."""
        if event.matches(QKeySequence.StandardKey.Copy):
            if self.selected_text():
                QGuiApplication.clipboard().setText(self.selected_text())
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._select_answer()
        elif event.key() in _STEPS and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            by_word = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            self._extend(_STEPS[Qt.Key(event.key())], by_word=by_word)
        elif event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + (bar.pageStep() if event.key() == Qt.Key.Key_PageDown else -bar.pageStep()))
        else:
            event.ignore()

    def _select_answer(self) -> None:
        turn = self._turn or 0
        if self._length(turn):
            self.select(turn, "answer", 0, self._length(turn))

    def _extend(self, step: int, *, by_word: bool) -> None:
        """Shift with an arrow: move the end of the selection in the answer, from its beginning where there is none."""
        turn, held = self._turn, self._selection
        item = None if turn is None else self.row_layout(turn).text("answer")
        if turn is None or item is None or item.part.kind != "text":
            return
        inside = held is not None and (held.turn, held.part) == (turn, "answer")
        anchor, head = (held.anchor, held.head) if held is not None and inside else (0, 0)
        self.select(turn, "answer", anchor, item.block.step(head, step, by_word=by_word))

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
            self.set_reference_visible(not self.reference_visible())
        elif name == "fold":
            self.toggle_fold(row)
        elif name == "whole":
            self.open_whole(row, _PARTS[part])

    def _state(self, row: int) -> State:
        return self._model.entries()[row].state

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
