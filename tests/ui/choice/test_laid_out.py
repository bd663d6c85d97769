"""Lines that are broken ahead are those that would be broken now, and the next question's are ready."""

from __future__ import annotations

import pytest

from annotator.ui import density, fonts, theme
from annotator.ui.laid_out import _kept, laid_out
from annotator.ui.transcript_layout import TextBlock


@pytest.mark.parametrize("text", ["", "a", "Which of the five? " * 30, "图中哪一个？" * 40, "a\n\nb\tc", "שלום " * 50])
@pytest.mark.parametrize("width", [80.0, 333.5])
def test_kept_lines_are_those_of_a_new_block(qapp: object, text: str, width: float) -> None:
    for _ in range(2):
        held = laid_out(text, "read", 600, width)
        new = TextBlock(text, fonts.font("read", 600), fonts.line_height("read"), width)
        assert held.height == new.height
        assert [(line.start, line.end) for line in held.lines] == [(line.start, line.end) for line in new.lines]
    assert laid_out(text, "read", 600, width) is held


def test_another_text_scale_breaks_other_lines(qapp: object) -> None:
    text, before = "Which of the five? " * 30, density.text_scale()
    small = laid_out(text, "read", 400, 300.0)
    density.set_text_scale(200)
    try:
        assert laid_out(text, "read", 400, 300.0).height > small.height
    finally:
        density.set_text_scale(before)
    assert laid_out(text, "read", 400, 300.0) is small


def test_very_long_texts_are_not_kept(qapp: object) -> None:
    before = _kept.cache_info().currsize
    assert laid_out("x" * 5000, "read", 400, 300.0).lines
    assert _kept.cache_info().currsize == before


def test_a_kept_hatch_is_the_hatch(qapp: object) -> None:
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QImage, QPainter

    def painted() -> QImage:
        image = QImage(90, 50, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        theme.fill_hatch(painter, QRectF(0, 0, 90, 50))
        painter.end()
        return image

    first = theme.hatched(90, 50, 1.0).toImage().convertToFormat(QImage.Format.Format_RGB32)
    assert first == painted()
