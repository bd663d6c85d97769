"""Chips in rows that break where there is no more room.

The height is set by hand once the width is known: a grid asks each cell for one height, whatever its width.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui.widgets.base import Live


class Flow(Live, QWidget):
    """Lays its parts out one after the other, in as many rows as the width asks for."""

    GAP = 2

    def __init__(self, parts: Sequence[QWidget] = (), parent: QWidget | None = None) -> None:
        """Take the parts, in order."""
        super().__init__(parent)
        self._parts = list(parts)
        for part in self._parts:
            part.setParent(self)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.go_live()

    def rows_height(self, width: int) -> int:
        """The height at a width, px."""
        return self._place(width, move=False)

    def sizeHint(self) -> QSize:
        """The height at the width it has."""
        return QSize(120, self._place(max(60, self.width()), move=False))

    def minimumSizeHint(self) -> QSize:
        """One part to a row at worst."""
        return QSize(40, self.sizeHint().height())

    def _place(self, width: int, *, move: bool) -> int:
        x = y = high = 0
        for part in self._parts:
            if part.isHidden():
                continue
            size = part.sizeHint()
            if x and x + size.width() > width:
                x, y = 0, y + high + self.GAP
                high = 0
            if move:
                part.setGeometry(x, y, min(size.width(), width), size.height())
            x += size.width() + self.GAP
            high = max(high, size.height())
        return y + high

    def lay_out(self) -> None:
        """The parts changed their words: place them again."""
        self.setFixedHeight(max(1, self._place(self.width(), move=True)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other width, other rows."""
        super().resizeEvent(event)
        self.lay_out()

    def remeasure(self) -> None:
        """Other fonts, other rows."""
        self.lay_out()
