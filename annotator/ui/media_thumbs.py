"""The thumbnails' part of the loader: a key frame at once, the frame itself when nothing else is wanted."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from annotator.ui.media_gate import Permit
from annotator.ui.media_parcels import THUMB_BOX, Kind, Parcel, frame_index, urgency_of, within
from annotator.ui.media_picture import haze
from annotator.ui.media_refine import Place, Refinement

if TYPE_CHECKING:
    from annotator.media.service import FilmFacts, MediaService


class Thumbnails(QObject):
    """What a strip asks for; `MediaLoader` is the rest."""

    thumb = Signal(int, object, QImage, bool)
    sized = Signal(int, float)

    blurred: bool
    _lanes: set[object]
    _facts: dict[Path, FilmFacts]

    def __init__(self, parent: QObject | None = None) -> None:
        """None is asked for."""
        super().__init__(parent)
        self._round = 0
        self._refinement = Refinement(self._refine, self._stop_refining)

    @property
    def service(self) -> MediaService:
        """The media service."""
        raise AssertionError("the loader has it")

    def _ask(self, kind: Kind, permit: Permit | None, future: Future[Any], tag: Any = None) -> None:
        raise AssertionError("the loader asks")

    def _lane(self, lane: object) -> Any:
        raise AssertionError("the loader knows its lanes")

    def _cancel_lane(self, lane: object) -> None:
        raise AssertionError("the loader knows its lanes")

    def forget_thumbs(self) -> None:
        """Another turn opens: no thumbnail asked for under the gate that closes is wanted, shown or refined any more.

        Call it before anything else of the change: what stops on the way may otherwise ask for what was put off.
        """
        self._round += 1
        self._refinement.forget()
        for lane in [lane for lane in self._lanes if isinstance(lane, tuple) and lane[0] == "thumb"]:
            self._cancel_lane(lane)
            self._lanes.discard(lane)

    def ask_thumb(self, permit: Permit, at: Fraction) -> None:
        """A thumbnail of a permitted instant or picture."""
        lane = self._lane(("thumb", permit.stop, at))
        if permit.what == "image":
            future: Future[Any] = self.service.preview(permit.path, *THUMB_BOX, lane=lane, urgency=urgency_of(1))
        else:
            future = self.service.scrub(permit.path, at, box=THUMB_BOX, lane=lane, urgency=urgency_of(1))
        self._ask("thumb", permit, future, tag=(permit.stop, at, self._round))

    def refine_thumb(self, permit: Permit, at: Fraction) -> None:
        """A key frame stands in for the thumbnail of a permitted instant: have the frame itself, when it is quiet."""
        self._refinement.want(permit, (permit.stop, at))

    def set_quiet(self, on: bool) -> None:
        """While a clip plays nothing is refined."""
        self._refinement.set_quiet(on)

    def _thumb_home(self, parcel: Parcel) -> None:
        stop, at, when = parcel.tag
        if when != self._round:
            return
        if parcel.error is not None or parcel.value is None:
            self._refinement.came((stop, at))
            return
        image, time, megapixels, exact = parcel.value
        image = haze(image) if self.blurred else image
        if not within(parcel.permit, time):
            return
        self.thumb.emit(stop, at, image, exact)
        if exact:
            self._refinement.came((stop, at))
        elif parcel.permit is not None:
            self._refinement.want(parcel.permit, (stop, at))
        if megapixels is not None:
            self.sized.emit(stop, megapixels)

    def _refine(self, permit: Permit, place: Place) -> None:
        """A key frame stood in: have the frame itself when nothing else is wanted."""
        facts = self._facts.get(permit.path)
        if facts is not None:
            index = frame_index(replace(permit, at=place[1]), facts)
            lane = self._lane(("thumb", *place))
            future = self.service.frame(permit.path, index, lane=lane, urgency=urgency_of(2))
            self._ask("thumb", permit, future, tag=(*place, self._round))

    def _stop_refining(self, place: Place) -> None:
        self._cancel_lane(("thumb", *place))
