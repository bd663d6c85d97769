"""The queue of questions as a list model, and the delegate that paints its rows of two lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from annotator.domain.question_sheet import QuestionRow
from annotator.ui import fonts, icons
from annotator.ui.choice_words import name_of
from annotator.ui.i18n import tr
from annotator.ui.queue_model import ROW_ROLE, Index, QueueDelegate, paint_safe
from annotator.ui.widgets import paint

STATE = {
    "new": ("circle", "text3"),
    "started": ("circle-dot", "accent-text"),
    "complete": ("circle-check", "ok"),
    "returned": ("undo-2", "warn"),
    "conflict": ("git-compare", "warn"),
    "stale": ("history", "warn"),
}
_CROSS_MARK = {
    "agreed": ("users", "ok"),
    "settled": ("users", "ok"),
    "third_wanted": ("users", "warn"),
    "disputed": ("users", "error"),
}


class QuestionModel(QAbstractListModel):
    """The filtered rows; a row that changed is replaced in place, so that the selection stays."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.rows: list[QuestionRow] = []
        self._places: dict[str, int] = {}

    def set_rows(self, rows: Sequence[QuestionRow]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = list(rows)
        self._places = {row.item_id: i for i, row in enumerate(self.rows)}
        self.endResetModel()

    def update_row(self, row: QuestionRow) -> None:
        """Replace the row of the same question, if it is shown."""
        place = self._places.get(row.item_id)
        if place is not None and self.rows[place] != row:
            self.rows[place] = row
            index = self.index(place)
            self.dataChanged.emit(index, index)

    def place(self, item_id: str | None) -> int | None:
        """Where a question is shown."""
        return None if item_id is None else self._places.get(item_id)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """How many rows are shown."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """The visible text, the row itself, and what a screen reader says."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return "\n".join((row.title, f"{row.source_id} · {note_text(row)}"))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}. {row.source_id}. {note_text(row)}. {tr(f'queue.status.{row.status}')}"
        if role == Qt.ItemDataRole.ToolTipRole:
            cross = tr(f"choice.cross.{row.cross}")
            return paint_safe(f"{row.title}\n{row.source_id} · {tr(f'queue.status.{row.status}')} · {cross}")
        return None


def note_text(row: QuestionRow) -> str:
    """The end of the second line: a missing image or a special status, else domain and category."""
    if row.missing_image:
        return tr("choice.missing_image")
    if row.status in ("returned", "conflict", "stale"):
        return tr(f"queue.status.{row.status}")
    return " · ".join(filter(None, (name_of("domain", row.domain), name_of("category", row.category))))


class QuestionDelegate(QueueDelegate):
    """Paints a row: state icon, title, then id, note and the mark of the check by several people."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row: QuestionRow = index.data(ROW_ROLE)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        self._ground(painter, rect, state)
        name, role = ("file-exclamation-point", "error") if row.missing_image else STATE[row.status]
        icons.paint(painter, name, rect.x() + 12, rect.y() + fonts.px(7), role, 16)
        left, right = rect.x() + 12 + 16 + 7, rect.right() - 10
        top = rect.y() + fonts.px(5)
        title = QRectF(left, top, right - left, fonts.px(19))
        paint.draw_text(painter, title, row.title, fonts.font("body", weight=500), "text2" if row.finished else "text")
        self._facts(painter, row, left, right, top + fonts.px(19))
        paint.hairline(painter, rect.x(), rect.bottom(), rect.right(), rect.bottom())
        painter.restore()

    def _facts(self, painter: QPainter, row: QuestionRow, left: int, right: int, top: int) -> None:
        height = fonts.px(18)
        mark = _CROSS_MARK.get(row.cross)
        if mark is not None:
            right -= 16
            icons.paint(painter, mark[0], right + 2, top + (height - 14) // 2, mark[1], 14)
        if row.letters_open:
            right -= paint.keycap_width(str(row.letters_open)) + 4
            paint.draw_keycap(painter, right, top + (height - 17) // 2, str(row.letters_open), "warn")
        mono = fonts.font("mono")
        width = min(round(paint.text_width(row.source_id, mono)) + 2, max(0, (right - left) * 3 // 5))
        paint.draw_text(painter, QRectF(left, top, width, height), row.source_id, mono, "text2")
        x = left + width + 6
        if x + 24 < right:
            role = "error" if row.missing_image else "text3"
            paint.draw_text(painter, QRectF(x, top, right - x, height), note_text(row), fonts.font("meta"), role)
