"""The cards of the statistics page: a chart with its title, n, legend, definition and line of exact values; tiles."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from annotator.ui import fonts, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.statistics.charts.base import Chart, Hit, Legend
from annotator.ui.statistics.popover import DefinitionPopover, Explained
from annotator.ui.widgets import Button, Card, Chip, ElidedLabel, Ground, IconButton, PlainLabel, paint, plain_tooltip
from annotator.ui.widgets.base import Live


class FigureCard(Card):
    """A card around a chart; its `i` opens the definition, its foot shows the exact values of what is pointed at."""

    def __init__(self, chart: Chart | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.chart = chart
        self._explained = Explained("")
        self._hint = ""
        self.legend = Legend()
        self.notice = Chip("", "warn", "triangle-alert")
        self.notice.hide()
        self.head.addWidget(self.notice)
        self.head.addWidget(self.legend)
        self.info = IconButton("info")
        self.info.clicked.connect(self.open_definition)
        self.head.addWidget(self.info)
        self.foot = ElidedLabel("", "meta", "text2")
        if chart is not None:
            self.body.addWidget(chart, 1)
            chart.pointed.connect(self.tell)
            chart.definition_wanted.connect(self.open_definition)
        self.body.addWidget(self.foot)

    def set_card(self, title: str, note: str, explained: Explained, hint: str = "") -> None:
        """Title, note beside it, definition, and what the foot says while nothing is pointed at."""
        self.set_title(title, note)
        self._explained, self._hint = explained, hint
        self.info.set_text(tr("statistics.definition_of", title=title))
        if self.chart is not None:
            self.chart.set_title(title)
        self._fit()
        self.tell("")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The room changed."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The note beside the title gives way first: everything else in the head acts or tells which is which."""
        self._note.setVisible(bool(self._note.text()))
        spacing = self.head.spacing()
        needed = 22
        for place in range(self.head.count()):
            item = self.head.itemAt(place)
            widget = item.widget() if item is not None else None
            if widget is not None and widget.isVisibleTo(self) and widget.sizeHint().width() > 0:
                needed += widget.sizeHint().width() + spacing
        self._note.setVisible(bool(self._note.text()) and needed <= self.width())

    def set_notice(self, word: str, sentence: str) -> None:
        """A chip that warns, with its sentence under the pointer and for screen readers; "" takes it away."""
        self.notice.set_text(word)
        self.notice.setToolTip(plain_tooltip(sentence))
        self.notice.setAccessibleDescription(sentence)
        self.notice.setVisible(bool(sentence))

    def tell(self, text: str) -> None:
        """Show exact values in the foot; "" shows the hint again."""
        self.foot.set_text(text or self._hint)
        self.foot.set_role("text" if text else "text3")

    def open_definition(self) -> DefinitionPopover:
        """Show the definition beside the button."""
        popover = DefinitionPopover(self._explained, self)
        popover.open_at(self.info)
        return popover


@dataclass(frozen=True)
class Tile:
    """A headline number: value, what it is, and its interval or why there is none."""

    key: Hashable
    value: str
    name: str
    note: str = ""
    text: str = ""
    opens: bool = False


class Tiles(Chart):
    """Headline numbers in a row, lines between them; none narrower than `least`: then in several rows."""

    def __init__(self, least: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tiles: tuple[Tile, ...] = ()
        self._least = least
        self._rows = 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.go_live()

    def set_tiles(self, tiles: Sequence[Tile]) -> None:
        """Show these."""
        if self.shows(tuple(tiles), self.points_only):
            return
        self._tiles = tuple(tiles)
        self._fold()
        self.changed()

    def tiles(self) -> tuple[Tile, ...]:
        """What is shown."""
        return self._tiles

    def _columns(self) -> int:
        return -(-max(1, len(self._tiles)) // self._rows)

    def _fold(self) -> None:
        """As few rows as the width allows."""
        fits = max(1, self.width() // fonts.px(self._least)) if self._least else len(self._tiles)
        rows = -(-max(1, len(self._tiles)) // max(1, fits))
        if rows != self._rows:
            self._rows = rows
            self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The width changed."""
        super().resizeEvent(event)
        self._fold()

    def _height(self) -> int:
        return fonts.px(78)

    def sizeHint(self) -> QSize:
        """All rows."""
        return QSize(480, self._rows * self._height())

    def _areas(self) -> list[QRectF]:
        columns, height = self._columns(), self.height() / self._rows
        wide = self.width() / columns
        places = range(len(self._tiles))
        return [QRectF(place % columns * wide, place // columns * height, wide, height) for place in places]

    def make_hits(self) -> list[Hit]:
        """Every tile."""
        columns = self._columns()
        return [
            Hit(tile.key, area, at % columns, at // columns, tile.text or f"{tile.name} {tile.value}", tile.opens)
            for at, (tile, area) in enumerate(zip(self._tiles, self._areas(), strict=True))
        ]

    def paint_chart(self, painter: QPainter) -> None:
        """Number, name, note."""
        for tile, area in zip(self._tiles, self._areas(), strict=True):
            if area.left() > 0:
                x, y = round(area.left()), area.top()
                paint.hairline(painter, x, y + 6, x + 1, area.bottom() - 6)
            left = area.left() + 14
            wide = area.width() - 20
            top = QRectF(left, area.top() + fonts.px(8), wide, fonts.px(30))
            none = not any(letter.isdigit() for letter in tile.value)
            fits = paint.text_width(tile.value, fonts.font("figure")) <= wide
            font = fonts.font("figure" if fits else "page", 600, tabular=True)
            paint.draw_text(painter, top, tile.value, font, "text3" if none else "text")
            name = QRectF(left, area.top() + fonts.px(38), wide, fonts.px(18))
            paint.draw_text(painter, name, tile.name, fonts.font("label"), "text2")
            note = QRectF(left, area.top() + fonts.px(55), wide, fonts.px(16))
            paint.draw_text(painter, note, tile.note, fonts.font("meta", tabular=True), "text3")


class Sentence(Live, QWidget):
    """A sentence that wraps, with an icon that says how it stands: ok, warn, error, info or plain."""

    ICONS: ClassVar = {
        "ok": "circle-check",
        "warn": "triangle-alert",
        "error": "circle-x",
        "info": "info",
        "text2": "target",
    }

    def __init__(self, kind: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self.label = PlainLabel(text, "body")
        column = QVBoxLayout(self)
        column.setContentsMargins(26, 3, 0, 3)
        column.addWidget(self.label)
        self.setAccessibleName(text)
        self.go_live()

    def set_text(self, text: str) -> None:
        """Say something else."""
        self.label.set_text(text)
        self.setAccessibleName(text)

    def paintEvent(self, event: object) -> None:
        """The icon at the first line."""
        painter = QPainter(self)
        icons.paint(painter, self.ICONS[self.kind], 2, 4, self.kind, 16)
        painter.end()


class Sentences(QWidget):
    """Sentences under one another."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._shown: tuple[tuple[str, str], ...] = ()

    def set_sentences(self, sentences: Sequence[tuple[str, str]]) -> None:
        """(kind, text) from top to bottom."""
        if tuple(sentences) == self._shown:
            return
        self._shown = tuple(sentences)
        while (held := self._column.takeAt(0)) is not None:
            if (widget := held.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for kind, text in sentences:
            sentence = Sentence(kind, text)
            self._column.addWidget(sentence)
            sentence.ensurePolished()  # a theme that changes before its first paint would else be lost on it
        self._column.addStretch(1)

    def texts(self) -> list[str]:
        """What is said."""
        return [text for _, text in self._shown]


def hatch_note(painter: QPainter, area: QRectF, text: str) -> None:
    """A hatched strip with a sentence in it."""
    theme.fill_hatch(painter, area)
    font = fonts.font("label")
    width = min(area.width(), paint.text_width(text, font) + 20)
    box = QRectF(area.center().x() - width / 2, area.top(), width, area.height())
    painter.fillRect(box, theme.color("panel"))
    paint.draw_text(painter, box.adjusted(8, 0, -8, 0), text, font, "text2", paint.CENTER)


class ClosedStrip(Ground):
    """Says that figures of judges are closed to this person, and leads to where a lead opens them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("info-soft", ("bottom",), parent=parent)
        self.setObjectName("judgesClosed")
        self.words = Sentence("info", "")
        self.settings = Button("", icon="settings", small=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 2, 12, 2)
        row.addWidget(self.words, 1)
        row.addWidget(self.settings)
        self.hide()
        self.go_live()

    def retranslate(self) -> None:
        """Read the texts again."""
        self.words.set_text(tr("statistics.closed"))
        self.settings.set_text(tr("statistics.closed_settings"))
