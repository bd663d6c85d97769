"""Moving through a clip by hand or by the clock: seeking, dragging, stepping, playing; one of them at a time."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from PySide6.QtCore import QObject, QTimer

from annotator.ui.media_playback import Playback
from annotator.ui.media_session import MediaSession

_REST_MS = 120


class Motion(QObject):
    """What moves the stage; everything goes through the session, and so through the gate."""

    def __init__(self, session: MediaSession, parent: QObject | None = None) -> None:
        """At rest."""
        super().__init__(parent)
        self._session = session
        self.playback = Playback(session, parent=self)
        self._dragged: tuple[int, Fraction] | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._hand_rests)
        self._steps: dict[str, Callable[[], Any]] = {
            "frame_back": lambda: session.step_frames(-1),
            "frame_forward": lambda: session.step_frames(1),
            "second_back": lambda: session.step_seconds(-1),
            "second_forward": lambda: session.step_seconds(1),
            "segment_start": session.segment_start,
            "segment_end": session.segment_end,
        }

    def handle(self, action: str) -> bool:
        """Play, or step; whether it is one of ours."""
        if action == "play":
            self.playback.toggle()
            return True
        step = self._steps.get(action)
        if step is None:
            return False
        self.stop()
        step()
        return True

    def seek(self, stop: int, at: Fraction) -> None:
        """Go to an exact instant."""
        self.stop()
        self._session.go(stop, at)

    def scrub(self, stop: int, at: Fraction) -> None:
        """While a hand drags: something near at once, the exact frame when the hand rests."""
        self.playback.stop()
        self._dragged = (stop, at)
        self._rest.start()
        self._session.go(stop, at, quick=True)

    def stop(self) -> None:
        """Come to rest where it is."""
        self.playback.stop()
        self._rest.stop()
        self._dragged = None

    def _hand_rests(self) -> None:
        if self._dragged is not None:
            self._session.go(*self._dragged)
