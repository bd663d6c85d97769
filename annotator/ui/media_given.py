"""What the model was given: the frames that a source lists for a turn, in place of the clip they were taken from."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from annotator.domain.items import Asset
from annotator.ui.media_session import MediaSession
from annotator.ui.media_states import StageState

_STEPS = {
    "frame_back": -1, "frame_forward": 1, "second_back": -1, "second_forward": 1,
    "segment_start": -10_000, "segment_end": 10_000,
}  # fmt: skip


class GivenFrames(QObject):
    """Switches the stage between the evidence and the frames a model was given at the open turn.

    Signals:
        changed(): switched, or another frame is shown.
    """

    changed = Signal()

    def __init__(self, session: MediaSession, parent: QObject | None = None) -> None:
        """The evidence is shown."""
        super().__init__(parent)
        self._session = session
        self._turn = 0
        self._frames: tuple[Asset, ...] = ()
        self._back: tuple[int, object] | None = None
        self.on = False
        self.index = 0
        session.moved.connect(self._moved)

    def open_turn(self, turn: int | None, frames: tuple[Asset, ...]) -> None:
        """Another turn is open; its evidence is shown first. The session view keeps the frames of the turn before."""
        if turn is not None:
            self._turn, self._frames = turn, frames
            self.index = 0
        self.on = False
        self.changed.emit()

    def forget(self) -> None:
        """Another dialogue."""
        self.open_turn(0, ())

    @property
    def frames(self) -> tuple[Asset, ...]:
        """What the model was given at the open turn."""
        return self._frames

    @property
    def asset(self) -> Asset | None:
        """The frame on the stage, while these frames are shown."""
        return self._frames[self.index] if self.on and self._frames else None

    def toggle(self) -> bool:
        """Show the other of the two; False where there is nothing else to show."""
        if self.on:
            self.leave()
            return True
        if not self._frames or not self._session.gate.allows_turn(self._turn):
            return False
        if self._session.stop is not None:
            self._back = (self._session.stop, self._session.at)
        self.on = True
        self._show()
        return True

    def show_asset(self, turn: int, asset: Asset) -> bool:
        """Show one of the open turn's frames, named by a pin; False for those of another turn."""
        if turn != self._turn or asset not in self._frames or (not self.on and not self.toggle()):
            return False
        self.index = self._frames.index(asset)
        self._show()
        return True

    def leave(self) -> None:
        """Back to where the evidence was left."""
        if not self.on:
            return
        self.on = False
        stop, at = self._back if self._back is not None else (None, None)
        if stop is not None:
            self._session.go(stop, at)  # type: ignore[arg-type]
        else:
            self._session.open_turn(self._session.gate.turn)
        self.changed.emit()

    def handle(self, action: str) -> bool:
        """While these frames are shown, the keys that step through a clip step through them."""
        if not self.on or (action not in _STEPS and action != "play"):
            return False
        wanted = min(max(0, self.index + _STEPS.get(action, 0)), len(self._frames) - 1)
        if wanted != self.index:
            self.index = wanted
            self._show()
        return True

    def _show(self) -> None:
        asset = self._frames[self.index]
        permit = self._session.gate.given_permit(self._turn, asset)
        states = self._session.states
        self._session.show_aside(permit, states.of_asset(asset) or StageState("missing", "image"))
        self.changed.emit()

    def _moved(self) -> None:
        # Whatever brought a clip or picture of the evidence to the stage ended this.
        if self.on and self._session.stop is not None:
            self.on = False
            self.changed.emit()
