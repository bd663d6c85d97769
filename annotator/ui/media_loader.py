"""Bringing pictures home: permits go to the media service, what it decodes comes back to the GUI thread.

The service completes its futures in its own threads. One long-lived QObject receives them there, makes display levels
while still beside the window, and hands them over by a queued signal. What is no longer wanted is dropped at the door;
so is anything that lies beyond the permit's limit, whatever the engine made of the request.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSize, Qt, Signal

from annotator.ui.media_ahead import Ahead
from annotator.ui.media_errands import Errands
from annotator.ui.media_gate import Permit
from annotator.ui.media_parcels import (
    FrameShown,
    Kind,
    Parcel,
    code_of,
    frame_index,
    pack,
    part_of,
    rounded_up,
    sentence_of,
    urgency_of,
    within,
)
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_thumbs import Thumbnails
from annotator.ui.media_tiled import TiledPicture

if TYPE_CHECKING:
    from annotator.media.service import FilmFacts, MediaService
    from annotator.media.tiles import Tiles
    from annotator.ui.mediaview import MediaView

# Frames prepared ahead share this many lanes, so that a long run of them leaves nothing behind.
_WARM_LANES = 16
# A preview from the disk: its picture's own pixels are asked for once it is shown.
_THEN_WHOLE = "then the whole"
# Clips whose frame times are kept here; the service keeps more, by bytes.
_FACTS_KEPT = 32


class MediaLoader(Thumbnails):
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
        self._shown: ShownPicture | None = None
        self._staged = False
        self._preview: ShownPicture | None = None
        self._tiles: Tiles | None = None
        self._lanes: set[object] = set()
        self._facts: dict[Path, FilmFacts] = {}
        self.box = QSize(960, 640)
        self.fitted = True  # whether what comes will be fitted into the box
        self.errands = Errands(self._cancel_lane, self)
        self._ahead = Ahead()
        self._home.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def suit(self, stage: MediaView) -> None:
        """Make what comes ready for a stage as it is now, in device pixels."""
        self.box = stage.size() * stage.devicePixelRatioF()
        self.fitted = stage.viewport.mode == "fit"

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
        self._ahead.clear()
        if len(self._facts) > _FACTS_KEPT:
            self._facts.clear()
        if self._service is not None:
            for lane in self._lanes:
                self._service.cancel(lane)
        self._lanes.clear()

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
            self._watch(permit, width, height)
            first = self.service.preview(permit.path, width, height, lane=self._lane("stage-first"))
            if not first.done() and self.service.keeps_preview(permit.path, width, height):
                # From the disk it takes a few milliseconds, in which the whole would only be in its way.
                self._ask("preview", permit, first, tag=_THEN_WHOLE)
                return
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

    def _watch(self, permit: Permit, width: int, height: int) -> None:
        ticket, stage = self._ticket, self._stage()

        def bring(picture: Any) -> None:
            # Runs in the thread that decodes, strip by strip.
            if ticket == self._ticket:
                self._send(part_of(picture, ticket, permit, stage))

        self.service.watch(permit.path, width, height, bring)

    def facts_of(self, path: Path) -> FilmFacts | None:
        """The facts of a clip, if they have come home."""
        return self._facts.get(path)

    def ask_facts(self, permit: Permit) -> None:
        """The facts of an open clip, for the strip."""
        if permit.path not in self._facts:
            lane = self._lane(("facts", permit.path))
            self._ask("facts", permit, self.service.facts(permit.path, lane=lane, urgency=urgency_of(1)), tag="strip")

    def warm(self, permit: Permit, *, at_once: bool = False) -> None:
        """Prepare what will likely be asked for next; nothing of it comes home.

        `at_once`, while a clip plays: with the decoder that shows it, for the next frames are on its way.
        """
        if permit.what == "image":
            width, height = self._box()
            first = self._lane(("warm", permit.path))
            self.service.preview(permit.path, width, height, lane=first, urgency=urgency_of(1))
            whole = self._lane(("warm-whole", permit.path))
            coming = self.service.pyramid(permit.path, lane=whole, urgency=urgency_of(2))
            # Fitted where it was decoded: that is kept, and painted at once when its turn comes.
            coming.add_done_callback(partial(pack, "whole", 0, None, tag=None, stage=self._stage()))
            return
        known = self._facts.get(permit.path)
        if known is not None:
            self._warm_frame(permit, known, at_once=at_once)
        else:
            lane = self._lane(("warm", permit.path))
            self._ask("facts", permit, self.service.facts(permit.path, lane=lane, urgency=urgency_of(1)), tag="warm")

    def at_hand(self, permit: Permit) -> bool:
        """Whether the frame that a permit means is decoded."""
        facts = self._facts.get(permit.path)
        if facts is None:
            return False
        return self.service.peek_frame(permit.path, facts.times[frame_index(permit, facts)]) is not None

    def let_go(self, permit: Permit) -> None:
        """The frame was played and left behind."""
        facts = self._facts.get(permit.path)
        if facts is not None:
            index = frame_index(permit, facts)
            self.service.let_go(permit.path, index)

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
        future = self.service.frame(permit.path, index, lane=self._lane("stage"))
        made = self._ahead.take(permit.path, index, self._stage())
        self._ask("frame", permit, made if made is not None else future)

    def _warm_frame(self, permit: Permit, facts: FilmFacts, *, at_once: bool = False) -> None:
        index = frame_index(permit, facts)
        lane = self._lane(("warm", permit.path, index % _WARM_LANES))
        future = self.service.frame(permit.path, index, lane=lane, urgency=urgency_of(0 if at_once else 1))
        if at_once:
            self._ahead.make(permit.path, index, self._stage(), future)

    def _stage(self) -> QSize | None:
        """The device pixels into which what comes will be fitted, None where it will not be."""
        return QSize(self.box) if self.fitted else None

    def _ask(self, kind: Kind, permit: Permit | None, future: Future[Any], tag: Any = None) -> None:
        ticket = self._ticket
        stage = self._stage()
        if future.done():
            # At hand already: no detour over the event loop, so that a prepared turn is up at once.
            parcel = pack(kind, ticket, permit, future, tag, stage)
            if parcel is not None:
                self._deliver(parcel)
            return

        def bring(done: Future[Any]) -> None:
            # Runs in a media thread, or here if the work was finished meanwhile.
            parcel = pack(kind, ticket, permit, done, tag, stage)
            if parcel is not None:
                self._send(parcel)

        future.add_done_callback(bring)

    def _send(self, parcel: Parcel) -> None:
        """To the GUI thread, from any other."""
        if not self._closed:
            try:
                self._home.emit(parcel)
            except RuntimeError:
                # The window is gone; nobody waits any more.
                self._closed = True

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
        elif parcel.ticket != self._ticket:
            return
        elif parcel.kind != "part":
            self._stage_home(parcel)
        elif self._preview is None and self._shown is None:
            self._to_stage(parcel.value)

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
            if parcel.tag == _THEN_WHOLE and parcel.permit is not None:
                self._to_stage(picture)
                self._ask("whole", parcel.permit, self.service.pyramid(parcel.permit.path, lane=self._lane("stage")))
                return
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
