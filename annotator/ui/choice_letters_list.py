"""The list of outputs and the names of its columns."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QSizePolicy, QWidget

from annotator.domain.letters import PROFILES
from annotator.ui import density, fonts
from annotator.ui.choice_letters_model import columns, line_height
from annotator.ui.i18n import tr
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live


class ColumnHead(Live, QWidget):
    """The names of the columns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """One line."""
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def retranslate(self) -> None:
        """What a screen reader says."""
        self.setAccessibleName(", ".join((tr("choice.column_output"), *PROFILES, tr("choice.column_confirm"))))
        self.update()

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(120, density.scaled(20))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The names and the line below."""
        painter = QPainter(self)
        text, profiles, confirm = columns(QRectF(6, 0, self.width() - 6, self.height()))
        font = fonts.font("meta")
        paint.draw_text(painter, text, tr("choice.column_output"), font, "text3")
        for area, name in zip(profiles, PROFILES, strict=True):
            paint.draw_text(painter, area, "vlmeval" if name == "vlmevalkit" else name, font, "text3", paint.CENTER)
        paint.draw_text(painter, confirm, tr("choice.column_confirm"), font, "text3", paint.CENTER)
        paint.hairline(painter, 0, self.height() - 1, self.width(), self.height(), "line")


class LettersList(QListView):
    """The rows, all of them at once: the column around it scrolls.

    Signals:
        row_clicked(place, part): a row was clicked on its `line`, its `confirm`ation or its opened `output`.
    """

    row_clicked = Signal(int, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Empty."""
        super().__init__(parent)
        self.setObjectName("letterList")
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Tell which row, and what of it was meant."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() is Qt.MouseButton.LeftButton:
            rect = self.visualRect(index)
            line = QRectF(rect.x() + 6, rect.y(), rect.width() - 6, line_height())
            part = "line" if line.contains(event.position()) else "output"
            if columns(line)[2].contains(event.position()):
                part = "confirm"
            self.row_clicked.emit(index.row(), part)
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The column around it scrolls."""
        event.ignore()
