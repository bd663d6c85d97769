"""What of a dialogue's media a person has had before their eyes: facts beside the labels, held against nobody."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from PySide6.QtCore import QRectF, QSizeF

GRID = 24


@dataclass(slots=True)
class SeenMap:
    """Which parts of one picture were shown at 100 % or more: a grid of `GRID` x `GRID` cells as bits."""

    bits: int = 0

    def mark(self, visible: QRectF, picture: QSizeF) -> bool:
        """Add what is visible (picture pixels); whether anything is new. A cell counts when its middle was in view."""
        if picture.isEmpty() or visible.isEmpty():
            return False
        columns = _covered(visible.left() / picture.width(), visible.right() / picture.width())
        rows = _covered(visible.top() / picture.height(), visible.bottom() / picture.height())
        row_bits = sum(1 << column for column in columns)
        added = 0
        for row in rows:
            added |= row_bits << (row * GRID)
        new = added & ~self.bits
        self.bits |= added
        return bool(new)

    def share(self) -> float:
        """The share of the picture that was seen at full size, 0 to 1."""
        return self.bits.bit_count() / (GRID * GRID)


def _covered(low: float, high: float) -> range:
    """The cells whose middle lies between two shares of the picture's side."""
    first = max(0, int(-(-(low * GRID - 0.5) // 1)))
    last = min(GRID - 1, int((high * GRID - 0.5) // 1))
    return range(first, last + 1)


@dataclass(slots=True)
class Watched:
    """Which parts of one clip were shown while playing or stepping, as seconds: sorted, disjoint intervals."""

    spans: list[tuple[Fraction, Fraction]] = field(default_factory=list)

    def add(self, start: Fraction, end: Fraction) -> None:
        """Add an interval."""
        if end <= start:
            return
        merged: list[tuple[Fraction, Fraction]] = []
        for low, high in sorted([*self.spans, (start, end)]):
            if merged and low <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(merged[-1][1], high))
            else:
                merged.append((low, high))
        self.spans = merged

    def share(self, start: Fraction, end: Fraction) -> float:
        """The share of an interval that was shown, 0 to 1."""
        if end <= start:
            return 0.0
        seen = sum((min(h, end) - max(low, start) for low, h in self.spans if h > start and low < end), Fraction(0))
        return float(seen / (end - start))


@dataclass(slots=True)
class ViewingFacts:
    """The viewing facts of one dialogue, by stop of its evidence strip."""

    opened: set[int] = field(default_factory=set)
    seen: dict[int, SeenMap] = field(default_factory=dict)
    watched: dict[int, Watched] = field(default_factory=dict)

    def seen_map(self, stop: int) -> SeenMap:
        """The map of a stop, made at first use."""
        return self.seen.setdefault(stop, SeenMap())

    def watch(self, stop: int) -> Watched:
        """The watched intervals of a stop, made at first use."""
        return self.watched.setdefault(stop, Watched())

    def value(self, stops: tuple[int, ...], span: tuple[Fraction, Fraction] | None) -> dict[str, float]:
        """The value of a `viewing` label over the stops of a turn: shares from 0 to 1.

        `span` is the turn's own segment of its last stop, for clips; `played` is 0 where there is none.
        """
        if not stops:
            return {"opened": 0.0, "played": 0.0, "seen_full": 0.0}
        count = len(stops)
        played = self.watched[stops[-1]].share(*span) if span is not None and stops[-1] in self.watched else 0.0
        return {
            "opened": round(sum(s in self.opened for s in stops) / count, 4),
            "played": round(played, 4),
            "seen_full": round(sum(self.seen[s].share() for s in stops if s in self.seen) / count, 4),
        }
