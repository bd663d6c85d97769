"""The funnel: stages under one another, each as long as what is left; a stage may be made of parts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from annotator.ui import fonts, i18n, theme
from annotator.ui.statistics.charts.base import Chart, Hit
from annotator.ui.widgets import paint


@dataclass(frozen=True)
class Stage:
    """One stage: `parts` are (role, count) from left to right (one part of `text3` where none are named)."""

    key: Hashable
    label: str
    count: int
    note: str = ""
    parts: tuple[tuple[str, int], ...] = ()
    text: str = ""
    opens: bool = True


class Funnel(Chart):
    """Stages from the first to the last; lengths are shares of the first."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stages: tuple[Stage, ...] = ()
        self.go_live()

    def set_stages(self, stages: Sequence[Stage]) -> None:
        """Show these."""
        if self.shows(tuple(stages)):
            return
        self._stages = tuple(stages)
        self.changed()

    def stages(self) -> tuple[Stage, ...]:
        """What is shown."""
        return self._stages

    def _height(self) -> int:
        return fonts.px(20) + 16 + (fonts.px(16) if any(stage.note for stage in self._stages) else 0) + 10

    def sizeHint(self) -> QSize:
        """All stages."""
        return QSize(300, len(self._stages) * self._height() + 4)

    def make_hits(self) -> list[Hit]:
        """Every stage."""
        height = self._height()
        return [
            Hit(one.key, QRectF(0, place * height, self.width(), height), 0, place, one.text or one.label, one.opens)
            for place, one in enumerate(self._stages)
        ]

    def paint_chart(self, painter: QPainter) -> None:
        """Name and count over the bar, the note under it."""
        most = max((stage.count for stage in self._stages), default=0) or 1
        body, strong, meta = fonts.font("body", 600), fonts.font("body", 600, tabular=True), fonts.font("label")
        for place, stage in enumerate(self._stages):
            top = place * self._height() + 3
            line = QRectF(6, top, self.width() - 12, fonts.px(20))
            paint.draw_text(painter, line.adjusted(0, 0, -70, 0), stage.label, body)
            paint.draw_text(painter, line, i18n.count(stage.count), strong, "text", paint.RIGHT)
            well = QRectF(6, top + fonts.px(20) + 1, self.width() - 12, 14)
            paint.frame(painter, well, theme.color("sunken"), None, 2.0)
            left = well.left()
            for role, count in stage.parts or (("text3", stage.count),):
                wide = well.width() * count / most
                if wide > 0:
                    box = QRectF(left, well.top(), max(1.0, wide - 1), well.height())
                    paint.frame(painter, box, theme.color(role), None, 2.0)
                left += wide
            if stage.note:
                below = QRectF(6, well.bottom() + 1, self.width() - 12, fonts.px(16))
                paint.draw_text(painter, below, stage.note, meta, "text2")
