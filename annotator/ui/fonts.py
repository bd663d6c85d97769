"""Type styles by name. Sizes are pixels times the text scale, never points.

Latin and figures come from Inter everywhere.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from PySide6.QtGui import QFont, QFontDatabase

from annotator import resources
from annotator.ui import density
from annotator.ui.density import Density

StyleName = Literal["figure", "page", "time", "read", "body", "label", "meta", "mono"]

SANS = (
    "Inter",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "Microsoft YaHei UI",
    "PingFang SC",
    "DejaVu Sans",
)
MONO = (
    "JetBrains Mono",
    "Noto Sans Mono CJK SC",
    "Noto Sans CJK SC",
    "Microsoft YaHei UI",
    "PingFang SC",
    "DejaVu Sans Mono",
)


class Style(NamedTuple):
    """Size and line advance in unscaled pixels, and the weight when the caller names none."""

    size: int
    line: int
    weight: int


STYLES: dict[str, Style] = {
    "figure": Style(24, 30, 600),
    "page": Style(16, 22, 600),
    "time": Style(15, 20, 600),
    "read": Style(14, 23, 400),
    "body": Style(13, 18, 400),
    "label": Style(12, 18, 400),
    "meta": Style(11, 16, 400),
    "mono": Style(12, 18, 400),
}
_READ = {Density.SMALL: Style(13, 21, 400), Density.NORMAL: Style(14, 23, 400), Density.WIDE: Style(15, 25, 400)}
_TABULAR = frozenset({"figure", "time"})


@cache
def load() -> tuple[str, ...]:
    """Register the shipped fonts once; returns the families found, so that a test can tell a missing file."""
    families: list[str] = []
    folder = resources.root() / "fonts"
    for file in sorted(folder.glob("*.[to]tf")) if folder.is_dir() else []:
        number = QFontDatabase.addApplicationFont(str(file))
        if number >= 0:
            families += QFontDatabase.applicationFontFamilies(number)
    return tuple(dict.fromkeys(families))


def style(name: StyleName) -> Style:
    """The style in force: reading text follows the window's size class."""
    return _READ[density.current()] if name == "read" else STYLES[name]


def font(name: StyleName, weight: int | None = None, tabular: bool | None = None) -> QFont:
    """A QFont of a style.

    ``weight`` is 400, 500 or 600 (None takes the style's own). ``tabular`` asks for figures of equal width;
    None means yes for times and headline figures. The font is the caller's own copy.
    """
    return QFont(_font(name, weight, tabular, density.current(), density.text_scale()))


def line_height(name: StyleName) -> int:
    """Line advance of a style in device-independent pixels, text scale included."""
    return px(style(name).line)


def px(size: int) -> int:
    """``size`` unscaled pixels times the text scale."""
    return round(size * density.text_scale() / 100)


@cache
def _font(name: StyleName, weight: int | None, tabular: bool | None, _class: Density, _scale: int) -> QFont:
    """The font of a style in one size class at one text scale; a full paint asks for some two hundred."""
    wanted = style(name)
    figures = name in _TABULAR if tabular is None else tabular
    return _make(name == "mono", px(wanted.size), weight or wanted.weight, figures)


@cache
def _make(mono: bool, size: int, weight: int, tabular: bool) -> QFont:
    made = QFont()
    made.setFamilies(list(MONO if mono else SANS))
    made.setPixelSize(size)
    made.setWeight(QFont.Weight(weight))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if mono:
        made.setStyleHint(QFont.StyleHint.Monospace)
    if tabular:
        made.setFeature(QFont.Tag("tnum"), 1)
    return made
