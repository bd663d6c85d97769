"""The check of predictions: raw outputs, the letter under each profile, and one key to confirm or correct it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from annotator.domain.question_sheet import NO_LETTER
from annotator.ui import fonts
from annotator.ui.choice_letters_list import ColumnHead, LettersList
from annotator.ui.choice_letters_model import (
    ROW_ROLE,
    LetterRow,
    LettersDelegate,
    LettersModel,
    rows_of,
)
from annotator.ui.choice_section import Section
from annotator.ui.choice_words import LETTERS, counts, differs, next_model, open_models, proposal
from annotator.ui.i18n import tr
from annotator.ui.widgets import Menu

if TYPE_CHECKING:
    from annotator.workspace.questions import PredictionView, QuestionView


class LettersPanel(Section):
    """The outputs of a revealed question (objectName `letterCheck`).

    Signals:
        said(pairs): a list of (field, value).
        current_changed(model or ""): which letter is to be confirmed now.
        all_confirmed(): the next letter was asked for and there is none.
    """

    said = Signal(object)
    current_changed = Signal(str)
    all_confirmed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing revealed yet."""
        super().__init__(keys=("letter_next", "letter_confirm"), parent=parent)
        self.setObjectName("letterCheck")
        self._view: QuestionView | None = None
        self._pending: frozenset[str] = frozenset()
        self._failing = False
        self.current: str | None = None
        self._after: str | None = None
        self._laid: tuple[object, ...] = ()
        self._whole = False
        self.names = ColumnHead()
        self.list = LettersList()
        self.model = LettersModel(self)
        self.delegate = LettersDelegate(self.list)
        self.list.setModel(self.model)
        self.list.setItemDelegate(self.delegate)
        self.list.row_clicked.connect(self._row_clicked)
        self.body.setSpacing(0)
        self.body.addWidget(self.names)
        self.body.addWidget(self.list)
        self.go_live()

    # ------------------------------------------------------------------------------------------------- what is shown
    def show_question(self, view: QuestionView, pending: frozenset[str], *, failing: bool) -> None:
        """Show the outputs of a revealed question; `pending`: fields that are not on disk yet."""
        if self._view is None or self._view.row.item_id != view.row.item_id:
            self.delegate.forget()
            self._laid = ()
            self._after = None
            self._set_current(None)
        self._view, self._pending, self._failing = view, pending, failing
        self._refresh()
        self._tell()

    def clear(self) -> None:
        """Another question, still blind: nothing of the last one stays here."""
        self._view, self._after = None, None
        self.delegate.forget()
        self.model.set_rows(())
        self._set_current(None)
        self.note.set_text("")

    def _refresh(self) -> None:
        view = self._view
        rows: tuple[LetterRow, ...] = ()
        if view is not None:
            rows = rows_of(view, self.current, self._pending, failing=self._failing, whole=self._whole)
        self.model.set_rows(rows)
        self._fit()

    def _fit(self) -> None:
        rows = self.model.rows
        laid = (
            self.list.width(),
            len(rows),
            self.current,
            self._whole,
            rows[0].prediction.output if rows else "",
            fonts.px(100),
        )
        if laid == self._laid:
            return
        self._laid = laid
        self.list.doItemsLayout()
        heights = (self.list.sizeHintForRow(place) for place in range(len(self.model.rows)))
        self.list.setFixedHeight(max(1, sum(heights)))
        self.updateGeometry()

    def current_rect(self) -> tuple[int, int]:
        """Top and height of the current row, in the panel's coordinates."""
        place = self.model.place(self.current)
        if place is None:
            return (0, 0)
        self.layout().activate()  # type: ignore[union-attr]
        rect = self.list.visualRect(self.model.index(place))
        return (self.list.mapTo(self, QPoint(0, rect.y())).y(), rect.height())

    # ---------------------------------------------------------------------------------------------------- what to do
    def handle(self, action: str) -> bool:
        """Do what an action id means here; False where it is none of ours."""
        if action == "letter_next":
            self.go_next()
        elif action == "letter_confirm":
            row = self._current_row()
            if row is not None:
                self.say(row.said or proposal(row.prediction))
        elif action == "letter_none":
            self.say(NO_LETTER)
        elif action.startswith("letter_"):
            self.say(action.removeprefix("letter_").upper())
        else:
            return False
        return True

    def go_next(self) -> bool:
        """The next letter that nobody confirmed; False where there is none."""
        view = self._view
        model = next_model(view, self.current or self._after) if view is not None else None
        self._set_current(model)
        if view is not None and model is None:
            self.all_confirmed.emit()
        return model is not None

    def leave(self) -> bool:
        """No letter is current any more; whether one was."""
        was = self.current is not None
        self._after = self.current or self._after
        self._set_current(None)
        return was

    def say(self, letter: str) -> None:
        """Confirm or correct the current letter; then none is current."""
        view, model = self._view, self.current
        if view is None or model is None or view.read_only:
            return
        if letter != NO_LETTER and letter not in view.question.letters():
            return
        self._after = model
        self._set_current(None)
        self.said.emit([(f"letter:{model}", letter)])

    def _current_row(self) -> LetterRow | None:
        place = self.model.place(self.current)
        return None if place is None else self.model.rows[place]

    def _set_current(self, model: str | None) -> None:
        if model == self.current:
            return
        self.current, self._whole = model, False
        self._refresh()
        self.current_changed.emit(model or "")

    def _row_clicked(self, place: int, part: str) -> None:
        prediction = self.model.rows[place].prediction
        again = prediction.model == self.current
        if again and part == "output":
            self._whole = not self._whole
            self._refresh()
        elif again and part == "line":
            self.leave()
        else:
            self._set_current(prediction.model)
            if part == "confirm" and counts(prediction) and self._view is not None and not self._view.read_only:
                self._offer(prediction)

    def _offer(self, prediction: PredictionView) -> None:
        menu = Menu(tr("choice.column_confirm"), self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        letters = self._view.question.letters() if self._view is not None else ()
        for letter in (*(c for c in letters if c in LETTERS), NO_LETTER):
            action = menu.addAction(tr("choice.letter_none") if letter == NO_LETTER else letter)
            action.setData(letter)
            action.triggered.connect(self._offered)
        place = self.model.index(self.model.place(prediction.model) or 0)
        rect = self.list.visualRect(place)
        menu.popup(self.list.viewport().mapToGlobal(QPoint(rect.right() - 60, rect.top() + 30)))

    def _offered(self) -> None:
        sender = self.sender()
        if sender is not None:
            self.say(str(sender.data()))  # type: ignore[attr-defined]

    # ---------------------------------------------------------------------------------------------------------- live
    def retranslate(self) -> None:
        """Read all texts again."""
        self._tell()
        self.list.setAccessibleName(tr("choice.predictions"))
        self.delegate.forget()
        self.list.viewport().update()

    def _tell(self) -> None:
        view = self._view
        note = ""
        if view is not None:
            odd = sum(differs(p) for p in view.predictions)
            note = tr("choice.letters_note", n=len(view.predictions), odd=odd, left=len(open_models(view)))
        self.set_title(tr("choice.predictions"), note)

    def remeasure(self) -> None:
        """Other fonts, other lines."""
        self.delegate.forget()
        self._laid = ()
        self._fit()
        super().remeasure()

    def restyle(self) -> None:
        """Colours changed."""
        self.list.viewport().update()
        super().restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width, other lines."""
        super().resizeEvent(event)
        self._fit()

    def shown_row(self, place: int) -> LetterRow:
        """A row as it is shown, for those who read the window."""
        row: LetterRow = self.model.index(place, 0, QModelIndex()).data(ROW_ROLE)
        return row
