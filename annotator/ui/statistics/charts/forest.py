"""Row charts: a label, dots with intervals before the human ceiling's band, and the numbers in columns."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QWidget

from annotator.ui import fonts, theme
from annotator.ui.statistics.charts.base import SERIES, Chart, Hit, draw_band, draw_mark, span_of, ticks
from annotator.ui.statistics.words import number
from annotator.ui.widgets import paint

_SHIFTS: Final = {1: (0.0,), 2: (-5.0, 5.0), 3: (-8.0, 0.0, 8.0), 4: (-9.0, -3.0, 3.0, 9.0)}


@dataclass(frozen=True)
class Mark:
    """One dot with its interval. `series` is a key of `SERIES`; a value of None paints nothing."""

    series: str
    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        key: what `activated` hands out; label: its name; aside: its name in the other language.
        marks: from top to bottom; band: the ends of the human ceiling.
        cells: (text, role) of each column; why: the sentence where there is nothing to paint.
        text: its exact values in one line; few: fewer than 20 clusters. gap: a little room above.
    """

    key: Hashable
    label: str
    marks: tuple[Mark, ...] = ()
    aside: str = ""
    band: tuple[float, float] | None = None
    cells: tuple[tuple[str, str], ...] = ()
    why: str = ""
    text: str = ""
    few: bool = False
    gap: bool = False
    opens: bool = True


class Forest(Chart):
    """Rows of intervals on one axis (`low` and `high` where they are fixed); `at` is a line to compare with."""

    def __init__(
        self, low: float | None = None, high: float | None = None, at: float | None = None,
        percent: bool = False, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._ends, self._at, self._percent = (low, high), at, percent
        self._rows: tuple[Row, ...] = ()
        self._heads: tuple[str, ...] = ()
        self.go_live()

    def set_rows(self, rows: Sequence[Row], heads: Sequence[str] = (), *, points_only: bool = False) -> None:
        """Show these rows; `heads` name the columns of numbers. `points_only`: intervals are still to come."""
        rows, heads = tuple(rows), tuple(heads)
        if self.shows(rows, heads, points_only):
            return
        self._rows, self._heads, self.points_only = rows, heads, points_only
        self.changed()

    def set_axis(
        self, low: float | None = None, high: float | None = None, at: float | None = None, *, percent: bool = False
    ) -> None:
        """Another axis, for figures of another kind."""
        self._ends, self._at, self._percent = (low, high), at, percent
        self.changed()

    def rows(self) -> tuple[Row, ...]:
        """What is shown."""
        return self._rows

    # --- measures -------------------------------------------------------------------------------------------------
    def _least_height(self) -> int:
        most = max((len(row.marks) for row in self._rows), default=1)
        return max(fonts.px(28), 12 + 10 * most)

    def _row_height(self) -> int:
        """Rows spread over the height there is, within reason."""
        least = self._least_height()
        room = self.height() - self._head_height() - self._gaps() - fonts.px(22) - 4
        return max(least, min(round(least * 1.5), room // max(1, len(self._rows))))

    def _gaps(self) -> int:
        return sum(10 for row in self._rows[1:] if row.gap)

    def _head_height(self) -> int:
        return fonts.px(24) if any(self._heads) else 6

    def sizeHint(self) -> QSize:
        """All rows, the head and the axis."""
        rows = len(self._rows) * self._least_height()
        return QSize(460, self._head_height() + self._gaps() + rows + fonts.px(22) + 4)

    def _label_width(self) -> float:
        widest = max((self._both(row) for row in self._rows), default=0)
        return float(min(widest + 14, self.width() * 0.36))

    def _both(self, row: Row) -> float:
        aside = paint.text_width(row.aside, fonts.font("meta")) + 10 if row.aside else 0
        return float(paint.text_width(row.label, fonts.font("body", 600)) + aside)

    def _columns(self) -> list[tuple[float, float]]:
        """Left and right of each column of numbers."""
        font, meta = fonts.font("label", 600, tabular=True), fonts.font("meta")
        count = max((len(row.cells) for row in self._rows), default=0)
        widths = []
        for place in range(count):
            texts = [row.cells[place][0] for row in self._rows if place < len(row.cells)]
            head = self._heads[place] if place < len(self._heads) else ""
            widths.append(max([paint.text_width(head, meta), *(paint.text_width(t, font) for t in texts)]) + 12)
            if head == "n" and any(row.few for row in self._rows):
                widths[-1] += 14
        right, out = self.width() - 4.0, []
        for width in reversed(widths):
            out.append((right - width, right))
            right -= width
        return out[::-1]

    def _plot(self) -> QRectF:
        columns = self._columns()
        right = (columns[0][0] if columns else self.width()) - 14
        left = self._label_width() + 10
        return QRectF(
            left, self._head_height(), max(40.0, right - left), self.height() - self._head_height() - fonts.px(22)
        )

    def _span(self) -> tuple[float, float]:
        values = [v for row in self._rows for m in row.marks for v in (m.value, m.low, m.high) if v is not None]
        values += [end for row in self._rows if row.band for end in row.band]
        if self._at is not None:
            values.append(self._at)
        return span_of(values, *self._ends)

    def _tops(self) -> list[float]:
        y, out = float(self._head_height()), []
        for place, row in enumerate(self._rows):
            y += 10 if row.gap and place else 0
            out.append(y)
            y += self._row_height()
        return out

    def make_hits(self) -> list[Hit]:
        """One for each row."""
        height = self._row_height()
        return [
            Hit(row.key, QRectF(0, top, self.width(), height), 0, place, row.text or row.label, row.opens)
            for place, (row, top) in enumerate(zip(self._rows, self._tops(), strict=True))
        ]

    # --- painting -------------------------------------------------------------------------------------------------
    def paint_chart(self, painter: QPainter) -> None:
        """Grid, rows, columns."""
        plot, span, columns = self._plot(), self._span(), self._columns()
        self._paint_axis(painter, plot, span)
        meta = fonts.font("meta")
        for (left, right), head in zip(columns, self._heads, strict=False):
            area = QRectF(left, 0, right - left, self._head_height() - 4)
            paint.draw_text(painter, area, head, meta, "text2", paint.RIGHT)
        for row, top in zip(self._rows, self._tops(), strict=True):
            self._paint_row(painter, row, top, plot, span, columns)

    def _paint_axis(self, painter: QPainter, plot: QRectF, span: tuple[float, float]) -> None:
        meta = fonts.font("meta", tabular=True)
        most = max(2, min(7, int(plot.width() / 62)))
        for value in ticks(*span, most):
            x = self._x(value, plot, span)
            paint.hairline(painter, round(x), plot.top(), round(x) + 1, plot.bottom())
            text = number(value, percent=True, decimals=0) if self._percent else f"{value:g}"
            area = QRectF(x - 40, plot.bottom() + 3, 80, fonts.px(17))
            paint.draw_text(painter, area, text, meta, "text3", paint.CENTER)
        if self._at is not None and span[0] <= self._at <= span[1]:
            x = round(self._x(self._at, plot, span))
            painter.setPen(QPen(theme.color("text3"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(x, round(plot.top()), x, round(plot.bottom()))

    def _x(self, value: float, plot: QRectF, span: tuple[float, float]) -> float:
        share = (min(max(value, span[0]), span[1]) - span[0]) / (span[1] - span[0])
        return plot.left() + share * plot.width()

    def _paint_row(
        self, painter: QPainter, row: Row, top: float, plot: QRectF, span: tuple[float, float],
        columns: Sequence[tuple[float, float]],
    ) -> None:  # fmt: skip
        height = self._row_height()
        font = fonts.font("body", 600)
        paint.draw_text(painter, QRectF(4, top, plot.left() - 12, height), row.label, font)
        left = 12 + paint.text_width(row.label, font)
        if row.aside and plot.left() - left > 36:
            paint.draw_text(
                painter, QRectF(left, top, plot.left() - left - 6, height), row.aside, fonts.font("meta"), "text3"
            )
        if row.band is not None:
            low, high = (self._x(end, plot, span) for end in row.band)
            draw_band(painter, QRectF(low, top + height * 0.2, max(3.0, high - low), height * 0.6))
        if row.why:
            self._paint_why(painter, row.why, QRectF(plot.left(), top + 5, plot.width(), height - 10))
        for mark, shift in zip(row.marks, _SHIFTS.get(len(row.marks), (0.0,) * len(row.marks)), strict=True):
            self._paint_mark(painter, mark, top + height / 2 + shift, plot, span)
        label = fonts.font("label", 600, tabular=True)
        for place, ((left, right), (text, role)) in enumerate(zip(columns, row.cells, strict=False)):
            plain = role in ("text2", "text3")
            area = QRectF(left, top, right - left, height)
            paint.draw_text(
                painter, area, text, fonts.font("label", tabular=True) if plain else label, role, paint.RIGHT
            )
            if row.few and self._is_n(place):
                _warning(painter, right - paint.text_width(text, label) - 7, top + height / 2)

    def _is_n(self, place: int) -> bool:
        return place < len(self._heads) and self._heads[place] == "n"

    def _paint_why(self, painter: QPainter, why: str, area: QRectF) -> None:
        theme.fill_hatch(painter, area)
        font = fonts.font("label")
        width = min(area.width(), paint.text_width(why, font) + 16)
        middle = QRectF(area.center().x() - width / 2, area.top(), width, area.height())
        painter.fillRect(middle, theme.color("panel"))
        paint.draw_text(painter, middle.adjusted(6, 0, -6, 0), why, font, "text2", paint.CENTER)

    def _paint_mark(self, painter: QPainter, mark: Mark, y: float, plot: QRectF, span: tuple[float, float]) -> None:
        if mark.value is None:
            return
        if mark.low is not None and mark.high is not None:
            low, high = self._x(mark.low, plot, span), self._x(mark.high, plot, span)
            painter.fillRect(QRectF(low, y - 1, max(1.0, high - low), 2), theme.color(SERIES[mark.series][0]))
        draw_mark(painter, self._x(mark.value, plot, span), y, mark.series, hollow=self.points_only)


def _warning(painter: QPainter, x: float, y: float) -> None:
    """A small triangle: few clusters."""
    painter.save()
    painter.setPen(QPen(theme.color("warn"), 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon([QPointF(x, y - 4), QPointF(x + 4.5, y + 3.5), QPointF(x - 4.5, y + 3.5)])
    painter.restore()
