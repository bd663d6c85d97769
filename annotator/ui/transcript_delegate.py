"""Paints transcript rows: the one delegate of all dialogue text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from annotator.ui import fonts, icons, keys, theme
from annotator.ui.transcript_marks import Mark
from annotator.ui.transcript_model import Entry, TranscriptModel
from annotator.ui.transcript_rows import HeadItem, LineItem, RowLayout, TextItem
from annotator.ui.widgets import paint

if TYPE_CHECKING:
    from annotator.ui.transcript_list import TranscriptList


class TranscriptDelegate(QStyledItemDelegate):
    """Draws an entry as its row layout says; colours and fonts are read at each paint."""

    def __init__(self, view: TranscriptList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """The row's height at the view's width."""
        return QSize(self._view.row_width(), round(self._view.row_layout(index.row()).height))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint ground, bar, number, head, lines and texts."""
        entry = index.data(TranscriptModel.EntryRole)
        if not isinstance(entry, Entry):
            return
        area = QRectF(option.rect)
        layout = self._view.row_layout(index.row())
        painter.save()
        painter.fillRect(area, theme.color("window" if entry.state == "current" else "panel"))
        if entry.state == "current":
            painter.fillRect(QRectF(area.x(), area.y(), 3, area.height()), theme.color("accent"))
        painter.fillRect(QRectF(area.x(), area.bottom() - 1, area.width(), 1), theme.color("hair"))
        self._number(painter, area, entry)
        if entry.state == "future":
            self._locked(painter, area, entry)
        else:
            painter.translate(area.topLeft())
            for piece in layout.head:
                self._head(painter, piece)
            for line in layout.lines:
                self._line(painter, line)
            clip = QRectF(self._view.viewport().rect()).translated(-area.topLeft())
            for text in layout.texts:
                self._text(painter, text, entry, clip)
            self._tools(painter, layout, entry)
        painter.restore()

    @staticmethod
    def _number(painter: QPainter, area: QRectF, entry: Entry) -> None:
        future = entry.state == "future"
        role = "accent-text" if entry.state == "current" else "text3" if future else "text2"
        font = fonts.font("body", 500 if future else 600, tabular=True)
        top, height = (0.0, area.height() - 1) if future else (fonts.px(6), fonts.px(18))
        rect = QRectF(area.x(), area.y() + top, fonts.px(34), height)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        paint.draw_text(painter, rect, entry.number, font, role, right)

    @staticmethod
    def _locked(painter: QPainter, area: QRectF, entry: Entry) -> None:
        left, middle = area.x() + fonts.px(44), area.center().y()
        icons.paint(painter, "lock", left, round(middle - 7), "text3", 13)
        font = fonts.font("label")
        text_x = left + 13 + fonts.px(8)
        wide = QFontMetricsF(font).horizontalAdvance(entry.locked) + 1
        paint.draw_text(painter, QRectF(text_x, area.y(), wide, area.height() - 1), entry.locked, font, "text3")
        start = text_x + wide + fonts.px(8)
        strip = QRectF(start, round(middle - 5), area.right() - fonts.px(14) - start, 9)
        if strip.width() > 12:
            painter.save()
            painter.setOpacity(0.6)
            theme.fill_hatch(painter, strip)
            painter.restore()

    @staticmethod
    def _head(painter: QPainter, piece: HeadItem) -> None:
        rect, kind = piece.rect, piece.kind
        if kind == "spark":
            paint.draw_spark(painter, rect.x(), rect.y() + round((rect.height() - 14) / 2), piece.value)
            return
        if kind == "fold":
            icons.paint(painter, piece.value, rect.x(), rect.y() + round((rect.height() - 16) / 2), "text3", 16)
            return
        if kind == "category":
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            paint.draw_text(painter, rect, piece.value, fonts.font("meta"), "text3", right)
            return
        if kind == "text":
            paint.draw_text(painter, rect, piece.value, fonts.font("meta", tabular=True), "text3")
            return
        icon, role, style = _ICONED[kind]
        icons.paint(painter, icon, rect.x(), rect.y() + round((rect.height() - 13) / 2), role, 13)
        inner = rect.adjusted(13 + fonts.px(4), 0, 0, 0)
        paint.draw_text(painter, inner, piece.value, fonts.font("meta" if style == "meta" else "label"), role)

    @staticmethod
    def _line(painter: QPainter, line: LineItem) -> None:
        paint.draw_text(painter, line.rect, line.text, fonts.font(line.style, line.weight), line.role)
        if line.key:
            paint.draw_keycap(painter, line.rect.right() + fonts.px(6), line.rect.y() - 1, keys.label(line.key))

    def _text(self, painter: QPainter, item: TextItem, entry: Entry, clip: QRectF) -> None:
        if item.bar:
            painter.fillRect(QRectF(item.x - fonts.px(12), item.y, 2, item.block.height), theme.color("control"))
        if item.part.name == "answer" and item.part.kind == "text":
            for mark in self._view.marks(entry.index):
                self._mark(painter, item, mark)
        selection = self._view.selection()
        if selection is not None and (selection.turn, selection.part) == (entry.index, item.part.name):
            for rect in item.block.rects(*selection.span):
                painter.fillRect(rect.translated(item.x, item.y), self._selection_ground())
        painter.setPen(theme.color(item.role))
        item.block.draw(painter, item.x, item.y, clip)

    def _selection_ground(self) -> QColor:
        ground = QColor(theme.color("accent"))
        ground.setAlphaF(0.28 if self._view.hasFocus() else 0.18)
        return ground

    @staticmethod
    def _mark(painter: QPainter, item: TextItem, mark: Mark) -> None:
        for rect in item.block.rects(mark.start, mark.end):
            place = rect.translated(item.x, item.y)
            if mark.current:
                painter.fillRect(place.adjusted(0, 2, 0, -2), theme.color("warn-soft"))
            foot = 2 if mark.current else 1
            painter.fillRect(QRectF(place.x(), place.bottom() - 3, place.width(), foot), theme.color("warn"))

    def _tools(self, painter: QPainter, layout: RowLayout, entry: Entry) -> None:
        for tool in self._view.tools(entry.index, layout):
            paint.draw_text(painter, tool.rect, tool.text, fonts.font("meta", 500), tool.role)
            if tool.key:
                paint.draw_keycap(painter, tool.rect.right() + fonts.px(4), tool.rect.y() - 1, tool.key)


_ICONED = {
    "link": ("volume-2", "accent-text", "meta"),
    "warning": ("triangle-alert", "error", "label"),
    "stale": ("history", "warn", "label"),
}
