"""The rater's own turn scores in one table: what the session is judged by, beside goal and persona."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui import fonts, i18n, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView

HEAD, ROW, COLUMN, MEAN, NAME = 20, 20, 26, 44, 118


class ScoreTable(Live, QWidget):
    """Eight dimensions by all turns, with a mean of what was scored (cannot judge is left out).

    Signals:
        turn_clicked(turn): go to a turn.
    """

    turn_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("ownScores")
        self._view: ReviewView | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.go_live()

    def show_sheet(self, view: ReviewView) -> None:
        """Show a review's turn scores."""
        self._view = view
        self.updateGeometry()
        self.resize(self.sizeHint())
        self.retranslate()

    def values(self) -> tuple[tuple[object, ...], ...]:
        """The scores by dimension, then turn."""
        if self._view is None:
            return ()
        sheet = self._view.sheet
        dimensions = self._view.rubric.of("turn")
        return tuple(tuple(sheet.value(f"turn:{k}", d.id) for k in range(sheet.turns)) for d in dimensions)

    def means(self) -> tuple[str, ...]:
        """The mean of each dimension to one decimal; a dash where nothing was scored."""
        found = []
        for row in self.values():
            numbers = [v for v in row if isinstance(v, int)]
            found.append(f"{sum(numbers) / len(numbers):.1f}" if numbers else "–")
        return tuple(found)

    def _names(self) -> tuple[str, ...]:
        if self._view is None:
            return ()
        return tuple(d.small.in_language(i18n.language()) for d in self._view.rubric.of("turn"))

    def sizeHint(self) -> QSize:
        """All rows and columns."""
        turns = 0 if self._view is None else self._view.sheet.turns
        return QSize(fonts.px(NAME) + turns * COLUMN + fonts.px(MEAN) + 8, fonts.px(HEAD) + 8 * fonts.px(ROW) + 2)

    def retranslate(self) -> None:
        """Names, and what a screen reader says."""
        self.setAccessibleName(tr("tray.own_scores"))
        lines = zip(self._names(), self.values(), self.means(), strict=True)
        text = "\n".join(
            f"{name}: {', '.join('–' if v is None else str(v) for v in row)}; {mean}" for name, row, mean in lines
        )
        self.setAccessibleDescription(text)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Head, rows of mini scores, means."""
        painter = QPainter(self)
        head, row_height, name_width = fonts.px(HEAD), fonts.px(ROW), fonts.px(NAME)
        font, bold = fonts.font("meta", 500, tabular=True), fonts.font("label", 600, tabular=True)
        paint.draw_text(painter, QRectF(0, 0, name_width, head), tr("tray.own_scores"), font, "text3")
        turns = 0 if self._view is None else self._view.sheet.turns
        for k in range(turns):
            area = QRectF(name_width + k * COLUMN, 0, COLUMN, head)
            paint.draw_text(painter, area, str(k + 1), font, "text3", paint.CENTER)
        mean_x = name_width + turns * COLUMN
        mean_area = QRectF(mean_x, 0, fonts.px(MEAN), head)
        paint.draw_text(painter, mean_area, tr("tray.mean"), font, "text3", paint.RIGHT)
        painter.fillRect(QRectF(0, head - 1, mean_x + fonts.px(MEAN), 1), theme.color("line"))
        label = fonts.font("label")
        for number, (name, row, mean) in enumerate(zip(self._names(), self.values(), self.means(), strict=True)):
            y = head + number * row_height
            paint.draw_text(painter, QRectF(0, y, name_width - 6, row_height), name, label, "text")
            for k, value in enumerate(row):
                shown = value if isinstance(value, int | str) else None
                x = name_width + k * COLUMN + (COLUMN - 20) / 2
                paint.draw_mini(painter, x, y + round((row_height - 18) / 2), shown)
            area = QRectF(mean_x, y, fonts.px(MEAN), row_height)
            paint.draw_text(painter, area, mean, bold, "text", paint.RIGHT)

    def _turn_at(self, at: QPointF) -> int | None:
        turns = 0 if self._view is None else self._view.sheet.turns
        k = int((at.x() - fonts.px(NAME)) // COLUMN)
        return k if at.x() >= fonts.px(NAME) and k < turns else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """A turn's column leads to the turn."""
        over = self._turn_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go to the turn of the column."""
        turn = self._turn_at(event.position())
        if turn is not None and event.button() is Qt.MouseButton.LeftButton:
            self.turn_clicked.emit(turn)
