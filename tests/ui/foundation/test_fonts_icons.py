from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication

from annotator import resources
from annotator.ui import density, fonts, icons, theme
from annotator.ui.widgets import message, saved

UI = resources.root().parent / "annotator" / "ui"


def ink(font: QFont, text: str) -> bytes:
    image = QImage(40, 40, QImage.Format.Format_Grayscale8)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setFont(font)
    painter.drawText(4, 30, text)
    painter.end()
    return bytes(image.constBits())


def test_the_shipped_families_are_found() -> None:
    assert {"Inter", "JetBrains Mono"} <= set(fonts.load())


@pytest.mark.parametrize("weight", [400, 500, 600])
def test_latin_is_inter_in_every_weight_we_use(weight: int) -> None:
    info = QFontInfo(fonts.font("body", weight))
    assert info.family() == "Inter"
    assert info.weight() == weight


def test_ids_are_jetbrains_mono() -> None:
    assert QFontInfo(fonts.font("mono")).family() == "JetBrains Mono"


@pytest.mark.parametrize("style", list(fonts.STYLES))
def test_chinese_is_no_tofu(style: fonts.StyleName) -> None:
    """Different characters give different pictures; missing glyphs would all give the same box."""
    font = fonts.font(style)
    shapes = {ink(font, character) for character in "准确性完整评分保留修订"}
    assert len(shapes) == len("准确性完整评分保留修订")


def test_figures_of_times_have_equal_widths() -> None:
    metrics = QFontMetricsF(fonts.font("time"))
    assert len({round(metrics.horizontalAdvance(digit), 3) for digit in "0123456789"}) == 1


def test_sizes_are_pixels_times_the_text_scale() -> None:
    assert fonts.font("body").pixelSize() == 13
    density.set_text_scale(150)
    assert fonts.font("body").pixelSize() == 20
    assert fonts.line_height("body") == 27


@pytest.mark.parametrize(("width", "size", "line"), [(1366, 13, 21), (1600, 14, 23), (2560, 15, 25)])
def test_reading_text_follows_the_window(width: int, size: int, line: int) -> None:
    density.update_for(QSize(width, 1000))
    assert (fonts.font("read").pixelSize(), fonts.line_height("read")) == (size, line)


def test_a_font_is_the_callers_own_copy() -> None:
    mine = fonts.font("label")
    mine.setPixelSize(99)
    assert fonts.font("label").pixelSize() == 12


def named_icons() -> Iterator[tuple[str, str]]:
    """Every icon the window names: calls of the icon functions, and strings handed to widgets that draw icons."""
    call = re.compile(r"""icons\.(?:paint\(\s*[\w.]+,|pixmap\(|icon\()\s*["']([a-z0-9-]+)["']""")
    keyword = re.compile(r"""\b(?:icon|IconButton|EmptyState)\s*[=(]\s*["']([a-z][a-z0-9-]+)["']""")
    for file in UI.rglob("*.py"):
        for pattern in (call, keyword):
            for found in pattern.finditer(file.read_text(encoding="utf-8")):
                yield file.name, found.group(1)


def test_every_icon_the_window_names_is_there() -> None:
    wanted = {*named_icons(), *(("message", name) for name in message.ICONS.values())}
    wanted |= {("saved", name) for name, _role in saved.ICON_OF.values()}
    assert len(wanted) > 10
    assert sorted(place for place in wanted if place[1] not in icons.names()) == []


def test_an_icon_takes_the_colour_of_its_role(qapp: QApplication) -> None:
    image = icons.pixmap("check", "error", 24, 1.0).toImage()
    strongest = max((image.pixelColor(x, y) for x in range(24) for y in range(24)), key=lambda c: c.alpha())
    assert strongest.alpha() == 255
    assert strongest.name() == theme.color("error").name()


def test_icons_are_cached_and_forgotten_on_a_theme_change(qapp: QApplication) -> None:
    first = icons.pixmap("check", "text", 16, 2.0)
    assert first.width() == 32
    assert icons.pixmap("check", "text", 16, 2.0).cacheKey() == first.cacheKey()
    theme.set_theme(qapp, "dark")
    assert icons.pixmap("check", "text", 16, 2.0).cacheKey() != first.cacheKey()


def test_a_missing_icon_leaves_its_place_empty(caplog: pytest.LogCaptureFixture) -> None:
    image = icons.pixmap("no-such-icon", "text", 16, 1.0).toImage()
    assert all(image.pixelColor(x, y).alpha() == 0 for x in range(16) for y in range(16))
    assert "no-such-icon" in caplog.text


def test_strokes_are_ours() -> None:
    source = Path(resources.path("icons/check.svg")).read_text(encoding="utf-8")
    assert "currentColor" in source
