"""A column of plain paragraphs with headings, scrolled where it does not fit. Dialogue text outside the transcript."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from annotator.ui import fonts, theme
from annotator.ui.transcript_layout import TextBlock
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live

Paragraph = tuple[str, str, str]
GAP = 6


class TextColumn(Live, QAbstractScrollArea):
    """Paragraphs of (heading or "", text, colour role), painted by our own line advance; nothing in them is markup."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts: tuple[Paragraph, ...] = ()
        self._laid: list[tuple[float, str, str, TextBlock]] = []
        self._height = 0.0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.go_live()

    def set_texts(self, texts: Sequence[Paragraph]) -> None:
        """Show other paragraphs, from the top."""
        if tuple(texts) != self._texts:
            self._texts = tuple(texts)
            self.verticalScrollBar().setValue(0)
            self._lay_out()

    def text(self) -> str:
        """Everything as one text, in reading order."""
        return "\n".join(part for heading, text, _ in self._texts for part in (heading, text) if part)

    def content_height(self) -> int:
        """The height of all paragraphs, px."""
        return round(self._height)

    def _lay_out(self) -> None:
        self._laid, y = [], 0.0
        width = max(60, self.viewport().width() - 4)
        for number, (heading, text, role) in enumerate(self._texts):
            if number and heading:
                y += GAP
            top = y
            y += fonts.px(16) if heading else 0
            block = TextBlock(text, fonts.font("body"), fonts.px(20), width)
            self._laid.append((top, heading, role, block))
            y += block.height
        self._height = y
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, round(y - self.viewport().height())))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(fonts.px(20))
        self.setAccessibleDescription(self.text())
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other width, other lines."""
        super().resizeEvent(event)
        self._lay_out()

    def remeasure(self) -> None:
        """Other fonts, other lines."""
        self._lay_out()

    def restyle(self) -> None:
        """Paint again."""
        self.viewport().update()

    def sizeHint(self) -> QSize:
        """As high as its paragraphs."""
        return QSize(240, round(self._height))

    def minimumSizeHint(self) -> QSize:
        """It scrolls."""
        return QSize(60, fonts.px(20))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Headings and paragraphs."""
        painter = QPainter(self.viewport())
        clip = QRectF(self.viewport().rect())
        painter.fillRect(clip, theme.color("panel"))
        shift = -self.verticalScrollBar().value()
        for top, heading, role, block in self._laid:
            y = top + shift
            if heading:
                area = QRectF(0, y, clip.width(), fonts.px(16))
                paint.draw_text(painter, area, heading, fonts.font("meta", 600), "text3")
                y += fonts.px(16)
            painter.setPen(theme.color(role))
            block.draw(painter, 0, y, clip)
