"""A media service without files: it answers with tiny pictures and remembers everything it was asked."""

from __future__ import annotations

from collections.abc import Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from annotator.errors import WorldError
from annotator.media.frames import Frame
from annotator.media.pictures import Picture
from annotator.media.pyramid import Pyramid
from annotator.media.service import FilmFacts
from annotator.media.sound import Sound

FPS = 10


@dataclass
class Asked:
    """One request."""

    what: str
    path: Path
    at: Any
    lane: Hashable
    future: Future[Any]
    answer: Any


@dataclass
class FakeService:
    """`held`: answers wait for `deliver`; else they are there at once. `seconds`: length of each clip by file name."""

    held: bool = False
    seconds: dict[str, int] = field(default_factory=dict)
    sounds: dict[str, float] = field(default_factory=dict)
    refuse: dict[str, str] = field(default_factory=dict)
    key_frames_late: bool = False
    asked: list[Asked] = field(default_factory=list)
    every: list[Asked] = field(default_factory=list)  # those too that a test took out of `asked`
    cancelled: list[Hashable] = field(default_factory=list)
    left: list[tuple[Path, int]] = field(default_factory=list)
    ended: bool = False
    watched: Any = None
    on_disk: set[str] = field(default_factory=set)

    def _times(self, path: Path) -> tuple[Fraction, ...]:
        return tuple(Fraction(k, FPS) for k in range(self.seconds.get(Path(path).name, 12) * FPS))

    def _ask(self, what: str, path: Path, at: Any, lane: Hashable, answer: Any) -> Future[Any]:
        future: Future[Any] = Future()
        for earlier in self.every:
            if lane is not None and earlier.lane == lane and not earlier.future.done():
                earlier.future.cancel()
        name = Path(path).name
        sentence = self.refuse.get(name) or self.refuse.get(f"{what}:{name}")
        asked = Asked(what, Path(path), at, lane, future, WorldError(sentence) if sentence else answer)
        self.asked.append(asked)
        self.every = [*self.waiting(), asked]
        if not self.held:
            self.deliver(asked)
        return future

    def waiting(self) -> list[Asked]:
        """What is not answered yet."""
        return [asked for asked in self.every if not asked.future.done()]

    def deliver(self, asked: Asked) -> None:
        """Answer one request, unless it was given up."""
        if asked.future.done() or not asked.future.set_running_or_notify_cancel():
            return
        if isinstance(asked.answer, Exception):
            asked.future.set_exception(asked.answer)
        else:
            asked.future.set_result(asked.answer)

    def preview(self, path: Path, w: int, h: int, *, lane: Hashable = None, urgency: Any = None) -> Future[Any]:
        return self._ask("preview", path, None, lane, Picture(_pixels(20, 30), 60, 40, 0.5))

    def keeps_preview(self, path: Path, w: int, h: int) -> bool:
        """Whether the test says that one is on disk."""
        return Path(path).name in self.on_disk

    def watch(self, path: Path, w: int, h: int, part: Any) -> None:
        """Parts of it are told by the test."""
        self.watched = (Path(path), part)

    def pyramid(self, path: Path, *, lane: Hashable = None, urgency: Any = None) -> Future[Any]:
        return self._ask("pyramid", path, None, lane, Pyramid((_pixels(40, 60), _pixels(20, 30))))

    def facts(self, path: Path, *, lane: Hashable = None, urgency: Any = None) -> Future[Any]:
        times = self._times(path)
        facts = FilmFacts(times, Fraction(len(times), FPS), 60, 40, "h264", False, "", ())
        return self._ask("facts", path, None, lane, facts)

    def frame(self, path: Path, index: int, *, lane: Hashable = None, urgency: Any = None) -> Future[Any]:
        time = self._times(path)[index]
        return self._ask("frame", path, time, lane, Frame(index, time, _pixels(40, 60)))

    def scrub(
        self, path: Path, t: Fraction, *, box: Any = None, lane: Hashable = None, urgency: Any = None
    ) -> Future[Any]:
        shown = t + 1 if self.key_frames_late else t
        return self._ask("scrub", path, t, lane, Frame(0, Fraction(shown), _pixels(40, 60), exact=False))

    def sound(
        self, path: Path, rate: int = 48_000, *, until: Any = None, lane: Hashable = None, urgency: Any = None
    ) -> Future[Any]:
        seconds = self.sounds.get(Path(path).name, 0.01)
        return self._ask("sound", path, until, lane, Sound(np.zeros((round(seconds * 48_000), 1), np.int16), 48_000))

    def frame_at(self, path: Path, t: Any, *, lane: Hashable = None, urgency: Any = None) -> Future[Any]:
        times = self._times(path)
        index = max(k for k, at in enumerate(times) if at <= t)
        return self._ask("frame_at", path, t, lane, Frame(index, times[index], _pixels(40, 60)))

    def full(self, path: Path, *, lane: Hashable = None, urgency: Any = None) -> Future[Any]:
        return self._ask("full", path, None, lane, Picture(_pixels(40, 60), 60, 40, 1.0))

    def peek_frame(self, path: Path, t: Any) -> Any:
        """The frame if it was asked for and answered: nothing is kept here."""
        times = self._times(path)
        at = max((time for time in times if time <= t), default=times[0])
        found = [a for a in self.of("frame") if a.path == Path(path) and a.at == at and a.future.done()]
        return found[-1].answer if found else None

    def let_go(self, path: Path, index: int) -> None:
        """A frame that was played."""
        self.left.append((Path(path), index))

    def cancel(self, lane: Hashable) -> None:
        self.cancelled.append(lane)
        for asked in self.every:
            if asked.lane == lane and not asked.future.done():
                asked.future.cancel()

    def shutdown(self) -> None:
        self.ended = True

    def of(self, *what: str) -> list[Asked]:
        """The requests of some kinds."""
        return [a for a in self.asked if a.what in what]


def _pixels(height: int, width: int) -> np.ndarray:
    pixels = np.full((height, width, 4), 255, np.uint8)
    pixels[..., 0] = np.arange(width, dtype=np.uint8)[None, :]
    pixels[..., 1] = np.arange(height, dtype=np.uint8)[:, None]
    return pixels
