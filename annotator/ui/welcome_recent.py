"""The recent workspaces: name, folder, how far, when. Counts come from a small file; no database is opened here."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from annotator.ui import fonts, i18n, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live

SUMMARY = "cache/summary.json"
_ROLE = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True, slots=True)
class Recent:
    """One recent workspace.

    Attributes:
        folder: where it is; `there`: whether it still is.
        done, total: rows complete and rows, as of the last closing (None = not known).
        at: when it was last written to.
    """

    folder: Path
    there: bool
    done: int | None
    total: int | None
    at: datetime | None


def look_at(folder: Path) -> Recent:
    """What can be said of a workspace without opening it."""
    database = folder / "workspace.db"
    try:
        at = datetime.fromtimestamp(database.stat().st_mtime)  # noqa: DTZ006 - shown in local time
    except OSError:
        return Recent(folder, False, None, None, None)
    try:
        raw = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
        done, total = int(raw["complete"]), int(raw["rows"])
    except (OSError, ValueError, KeyError, TypeError):
        return Recent(folder, True, None, None, at)
    return Recent(folder, True, done, total, at)


def when_text(at: datetime | None) -> str:
    """Today and yesterday by the clock, else the date."""
    if at is None:
        return ""
    days = (datetime.now().date() - at.date()).days  # noqa: DTZ005 - local dates are what people compare
    clock = f"{at:%H:%M}"
    if days == 0:
        return tr("welcome.today", time=clock)
    if days == 1:
        return tr("welcome.yesterday", time=clock)
    return f"{at:%Y-%m-%d}"


class RecentDelegate(QStyledItemDelegate):
    """Paints one workspace: icon, name and folder, progress, time."""

    def sizeHint(self, option: QStyleOptionViewItem, index: object) -> QSize:
        """Two lines."""
        return QSize(300, fonts.px(64))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: object) -> None:
        """Paint one row."""
        recent: Recent = index.data(_ROLE)  # type: ignore[attr-defined]
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        painter.save()
        self._ground(painter, rect, state)
        role = "text2" if recent.there else "text-off"
        icons.paint(
            painter, "folder-open" if recent.there else "folder", rect.x() + 16, rect.center().y() - 8, role, 18
        )
        right = rect.right() - 16
        time_width, bar_width = fonts.px(96), 150
        wide = rect.width() > 560
        words = QRectF(rect.x() + 50, rect.y() + fonts.px(11), right - rect.x() - 50 - time_width - 12, fonts.px(20))
        if wide:
            words.setWidth(words.width() - bar_width - 20)
        paint.draw_text(
            painter, words, recent.folder.name, fonts.font("body", weight=500), "text" if recent.there else role
        )
        second = words.translated(0, fonts.px(20))
        line = str(recent.folder.parent) if recent.there else tr("welcome.gone", folder=recent.folder.parent)
        paint.draw_text(painter, second, line, fonts.font("label"), "text3")
        when = QRectF(right - time_width, rect.y(), time_width, rect.height())
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        paint.draw_text(painter, when, when_text(recent.at), fonts.font("label", tabular=True), "text2", align)
        if wide and recent.total:
            self._progress(painter, recent, right - time_width - 20 - bar_width, rect, bar_width)
        paint.hairline(painter, rect.x(), rect.bottom(), rect.right(), rect.bottom())
        painter.restore()

    def _ground(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        if state & QStyle.StateFlag.State_Selected:
            focused = bool(state & QStyle.StateFlag.State_HasFocus)
            painter.fillRect(rect, theme.color("selected" if focused else "selected-idle"))
            painter.fillRect(QRect(rect.x(), rect.y(), 3, rect.height()), theme.color("accent"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, theme.color("hover"))

    def _progress(self, painter: QPainter, recent: Recent, x: float, rect: QRect, width: int) -> None:
        done, total = recent.done or 0, recent.total or 0
        text = f"{i18n.count(done)} / {i18n.count(total)}"
        box = QRectF(x, rect.center().y() - fonts.px(19), width, fonts.px(18))
        paint.draw_text(painter, box, text, fonts.font("label", weight=500, tabular=True), "text")
        bar = QRectF(x, rect.center().y() + 4, width, 4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("hair"))
        painter.drawRoundedRect(bar, 2, 2)
        if done:
            bar.setWidth(max(4.0, width * done / total))
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(bar, 2, 2)


class RecentList(Live, QListWidget):
    """The recent workspaces; Return or a click opens one.

    Signals:
        chosen: the folder.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self.setItemDelegate(RecentDelegate(self))
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemActivated.connect(self._open)
        self.itemClicked.connect(self._open)
        self._folders: list[Path] = []
        self._filter = ""
        self.go_live()

    def show_folders(self, folders: list[Path]) -> None:
        """Show these, newest first."""
        self._folders = folders
        self._fill()

    def set_filter(self, text: str) -> None:
        """Show only those whose name or folder holds the text."""
        self._filter = text.casefold()
        self._fill()

    def _fill(self) -> None:
        self.clear()
        for folder in self._folders:
            if self._filter in str(folder).casefold():
                item = QListWidgetItem(folder.name)
                item.setData(_ROLE, look_at(folder))
                self.addItem(item)
        if self.count():
            self.setCurrentRow(0)

    def _open(self, item: QListWidgetItem) -> None:
        recent: Recent = item.data(_ROLE)
        self.chosen.emit(str(recent.folder))

    def retranslate(self) -> None:
        """Read the texts again."""
        self.setAccessibleName(tr("welcome.recent", n=self.count()))
        self.viewport().update()

    def remeasure(self) -> None:
        """Row heights changed."""
        self.doItemsLayout()
