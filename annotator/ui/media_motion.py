"""Moving through a clip by hand or by the clock: seeking, dragging, stepping, playing; one of them at a time."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from PySide6.QtCore import QObject, QTimer

from annotator.domain.timecode import parse
from annotator.ui.media_clip_sound import ClipSound
from annotator.ui.media_playback import Playback
from annotator.ui.media_session import MediaSession

_REST_MS = 120
_DIGITS = 10


class Motion(QObject):
    """What moves the stage; everything goes through the session, and so through the gate."""

    def __init__(self, session: MediaSession, sound: ClipSound | None = None, parent: QObject | None = None) -> None:
        """At rest."""
        super().__init__(parent)
        self._session = session
        self.playback = Playback(session, sound, parent=self)
        self._modes: dict[str, Callable[[], Any]] = {
            "play": self.playback.toggle,
            "loop": self.playback.toggle_loop,
            "clip_sound": self.playback.toggle_sound,
            "slower": lambda: self.playback.step_rate(-1),
            "faster": lambda: self.playback.step_rate(1),
        }
        self._dragged: tuple[int, Fraction] | None = None
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._hand_rests)
        self._steps: dict[str, Callable[[], Any]] = {
            "frame_back": self._frame_back,
            "frame_forward": lambda: session.step_frames(1),
            "second_back": lambda: session.step_seconds(-1),
            "second_forward": lambda: session.step_seconds(1),
            "segment_start": session.segment_start,
            "segment_end": session.segment_end,
        }

    def handle(self, action: str) -> bool:
        """Play, or step; whether it is one of ours."""
        mode = self._modes.get(action)
        if mode is not None:
            mode()
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

    def typed(self, text: str) -> bool:
        """Go to a typed instant (`41.32`, `1:23.5`) or frame (`#1033`) of the clip on the stage.

        False where it is no time, or where the gate says no; nothing moves then.
        """
        self.stop()
        stop, film, wanted = self._session.stop, self._session.film(), text.strip()
        if stop is None or film is None:
            return False
        if wanted.startswith("#"):
            number = wanted[1:].strip()
            plain = number.isascii() and number.isdigit() and len(number) < _DIGITS
            return plain and self._session.go_index(int(number))
        at = parse(wanted).end_exact
        return at is not None and self._session.go(stop, min(at, film.duration))

    def _frame_back(self) -> None:
        if self._session.step_frames(-1):
            self._session.warm_back()

    def stop(self) -> None:
        """Come to rest where it is."""
        self.playback.stop()
        self._rest.stop()
        self._dragged = None

    def forget(self) -> None:
        """Another turn or dialogue: come to rest, and let go of the clip's sound."""
        self.stop()
        if self.playback.sound is not None:
            self.playback.sound.forget()

    def _hand_rests(self) -> None:
        if self._dragged is not None:
            self._session.go(*self._dragged)
