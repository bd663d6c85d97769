"""The as-of gate: which evidence a turn may see, and where on the strip it lies.

Evidence order is turn order. Where turns have clips of their own, turn k sees clips 0..k whole; where turns share one
clip, turn k sees it up to the end of its timestamp range. A single time is its own end; a turn's segment begins where
the one before ends, the first at 0. An unreadable timestamp opens the whole clip, and says so. Images open one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from annotator.domain.items import Asset, Modality, Turn


@dataclass(frozen=True, slots=True)
class Stop:
    """One clip or image on the evidence strip.

    Attributes:
        asset: the file (the first turn's record of it).
        turns: the turns whose evidence it is, ascending.
        shared: a clip that several turns share, so that timestamps place the turns inside it.
    """

    asset: Asset
    turns: tuple[int, ...]
    shared: bool


@dataclass(frozen=True, slots=True)
class Opening:
    """What of one stop may be seen: all of it (`until` None), or up to and including the instant `until`.

    Attributes:
        open: whether anything of it may be seen.
        until: seconds from its start, for a shared clip.
        unread: the turn's timestamp could not be read, so the whole clip is open.
    """

    open: bool
    until: Fraction | None = None
    unread: bool = False

    def allows(self, at: Fraction) -> bool:
        """Whether the instant `at` (seconds from the stop's start) may be shown."""
        return self.open and (self.until is None or at <= self.until)


@dataclass(frozen=True, slots=True)
class Segment:
    """Where a turn lies inside a stop: from `start` to `end` (None = to the stop's own end), in seconds."""

    stop: int
    start: Fraction
    end: Fraction | None


class Strip:
    """The evidence of a dialogue laid end to end, with the gate of each turn."""

    def __init__(self, modality: Modality, turns: Sequence[Turn]) -> None:
        """Lay out the stops: distinct files in the order of the first turn that reveals them."""
        self.modality = modality
        self._turns = tuple(turns)
        order: dict[str, list[int]] = {}
        assets: dict[str, Asset] = {}
        for turn in self._turns:
            for position, asset in enumerate(turn.evidence):
                # A file that is not there has no path to be equal by: its raw text stands for it.
                name = asset.inside or asset.raw or f"\x00{turn.index}:{position}"
                assets.setdefault(name, asset)
                held = order.setdefault(name, [])
                if turn.index not in held:
                    held.append(turn.index)
        self.stops: tuple[Stop, ...] = tuple(
            Stop(assets[name], tuple(held), modality == "video" and len(held) > 1) for name, held in order.items()
        )

    def stops_of(self, turn: int) -> tuple[int, ...]:
        """The stops that this turn reveals."""
        return tuple(i for i, stop in enumerate(self.stops) if turn in stop.turns)

    def opening(self, stop: int, turn: int | None) -> Opening:
        """What of `stop` may be seen while `turn` is open (None = the session view: everything)."""
        held = self.stops[stop]
        if turn is None:
            return Opening(open=True)
        seen = [k for k in held.turns if k <= turn]
        if not seen:
            return Opening(open=False)
        if not held.shared:
            return Opening(open=True)
        last = self._turns[seen[-1]].timestamp.end_exact
        if last is None:
            return Opening(open=True, unread=True)
        ends = [e for k in seen if (e := self._turns[k].timestamp.end_exact) is not None]
        return Opening(open=True, until=max(ends))

    def segment(self, turn: int, stop: int | None = None) -> Segment | None:
        """The part of a stop that is this turn's own (its last stop unless one is named); None without evidence."""
        mine = self.stops_of(turn)
        if not mine:
            return None
        index = mine[-1] if stop is None else stop
        held = self.stops[index]
        if not held.shared:
            return Segment(index, Fraction(0), None)
        earlier = [e for k in held.turns if k < turn and (e := self._turns[k].timestamp.end_exact) is not None]
        end = self._turns[turn].timestamp.end_exact
        start = max(earlier, default=Fraction(0))
        return Segment(index, min(start, end) if end is not None else start, end)
