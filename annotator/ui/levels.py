"""What the five levels of a dimension mean: short in five columns, or as whole sentences under each other."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from annotator.domain.rubric import Dimension
from annotator.ui import density, fonts, i18n, theme
from annotator.ui.i18n import tr
from annotator.ui.transcript_layout import TextBlock
from annotator.ui.widgets import paint
from annotator.ui.widgets.base import Live
from annotator.ui.widgets.text import plain_tooltip

LINE = 14
SHORT_LINES = 2
FULL_LINE = 16
PICTURES = 3


class LevelTexts(Live, QWidget):
    """The five level texts of one dimension; the chosen level stands out."""

    def __init__(self, dimension: Dimension, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dimension = dimension
        self._value: object = None
        self._full = False
        self._laid: tuple[tuple[object, ...], list[TextBlock]] = ((), [])
        self._pictures: dict[tuple[object, int, int, int], QPixmap] = {}
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def set_value(self, value: object) -> None:
        """The chosen score."""
        if value != self._value:
            self._value = value
            self.update()

    def set_full(self, full: bool) -> None:
        """Show whole sentences instead of the short texts."""
        self._full = full
        self.updateGeometry()
        self.update()

    def height_at(self, width: int) -> int:
        """The height it needs at a width, px."""
        if not self._full:
            return fonts.px(LINE) * SHORT_LINES + 6
        return round(sum(row.height for row in self._sentences(width))) + 5 * 4 + 8 + fonts.px(FULL_LINE)

    def sizeHint(self) -> QSize:
        """Its height at the width it has."""
        return QSize(300, round(self.height_at(max(self.width(), 200))))

    def short_texts(self) -> tuple[str, ...]:
        """The five short texts in the window's language."""
        return tuple(level.short.in_language(i18n.language()) for level in self._dimension.levels)

    def full_texts(self) -> tuple[str, ...]:
        """The five sentences in the window's language."""
        return tuple(level.text.in_language(i18n.language()) for level in self._dimension.levels)

    def retranslate(self) -> None:
        """The texts in the other language, and what a screen reader says."""
        lines = (tr("grid.level_line", level=n, text=t) for n, t in enumerate(self.full_texts(), 1))
        self.setAccessibleName(tr("grid.levels_of", name=self._dimension.name.in_language(i18n.language())))
        self.setAccessibleDescription("\n".join(lines))
        self._pictures.clear()
        self.update()

    def _sentences(self, width: int) -> list[TextBlock]:
        inner = max(80, width - fonts.px(20) - 14)
        return [TextBlock(text, fonts.font("label"), fonts.px(FULL_LINE), inner) for text in self.full_texts()]

    def _column(self, number: int) -> QRectF:
        wide = self.width() / 5
        left, right = round(number * wide), round((number + 1) * wide)
        return QRectF(left, 0, right - left, self.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Ground, then columns or sentences."""
        painter, ratio = QPainter(self), self.devicePixelRatioF()
        if not self._full and ratio == int(ratio):
            painter.drawPixmap(0, 0, self._picture(int(ratio)))
            return
        self._frame(painter)
        if self._full:
            self._paint_full(painter)
        else:
            self._paint_short(painter)

    def prepare(self) -> None:
        """Make the picture that opening the row will show."""
        ratio = self.devicePixelRatioF()
        if not self._full and ratio == int(ratio) and not self.size().isEmpty():
            self._picture(int(ratio))

    def _picture(self, ratio: int) -> QPixmap:
        """The short texts as they stand, on the open row's ground, so that text is smoothed as on the window itself."""
        key = (self._value, self.width(), self.height(), ratio)
        made = self._pictures.pop(key, None)
        if made is None:
            made = QPixmap(self.size() * ratio)
            made.setDevicePixelRatio(ratio)
            made.fill(theme.color("selected"))
            painter = QPainter(made)
            self._frame(painter)
            self._paint_short(painter)
            painter.end()
        self._pictures[key] = made
        while len(self._pictures) > PICTURES:
            del self._pictures[next(iter(self._pictures))]
        return made

    def _frame(self, painter: QPainter) -> None:
        paint.frame(painter, QRectF(self.rect()), theme.color("panel"), theme.color("hair"), 4.0)

    def restyle(self) -> None:
        """Colours changed."""
        self._pictures.clear()
        super().restyle()

    def remeasure(self) -> None:
        """Fonts changed."""
        self._pictures.clear()
        super().remeasure()

    def _paint_short(self, painter: QPainter) -> None:
        digit_font, font = fonts.font("meta", 600, tabular=True), fonts.font("meta")
        for number, block in enumerate(self._short_blocks()):
            box = self._column(number)
            if number:
                paint.hairline(painter, box.x(), 1, box.x() + 1, box.bottom() - 1)
            chosen = self._value == number + 1
            if chosen:
                painter.fillRect(box.adjusted(1, 1, -1, -1), theme.color("selected-idle"))
            first = QRectF(box.x() + 6, 3, fonts.px(10), fonts.px(LINE))
            paint.draw_text(painter, first, str(number + 1), digit_font, paint.score_role(number + 1))
            left = first.right() + 1
            painter.setFont(font)
            painter.setPen(theme.color("text" if chosen else "text2"))
            block.draw(painter, left, 3, box.adjusted(0, 0, 0, -2))

    def _short_blocks(self) -> list[TextBlock]:
        """The short texts laid out in their columns, kept until words, width or fonts change."""
        key = (self.short_texts(), self.width(), density.text_scale())
        if key != self._laid[0]:
            font, gap = fonts.font("meta"), 6 + fonts.px(10) + 5
            rooms = (self._column(number).width() - gap for number in range(5))
            self._laid = (key, [TextBlock(t, font, fonts.px(LINE), r) for t, r in zip(key[0], rooms, strict=True)])
        return self._laid[1]

    def _paint_full(self, painter: QPainter) -> None:
        y, digit_font = 5.0, fonts.font("label", 600, tabular=True)
        for number, block in enumerate(self._sentences(self.width())):
            chosen = self._value == number + 1
            if chosen:
                ground = QRectF(1, y - 2, self.width() - 2, block.height + 4)
                painter.fillRect(ground, theme.color("selected-idle"))
            first = QRectF(8, y, fonts.px(14), fonts.px(FULL_LINE))
            paint.draw_text(painter, first, str(number + 1), digit_font, paint.score_role(number + 1))
            painter.setPen(theme.color("text" if chosen else "text2"))
            block.draw(painter, fonts.px(20) + 4, y, QRectF(self.rect()))
            y += block.height + 4
        foot = QRectF(fonts.px(20) + 4, y, self.width() - fonts.px(20) - 12, fonts.px(FULL_LINE))
        paint.draw_text(painter, foot, tr("grid.levels_ours"), fonts.font("meta"), "text3")

    def cut(self) -> tuple[str, ...]:
        """Short texts that need more lines than there are, for the test that nothing is cut."""
        found = []
        for number, text in enumerate(self.short_texts()):
            room = self._column(number).width() - 6 - fonts.px(10) - 5
            if len(TextBlock(text, fonts.font("meta"), fonts.px(LINE), room).lines) > SHORT_LINES:
                found.append(text)
        return tuple(found)

    def event(self, event: QEvent) -> bool:
        """The whole sentence of the column under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and not self._full:
            column = min(4, max(0, int(event.pos().x() * 5 / max(1, self.width()))))
            QToolTip.showText(event.globalPos(), plain_tooltip(self.full_texts()[column]), self)
            return True
        return super().event(event)
