"""Labels. Text is plain text always: nothing from a data file is ever read as markup."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from annotator.ui import fonts, theme
from annotator.ui.fonts import StyleName
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live, key_text


def plain_tooltip(text: str) -> str:
    """A tooltip that shows ``text`` literally.

    Qt guesses rich text from tags and entities, so those are escaped and wrapped.
    """
    if "<" not in text and "&" not in text:
        return text
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f'<span style="white-space:pre-wrap">{escaped}</span>'


class ElidedLabel(Live, QWidget):
    """One line of plain text, cut with an ellipsis where it does not fit; the whole text is the tooltip then."""

    def __init__(
        self, text: str = "", style: StyleName = "body", role: str = "text", weight: int | None = None,
        parent: QWidget | None = None, tabular: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._text, self._style, self._role, self._weight, self._tabular = text, style, role, weight, tabular
        self._align = paint.LEFT
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.go_live()

    def text(self) -> str:
        """The whole text."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self.updateGeometry()
            self._tip()
            self.update()

    setText = set_text

    def set_role(self, role: str) -> None:
        """Show in another colour."""
        if role != self._role:
            self._role = role
            self.update()

    def set_weight(self, weight: int | None) -> None:
        """Show in another weight."""
        self._weight = weight
        self.remeasure()

    def set_align(self, align: Qt.AlignmentFlag) -> None:
        """Align otherwise (``paint.LEFT``, ``CENTER``, ``RIGHT``)."""
        self._align = align
        self.update()

    def remeasure(self) -> None:
        """Font and height."""
        self.setFont(fonts.font(self._style, self._weight, self._tabular))
        super().remeasure()
        self._tip()

    def sizeHint(self) -> QSize:
        """The whole text on one line."""
        return QSize(round(paint.text_width(self._text, self.font()) + 0.999), fonts.line_height(self._style))

    def minimumSizeHint(self) -> QSize:
        """It may shrink to an ellipsis."""
        return QSize(min(16, self.sizeHint().width()), self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The tooltip appears where the text does not fit."""
        super().resizeEvent(event)
        self._tip()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line."""
        role = self._role if self.isEnabled() else "text-off"
        paint.draw_text(QPainter(self), QRectF(self.rect()), self._text, self.font(), role, self._align)

    def _tip(self) -> None:
        self.setAccessibleName(self._text)
        self.setToolTip(plain_tooltip(self._text) if self.sizeHint().width() > self.width() else "")


class PlainLabel(Live, QLabel):
    """Plain text that wraps. For reading texts with a line advance of ours use the transcript's delegate instead."""

    def __init__(
        self, text: str = "", style: StyleName = "body", role: str = "text", weight: int | None = None,
        parent: QWidget | None = None, wrap: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._style, self._role, self._weight = style, role, weight
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.setWordWrap(wrap)
        self.setText(text)
        self.go_live()

    def set_text(self, text: str) -> None:
        """Show another text."""
        self.setText(text)

    def set_role(self, role: str) -> None:
        """Show in another colour."""
        self._role = role
        self.restyle()

    def restyle(self) -> None:
        """The colour of the role."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, theme.color(self._role))
        self.setPalette(palette)
        super().restyle()

    def remeasure(self) -> None:
        """The font of the style."""
        self.setFont(fonts.font(self._style, self._weight))
        super().remeasure()


class Keycap(Live, QWidget):
    """A small grey key. Takes an action id of the key table, or literal text."""

    def __init__(self, key: str, parent: QWidget | None = None, role: str = "text3") -> None:
        super().__init__(parent)
        self._key, self._role = key, role
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.go_live()

    def set_key(self, key: str) -> None:
        """Show another key."""
        self._key = key
        self.remeasure()

    def sizeHint(self) -> QSize:
        """As wide as its text."""
        return QSize(paint.keycap_width(key_text(self._key)), paint.keycap_height())

    def minimumSizeHint(self) -> QSize:
        """Keycaps do not shrink."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The cap."""
        paint.draw_keycap(QPainter(self), 0, 0, key_text(self._key), self._role)
