"""The proxy style over Fusion: focus ring, flat popups, plain menus and a few measures the style sheet cannot give."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QMenu, QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QWidget

RING = 2.0
GAP = 1.0


def draw_focus_ring(painter: QPainter, around: QRectF, radius: float = 4.0) -> None:
    """Draw the 2 px ring with a 1 px gap around ``around`` (the control's own border box, device-independent px)."""
    from annotator.ui import theme  # theme builds this style: the import would be circular at module level

    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("accent"), RING))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    out = GAP + RING / 2
    painter.drawRoundedRect(around.adjusted(-out, -out, out, out), radius + out, radius + out)
    painter.restore()


class RubricStyle(QProxyStyle):
    """Fusion with our focus ring and without shadows, mnemonics or animations."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        """Replace the dotted focus rectangle by the accent ring, inside the widget's own rectangle."""
        if element == QStyle.PrimitiveElement.PE_FrameFocusRect:
            inset = GAP + RING
            draw_focus_ring(painter, QRectF(option.rect).adjusted(inset, inset, -inset, -inset), 3.0)
            return
        super().drawPrimitive(element, option, painter, widget)

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803 - Qt passes it by this name
    ) -> int:
        """No animation, no underlined mnemonics, popups below their field, tooltips soon."""
        if hint == QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        if hint in (QStyle.StyleHint.SH_UnderlineShortcut, QStyle.StyleHint.SH_ComboBox_Popup):
            return 0
        if hint == QStyle.StyleHint.SH_ToolTip_WakeUpDelay:
            return 500
        return super().styleHint(hint, option, widget, returnData)

    def polish(self, target: object) -> object:
        """Menus lose the window system's shadow."""
        if isinstance(target, QMenu):
            target.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint, True)
        return super().polish(target)  # type: ignore[call-overload]
