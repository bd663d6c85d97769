"""The models' outputs as a list: one row for each, the current one opened to its whole output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QWidget

from annotator.domain.letters import PROFILES
from annotator.ui import fonts, icons, theme
from annotator.ui.choice_words import (
    answer_word,
    counts,
    letters_of,
    model_name,
    odd_ones,
    proposal,
    said_letter,
    truth,
)
from annotator.ui.i18n import tr
from annotator.ui.queue_model import Index
from annotator.ui.transcript_layout import TextBlock
from annotator.ui.widgets import paint

if TYPE_CHECKING:
    from annotator.workspace.questions import PredictionView, QuestionView

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
PROFILE_PX, CONFIRM_PX = 54, 66
_HEAD_LINES, _TAIL_LINES = 6, 10


@dataclass(frozen=True, slots=True)
class LetterRow:
    """One model's output as it is shown.

    Attributes:
        said: the confirmed letter (`none`: there is none in it), None where nothing was said.
        truth: the letter that counts as right.
        pending, failed: the confirmed letter is not on disk yet; saving fails.
        current: its letter is to be confirmed now.
        whole: a very long output is shown with its middle.
    """

    prediction: PredictionView
    said: str | None
    truth: str | None
    pending: bool = False
    failed: bool = False
    current: bool = False
    whole: bool = False

    def output(self) -> str:
        """The raw output; a word where there is none."""
        return self.prediction.output if self.prediction.output else tr("choice.no_output")

    def text(self) -> str:
        """Everything on the row, for eyes that read by ear."""
        letters = ", ".join(
            f"{name} {answer_word(letter)}" for name, letter in zip(PROFILES, letters_of(self.prediction), strict=True)
        )
        state = tr(f"choice.state.{self.prediction.state}")
        said = tr("choice.confirmed", letter=answer_word(self.said)) if self.said else tr("choice.unconfirmed")
        return f"{model_name(self.prediction)}. {self.output()}. {state}. {letters}. {said}"


def rows_of(
    view: QuestionView, current: str | None, pending: frozenset[str], *, failing: bool, whole: bool
) -> tuple[LetterRow, ...]:
    """The rows of a revealed question; `pending`: fields that are not on disk yet."""
    right, made = truth(view), []
    for prediction in view.predictions:
        waits = f"letter:{prediction.model}" in pending
        made.append(
            LetterRow(
                prediction=prediction,
                said=said_letter(view, prediction.model),
                truth=right,
                pending=waits and not failing,
                failed=waits and failing,
                current=prediction.model == current,
                whole=whole and prediction.model == current,
            )
        )
    return tuple(made)


class LettersModel(QAbstractListModel):
    """The outputs of one question; empty while it is blind."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.rows: tuple[LetterRow, ...] = ()

    def set_rows(self, rows: tuple[LetterRow, ...]) -> None:
        """Show other rows, in place where they are the same models'."""
        same = [r.prediction.model for r in rows] == [r.prediction.model for r in self.rows]
        if not same:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
            return
        before, self.rows = self.rows, rows
        for place, (old, new) in enumerate(zip(before, rows, strict=True)):
            if old != new:
                self.dataChanged.emit(self.index(place), self.index(place))

    def place(self, model: str | None) -> int | None:
        """Where a model is shown."""
        return next((i for i, r in enumerate(self.rows) if r.prediction.model == model), None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """How many rows are shown."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """The visible text and the row itself."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.text()
        return None


def columns(rect: QRectF) -> tuple[QRectF, list[QRectF], QRectF]:
    """The places of a row: text, one for each profile, confirmation."""
    profile, confirm = fonts.px(PROFILE_PX), fonts.px(CONFIRM_PX)
    right = rect.right() + 1
    last = QRectF(right - confirm, rect.top(), confirm, rect.height())
    held = []
    for number in range(len(PROFILES)):
        left = last.left() - profile * (len(PROFILES) - number)
        held.append(QRectF(left, rect.top(), profile, rect.height()))
    return QRectF(rect.left(), rect.top(), held[0].left() - rect.left() - 8, rect.height()), held, last


def line_height() -> int:
    """The height of a row that is not opened."""
    return fonts.px(34)


class LettersDelegate(QStyledItemDelegate):
    """Paints a row: name over the output's beginning, a letter for each profile, what a person said."""

    def __init__(self, parent: QWidget) -> None:
        """The parent tells the width at which outputs are laid out."""
        super().__init__(parent)
        self._view = parent
        self._blocks: dict[tuple[str, int, bool], TextBlock] = {}

    def block(self, row: LetterRow, width: int) -> TextBlock:
        """The whole output of a row; of a very long one its first and last lines."""
        key = (row.output(), width, row.whole)
        found = self._blocks.get(key)
        if found is None:
            self._blocks.clear()
            font, advance = fonts.font("label"), fonts.line_height("label")
            text = row.output() if row.whole else folded(row.output(), width)
            found = TextBlock(text, font, advance, width, limited=not row.whole)
            self._blocks[key] = found
        return found

    def forget(self) -> None:
        """Let go of what was laid out: another question, other fonts."""
        self._blocks.clear()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """One height for all, more for the one that is opened."""
        row: LetterRow = index.data(ROW_ROLE)
        height = line_height()
        if row.current:
            height += round(self.block(row, self._view.width() - 12).height) + fonts.px(6)
        return QSize(120, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row: LetterRow = index.data(ROW_ROLE)
        rect: QRect = option.rect
        painter.save()
        painter.fillRect(rect, theme.color("selected" if row.current else "panel"))
        if row.current:
            painter.fillRect(QRect(rect.x(), rect.y(), 3, rect.height()), theme.color("accent"))
        line = QRectF(rect.x() + 6, rect.y(), rect.width() - 6, line_height())
        text, profiles, confirm = columns(line)
        self._paint_text(painter, row, text)
        self._paint_profiles(painter, row, profiles)
        self._paint_confirm(painter, row, confirm)
        if row.current:
            painter.setPen(theme.color("text"))
            block = self.block(row, self._view.width() - 12)
            block.draw(painter, rect.x() + 6, line.bottom(), QRectF(rect))
        paint.hairline(painter, rect.x(), rect.bottom(), rect.right() + 1, rect.bottom())
        painter.restore()

    @staticmethod
    def _paint_text(painter: QPainter, row: LetterRow, area: QRectF) -> None:
        half = area.height() / 2
        upper = QRectF(area.left(), area.top() + 1, area.width(), half)
        name, word = fonts.font("label", 600), model_name(row.prediction)
        paint.draw_text(painter, upper, word, name)
        if row.prediction.state in ("refused", "cut_off", "failed"):
            left = area.left() + paint.text_width(word, name) + 8
            state = QRectF(left, upper.top(), max(0.0, area.right() - left), half)
            paint.draw_text(painter, state, tr(f"choice.state.{row.prediction.state}"), fonts.font("meta"), "warn")
        lower = QRectF(area.left(), area.top() + half - 1, area.width(), half)
        if not row.current:
            role = "text2" if row.prediction.output else "text3"
            paint.draw_text(painter, lower, row.output(), fonts.font("meta"), role)

    @staticmethod
    def _paint_profiles(painter: QPainter, row: LetterRow, areas: list[QRectF]) -> None:
        odd = odd_ones(row.prediction)
        for area, letter, differs in zip(areas, letters_of(row.prediction), odd, strict=True):
            if not counts(row.prediction):
                paint.draw_text(painter, area, "·", fonts.font("label", 600), "text3", paint.CENTER)
                continue
            if differs:
                painter.fillRect(area.adjusted(2, 1, -2, -2), theme.color("warn-soft"))
            font = fonts.font("label", 600)
            sign = answer_word(letter)
            place = area.adjusted(0, 0, -12, 0)
            paint.draw_text(painter, place, sign, font, "warn" if differs else "text", paint.CENTER)
            if differs:
                half = max(4.0, paint.text_width(sign, font) / 2)
                under = QRectF(place.center().x() - half, round(place.center().y() + fonts.px(8)), 2 * half, 1.5)
                painter.fillRect(under, theme.color("warn"))
            if letter is not None and row.truth is not None:
                good = letter == row.truth
                x, y = place.center().x() + 8, area.center().y() - 6
                icons.paint(painter, "check" if good else "x", x, y, "ok" if good else "text3", 12)

    @staticmethod
    def _paint_confirm(painter: QPainter, row: LetterRow, area: QRectF) -> None:
        if not counts(row.prediction):
            paint.draw_text(painter, area, tr("choice.not_counted"), fonts.font("meta"), "text3", paint.CENTER)
            return
        font = fonts.font("label", 700)
        box = QRectF(area.center().x() - 20, area.top() + (area.height() - 24) / 2, 40, 24)
        if row.said is None:
            border = "accent" if row.current else "control"
            paint.frame(painter, box, theme.color("raised"), theme.color(border), 4.0, 1.5 if row.current else 1.0)
            word = answer_word(proposal(row.prediction))
            role = "text" if row.current else "text2"
            paint.draw_text(painter, box.adjusted(0, 0, -14, 0), word, font, role, paint.CENTER)
            icons.paint(painter, "chevron-down", box.right() - 18, box.center().y() - 6, "text3", 12)
            return
        if row.failed or row.pending:
            paint.frame(painter, box, None, theme.color("error" if row.failed else "accent"), 4.0, 1.0, dashed=True)
        good = row.said == row.truth
        role = "ok" if good else "text"
        paint.draw_text(painter, box.adjusted(0, 0, -14, 0), answer_word(row.said), font, role, paint.CENTER)
        icon = "undo-2" if row.failed else "check" if good else "x"
        ink = "error" if row.failed else "ok" if good else "text3"
        icons.paint(painter, icon, box.right() - 18, box.center().y() - 6, ink, 12)


def folded(text: str, width: int) -> str:
    """A very long output without its middle: claims stand at its beginning and its end."""
    per_line = max(20, width // 7)
    most = per_line * (_HEAD_LINES + _TAIL_LINES)
    lines = text.splitlines()
    if len(text) <= most and len(lines) <= _HEAD_LINES + _TAIL_LINES:
        return text
    head = "\n".join(lines[:_HEAD_LINES])[: per_line * _HEAD_LINES]
    tail = "\n".join(lines[-_TAIL_LINES:])[-per_line * _TAIL_LINES :]
    left = len(text) - len(head) - len(tail)
    return f"{head}\n{tr('choice.left_out', n=left)}\n{tail}" if left > 0 else text
