"""One choice as a row: letter, text, and after the answer whose it is, whether it is the key, and how models voted."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from annotator.ui import density, fonts, style, theme
from annotator.ui.i18n import tr
from annotator.ui.laid_out import laid_out
from annotator.ui.transcript_layout import TextBlock
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live, key_text

_PAD = 14
_CAP_PX = 22
_MOST_DOTS = 6


@dataclass(frozen=True, slots=True)
class RowState:
    """What a row says beside its text.

    Attributes:
        open: it may be answered; locked: the question is answered.
        own: it is this rater's answer; pending: not on disk yet; failed: saving fails.
        key: it is the key; right: this rater says that it should be.
        votes, voters: how many models chose it, of how many; None while nothing is revealed.
    """

    open: bool = False
    locked: bool = False
    own: bool = False
    pending: bool = False
    failed: bool = False
    key: bool = False
    right: bool = False
    votes: int | None = None
    voters: int = 0


class ChoiceRow(Live, QAbstractButton):
    """One row.

    Signals:
        picked(answer): it was clicked while it may be answered.
    """

    picked = Signal(str)

    def __init__(self, answer: str, sign: str, key: str, parent: QWidget | None = None) -> None:
        """`answer`: what it says ("" where the source gave it no letter); `sign` in the cap; `key`: the action's id."""
        super().__init__(parent)
        self.answer, self._sign, self._key = answer, sign, key
        self._words = ""
        self._state = RowState()
        self._block: TextBlock | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._clicked)
        self.go_live()

    def stand_for(self, answer: str, sign: str, key: str) -> None:
        """Be the row of another choice."""
        self.answer, self._sign, self._key = answer, sign, key
        self._words, self._state = "", RowState()

    @property
    def state(self) -> RowState:
        """What it shows beside its text."""
        return self._state

    def show_choice(self, words: str, state: RowState) -> None:
        """Show a choice's text and state."""
        if (words, state) == (self._words, self._state):
            return
        self._words, self._state = words, state
        self.setText(words.replace("&", "&&"))
        self._tell()
        self._lay_out()

    def _tell(self) -> None:
        state = self._state
        parts = [f"{self._sign}. {self._words}"]
        parts += [tr("choice.mine")] if state.own else []
        parts += [tr("choice.key")] if state.key else []
        parts += [tr("choice.votes", n=state.votes, of=state.voters)] if state.votes is not None else []
        self.setAccessibleName(". ".join(parts))

    def _clicked(self) -> None:
        if self._state.open and self.answer:
            self.picked.emit(self.answer)

    # ------------------------------------------------------------------------------------------------------ measuring
    def _marks_width(self) -> float:
        state = self._state
        width = 0.0
        if state.own:
            width += paint.chip_width(tr("choice.mine"), "user-round") + 6
        if state.key:
            width += paint.chip_width(tr("choice.key"), "bookmark") + 6
        if state.right and not state.key:
            width += paint.chip_width(tr("choice.should_be"), "check") + 6
        if state.votes is not None and state.voters:
            width += self._votes_width() + 8
        if state.open:
            width += paint.keycap_width(key_text(self._key)) + 8
        return width

    def _votes_width(self) -> float:
        if self._state.voters <= _MOST_DOTS:
            return 10.0 * self._state.voters
        return paint.text_width(self._count(), fonts.font("label", tabular=True)) + 2

    def _count(self) -> str:
        return f"{self._state.votes} / {self._state.voters}"

    def _lay_out(self) -> None:
        self._block = self._lines(self._words)
        self.setFixedHeight(max(self._least(), round(self._block.height) + fonts.px(12)))
        self.update()

    def _lines(self, words: str) -> TextBlock:
        width = max(80.0, self.width() - _PAD - _CAP_PX - 10 - _PAD - self._marks_width())
        return laid_out(words, "read", 500 if self._state.own else 400, width)

    def prepare(self, words: str) -> None:
        """A choice that may be shown next, unanswered, as wide as this one is now."""
        if self._state.open:
            self._lines(words)

    def _least(self) -> int:
        table = density.metrics()
        return table.choice_row_revealed if self._state.locked else table.choice_row_blind

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width, other lines."""
        super().resizeEvent(event)
        if event.oldSize().width() != self.width():
            self._lay_out()

    def remeasure(self) -> None:
        """Other fonts, other lines."""
        self._lay_out()

    def retranslate(self) -> None:
        """The words of the marks."""
        self._tell()
        self._lay_out()

    def sizeHint(self) -> QSize:
        """As high as its text."""
        return QSize(320, self.minimumHeight() or self._least())

    # ------------------------------------------------------------------------------------------------------- painting
    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, letter, text, marks, the line below."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        state = self._state
        ground = "selected" if state.own else "hover" if state.open and self.underMouse() else "panel"
        painter.fillRect(self.rect(), theme.color(ground))
        self._paint_cap(painter)
        right = self._paint_marks(painter, float(self.width() - _PAD))
        if self._block is not None:
            painter.setPen(theme.color("text" if self.isEnabled() else "text-off"))
            left = _PAD + _CAP_PX + 10
            top = (self.height() - self._block.height) / 2
            self._block.draw(painter, left, top, QRectF(left, 0, max(0.0, right - left), self.height()))
        paint.hairline(painter, 0, self.height() - 1, self.width(), self.height())
        if self.hasFocus():
            style.draw_focus_ring(painter, QRectF(self.rect()).adjusted(4, 4, -4, -4), 4)

    def _paint_cap(self, painter: QPainter) -> None:
        state, size = self._state, float(_CAP_PX)
        box = QRectF(_PAD, (self.height() - size) / 2, size, size)
        if state.own and state.failed:
            paint.frame(painter, box, None, theme.color("error"), 4.0, 1.5, dashed=True)
            role = "error"
        elif state.own and state.pending:
            paint.frame(painter, box, None, theme.color("accent"), 4.0, 1.5, dashed=True)
            role = "accent-text"
        elif state.own:
            paint.frame(painter, box, theme.color("accent"), None, 4.0)
            role = "on-accent"
        else:
            border = "control" if self.isEnabled() else "line"
            paint.frame(painter, box, theme.color("raised"), theme.color(border), 4.0, 1.5)
            role = "text" if self.isEnabled() else "text-off"
        paint.draw_text(painter, box, self._sign, fonts.font("label", 700), role, paint.CENTER)

    def _paint_marks(self, painter: QPainter, right: float) -> float:
        state, middle = self._state, self.height() / 2
        chip_top = round(middle - density.metrics().chip / 2)
        if state.open:
            cap = key_text(self._key)
            right -= paint.keycap_width(cap)
            paint.draw_keycap(painter, right, round(middle - paint.keycap_height() / 2), cap)
            right -= 8
        if state.votes is not None and state.voters:
            right = self._paint_votes(painter, right, middle) - 8
        marks = (
            (state.right and not state.key, "choice.should_be", "ok", "check"),
            (state.key, "choice.key", "ok" if state.own else "warn", "bookmark"),
            (state.own, "choice.mine", "chosen", "user-round"),
        )
        for on, text, kind, icon in marks:
            if on:
                right -= paint.chip_width(tr(text), icon)
                paint.draw_chip(painter, right, chip_top, tr(text), kind, icon)
                right -= 6
        return right

    def _paint_votes(self, painter: QPainter, right: float, middle: float) -> float:
        state = self._state
        width = self._votes_width()
        if state.voters > _MOST_DOTS:
            area = QRectF(right - width, 0, width, self.height())
            role = "text" if state.votes else "text3"
            paint.draw_text(painter, area, self._count(), fonts.font("label", tabular=True), role, paint.RIGHT)
            return right - width
        for number in range(state.voters):
            dot = QRectF(right - width + 10 * number + 1.5, middle - 3.5, 7, 7)
            if number < (state.votes or 0):
                paint.frame(painter, dot, theme.color("text2"), None, 3.5)
            else:
                paint.frame(painter, dot, None, theme.color("control"), 3.5)
        return right - width
