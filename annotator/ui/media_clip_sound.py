"""The sound of the clip on the stage, in step with its pictures: the sound's own position is the clock.

A device plays at its own rate, which is never quite that of the wall clock; pictures that followed the wall would drift
away from what is heard. So while sound is heard, its position says which frame is due. Only what lies inside the gate
is decoded. Away from the usual speed there is no sound: it would no longer sound like what was recorded.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject

from annotator.ui.media_gate import Permit
from annotator.ui.media_loader import MediaLoader
from annotator.ui.player import SoundPlayer

# Devices tell their position in steps; between two of them the wall clock goes on, so far and no farther.
_BETWEEN_S = 0.08
_LEAST_S = Fraction(1, 20)


class Player(Protocol):
    """What plays samples and tells how far it is; a device, or a test's own."""

    @property
    def on(self) -> bool:
        """Whether it is playing."""

    def play(self, pcm: Any, rate: int) -> bool:
        """Play int16 samples (samples, channels); False without a device."""

    def position(self) -> float:
        """Seconds heard since it began."""

    def stop(self) -> None:
        """Be silent."""


class SoundClock:
    """A player's position made smooth: it never runs back, and a step of the device is no jump of the picture."""

    def __init__(self, player: Player, wall: Callable[[], float]) -> None:
        """`wall` gives seconds."""
        self._player, self._wall = player, wall
        self._told = self._since = self._last = 0.0

    def restart(self) -> None:
        """A new sound begins."""
        self._told, self._since, self._last = 0.0, self._wall(), 0.0

    def seconds(self) -> float:
        """Seconds heard since the sound began."""
        told = self._player.position()
        if told != self._told:
            self._told, self._since = told, self._wall()
        if self._told > 0:
            self._last = max(self._last, self._told + min(self._wall() - self._since, _BETWEEN_S))
        return self._last


class ClipSound(QObject):
    """Plays the sound track of one clip from any instant, within what a permit allows."""

    def __init__(
        self,
        loader: MediaLoader,
        player: Player | None = None,
        wall: Callable[[], float] = time.perf_counter,
        parent: QObject | None = None,
    ) -> None:
        """Silent; the track is decoded when it is first played."""
        super().__init__(parent)
        self._loader = loader
        self.player: Player = player if player is not None else SoundPlayer(self)
        self._clock = SoundClock(self.player, wall)
        self.muted = False
        self._key: tuple[Path, Fraction | None] | None = None
        self._sound: Any = None
        self._base = Fraction(0)

    def prepare(self, permit: Permit, then: Callable[[], None]) -> None:
        """Have the permitted part of a clip's track decoded; `then` follows if it has one that can be heard."""
        facts = self._loader.facts_of(permit.path)
        key = (permit.path, permit.until)
        if self.muted or facts is None or key == self._key:
            return
        self._key, self._sound = key, None
        until = None if permit.until is None else permit.until + facts.start

        def home(sound: Any) -> None:
            self._sound = sound
            then()

        self._loader.errands.run(
            "clip-sound",
            lambda lane: self._loader.service.sound(permit.path, until=until, lane=lane),
            None,
            home,
            lambda _error: None,  # a clip without sound, or with one that cannot be decoded, plays silently
        )

    def begin(self, permit: Permit, at: Fraction, end: Fraction | None = None) -> bool:
        """Be heard from `at` (to `end`, at most to the permit's limit); False where there is nothing to hear."""
        self.player.stop()
        facts, sound = self._loader.facts_of(permit.path), self._sound
        if self.muted or facts is None or sound is None or self._key != (permit.path, permit.until):
            return False
        rate = sound.rate
        limits = [x for x in (end, permit.until) if x is not None]
        offset = facts.start - sound.start
        first = int((at + offset) * rate)
        last = sound.pcm.shape[0] if not limits else min(sound.pcm.shape[0], int((min(limits) + offset) * rate))
        if last - max(0, first) < int(_LEAST_S * rate):
            return False
        pcm = sound.pcm[max(0, first) : last]
        if first < 0:
            pcm = _padded(pcm, -first)
        self._clock.restart()
        if not self.player.play(pcm, rate):
            return False
        self._base = at
        return True

    def now(self) -> Fraction | None:
        """The clip's instant that is heard now; None while there is nothing to go by."""
        if not self.player.on:
            return None
        return self._base + Fraction(self._clock.seconds()).limit_denominator(1_000_000)

    def stop(self) -> None:
        """Be silent."""
        self.player.stop()

    def forget(self) -> None:
        """Another dialogue or turn: what was decoded is another's."""
        self.player.stop()
        self._loader.errands.give_up("clip-sound")
        self._key = self._sound = None


def _padded(pcm: Any, samples: int) -> Any:
    """Silence before the first sample: a track that begins after the picture."""
    import numpy as np

    return np.concatenate([np.zeros((samples, pcm.shape[1]), pcm.dtype), pcm])
