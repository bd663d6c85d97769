"""Keeps the strip in step with the evidence: its scene, the clips' lengths, thumbnails, sizes, what was seen."""

from __future__ import annotations

from fractions import Fraction

from PySide6.QtCore import QObject, QRectF, QSizeF

from annotator.ui.media_gate import Permit
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_session import MediaSession
from annotator.ui.media_words import short_name, turn_marks
from annotator.ui.timeline import TimelineView
from annotator.ui.timeline_model import PinMark, Scene
from annotator.workspace.views import ReviewView


class StripKeeper(QObject):
    """Feeds one `TimelineView` from one session."""

    def __init__(
        self, timeline: TimelineView, session: MediaSession, loader: MediaLoader, parent: QObject | None = None
    ) -> None:
        """An empty strip."""
        super().__init__(parent)
        self._timeline, self._session, self._loader = timeline, session, loader
        self.scene: Scene | None = None
        session.facts_changed.connect(self._length_known)
        loader.thumb.connect(timeline.set_thumb)
        loader.sized.connect(self.sized)
        timeline.thumbs_wanted.connect(self._ask_thumbs)

    def open_review(self, view: ReviewView, *, later: bool = False) -> None:
        """Another dialogue; nothing is shown of it until a turn is open.

        `later`: that is so in a moment; until then the strip shows the last dialogue as it was.
        """
        cover = self._session.states.veil.cover
        names = tuple(cover(short_name(stop.asset)) for stop in view.strip.stops)
        self.scene = Scene(self._session.gate, turns=view.turns, names=names, marks=turn_marks(view))
        if not later:
            self._timeline.show_scene(None)

    def mark_turns(self, view: ReviewView) -> None:
        """The same dialogue with other labels."""
        marks = turn_marks(view)
        if self.scene is not None and marks != self.scene.marks:
            self.scene.marks = marks
            self._timeline.scene_changed()

    def open_turn(self, turn: int | None) -> None:
        """Another turn is open; call it once the gate stands."""
        if self.scene is None:
            return
        self.scene.current = turn
        self._fill_lengths()
        if self._timeline.scene is self.scene:
            self._timeline.forget_thumbs()
            self._timeline.scene_changed()
        else:
            self._timeline.show_scene(self.scene)

    def show_pins(self, pins: tuple[PinMark, ...]) -> None:
        """The evidence that lies on what is open."""
        if self.scene is not None and self.scene.pins != pins:
            self.scene.pins = pins
            if self._timeline.scene is self.scene:
                self._timeline.scene_changed()

    def changed(self) -> None:
        """The gate moved."""
        self._timeline.scene_changed()

    def follow(self) -> None:
        """The stage shows another instant."""
        stop, at = self._session.stop, self._session.at
        if stop is None or at is None or self.scene is None:
            return
        if self._timeline.scene is self.scene:
            self._timeline.set_playhead(stop, at)
        self.scene.playhead = (stop, at)

    def sized(self, stop: int, megapixels: float) -> None:
        """The size of an open picture became known."""
        scene = self.scene
        if scene is not None and not scene.is_video and scene.sizes.get(stop) != megapixels:
            scene.sizes[stop] = megapixels
            self._timeline.scene_changed()

    def looked(self, rect: QRectF, size: QSizeF) -> bool:
        """A part of the picture on the stage was shown at full size; whether that is news."""
        stop = self._session.stop
        if stop is None or not self._session.viewing.seen_map(stop).mark(rect, size):
            return False
        if self.scene is not None and not self.scene.is_video:
            self.scene.seen[stop] = self._session.viewing.seen_map(stop).share()
            self._timeline.scene_changed()
        return True

    def warm(self) -> None:
        """The lengths of all open clips, and what the neighbouring turns open with."""
        for permit in self._open_clips():
            self._loader.ask_facts(permit)
        for permit in self._session.neighbours():
            self._loader.warm(permit)

    def span(self, turn: int) -> tuple[Fraction, Fraction] | None:
        """The turn's own part of its clip, in seconds; None for pictures and without evidence."""
        segment = self._session.gate.strip.segment(turn)
        if segment is None or self.scene is None or not self.scene.is_video:
            return None
        end = segment.end if segment.end is not None else self.scene.duration(segment.stop)
        return segment.start, end

    def _length_known(self, _stop: int) -> None:
        self._fill_lengths()
        self._timeline.scene_changed()

    def _fill_lengths(self) -> None:
        for permit in self._open_clips():
            facts = self._loader.facts_of(permit.path)
            if facts is not None and self.scene is not None:
                self.scene.durations[permit.stop] = facts.duration

    def _open_clips(self) -> list[Permit]:
        gate = self._session.gate
        permits = (gate.permit(stop) for stop in range(len(gate.strip.stops)) if gate.allows(stop))
        return [permit for permit in permits if permit is not None and permit.what == "frame"]

    def _ask_thumbs(self, wanted: list[tuple[int, Fraction]]) -> None:
        timed = self.scene is not None and self.scene.is_video
        for stop, at in wanted:
            permit = self._session.gate.permit(stop, at if timed else None)
            if permit is None:
                continue
            if timed and self._timeline.is_rough(stop, at):
                self._loader.refine_thumb(permit, at)
            else:
                self._loader.ask_thumb(permit, at)
