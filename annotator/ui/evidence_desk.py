"""Pinning: a rectangle of what is on the stage, or all of it, becomes a label; pins lead back to their place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, QRect, QRectF, Signal
from PySide6.QtGui import QImage

from annotator.ui.evidence_box import BoxTool, share_of
from annotator.ui.evidence_model import Pin, asset_named, free_field, pins_of
from annotator.ui.i18n import tr
from annotator.ui.key_table import label
from annotator.ui.media_gate import Permit
from annotator.ui.media_given import GivenFrames
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_parcels import code_of, thumb_image, urgency_of
from annotator.ui.media_picture import haze
from annotator.ui.media_session import MediaSession
from annotator.ui.mediaview import MediaView
from annotator.ui.timeline_model import PinMark
from annotator.workspace.views import ReviewView

_CARD_PX = (320, 300)
_KEPT = 64


class EvidenceDesk(QObject):
    """Makes, shows and finds pins of one review.

    Signals:
        said(target, field, value): a pin was made, moved or (None) taken away.
        message(kind, text): why there is none.
        marks(tuple of PinMark): the pins that lie on open parts of the strip.
    """

    said = Signal(str, str, object)
    message = Signal(str, str)
    marks = Signal(object)

    def __init__(
        self, stage: MediaView, session: MediaSession, loader: MediaLoader, given: GivenFrames, parent: QObject
    ) -> None:
        """No review yet."""
        super().__init__(parent)
        self._stage, self._session, self._loader, self._given = stage, session, loader, given
        self._view: ReviewView | None = None
        self._target = self._dimension = ""
        self._coming: QRect | None = None
        self._crops: dict[tuple[Any, ...], QImage] = {}
        self.box = BoxTool(stage)
        self.box.drawn.connect(self._drawn)

    # ------------------------------------------------------------------------------------------------------ the review
    def show_review(self, view: ReviewView) -> None:
        """Another review, or the same one with other labels."""
        if self._view is None or self._view.row.key != view.row.key:
            self.forget_crops()
            self.box.arm(False)
            self.box.clear()
        self._view = view
        self.tell_marks()

    def set_target(self, target: str, dimension: str) -> None:
        """What is scored now: a new pin belongs to it."""
        self._target, self._dimension = target, dimension

    def forget_crops(self) -> None:
        """Let go of the pictures of cards."""
        self._crops.clear()
        self._loader.errands.give_up_all("crop")

    def tell_marks(self) -> None:
        """The gate or the labels changed: which pins the strip may show."""
        view = self._view
        found = []
        for pin in pins_of(view) if view is not None else ():
            stop, _, _ = asset_named(view, pin) if view is not None else (None, -1, None)
            if stop is not None and self._session.gate.allows(stop, pin.at):
                found.append(PinMark(pin.target, pin.field, stop, pin.at))
        self.marks.emit(tuple(found))

    # --------------------------------------------------------------------------------------------------------- pinning
    def pin(self) -> None:
        """The key: pin the rectangle that is drawn; else draw one; pressed again without one, pin all of it."""
        if self._view is None or self._view.read_only or self._place() is None:
            self.message.emit("info", tr("evidence.nothing_to_pin"))
            return
        if not self.box.rect.isEmpty():
            self._pin(self.box.rect)
        elif self.box.armed:
            self._pin(None)
        else:
            self.box.arm(True)
            self.message.emit("info", tr("evidence.drag", cap=label("evidence")))

    def escape(self) -> bool:
        """Leave drawing, or forget the rectangle; whether there was either."""
        if not self.box.armed and self.box.rect.isEmpty():
            return False
        self.box.arm(False)
        self.box.clear()
        return True

    def _drawn(self, rect: QRect) -> None:
        self._pin(rect)

    def _pin(self, box: QRect | None) -> None:
        view, place, picture = self._view, self._place(), self._stage.picture
        self.box.arm(False)
        if view is None or place is None or picture is None:
            return
        target = self._target or "session"
        share = round(share_of(box, picture.full), 6) if box is not None else 1.0
        made = replace(place, target=target, field=free_field(view.sheet, target), box=box, share=share)
        made = replace(made, dimension=self._dimension or None)
        self.box.clear()
        self.said.emit(made.target, made.field, made.value())

    def _place(self) -> Pin | None:
        """What is on the stage, as a pin without target and box."""
        session, picture = self._session, self._stage.picture
        given = self._given.asset
        if picture is None or picture.blurred:
            return None
        if given is not None:
            return Pin("", "", given.raw or given.inside or "")
        if session.stop is None:
            return None
        asset = session.gate.strip.stops[session.stop].asset
        name = asset.raw or asset.inside or ""
        if session.index is None:
            return Pin("", "", name)
        return Pin("", "", name, session.at, session.index)

    def remove(self, pin: Pin) -> None:
        """Take a pin away: an event that withdraws it."""
        if self._view is not None and not self._view.read_only:
            self.said.emit(pin.target, pin.field, None)

    def give(self, pin: Pin, target: str, dimension: str | None, reason: str | None) -> None:
        """Let a pin be evidence of something else."""
        view = self._view
        if view is None or view.read_only:
            return
        moved = replace(pin, target=target, dimension=dimension, reason=reason)
        if target == pin.target:
            self.said.emit(target, pin.field, moved.value())
            return
        self.said.emit(target, free_field(view.sheet, target), moved.value())
        self.said.emit(pin.target, pin.field, None)

    # ----------------------------------------------------------------------------------------------------- going there
    def go(self, pin: Pin) -> bool:
        """Show a pin's place with its rectangle; False where the gate or the file says no."""
        view = self._view
        if view is None:
            return False
        stop, turn, asset = asset_named(view, pin)
        if stop is None:
            return asset is not None and self._given.show_asset(turn, asset)
        film = self._session.film() if self._session.stop == stop else None
        at = pin.at
        if film is not None and pin.frame is not None and pin.frame < len(film.times):
            at = film.times[pin.frame]
        self._coming = pin.box
        if not self._session.go(stop, at):
            self._coming = None
            return False
        return True

    def picture_came(self, keep: bool) -> None:
        """Another picture is on the stage (`keep`: a frame or a sharper version of the same): its rectangle, if any."""
        coming, self._coming = self._coming, None
        if coming is not None:
            self.box.show_rect(coming)
            if not self._stage.viewport.visible().contains(QRectF(coming)):
                self._stage.show_place(QRectF(coming))
        elif not keep:
            self.box.clear()

    def find(self, target: str, field: str) -> Pin | None:
        """A pin by its place in the sheet."""
        return next((p for p in pins_of(self._view) if p.key == (target, field)), None) if self._view else None

    def may_see(self, pin: Pin) -> bool:
        """Whether a pin's place is open now."""
        return self._permit(pin) is not None

    def _permit(self, pin: Pin) -> Permit | None:
        view, gate = self._view, self._session.gate
        if view is None:
            return None
        stop, turn, asset = asset_named(view, pin)
        if stop is not None:
            return gate.permit(stop, pin.at) if gate.allows(stop, pin.at) else None
        return gate.given_permit(turn, asset) if asset is not None else None

    def crop(self, pin: Pin, then: Callable[[Pin, QImage], None]) -> None:
        """Bring the picture of a pin's card, if its place is open."""
        permit = self._permit(pin)
        if permit is None:
            return
        box = pin.box
        rect = (box.x(), box.y(), box.width(), box.height()) if box is not None else None
        key = (permit.path, pin.at, rect, self._loader.blurred)
        held = self._crops.get(key)
        if held is not None:
            then(pin, held)
            return
        soft = self._loader.blurred

        def made(value: Any) -> QImage:
            pixels = _cut(value, rect)
            image = thumb_image(pixels, _CARD_PX)
            return haze(image) if soft else image

        def home(image: QImage) -> None:
            if len(self._crops) >= _KEPT:
                self._crops.clear()
            self._crops[key] = image
            then(pin, image)

        service = self._loader.service

        def ask(lane: Any) -> Any:
            if permit.what == "frame":
                return service.frame_at(permit.path, pin.at or 0, lane=lane, urgency=urgency_of(2))
            return service.full(permit.path, lane=lane, urgency=urgency_of(2))

        def cut(pixels: Any) -> QImage:
            image = thumb_image(pixels, _CARD_PX)
            return haze(image) if soft else image

        def refused(error: BaseException) -> None:
            if code_of(error) == "media_over_budget":  # never held whole: its part is cut from the file
                around = _around(rect) if rect is not None else None
                errands.run(
                    name, lambda lane: service.cutting(permit.path, around, lane=lane, urgency=urgency_of(2)), cut, home
                )

        name, errands = ("crop", *pin.key), self._loader.errands
        errands.run(name, ask, made, home, refused)


def _around(rect: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """A rectangle with a little around it."""
    x, y, w, h = rect
    margin = max(4, round(max(w, h) * 0.06))
    return x - margin, y - margin, w + 2 * margin, h + 2 * margin


def _cut(value: Any, rect: tuple[int, int, int, int] | None) -> Any:
    """The pixels of a rectangle with a little around it; all of them without one, or where it lies outside."""
    pixels = value.pixels
    if rect is None:
        return pixels
    x, y, w, h = _around(rect)
    height, width = pixels.shape[:2]
    left, top = max(0, x), max(0, y)
    right, bottom = min(width, x + w), min(height, y + h)
    if right <= left or bottom <= top:
        return pixels
    import numpy as np

    return np.ascontiguousarray(pixels[top:bottom, left:right])
