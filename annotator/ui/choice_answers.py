"""Question and choices, always together: answered blind by a letter, then fixed, with key and votes in the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from annotator.ui import fonts, theme
from annotator.ui.choice_rows import ChoiceRow, RowState
from annotator.ui.choice_words import CANNOT, LETTERS, name_of, truth, votes
from annotator.ui.i18n import tr
from annotator.ui.laid_out import laid_out
from annotator.ui.transcript_layout import TextBlock
from annotator.ui.widgets import Chip, ElidedLabel, Separator
from annotator.ui.widgets.base import Live

if TYPE_CHECKING:
    from annotator.workspace.questions import QuestionView

_PAD = 14


class QuestionText(Live, QWidget):
    """The question in bold reading text, painted as plain text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self._text = ""
        self._block: TextBlock | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def text(self) -> str:
        """The whole question."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show another question."""
        self._text = text
        self.setAccessibleName(text)
        self.remeasure()

    def remeasure(self) -> None:
        """Lines at this width."""
        self._block = self._lines(self._text)
        self.setFixedHeight(round(self._block.height) + fonts.px(12))
        self.update()

    def _lines(self, text: str) -> TextBlock:
        return laid_out(text, "read", 600, max(80, self.width() - 2 * _PAD), limited=False)

    def prepare(self, text: str) -> None:
        """A question that may be shown next."""
        self._lines(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width, other lines."""
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self.remeasure()

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(320, self.minimumHeight())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The lines."""
        painter = QPainter(self)
        painter.setPen(theme.color("text"))
        if self._block is not None:
            self._block.draw(painter, _PAD, fonts.px(3), QRectF(self.rect()))


class AnswerPanel(Live, QFrame):
    """The question's head and its choices (objectName `answerPanel`).

    Signals:
        answered(answer): `A` to `E` or `cannot_tell`, while it may be answered.
    """

    answered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Nothing to answer yet."""
        super().__init__(parent)
        self.setObjectName("answerPanel")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._view: QuestionView | None = None
        self._pending = self._failed = False
        self._spent_s: int | None = None
        self.domain, self.category = Chip(kind="outline"), Chip(kind="outline")
        self.task = ElidedLabel(style="label", role="text2")
        self.lock = Chip(kind="chosen", icon="eye-off")
        self.question = QuestionText()
        self.rows: list[ChoiceRow] = []  # those of this question, of all that were made
        self._made: list[ChoiceRow] = []
        self.cannot = ChoiceRow(CANNOT, "–", "answer_cannot")
        self.cannot.setObjectName("answer_cannot")
        self.cannot.picked.connect(self.answered)
        self._lay_out()
        self.go_live()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(_PAD, 8, _PAD, 2)
        head.setSpacing(6)
        for widget in (self.domain, self.category, self.task):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self.lock)
        inner = QWidget()
        self._choices = QVBoxLayout(inner)
        self._choices.setContentsMargins(0, 0, 0, 0)
        self._choices.setSpacing(0)
        self._choices.addWidget(self.question)
        self._choices.addWidget(Separator())
        self._choices.addWidget(self.cannot)
        self._inner = inner
        self._scroll = QScrollArea()
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._scroll, 1)

    # ------------------------------------------------------------------------------------------------- what is shown
    def show_question(self, view: QuestionView, spent_ms: int | None, *, pending: bool, failed: bool) -> None:
        """Show a question; `pending`: its answer is not on disk yet; `spent_ms`: until the answer, where known."""
        another = self._view is None or self._view.row.item_id != view.row.item_id
        self._view, self._pending, self._failed = view, pending, failed
        self._spent_s = None if spent_ms is None else round(spent_ms / 1000)
        if another or self.question.text() != view.question.text:
            self.question.set_text(view.question.text)
            self._make_rows(view)
            self._scroll.verticalScrollBar().setValue(0)
        self._show_rows(view)
        self.retranslate()

    def prepare(self, view: QuestionView) -> None:
        """Break the lines of a question that may be shown next, while this one is looked at."""
        self.question.prepare(view.question.text)
        for row, choice in zip(self._made, view.question.choices, strict=False):
            row.prepare(choice.text)

    def _make_rows(self, view: QuestionView) -> None:
        choices = view.question.choices
        while len(self._made) < len(choices):
            row = ChoiceRow("", "", "")
            row.picked.connect(self.answered)
            self._choices.insertWidget(2 + len(self._made), row)
            self._made.append(row)
        self.rows = self._made[: len(choices)]
        for number, row in enumerate(self._made):
            row.setVisible(number < len(choices))
            if number >= len(choices):
                row.setObjectName("")
        seen: dict[str, int] = {}
        for number, (row, choice) in enumerate(zip(self.rows, choices, strict=True)):
            letter = choice.letter or ""
            row.stand_for(letter if letter in tuple(LETTERS) else "", letter or "?", _action(letter))
            seen[letter] = seen.get(letter, 0) + 1
            name = letter or f"row{number}"
            row.setObjectName(f"answer_{name}" if seen[letter] == 1 else f"answer_{name}_{seen[letter]}")

    def _show_rows(self, view: QuestionView) -> None:
        own, locked = view.sheet.value("answer"), view.sheet.answered
        writable = not view.read_only
        counted, voters = votes(view) if view.revealed else ({}, 0)
        right = truth(view) if view.revealed else None
        for row, choice in zip(self.rows, view.question.choices, strict=True):
            letter = choice.letter
            mine = letter is not None and own == letter
            state = RowState(
                open=not locked and writable and bool(row.answer),
                locked=locked,
                own=mine,
                pending=mine and self._pending,
                failed=mine and self._failed,
                key=view.revealed and letter is not None and letter == view.question.key,
                right=view.revealed and letter is not None and letter == right,
                votes=counted.get(letter or "", 0) if view.revealed and letter else None,
                voters=voters,
            )
            row.show_choice(choice.text, state)
        mine = own == CANNOT
        self.cannot.setVisible(not locked or mine)
        state = RowState(
            open=not locked and writable, locked=locked, own=mine, pending=mine and self._pending,
            failed=mine and self._failed,
        )  # fmt: skip
        self.cannot.show_choice(tr("choice.cannot"), state)
        self._fit()

    def _fit(self) -> None:
        self._inner.layout().activate()  # type: ignore[union-attr]
        self.updateGeometry()

    def answerable(self, answer: str) -> bool:
        """Whether an answer can be given now."""
        view = self._view
        if view is None or view.sheet.answered or view.read_only:
            return False
        return answer == CANNOT or answer in view.question.letters()

    def content_height(self) -> int:
        """The height at which nothing is scrolled."""
        return self.sizeHint().height()

    def sizeHint(self) -> QSize:
        """Everything at once."""
        rows = [r for r in (*self.rows, self.cannot) if not r.isHidden()]
        height = self.question.height() + 1 + sum(r.minimumHeight() for r in rows)
        return QSize(480, height + fonts.px(20) + 12)

    def minimumSizeHint(self) -> QSize:
        """It scrolls where it must."""
        return QSize(240, min(self.sizeHint().height(), 160))

    def retranslate(self) -> None:
        """Read all texts again."""
        self.setAccessibleName(tr("choice.answer_panel"))
        view = self._view
        if view is None:
            return
        task, domain, category = view.question.canonical
        self.domain.set_text(name_of("domain", domain))
        self.category.set_text(name_of("category", category))
        for chip in (self.domain, self.category):
            chip.setVisible(bool(chip.text()))
        self.task.set_text(name_of("task", task))
        self.cannot.show_choice(tr("choice.cannot"), self.cannot.state)
        if not view.sheet.answered:
            self.lock.set_kind("chosen" if not view.revealed else "warn")
            self.lock.set_icon("eye-off" if not view.revealed else "eye")
            self.lock.set_text(tr("choice.blind") if not view.revealed else tr("choice.key_open"))
            return
        self.lock.set_kind("neutral")
        self.lock.set_icon("lock")
        if self._spent_s is None:
            self.lock.set_text(tr("choice.locked"))
        else:
            self.lock.set_text(tr("choice.locked_after", n=self._spent_s))

    def restyle(self) -> None:
        """Grounds of the scrolled part."""
        self.setStyleSheet("")
        self._scroll.viewport().setAutoFillBackground(False)
        self._inner.setAutoFillBackground(False)
        super().restyle()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The panel's ground."""
        QPainter(self).fillRect(self.rect(), theme.color("panel"))


def _action(letter: str) -> str:
    return f"answer_{letter.lower()}" if letter in tuple(LETTERS) and letter else ""
