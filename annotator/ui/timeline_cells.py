"""Painting the strip of an image dialogue: what is open in words, and one cell for each picture."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QRectF

from annotator.ui import density, fonts, icons, theme
from annotator.ui.i18n import tr
from annotator.ui.timeline_paint import StripPainter, bar_height
from annotator.ui.timeline_parts import gate_text
from annotator.ui.widgets import paint


class CellPainter(StripPainter):
    """Paints the cells of one scene."""

    def paint_all(self) -> None:
        """The bar that says what is open, and one cell for each picture."""
        self.painter.save()
        self.painter.setClipRect(self.area)
        text, icon = gate_text(self.scene)
        bar = QRectF(self.area.left() + 8, self.area.top() + 4, self.area.width() - 16, bar_height())
        whole = self.scene.current is None or self.scene.gate.peeking
        ground, ink = ("selected", "accent-text") if whole else ("sunken", "text2")
        paint.frame(self.painter, bar, theme.color(ground), theme.color("accent" if whole else "line"), 2.0)
        if whole:
            self.painter.fillRect(QRectF(bar.left(), bar.top(), 3, bar.height()), theme.color("accent"))
        icons.paint(self.painter, icon, bar.left() + 9, bar.center().y() - 7, ink, 13)
        paint.draw_text(self.painter, bar.adjusted(28, 0, -6, 0), text, fonts.font("label", 500, tabular=True), ink)
        top = bar.bottom() + 5
        for number in range(len(self.axis.cells)):
            width = self.axis.cell_width
            box = QRectF(self.left + number * width + 4, top, width - 6, self.area.bottom() - top - 5)
            if box.right() > self.area.left() and box.left() < self.area.right():
                self._cell(number, box)
        self.painter.restore()

    def _cell(self, number: int, box: QRectF) -> None:
        cell = self.axis.cells[number]
        gate = self.scene.gate
        is_open = cell.stop is None or gate.allows(cell.stop)
        if not is_open:
            theme.fill_hatch(self.painter, box)
            paint.frame(self.painter, box, None, theme.color("line"), 4.0, dashed=True)
            plate = QRectF(box.center().x() - 20, box.center().y() - 10, 40, 20)
            self.painter.fillRect(plate, theme.color("panel"))
            font = fonts.font("label", 500, tabular=True)
            paint.draw_text(self.painter, plate.adjusted(6, 0, -18, 0), str(cell.turn + 1), font, "text3", paint.CENTER)
            icons.paint(self.painter, "lock", plate.right() - 18, plate.center().y() - 6, "text3", 13)
            return
        shown = self.scene.playhead[0] if self.scene.playhead is not None else None
        current = cell.turn == self.scene.current or (self.scene.current is None and cell.stop == shown)
        ground, border = ("selected", "accent") if current else ("window", "hair")
        paint.frame(self.painter, box, theme.color(ground), theme.color(border), 4.0, 2.0 if current else 1.0)
        inner = box.adjusted(5, 2, -5, -3)
        head = self._cell_head(cell.turn, cell.stop, cell.first, inner)
        if cell.stop is None:
            area = QRectF(inner.left(), head, inner.width(), inner.bottom() - head)
            paint.draw_text(self.painter, area, tr("timeline.no_picture"), fonts.font("meta"), "text3", paint.CENTER)
            return
        foot = density.scaled(14)
        picture = QRectF(inner.left(), head, inner.width(), inner.bottom() - foot - 5 - head)
        if picture.height() > 8:
            self.thumbs.paint(self.painter, (cell.stop, Fraction(0)), picture)
        share = self.scene.seen.get(cell.stop, 0.0)
        track = QRectF(inner.left(), picture.bottom() + 2, inner.width(), 2)
        self.painter.fillRect(track, theme.color("sunken" if not current else "line"))
        self.painter.fillRect(QRectF(track.left(), track.top(), track.width() * share, 2), theme.color("series-c"))
        text = tr("timeline.seen_full", percent=f"{share * 100:.0f}")
        area = QRectF(inner.left(), track.bottom() + 1, inner.width(), foot)
        paint.draw_text(self.painter, area, text, fonts.font("meta", tabular=True), "text3")

    def _cell_head(self, turn: int, stop: int | None, first: bool, inner: QRectF) -> float:
        height = density.scaled(17)
        font = fonts.font("label", 600, tabular=True)
        text = str(turn + 1)
        wide = paint.text_width(text, font)
        paint.draw_text(self.painter, QRectF(inner.left(), inner.top(), wide + 2, height), text, font, "text")
        x, right = inner.left() + wide + 5, inner.right()
        megapixels = self.scene.sizes.get(stop) if stop is not None else None
        scores = self._mark(turn).scores
        spark = paint.spark_width(len(scores)) if first else 0
        if megapixels is not None:
            size = tr("timeline.megapixels", count=f"{megapixels:.1f}")
            meta = fonts.font("meta", tabular=True)
            need = paint.text_width(size, meta)
            if x + need <= right:
                area = QRectF(right - need - 1, inner.top(), need + 2, height)
                paint.draw_text(self.painter, area, size, meta, "text3")
                right -= need + 3
        if spark and x + spark <= right:
            y = inner.top() + (height - paint.SPARK_HEIGHT) / 2
            paint.draw_spark(self.painter, round(x), round(y), scores)
        return inner.top() + height + 1
