"""Tables of counts whose cells are buttons: the 5 by 5 confusion, and any smaller one."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from annotator.ui import fonts, i18n, theme
from annotator.ui.statistics.charts.base import Chart, Hit
from annotator.ui.widgets import paint

_GAP: Final = 3


@dataclass(frozen=True)
class Cell:
    """One count.

    Attributes:
        key: what `activated` hands out; count: printed always.
        kind: same, near or far (off by none, one, more), ok, warn or plain.
        note: words under the number; text: in one line what it means.
    """

    key: Hashable
    count: float
    kind: str = "plain"
    note: str = ""
    text: str = ""
    strong: bool = False


_ROLES: Final = {"same": "series-c", "near": "s3", "far": "series-b", "ok": "ok", "warn": "warn", "plain": "s3"}


class Heat(Chart):
    """Cells with names at the left and below, sums at the edges. Rows are given from the top down."""

    def __init__(self, square: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cells: tuple[tuple[Cell, ...], ...] = ()
        self._rows: tuple[str, ...] = ()
        self._columns: tuple[str, ...] = ()
        self._sides = ("", "")
        self._square = square
        self._why = ""
        self.go_live()

    def set_cells(
        self, cells: Sequence[Sequence[Cell]], rows: Sequence[str], columns: Sequence[str], sides: tuple[str, str],
        why: str = "",
    ) -> None:  # fmt: skip
        """Show these counts; `sides` name what goes down and what goes across. `why`: the sentence where none are."""
        content = (tuple(tuple(row) for row in cells), tuple(rows), tuple(columns), sides, why)
        if self.shows(*content):
            return
        self._cells, self._rows, self._columns, self._sides, self._why = content
        self.changed()

    def cells(self) -> tuple[tuple[Cell, ...], ...]:
        """What is shown."""
        return self._cells

    def sizeHint(self) -> QSize:
        """Cells of a comfortable size."""
        count = max(1, len(self._cells))
        return QSize(360, fonts.px(24) * 2 + count * fonts.px(54 if count > 2 else 74))

    def _grid(self) -> QRectF:
        meta = fonts.font("label", 600)
        left = 20 + max([18.0, *(paint.text_width(name, meta) + 8 for name in self._rows)])
        totals = [_whole(sum(cell.count for cell in row)) for row in self._cells]
        totals.append(_whole(sum(cell.count for row in self._cells for cell in row)))
        right = 12 + max([24.0, *(paint.text_width(text, meta) for text in totals)])
        area = QRectF(left, 2, max(60.0, self.width() - left - right), max(60.0, self.height() - 2 * fonts.px(20) - 4))
        if self._square and self._cells:
            widest = area.height() / len(self._cells) * max(len(row) for row in self._cells) * 1.5
            if area.width() > widest:
                area.setLeft(area.left() + (area.width() - widest) / 2)
                area.setWidth(widest)
        return area

    def _area(self, row: int, column: int) -> QRectF:
        grid = self._grid()
        width, height = grid.width() / max(1, len(self._columns)), grid.height() / max(1, len(self._cells))
        return QRectF(grid.left() + column * width, grid.top() + row * height, width - _GAP, height - _GAP)

    def make_hits(self) -> list[Hit]:
        """Every cell; those with nothing in them open nothing."""
        return [
            Hit(cell.key, self._area(r, c), c, r, cell.text or f"{cell.count:g}", cell.count > 0)
            for r, row in enumerate(self._cells)
            for c, cell in enumerate(row)
        ]

    def paint_ground(self, painter: QPainter) -> None:
        """Nothing under cells: they show the pointer by their frame."""

    def paint_chart(self, painter: QPainter) -> None:
        """Cells, names, sums."""
        if not self._cells:
            area = QRectF(self.rect()).adjusted(0, 4, 0, -4)
            theme.fill_hatch(painter, area)
            font = fonts.font("label")
            width = min(area.width() - 20, paint.text_width(self._why, font) + 24)
            box = QRectF(area.center().x() - width / 2, area.center().y() - 13, width, 26)
            painter.fillRect(box, theme.color("panel"))
            paint.draw_text(painter, box.adjusted(8, 0, -8, 0), self._why, font, "text2", paint.CENTER)
            return
        most = max((cell.count for row in self._cells for cell in row), default=0) or 1
        pointed = self.current()
        for r, row in enumerate(self._cells):
            for c, cell in enumerate(row):
                self._paint_cell(painter, cell, self._area(r, c), most, pointed is not None and pointed.key == cell.key)
        self._paint_edges(painter)

    def _paint_cell(self, painter: QPainter, cell: Cell, area: QRectF, most: float, pointed: bool) -> None:
        ground = theme.color("panel")
        if cell.count:
            share = 0.05 + 0.45 * math.sqrt(cell.count / most)
            ground = mixed(theme.color("panel"), theme.color(_ROLES[cell.kind]), share)
        outlined = cell.kind in ("same", "ok", "warn") and cell.count
        border = theme.color("accent" if pointed else _ROLES[cell.kind] if outlined or cell.strong else "hair")
        paint.frame(painter, area, ground, border, 2.0, 1.5 if pointed else 1.0)
        text = i18n.count(round(cell.count)) if float(cell.count).is_integer() else f"{cell.count:.1f}"
        if cell.note:
            top = QRectF(area.left() + 8, area.center().y() - fonts.px(24), area.width() - 12, fonts.px(24))
            paint.draw_text(painter, top, text, fonts.font("time"), "text")
            below = QRectF(area.left() + 8, area.center().y() + 2, area.width() - 12, fonts.px(18))
            paint.draw_text(painter, below, cell.note, fonts.font("label"), "text")
            return
        role = "text" if cell.count else "text3"
        paint.draw_text(
            painter, area, text if cell.count else "·", fonts.font("body", 500, tabular=True), role, paint.CENTER
        )

    def _paint_edges(self, painter: QPainter) -> None:
        grid, name, sums = self._grid(), fonts.font("label", 600), fonts.font("label", tabular=True)
        for r, row in enumerate(self._cells):
            area = self._area(r, 0)
            label = QRectF(grid.left() - 200, area.top(), 192, area.height())
            paint.draw_text(painter, label, self._rows[r], name, "text", paint.RIGHT)
            total = QRectF(grid.right() + 2, area.top(), self.width() - grid.right() - 4, area.height())
            paint.draw_text(painter, total, _whole(sum(c.count for c in row)), sums, "text3", paint.LEFT)
        line = fonts.px(20)
        for c, text in enumerate(self._columns):
            area = self._area(0, c)
            below = QRectF(area.left(), grid.bottom() - 1, area.width(), line)
            paint.draw_text(painter, below, text, name, "text", paint.CENTER)
        whole = _whole(sum(cell.count for row in self._cells for cell in row))
        corner = QRectF(grid.right() + 2, grid.bottom() - 1, self.width() - grid.right() - 4, line)
        paint.draw_text(painter, corner, whole, sums, "text3", paint.LEFT)
        across = QRectF(grid.left(), grid.bottom() + line - 3, grid.width(), line)
        paint.draw_text(painter, across, self._sides[1], fonts.font("meta"), "text2", paint.CENTER)
        painter.save()
        painter.translate(10, grid.center().y())
        painter.rotate(-90)
        down = QRectF(-grid.height() / 2, -8, grid.height(), 16)
        paint.draw_text(painter, down, self._sides[0], fonts.font("meta"), "text2", paint.CENTER)
        painter.restore()


def _whole(number: float) -> str:
    return i18n.count(round(number)) if float(number).is_integer() else f"{number:.1f}"


def mixed(one: QColor, two: QColor, share: float) -> QColor:
    """`share` of the second colour in the first."""
    return QColor.fromRgbF(
        one.redF() + (two.redF() - one.redF()) * share,
        one.greenF() + (two.greenF() - one.greenF()) * share,
        one.blueF() + (two.blueF() - one.blueF()) * share,
    )
