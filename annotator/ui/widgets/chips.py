"""Chips, and the segmented control."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QSizePolicy, QWidget

from annotator.ui import density, fonts, icons, theme
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live, PaintedButton, key_text


class Chip(Live, QWidget):
    """A word on a soft ground; says, does not act."""

    def __init__(
        self, text: str = "", kind: str = "neutral", icon: str | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._text, self._kind, self._icon = text, kind, icon
        self._room: tuple[str, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.go_live()
        self.setAccessibleName(text)

    def text(self) -> str:
        """The word."""
        return self._text

    def set_text(self, text: str) -> None:
        """Change the word."""
        if text != self._text:
            wide = self.sizeHint().width()
            self._text = text
            self.setAccessibleName(text)
            if self.sizeHint().width() != wide:
                self.updateGeometry()
            self.update()

    def keep_room(self, texts: tuple[str, ...]) -> None:
        """Be as wide as the widest of these words, so that a change among them moves nothing beside the chip."""
        if texts != self._room:
            self._room = texts
            self.remeasure()

    def set_kind(self, kind: str) -> None:
        """Change the kind: neutral, outline, chosen, ok, warn, error, info."""
        if kind != self._kind:
            self._kind = kind
            self.update()

    def set_icon(self, icon: str | None) -> None:
        """Change the icon."""
        if icon != self._icon:
            self._icon = icon
            self.remeasure()

    def sizeHint(self) -> QSize:
        """As wide as its word."""
        wide = max(paint.chip_width(text, self._icon) for text in (self._text, *self._room))
        return QSize(wide, density.metrics().chip)

    def minimumSizeHint(self) -> QSize:
        """It may shrink and elide."""
        return QSize(min(40, self.sizeHint().width()), self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The chip."""
        paint.draw_chip(QPainter(self), 0, 0, self._text, self._kind, self._icon, self.width())


@dataclass(slots=True)
class _Part:
    text: str
    icon: str | None
    key: str | None


class Segment(PaintedButton):
    """One part of a segmented control."""

    RING_MARGIN = 0

    def __init__(self, name: str, part: _Part, parent: QWidget) -> None:
        super().__init__(parent)
        self.name, self.part = name, part
        self.setCheckable(True)
        self.setAccessibleName(part.text)
        self.go_live()

    def content_size(self) -> QSize:
        """24 px inside the frame."""
        cap = key_text(self.part.key)
        width = 18 + paint.text_width(self.part.text, self._font(600)) + (19 if self.part.icon else 0)
        return QSize(round(width + (paint.keycap_width(cap) + 5 if cap else 0)), density.metrics().segmented - 2)

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Ground, icon, word, keycap."""
        on = self.isChecked()
        if on or self.hovered:
            painter.fillRect(box, theme.color("selected" if on else "hover"))
        ink = "text-off" if not self.isEnabled() else "accent-text" if on else "text2"
        left = box.left() + 9
        if self.part.icon:
            icons.paint(painter, self.part.icon, left, box.center().y() - 7, ink, 14)
            left += 19
        cap = key_text(self.part.key)
        right = box.right() - 9
        if cap:
            right -= paint.keycap_width(cap)
            paint.draw_keycap(painter, right, round(box.center().y() - paint.keycap_height() / 2), cap)
            right -= 5
        area = QRectF(left, box.top(), right - left + 1, box.height())
        paint.draw_text(painter, area, self.part.text, self._font(600 if on else 400), ink)

    def _font(self, weight: int) -> QFont:
        return fonts.font("label", weight, tabular=True)


class Segmented(Live, QFrame):
    """Two or more ways of looking at one thing, one of them on."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: dict[str, Segment] = {}
        self._group = QButtonGroup(self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(4, 4, 4, 4)
        self._row.setSpacing(1)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.go_live()

    def add(self, name: str, text: str, icon: str | None = None, key: str | None = None) -> Segment:
        """Add a part at the right; the first one is on."""
        part = Segment(name, _Part(text, icon, key), self)
        part.clicked.connect(self._clicked)
        self._group.addButton(part)
        self._row.addWidget(part)
        part.setChecked(not self._parts)
        self._parts[name] = part
        return part

    def part(self, name: str) -> Segment:
        """A part, to name or to disable it."""
        return self._parts[name]

    def set_text(self, name: str, text: str) -> None:
        """Change a part's word."""
        part = self._parts[name]
        if text != part.part.text:
            part.part.text = text
            part.setAccessibleName(text)
            part.updateGeometry()
            part.update()

    def set_icon(self, name: str, icon: str | None) -> None:
        """Change a part's icon."""
        part = self._parts[name]
        if icon != part.part.icon:
            part.part.icon = icon
            part.updateGeometry()
            part.update()

    def set_enabled(self, name: str, enabled: bool) -> None:
        """Enable or disable a part."""
        self._parts[name].setEnabled(enabled)

    def set_current(self, name: str) -> None:
        """Put a part on without a signal."""
        self._parts[name].setChecked(True)

    def current(self) -> str:
        """The part that is on; empty before the first one is added."""
        return next((name for name, part in self._parts.items() if part.isChecked()), "")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The frame and the lines between."""
        painter = QPainter(self)
        box = QRectF(self.rect()).adjusted(3, 3, -3, -3)
        paint.frame(painter, box, theme.color("raised"), theme.color("control"), 4.0)
        shown = [part for part in self._parts.values() if not part.isHidden()]
        for part in shown[:-1]:
            x = part.geometry().right() + 1
            paint.hairline(painter, x, box.top() + 1, x + 1, box.bottom() - 1)

    def _clicked(self) -> None:
        part = self.sender()
        if isinstance(part, Segment):
            self.chosen.emit(part.name)
