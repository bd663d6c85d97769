"""The centre of the audit: tools, picture, transport and strip of one review, behind one gate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from annotator import settings
from annotator.ui.i18n import tr
from annotator.ui.key_table import label
from annotator.ui.media_asides import MediaAsides
from annotator.ui.media_clip_sound import ClipSound
from annotator.ui.media_gate import EvidenceGate
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_motion import Motion
from annotator.ui.media_reactions import Reactions
from annotator.ui.media_session import MediaSession
from annotator.ui.media_sound import QuestionSound
from annotator.ui.media_states import StateMaker, Veil
from annotator.ui.media_strip import StripKeeper
from annotator.ui.media_tools import MediaTools
from annotator.ui.mediaview import MediaView
from annotator.ui.timeline import TimelineView
from annotator.ui.transport import Transport
from annotator.ui.widgets.base import Live
from annotator.workspace.views import ReviewView

if TYPE_CHECKING:
    from annotator.media.service import MediaService

_FACTS_MS = 250
_WARM_MS = 30


def _new_service() -> MediaService:
    from annotator.media.service import MediaService

    return MediaService(disk=settings.cache_dir())


def _same_evidence(before: ReviewView, view: ReviewView) -> bool:
    return before.dialogue == view.dialogue and before.turns == view.turns and before.terms == view.terms


class MediaPanel(Live, Reactions):
    """Shows the evidence of one review; holds no workspace.

    Signals:
        pixel(x, y, QColor or None): under the pointer; (-1, -1, None) beside the picture.
        zoom_changed(text): for the status bar.
        peek_wanted(facts): the person asks to see beyond the gate; call `open_peek` once the event is logged.
        turn_clicked(turn): a turn's block on the strip was clicked.
        shown(facts): viewing facts of the open turn: turn, opened, played, seen_full.
        said(target, field, value): an evidence pin, or what does not play here.
        left(): the keyboard may go back to the grid. unblurred(): a safety set's media are shown now.
        turn_opened(): another turn, gate or sheet: what lies beside the media is to be looked at again.
        message(kind, text): for the message bar.
    """

    def __init__(self, make_service: Callable[[], MediaService] | None = None, parent: QWidget | None = None) -> None:
        """`make_service` gives the media service at first use; without it the panel makes and ends its own."""
        super().__init__(parent)
        self._own_service = make_service is None
        self._view: ReviewView | None = None
        self._told: dict[str, Any] = {}
        self._held = False  # a turn was opened, and only the stage knows yet
        self._unblurred: set[tuple[str, str]] = set()
        self.loader = MediaLoader(make_service or _new_service, self)
        self.session = MediaSession(self.loader, self)
        self.tools, self.stage = MediaTools(), MediaView()
        self.transport, self.timeline = Transport(), TimelineView()
        self.sound = QuestionSound(self.loader, self)
        self.motion = Motion(self.session, ClipSound(self.loader, parent=self), self)
        self.asides = MediaAsides(self.stage, self.session, self.loader, self.tools, self)
        self.strip = StripKeeper(self.timeline, self.session, self.loader, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tools)
        column.addWidget(self.asides.compare, 1)
        column.addWidget(self.transport)
        column.addWidget(self.timeline)
        self._facts_timer = QTimer(self)
        self._facts_timer.setSingleShot(True)
        self._facts_timer.setInterval(_FACTS_MS)
        self._facts_timer.timeout.connect(self._tell_facts)
        # After the strip has asked for its thumbnails: what is in view comes before what may be.
        self._warm_timer = QTimer(self)
        self._warm_timer.setSingleShot(True)
        self._warm_timer.setInterval(_WARM_MS)
        self._warm_timer.timeout.connect(self.strip.warm)
        self._actions: dict[str, Callable[[], Any]] = self._make_actions()
        self._connect()
        self.go_live()

    def _connect(self) -> None:
        session, stage, timeline = self.session, self.stage, self.timeline
        session.picture.connect(self._picture)
        session.state.connect(stage.show_state)
        session.moved.connect(self._moved)
        session.refused.connect(self._refused)
        self.loader.sharper.connect(stage.sharper)
        self.loader.sharper.connect(self.asides.compare.held.sharper)
        self.loader.remark.connect(self._remark)
        stage.pixel.connect(self.pixel)
        stage.zoom_changed.connect(self._zoom)
        stage.viewed.connect(self._staged)
        stage.looked.connect(self._looked)
        stage.activated.connect(self._activated)
        timeline.turn_clicked.connect(self.turn_clicked)
        timeline.seek.connect(self.motion.seek)
        timeline.scrub.connect(self.motion.scrub)
        timeline.refused.connect(self.motion.seek)
        timeline.action.connect(self.handle)
        timeline.pin_clicked.connect(self.go_to_pin)
        self.transport.action.connect(self.handle)
        self.tools.action.connect(self.handle)
        self.sound.speaking.connect(self._write)
        self.motion.playback.changed.connect(self._write)
        self.motion.playback.changed.connect(self._hush)
        self.sound.message.connect(self.message)
        self.transport.rate_chosen.connect(self.motion.playback.set_rate)
        self.transport.typed.connect(self._typed)
        for part in (self.transport, self.asides):
            part.left.connect(self.left)
        self.asides.said.connect(self.said)
        self.asides.message.connect(self.message)
        self.asides.given.changed.connect(self._write)
        self.asides.evidence.box.changed.connect(self._write)
        self.asides.evidence.marks.connect(self.strip.show_pins)

    def _make_actions(self) -> dict[str, Callable[[], Any]]:
        stage = self.stage
        return {
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
            "go_to_time": self.transport.ask_time,
            "unblur": self._unblur,
            "unplayable": self._unplayable,
        }

    # --------------------------------------------------------------------------------------------------------- doing
    def show_review(self, view: ReviewView, *, later: bool = False) -> None:
        """Another review, or the same one with other labels; the turn follows by `show_turn`.

        `later`: it follows at once, in the same way, so that the stage need not be emptied in between.
        """
        before, self._view = self._view, view
        if before is not None and before.row.key == view.row.key and _same_evidence(before, view):
            self.strip.mark_turns(view)
            self.asides.show_review(view, another=False)
            self.turn_opened.emit()
            return
        self.loader.forget_thumbs()
        self.motion.forget()
        self.sound.stop()
        self.loader.blurred = view.safety and view.row.key not in self._unblurred
        self._held = later
        self.session.open_strip(view.strip, StateMaker(Veil.over(view.responders), view.terms))
        self.strip.open_review(view, later=later)
        self.asides.show_review(view, another=True)
        self._told = {}
        if later:
            self.stage.expect()
        else:
            self.stage.show_state(None)

    def refresh(self, view: ReviewView) -> None:
        """Let all parts follow a turn that was opened `later`; with other labels, sparks and ticks follow those."""
        if not self.follow() or view is not self._view:
            self.show_review(view)

    def show_turn(self, turn: int | None, *, later: bool = False) -> None:
        """Open a turn (None: the session view) at the end of its evidence; a peek is over.

        `later`: only what is on the stage changes now, so that it is painted first; the rest waits for `refresh`.
        """
        if self._view is None:
            return
        self._tell_facts()
        self._held = True
        # First: playing ends here, and would have thumbnails refined that were put off under the gate that closes.
        self.loader.forget_thumbs()
        self.motion.forget()
        self.transport.leave_time()
        audio = self._view.turns[turn].audio if turn is not None else None
        self.sound.open(audio, self.session.states.veil)
        if self.strip.scene is not None:
            self.strip.scene.current = turn
        self.session.open_turn(turn)
        self.asides.open_turn(turn)
        if not later:
            self.follow()

    def follow(self) -> bool:
        """Let strip, bar, note and what lies beside the media follow the turn; False where they did already."""
        if not self._held:
            return False
        self._held = False
        self.strip.open_turn(self.session.gate.turn)
        if self.stage.picture is not None:
            self._size_known(self.stage.picture)
        self._moved()
        self._unread_hint()
        if self.loader.blurred:
            self.message.emit("info", tr("media.blurred", cap=label("unblur")))
        self._warm_timer.start()
        self.turn_opened.emit()
        return True

    def prefetch(self, view: ReviewView, turn: int | None = 0) -> None:
        """Prepare the first picture of the review that likely comes next, at the turn it opens with."""
        gate = EvidenceGate(view.strip, turn)
        segment = gate.landing()
        permit = gate.permit(segment.stop, segment.end) if segment is not None else None
        if permit is not None:
            self.loader.warm(permit)

    def handle(self, action: str) -> bool:
        """Do a media action of the key table; whether it is one of ours."""
        if action == "grid":
            return self.asides.escape()
        if self.asides.handle(action) or self.motion.handle(action):
            return True
        done = self._actions.get(action)
        if done is not None:
            done()
        return done is not None

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
        self.strip.changed()
        self.asides.gate_moved()
        self._moved()
        self.turn_opened.emit()

    def play_audio(self, path: Path | None = None) -> None:
        """Play a sound; without a path, the spoken question of the open turn."""
        if path is None:
            self.sound.toggle()
        else:
            self.sound.play(path)

    def viewing(self, turn: int) -> dict[str, float]:
        """The viewing facts of a turn, as the value of a `viewing` label: opened, played, seen_full, 0 to 1."""
        stops = self.session.gate.strip.stops_of(turn)
        return self.session.viewing.value(stops, self.strip.span(turn))

    def close_media(self) -> None:
        """The window closes: silence, no more deliveries, and the panel's own service ended."""
        self._facts_timer.stop()
        self._warm_timer.stop()
        self.motion.stop()
        self.sound.stop()
        self.loader.close(end_service=self._own_service)

    # ----------------------------------------------------------------------------------------------------------- live
    def _navigator(self) -> None:
        wanted = self.stage.toggle_navigator()
        self.tools.set_navigator(wanted)
        if wanted and self.stage.picture is not None and self.stage.navigator.isHidden():
            self.message.emit("info", tr("media.navigator_whole"))

    def _pin_loupe(self) -> None:
        on = not self.stage.loupe.isVisible()
        self.stage.set_loupe(on)
        self.tools.set_loupe(self.stage.loupe.isVisible())

    def hideEvent(self, event: QHideEvent) -> None:
        """Another page is shown: nothing runs on unseen or unheard."""
        self.motion.stop()
        self.sound.stop()
        super().hideEvent(event)

    def retranslate(self) -> None:
        """Sentences made here."""
        self._write()
