"""Buttons: text, icon, the key that does the same beside them; nothing in a tooltip alone."""

from __future__ import annotations

from typing import Literal, NamedTuple

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QWidget

from annotator.ui import density, fonts, icons, theme
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import PaintedButton, key_text

Kind = Literal["default", "primary", "flat", "verdict"]


class Look(NamedTuple):
    """Colour roles of one state; an empty ground or border is not painted."""

    ground: str
    border: str
    ink: str
    icon: str
    cap: str
    cap_border: str
    weight: int = 500


class Button(PaintedButton):
    """A button with a word, and maybe an icon and a keycap.

    ``kind`` ``verdict`` is checkable and takes the soft ground of its ``role`` (ok, warn, error) when chosen.
    ``key`` is an action id of the key table or a literal keycap.
    """

    def __init__(
        self, text: str = "", kind: Kind = "default", icon: str | None = None, key: str | None = None,
        role: str | None = None, small: bool = False, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kind, self._icon, self._key, self._role, self._small = kind, icon, key, role, small
        self._show_key = True
        self._word = ""
        self.setCheckable(kind == "verdict")
        self.set_text(text)
        self.go_live()

    def set_text(self, text: str) -> None:
        """Change the word; it is the accessible name too."""
        if self._word == text:
            return
        self.setText(text.replace("&", "&&"))
        self._word = text
        self.setAccessibleName(text)
        self.updateGeometry()

    def set_icon(self, icon: str | None) -> None:
        """Change the icon."""
        if icon != self._icon:
            self._icon = icon
            self.updateGeometry()
            self.update()

    def set_kind(self, kind: Kind) -> None:
        """Change the kind, for a button that becomes the next thing to do."""
        if kind != self._kind:
            self._kind = kind
            self.update()

    def set_key_shown(self, shown: bool) -> None:
        """Leave the keycap out where there is no room."""
        if shown != self._show_key:
            self._show_key = shown
            self.updateGeometry()
            self.update()

    def content_size(self) -> QSize:
        """28 px high, 24 when small."""
        table = density.metrics()
        cap = self._cap()
        width = (16 if self._small else 20) + paint.text_width(self._word, self._font())
        width += (22 if self._icon else 0) + (paint.keycap_width(cap) + 8 if cap else 0)
        return QSize(round(width), table.button_small if self._small else table.button)

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Ground, border, icon, word, keycap."""
        look = self._look()
        paint.frame(
            painter, box, theme.color(look.ground) if look.ground else None,
            theme.color(look.border) if look.border else None, 4.0,
        )  # fmt: skip
        left = box.left() + (8 if self._small else 10)
        if self._icon:
            icons.paint(painter, self._icon, left, box.center().y() - 8, look.icon)
            left += 22
        cap = self._cap()
        right = box.right() - (8 if self._small else 10)
        if cap:
            right -= paint.keycap_width(cap) - 2
            y = box.center().y() - paint.keycap_height() / 2
            paint.draw_keycap(painter, right, round(y), cap, look.cap, look.cap_border)
            right -= 6
        area = QRectF(left, box.top(), right - left + 2, box.height())
        paint.draw_text(painter, area, self._word, self._font(look.weight), look.ink)

    def _cap(self) -> str:
        return key_text(self._key) if self._show_key else ""

    def _font(self, weight: int | None = None) -> QFont:
        wanted = weight or (600 if self._kind == "primary" else 500)
        return fonts.font("label" if self._small else "body", wanted)

    def _look(self) -> Look:
        flat = self._kind == "flat"
        if not self.isEnabled():
            return Look("" if flat else "raised", "" if flat else "line", "text-off", "text-off", "text-off", "line")
        if self.isChecked() and self._role:
            role = self._role
            return Look(f"{role}-soft", role, role, role, role, role)
        if self._kind == "primary":
            ground = "accent-text" if self.isDown() else "accent"
            return Look(ground, ground, "on-accent", "on-accent", "on-accent", "on-accent", 600)
        if self.isDown() or self.isChecked():
            return Look("selected", "" if flat else "control", "accent-text", "accent-text", "text3", "line")
        rest = "" if flat else "raised"
        return Look("hover" if self.hovered else rest, "" if flat else "control", "text", "text2", "text3", "line")


class IconButton(PaintedButton):
    """An icon without a word, 28 x 26; its name and key are tooltip and accessible name."""

    def __init__(
        self, icon: str, text: str = "", key: str | None = None, checkable: bool = False, size: int = 16,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._icon, self._key, self._size, self._text = icon, key, size, text
        self.setCheckable(checkable)
        self.set_text(text)
        self.go_live()

    def set_icon(self, icon: str) -> None:
        """Change the icon."""
        if icon != self._icon:
            self._icon = icon
            self.update()

    def set_text(self, text: str) -> None:
        """Change the name."""
        cap = key_text(self._key)
        tip = f"{text}  {cap}" if cap else text
        self._text = text
        if tip != self.toolTip():
            self.setAccessibleName(text)
            self.setToolTip(tip)

    def content_size(self) -> QSize:
        """28 x 26, more with a larger icon."""
        return QSize(self._size + 12, density.metrics().segmented)

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Ground and icon."""
        on = self.isChecked() or self.isDown()
        if on or self.hovered:
            paint.frame(painter, box, theme.color("selected" if on else "hover"), None, 4.0)
        role = "text-off" if not self.isEnabled() else "accent-text" if on else "text2"
        half = self._size / 2
        icons.paint(painter, self._icon, box.center().x() - half, box.center().y() - half, role, self._size)


class FilterChip(PaintedButton):
    """A filter as a chip of 22 px: checkable, with an arrow when it opens a menu."""

    RING_MARGIN = 2

    def __init__(
        self, text: str = "", menu: bool = False, icon: str | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._menu, self._icon = menu, icon
        self.setCheckable(not menu)
        self.set_text(text)
        self.go_live()

    def set_text(self, text: str) -> None:
        """Change the word."""
        self._word = text
        self.setText(text.replace("&", "&&"))
        self.setAccessibleName(text)
        self.updateGeometry()

    def set_active(self, active: bool) -> None:
        """Show a menu chip as set."""
        self.setCheckable(True)
        self.setChecked(active)
        self.setCheckable(active or not self._menu)

    def content_size(self) -> QSize:
        """22 px high."""
        width = (
            14
            + paint.text_width(self._word, fonts.font("label"))
            + (16 if self._menu else 0)
            + (17 if self._icon else 0)
        )
        return QSize(round(width), density.scaled(22))

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Ground, word, arrow."""
        on = self.isChecked()
        ground = "selected" if on or self.isDown() else "hover" if self.hovered else ""
        paint.frame(
            painter, box, theme.color(ground) if ground else None, theme.color("accent" if on else "control"), 3.0
        )
        ink = "text-off" if not self.isEnabled() else "accent-text" if on else "text2"
        left = box.left() + 7
        if self._icon:
            icons.paint(painter, self._icon, left - 1, box.center().y() - 7, ink, 14)
            left += 17
        right = box.right() - 6
        if self._menu:
            right -= 14
            icons.paint(painter, "chevron-down", right + 1, box.center().y() - 7, ink, 14)
        paint.draw_text(
            painter, QRectF(left, box.top(), right - left + 2, box.height()), self._word, fonts.font("label"), ink
        )
