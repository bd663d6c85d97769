"""Curves: lines with bands and points on two axes, a diagonal to compare with, and a level of people's own."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from annotator.ui import fonts, theme
from annotator.ui.statistics.charts.base import SERIES, Chart, Hit, draw_mark, ticks
from annotator.ui.statistics.words import number
from annotator.ui.widgets import paint


@dataclass(frozen=True)
class Point:
    """One point with its interval; `text` says it in one line."""

    key: Hashable
    x: float
    y: float
    low: float | None = None
    high: float | None = None
    text: str = ""
    opens: bool = True


@dataclass(frozen=True)
class Line:
    """Points of one series, from left to right; `marked`: each has its mark."""

    series: str
    points: tuple[Point, ...]
    marked: bool = True


class Curve(Chart):
    """Lines between fixed ends. `diagonal` draws y = x; `set_level` a dashed line with its band; `set_at` a cut."""

    def __init__(
        self, across: tuple[float, float], up: tuple[float, float], diagonal: bool = False, percent: bool = False,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._across, self._up, self._diagonal, self._percent = across, up, diagonal, percent
        self._lines: tuple[Line, ...] = ()
        self._level: tuple[float, float | None, float | None, str] | None = None
        self._at: float | None = None
        self._sides = ("", "")
        self._why = ""
        self.go_live()

    def set_lines(
        self, lines: Sequence[Line], sides: tuple[str, str] = ("", ""), why: str = "", *, points_only: bool = False
    ) -> None:
        """Show these; `sides` name the axes (across, up). `why`: the sentence where there is none."""
        if self.shows(tuple(lines), sides, why, points_only):
            return
        self._lines, self._sides, self._why, self.points_only = tuple(lines), sides, why, points_only
        self.changed()

    def set_level(
        self, value: float | None, low: float | None = None, high: float | None = None, text: str = ""
    ) -> None:
        """A level to compare with, as a dashed line with its band."""
        level = None if value is None else (value, low, high, text)
        if level != self._level:
            self._level = level
            self.changed()

    def set_at(self, x: float | None) -> None:
        """Mark a place on the lower axis."""
        self._at = x
        self.update()

    def lines(self) -> tuple[Line, ...]:
        """What is shown."""
        return self._lines

    def sizeHint(self) -> QSize:
        """A landscape."""
        return QSize(360, fonts.px(230))

    def plot(self) -> QRectF:
        """The rectangle between the axes, so that a slider may lie under it."""
        left = fonts.px(46) if self._percent else fonts.px(34)
        foot = fonts.px(20) + (fonts.px(16) if self._sides[0] else 0)
        head = fonts.px(24) if self._sides[1] else 8
        return QRectF(left, head, max(40.0, self.width() - left - 12), max(40.0, self.height() - head - foot))

    def _at_point(self, x: float, y: float) -> QPointF:
        plot, (left, right), (low, high) = self.plot(), self._across, self._up
        up = (min(max(y, low), high) - low) / (high - low)
        return QPointF(plot.left() + (x - left) / (right - left) * plot.width(), plot.bottom() - up * plot.height())

    def make_hits(self) -> list[Hit]:
        """Every point."""
        hits, size = [], 22.0
        for row, line in enumerate(self._lines):
            for column, point in enumerate(line.points):
                at = self._at_point(point.x, point.y)
                area = QRectF(at.x() - size / 2, at.y() - size / 2, size, size)
                hits.append(Hit(point.key, area, column, row, point.text, point.opens))
        return hits

    def paint_chart(self, painter: QPainter) -> None:
        """Grid, level, bands, lines, points."""
        plot = self.plot()
        if not any(line.points for line in self._lines):
            self._paint_why(painter, plot)
            return
        self._paint_axes(painter, plot)
        if self._level is not None:
            self._paint_level(painter, plot)
        if self._diagonal:
            painter.setPen(QPen(theme.color("text3"), 1, Qt.PenStyle.DashLine))
            painter.drawLine(
                self._at_point(self._across[0], self._across[0]), self._at_point(self._across[1], self._across[1])
            )
        if self._at is not None:
            x = self._at_point(self._at, self._up[0]).x()
            painter.fillRect(QRectF(x - 1, plot.top(), 2, plot.height()), theme.color("accent"))
        for line in self._lines:
            self._paint_line(painter, line)

    def _paint_why(self, painter: QPainter, plot: QRectF) -> None:
        theme.fill_hatch(painter, plot)
        font = fonts.font("label")
        width = min(plot.width() - 10, paint.text_width(self._why, font) + 24)
        box = QRectF(plot.center().x() - width / 2, plot.center().y() - 13, width, 26)
        painter.fillRect(box, theme.color("panel"))
        paint.draw_text(painter, box.adjusted(8, 0, -8, 0), self._why, font, "text2", paint.CENTER)

    def _paint_axes(self, painter: QPainter, plot: QRectF) -> None:
        meta = fonts.font("meta", tabular=True)
        for value in ticks(*self._up, 5):
            y = self._at_point(self._across[0], value).y()
            paint.hairline(painter, plot.left(), round(y), plot.right(), round(y) + 1)
            text = number(value, percent=True, decimals=0) if self._percent else f"{value:g}"
            paint.draw_text(painter, QRectF(0, y - 9, plot.left() - 8, 18), text, meta, "text3", paint.RIGHT)
        for value in ticks(*self._across, 5):
            x = self._at_point(value, self._up[0]).x()
            area = QRectF(x - 30, plot.bottom() + 3, 60, fonts.px(16))
            paint.draw_text(painter, area, f"{value:g}", meta, "text3", paint.CENTER)
        across = QRectF(plot.left(), plot.bottom() + fonts.px(18), plot.width(), fonts.px(16))
        paint.draw_text(painter, across, self._sides[0], fonts.font("meta"), "text2", paint.CENTER)
        paint.draw_text(painter, QRectF(4, 0, plot.width(), fonts.px(16)), self._sides[1], fonts.font("meta"), "text2")

    def _paint_level(self, painter: QPainter, plot: QRectF) -> None:
        assert self._level is not None
        value, low, high, text = self._level
        if low is not None and high is not None:
            top, bottom = self._at_point(self._across[0], high).y(), self._at_point(self._across[0], low).y()
            painter.fillRect(QRectF(plot.left(), top, plot.width(), max(1.0, bottom - top)), faint("ok"))
        y = self._at_point(self._across[0], value).y()
        painter.setPen(QPen(theme.color("ok"), 1.5, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
        area = QRectF(plot.left(), y - fonts.px(18), plot.width() - 4, fonts.px(16))
        paint.draw_text(painter, area, text, fonts.font("meta"), "ok", paint.RIGHT)

    def _paint_line(self, painter: QPainter, line: Line) -> None:
        role = SERIES[line.series][0]
        banded = [p for p in line.points if p.low is not None and p.high is not None]
        if len(banded) > 1:
            there = [self._at_point(p.x, p.low or 0.0) for p in banded]
            back = [self._at_point(p.x, p.high or 0.0) for p in reversed(banded)]
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faint(role))
            painter.drawPolygon(QPolygonF([*there, *back]))
        painter.setPen(QPen(theme.color(role), 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF([self._at_point(p.x, p.y) for p in line.points]))
        pointed = self.current()
        for point in line.points:
            if line.marked or (pointed is not None and pointed.key == point.key):
                at = self._at_point(point.x, point.y)
                if line.marked and point.low is not None and point.high is not None:
                    low, high = self._at_point(point.x, point.low), self._at_point(point.x, point.high)
                    painter.fillRect(QRectF(at.x() - 1, high.y(), 2, low.y() - high.y()), theme.color(role))
                draw_mark(painter, at.x(), at.y(), line.series, hollow=self.points_only)


def faint(role: str) -> QColor:
    """A role at a fifth of its strength."""
    colour = QColor(theme.color(role))
    colour.setAlphaF(0.2)
    return colour
