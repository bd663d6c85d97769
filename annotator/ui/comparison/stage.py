"""The media of a comparison: an image, several, a clip, or a folder of frames, behind the gate of its turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from annotator.domain.gate import Strip
from annotator.ui.comparison.clipbar import FPS, USUAL_FPS, ClipBar, ClipState
from annotator.ui.comparison.tools import ComparisonTools
from annotator.ui.i18n import tr
from annotator.ui.item_stage import ItemStage
from annotator.ui.media_clip_sound import ClipSound
from annotator.ui.media_gate import EvidenceGate
from annotator.ui.media_motion import Motion
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_states import StateMaker

if TYPE_CHECKING:
    from annotator.media.service import MediaService
    from annotator.workspace.comparisons_views import ComparisonView

_FIRST = Fraction(0)


class ComparisonStage(ItemStage):
    """Shows what the responses are about.

    Signals:
        blurred(on): whether the media of the item that is shown now are blurred.
        peek_wanted(facts): a person asks to see beyond the gate; call `open_peek` once it is said.
    """

    blurred = Signal(bool)
    peek_wanted = Signal(object)

    tools: ComparisonTools

    def __init__(self, make_service: Callable[[], MediaService] | None = None, parent: QWidget | None = None) -> None:
        """No item yet."""
        super().__init__(ComparisonTools(), make_service, parent)
        self._view: ComparisonView | None = None
        self._unblurred: set[str] = set()
        self._fps = USUAL_FPS
        self._speed = Fraction(1)
        self.bar = ClipBar()
        self.column.addWidget(self.bar)
        self._sound = ClipSound(self.loader, parent=self)
        self.motion = Motion(self.session, self._sound, self)
        self._actions["unblur"] = self.unblur
        self._connect()
        self.go_live()

    def _connect(self) -> None:
        session = self.session
        session.moved.connect(self._write)
        session.facts_changed.connect(self._facts_known)
        session.refused.connect(self._refused)
        self.stage.activated.connect(self._activated)
        self.bar.action.connect(self.handle)
        self.bar.gone.connect(self._gone)
        self.bar.rate_chosen.connect(self._set_rate)
        self.motion.playback.changed.connect(self._write)

    # ------------------------------------------------------------------------------------------------- what is shown
    def show_item(self, view: ComparisonView) -> None:
        """Show another item's media; the same one's with other labels change nothing."""
        before, self._view = self._view, view
        if before is not None and before.row.item_id == view.row.item_id and before.media == view.media:
            return
        place, item = view.place, view.row.item_id
        self.motion.forget()
        self.loader.blurred = place.safety and item not in self._unblurred
        # A folder of frames has no sound, and no rate but the one that a person chooses.
        self.motion.playback.sound = None if self._is_folder() else self._sound
        self.motion.playback.set_rate(self._fps if self._is_folder() else self._speed)
        self.session.open_strip(place.strip, StateMaker(terms=place.terms))
        self.stage.show_state(None)
        self.session.open_turn(place.turn)
        if view.dialogue is None and place.strip.stops:
            self.session.go(0, _FIRST if place.strip.stops[0].asset.role == "clip" else None, fresh=True)
        self.blurred.emit(self.loader.blurred and bool(place.strip.stops))
        self.seen_changed.emit()
        self._write()

    def clear(self) -> None:
        """No item is open."""
        self._view = None
        self.motion.forget()
        self.open_nothing()
        self.bar.show_state(ClipState())

    def prefetch(self, view: ComparisonView) -> None:
        """Prepare the picture of an item that likely comes next."""
        here = self._view.row.item_id if self._view is not None else None
        turn = view.place.turn
        if view.row.item_id != here and turn is not None and self._is_still(view.place.strip):
            permit = EvidenceGate(view.place.strip, turn).warm_permit(turn)
            if permit is not None:
                self.loader.warm(permit)

    @staticmethod
    def _is_still(strip: Strip) -> bool:
        return strip.modality == "image"

    def _is_folder(self) -> bool:
        media = self._view.media if self._view is not None else ()
        return any(asset.role == "clip" and path is not None and path.is_dir() for asset, path in media)

    def viewing(self) -> dict[str, float]:
        """What was looked at, as the value of a `viewing` label: shares from 0 to 1."""
        strip = self.session.gate.strip
        turn = self.session.gate.turn
        stops = tuple(range(len(strip.stops))) if turn is None else strip.stops_of(turn)
        film = self.session.film()
        return self.session.viewing.value(stops, (_FIRST, film.duration) if film is not None else None)

    # ---------------------------------------------------------------------------------------------------- what to do
    def handle(self, action: str) -> bool:
        """Do a media action; whether it is one of ours."""
        if action in ("slower", "faster") and self._is_folder():
            self._set_rate(_beside(self._fps, 1 if action == "faster" else -1))
            return True
        return self.motion.handle(action) or super().handle(action)

    def unblur(self) -> None:
        """Show what a safety set opened blurred; for this item, until the window closes."""
        view = self._view
        if view is None or not self.loader.blurred:
            return
        self._unblurred.add(view.row.item_id)
        self.loader.blurred = False
        stop, at = self.session.stop, self.session.at
        if stop is not None:
            self.session.go(stop, at if self.session.index is not None else None)
        self.blurred.emit(False)

    def open_peek(self) -> None:
        """The peek was said: the gate opens until another item is shown."""
        self.session.open_peek()
        self._write()

    # ------------------------------------------------------------------------------------------------------ reactions
    def _activated(self) -> None:
        gate = self.session.gate
        if self.loader.blurred:
            self.unblur()
        elif gate.turn is not None and gate.locked() and not gate.peeking:
            facts = gate.refused.facts() if gate.refused is not None else {"turn": gate.turn}
            self.peek_wanted.emit(facts)

    def _refused(self) -> None:
        self.message.emit("info", tr("media.beyond_gate"))

    def _gone(self, index: int) -> None:
        self.motion.stop()
        self.session.go_index(index)

    def _set_rate(self, rate: Fraction) -> None:
        if self._is_folder():
            self._fps = rate
        else:
            self._speed = rate
        self.motion.playback.set_rate(rate)

    def _facts_known(self, _stop: int) -> None:
        self._write()

    def _picture(self, picture: ShownPicture, keep: bool) -> None:
        super()._picture(picture, keep)
        self._write()

    def _write(self) -> None:
        self.bar.show_state(self._clip_state())
        self.tools.set_blurred(self.loader.blurred)

    def _clip_state(self) -> ClipState:
        session, strip = self.session, self.session.gate.strip
        film, playback = session.film(), self.motion.playback
        if session.stop is not None and strip.modality == "video" and strip.stops[session.stop].asset.role == "clip":
            kind = "folder" if self._is_folder() else "clip"
            state = ClipState(kind, session.index, playing=playback.on, rate=playback.rate)
            if film is None:
                return state
            last = session.last_index()
            return replace(state, last=last, count=len(film.times), at=session.at, duration=film.duration)
        opened = [number for number in range(len(strip.stops)) if session.gate.allows(number)]
        if len(strip.stops) < 2:
            return ClipState()
        return ClipState("pictures", session.stop, last=len(opened) - 1, count=len(strip.stops))

    def show_adjusted(self, on: bool) -> None:
        """The tools tell."""
        self.tools.show_adjusted(on)

    def hideEvent(self, event: QHideEvent) -> None:
        """Another page is shown: nothing runs on unseen or unheard."""
        self.motion.stop()
        super().hideEvent(event)

    def close_media(self) -> None:
        """The window closes: at rest, no more deliveries."""
        self.motion.stop()
        super().close_media()

    def retranslate(self) -> None:
        """The name of the panel."""
        self.setAccessibleName(tr("comparison.media"))


def _beside(rate: Any, by: int) -> Fraction:
    place = FPS.index(rate) if rate in FPS else FPS.index(USUAL_FPS)
    return FPS[min(max(0, place + by), len(FPS) - 1)]
