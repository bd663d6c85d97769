"""The queue of items that are no dialogues, as a list model and the delegate that paints its rows of two lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from annotator.ui import fonts, icons
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


class ItemModel(QAbstractListModel):
    """The filtered rows; a row that changed is replaced in place, so that the selection stays.

    A row has `item_id`, `source_id`, `title`, `status` and `finished`; what else is said of it, subclasses say.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.rows: list[Any] = []
        self._places: dict[str, int] = {}

    def note(self, row: Any) -> str:
        """The end of the second line; subclasses say."""
        return ""

    def more(self, row: Any) -> str:
        """What the tooltip says beyond title, id and status; subclasses say."""
        return ""

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = list(rows)
        self._places = {row.item_id: i for i, row in enumerate(self.rows)}
        self.endResetModel()

    def update_row(self, row: Any) -> None:
        """Replace the row of the same item, if it is shown."""
        place = self._places.get(row.item_id)
        if place is not None and self.rows[place] != row:
            self.rows[place] = row
            index = self.index(place)
            self.dataChanged.emit(index, index)

    def place(self, item_id: str | None) -> int | None:
        """Where an item is shown."""
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
            return "\n".join((row.title, f"{row.source_id} · {self.note(row)}"))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}. {row.source_id}. {self.note(row)}. {tr(f'queue.status.{row.status}')}"
        if role == Qt.ItemDataRole.ToolTipRole:
            facts = (row.source_id, tr(f"queue.status.{row.status}"), self.more(row))
            return paint_safe("\n".join((row.title, " · ".join(filter(None, facts)))))
        return None


class ItemDelegate(QueueDelegate):
    """Paints a row: state icon, title, then id, note and the marks at the right."""

    def broken(self, row: Any) -> bool:
        """Whether a file of it is missing; subclasses say."""
        return False

    def marks(self, painter: QPainter, row: Any, right: int, top: int, height: int) -> int:
        """Paint marks that end at `right`; where they begin. Subclasses say."""
        return right

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row: Any = index.data(ROW_ROLE)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        self._ground(painter, rect, state)
        name, role = ("file-exclamation-point", "error") if self.broken(row) else STATE[row.status]
        icons.paint(painter, name, rect.x() + 12, rect.y() + fonts.px(7), role, 16)
        left, right = rect.x() + 12 + 16 + 7, rect.right() - 10
        top = rect.y() + fonts.px(5)
        title = QRectF(left, top, right - left, fonts.px(19))
        paint.draw_text(painter, title, row.title, fonts.font("body", weight=500), "text2" if row.finished else "text")
        self._facts(painter, index, left, right, top + fonts.px(19))
        paint.hairline(painter, rect.x(), rect.bottom(), rect.right(), rect.bottom())
        painter.restore()

    def _facts(self, painter: QPainter, index: Index, left: int, right: int, top: int) -> None:
        row: Any = index.data(ROW_ROLE)
        height = fonts.px(18)
        right = self.marks(painter, row, right, top, height)
        mono = fonts.font("mono")
        width = min(round(paint.text_width(row.source_id, mono)) + 2, max(0, (right - left) * 3 // 5))
        paint.draw_text(painter, QRectF(left, top, width, height), row.source_id, mono, "text2")
        x = left + width + 6
        model = index.model()
        if x + 24 < right and isinstance(model, ItemModel):
            role = "error" if self.broken(row) else "text3"
            paint.draw_text(painter, QRectF(x, top, right - x, height), model.note(row), fonts.font("meta"), role)
