"""Clocks that differ: seen and told, and of no other consequence, since nothing is ever decided by time."""

from __future__ import annotations

from typing import Final

from annotator.sync.bundle import Header

LIMIT_S: Final = 300.0


def skew_of(header: Header, modified: float, now: float) -> float:
    """How many seconds a bundle's writer is ahead of the clocks around it; 0 where nothing can be said.

    The writer itself saw how far the folder's clock was ahead of its own. Where it could not, a bundle written after
    its own file was last changed, or in this device's future, gives a clock that is ahead away. One that seems older
    than its file says nothing: the file may have been copied later.
    """
    if header.skew_s is not None and abs(header.skew_s) > LIMIT_S:
        return -header.skew_s
    ahead = header.written_at - max(modified, now)
    return ahead if ahead > LIMIT_S else 0.0


def sentence_about(who: str, ahead_s: float) -> str:
    """What a person is told about a clock that is wrong."""
    way = "ahead of" if ahead_s > 0 else "behind"
    return (
        f"The clock of {who} is {_span(abs(ahead_s))} {way} the others: set it right; its labels count all the same, "
        "only the times shown beside them are wrong."
    )


def _span(seconds: float) -> str:
    if seconds >= 2 * 86400:
        return f"{seconds / 86400:.0f} days"
    if seconds >= 5400:
        return f"{seconds / 3600:.0f} hours"
    return f"{seconds / 60:.0f} minutes"
