"""How the words of a score row are painted: names, error tags and reasons, each in the room it has."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from annotator.domain.rubric import CANNOT_JUDGE
from annotator.ui import density, fonts
from annotator.ui.i18n import tr
from annotator.ui.transcript_layout import TextBlock
from annotator.ui.widgets import paint

Names = tuple[str, ...]
Scores = tuple[int | None, ...]
JUDGES = 3


def paint_name(painter: QPainter, area: QRectF, first: str, second: str) -> None:
    """A dimension's name, and under it the name in the other language unless that is ""."""
    font = fonts.font("body", 500)
    if not second:
        paint.draw_text(painter, area, first, font, "text")
        return
    top_height, low_height = fonts.px(17), fonts.px(13)
    top = area.y() + round((area.height() - top_height - low_height) / 2)
    paint.draw_text(painter, QRectF(area.x(), top, area.width(), top_height), first, font, "text")
    below = QRectF(area.x(), top + top_height - 1, area.width(), low_height + 1)
    paint.draw_text(painter, below, second, fonts.font("meta"), "text3")


def paint_remark(painter: QPainter, area: QRectF, text: str, role: str, names: Names) -> None:
    """Error tags, then the reason, on one line."""
    x, chip = area.x(), density.metrics().chip
    if names:
        room = area.width() if not text else max(60.0, area.width() * 0.55)
        chip_y = round(area.y() + (area.height() - chip) / 2)
        x += paint_tags(painter, QRectF(x, chip_y, room, chip), names)
    if text and area.right() - x > 12:
        rest = QRectF(x, area.y(), area.right() - x, area.height())
        paint.draw_text(painter, rest, text, fonts.font("label"), role)


def paint_session_remark(painter: QPainter, area: QRectF, text: str, role: str, names: Names) -> None:
    """Up to two lines of reason, under the tag where there is one."""
    line, chip, font = fonts.px(16), density.metrics().chip, fonts.font("label")
    whole = " ".join(text.split())
    block = TextBlock(whole, font, line, area.width()) if whole else None
    room = 1 if names and area.height() < chip + 2 * line else 2
    lines = 0 if block is None else min(room, len(block.lines))
    y = area.y() + round((area.height() - lines * line - (chip if names else 0)) / 2)
    if names:
        paint_tags(painter, QRectF(area.x(), y, area.width(), chip), names)
        y += chip
    for number in range(lines):
        if block is None:
            return
        last = number + 1 == lines
        end = len(whole) if last else block.lines[number].end
        shown = whole[block.lines[number].start : end]
        paint.draw_text(painter, QRectF(area.x(), y, area.width(), line), shown, font, role)
        y += line


def first_remark(first: object, text: str) -> str:
    """The blind score in words, and behind it the reason."""
    said = tr("reveal.first_cannot") if first == CANNOT_JUDGE else tr("reveal.first", score=first)
    return tr("reveal.with_first", first=said, text=text) if text else said


def judges_width(scores: Scores) -> int:
    """The room of the judges' scores right of the strip, px."""
    return 0 if not scores else min(len(scores), JUDGES) * (paint.MINI[0] + 4) + fonts.px(10)


def paint_judges(painter: QPainter, x: float, height: float, scores: Scores) -> None:
    """The judges' scores, the first ones where there are many."""
    for score in scores[:JUDGES]:
        paint.draw_mini(painter, x, round((height - paint.MINI[1]) / 2), score)
        x += paint.MINI[0] + 4


def paint_tags(painter: QPainter, area: QRectF, names: Names) -> float:
    """The first tag as a chip and how many more there are; returns the width taken, px."""
    more = tr("grid.more_tags", count=len(names) - 1) if len(names) > 1 else ""
    font = fonts.font("label", tabular=True)
    rest = paint.text_width(more, font) + 6 if more else 0.0
    wide = min(paint.chip_width(names[0]), max(40.0, area.width() - rest))
    paint.draw_chip(painter, area.x(), area.y(), names[0], "warn", width=wide)
    if more:
        paint.draw_text(painter, QRectF(area.x() + wide + 4, area.y(), rest, area.height()), more, font, "warn")
    return wide + rest + 6
