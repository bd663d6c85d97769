"""The as-of gate in the window: the one place that says whether a piece of evidence may be asked for.

Nobody in the window asks the media engine for a picture, a frame, a thumbnail or a crop by its path. They ask the gate
for a `Permit`, and the loader takes permits only. So seeking, stepping, dragging, typing, thumbnails, loupe and export
all meet the same rule, and none can forget it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Literal

from annotator.domain.gate import Opening, Segment, Stop, Strip
from annotator.domain.items import Asset
from annotator.workspace.views import asset_path

What = Literal["image", "frame"]
_OPEN = Opening(open=True)


@dataclass(frozen=True, slots=True)
class Permit:
    """Leave to show one piece of evidence; made by `EvidenceGate` alone.

    Attributes:
        stop: the place on the strip (-1 for files beside the strip).
        path: the local file.
        what: a still picture, or a frame of a clip.
        until: the latest instant that may be shown, in seconds from the clip's start (None = all of it).
        at: the instant asked for; None = the last frame that may be shown.
    """

    stop: int
    path: Path
    what: What
    until: Fraction | None = None
    at: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """What was not given, for the hint and for the peek event."""

    turn: int
    stop: int
    at: Fraction | None = None

    def facts(self) -> dict[str, object]:
        """The value of a `peek` event: what the person asked to see before its time."""
        return {"turn": self.turn, "stop": self.stop, "at": None if self.at is None else float(self.at)}


@dataclass(slots=True)
class EvidenceGate:
    """What of a dialogue's evidence is open while a turn is (None = the session view, where everything is).

    A gate is made shut (`turn` -1): until a turn is opened nothing can be asked for.

    Attributes:
        strip: the evidence in order.
        turn: the open turn.
        peeking: a logged peek lifts the gate until the turn changes.
        refused: the last thing that was not given.
    """

    strip: Strip
    turn: int | None = -1
    peeking: bool = False
    refused: Refusal | None = field(default=None)
    _openings: dict[int, Opening] = field(default_factory=dict, repr=False)

    def open_turn(self, turn: int | None) -> None:
        """Another turn is open: its own gate holds, and a peek is over."""
        self._openings.clear()
        self.turn = turn
        self.peeking = False
        self.refused = None

    def open_peek(self) -> None:
        """The peek was logged: everything may be seen until the turn changes."""
        self.peeking = True

    # ---------------------------------------------------------------------------------------------------- what is open
    def opening(self, stop: int) -> Opening:
        """What of a stop may be seen now."""
        if self.peeking:
            return _OPEN
        found = self._openings.get(stop)
        if found is None:
            # Asked for every pixel of a drag; the exact times behind it are worth remembering.
            found = self._openings[stop] = self.strip.opening(stop, self.turn)
        return found

    def limit(self, stop: int) -> Fraction | None:
        """The latest instant of a stop that may be shown; None = all of it (if it is open at all)."""
        return self.opening(stop).until

    def allows(self, stop: int, at: Fraction | None = None) -> bool:
        """Whether a stop, and the instant `at` in it, may be shown."""
        if not 0 <= stop < len(self.strip.stops):
            return False
        opening = self.opening(stop)
        return opening.open if at is None else opening.allows(at)

    def allows_turn(self, turn: int) -> bool:
        """Whether what belongs to a turn itself (the frames a model was given) may be shown."""
        return 0 <= turn and (self.turn is None or self.peeking or turn <= self.turn)

    def locked(self) -> bool:
        """Whether anything of the dialogue is still shut."""
        return any(not (o := self.opening(i)).open or o.until is not None for i in range(len(self.strip.stops)))

    def landing(self, turn: int | None = None) -> Segment | None:
        """The segment whose end is shown when a turn is opened (the open turn, or the last one in the session view)."""
        wanted = turn if turn is not None else self.turn
        if wanted is None:
            last = len(self.strip.stops) - 1
            return self.strip.segment(self.strip.stops[last].turns[-1]) if last >= 0 else None
        return self.strip.segment(wanted)

    # -------------------------------------------------------------------------------------------------------- permits
    def permit(self, stop: int, at: Fraction | None = None) -> Permit | None:
        """Leave to show `at` of a stop (None: its last open frame, or the picture); None where it is shut or not there.

        A refusal by the gate is kept in `refused`; a file that is not there is no refusal.
        """
        if not 0 <= stop < len(self.strip.stops):
            return None
        if not self.allows(stop, at):
            if self.turn is not None:
                self.refused = Refusal(self.turn, stop, at)
            return None
        return self._made(self.strip.stops[stop], stop, at, self.opening(stop).until)

    def warm_permit(self, turn: int) -> Permit | None:
        """Leave to prepare (never to show) what a neighbouring turn opens with; the engine's cache keeps it to itself.

        It carries the neighbour's own limit, so that nothing beyond that turn's gate is prepared either. An earlier
        turn with an unreadable time sees more than the open one: nothing is prepared for it.
        """
        segment = self.strip.segment(turn)
        if segment is None:
            return None
        opening = self.strip.opening(segment.stop, turn)
        if not opening.open:
            return None
        mine = self.opening(segment.stop).until
        if self.turn is not None and turn < self.turn and mine is not None:
            if opening.until is None or opening.until > mine:
                return None
        return self._made(self.strip.stops[segment.stop], segment.stop, segment.end, opening.until)

    def given_permit(self, turn: int, asset: Asset) -> Permit | None:
        """Leave to show a frame that a model was given at a turn; None while that turn is shut, or without a file."""
        path = asset_path(asset)
        return Permit(-1, path, "image") if path is not None and self.allows_turn(turn) else None

    def _made(self, stop: Stop, index: int, at: Fraction | None, until: Fraction | None) -> Permit | None:
        path = asset_path(stop.asset)
        if path is None:
            return None
        return Permit(index, path, "frame" if is_clip(self.strip, stop.asset) else "image", until, at)


def is_clip(strip: Strip, asset: Asset) -> bool:
    """Whether an asset of this strip is shown by time rather than as one picture."""
    return asset.role == "clip" and strip.modality == "video"
