"""One line of the table of measurements, and how numbers are put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measurement beside its target.

    Attributes:
        what: what was done, in words.
        measured: the number that is compared with the target; `unit` belongs to it.
        target: the most it may be, None where there is none.
        beside: the floor or peer measured in the same run, in words with its number, "" where there is none.
        note: spread, size of the work.
        why: what bounds it, told where the target is missed.
    """

    what: str
    measured: float
    unit: str
    target: float | None = None
    beside: str = ""
    note: str = ""
    why: str = ""

    @property
    def missed(self) -> bool:
        """Whether the target is not met."""
        return self.target is not None and self.measured > self.target

    def cells(self) -> tuple[str, str, str, str, str, str]:
        """The row as printed: what, target, measured, whether it is met, beside, note."""
        target = "" if self.target is None else f"<= {number(self.target)} {self.unit}"
        verdict = "" if self.target is None else "**missed**" if self.missed else "met"
        return self.what, target, f"{number(self.measured)} {self.unit}", verdict, self.beside, self.note


def number(value: float) -> str:
    """Three significant digits, without an exponent."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def quantile(values: Sequence[float], part: float) -> float:
    """The smallest value that is not exceeded by `part` of them (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, -(-int(part * 1000) * len(ordered) // 1000) - 1))]
