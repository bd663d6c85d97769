"""Playing a clip: the clock says which frame is due, the session fetches it, frames that would come late are left out.

The clock is the clip's own sound where it is heard, else the wall clock from the frame at which playing began, times
the speed; it starts once the next frame is decoded too. One frame is asked for at a time and a few are prepared behind
it, so that a slow decoder shows fewer frames rather than none. Playing ends at the gate, like every other way of
moving, or goes round the turn's own segment.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from annotator.ui.media_clip_sound import ClipSound
from annotator.ui.media_session import MediaSession

RATES = (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4))
_AHEAD = 4
# Frames kept behind the one shown, for a step back; what was played before gives its memory to what comes. Memory that
# is used again costs a fraction of fresh memory, which the system has to clear first.
_BEHIND = 12
# How often it is looked whether the second frame is there, and how often at most before the clock starts without.
_ROLL_MS = 4
_ROLLS = 60
_USUAL = Fraction(1)


class Playback(QObject):
    """Plays what is on the stage.

    Signals:
        changed(): it began or ended, or speed, loop or sound were changed.
    """

    changed = Signal()

    def __init__(
        self,
        session: MediaSession,
        sound: ClipSound | None = None,
        clock: Callable[[], float] = time.perf_counter,
        parent: QObject | None = None,
    ) -> None:
        """`clock` gives seconds; tests bring their own. Without `sound` it plays silently."""
        super().__init__(parent)
        self._session = session
        self.sound = sound
        self._clock = clock
        self._on = False
        self.rate = _USUAL
        self.loop = False
        self._began = 0.0
        self._base = Fraction(0)
        self._due: int | None = None
        self._asked = -1  # the last frame prepared
        self._rolls: int | None = None  # while the clock stands still, waiting for the first frames
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._due_now)
        self._then: Callable[[], None] = self._tick
        session.moved.connect(self._moved)

    @property
    def on(self) -> bool:
        """Whether it plays."""
        return self._on

    # ---------------------------------------------------------------------------------------------------------- doing
    def toggle(self) -> None:
        """Play, or pause; from the end of what is open it begins at the turn's first frame."""
        if self._on:
            self.stop()
            return
        film = self._session.film()
        if film is None or self._session.index is None:
            return
        if self._session.index >= self._end():
            self._start_over()
            return
        self._set(True)
        self._start_at(self._session.index, film.times[self._session.index])
        self._moved()

    def stop(self) -> None:
        """Pause where it is."""
        self._timer.stop()
        self._due = self._rolls = None
        if self.sound is not None:
            self.sound.stop()
        self._set(False)

    def set_rate(self, rate: Fraction) -> None:
        """Another speed; what is playing goes on from where it is."""
        if rate == self.rate:
            return
        now = self._now() if self._going else None
        self.rate = rate
        if now is not None:
            self._set_going(now)
            self._schedule()
        self.changed.emit()

    def step_rate(self, by: int) -> None:
        """The next faster (1) or slower (-1) speed."""
        place = min(range(len(RATES)), key=lambda i: abs(RATES[i] - self.rate)) + by
        self.set_rate(RATES[min(max(0, place), len(RATES) - 1)])

    def toggle_loop(self) -> None:
        """Go round the turn's segment, or end at its end."""
        self.loop = not self.loop
        self.changed.emit()

    def toggle_sound(self) -> None:
        """Hear the clip's own sound, or not."""
        if self.sound is None:
            return
        now = self._now() if self._going else None
        self.sound.muted = not self.sound.muted
        if now is not None:
            self._set_going(now)
        self.changed.emit()

    # ---------------------------------------------------------------------------------------------------- where it is
    def _start_over(self) -> None:
        """From the first frame of the turn's own segment."""
        film, bounds = self._session.film(), self._session.bounds()
        if film is None:
            return
        start = bounds[1] if bounds is not None and bounds[0] == self._session.stop else Fraction(0)
        first = film.index_at(start)
        if first >= self._end():
            self.stop()
            return
        self._set(True)
        self._start_at(first, film.times[first])
        self._ask(first)

    def _start_at(self, index: int, at: Fraction) -> None:
        """The clock stands at the first frame until that is on the stage, and the next one decoded."""
        if self.sound is not None:
            self.sound.stop()
        self._due, self._base, self._rolls, self._asked = index, at, 0, index
        permit = self._session.stage_permit()
        if self.sound is not None and permit is not None and self.rate == _USUAL:
            self.sound.prepare(permit, self._sound_came)

    @property
    def _going(self) -> bool:
        return self._on and self._rolls is None

    def _roll(self) -> None:
        """Start the clock if the next frame is there, or does not come."""
        index, rolls = self._session.index, self._rolls
        if not self._on or rolls is None or index is None:
            return
        if rolls >= _ROLLS or self._session.at_hand(index + 1):
            self._rolls = None
            self._set_going(self._base)
            self._schedule()
            return
        self._rolls = rolls + 1
        self._then = self._roll
        self._timer.start(_ROLL_MS)

    def _set_going(self, at: Fraction) -> None:
        """The clock runs from `at`: by sound if there is any, by the wall else, or until the sound is decoded."""
        self._base, self._began = at, self._clock()
        permit = self._session.stage_permit()
        if self.sound is None or permit is None:
            return
        if self.rate != _USUAL or not self.sound.begin(permit, at, self._sound_end()):
            self.sound.stop()
        if self.rate == _USUAL:
            self.sound.prepare(permit, self._sound_came)

    def _sound_came(self) -> None:
        if self._going:
            self._set_going(self._now())

    def _sound_end(self) -> Fraction | None:
        """The end of the last frame that will be shown."""
        film, end = self._session.film(), self._end()
        if film is None or end + 1 >= len(film.times):
            return None
        return film.times[end + 1]

    def _end(self) -> int:
        """The last frame to be played: of the turn's segment while it loops, else of what is open."""
        session, film = self._session, self._session.film()
        if film is None:
            return 0
        last, bounds = session.last_index(), session.bounds()
        if self.loop and bounds is not None and bounds[0] == session.stop and bounds[2] is not None:
            return min(last, film.index_at(bounds[2]))
        return last

    def _now(self) -> Fraction:
        if self._rolls is not None:
            return self._base
        heard = self.sound.now() if self.sound is not None else None
        if heard is not None:
            # Should the sound end before the picture does, the wall clock goes on from here.
            self._base, self._began = heard, self._clock()
            return heard
        return self._base + Fraction(self._clock() - self._began) * self.rate

    # -------------------------------------------------------------------------------------------------------- running
    def _due_now(self) -> None:
        self._then()

    def _tick(self) -> None:
        film = self._session.film()
        if not self._on or film is None:
            self.stop()
            return
        index = min(film.index_at(self._now()), self._end())
        if index == self._session.index:
            self._schedule()
        else:
            self._ask(index)

    def _ask(self, index: int) -> None:
        self._due = index
        if self._session.index == index:
            self._moved()
        elif not self._session.go_index(index):
            self.stop()

    def _moved(self) -> None:
        """A frame came home (or the stage changed): go on from it."""
        if not self._on:
            return
        session = self._session
        if session.film() is None or session.stop is None:
            self.stop()
        elif session.index is not None and session.index == self._due:
            if session.index >= self._end():
                self._at_end()
                return
            self._asked = max(self._asked, session.index)
            session.warm_indices(range(self._asked + 1, session.index + 1 + _AHEAD), at_once=True)
            self._asked = session.index + _AHEAD
            session.let_go(session.index - _BEHIND)
            self._schedule() if self._rolls is None else self._roll()

    def _at_end(self) -> None:
        if not self.loop:
            self.stop()
            return
        # The last frame is shown for as long as its interval is; then round again.
        film, index = self._session.film(), self._session.index
        if film is None or index is None:
            return
        after = film.times[index + 1] if index + 1 < len(film.times) else film.duration
        self._due = None
        self._wait(after - self._now(), self._round)

    def _round(self) -> None:
        if self._on:
            self._start_over()

    def _schedule(self) -> None:
        film, index = self._session.film(), self._session.index
        if film is None or index is None or index + 1 >= len(film.times):
            self.stop()
            return
        self._wait(film.times[index + 1] - self._now(), self._tick)

    def _wait(self, clip_seconds: Fraction, then: Callable[[], None]) -> None:
        self._timer.stop()
        self._then = then
        self._timer.start(max(0, round(clip_seconds / self.rate * 1000)))

    def _set(self, on: bool) -> None:
        if on != self._on:
            self._on = on
            self.changed.emit()
