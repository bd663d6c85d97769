"""The chip that says that the queue holds a figure's items alone; pressing it takes that filter away."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from annotator.ui import density, fonts, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets import paint, plain_tooltip
from annotator.ui.widgets.base import PaintedButton


class OnlyChip(PaintedButton):
    """A target, the title elided, a cross."""

    RING_MARGIN = 2

    def __init__(self, parent: QWidget | None = None) -> None:
        """Without a title; hidden until there is one."""
        super().__init__(parent)
        self.setObjectName("filterOnly")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.title = ""
        self.hide()
        self.go_live()

    def set_title(self, title: str) -> None:
        """What these items are."""
        self.title = title
        self.retranslate()

    def retranslate(self) -> None:
        """What a screen reader says, and the whole title for the pointer."""
        words = tr("queue.only", title=self.title)
        self.setAccessibleName(words)
        self.setToolTip(plain_tooltip(words))
        self.update()

    def content_size(self) -> QSize:
        """As wide as there is room."""
        return QSize(60, density.scaled(24))

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Ground, target, title, cross."""
        ground = "hover" if self.hovered else "selected"
        paint.frame(painter, box, theme.color(ground), theme.color("accent"), 3.0)
        icons.paint(painter, "target", box.left() + 6, box.center().y() - 7, "accent-text", 14)
        icons.paint(painter, "x", box.right() - 20, box.center().y() - 7, "accent-text", 14)
        area = QRectF(box.left() + 25, box.top(), box.width() - 48, box.height())
        paint.draw_text(painter, area, self.title, fonts.font("label", 500), "accent-text")
