"""The threshold under the what-if's curve: a slider in steps of 0.05 on the curve's own axis."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSlider, QWidget

from annotator.ui import fonts, theme
from annotator.ui.i18n import tr
from annotator.ui.statistics.charts import Curve
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live
from annotator.workspace.figures_keeping import CUT, STEP

LOWEST: Final = 1.0
_STEPS: Final = 80
_KEYS: Final = [
    key.value
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
                Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
]  # fmt: skip


def step_of(threshold: float) -> int:
    """The slider's place of a threshold."""
    return round((threshold - LOWEST) / STEP)


class ThresholdSlider(Live, QSlider):
    """A threshold between 1 and 5. Arrows move by 0.05, page keys by 0.25, Home goes to the pipeline's cut.

    Signals:
        moved: the threshold, when a person moved it.
    """

    moved = Signal(float)

    def __init__(self, curve: Curve, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setObjectName("retention_threshold")
        self._curve = curve
        self.setRange(0, _STEPS)
        self.setSingleStep(1)
        self.setPageStep(5)
        self.setValue(step_of(CUT))
        self.setProperty("keepsKeys", _KEYS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._value_changed)
        self.go_live()

    def threshold(self) -> float:
        """Where it stands."""
        return round(LOWEST + STEP * self.value(), 2)

    def _value_changed(self) -> None:
        self._tell()
        self.update()
        self.moved.emit(self.threshold())

    def _tell(self) -> None:
        self.setAccessibleName(tr("retention.slider", t=f"{self.threshold():.2f}"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home is the pipeline's cut; the rest as sliders do."""
        if event.key() == Qt.Key.Key_Home:
            self.setValue(step_of(CUT))
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """A row."""
        return QSize(200, fonts.px(28))

    def minimumSizeHint(self) -> QSize:
        """The same height."""
        return QSize(80, fonts.px(28))

    def _track(self) -> tuple[float, float]:
        plot = self._curve.plot()
        left = self._curve.mapTo(self.window(), self._curve.rect().topLeft()).x()
        own = self.mapTo(self.window(), self.rect().topLeft()).x()
        return plot.left() + left - own, plot.right() + left - own

    def _x(self) -> float:
        left, right = self._track()
        return left + (right - left) * self.value() / _STEPS

    def _goto(self, x: float) -> None:
        left, right = self._track()
        self.setValue(round((x - left) / max(1.0, right - left) * _STEPS))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go where the pointer is."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._goto(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow it."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._goto(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Nothing more."""
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Track, what lies left of the handle, handle, ring of the keyboard."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left, right = self._track()
        middle, x = self.height() / 2, self._x()
        paint.frame(painter, QRectF(left, middle - 2, right - left, 4), theme.color("sunken"), theme.color("line"), 2.0)
        paint.frame(painter, QRectF(left, middle - 2, x - left, 4), theme.color("accent"), None, 2.0)
        handle = QRectF(x - 8, middle - 8, 16, 16)
        paint.frame(painter, handle, theme.color("raised"), theme.color("accent"), 8.0, 2.0)
        if self.hasFocus():
            paint.frame(painter, handle.adjusted(-3, -3, 3, 3), None, theme.color("accent"), 11.0, 2.0)
        painter.end()

    def retranslate(self) -> None:
        """Its name for screen readers."""
        self._tell()
