"""Counting how often intervals hold the truth: one line of a coverage table for each kind of interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

BAND = (0.93, 0.97)


class Interval(Protocol):
    """A value with its interval."""

    @property
    def value(self) -> Any:
        """The value."""

    @property
    def low(self) -> Any:
        """The lower end."""

    @property
    def high(self) -> Any:
        """The upper end."""

    @property
    def why(self) -> str | None:
        """Why there is none."""


@dataclass
class Tally:
    """How often one interval held the truth, how wide it was, how far its centre was off."""

    made: int = 0
    held: int = 0
    below: int = 0
    width: float = 0.0
    off: float = 0.0

    def add(self, figure: Interval, true: float) -> None:
        low, high, value = figure.low, figure.high, figure.value
        assert isinstance(low, float) and isinstance(high, float) and isinstance(value, float), figure.why
        self.made += 1
        self.held += low <= true <= high
        self.below += true < low
        self.width += high - low
        self.off += value - true

    def row(self, name: str) -> str:
        share = self.held / self.made
        error = math.sqrt(share * (1 - share) / self.made)
        missed = (self.below / self.made, (self.made - self.held - self.below) / self.made)
        sides = f"{missed[0]:.1%} / {missed[1]:.1%}"
        means = f"{self.width / self.made:.3f} | {self.off / self.made:+.4f}"
        return f"| {name} | {share:.1%} | {error:.1%} | {sides} | {means} |"


HEAD = """| interval | holds the truth | Monte Carlo error | truth below / above | mean width | mean error of value |
|---|---|---|---|---|---|"""
