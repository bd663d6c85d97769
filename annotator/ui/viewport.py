"""Where a picture lies in a view: fit, fill, zoom about a point, pan, quarter turns. Geometry only, no pixels.

Three systems of coordinates: *picture* pixels (as the file is displayed, from its top left corner), *view* positions
(device-independent pixels of the widget) and *device* pixels (view times the device pixel ratio). A zoom of 1 means one
device pixel for each picture pixel; the origin is kept on whole device pixels, so that integer zooms have hard edges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF
from PySide6.QtGui import QTransform

Mode = Literal["fit", "fill", "free"]

# Below 100 % thirds and halves, above it whole numbers only: a picture pixel becomes a square of device pixels.
STEPS = (
    *(1 / 64, 1 / 48, 1 / 32, 1 / 24, 1 / 16, 1 / 12, 1 / 8, 1 / 6, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 1.0),
    *(2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0),
)
_NEAR = 1.0 + 1e-6


@dataclass(frozen=True, slots=True)
class Place:
    """A view to be taken up again: mode, zoom, turn, and the middle as a share of the picture's sides."""

    mode: Mode
    zoom: float
    quarters: int
    share: QPointF


@dataclass(frozen=True, slots=True)
class ViewChange:
    """What changed between two views of one picture: a factor of the zoom, a way in device pixels, a new mode."""

    factor: float
    move: QPointF
    mode: Mode
    turned: int


class Viewport:
    """The place of one picture in one view; every change keeps the picture where a hand can reach it."""

    def __init__(self) -> None:
        """Start with nothing shown, fitted."""
        self.mode: Mode = "fit"
        self.zoom = 1.0
        self.quarters = 0
        self._picture = QSizeF(0, 0)
        self._view = QSizeF(1, 1)
        self._ratio = 1.0
        self._centre = QPointF(0, 0)
        self._placed: tuple[object, QTransform] = (None, QTransform())

    # ------------------------------------------------------------------------------------------------- what is known
    @property
    def picture(self) -> QSizeF:
        """The picture's size in its own pixels."""
        return QSizeF(self._picture)

    @property
    def ratio(self) -> float:
        """Device pixels for each view pixel."""
        return self._ratio

    def whole(self) -> QRectF:
        """All of the picture, in its own pixels."""
        return QRectF(QPointF(0, 0), self._picture)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to place."""
        return self._picture.isEmpty() or self._view.isEmpty()

    def turned(self) -> QSizeF:
        """The picture's size after the quarter turns, in picture pixels."""
        return self._picture.transposed() if self.quarters % 2 else QSizeF(self._picture)

    def fit_zoom(self) -> float:
        """The zoom at which the whole picture is seen; from 200 % on in whole multiples only."""
        return _whole(min(self._ratios()))

    def fill_zoom(self) -> float:
        """The zoom at which the picture covers the view."""
        return max(self._ratios())

    def transform(self) -> QTransform:
        """From picture pixels to view positions, the origin on whole device pixels."""
        key = (self.zoom, self._ratio, self.quarters, self._centre.toTuple(), self._view.toTuple())
        if key == self._placed[0]:
            return self._placed[1]
        scale = self.zoom / self._ratio
        turn = QTransform().rotate(90 * self.quarters)
        origin = self._middle() - turn.map(self._centre) * scale
        snapped = QPointF(round(origin.x() * self._ratio), round(origin.y() * self._ratio)) / self._ratio
        made = turn * QTransform.fromScale(scale, scale) * QTransform.fromTranslate(snapped.x(), snapped.y())
        # Asked for several times for each paint, and by every part that lies over the picture.
        self._placed = (key, made)
        return made

    def to_picture(self, at: QPointF) -> QPointF:
        """The picture position under a view position (may lie outside the picture)."""
        inverse, _ = self.transform().inverted()
        return inverse.map(at)

    def to_view(self, at: QPointF) -> QPointF:
        """The view position of a picture position."""
        return self.transform().map(at)

    def pixel_at(self, at: QPointF) -> QPoint | None:
        """The picture pixel under a view position, None beside the picture."""
        return None if self.empty else self.pixel_of(self.to_picture(at), self._picture)

    @staticmethod
    def pixel_of(at: QPointF, picture: QSizeF) -> QPoint | None:
        """The pixel that a picture position lies in, None outside the picture."""
        x, y = math.floor(at.x() + 1e-9), math.floor(at.y() + 1e-9)
        return QPoint(x, y) if 0 <= x < picture.width() and 0 <= y < picture.height() else None

    def visible(self) -> QRectF:
        """The part of the picture that is in view, in picture pixels."""
        if self.empty:
            return QRectF()
        inverse, _ = self.transform().inverted()
        seen = inverse.mapRect(QRectF(QPointF(0, 0), self._view))
        return seen.intersected(QRectF(QPointF(0, 0), self._picture))

    def pannable(self) -> bool:
        """Whether any part of the picture lies outside the view."""
        return any(_over(a, b) for a, b in zip(self._spans(), self._room(), strict=True))

    # ------------------------------------------------------------------------------------------------------- changes
    def set_view(self, width: float, height: float, ratio: float) -> None:
        """The widget's size in device-independent pixels and its device pixel ratio."""
        self._view = QSizeF(max(0.0, width), max(0.0, height))
        self._ratio = max(0.1, ratio)
        self._settle()

    def set_picture(self, width: float, height: float, keep: bool = False) -> None:
        """Show another picture; `keep` holds the zoom and the relative place (same-sized frames, keep-zoom)."""
        before = self._picture
        share = QPointF(0.5, 0.5)
        if keep and not before.isEmpty():
            share = QPointF(self._centre.x() / before.width(), self._centre.y() / before.height())
        self._picture = QSizeF(width, height)
        if not keep:
            self.mode, self.quarters = "fit", 0
        self._centre = QPointF(share.x() * width, share.y() * height)
        self._settle()

    def fit(self) -> None:
        """Show the whole picture."""
        self.mode = "fit"
        self._settle()

    def fill(self) -> None:
        """Cover the view."""
        self.mode = "fill"
        self._settle()

    def set_zoom(self, zoom: float, about: QPointF | None = None) -> None:
        """Zoom so that the picture position under `about` (the middle, if None) stays under it."""
        if self.empty:
            return
        # From the middle, not from the snapped origin: half pixels of rounding must not add up over many steps.
        back, _ = QTransform().rotate(90 * self.quarters).inverted()
        away = back.map(about - self._middle()) * self._ratio if about is not None else QPointF()
        held = self._centre + away / self.zoom
        shrinks = zoom < self.zoom
        self.mode, self.zoom = "free", zoom
        self._centre = held - away / zoom
        if shrinks:
            self._cover()
        self._settle()

    def step(self, direction: int, about: QPointF | None = None) -> None:
        """To the next of the zoom steps; stepping out ends at the fitted picture."""
        if self.empty:
            return
        least = min(self.fit_zoom(), 1.0)
        if direction > 0:
            self.set_zoom(next((s for s in STEPS if s > self.zoom * _NEAR), STEPS[-1]), about)
            return
        wanted = next((s for s in reversed(STEPS) if s < self.zoom / _NEAR), STEPS[0])
        if wanted <= least:
            self.fit() if least == self.fit_zoom() else self.set_zoom(least, about)
        else:
            self.set_zoom(wanted, about)

    def pan(self, dx: float, dy: float) -> None:
        """Move the picture with the hand, by view pixels; an axis that is wholly in view stays where it is."""
        if not self.pannable():
            return
        spans, room = self._spans(), self._room()
        move = QPointF(dx if _over(spans[0], room[0]) else 0.0, dy if _over(spans[1], room[1]) else 0.0)
        back, _ = QTransform().rotate(90 * self.quarters).inverted()
        self._centre -= back.map(move) * (self._ratio / self.zoom)
        self.mode = "free"
        self._settle()

    def look_at(self, at: QPointF) -> None:
        """Bring a picture position to the middle of the view."""
        self._centre = QPointF(at)
        if self.mode != "fit":
            self.mode = "free"
        self._settle()

    def turn(self, quarters: int = 1) -> None:
        """Turn the view clockwise by quarters; the file is never touched."""
        self.quarters = (self.quarters + quarters) % 4
        self._settle()

    # -------------------------------------------------------------------------------------------------- from elsewhere
    def place(self) -> Place:
        """This view, to be taken up again on another picture."""
        size = self._picture
        share = QPointF(0.5, 0.5) if size.isEmpty() else _over_size(self._centre, size)
        return Place(self.mode, self.zoom, self.quarters, share)

    def take_place(self, place: Place) -> None:
        """Take a view up again, at the same relative place of this picture."""
        self.mode, self.zoom, self.quarters = place.mode, place.zoom, place.quarters
        self._centre = QPointF(place.share.x() * self._picture.width(), place.share.y() * self._picture.height())
        self._settle()

    def change_since(self, before: Place) -> ViewChange:
        """What was done to this view since it was at `before`."""
        was = QPointF(before.share.x() * self._picture.width(), before.share.y() * self._picture.height())
        turn = QTransform().rotate(90 * self.quarters)
        move = turn.map(self._centre - was) * self.zoom
        return ViewChange(self.zoom / before.zoom, move, self.mode, (self.quarters - before.quarters) % 4)

    def follow(self, change: ViewChange) -> None:
        """Do what was done to another view: the same factor, the same way, the same turn; fit follows fit."""
        if self.empty:
            return
        self.quarters = (self.quarters + change.turned) % 4
        if change.mode != "free":
            self.mode = change.mode
        else:
            self.mode, self.zoom = "free", self.zoom * change.factor
            back, _ = QTransform().rotate(90 * self.quarters).inverted()
            self._centre += back.map(change.move) / self.zoom
        self._settle()

    # ------------------------------------------------------------------------------------------------------ the rules
    def _ratios(self) -> tuple[float, float]:
        size = self.turned()
        if size.isEmpty():
            return 1.0, 1.0
        return self._view.width() * self._ratio / size.width(), self._view.height() * self._ratio / size.height()

    def _middle(self) -> QPointF:
        return QPointF(self._view.width() / 2, self._view.height() / 2)

    def _spans(self) -> tuple[float, float]:
        size = self.turned() * (self.zoom / self._ratio)
        return size.width(), size.height()

    def _room(self) -> tuple[float, float]:
        return self._view.width(), self._view.height()

    def _settle(self) -> None:
        """Fitted and filled pictures follow the view; a free one keeps the view's middle over the picture."""
        if self.empty:
            return
        if self.mode == "fit":
            self.zoom = self.fit_zoom()
            self._centre = QPointF(self._picture.width() / 2, self._picture.height() / 2)
            return
        if self.mode == "fill":
            self.zoom = self.fill_zoom()
        x = min(max(self._centre.x(), 0.0), self._picture.width())
        y = min(max(self._centre.y(), 0.0), self._picture.height())
        self._centre = QPointF(x, y)

    def _cover(self) -> None:
        """After zooming out no axis shows more ground than it must."""
        along = (self._view.width(), self._view.height())
        if self.quarters % 2:
            along = (along[1], along[0])
        half_x, half_y = (a * self._ratio / self.zoom / 2 for a in along)
        self._centre = QPointF(
            _between(self._centre.x(), half_x, self._picture.width()),
            _between(self._centre.y(), half_y, self._picture.height()),
        )


def _over_size(at: QPointF, size: QSizeF) -> QPointF:
    return QPointF(at.x() / size.width(), at.y() / size.height())


def _between(centre: float, half: float, length: float) -> float:
    return length / 2 if 2 * half >= length else min(max(centre, half), length - half)


def _over(span: float, room: float) -> bool:
    return span > room + 0.5


def _whole(zoom: float) -> float:
    return float(math.floor(zoom)) if zoom >= 2 else zoom
