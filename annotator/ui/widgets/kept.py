"""What is painted again and again, made once: shaped lines of text, their widths, small rounded frames.

A full paint of the window draws some fifty short texts and thirty frames. Shaping a text costs several times its
drawing, and so does stroking a rounded corner. The pixels are those of the plain calls, which a test holds us to.
"""

from __future__ import annotations

import atexit
import math
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap, QTextLayout, QTextLine

_LINES, _WIDTHS, _FRAMES = 1500, 6000, 600
_SIDE_PX = 320  # larger frames are rare, and their pictures would weigh more than they save
_BREAKS = str.maketrans({"\r": " ", "\n": " ", "\t": " ", "\u2028": " ", "\u2029": " "})
# How much of the spare room stands left of the text; flags are slow to take apart for every text.
_SHARES = {
    Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter: 0.0,
    Qt.AlignmentFlag.AlignCenter: 0.5,
    Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter: 1.0,
}


class _Line(NamedTuple):
    """A shaped line; `layout` keeps what `line` points into alive."""

    layout: QTextLayout
    line: QTextLine
    advance: float
    height: float


@lru_cache(_WIDTHS)
def width_of(text: str, font: QFont) -> float:
    """Advance of one line of text, px. The font is a key from here on: it must not be changed afterwards."""
    return QFontMetricsF(font).horizontalAdvance(text)


@lru_cache(_WIDTHS)
def elided(text: str, font: QFont, width: float) -> str:
    """One line that fits `width` px: line breaks become spaces, the end is cut with an ellipsis."""
    plain = " ".join(text.split("\n"))
    if width_of(plain, font) <= width:
        return plain
    return QFontMetricsF(font).elidedText(plain, Qt.TextElideMode.ElideRight, width)


@lru_cache(_LINES)
def _shaped(text: str, font: QFont) -> _Line | None:
    """The line, or None where a direction has to be resolved, which is left to the painter."""
    if any("\u0590" <= char for char in text) and any(_runs_left(char) for char in text):
        return None
    layout = QTextLayout(text.translate(_BREAKS), font)
    layout.setCacheEnabled(True)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    return _Line(layout, line, line.horizontalAdvance(), line.ascent() + line.descent())


def _runs_left(char: str) -> bool:
    """Whether a character may turn the line's direction: right-to-left scripts and marks of direction."""
    return (
        "\u0590" <= char < "\u0900"
        or "\u200e" <= char < "\u2070"
        or "\ufb1d" <= char < "\ufe00"
        or "\ufe70" <= char < "\uff00"
        or "\U00010800" <= char < "\U00011000"
        or "\U0001e800" <= char < "\U0001f000"
    )


def draw_line(painter: QPainter, area: QRectF, text: str, font: QFont, align: Qt.AlignmentFlag) -> bool:
    """Draw one line, already elided, in the painter's pen; False where the painter has to do it itself."""
    if not text:
        return True
    shaped, share = _shaped(text, font), _SHARES.get(align)
    if shaped is None or share is None:
        return False
    room = area.width()
    at = QPointF(area.x() + (room - shaped.advance) * share, area.y() + (area.height() - shaped.height) / 2)
    if shaped.height <= area.height() and shaped.advance <= room:
        shaped.line.draw(painter, at)
        return True
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    shaped.line.draw(painter, at)
    painter.restore()
    return True


class _Shape(NamedTuple):
    """A frame whose top left corner lies at a fraction of a pixel; colours as numbers, -1 for none."""

    left: float
    top: float
    width: float
    height: float
    ground: int
    border: int
    radius: float
    thick: float
    dashed: bool
    ratio: int


@lru_cache(_FRAMES)
def _pictured(shape: _Shape) -> QPixmap:
    size = QSize(math.ceil(shape.left + shape.width) + 1, math.ceil(shape.top + shape.height) + 1)
    made = QPixmap(size * shape.ratio)
    made.setDevicePixelRatio(shape.ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    box = QRectF(shape.left, shape.top, shape.width, shape.height)
    ground = QColor.fromRgba(shape.ground) if shape.ground >= 0 else None
    border = QColor.fromRgba(shape.border) if shape.border >= 0 else None
    stroke(painter, box, ground, border, shape.radius, shape.thick, shape.dashed)
    painter.end()
    return made


def draw_frame(
    painter: QPainter, box: QRectF, ground: QColor | None, border: QColor | None, radius: float, width: float,
    dashed: bool,
) -> None:  # fmt: skip
    """A rounded rectangle whose border lies inside `box`, from its picture where it is small and nothing is scaled."""
    device = painter.device()
    ratio = device.devicePixelRatioF() if device is not None else 1.0
    small = 0 < box.width() <= _SIDE_PX and 0 < box.height() <= _SIDE_PX
    if not small or ratio != int(ratio) or painter.transform().isScaling():
        painter.save()
        stroke(painter, box, ground, border, radius, width, dashed)
        painter.restore()
        return
    x, y = math.floor(box.x()), math.floor(box.y())
    shape = _Shape(
        box.x() - x, box.y() - y, box.width(), box.height(), ground.rgba() if ground is not None else -1,
        border.rgba() if border is not None else -1, radius, width, dashed, int(ratio),
    )  # fmt: skip
    painter.drawPixmap(QPointF(x, y), _pictured(shape))


def stroke(
    painter: QPainter, box: QRectF, ground: QColor | None, border: QColor | None, radius: float, width: float,
    dashed: bool,
) -> None:  # fmt: skip
    """The same by the painter's own strokes; pen, brush and smoothing are left as used."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(ground if ground is not None else Qt.BrushStyle.NoBrush)
    if border is None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(box, radius, radius)
        return
    pen = QPen(border, width)
    if dashed:
        pen.setDashPattern([3.0 / width, 2.5 / width])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    half = width / 2
    painter.drawRoundedRect(box.adjusted(half, half, -half, -half), radius - half, radius - half)


@atexit.register
def forget() -> None:
    """Let go of everything, before Qt does: fonts and pictures must not outlive the application."""
    for kept in (_shaped, _pictured):
        kept.cache_clear()
