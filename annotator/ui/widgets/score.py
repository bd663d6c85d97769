"""The score strip: position, length, digit and colour say one score; six real buttons stand behind it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QWidget

from annotator.ui import density, i18n, theme
from annotator.ui.widgets.base import KEYBOARD_REASONS, WINDOW_REASONS, Live
from annotator.ui.widgets.paint import CANNOT, Value
from annotator.ui.widgets.score_paint import MARGIN, Look, paint_cell, paint_strip, pictured


class ScoreCell(QAbstractButton):
    """One cell: a real button. The strip paints it; by itself it paints only that the pointer is on it."""

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
        """The cell under the pointer, over what the strip painted."""
        if self.underMouse() and self.isEnabled() and not self._strip.read_only and not self.isChecked():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = QRectF(self.rect())
            paint_cell(painter, box, self._strip.look(), self._strip.cells.index(self), hovered=True)
            painter.setPen(QPen(theme.color("control"), 1.5))
            painter.drawRoundedRect(box.adjusted(0.75, 0.75, -0.75, -0.75), 2, 2)


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
        self._ground = ""
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

    def set_ground(self, role: str) -> None:
        """The role of the plain colour it stands on: from then on it is painted from pictures, ground and all."""
        if role != self._ground:
            self._ground = role
            self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent, bool(role))
            self.update()

    def look(self) -> Look:
        """What its picture shows now."""
        return Look(
            self._value, self.levels, len(self.cells) > self.levels, self.pending, self.not_saved, self.conflict,
            self.read_only, self._current or (self._ring and self.hasFocus()),
        )  # fmt: skip

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
        """The whole strip, from its picture where it knows its ground and no pixel is split."""
        painter = QPainter(self)
        ratio = self.devicePixelRatioF()
        if self._ground and ratio == int(ratio):
            painter.drawPixmap(0, 0, pictured(self.look(), self._ground, self.width(), self.height(), int(ratio)))
            return
        if self._ground:
            painter.fillRect(self.rect(), theme.color(self._ground))
        paint_strip(painter, QSizeF(self.size()), self.look())

    def _clicked(self) -> None:
        cell = self.sender()
        if isinstance(cell, ScoreCell) and not self.read_only:
            self.chosen.emit(cell.value)

    def _refresh(self) -> None:
        self.update()  # the cells lie inside

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
