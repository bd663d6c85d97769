"""Small pictures of scores as widgets: the mini score and the spark."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui import i18n
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live
from annotator.ui.widgets.paint import CANNOT, Value


def spoken(value: Value) -> str:
    """A score in words, for assistive programs."""
    if value is None:
        return i18n.tr("common.mini_missing")
    return i18n.tr("common.mini_cannot") if value == CANNOT else str(value)


class MiniScore(Live, QWidget):
    """20 x 18: a digit over a bar whose length is the score."""

    def __init__(self, value: Value = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value = value
        self.setFixedSize(*paint.MINI)
        self.go_live()

    def value(self) -> Value:
        """The value shown."""
        return self._value

    def set_value(self, value: Value) -> None:
        """Show another value."""
        self._value = value
        self.retranslate()
        self.update()

    def retranslate(self) -> None:
        """Read the accessible name again."""
        self.setAccessibleName(spoken(self._value))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """One mini score."""
        paint.draw_mini(QPainter(self), 0, 0, self._value)


class Spark(Live, QWidget):
    """One bar per dimension in rubric order."""

    def __init__(self, values: Sequence[Value] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values = tuple(values)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.go_live()

    def set_values(self, values: Sequence[Value]) -> None:
        """Show other values."""
        self._values = tuple(values)
        self.retranslate()
        self.updateGeometry()
        self.update()

    def retranslate(self) -> None:
        """Read the accessible name again."""
        self.setAccessibleName(" ".join(spoken(value) for value in self._values))

    def sizeHint(self) -> QSize:
        """3 px and 2 px between, 14 high."""
        return QSize(paint.spark_width(len(self._values)), paint.SPARK_HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The bars."""
        paint.draw_spark(QPainter(self), 0, 0, self._values)
