"""Bars from the left: counts, or shares with whiskers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from annotator.ui import fonts, theme
from annotator.ui.statistics.charts.base import Chart, Hit
from annotator.ui.widgets import paint


@dataclass(frozen=True)
class Bar:
    """One bar: `shown` is what stands at the right; low and high are whiskers; why: where there is no value."""

    key: Hashable
    label: str
    value: float | None
    shown: str = ""
    aside: str = ""
    low: float | None = None
    high: float | None = None
    why: str = ""
    text: str = ""
    role: str = "text3"
    opens: bool = True


class Bars(Chart):
    """Bars that share one scale, from 0 to the largest (or `most`)."""

    def __init__(self, most: float | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bars: tuple[Bar, ...] = ()
        self._most = most
        self.go_live()

    def set_bars(self, bars: Sequence[Bar], *, points_only: bool = False) -> None:
        """Show these."""
        if self.shows(tuple(bars), points_only):
            return
        self._bars, self.points_only = tuple(bars), points_only
        self.changed()

    def bars(self) -> tuple[Bar, ...]:
        """What is shown."""
        return self._bars

    def sizeHint(self) -> QSize:
        """A row for each."""
        return QSize(320, len(self._bars) * fonts.px(30) + 4)

    def make_hits(self) -> list[Hit]:
        """Every row."""
        height = fonts.px(30)
        return [
            Hit(bar.key, QRectF(0, place * height, self.width(), height), 0, place, bar.text or bar.label, bar.opens)
            for place, bar in enumerate(self._bars)
        ]

    def paint_chart(self, painter: QPainter) -> None:
        """Label, well, bar, whisker, number."""
        label, meta, strong = fonts.font("body"), fonts.font("meta"), fonts.font("body", 600, tabular=True)
        widest = max((paint.text_width(bar.label, label) for bar in self._bars), default=0)
        asides = max((paint.text_width(bar.aside, meta) + 10 for bar in self._bars if bar.aside), default=0)
        shown = max((paint.text_width(bar.shown, strong) for bar in self._bars), default=0) + 14
        names = min(widest + asides + 16, self.width() * 0.5)
        if names < widest + asides + 16:
            asides, names = 0, min(widest + 16, self.width() * 0.5)
        area = QRectF(names + 4, 0, max(30.0, self.width() - names - shown - 8), 0)
        most = self._most or max((v for bar in self._bars for v in (bar.value, bar.high) if v is not None), default=1)
        for place, bar in enumerate(self._bars):
            top, height = place * fonts.px(30), fonts.px(30)
            paint.draw_text(painter, QRectF(4, top, names - asides - 6, height), bar.label, label)
            if bar.aside and asides:
                paint.draw_text(painter, QRectF(names - asides, top, asides, height), bar.aside, meta, "text3")
            well = QRectF(area.left(), top + height / 2 - 7, area.width(), 14)
            if bar.value is None:
                theme.fill_hatch(painter, well)
                paint.draw_text(painter, QRectF(well.left() + 6, top, well.width() - 8, height), bar.why, meta, "text2")
            else:
                self._paint_bar(painter, bar, well, most or 1)
            right = QRectF(area.right() + 4, top, self.width() - area.right() - 8, height)
            paint.draw_text(painter, right, bar.shown, strong, "text", paint.RIGHT)

    def _paint_bar(self, painter: QPainter, bar: Bar, well: QRectF, most: float) -> None:
        paint.frame(painter, well, theme.color("sunken"), None, 2.0)
        wide = well.width() * min(1.0, (bar.value or 0) / most)
        if wide > 0:
            paint.frame(painter, QRectF(well.left(), well.top(), wide, well.height()), theme.color(bar.role), None, 2.0)
        if bar.low is not None and bar.high is not None:
            low, high = (well.left() + well.width() * min(1.0, max(0.0, end / most)) for end in (bar.low, bar.high))
            middle = well.center().y()
            ink = theme.color("text")
            painter.fillRect(QRectF(low, middle - 1, max(1.0, high - low), 2), ink)
            for end in (low, high):
                painter.fillRect(QRectF(end - 1, middle - 4, 2, 8), ink)
