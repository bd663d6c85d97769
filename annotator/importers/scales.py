"""Telling that a judge used another scale than 1-5, and mapping it once somebody has said so."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from annotator.domain.rubric import SCALE

# Scales met in the wild, narrowest first: the first that holds every value is the one suspected.
_CANDIDATES: Final = (
    (0.0, 1.0),
    (-1.0, 1.0),
    (0.0, 4.0),
    (0.0, 5.0),
    (1.0, 7.0),
    (1.0, 10.0),
    (0.0, 10.0),
    (0.0, 100.0),
)
_FEWEST: Final = 3
_SHARE: Final = 0.1


@dataclass(slots=True)
class Tally:
    """The values one judge gave, counted; few distinct values, so small however many records there are."""

    counts: Counter[float] = field(default_factory=Counter)

    def add(self, values: tuple[float, ...]) -> None:
        """Count more values."""
        self.counts.update(values)

    def remove(self, values: tuple[float, ...]) -> None:
        """Take values back: a later record took the place of theirs."""
        self.counts.subtract(values)
        self.counts = +self.counts

    def suspect(self) -> tuple[float, float] | None:
        """The (low, high) of the scale these values look like; None where 1-5 fits or too little is known.

        A stray value outside 1-5 is a mistake, not a scale: at least three values, two of them outside 1-5, and a tenth
        of all.
        """
        total = self.counts.total()
        low, high = float(SCALE[0]), float(SCALE[-1])
        outside = sum(n for v, n in self.counts.items() if not low <= v <= high)
        if total < _FEWEST or outside < 2 or outside < _SHARE * total:
            return None
        least, most = min(self.counts), max(self.counts)
        return next(((a, b) for a, b in _CANDIDATES if a <= least and most <= b), None)

    def shown(self) -> str:
        """The values as a short list for a sentence."""
        values = [f"{v:g}" for v in sorted(self.counts)]
        return ", ".join(values if len(values) <= 8 else [*values[:4], "…", *values[-3:]])


def nearest(value: float, low: float, high: float) -> int:
    """A value of the scale `low`-`high`, mapped linearly to 1-5 and rounded to the nearest score (halves up)."""
    span = SCALE[-1] - SCALE[0]
    # Nine decimals are more than any judge writes: what binary fractions add beyond them must not decide a half.
    place = round(SCALE[0] + (value - low) * span / (high - low), 9)
    return min(SCALE[-1], max(SCALE[0], math.floor(place + 0.5)))
