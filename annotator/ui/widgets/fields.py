"""Fields, combos and menus."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QSizePolicy,
    QStyledItemDelegate,
    QWidget,
)

from annotator.ui import density, fonts, icons, style, theme
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live, PaintedButton
from annotator.ui.widgets.text import Keycap


class SearchField(Live, QFrame):
    """A field with a looking glass and the `/` keycap; Esc empties it."""

    changed = Signal(str)

    def __init__(self, placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = QLineEdit(self)
        self.edit.setProperty("bare", True)
        self.edit.textChanged.connect(self._keep_escape)
        self.edit.textChanged.connect(self.changed)
        self.edit.installEventFilter(self)
        self._cap = Keycap("search", self)
        row = QHBoxLayout(self)
        row.setContentsMargins(34, 3, 11, 3)
        row.setSpacing(6)
        row.addWidget(self.edit, 1)
        row.addWidget(self._cap)
        self.setFocusProxy(self.edit)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_placeholder(placeholder)
        self.go_live()

    def text(self) -> str:
        """What is typed."""
        return self.edit.text()

    def set_text(self, text: str) -> None:
        """Put a text in."""
        self.edit.setText(text)

    def set_placeholder(self, text: str) -> None:
        """What can be searched; the accessible name too."""
        self.edit.setPlaceholderText(text)
        self.edit.setAccessibleName(text)

    def remeasure(self) -> None:
        """28 px high."""
        self.edit.setFont(fonts.font("body"))
        self.setFixedHeight(density.metrics().button + 6)
        super().remeasure()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Repaint the frame with the focus; Esc empties before it leaves."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape:
            if self.edit.text():
                self.edit.clear()
                return True
        return super().eventFilter(watched, event)

    def _keep_escape(self, text: str) -> None:
        self.edit.setProperty("keepsKeys", [Qt.Key.Key_Escape.value] if text else [])

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Frame, looking glass, ring."""
        painter = QPainter(self)
        box = QRectF(self.rect()).adjusted(3, 3, -3, -3)
        paint.frame(painter, box, theme.color("raised"), theme.color("control"), 4.0)
        icons.paint(painter, "search", box.left() + 8, box.center().y() - 8, "text3")
        if self.edit.hasFocus():
            style.draw_focus_ring(painter, box, 4.0)


class Combo(Live, QComboBox):
    """A combo painted flat, 26 px; its list is a plain popup."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setItemDelegate(QStyledItemDelegate(self))  # the style sheet's row height reaches only this delegate
        self.go_live()

    def remeasure(self) -> None:
        """Font and height."""
        self.setFont(fonts.font("label"))
        self.setFixedHeight(density.metrics().segmented + 6)
        super().remeasure()

    def sizeHint(self) -> QSize:
        """As wide as its longest entry."""
        texts = [self.itemText(number) for number in range(self.count())] or [self.placeholderText()]
        width = max(paint.text_width(text, self.font()) for text in texts)
        return QSize(round(width) + 46, density.metrics().segmented + 6)

    def minimumSizeHint(self) -> QSize:
        """It may shrink and elide."""
        return QSize(72, self.sizeHint().height())

    def showPopup(self) -> None:
        """The popup without the window system's shadow."""
        window = self.view().window()
        window.setWindowFlags(window.windowFlags() | Qt.WindowType.NoDropShadowWindowHint)
        super().showPopup()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Frame, text, arrow, ring."""
        painter = QPainter(self)
        box = QRectF(self.rect()).adjusted(3, 3, -3, -3)
        hover = self.isEnabled() and self.underMouse()
        border = "control" if self.isEnabled() else "line"
        paint.frame(painter, box, theme.color("hover" if hover else "raised"), theme.color(border), 4.0)
        ink = "text" if self.isEnabled() else "text-off"
        text = self.currentText() or self.placeholderText()
        paint.draw_text(painter, box.adjusted(9, 0, -24, 0), text, self.font(), ink)
        icons.paint(
            painter, "chevron-down", box.right() - 21, box.center().y() - 7, "text2" if self.isEnabled() else ink, 14
        )
        if self.hasFocus():
            style.draw_focus_ring(painter, box, 4.0)


class CheckBox(PaintedButton):
    """A box to tick and its words."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.set_text(text)
        self.go_live()

    def set_text(self, text: str) -> None:
        """Change the words."""
        self._words = text
        self.setText(text.replace("&", "&&"))
        self.setAccessibleName(text)
        self.updateGeometry()

    def content_size(self) -> QSize:
        """A box of 16 px, the words after it."""
        width = 26 + paint.text_width(self._words, fonts.font("body"))
        return QSize(round(width), density.metrics().button_small)

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Box, tick, words."""
        square = QRectF(box.left() + 1, box.center().y() - 8, 16, 16)
        on, off = self.isChecked(), not self.isEnabled()
        ground = "accent" if on and not off else "hover" if self.hovered else "raised"
        border = "line" if off else "accent" if on else "control"
        paint.frame(painter, square, theme.color(ground), theme.color(border), 3.0)
        if on:
            icons.paint(painter, "check", square.left() + 2, square.top() + 2, "text-off" if off else "on-accent", 12)
        area = QRectF(square.right() + 7, box.top(), box.right() - square.right() - 6, box.height())
        paint.draw_text(painter, area, self._words, fonts.font("body"), "text-off" if off else "text")


class Menu(QMenu):
    """A menu without a shadow."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(title, parent)
        self.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint, True)
        self.setAccessibleName(title)
