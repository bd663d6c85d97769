"""Steps along the evidence: frames, seconds, pictures, the ends of a segment; each asks the session to go there."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, SignalInstance

from annotator.ui.media_gate import EvidenceGate

if TYPE_CHECKING:
    from annotator.media.service import FilmFacts

_ZERO = Fraction(0)


class Steps(QObject):
    """What a session can do once it can go to an instant; the session itself says how it goes there."""

    gate: EvidenceGate
    refused: SignalInstance
    stop: int | None
    index: int | None
    _wanted: int | None

    def go(self, stop: int, at: Fraction | None = None, *, fresh: bool = False, quick: bool = False) -> bool:
        """Show an instant of a stop."""
        raise AssertionError("a session says how it goes somewhere")

    def go_index(self, index: int) -> bool:
        """Show a frame of the clip on the stage."""
        raise AssertionError("a session says how it goes somewhere")

    def film(self) -> FilmFacts | None:
        """The facts of the clip on the stage."""
        raise AssertionError("a session knows its clip")

    def bounds(self) -> tuple[int, Fraction, Fraction | None] | None:
        """Stop, start and end of the open turn's segment."""
        raise AssertionError("a session knows its turn")

    def _is_film(self) -> bool:
        raise AssertionError("a session knows its stage")

    def step_frames(self, count: int) -> bool:
        """Frames on or back from the one last asked for; in an image dialogue, pictures."""
        facts = self.film()
        if facts is None:
            return False if self._is_film() else self._step_pictures(count)
        base = self._wanted if self._wanted is not None else self.index
        if base is None or self.stop is None:
            return False
        index = min(max(0, base + count), len(facts.times) - 1)
        if index == base:
            return False
        return self.go_index(index)

    def step_seconds(self, seconds: int) -> bool:
        """A second on or back; at the gate and at the ends it stops there."""
        facts = self.film()
        base = self._wanted if self._wanted is not None else self.index
        if facts is None or base is None or self.stop is None:
            return False
        at = min(max(_ZERO, facts.times[base] + seconds), facts.times[-1])
        limit = self.gate.limit(self.stop)
        if limit is not None and at > limit:
            if facts.index_at(limit) == base:
                self.gate.permit(self.stop, at)
                self.refused.emit()
                return False
            at = limit
        index = facts.index_at(at)
        return index != base and self.go_index(index)

    def segment_start(self) -> bool:
        """The first frame of the open turn's segment (of the whole clip in the session view)."""
        bounds = self.bounds()
        return bounds is not None and self.go(bounds[0], bounds[1])

    def segment_end(self) -> bool:
        """The last frame of the open turn's segment."""
        bounds = self.bounds()
        return bounds is not None and self.go(bounds[0], bounds[2])

    def _step_pictures(self, count: int) -> bool:
        """From a turn without a picture of its own, back leads to the last one that is open."""
        here = self.stop
        if here is None:
            here = sum(self.gate.allows(i) for i in range(len(self.gate.strip.stops)))
            count = min(count, 0)
        wanted = here + count
        return self.go(wanted) if wanted != self.stop and 0 <= wanted < len(self.gate.strip.stops) else False
