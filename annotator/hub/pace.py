"""Bytes counted from several threads, and what speed that is of late."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final, Literal

from annotator.hub.values import Progress, Step

WINDOW_S: Final = 8.0
EVERY_S: Final = 0.1


class Pace:
    """Counts one phase and tells of it, at most ten times a second, and at its beginning and end."""

    def __init__(
        self, phase: Literal["fetch", "unpack"], total: int, files: int, progress: Progress | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        """`total` bytes in `files` files are to come."""
        self._phase, self._total, self._files = phase, total, files
        self._progress, self._clock = progress, clock
        self._lock = threading.Lock()
        self._done = self._files_done = self._moved = 0
        self._name = ""
        self._told = float("-inf")
        self._marks: deque[tuple[float, int]] = deque([(clock(), 0)])

    def add(self, count: int, *, moved: bool = True, name: str = "") -> None:
        """Count bytes; not `moved`: they were there before and say nothing about the speed. Negative: begun anew."""
        with self._lock:
            self._done += count
            self._moved += count if moved and count > 0 else 0
            self._name = name or self._name
            self._tell(count <= 0)

    def file_done(self) -> None:
        """One file more is whole."""
        with self._lock:
            self._files_done += 1
            self._tell(self._files_done == self._files)

    def wait(self, seconds: float) -> None:
        """Nothing comes for so long, as the Hub asked for a pause or was not reached."""
        with self._lock:
            self._tell(True, seconds)

    @property
    def moved(self) -> int:
        """Bytes that came now."""
        return self._moved

    def start(self) -> None:
        """Tell that nothing is done yet."""
        with self._lock:
            self._tell(True)

    def _tell(self, force: bool, pause: float = 0.0) -> None:
        now = self._clock()
        if self._progress is None or (not force and now - self._told < EVERY_S):
            return
        self._told = now
        self._marks.append((now, self._moved))
        while now - self._marks[0][0] > WINDOW_S and len(self._marks) > 2:
            self._marks.popleft()
        since, before = self._marks[0]
        speed = (self._moved - before) / (now - since) if now - since > 0.2 else 0.0
        left = (self._total - self._done) / speed if speed > 0 and self._total else None
        self._progress(
            Step(self._phase, self._done, self._total, self._files_done, self._files, speed, left, self._name, pause)
        )
