"""Reading the benchmark's timestamps, which have no fixed format.

Accepted: seconds (`12.5`, `12.5s`, `12秒`), `MM:SS(.mmm)`, `HH:MM:SS(.mmm)`, full-width colons, ranges `A-B`, `A~B`,
`A–B`, and numbers. ISO dates are kept as text with no place on the video; so is anything else.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Literal

from annotator.domain.base import Value

TimeKind = Literal["seconds", "iso", "text", "none"]

_PLAIN: Final = re.compile(r"(?:(?:(\d+):)?(\d{1,2}|\d+):)?(\d+(?:\.\d+)?)\s*(?:s|秒)?", re.ASCII)
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?", re.ASCII)
_RANGE: Final = re.compile(r"\s*[-~–—～]\s*")


class Timestamp(Value):
    """A timestamp as it stood in the source and as it was understood.

    Attributes:
        raw: what stood there.
        start: seconds from the beginning of the clip, or None.
        end: seconds, for ranges only.
        kind: `seconds`, `iso` (a date: text only), `text` (not understood), `none` (nothing there).
    """

    raw: Any = None
    start: float | None = None
    end: float | None = None
    kind: TimeKind = "none"

    @property
    def start_exact(self) -> Fraction | None:
        """The start as a rational number of seconds, as it was written (`0.1` is one tenth)."""
        return None if self.start is None else exact(self.start)

    @property
    def end_exact(self) -> Fraction | None:
        """Where it ends: the end of a range; a single time is its own end."""
        value = self.start if self.end is None else self.end
        return None if value is None else exact(value)


def exact(seconds: float) -> Fraction:
    """The decimal number that a person wrote, as a fraction: the shortest decimal that reads back as this float."""
    return Fraction(repr(seconds))


def parse(raw: Any) -> Timestamp:
    """Read one timestamp; never fails, since what is not understood is kept as text."""
    if raw is None:
        return Timestamp()
    if isinstance(raw, bool) or not isinstance(raw, (int, float, str)):
        return Timestamp(raw=raw, kind="text")
    if isinstance(raw, (int, float)):
        if not math.isfinite(raw) or raw < 0:
            return Timestamp(raw=raw if math.isfinite(raw) else str(raw), kind="text")
        return Timestamp(raw=raw, start=float(raw), kind="seconds")
    text = raw.replace("：", ":").strip()
    if not text:
        return Timestamp(raw=raw)
    if _ISO.fullmatch(text):
        return Timestamp(raw=raw, kind="iso")
    single = _seconds(text)
    if single is not None:
        return Timestamp(raw=raw, start=single, kind="seconds")
    parts = _RANGE.split(text)
    if len(parts) == 2:
        start, end = _seconds(parts[0]), _seconds(parts[1])
        if start is not None and end is not None and start <= end:
            return Timestamp(raw=raw, start=start, end=end, kind="seconds")
    return Timestamp(raw=raw, kind="text")


@lru_cache(maxsize=4096)  # the same times come with every model that answered
def _seconds(text: str) -> float | None:
    match = _PLAIN.fullmatch(text.strip())
    if match is None:
        return None
    hours, minutes, seconds = match.groups()
    value = Fraction(seconds)
    if minutes is not None and value >= 60:
        return None
    if hours is not None and int(minutes) >= 60:
        return None
    return float(value + 60 * int(minutes or 0) + 3600 * int(hours or 0))


def clock(seconds: Fraction | float, decimals: int = 3) -> str:
    """`MM:SS.mmm` (or `H:MM:SS.mmm` from an hour on), rounded down so that a time shown was really reached."""
    unit = 10**decimals
    ticks = int(Fraction(seconds) * unit)
    whole, part = divmod(ticks, unit)
    minutes, sec = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    head = f"{hours}:{minutes:02d}:{sec:02d}" if hours else f"{minutes:02d}:{sec:02d}"
    return f"{head}.{part:0{decimals}d}" if decimals else head
