"""The centre of the audit: tools, picture, transport and strip of one review, behind one gate."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, QSizeF, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator.ui.i18n import tr
from annotator.ui.media_gate import EvidenceGate, Permit
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_playback import Playback
from annotator.ui.media_session import MediaSession
from annotator.ui.media_sound import QuestionSound
from annotator.ui.media_states import StageState, StateMaker, Veil
from annotator.ui.media_tools import MediaTools
from annotator.ui.media_words import note, short_name, transport_state, turn_marks
from annotator.ui.mediaview import MediaView
from annotator.ui.timeline import TimelineView
from annotator.ui.timeline_model import Scene
from annotator.ui.transport import Transport
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView

if TYPE_CHECKING:
    from annotator.media.service import MediaService

_FACTS_MS = 250
_WARM_MS = 30
_REST_MS = 120
_MOVES = {"frame_back", "frame_forward", "second_back", "second_forward", "segment_start", "segment_end"}


def _new_service() -> MediaService:
    from annotator.media.service import MediaService

    return MediaService()


class MediaPanel(Live, QWidget):
    """Shows the evidence of one review; holds no workspace.

    Signals:
        pixel(x, y, QColor or None): under the pointer; (-1, -1, None) beside the picture.
        zoom_changed(text): for the status bar.
        peek_wanted(facts): the person asks to see beyond the gate; call `open_peek` once the event is logged.
        turn_clicked(turn): a turn's block on the strip was clicked.
        shown(facts): viewing facts of the open turn: turn, opened, played, seen_full.
        message(kind, text): for the message bar.
    """

    pixel = Signal(int, int, object)
    zoom_changed = Signal(str)
    peek_wanted = Signal(object)
    turn_clicked = Signal(int)
    shown = Signal(object)
    message = Signal(str, str)

    def __init__(self, make_service: Callable[[], MediaService] | None = None, parent: QWidget | None = None) -> None:
        """`make_service` gives the media service at first use; without it the panel makes and ends its own."""
        super().__init__(parent)
        self._own_service = make_service is None
        self._view: ReviewView | None = None
        self._scene: Scene | None = None
        self._told: dict[str, Any] = {}
        self.loader = MediaLoader(make_service or _new_service, self)
        self.session = MediaSession(self.loader, self)
        self.tools, self.stage = MediaTools(), MediaView()
        self.transport, self.timeline = Transport(), TimelineView()
        self.sound = QuestionSound(self.loader, self)
        self.playback = Playback(self.session, parent=self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tools)
        column.addWidget(self.stage, 1)
        column.addWidget(self.transport)
        column.addWidget(self.timeline)
        self._facts_timer = QTimer(self)
        self._facts_timer.setSingleShot(True)
        self._facts_timer.setInterval(_FACTS_MS)
        self._facts_timer.timeout.connect(self._tell_facts)
        self._scrubbed: tuple[int, Fraction] | None = None
        self._rest_timer = QTimer(self)
        self._rest_timer.setSingleShot(True)
        self._rest_timer.setInterval(_REST_MS)
        self._rest_timer.timeout.connect(self._hand_rests)
        # After the strip has asked for its thumbnails: what is in view comes before what may be.
        self._warm_timer = QTimer(self)
        self._warm_timer.setSingleShot(True)
        self._warm_timer.setInterval(_WARM_MS)
        self._warm_timer.timeout.connect(self._warm_neighbours)
        self._actions: dict[str, Callable[[], Any]] = self._make_actions()
        self._connect()
        self.go_live()

    def _connect(self) -> None:
        session, stage, timeline = self.session, self.stage, self.timeline
        session.picture.connect(self._picture)
        session.state.connect(self._state)
        session.moved.connect(self._moved)
        session.facts_changed.connect(self._length_known)
        session.refused.connect(self._refused)
        self.loader.thumb.connect(timeline.set_thumb)
        self.loader.sized.connect(self._sized)
        stage.pixel.connect(self.pixel)
        stage.zoom_changed.connect(self._zoom)
        stage.looked.connect(self._looked)
        stage.activated.connect(self._peek)
        timeline.turn_clicked.connect(self.turn_clicked)
        timeline.seek.connect(self._seek)
        timeline.scrub.connect(self._scrub)
        timeline.refused.connect(self._seek)
        timeline.action.connect(self.handle)
        timeline.thumbs_wanted.connect(self._ask_thumbs)
        self.transport.action.connect(self.handle)
        self.tools.action.connect(self.handle)
        self.sound.speaking.connect(self._write)
        self.playback.changed.connect(self._write)
        self.sound.message.connect(self.message)

    def _make_actions(self) -> dict[str, Callable[[], Any]]:
        session, stage = self.session, self.stage
        return {
            "play": self.playback.toggle,
            "frame_back": lambda: session.step_frames(-1),
            "frame_forward": lambda: session.step_frames(1),
            "second_back": lambda: session.step_seconds(-1),
            "second_forward": lambda: session.step_seconds(1),
            "segment_start": session.segment_start,
            "segment_end": session.segment_end,
            "fit": stage.fit,
            "fill": stage.fill,
            "actual_size": lambda: stage.zoom_to(1.0),
            "double_size": lambda: stage.zoom_to(2.0),
            "zoom_in": lambda: stage.zoom_step(1),
            "zoom_out": lambda: stage.zoom_step(-1),
            "rotate": stage.turn,
            "navigator": self._navigator,
            "loupe_pin": self._pin_loupe,
            "peek": self._peek,
            "question_audio": self.sound.toggle,
        }

    # --------------------------------------------------------------------------------------------------------- doing
    def show_review(self, view: ReviewView) -> None:
        """Another review, or the same one with other labels; the turn follows by `show_turn`."""
        before, self._view = self._view, view
        if before is not None and before.row.key == view.row.key and before.dialogue == view.dialogue:
            self._mark_turns(view)
            return
        self.playback.stop()
        self.sound.stop()
        veil = Veil.over(view.responders)
        self.session.open_strip(view.strip, StateMaker(veil))
        names = tuple(veil.cover(short_name(stop.asset)) for stop in view.strip.stops)
        self._scene = Scene(self.session.gate, turns=view.turns, names=names, marks=turn_marks(view))
        self._told = {}
        self.stage.show_state(None)
        self.timeline.show_scene(None)

    def refresh(self, view: ReviewView) -> None:
        """The same review with other labels: sparks and ticks only."""
        self.show_review(view)

    def show_turn(self, turn: int | None) -> None:
        """Open a turn (None: the session view) at the end of its evidence; a peek is over."""
        if self._scene is None:
            return
        self._tell_facts()
        self._stop_moving()
        audio = self._view.turns[turn].audio if self._view is not None and turn is not None else None
        self.sound.open(audio, self.session.states.veil)
        self._scene.current = turn
        self.session.open_turn(turn)
        self._fill_lengths()
        if self.timeline.scene is self._scene:
            self.timeline.forget_thumbs()
            self.timeline.scene_changed()
        else:
            self.timeline.show_scene(self._scene)
        self._unread_hint()
        self._warm_timer.start()

    def prefetch(self, view: ReviewView) -> None:
        """Prepare the first picture of the review that likely comes next, at its first turn."""
        permit = EvidenceGate(view.strip, 0).warm_permit(0)
        if permit is not None:
            self.loader.warm(permit)

    def handle(self, action: str) -> bool:
        """Do a media action of the key table; whether it is one of ours."""
        done = self._actions.get(action)
        if done is None:
            return False
        if action in _MOVES:
            self._stop_moving()
        done()
        return True

    def hold(self, action: str, on: bool) -> bool:
        """A held key: `loupe` and `pan`; whether it is one of ours."""
        if action == "loupe":
            self.stage.set_loupe(on)
            self.tools.set_loupe(on)
        elif action == "pan":
            self.stage.set_hand(on)
        return action in ("loupe", "pan")

    def open_peek(self) -> None:
        """The peek was logged: open the gate until the turn changes."""
        self.session.open_peek()
        self.timeline.scene_changed()
        self._moved()

    def play_audio(self, path: Path | None = None) -> None:
        """Play a sound; without a path, the spoken question of the open turn."""
        if path is None:
            self.sound.toggle()
        else:
            self.sound.play(path)

    def viewing(self, turn: int) -> dict[str, float]:
        """The viewing facts of a turn, as the value of a `viewing` label: opened, played, seen_full, 0 to 1."""
        strip = self.session.gate.strip
        span = None
        segment = strip.segment(turn)
        if segment is not None and self._scene is not None and self._scene.is_video:
            end = segment.end if segment.end is not None else self._scene.duration(segment.stop)
            span = (segment.start, end)
        return self.session.viewing.value(strip.stops_of(turn), span)

    def close_media(self) -> None:
        """The window closes: silence, no more deliveries, and the panel's own service ended."""
        self._facts_timer.stop()
        self._warm_timer.stop()
        self._stop_moving()
        self.sound.stop()
        self.loader.close(end_service=self._own_service)

    # ------------------------------------------------------------------------------------------------------ reactions
    def _picture(self, picture: ShownPicture, keep: bool) -> None:
        self.stage.show_picture(picture, keep=keep)
        if self.session.stop is not None:
            self._sized(self.session.stop, picture.full.width() * picture.full.height() / 1e6)
        self._facts_timer.start()

    def _sized(self, stop: int, megapixels: float) -> None:
        scene = self._scene
        if scene is not None and not scene.is_video and scene.sizes.get(stop) != megapixels:
            scene.sizes[stop] = megapixels
            self.timeline.scene_changed()

    def _state(self, state: StageState | None) -> None:
        self.stage.show_state(state)

    def _moved(self) -> None:
        session = self.session
        if session.stop is not None and session.at is not None and self._scene is not None:
            if self.timeline.scene is self._scene:
                self.timeline.set_playhead(session.stop, session.at)
            self._scene.playhead = (session.stop, session.at)
        self._write()

    def _length_known(self, _stop: int) -> None:
        self._fill_lengths()
        self.timeline.scene_changed()

    def _fill_lengths(self) -> None:
        """The lengths of the open clips, as far as they are known."""
        if self._scene is None:
            return
        for permit in self._open_clips():
            facts = self.loader.facts_of(permit.path)
            if facts is not None:
                self._scene.durations[permit.stop] = facts.duration

    def _open_clips(self) -> list[Permit]:
        gate = self.session.gate
        permits = (gate.permit(stop) for stop in range(len(gate.strip.stops)) if gate.allows(stop))
        return [permit for permit in permits if permit is not None and permit.what == "frame"]

    def _seek(self, stop: int, at: Fraction) -> None:
        self._stop_moving()
        self.session.go(stop, at)

    def _scrub(self, stop: int, at: Fraction) -> None:
        self.playback.stop()
        self._scrubbed = (stop, at)
        self._rest_timer.start()
        self.session.go(stop, at, quick=True)

    def _hand_rests(self) -> None:
        """The drag goes on but stands still: the exact frame."""
        if self._scrubbed is not None:
            self.session.go(*self._scrubbed)

    def _refused(self) -> None:
        self.message.emit("info", tr("media.beyond_gate"))

    def _zoom(self, text: str) -> None:
        self.tools.show_zoom(self.stage.viewport.mode, self.stage.viewport.zoom)
        self.zoom_changed.emit(text)

    def _looked(self, rect: QRectF, size: QSizeF) -> None:
        stop = self.session.stop
        if stop is None or not self.session.viewing.seen_map(stop).mark(rect, size):
            return
        if self._scene is not None and not self._scene.is_video:
            self._scene.seen[stop] = self.session.viewing.seen_map(stop).share()
            self.timeline.scene_changed()
        self._facts_timer.start()

    def _peek(self) -> None:
        gate = self.session.gate
        if gate.turn is None or gate.peeking or not gate.locked():
            self.message.emit("info", tr("media.nothing_to_peek"))
            return
        facts: dict[str, object] = {"turn": gate.turn}
        if gate.refused is not None:
            facts |= gate.refused.facts()
        self.peek_wanted.emit(facts)

    def _ask_thumbs(self, wanted: list[tuple[int, Fraction]]) -> None:
        for stop, at in wanted:
            permit = self.session.gate.permit(stop, at if self._scene is not None and self._scene.is_video else None)
            if permit is not None:
                self.loader.ask_thumb(permit, at)

    def _warm_neighbours(self) -> None:
        if self._view is None:
            return
        for permit in self._open_clips():
            self.loader.ask_facts(permit)
        for permit in self.session.neighbours():
            self.loader.warm(permit)

    def _tell_facts(self) -> None:
        turn = self.session.gate.turn
        if turn is None or turn < 0 or self._view is None:
            return
        facts: dict[str, Any] = {"turn": turn, **self.viewing(turn)}
        if facts != self._told:
            self._told = facts
            self.shown.emit(facts)

    # ---------------------------------------------------------------------------------------------------------- words
    def _write(self, _on: bool = False) -> None:
        """What the bar and the note say now."""
        sound, playing = self.sound, self.playback.on
        state = transport_state(self.session, self._scene, audio=sound.there, speaking=sound.on, playing=playing)
        self.transport.show_state(state)
        waiting = self.stage.picture is None and self.stage.state is None
        told = note(self.session, self._scene, self.stage.picture, waiting=waiting)
        self.tools.show_note(told.text, told.damaged, told.why)

    def _unread_hint(self) -> None:
        turn = self.session.gate.turn
        if turn is None:
            return
        if any(self.session.gate.opening(i).unread for i in self.session.gate.strip.stops_of(turn)):
            self.message.emit("info", tr("media.unread_time", turn=turn + 1))

    def _mark_turns(self, view: ReviewView) -> None:
        if self._scene is not None:
            marks = turn_marks(view)
            if marks != self._scene.marks:
                self._scene.marks = marks
                self.timeline.scene_changed()

    # ----------------------------------------------------------------------------------------------------------- live
    def _navigator(self) -> None:
        self.tools.set_navigator(self.stage.toggle_navigator())

    def _pin_loupe(self) -> None:
        on = not self.stage.loupe.isVisible()
        self.stage.set_loupe(on)
        self.tools.set_loupe(self.stage.loupe.isVisible())

    def _stop_moving(self) -> None:
        self.playback.stop()
        self._rest_timer.stop()
        self._scrubbed = None

    def hideEvent(self, event: QHideEvent) -> None:
        """Another page is shown: nothing runs on unseen or unheard."""
        self._stop_moving()
        self.sound.stop()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Previews are made for the stage's size in device pixels."""
        super().resizeEvent(event)
        self.loader.box = self.stage.size() * self.devicePixelRatioF()

    def retranslate(self) -> None:
        """Sentences made here."""
        self._write()
