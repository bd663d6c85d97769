"""Paint helpers for widgets and delegates alike. Positions and sizes are device-independent pixels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from annotator.ui import density, fonts, icons, theme
from annotator.ui.widgets import kept

Value = int | str | None
CANNOT = "cannot_judge"
TickState = Literal["open", "half", "full"]
MINI = (20, 18)
SPARK_HEIGHT = 14
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
CENTER = Qt.AlignmentFlag.AlignCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter

CHIP_ROLES: dict[str, tuple[str, str]] = {
    "neutral": ("sunken", "text2"),
    "outline": ("", "text2"),
    "chosen": ("selected", "accent-text"),
    "ok": ("ok-soft", "ok"),
    "warn": ("warn-soft", "warn"),
    "error": ("error-soft", "error"),
    "info": ("info-soft", "info"),
}


def score_role(value: Value, levels: int = 5) -> str:
    """Colour role of a score: ``s1`` to ``s5``; ``text3`` for cannot judge. Other scales are spread over the five."""
    if not isinstance(value, int):
        return "text3"
    if levels == 5:
        return f"s{min(5, max(1, value))}"
    return f"s{1 + round(4 * (value - 1) / max(1, levels - 1))}"


def text_width(text: str, font: QFont) -> float:
    """Advance of one line of text."""
    return kept.width_of(text, font)


def elided(text: str, font: QFont, width: float) -> str:
    """One line that fits ``width``: line breaks become spaces, the end is cut with an ellipsis."""
    return kept.elided(text, font, width)


def draw_text(
    painter: QPainter, area: QRectF, text: str, font: QFont, role: str = "text", align: Qt.AlignmentFlag = LEFT
) -> None:
    """One line of plain text, elided to the area."""
    painter.setFont(font)
    painter.setPen(theme.color(role))
    shown = kept.elided(text, font, area.width())
    if not kept.draw_line(painter, area, shown, font, align):
        painter.drawText(area, align | Qt.TextFlag.TextSingleLine, shown)


def hairline(painter: QPainter, x1: float, y1: float, x2: float, y2: float, role: str = "hair") -> None:
    """A 1 px line, snapped to device pixels at any scale: the filled rectangle from (x1, y1), 1 px thick."""
    aliased = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
    if aliased:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.fillRect(QRectF(x1, y1, max(1.0, x2 - x1), max(1.0, y2 - y1)), theme.color(role))
    if aliased:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def frame(
    painter: QPainter, box: QRectF, ground: QColor | None, border: QColor | None, radius: float = 4.0,
    width: float = 1.0, dashed: bool = False,
) -> None:  # fmt: skip
    """A rounded rectangle whose border lies inside ``box``."""
    kept.draw_frame(painter, box, ground, border, radius, width, dashed)


def _cap_font() -> QFont:
    return fonts.font("meta", 500)


def keycap_height() -> int:
    """17 px times the text scale."""
    return density.metrics().keycap


def keycap_width(text: str) -> int:
    """Width of a keycap; square for one sign."""
    return max(keycap_height(), round(text_width(text, _cap_font())) + 9)


def draw_keycap(
    painter: QPainter, x: float, y: float, text: str, role: str = "text3", border: str = "line", strength: float = 1.0
) -> int:
    """A keycap with its top left corner at (x, y); returns its width.

    ``strength`` is the opacity, for caps on accent.
    """
    width, height = keycap_width(text), keycap_height()
    painter.save()
    painter.setOpacity(painter.opacity() * strength)
    frame(painter, QRectF(x, y, width, height), None, theme.color(border), 3.0)
    draw_text(painter, QRectF(x, y - 0.5, width, height), text, _cap_font(), role, CENTER)
    painter.restore()
    return width


def chip_width(text: str, icon: str | None = None) -> int:
    """Width of a chip."""
    return round(text_width(text, fonts.font("label"))) + 14 + (17 if icon else 0)


def draw_chip(
    painter: QPainter, x: float, y: float, text: str, kind: str = "neutral", icon: str | None = None,
    width: float | None = None,
) -> int:  # fmt: skip
    """A chip of 20 px with its top left corner at (x, y); returns its width. A given ``width`` elides the text."""
    ground, role = CHIP_ROLES[kind]
    wide, height = width if width is not None else chip_width(text, icon), density.metrics().chip
    frame(
        painter, QRectF(x, y, wide, height), theme.color(ground) if ground else None,
        theme.color("control") if kind == "outline" else None, 3.0,
    )  # fmt: skip
    left = x + 7
    if icon:
        icons.paint(painter, icon, left - 1, y + (height - 14) / 2, role, 14)
        left += 17
    draw_text(painter, QRectF(left, y, x + wide - left - 5, height), text, fonts.font("label"), role)
    return round(wide)


def draw_mini(painter: QPainter, x: float, y: float, value: Value) -> None:
    """The mini score, 20 x 18: digit over a bar as long as the score; dashed dot when missing.

    Dash for cannot judge.
    """
    width, height = MINI
    box = QRectF(x, y, width, height)
    font = fonts.font("label", 600, tabular=True)
    font.setPixelSize(12)
    if value is None:
        frame(painter, box, None, theme.color("line"), 2.0, dashed=True)
        draw_text(painter, box, "·", font, "text3", CENTER)
        return
    frame(painter, box, theme.color("sunken"), None, 2.0)
    digit = str(value) if isinstance(value, int) else "–"
    role = score_role(value) if isinstance(value, int) and value <= 2 else "text" if isinstance(value, int) else "text3"
    draw_text(painter, box.adjusted(0, 0, 0, -2), digit, font, role, CENTER)
    if isinstance(value, int):
        painter.fillRect(QRectF(x, y + height - 3, width * min(5, value) / 5, 3), theme.color(score_role(value)))


def spark_width(count: int) -> int:
    """Width of a spark of ``count`` bars: 3 px and 2 px between."""
    return max(0, 5 * count - 2)


def draw_spark(painter: QPainter, x: float, y: float, values: Sequence[Value], dim: bool = False) -> None:
    """Bars of 3 px in a height of 14: the score is the height; hollow stub = cannot judge.

    Dash on the base line = missing.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    base = y + SPARK_HEIGHT
    for number, value in enumerate(values):
        left = x + 5 * number
        if isinstance(value, int):
            height = 2 + round(12 * min(5, value) / 5)
            painter.fillRect(QRectF(left, base - height, 3, height), theme.color("text3" if dim else score_role(value)))
        elif value == CANNOT:
            colour = theme.color("text3")
            painter.fillRect(QRectF(left, base - 5, 3, 5), colour)
            painter.fillRect(QRectF(left + 1, base - 4, 1, 3), theme.color("panel"))
        else:
            painter.fillRect(QRectF(left, base - 1, 3, 1), theme.color("control"))
    painter.restore()


TICK = (4, 9, 1.5)


def ticks_width(count: int) -> float:
    """Width of ``count`` queue ticks."""
    return max(0.0, count * (TICK[0] + TICK[2]) - TICK[2])


def draw_ticks(painter: QPainter, right: float, y: float, states: Sequence[TickState]) -> None:
    """Queue ticks, one per turn, right-aligned at ``right`` with their top at ``y``.

    Hollow open, half begun, full done.
    """
    width, height, gap = TICK
    left = right - ticks_width(len(states))
    for number, state in enumerate(states):
        box = QRectF(left + number * (width + gap), y, width, height)
        if state == "full":
            frame(painter, box, theme.color("text2"), None, 1.0)
            continue
        frame(painter, box, None, theme.color("text2" if state == "half" else "control"), 1.0)
        if state == "half":
            painter.fillRect(QRectF(box.left(), box.center().y(), width, height / 2), theme.color("text2"))


def draw_mark(painter: QPainter, x: float, y: float, size: float) -> None:
    """The program's mark: a square of accent with four rising bars, the last one full."""
    frame(painter, QRectF(x, y, size, size), theme.color("accent"), None, size * 0.2)
    unit = size / 16
    ink = theme.color("on-accent")
    for number, height in enumerate((3.2, 5.0, 6.8, 8.8)):
        bar = QRectF(x + (2.9 + number * 2.7) * unit, y + (12.4 - height) * unit, 2.1 * unit, height * unit)
        frame(
            painter, bar, ink if number == 3 else None, None if number == 3 else ink, unit * 0.5, max(1.0, unit * 0.55)
        )


def draw_triangle(painter: QPainter, tip: QPointF, size: float, role: str) -> None:
    """A filled triangle pointing down at ``tip``: the head of the playhead."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color(role))
    painter.drawPolygon([tip, QPointF(tip.x() - size, tip.y() - size), QPointF(tip.x() + size, tip.y() - size)])
    painter.restore()
