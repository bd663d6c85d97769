"""The window on the score rows: as high as they are where there is room, else a part that follows the cursor."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

LEAST_ROWS = 3


class GridArea(QScrollArea):
    """Scrolls only where large text leaves less room than the rows take; the keyboard is none of its business."""

    def __init__(self, rows: QWidget, parent: QWidget | None = None) -> None:
        """Show these rows."""
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setWidget(rows)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down are rows, not scrolling: the grid has them."""
        event.ignore()

    def show_row(self, row: QWidget) -> None:
        """Bring a row into sight, whole, with the edge of its neighbours."""
        half = row.height() // 2
        self.ensureVisible(0, row.y() + half, 0, half + row.fontMetrics().height())


def lacking(wanted: int, rows: int, each: int, room: int) -> int:
    """How many px the rows give up: what is wanted beyond the room, but for the least number of rows of `each` px."""
    return max(0, min(wanted - room, rows - LEAST_ROWS * each))
