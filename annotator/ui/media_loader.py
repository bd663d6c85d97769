"""Bringing pictures home: permits go to the media service, what it decodes comes back to the GUI thread.

The service completes its futures in its own threads. One long-lived QObject receives them there, makes display levels
while still beside the window, and hands them over by a queued signal. What is no longer wanted is dropped at the door;
so is anything that lies beyond the permit's limit, whatever the engine made of the request.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage

from annotator.ui.media_errands import Errands
from annotator.ui.media_gate import Permit
from annotator.ui.media_parcels import (
    THUMB_BOX,
    FrameShown,
    Kind,
    Parcel,
    code_of,
    frame_index,
    pack,
    rounded_up,
    sentence_of,
    urgency_of,
    within,
)
from annotator.ui.media_picture import ShownPicture, haze
from annotator.ui.media_refine import Place, Refinement
from annotator.ui.media_tiled import TiledPicture

if TYPE_CHECKING:
    from annotator.media.service import FilmFacts, MediaService
    from annotator.media.tiles import Tiles

# Frames prepared ahead share this many lanes, so that a long run of them leaves nothing behind.
_WARM_LANES = 16
# Clips whose frame times are kept here; the service keeps more, by bytes.
_FACTS_KEPT = 32


class MediaLoader(QObject):
    """The window's only client of the media service.

    Signals (all on the GUI thread, for the newest request only):
        picture(ShownPicture, sharper): a still picture; `sharper` when it only replaces its own preview.
        frame(FrameShown): an exact frame.
        facts(path, FilmFacts): when a clip's frames appear.
        thumb(stop, at, QImage, exact): a thumbnail, of the frame itself or a key frame near it.
        sized(stop, megapixels): how large a thumbnail's picture is.
        failed(sentence, code): what was asked for last cannot be shown, and why.
        sharper(): more of a very large picture's own pixels are at hand. remark(sentence, code): why they will not be.

    What does not belong on the stage goes by `errands`.
    """

    picture = Signal(object, bool)
    frame = Signal(object)
    facts = Signal(object, object)
    thumb = Signal(int, object, QImage, bool)
    sized = Signal(int, float)
    failed = Signal(str, str)
    sharper = Signal()
    remark = Signal(str, str)
    _home = Signal(object)

    def __init__(self, make_service: Callable[[], MediaService], parent: QObject | None = None) -> None:
        """`make_service` is called when the first evidence is asked for, so that the window paints before that."""
        super().__init__(parent)
        self._make = make_service
        self._service: MediaService | None = None
        self._closed = False
        self.blurred = False  # of a safety set, until somebody asks to see it
        self._ticket = 0
        self._round = 0
        self._shown: ShownPicture | None = None
        self._staged = False
        self._preview: ShownPicture | None = None
        self._tiles: Tiles | None = None
        self._lanes: set[object] = set()
        self._facts: dict[Path, FilmFacts] = {}
        self.box = QSize(960, 640)
        self.errands = Errands(self._cancel_lane, self)
        self._refinement = Refinement(self._refine, self._stop_refining)
        self._home.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def service(self) -> MediaService:
        """The media service, started at first use."""
        if self._service is None:
            self._service = self._make()
        return self._service

    @property
    def busy(self) -> bool:
        """Whether the service still works on something; what it brings home follows by a queued signal."""
        return self._service is not None and self._service.busy

    def close(self, end_service: bool = False) -> None:
        """Stop listening; `end_service` also ends the service, else it belongs to whoever made it."""
        self.drop()
        self.errands.close()
        self._closed = True
        if end_service and self._service is not None:
            self._service.shutdown()

    # ------------------------------------------------------------------------------------------------------- requests
    def drop(self) -> None:
        """Nothing asked for so far is wanted any more."""
        self._ticket += 1
        self.forget_thumbs()
        if len(self._facts) > _FACTS_KEPT:
            self._facts.clear()
        if self._service is not None:
            for lane in self._lanes:
                self._service.cancel(lane)
        self._lanes.clear()

    def forget_thumbs(self) -> None:
        """Another turn opens: no thumbnail asked for under the gate that closes is wanted, shown or refined any more.

        Call it before anything else of the change: what stops on the way may otherwise ask for what was put off.
        """
        self._round += 1
        self._refinement.forget()
        for lane in [lane for lane in self._lanes if isinstance(lane, tuple) and lane[0] == "thumb"]:
            self._cancel_lane(lane)
            self._lanes.discard(lane)

    def give_up(self) -> None:
        """What was asked for the stage is not wanted any more."""
        self._ticket += 1
        if self._service is not None:
            self._service.cancel("stage")
            self._service.cancel("stage-first")

    def show(self, permit: Permit, *, quick: bool = False) -> None:
        """Bring what a permit allows to the stage; anything asked for earlier is given up.

        `quick`, for dragging: a frame near the instant will do, marked as such.
        """
        self.give_up()
        self._shown, self._preview, self._tiles, self._staged = None, None, None, False
        if permit.what == "image":
            width, height = self._box()
            first = self.service.preview(permit.path, width, height, lane=self._lane("stage-first"))
            whole = self.service.pyramid(permit.path, lane=self._lane("stage"))
            ready = first.done() and whole.done() and whole.exception() is None
            at_hand = pack("preview", self._ticket, permit, first, None) if ready else None
            if at_hand is not None and at_hand.error is None:
                # Both are prepared: the preview only tells what it knows of damage.
                self._preview = at_hand.value
            else:
                self._ask("preview", permit, first)
            self._ask("whole", permit, whole)
            return
        known = self._facts.get(permit.path)
        if known is not None and quick and permit.at is not None:
            self._ask("frame", permit, self.service.scrub(permit.path, permit.at, lane=self._lane("stage")))
        elif known is not None:
            self._ask_frame(permit, known)
        else:
            self._ask("facts", permit, self.service.facts(permit.path, lane=self._lane("stage")))

    def facts_of(self, path: Path) -> FilmFacts | None:
        """The facts of a clip, if they have come home."""
        return self._facts.get(path)

    def ask_facts(self, permit: Permit) -> None:
        """The facts of an open clip, for the strip."""
        if permit.path not in self._facts:
            lane = self._lane(("facts", permit.path))
            self._ask("facts", permit, self.service.facts(permit.path, lane=lane, urgency=urgency_of(1)), tag="strip")

    def ask_thumb(self, permit: Permit, at: Fraction) -> None:
        """A thumbnail of a permitted instant or picture."""
        lane = self._lane(("thumb", permit.stop, at))
        if permit.what == "image":
            future: Future[Any] = self.service.preview(permit.path, *THUMB_BOX, lane=lane, urgency=urgency_of(1))
        else:
            future = self.service.scrub(permit.path, at, lane=lane, urgency=urgency_of(1))
        self._ask("thumb", permit, future, tag=(permit.stop, at, self._round))

    def refine_thumb(self, permit: Permit, at: Fraction) -> None:
        """A key frame stands in for the thumbnail of a permitted instant: have the frame itself, when it is quiet."""
        self._refinement.want(permit, (permit.stop, at))

    def set_quiet(self, on: bool) -> None:
        """While a clip plays nothing is refined."""
        self._refinement.set_quiet(on)

    def warm(self, permit: Permit) -> None:
        """Prepare what will likely be asked for next; nothing of it comes home."""
        if permit.what == "image":
            width, height = self._box()
            first = self._lane(("warm", permit.path))
            self.service.preview(permit.path, width, height, lane=first, urgency=urgency_of(1))
            whole = self._lane(("warm-whole", permit.path))
            self.service.pyramid(permit.path, lane=whole, urgency=urgency_of(2))
            return
        known = self._facts.get(permit.path)
        if known is not None:
            self._warm_frame(permit, known)
        else:
            lane = self._lane(("warm", permit.path))
            self._ask("facts", permit, self.service.facts(permit.path, lane=lane, urgency=urgency_of(1)), tag="warm")

    # ------------------------------------------------------------------------------------------------------ on the way
    def _cancel_lane(self, lane: object) -> None:
        if self._service is not None:
            self._service.cancel(lane)

    def _lane(self, lane: object) -> Any:
        self._lanes.add(lane)
        return lane

    def _box(self) -> tuple[int, int]:
        """The stage's size, rounded up, so that a prepared preview still fits after a small change."""
        return rounded_up(self.box.width()), rounded_up(self.box.height())

    def _ask_frame(self, permit: Permit, facts: FilmFacts) -> None:
        index = frame_index(permit, facts)
        self._ask("frame", permit, self.service.frame(permit.path, index, lane=self._lane("stage")))

    def _warm_frame(self, permit: Permit, facts: FilmFacts) -> None:
        index = frame_index(permit, facts)
        lane = self._lane(("warm", permit.path, index % _WARM_LANES))
        self.service.frame(permit.path, index, lane=lane, urgency=urgency_of(1))

    def _ask(self, kind: Kind, permit: Permit | None, future: Future[Any], tag: Any = None) -> None:
        ticket = self._ticket
        if future.done():
            # At hand already: no detour over the event loop, so that a prepared turn is up at once.
            parcel = pack(kind, ticket, permit, future, tag)
            if parcel is not None:
                self._deliver(parcel)
            return

        def bring(done: Future[Any]) -> None:
            # Runs in a media thread, or here if the work was finished meanwhile.
            parcel = pack(kind, ticket, permit, done, tag)
            if parcel is not None and not self._closed:
                try:
                    self._home.emit(parcel)
                except RuntimeError:
                    # The window is gone; nobody waits any more.
                    self._closed = True

        future.add_done_callback(bring)

    # ------------------------------------------------------------------------------------------------ on the GUI thread
    def _deliver(self, parcel: Parcel) -> None:
        if self._closed:
            return
        if parcel.kind == "facts":
            self._facts_home(parcel)
        elif parcel.kind == "thumb":
            self._thumb_home(parcel)
        elif parcel.kind == "tile":
            self._tile_home(parcel)
        elif parcel.ticket == self._ticket:
            self._stage_home(parcel)

    def _facts_home(self, parcel: Parcel) -> None:
        permit = parcel.permit
        if permit is None:
            return
        if parcel.error is not None:
            if parcel.tag is None and parcel.ticket == self._ticket:
                self.failed.emit(sentence_of(parcel.error), code_of(parcel.error))
            return
        if permit.path not in self._facts:
            self._facts[permit.path] = parcel.value
            self.facts.emit(permit.path, parcel.value)
        if parcel.tag == "warm":
            self._warm_frame(permit, parcel.value)
        elif parcel.tag is None and parcel.ticket == self._ticket:
            self._ask_frame(permit, parcel.value)

    def _stage_home(self, parcel: Parcel) -> None:
        if parcel.error is not None:
            self._refused(parcel, parcel.error)
            return
        if parcel.kind == "frame":
            shown: FrameShown = parcel.value
            if not within(parcel.permit, shown.time):
                return
            shown.picture.blurred = self.blurred
            self.frame.emit(shown)
            return
        if parcel.kind == "tiles":
            self._tiles = parcel.value
            self._tiled()
            return
        picture: ShownPicture = parcel.value
        before = self._shown
        if parcel.kind == "preview":
            self._preview = picture
            if self._tiles is not None:
                self._tiled()
                return
            if before is not None:
                # The whole was quicker; what the preview knows of damage is still news.
                self._shown = picture = before
        if self._preview is not None:
            known = self._preview
            picture.damaged, picture.why, picture.notes = known.damaged, known.why, known.notes
        if parcel.kind == "whole":
            self._shown = picture
        self._to_stage(picture)

    def _tiled(self) -> None:
        """Tiles go over the preview, whichever of the two comes last."""
        if self._preview is not None and self._tiles is not None:
            self._shown = TiledPicture(self._preview, self._tiles, self._want_tile)
            self._to_stage(self._shown)

    def _to_stage(self, picture: ShownPicture) -> None:
        picture.blurred = self.blurred
        self.picture.emit(picture, self._staged)
        self._staged = True

    def _refused(self, parcel: Parcel, error: BaseException) -> None:
        """The whole may be refused where a preview is shown all the same; then its native pixels come by tiles."""
        if parcel.kind == "whole" and code_of(error) == "media_over_budget" and parcel.permit is not None:
            self._ask("tiles", parcel.permit, self.service.tiles(parcel.permit.path, lane=self._lane("stage")))
        elif parcel.kind == "tiles":
            self.remark.emit(sentence_of(error), code_of(error))
        elif parcel.kind != "whole" or self._preview is None:
            self.failed.emit(sentence_of(error), code_of(error))

    def _want_tile(self, picture: TiledPicture, key: tuple[int, int, int]) -> None:
        if not self._closed:
            future = self.service.tile(picture.tiles, *key, lane=self._lane(("tile", *key)))
            self._ask("tile", None, future, tag=(picture, key))

    def _tile_home(self, parcel: Parcel) -> None:
        picture, key = parcel.tag
        if parcel.error is not None:
            picture.give_up(key)
            return
        picture.put(key, parcel.value)
        self.sharper.emit()

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
