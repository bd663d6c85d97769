"""Playing a clip: the clock says which frame is due, the session fetches it, frames that would come late are left out.

The clock is the wall clock from the frame at which playing began; one request is under way at a time, so that a slow
decoder shows fewer frames rather than none. Playing ends at the gate, like every other way of moving.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from annotator.ui.media_session import MediaSession

_AHEAD = 2


class Playback(QObject):
    """Plays what is on the stage.

    Signals:
        changed(): it began or ended.
    """

    changed = Signal()

    def __init__(
        self, session: MediaSession, clock: Callable[[], float] = time.perf_counter, parent: QObject | None = None
    ) -> None:
        """`clock` gives seconds; tests bring their own."""
        super().__init__(parent)
        self._session = session
        self._clock = clock
        self._on = False
        self._began = 0.0
        self._base = Fraction(0)
        self._due: int | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        session.moved.connect(self._moved)

    @property
    def on(self) -> bool:
        """Whether it plays."""
        return self._on

    def toggle(self) -> None:
        """Play, or pause; from the end of what is open it begins at the turn's first frame."""
        if self._on:
            self.stop()
            return
        session, film = self._session, self._session.film()
        if film is None or session.index is None:
            return
        if session.index >= self._end():
            bounds = session.bounds()
            start = bounds[1] if bounds is not None and bounds[0] == session.stop else Fraction(0)
            first = film.index_at(start)
            if first >= self._end():
                return
            self._set(True)
            self._start_at(first, film.times[first])
            self._ask(first)
            return
        self._set(True)
        self._start_at(session.index, film.times[session.index])
        self._schedule()

    def stop(self) -> None:
        """Pause where it is."""
        self._timer.stop()
        self._due = None
        self._set(False)

    def _start_at(self, index: int, at: Fraction) -> None:
        self._base, self._began = at, self._clock()
        self._due = index

    def _end(self) -> int:
        film = self._session.film()
        return self._session.last_index() if film is not None else 0

    def _now(self) -> Fraction:
        return self._base + Fraction(self._clock() - self._began)

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
                self.stop()
                return
            session.warm_indices(range(session.index + 1, session.index + 1 + _AHEAD))
            self._schedule()

    def _schedule(self) -> None:
        film, index = self._session.film(), self._session.index
        if film is None or index is None or index + 1 >= len(film.times):
            self.stop()
            return
        wait = film.times[index + 1] - self._now()
        self._timer.start(max(0, round(wait * 1000)))

    def _set(self, on: bool) -> None:
        if on != self._on:
            self._on = on
            self.changed.emit()
