"""How a score strip is painted: all of it, one cell of it, or from a picture that was made of it before.

All strips of a grid share these pictures: a score is on screen by one call instead of some eighty.
"""

from __future__ import annotations

import atexit
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF
from PySide6.QtGui import QPainter, QPainterPath, QPixmap

from annotator.ui import density, fonts, style, theme
from annotator.ui.widgets import paint
from annotator.ui.widgets.paint import CANNOT, Value

MARGIN = 3
RADIUS = 4.0
FOOT = 3
PENDING_OPACITY = 0.55
_PICTURES = 200


class Look(NamedTuple):
    """Everything a strip's picture shows.

    Attributes:
        value, levels, cannot: the score, the highest one there is, and whether there is a last cell for a dash.
        pending, failed, conflict, read_only: how the value stands.
        ring: the keyboard is here.
    """

    value: Value
    levels: int
    cannot: bool
    pending: bool
    failed: bool
    conflict: bool
    read_only: bool
    ring: bool

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return self.levels + self.cannot

    def at(self, place: int) -> int | str:
        """What a cell, counted from 0, stands for."""
        return place + 1 if place < self.levels else CANNOT

    def footed(self, place: int) -> bool:
        """Whether a cell lies left of the chosen one."""
        return isinstance(self.value, int) and place < self.levels and place + 1 < self.value


def paint_cell(painter: QPainter, box: QRectF, look: Look, place: int, hovered: bool = False) -> None:
    """Fill, separator, foot and digit of one cell."""
    value, footed = look.at(place), look.footed(place)
    chosen = look.value is not None and value == look.value
    fill, ink = _colours(look, value, chosen, hovered)
    if fill or footed:
        painter.save()
        if place in (0, look.cells - 1):
            painter.setClipPath(_shape(box, look, place))
        painter.setOpacity(PENDING_OPACITY if look.pending and chosen else 1.0)
        if fill:
            painter.fillRect(box, theme.color(fill))
        if footed:
            role = "line" if look.read_only else paint.score_role(look.value, look.levels)
            painter.setOpacity(PENDING_OPACITY if look.pending else 1.0)
            painter.fillRect(QRectF(box.left(), box.bottom() - FOOT, box.width(), FOOT), theme.color(role))
        painter.restore()
    if place and not chosen:
        line = box.bottom() - (FOOT if footed else 0)
        role = "control" if value == CANNOT else "hair"
        paint.hairline(painter, box.left(), box.top(), box.left() + 1, line, role)
    font = fonts.font("body", 600 if chosen else 500, tabular=True)
    paint.draw_text(painter, box, "–" if value == CANNOT else str(value), font, ink, paint.CENTER)


def _colours(look: Look, value: int | str, chosen: bool, hovered: bool) -> tuple[str, str]:
    if look.read_only:
        return ("line" if chosen else "", "text" if chosen else "text-off")
    if chosen:
        return (paint.score_role(value, look.levels), "panel" if value == CANNOT else "on-score")
    return ("hover", "text") if hovered else ("", "text2")


def _shape(box: QRectF, look: Look, place: int) -> QPainterPath:
    """The first or last cell, with the frame's inner corners."""
    path = QPainterPath()
    first, last = place == 0, place == look.cells - 1
    beyond = box.adjusted(0 if first else -RADIUS, 0, 0 if last else RADIUS, 0)
    path.addRoundedRect(beyond, RADIUS - 1, RADIUS - 1)
    return path


def paint_strip(painter: QPainter, size: QSizeF, look: Look) -> None:
    """Ground, border of the state, ring and all cells of a strip of a size, its ring's margin included."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = QRectF(QPointF(0, 0), size).adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
    paint.frame(painter, box, theme.color("sunken" if look.read_only else "raised"), None, RADIUS)
    if look.failed:
        paint.frame(painter, box, None, theme.color("error"), RADIUS, dashed=True)
    elif look.conflict:
        paint.frame(painter, box.adjusted(-2, -2, 2, 2), None, theme.color("warn"), RADIUS + 2)
        paint.frame(painter, box, None, theme.color("warn"), RADIUS)
    else:
        paint.frame(painter, box, None, theme.color("line" if look.read_only else "control"), RADIUS)
    if look.ring:
        style.draw_focus_ring(painter, box, RADIUS)
    inner = box.adjusted(1, 1, -1, -1)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for place in range(look.cells):
        left = inner.left() + place * inner.width() / look.cells
        paint_cell(painter, QRectF(left, inner.top(), inner.width() / look.cells, inner.height()), look, place)


def pictured(look: Look, ground: str, width: int, height: int, ratio: int) -> QPixmap:
    """The strip on a plain ground (a role), `width` x `height` px at a whole device pixel ratio; not to be changed."""
    return _picture(look, ground, width, height, ratio, density.text_scale())


@lru_cache(_PICTURES)
def _picture(look: Look, ground: str, width: int, height: int, ratio: int, _scale: int) -> QPixmap:
    """A strip on its ground; opaque, so that text is smoothed as on the window itself."""
    made = QPixmap(QSize(width, height) * ratio)
    made.setDevicePixelRatio(ratio)
    made.fill(theme.color(ground))
    painter = QPainter(made)
    paint_strip(painter, QSizeF(width, height), look)
    painter.end()
    return made


@atexit.register
def forget() -> None:
    """Let go of the pictures: the colours changed, or Qt is about to go."""
    _picture.cache_clear()


theme.bus().changed.connect(forget)
