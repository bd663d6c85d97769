"""Lines and frames that are made once look as the painter's own calls do."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from annotator.ui import fonts, theme
from annotator.ui.widgets import kept, paint

TEXTS = (
    "Next dialogue, 41.32 s", "1", "–", "Visual grounding", "视觉定位 41%", "Aé 你 好 mixed fi ffl", "a\tb\nc\rd",
    "زمن עברית 12", "an answer that is far too long for the room it has and ends in dots", "  led  ", "", "🎬 clip",
)  # fmt: skip
FONTS = (("label", 400, True), ("body", 500, False), ("meta", 600, True), ("mono", 400, False), ("read", 400, False))
AREAS = (QRectF(10, 20, 140, 18), QRectF(3.5, 7.25, 61.3, 17), QRectF(0, 0, 400, 34), QRectF(12, 3, 90, 9))


def blank(ratio: float) -> QImage:
    """A light ground to paint on."""
    image = QImage(round(420 * ratio), round(60 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(theme.color("panel"))
    return image


def plain(painter: QPainter, area: QRectF, text: str, font: QFont, align: Qt.AlignmentFlag) -> None:
    """A line of text with nothing kept."""
    painter.setFont(font)
    painter.setPen(theme.color("text"))
    cut = QFontMetricsF(font).elidedText(" ".join(text.split("\n")), Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, align | Qt.TextFlag.TextSingleLine, cut)


def difference(one: QImage, other: QImage) -> int:
    """The largest difference of any channel."""
    a, b = one.constBits(), other.constBits()
    return max(abs(x - y) for x, y in zip(bytes(a), bytes(b), strict=True))


@pytest.mark.parametrize("align", [paint.LEFT, paint.CENTER, paint.RIGHT])
@pytest.mark.parametrize("ratio", [1.0, 1.25, 2.0])
def test_a_kept_line_is_the_painters_own(align: Qt.AlignmentFlag, ratio: float) -> None:
    for text in TEXTS:
        for name, weight, tabular in FONTS:
            font = fonts.font(name, weight, tabular)  # type: ignore[arg-type]
            for area in AREAS:
                ours, theirs = blank(ratio), blank(ratio)
                for image, draw in ((ours, paint.draw_text), (theirs, None)):
                    painter = QPainter(image)
                    painter.translate(2, 5)
                    if draw is None:
                        plain(painter, area, text, font, align)
                    else:
                        draw(painter, area, text, font, "text", align)
                    painter.end()
                assert ours == theirs, (text, name, area)


def test_a_kept_width_is_the_fonts_own() -> None:
    for text in TEXTS:
        for name, weight, tabular in FONTS:
            font = fonts.font(name, weight, tabular)  # type: ignore[arg-type]
            assert paint.text_width(text, font) == QFontMetricsF(font).horizontalAdvance(text)
    digits = fonts.font("label", 400, tabular=False)
    assert paint.text_width("1111", fonts.font("label", 400, tabular=True)) != paint.text_width("1111", digits)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_kept_frame_is_the_painters_own_stroke(ratio: float) -> None:
    ground, border = theme.color("sunken"), theme.color("control")
    grounds: tuple[QColor | None, ...] = (ground, None)
    for area in (QRectF(10, 20, 80, 18), QRectF(4.5, 3.25, 20, 17.5), QRectF(1, 2, 4, 9)):
        for fill in grounds:
            for width, dashed in ((1.0, False), (1.5, False), (2.0, True)):
                ours, theirs = blank(ratio), blank(ratio)
                painter = QPainter(ours)
                paint.frame(painter, area, fill, border, 4.0, width, dashed)
                paint.frame(painter, area.translated(150, 10), fill, border, 4.0, width, dashed)
                painter.end()
                painter = QPainter(theirs)
                kept.stroke(painter, area, fill, border, 4.0, width, dashed)
                kept.stroke(painter, area.translated(150, 10), fill, border, 4.0, width, dashed)
                painter.end()
                assert difference(ours, theirs) <= 2, (area, fill, width)


def test_a_frame_follows_colour_and_size() -> None:
    seen = set()
    for colour in ("accent", "warn"):
        for wide in (30, 31):
            image = blank(1.0)
            painter = QPainter(image)
            paint.frame(painter, QRectF(5, 5, wide, 12), theme.color(colour), None)
            painter.end()
            seen.add(bytes(image.constBits()))
    assert len(seen) == 4
