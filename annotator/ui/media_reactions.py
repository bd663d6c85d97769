"""How the media panel answers its parts: pictures, typed times, pins, peeks, facts, and what stands in words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QRectF, QSizeF, QTimer, Signal
from PySide6.QtWidgets import QWidget

from annotator.ui.i18n import tr
from annotator.ui.key_table import label
from annotator.ui.media_asides import MediaAsides
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_motion import Motion
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_session import MediaSession
from annotator.ui.media_sound import QuestionSound
from annotator.ui.media_strip import StripKeeper
from annotator.ui.media_tools import MediaTools
from annotator.ui.media_words import note, transport_state
from annotator.ui.mediaview import MediaView
from annotator.ui.timeline import TimelineView
from annotator.ui.transport import Transport
from annotator.workspace.views import ReviewView


class Reactions(QWidget):
    """The answering half of the panel; the panel itself is built, told and closed from outside."""

    loader: MediaLoader
    session: MediaSession
    tools: MediaTools
    stage: MediaView
    transport: Transport
    timeline: TimelineView
    sound: QuestionSound
    motion: Motion
    asides: MediaAsides
    strip: StripKeeper
    _view: ReviewView | None
    _told: dict[str, Any]
    _held: bool
    _unblurred: set[tuple[str, str]]
    _facts_timer: QTimer

    pixel = Signal(int, int, object)
    zoom_changed = Signal(str)
    peek_wanted = Signal(object)
    turn_clicked = Signal(int)
    shown = Signal(object)
    message = Signal(str, str)
    said = Signal(str, str, object)
    left = Signal()
    unblurred = Signal()
    turn_opened = Signal()

    def viewing(self, turn: int) -> dict[str, float]:
        """The viewing facts of a turn."""
        raise AssertionError("the panel knows what was seen")

    def _picture(self, picture: ShownPicture, keep: bool) -> None:
        self.stage.show_picture(picture, keep=keep)
        self.asides.evidence.picture_came(keep)
        if not self._held:
            self._size_known(picture)
        self._facts_timer.start()

    def _size_known(self, picture: ShownPicture) -> None:
        if self.session.stop is not None:
            self.strip.sized(self.session.stop, picture.full.width() * picture.full.height() / 1e6)

    def _moved(self) -> None:
        if self._held:
            return
        self.strip.follow()
        self.asides.moved()
        self._write()

    def _typed(self, text: str) -> None:
        went = self.motion.typed(text)
        self.transport.accept_typed(went)
        if not went:
            self.message.emit("info", tr("transport.typed_wrong", text=text.strip()))

    def go_to_pin(self, target: str, field: str) -> None:
        """Show the place of an evidence pin, its turn opened first where that is not open."""
        pin = self.asides.evidence.find(target, field)
        if pin is not None:
            self.motion.stop()
            self.asides.evidence.go(pin)

    def set_target(self, target: str, dimension: str) -> None:
        """What is scored now: evidence that is pinned belongs to it."""
        self.asides.evidence.set_target(target, dimension)

    def _activated(self) -> None:
        if self.loader.blurred:
            self._unblur()
        else:
            self._peek()

    def _unblur(self) -> None:
        """Show what a safety set opened blurred; for this dialogue, until the window closes."""
        if not self.loader.blurred or self._view is None:
            return
        self._unblurred.add(self._view.row.key)
        self.loader.blurred = False
        self.timeline.renew_thumbs()
        self.asides.evidence.forget_crops()
        stop, at = self.session.stop, self.session.at
        if stop is not None:
            self.session.go(stop, at if self.session.index is not None else None)
        self.unblurred.emit()

    def _unplayable(self) -> None:
        """What is on the stage does not play here: a fact with the engine's last word, for the lead; again, not so."""
        view, gate = self._view, self.session.gate
        if view is None or view.read_only:
            return
        target = "session" if gate.turn is None else f"turn:{gate.turn}"
        if view.sheet.value(target, "unplayable") is not None:
            self.said.emit(target, "unplayable", None)
            self.message.emit("info", tr("media.unplayable_back"))
            return
        stop, state = self.session.stop, self.stage.state
        asset = gate.strip.stops[stop].asset if stop is not None else None
        picture = self.stage.picture
        why = state.plain() if state is not None else picture.why if picture is not None else ""
        value = {"asset": asset.raw if asset is not None else None, "why": why or "said by hand"}
        self.said.emit(target, "unplayable", value)
        self.message.emit("warn", tr("media.unplayable_said"))

    def _remark(self, sentence: str, code: str) -> None:
        path = self.session.path()
        state = self.session.states.failed(sentence, "image", code, path.name if path is not None else "")
        self.message.emit("warn", state.texts()[1])

    def _refused(self) -> None:
        self.message.emit("info", tr("media.beyond_gate"))

    def _staged(self) -> None:
        self.loader.suit(self.stage)

    def _zoom(self, text: str) -> None:
        self.tools.show_zoom(self.stage.viewport.mode, self.stage.viewport.zoom)
        self.zoom_changed.emit(text)

    def _looked(self, rect: QRectF, size: QSizeF) -> None:
        if self.strip.looked(rect, size):
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

    def _tell_facts(self) -> None:
        turn = self.session.gate.turn
        if turn is None or turn < 0 or self._view is None:
            return
        facts: dict[str, Any] = {"turn": turn, **self.viewing(turn)}
        if facts != self._told:
            self._told = facts
            self.shown.emit(facts)

    def _hush(self) -> None:
        """What can wait does, while a clip plays."""
        self.loader.set_quiet(self.motion.playback.on)

    # ---------------------------------------------------------------------------------------------------------- words
    def _write(self, _on: bool = False) -> None:
        """What the bar and the note say now."""
        if self._held:
            return
        sound, scene, play = self.sound, self.strip.scene, self.motion.playback
        state = transport_state(self.session, scene, audio=sound.there, speaking=sound.on, playing=play.on)
        state = replace(state, rate=play.rate, loop=play.loop, muted=play.sound is not None and play.sound.muted)
        given = self.asides.given
        if given.on:
            state = replace(state, kind="image", index=given.index, count=len(given.frames))
        self.transport.show_state(state)
        waiting = self.stage.picture is None and self.stage.state is None
        told = note(self.session, scene, self.stage.picture, waiting=waiting)
        text = self._hint() or told.text
        self.tools.show_note(text, told.damaged, told.why)

    def _hint(self) -> str:
        """What comes before the note: how to draw, how to see, which frame of the model's."""
        given, count = self.asides.given, len(self.asides.given.frames)
        if self.asides.evidence.box.armed:
            return tr("evidence.drag", cap=label("evidence"))
        if self.loader.blurred:
            return tr("media.blurred", cap=label("unblur"))
        if given.on:
            return tr("media.given_note", number=given.index + 1, count=count, name=self.asides.caption())
        return ""

    def _unread_hint(self) -> None:
        turn = self.session.gate.turn
        if turn is None:
            return
        if any(self.session.gate.opening(i).unread for i in self.session.gate.strip.stops_of(turn)):
            self.message.emit("info", tr("media.unread_time", turn=turn + 1))
