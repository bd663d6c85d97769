"""The score strip: position, length, digit and colour say one score; six real buttons stand behind it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QWidget

from annotator.ui import density, fonts, i18n, style, theme
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import KEYBOARD_REASONS, WINDOW_REASONS, Live
from annotator.ui.widgets.paint import CANNOT, Value

MARGIN = 3
RADIUS = 4.0
FOOT = 3
PENDING_OPACITY = 0.55


class ScoreCell(QAbstractButton):
    """One cell. It paints its digit, its fill when chosen and its foot when it lies left of the chosen one."""

    def __init__(self, strip: ScoreStrip, value: int | str) -> None:
        super().__init__(strip)
        self.value = value
        self._strip = strip
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        suffix = "cannot" if value == CANNOT else str(value)
        self.setObjectName(f"{strip.objectName()}_{suffix}")

    def nextCheckState(self) -> None:
        """A click asks for a value; what is chosen is set by the strip alone, so that the picture never runs ahead."""

    def sizeHint(self) -> QSize:
        """30 x 24, or 27 x 20 in small windows."""
        table = density.metrics()
        return QSize(table.cell_width, table.cell_height)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Fill, separator, foot, digit, hover frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect())
        strip = self._strip
        chosen = self.isChecked()
        fill, ink = self._colours(chosen)
        if fill or self._footed():
            painter.save()
            if self is strip.cells[0] or self is strip.cells[-1]:
                painter.setClipPath(self._shape(box))
            painter.setOpacity(PENDING_OPACITY if strip.pending and chosen else 1.0)
            if fill:
                painter.fillRect(box, theme.color(fill))
            painter.setOpacity(1.0)
            self._foot(painter, box)
            painter.restore()
        if self is not strip.cells[0] and not chosen:
            line = box.bottom() - (FOOT if self._footed() else 0)
            paint.hairline(painter, 0, 0, 1, line, "control" if self.value == CANNOT else "hair")
        font = fonts.font("body", 600 if chosen else 500, tabular=True)
        paint.draw_text(painter, box, "–" if self.value == CANNOT else str(self.value), font, ink, paint.CENTER)
        if self.underMouse() and self.isEnabled() and not strip.read_only and not chosen:
            painter.setPen(QPen(theme.color("control"), 1.5))
            painter.drawRoundedRect(box.adjusted(0.75, 0.75, -0.75, -0.75), 2, 2)

    def _shape(self, box: QRectF) -> QPainterPath:
        """The first or last cell, with the frame's inner corners."""
        path = QPainterPath()
        ends = (self is self._strip.cells[0], self is self._strip.cells[-1])
        beyond = box.adjusted(0 if ends[0] else -RADIUS, 0, 0 if ends[1] else RADIUS, 0)
        path.addRoundedRect(beyond, RADIUS - 1, RADIUS - 1)
        return path

    def _colours(self, chosen: bool) -> tuple[str, str]:
        if self._strip.read_only:
            return ("line" if chosen else "", "text" if chosen else "text-off")
        if chosen:
            return (paint.score_role(self.value, self._strip.levels), "panel" if self.value == CANNOT else "on-score")
        if self.underMouse() and self.isEnabled():
            return ("hover", "text")
        return ("", "text2")

    def _footed(self) -> bool:
        """Whether the cell lies left of the chosen one."""
        current = self._strip.value()
        return isinstance(current, int) and isinstance(self.value, int) and self.value < current

    def _foot(self, painter: QPainter, box: QRectF) -> None:
        current = self._strip.value()
        if self._footed():
            role = "line" if self._strip.read_only else paint.score_role(current, self._strip.levels)
            painter.setOpacity(PENDING_OPACITY if self._strip.pending else 1.0)
            painter.fillRect(QRectF(box.left(), box.bottom() - FOOT, box.width(), FOOT), theme.color(role))
            painter.setOpacity(1.0)


class ScoreStrip(Live, QFrame):
    """Five cells and a dash in one frame; ``score_<dimension>`` is its object name.

    ``chosen`` carries 1 to ``levels``, or ``"cannot_judge"``: an intent. The strip shows what ``set_value`` says.
    """

    chosen = Signal(object)

    def __init__(self, dimension: str, levels: int = 5, cannot: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(f"score_{dimension}")
        self.levels = levels
        self.pending = self.not_saved = self.conflict = self.read_only = self._current = False
        self._title = ""
        self._value: Value = None
        self._ring = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        values: list[int | str] = [*range(1, levels + 1), *([CANNOT] if cannot else [])]
        self.cells = [ScoreCell(self, value) for value in values]
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN + 1, MARGIN + 1, MARGIN + 1, MARGIN + 1)
        row.setSpacing(0)
        for cell in self.cells:
            group.addButton(cell)
            row.addWidget(cell)
            cell.clicked.connect(self._clicked)
        self._group = group
        self.go_live()

    def value(self) -> Value:
        """The value shown."""
        return self._value

    def set_value(self, value: Value) -> None:
        """Show 1 to ``levels``, ``"cannot_judge"`` or None for no score."""
        if value == self._value:
            return
        self._value = value
        self._group.setExclusive(False)
        for cell in self.cells:
            cell.setChecked(value is not None and cell.value == value)
        self._group.setExclusive(True)
        self._name()
        self._refresh()

    def set_title(self, title: str) -> None:
        """Name of the dimension for assistive programs, in the current language."""
        if title != self._title:
            self._title = title
            self._name()

    def set_pending(self, pending: bool) -> None:
        """The value is not on disk yet: painted lighter until it is."""
        if pending != self.pending:
            self.pending = pending
            self._refresh()

    def set_not_saved(self, failed: bool) -> None:
        """The save failed: dashed error border; the value stays."""
        if failed != self.not_saved:
            self.not_saved = failed
            self._name()
            self._refresh()

    def set_conflict(self, conflict: bool) -> None:
        """Two devices disagree: double warn border."""
        if conflict != self.conflict:
            self.conflict = conflict
            self._name()
            self._refresh()

    def set_read_only(self, read_only: bool) -> None:
        """Show without taking scores."""
        self.read_only = read_only
        for cell in self.cells:
            cell.setEnabled(not read_only)
        self._refresh()

    def set_current(self, current: bool) -> None:
        """Draw the ring because the grid's cursor is on this row, wherever the keyboard focus is."""
        if current != self._current:
            self._current = current
            self.update()

    def retranslate(self) -> None:
        """Read the accessible names again."""
        self._name()

    def remeasure(self) -> None:
        """Cells follow the size class."""
        for cell in self.cells:
            cell.setFixedSize(cell.sizeHint())
        super().remeasure()

    def restyle(self) -> None:
        """Colours changed."""
        self._refresh()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring is for the keyboard; coming back to the window shows what was there before."""
        if event.reason() not in WINDOW_REASONS:
            self._ring = event.reason() in KEYBOARD_REASONS
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """No ring without focus."""
        if event.reason() not in WINDOW_REASONS:
            self._ring = False
        super().focusOutEvent(event)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press between the cells is nobody's."""
        event.accept()

    def changeEvent(self, event: QEvent) -> None:
        """Disabled strips look like read-only ones."""
        if event.type() == QEvent.Type.EnabledChange:
            self._refresh()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, border of the state, ring; the cells paint the rest."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        paint.frame(painter, box, theme.color("sunken" if self.read_only else "raised"), None, RADIUS)
        self._border(painter, box)
        if self._current or (self._ring and self.hasFocus()):
            style.draw_focus_ring(painter, box, RADIUS)

    def _border(self, painter: QPainter, box: QRectF) -> None:
        if self.not_saved:
            paint.frame(painter, box, None, theme.color("error"), RADIUS, dashed=True)
        elif self.conflict:
            paint.frame(painter, box.adjusted(-2, -2, 2, 2), None, theme.color("warn"), RADIUS + 2)
            paint.frame(painter, box, None, theme.color("warn"), RADIUS)
        else:
            paint.frame(painter, box, None, theme.color("line" if self.read_only else "control"), RADIUS)

    def _clicked(self) -> None:
        cell = self.sender()
        if isinstance(cell, ScoreCell) and not self.read_only:
            self.chosen.emit(cell.value)

    def _refresh(self) -> None:
        self.update()
        for cell in self.cells:
            cell.update()

    def _name(self) -> None:
        title = self._title or self.objectName().removeprefix("score_")
        shown = self._value
        if shown is None:
            state = i18n.tr("common.score_none", title=title)
        elif shown == CANNOT:
            state = i18n.tr("common.score_cannot", title=title)
        else:
            state = i18n.tr("common.score_is", title=title, value=shown, levels=self.levels)
        if self.not_saved:
            state = i18n.tr("common.score_not_saved", state=state)
        elif self.conflict:
            state = i18n.tr("common.score_conflict", state=state)
        self.setAccessibleName(state)
        for cell in self.cells:
            key = "common.cell_cannot" if cell.value == CANNOT else "common.cell_score"
            cell.setAccessibleName(i18n.tr(key, title=title, value=cell.value))
