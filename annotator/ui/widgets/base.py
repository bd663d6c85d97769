"""What every widget of ours shares: live switch of language, theme and size, and the smallest pieces."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from annotator.ui import density, i18n, key_table, style, theme

KEYBOARD_REASONS = frozenset({
    Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason,
    Qt.FocusReason.OtherFocusReason,
})  # fmt: skip

WINDOW_REASONS = frozenset({
    Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason, Qt.FocusReason.MenuBarFocusReason,
})  # fmt: skip


class Live:
    """Mixin for QWidget subclasses, named first among the bases: texts, colours and measures are read again.

    Call ``go_live()`` as the last line of ``__init__``; calling it again only reads everything once more.
    """

    _is_live = False

    def go_live(self) -> None:
        """Measure, colour and label the widget once, and again whenever size class, theme or language change."""
        self._on_density()
        self.restyle()
        self.retranslate()
        if self._is_live:
            return
        self._is_live = True
        density.bus().changed.connect(self._on_density)
        theme.bus().changed.connect(self._on_theme)
        i18n.bus().changed.connect(self._on_language)

    def _on_density(self) -> None:
        self.remeasure()

    def _on_theme(self) -> None:
        self.restyle()

    def _on_language(self) -> None:
        self.retranslate()

    def retranslate(self) -> None:
        """Read the texts again."""

    def restyle(self) -> None:
        """Read the colours again."""
        if isinstance(self, QWidget):
            self.update()

    def remeasure(self) -> None:
        """Read fonts and fixed heights again."""
        if isinstance(self, QWidget):
            self.updateGeometry()
            self.update()


def key_text(key: str | None) -> str:
    """Keycap text of an action id, or the literal text itself; empty for None."""
    if not key:
        return ""
    return key_table.label(key) if key in key_table.BY_ID else key


class PaintedButton(Live, QAbstractButton):
    """Base of all buttons of ours: painted by hand, keyboard focus ring, no focus taken by a click.

    Subclasses paint in ``paint_button`` inside ``box()``, the border box that leaves 3 px for the ring.
    """

    RING_MARGIN = 3

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def box(self) -> QRectF:
        """The border box in the widget's coordinates."""
        margin = self.RING_MARGIN
        return QRectF(self.rect()).adjusted(margin, margin, -margin, -margin)

    def content_size(self) -> QSize:
        """Size of the border box; subclasses say."""
        return QSize(0, 0)

    def sizeHint(self) -> QSize:
        """The border box and the ring's margin."""
        return self.content_size() + QSize(2 * self.RING_MARGIN, 2 * self.RING_MARGIN)

    def minimumSizeHint(self) -> QSize:
        """Buttons do not shrink."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the button, then the ring when the keyboard is on it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.paint_button(painter, self.box())
        if self.hasFocus():
            style.draw_focus_ring(painter, self.box(), 4.0)

    def paint_button(self, painter: QPainter, box: QRectF) -> None:
        """Paint the inside; subclasses say."""

    @property
    def hovered(self) -> bool:
        """Whether the pointer is over an enabled button."""
        return self.isEnabled() and self.underMouse()
