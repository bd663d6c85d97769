"""The rail at the far left: one button per page, and help and settings at its foot."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QVBoxLayout, QWidget

from annotator.ui import density, fonts, icons, style, theme
from annotator.ui.i18n import tr
from annotator.ui.widgets.base import Live

_MARGIN, _SPACING, _LOWEST, _ANY = 6, 2, 30, 10_000


class RailButton(Live, QAbstractButton):
    """Icon over a word; a bar at its left and an accent mark the page shown; a count may sit at its corner."""

    def __init__(self, page: str, icon: str, parent: QWidget | None = None) -> None:
        """`page` names both the page and the text `rail.<page>`."""
        super().__init__(parent)
        self.page = page
        self._icon_name = icon
        self._count = 0
        self._limit = _ANY
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.go_live()

    def set_count(self, n: int) -> None:
        """Show how many wait; 0 hides it."""
        self._count = n
        self.update()

    def retranslate(self) -> None:
        """Read the word again."""
        self.setText(tr(f"rail.{self.page}"))
        self.setAccessibleName(tr(f"rail.{self.page}_full"))
        self.setToolTip(tr(f"rail.{self.page}_full"))
        self.update()

    def remeasure(self) -> None:
        """The size follows the text scale."""
        self.setFixedSize(density.metrics().rail - 1, min(density.metrics().rail_button, self._limit))

    def limit(self, height: int) -> None:
        """Be no higher than this: all buttons have to find room, with large text in a low window too."""
        if height != self._limit:
            self._limit = height
            self.remeasure()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint ground, bar, icon, word and count."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner = QRectF(4, 0, self.width() - 7, self.height())
        painter.setPen(Qt.PenStyle.NoPen)
        if self.isChecked() or self.underMouse():
            painter.setBrush(theme.color("selected" if self.isChecked() else "hover"))
            painter.drawRoundedRect(inner, 6, 6)
        role = "accent-text" if self.isChecked() else "text2"
        if self.isChecked():
            painter.setBrush(theme.color("accent"))
            painter.drawRoundedRect(QRectF(0, 10, 3, self.height() - 20), 2, 2)
        text_height = fonts.px(13)
        top = (self.height() - 18 - 3 - text_height) // 2
        icons.paint(painter, self._icon_name, (self.width() - 18) // 2, top, role, 18)
        painter.setPen(theme.color(role))
        painter.setFont(fonts.font("meta", weight=500 if self.isChecked() else 400))
        flags = int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)
        painter.drawText(QRectF(0, top + 21, self.width(), text_height), flags, self.text())
        if self._count:
            self._paint_count(painter)
        if self.hasFocus() and self.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
            style.draw_focus_ring(painter, inner.adjusted(3, 3, -3, -3), 6)
        painter.end()

    def _paint_count(self, painter: QPainter) -> None:
        painter.setFont(fonts.font("meta", weight=600))
        text = str(self._count) if self._count < 100 else "99+"
        width = max(15, painter.fontMetrics().horizontalAdvance(text) + 7)
        box = QRectF(self.width() - 4 - width, 1, width, 15)
        painter.setPen(theme.color("line"))
        painter.setBrush(theme.color("sunken"))
        painter.drawRoundedRect(box, 7, 7)
        painter.setPen(theme.color("text2"))
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)

    def sizeHint(self) -> QSize:
        """As wide as the rail."""
        return QSize(density.metrics().rail - 1, density.metrics().rail_button)


class Rail(Live, QWidget):
    """The pages of an open workspace.

    Signals:
        chosen: the id of the page or command that was clicked.
    """

    chosen = Signal(str)
    PAGES = (("review", "clipboard-check"), ("choice", "list-checks"), ("compare", "columns-3"),
             ("import", "download"), ("problems", "triangle-alert"), ("statistics", "gauge"),
             ("sync", "refresh-cw"))  # fmt: skip
    BEHIND: ClassVar = {"fetch": "import"}  # pages that are reached from another page
    COMMANDS = (("export", "upload"), ("home", "folder-open"), ("keys", "keyboard"), ("settings", "settings"))

    def __init__(self, parent: QWidget | None = None) -> None:
        """The audit page first."""
        super().__init__(parent)
        self.buttons: dict[str, RailButton] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, _MARGIN, 1, _MARGIN)
        layout.setSpacing(_SPACING)
        layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        for page, icon in self.PAGES:
            layout.addWidget(self._button(page, icon))
        layout.addStretch(1)
        for page, icon in self.COMMANDS:
            layout.addWidget(self._button(page, icon))
        self.go_live()

    def _button(self, page: str, icon: str) -> RailButton:
        button = RailButton(page, icon, self)
        button.setObjectName(f"rail_{page}")
        button.clicked.connect(self._clicked)
        self.buttons[page] = button
        return button

    def _clicked(self) -> None:
        button = self.sender()
        if isinstance(button, RailButton):
            button.setChecked(button.isChecked() if button.page in dict(self.PAGES) else False)
            self.chosen.emit(button.page)

    def set_current(self, page: str) -> None:
        """Mark the page that is shown."""
        for name, button in self.buttons.items():
            button.setChecked(name == self.BEHIND.get(page, page))

    def offer(self, page: str, on: bool) -> None:
        """Offer a page, or leave it out where there is nothing for it."""
        self.buttons[page].setVisible(on)
        self._fit()

    def set_count(self, page: str, n: int) -> None:
        """How many wait on a page."""
        self.buttons[page].set_count(n)

    def remeasure(self) -> None:
        """The width follows the text scale."""
        self.setFixedWidth(density.metrics().rail)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The buttons share the height."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """As low as its buttons can be."""
        return QSize(density.metrics().rail, 2 * _MARGIN + len(self.buttons) * (_LOWEST + _SPACING))

    def _fit(self) -> None:
        shown = [button for button in self.buttons.values() if not button.isHidden()]
        room = (self.height() - _MARGIN * 2) // max(1, len(shown)) - _SPACING
        for button in self.buttons.values():
            button.limit(max(room, _LOWEST))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The ground and the line at the right."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.color("window"))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), theme.color("hair"))
        painter.end()
