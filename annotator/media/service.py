"""Media for a window: requests go in from any thread, futures come out, the newest request of a lane wins.

A lane is whatever shows one thing at a time (the main view, the scrubber, a thumbnail). A new request in a lane cancels
the lane's earlier one, even while it is being worked on. Requests without a lane, for what is likely wanted next, yield
to all others. What was decoded is kept by bytes, so that a prefetched request is answered at once, in the calling
thread. Futures are completed in a worker thread: a window must hop back to its own before it touches a widget.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from annotator.cancel import CancelToken
from annotator.media import pictures, pyramid, sound, tiles
from annotator.media.asking import done_with, rate_of, urgency_for
from annotator.media.clip import Clip, as_time
from annotator.media.desk import Films, Identity, identity_of
from annotator.media.diskcache import QUICK_BYTES, DiskCache
from annotator.media.display import Pixels
from annotator.media.facts import FilmFacts, facts_of
from annotator.media.framecache import FrameCache, Sized
from annotator.media.frames import Frame
from annotator.media.header import read_header
from annotator.media.partly import PARTS_FROM_PIXELS, Partly
from annotator.media.pictures import Picture
from annotator.media.pyramid import Pyramid
from annotator.media.sound import Sound
from annotator.media.tiles import Tiles
from annotator.media.turns import Turns
from annotator.media.workers import Urgency, Workers

__all__ = ["FilmFacts", "MediaService", "Urgency"]

T = TypeVar("T", bound=Sized)

# Four 42-megapixel pictures with their pyramids, or forty 4K frames.
DEFAULT_BYTE_BUDGET = 1024 * 2**20


class MediaService:
    """Worker threads, open clips and a cache behind one door. `shutdown` it when done."""

    def __init__(
        self, workers: int = 2, byte_budget: int = DEFAULT_BYTE_BUDGET, disk: str | os.PathLike[str] | None = None
    ) -> None:
        """Start the workers. `byte_budget` bounds what is kept decoded, not what is being decoded.

        `disk`: the folder in which previews of large pictures and tiles of very large ones outlive the service; without
        one no preview is kept, and tiles last as long as the service.
        """
        self.cache = FrameCache(byte_budget)
        self._kept = DiskCache(Path(disk)) if disk is not None else None
        self._passing: tempfile.TemporaryDirectory[str] | None = None
        self._passing_lock = threading.Lock()
        self._turns = Turns()
        self._watched: tuple[Identity, tuple[int, int], Callable[[Picture], None]] | None = None
        self._films = Films()
        self._workers = Workers(workers, on_exit=self._films.close_mine)

    # ------------------------------------------------------------------------------------------------------ pictures

    def preview(
        self,
        path: str | os.PathLike[str],
        box_w_px: int,
        box_h_px: int,
        *,
        lane: Hashable = None,
        urgency: Urgency | None = None,
    ) -> Future[Picture]:
        """The picture fitted into a box, sharp at that size."""
        identity, box = identity_of(path), (max(1, box_w_px), max(1, box_h_px))
        key = ("preview", identity, box_w_px, box_h_px)
        if self._kept is not None and urgency_for(lane, urgency) is Urgency.NOW and key not in self.cache:
            # Decoded here in a millisecond or three; handed over, it would wait for the caller's paints ten times that.
            quick = self._kept.preview(identity, box, QUICK_BYTES)
            if quick is not None:
                self.cache.put(key, quick)

        def work(token: CancelToken) -> Picture:
            whole = self.cache.get(("full", identity), Picture)
            if whole is not None:
                return pictures.reduced(whole, box_w_px, box_h_px)
            held = self._kept.preview(identity, box) if self._kept is not None else None
            if held is not None:
                return held
            if pictures.has_quick_preview(read_header(path)):
                preview = pictures.load_preview(path, box_w_px, box_h_px, token)
            else:
                preview = pictures.reduced(self._whole(identity, token), box_w_px, box_h_px)
            if self._kept is not None and not token.cancelled:
                self._kept.keep_preview(identity, box, preview)
            return preview

        return self._ask(key, Picture, work, lane, urgency)

    def keeps_preview(self, path: str | os.PathLike[str], box_w_px: int, box_h_px: int) -> bool:
        """Whether a preview is kept on disk: it will be there within a few milliseconds."""
        box = (max(1, box_w_px), max(1, box_h_px))
        return self._kept is not None and self._kept.place("previews", identity_of(path), box).exists()

    def full(
        self, path: str | os.PathLike[str], *, lane: Hashable = None, urgency: Urgency | None = None, frame: int = 0
    ) -> Future[Picture]:
        """The whole picture at native resolution, or its frame or page `frame`."""
        key: tuple[Hashable, ...] = ("full", identity_of(path))
        key = (*key, frame) if frame else key
        return self._ask(key, Picture, partial(_full, path, frame), lane, urgency)

    def pyramid(
        self, path: str | os.PathLike[str], *, lane: Hashable = None, urgency: Urgency | None = None
    ) -> Future[Pyramid]:
        """The whole picture with its halvings, for painting at any zoom. Level 0 shares the whole picture's memory."""
        identity = identity_of(path)

        def work(token: CancelToken) -> Pyramid:
            return pyramid.build(self._whole(identity, token), token)

        return self._ask(("pyramid", identity), Pyramid, work, lane, urgency)

    def watch(
        self, path: str | os.PathLike[str], box_w_px: int, box_h_px: int, part: Callable[[Picture], None]
    ) -> None:
        """Tell of a large picture while it is decoded, wherever that is: previews of what is there, from the top.

        One picture is watched at a time, the last one asked for. `part` is called in a worker thread.
        """
        self._watched = (identity_of(path), (max(1, box_w_px), max(1, box_h_px)), part)

    def _whole(self, identity: Identity, token: CancelToken) -> Picture:
        """The whole picture, decoded once, whoever asks for it meanwhile."""
        with self._turns.taken(identity, token):
            whole = self.cache.get(("full", identity), Picture)
            if whole is None:
                seen = self._seen(identity)
                whole = pictures.load_full(identity.path, token, pictures.FULL_PIXEL_BUDGET, seen=seen)
                self.cache.put(("full", identity), whole)
            return whole

    def _seen(self, identity: Identity) -> Partly | None:
        watched = self._watched
        if watched is None or watched[0] != identity:
            return None
        header = read_header(identity.path)
        return Partly(header, watched[1], watched[2]) if header.pixels >= PARTS_FROM_PIXELS else None

    def tiles(
        self, path: str | os.PathLike[str], *, lane: Hashable = None, urgency: Urgency | None = None
    ) -> Future[Tiles]:
        """The native pixels of a picture too large to be held, to be read by `tile`; see `tiles.make` for errors."""
        identity = identity_of(path)

        def work(token: CancelToken) -> Tiles:
            found = tiles.in_original(path)
            if found is not None:
                return found
            disk = self._disk()
            copy = disk.place("tiles", identity)
            found = tiles.opened(path, copy)
            if found is None:
                disk.trim("tiles", tiles.copy_bytes(read_header(path)))
                found = tiles.make(path, copy, disk.room(), token)
            disk.touch(copy)
            return found

        return self._ask(("tiles", identity), Tiles, work, lane, urgency)

    def tile(
        self, held: Tiles, level: int, column: int, row: int, *, lane: Hashable = None, urgency: Urgency | None = None
    ) -> Future[Pixels]:
        """One tile of a very large picture, as display pixels."""
        identity = identity_of(held.header.path)
        key = ("tile", identity, level, column, row)
        return self._ask(key, np.ndarray, lambda token: held.tile(level, column, row, token), lane, urgency)

    def cutting(
        self,
        path: str | os.PathLike[str],
        rect: tuple[int, int, int, int] | None,
        *,
        lane: Hashable = None,
        urgency: Urgency | None = None,
    ) -> Future[Pixels]:
        """Native pixels of a rectangle of a picture too large to be held (a preview of it all without one)."""

        def work(token: CancelToken) -> Pixels:
            if rect is None:
                return pictures.load_preview(path, 1024, 1024, token).pixels
            return pictures.crop(path, *rect, token)

        return self._ask(("cutting", identity_of(path), rect), np.ndarray, work, lane, urgency)

    def _disk(self) -> DiskCache:
        if self._kept is not None:
            return self._kept
        with self._passing_lock:
            if self._passing is None:
                self._passing = tempfile.TemporaryDirectory(prefix="annotator-tiles-")
            return DiskCache(Path(self._passing.name))

    # -------------------------------------------------------------------------------------------------------- frames

    def facts(
        self,
        path: str | os.PathLike[str],
        *,
        fps: Fraction | float | None = None,
        lane: Hashable = None,
        urgency: Urgency | None = None,
    ) -> Future[FilmFacts]:
        """When the frames appear, how large they are; the file is read once, nothing but its first frame decoded."""
        identity = identity_of(path)
        work = partial(self._facts, identity, fps)
        return self._ask(("facts", identity, rate_of(fps)), FilmFacts, work, lane, urgency, film=identity)

    def frame(
        self,
        path: str | os.PathLike[str],
        index: int,
        *,
        fps: Fraction | float | None = None,
        lane: Hashable = None,
        urgency: Urgency | None = None,
    ) -> Future[Frame]:
        """Frame `index`, exactly. An index beyond the last frame is the last one's."""
        identity = identity_of(path)
        work = partial(self._frame, identity, fps, index)
        return self._ask(("frame", identity, rate_of(fps), index), Frame, work, lane, urgency, film=identity)

    def frame_at(
        self,
        path: str | os.PathLike[str],
        t: Fraction | float | int,
        *,
        fps: Fraction | float | None = None,
        lane: Hashable = None,
        urgency: Urgency | None = None,
    ) -> Future[Frame]:
        """The frame whose interval holds t seconds after the first presented frame."""
        identity = identity_of(path)
        facts = self.cache.get(("facts", identity, rate_of(fps)), FilmFacts)
        if facts is not None:
            return self.frame(path, facts.index_at(t), fps=fps, lane=lane, urgency=urgency)

        def work(token: CancelToken) -> Frame:
            facts = self._facts(identity, fps, token)
            self.cache.put(("facts", identity, rate_of(fps)), facts)
            index = facts.index_at(t)
            key = ("frame", identity, rate_of(fps), index)
            frame = self.cache.get(key, Frame) or self._frame(identity, fps, index, token)
            self.cache.put(key, frame)
            return frame

        # Not kept under the time itself: a second time within the same interval is the same frame.
        key = ("frame_at", identity, rate_of(fps), as_time(t))
        return self._workers.ask(key, work, lane, urgency_for(lane, urgency), identity)

    def scrub(
        self,
        path: str | os.PathLike[str],
        t: Fraction | float | int,
        *,
        fps: Fraction | float | None = None,
        box: tuple[int, int] | None = None,
        lane: Hashable = None,
        urgency: Urgency | None = None,
    ) -> Future[Frame]:
        """A frame near t at once, for dragging: the exact one if it is at hand, else a key frame, marked.

        `box`: fitted into this many pixels where that is cheaper, for thumbnails.
        """
        identity = identity_of(path)
        at = as_time(t)
        facts = self.cache.get(("facts", identity, rate_of(fps)), FilmFacts)
        if facts is not None:
            exact = self.cache.get(("frame", identity, rate_of(fps), facts.index_at(at)), Frame)
            if exact is not None:
                return done_with(exact)

        def work(token: CancelToken) -> Frame:
            film = self._films.film(identity, fps, token)
            frame = film.preview_at(at, token, box) if isinstance(film, Clip) else film.preview_at(at, token)
            if frame.exact and box is None:
                self.cache.put(("frame", identity, rate_of(fps), frame.index), frame)
            return frame

        key = ("scrub", identity, rate_of(fps), at, box)
        return self._workers.ask(key, work, lane, urgency_for(lane, urgency), identity)

    def _facts(self, identity: Identity, fps: Fraction | float | None, token: CancelToken) -> FilmFacts:
        return facts_of(self._films.film(identity, fps, token))

    def _frame(self, identity: Identity, fps: Fraction | float | None, index: int, token: CancelToken) -> Frame:
        film = self._films.film(identity, fps, token)
        return film.frame(min(index, len(film) - 1), token)

    # --------------------------------------------------------------------------------------------------------- sound

    def sound(
        self,
        path: str | os.PathLike[str],
        rate: int = 48_000,
        *,
        until: Fraction | None = None,
        lane: Hashable = None,
        urgency: Urgency | None = None,
    ) -> Future[Sound]:
        """The sound of a file or of a clip's track, decoded whole, or up to an instant of the container's own time."""
        key = ("sound", identity_of(path), rate, until)
        return self._ask(key, Sound, partial(_sound, path, rate, until), lane, urgency)

    # ------------------------------------------------------------------------------------------------------ at hand

    def peek_preview(self, path: str | os.PathLike[str], box_w_px: int, box_h_px: int) -> Picture | None:
        """The preview if it is at hand, without asking for it."""
        return self.cache.get(("preview", identity_of(path), box_w_px, box_h_px), Picture)

    def peek_full(self, path: str | os.PathLike[str]) -> Picture | None:
        """The whole picture if it is at hand, without asking for it."""
        return self.cache.get(("full", identity_of(path)), Picture)

    def peek_frame(
        self, path: str | os.PathLike[str], t: Fraction | float | int, fps: Fraction | float | None = None
    ) -> Frame | None:
        """The exact frame at t if it is at hand, without asking for it."""
        identity = identity_of(path)
        facts = self.cache.get(("facts", identity, rate_of(fps)), FilmFacts)
        if facts is None:
            return None
        return self.cache.get(("frame", identity, rate_of(fps), facts.index_at(t)), Frame)

    def let_go(self, path: str | os.PathLike[str], index: int, fps: Fraction | float | None = None) -> None:
        """Frame `index` was played and left behind: its memory is worth more to the frames that come."""
        self.cache.drop(("frame", identity_of(path), rate_of(fps), index))

    # ------------------------------------------------------------------------------------------------- house-keeping

    def cancel(self, lane: Hashable) -> None:
        """Nothing is wanted in this lane any more."""
        self._workers.cancel(lane)

    @property
    def busy(self) -> bool:
        """Whether anything asked for is not there yet."""
        return self._workers.busy

    def shutdown(self) -> None:
        """Cancel everything, wait for the workers, close all files. Later requests are refused with RuntimeError."""
        self._workers.shutdown()
        self.cache.clear()
        if self._passing is not None:
            self._passing.cleanup()

    def __enter__(self) -> MediaService:
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()

    def _ask(
        self,
        key: tuple[Hashable, ...],
        kind: type[T],
        work: Callable[[CancelToken], T],
        lane: Hashable,
        urgency: Urgency | None,
        film: Identity | None = None,
    ) -> Future[T]:
        """From the cache at once, else by a worker, who keeps the result."""
        hit = self.cache.get(key, kind)
        if hit is not None:
            self._workers.cancel(lane)
            return done_with(hit)

        def kept(token: CancelToken) -> T:
            value = self.cache.get(key, kind)
            if value is None:
                value = work(token)
                self.cache.put(key, value)
            return value

        return self._workers.ask(key, kept, lane, urgency_for(lane, urgency), film)


def _full(path: str | os.PathLike[str], frame: int, token: CancelToken) -> Picture:
    return pictures.load_full(path, token, pictures.FULL_PIXEL_BUDGET, frame)


def _sound(path: str | os.PathLike[str], rate: int, until: Fraction | None, token: CancelToken) -> Sound:
    return sound.decode_pcm(path, rate, token, until)
