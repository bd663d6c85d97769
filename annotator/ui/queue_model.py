"""The queue as a list model and the delegate that paints its rows of two lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, QSize, QStringListModel, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from annotator.domain.queue import QueueRow, position
from annotator.domain.rubric import TURN_DIMENSIONS, scenario_name
from annotator.ui import density, fonts, i18n, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import paint

ROW_ROLE = int(Qt.ItemDataRole.UserRole)
Index = QModelIndex | QPersistentModelIndex

_STATE = {
    "new": ("circle", "text3"),
    "started": ("circle-dot", "accent-text"),
    "complete": ("circle-check", "ok"),
    "returned": ("undo-2", "warn"),
    "conflict": ("git-compare", "warn"),
    "stale": ("history", "warn"),
}


class QueueModel(QStringListModel):
    """The filtered rows; a row whose progress changed is replaced in place, so that the selection stays.

    A list of empty texts lies under it, so that Qt knows by itself how many rows there are: laying out a list asks
    twice for each row.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.rows: list[QueueRow] = []
        self._places: dict[tuple[str, str], int] | None = {}

    def set_rows(self, rows: Sequence[QueueRow]) -> None:
        """Show other rows."""
        self.rows = list(rows)
        self._places = None
        self.setStringList([""] * len(self.rows))

    def update_row(self, row: QueueRow) -> None:
        """Replace the row of the same (dialogue, responder), if it is shown."""
        if self._places is None:
            self._places = {each.key: number for number, each in enumerate(self.rows)}
        place = self._places.get(row.key)
        if place is not None and self.rows[place] != row:
            self.rows[place] = row
            index = self.index(place)
            self.dataChanged.emit(index, index)

    def place(self, key: tuple[str, str] | None) -> int | None:
        """Where a row is shown."""
        if key is None or self._places is not None:
            return self._places.get(key) if self._places and key is not None else None
        return position(self.rows, key)  # sooner than all places

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows are chosen; they are not typed into."""
        chosen = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        return chosen if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """The visible text, the row itself, and what a screen reader says."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return "\n".join((row.title, meta_text(row)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}. {meta_text(row)}. {tr(f'queue.status.{row.status}')}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return paint_safe(f"{row.title}\n{row.source_id} · {tr(f'queue.status.{row.status}')}")
        return None


def paint_safe(text: str) -> str:
    """Text for a tooltip, which would otherwise read markup: escaped and kept line by line."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", "<br>")
    return f"<qt>{escaped}</qt>"


def meta_text(row: QueueRow) -> str:
    """The second line: id, alias where there are several responders, and what is worth knowing."""
    parts = [row.source_id]
    if row.alias:
        parts.append(tr("queue.model", name=row.alias))
    parts.append(note_text(row))
    return " · ".join(p for p in parts if p)


def note_text(row: QueueRow) -> str:
    """What is worth knowing of a row beside its id: missing media, a special status, else the scenario."""
    if row.unplayable:
        return tr("queue.unplayable")
    if row.missing_media:
        return tr("queue.missing_media", n=row.missing_media)
    if row.status in ("returned", "conflict", "stale"):
        return tr(f"queue.status.{row.status}")
    if density.metrics().queue_scenario:
        return scenario_name(row.scenario, i18n.language(), small=True)
    return ""


def tick_states(row: QueueRow) -> list[Literal["open", "half", "full"]]:
    """One tick per turn: open, half or full."""
    full = len(TURN_DIMENSIONS)
    return ["full" if n >= full else "half" if n else "open" for n in row.progress]


class QueueList(QListView):
    """A list whose rows never change their height: a row that changed is painted again, and nothing else is done.

    Qt's own list lays out all of its rows anew for every change of one, 40 ms for 7,340 rows.
    """

    def dataChanged(self, first: Index, last: Index, _roles: Sequence[int] = ()) -> None:
        """Paint the rows that changed."""
        for place in range(first.row(), last.row() + 1):
            self.update(self.model().index(place, 0))


class QueueDelegate(QStyledItemDelegate):
    """Paints a row: state icon, title, then id, modality, note and one tick per turn."""

    def __init__(self, parent: QWidget) -> None:
        """The parent view tells whether it has the keyboard."""
        super().__init__(parent)
        self._view = parent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """All rows are equally high."""
        return QSize(120, density.metrics().queue_row)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row: QueueRow = index.data(ROW_ROLE)
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        self._ground(painter, rect, state)
        name, role = ("file-exclamation-point", "error") if row.missing_media or row.unplayable else _STATE[row.status]
        icons.paint(painter, name, rect.x() + 12, rect.y() + fonts.px(7), role, 16)
        left, right = rect.x() + 12 + 16 + 7, rect.right() - 10
        top = rect.y() + fonts.px(5)
        role = "text2" if row.finished else "text"
        title = QRectF(left, top, right - left, fonts.px(19))
        paint.draw_text(painter, title, row.title, fonts.font("body", weight=500), role)
        self._second_line(painter, row, left, right, top + fonts.px(19))
        paint.hairline(painter, rect.x(), rect.bottom(), rect.right(), rect.bottom())
        painter.restore()

    def _ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        if state & QStyle.StateFlag.State_Selected:
            ground = "selected" if self._view.hasFocus() else "selected-idle"
            painter.fillRect(rect, theme.color(ground))
            painter.fillRect(QRect(rect.x(), rect.y(), 3, rect.height()), theme.color("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("hover"))

    def _second_line(self, painter: QPainter, row: QueueRow, left: int, right: int, top: int) -> None:
        height = fonts.px(18)
        states = tick_states(row)
        shown = states[: max(0, (right - left) // 3 // 6)]
        if shown:
            paint.draw_ticks(painter, right, top + (height - 10) // 2, shown)
            right -= int(paint.ticks_width(len(shown))) + 6
        mono = fonts.font("mono")
        painter.setFont(mono)
        width = min(painter.fontMetrics().horizontalAdvance(row.source_id) + 2, right - left)
        paint.draw_text(painter, QRectF(left, top, width, height), row.source_id, mono, "text2")
        x = left + width + 5
        # Which model it is comes first: without it two rows of one dialogue look alike.
        if row.alias and x + 20 < right:
            x += paint.draw_keycap(painter, x, top + (height - 17) // 2, row.alias) + 5
        if x + 16 < right:
            name = "film" if row.modality == "video" else "images"
            icons.paint(painter, name, x, top + (height - 14) // 2, "text3", 14)
            x += 19
        if x + 24 < right:
            role = "error" if row.missing_media else "text3"
            paint.draw_text(painter, QRectF(x, top, right - x, height), note_text(row), fonts.font("meta"), role)
