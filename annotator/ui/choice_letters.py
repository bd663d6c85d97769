"""The check of predictions: raw outputs, the letter under each profile, and one key to confirm or correct it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QSizePolicy, QWidget

from annotator.domain.letters import PROFILES
from annotator.domain.question_sheet import NO_LETTER
from annotator.ui import density, fonts
from annotator.ui.choice_letters_model import ROW_ROLE, LetterRow, LettersDelegate, LettersModel, columns, rows_of
from annotator.ui.choice_section import Section
from annotator.ui.choice_words import LETTERS, counts, differs, next_model, open_models, proposal
from annotator.ui.i18n import tr
from annotator.ui.widgets import Menu, paint
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.questions import PredictionView, QuestionView


class ColumnHead(Live, QWidget):
    """The names of the columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """One line."""
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def retranslate(self) -> None:
        """What a screen reader says."""
        self.setAccessibleName(", ".join((tr("choice.column_output"), *PROFILES, tr("choice.column_confirm"))))
        self.update()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(120, density.scaled(20))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The names and the line below."""
        painter = QPainter(self)
        text, profiles, confirm = columns(QRectF(6, 0, self.width() - 6, self.height()))
        font = fonts.font("meta")
        paint.draw_text(painter, text, tr("choice.column_output"), font, "text3")
        for area, name in zip(profiles, PROFILES, strict=True):
            paint.draw_text(painter, area, "vlmeval" if name == "vlmevalkit" else name, font, "text3", paint.CENTER)
        paint.draw_text(painter, confirm, tr("choice.column_confirm"), font, "text3", paint.CENTER)
        paint.hairline(painter, 0, self.height() - 1, self.width(), self.height(), "line")


class LettersList(QListView):
    """The rows, all of them at once: the column around it scrolls.

    Signals:
        row_clicked(place, on the confirmation): a row was clicked.
    """

    row_clicked = Signal(int, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self.setObjectName("letterList")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Tell which row, and whether its confirmation was meant."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() is Qt.MouseButton.LeftButton:
            rect = self.visualRect(index)
            _, _, confirm = columns(QRectF(rect.x() + 6, rect.y(), rect.width() - 6, rect.height()))
            self.row_clicked.emit(index.row(), confirm.contains(event.position()))
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The column around it scrolls."""
        event.ignore()


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
        rows = rows_of(view, self.current, self._pending, self._failing) if view is not None else ()
        self.model.set_rows(rows)
        self._fit()

    def _fit(self) -> None:
        rows = self.model.rows
        laid = (self.list.width(), len(rows), self.current, rows[0].prediction.output if rows else "", fonts.px(100))
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
        self.current = model
        self._refresh()
        self.current_changed.emit(model or "")

    def _row_clicked(self, place: int, on_confirm: bool) -> None:
        prediction = self.model.rows[place].prediction
        again = prediction.model == self.current
        if again and not on_confirm:
            self.leave()
            return
        self._set_current(prediction.model)
        if on_confirm and counts(prediction) and self._view is not None and not self._view.read_only:
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
