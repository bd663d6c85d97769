"""Where things lie on the evidence strip: clips end to end along one time axis, or pictures as cells of equal width.

Positions along the strip are pixels of the strip's own area (without the label column), before scrolling. A turn always
has a place: where its time cannot be read, or leaves no room, its block stands in order beside its neighbours.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from annotator.domain.gate import Segment, Strip
from annotator.domain.items import Turn
from annotator.ui.media_gate import EvidenceGate

BLOCK_MIN_PX = 22.0
CELL_MIN_PX = 44.0
ZOOM_MAX = 64.0
_GUESS = Fraction(10)


@dataclass(frozen=True, slots=True)
class TurnMark:
    """What the strip shows of one turn.

    Attributes:
        scores: its dimensions in rubric order, for the spark.
        spoken: the question is spoken.
    """

    scores: tuple[Any, ...] = ()
    spoken: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A turn's block: from `left` to `right`; `placed` tells whether a readable time put it there."""

    turn: int
    left: float
    right: float
    placed: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """One picture of an image dialogue: the turn that reveals it, and its stop (None: a turn without a picture)."""

    turn: int
    stop: int | None
    first: bool


@dataclass(frozen=True, slots=True)
class PinMark:
    """An evidence pin on the strip: which label it is, and where (no instant for pictures)."""

    target: str
    field: str
    stop: int
    at: Fraction | None


@dataclass(slots=True)
class Scene:
    """Everything the strip shows; plain values, changed by the panel and painted by the widget.

    Attributes:
        gate: what is open.
        turns: the turns as shown.
        marks: by turn.
        names: the stops' file names, veiled.
        durations: by stop, where known; guesses stand in until then.
        current: the open turn, None in the session view.
        playhead: (stop, seconds) of what is on the stage.
        sizes: megapixels by stop, for pictures that are open.
        seen: by stop, the share seen at full size.
        pins: evidence on what is open.
    """

    gate: EvidenceGate
    turns: tuple[Turn, ...] = ()
    marks: tuple[TurnMark, ...] = ()
    names: tuple[str, ...] = ()
    durations: dict[int, Fraction] = field(default_factory=dict)
    current: int | None = None
    playhead: tuple[int, Fraction] | None = None
    sizes: dict[int, float] = field(default_factory=dict)
    seen: dict[int, float] = field(default_factory=dict)
    pins: tuple[PinMark, ...] = ()
    _segments: dict[int, Segment | None] = field(default_factory=dict, repr=False)

    def segment(self, turn: int) -> Segment | None:
        """A turn's own part of its stop; it never changes, so it is worked out once."""
        if turn not in self._segments:
            self._segments[turn] = self.strip.segment(turn)
        return self._segments[turn]

    @property
    def strip(self) -> Strip:
        """The evidence."""
        return self.gate.strip

    @property
    def is_video(self) -> bool:
        """Whether the axis is time."""
        return self.strip.modality == "video"

    def duration(self, stop: int) -> Fraction:
        """How long a clip is; until that is known, a little longer than its last readable timestamp."""
        known = self.durations.get(stop)
        if known is not None and known > 0:
            return known
        ends = [e for k in self.strip.stops[stop].turns if (e := self.turns[k].timestamp.end_exact) is not None]
        if self.strip.stops[stop].shared and ends and max(ends) > 0:
            return max(ends) * Fraction(21, 20)
        return _GUESS


class Axis:
    """A scene laid out over a width: seconds to pixels and back, turn blocks, picture cells."""

    def __init__(self, scene: Scene, width: float, zoom: float = 1.0) -> None:
        """Lay the scene over `width` px times `zoom`."""
        self.scene = scene
        self.cells = _cells(scene.strip, len(scene.turns)) if not scene.is_video else ()
        self.width = max(1.0, width) * max(1.0, zoom)
        if self.cells:
            self.width = max(self.width, CELL_MIN_PX * len(self.cells))
        starts = [Fraction(0)]
        for stop in range(len(scene.strip.stops)):
            starts.append(starts[-1] + scene.duration(stop))
        self._starts = starts
        self.total = starts[-1] if starts[-1] > 0 else Fraction(1)
        self.blocks = self._cell_blocks() if self.cells or not scene.is_video else self._turn_blocks()

    # ------------------------------------------------------------------------------------------------- time and place
    def seconds_to_x(self, seconds: Fraction) -> float:
        """Seconds from the strip's start to pixels."""
        return float(seconds / self.total) * self.width

    def x_of(self, stop: int, at: Fraction) -> float:
        """Where an instant of a stop lies."""
        # The next stop's start bounds it: asking the scene for the length again would walk all its turns.
        return self.seconds_to_x(min(self._starts[stop] + max(at, Fraction(0)), self._starts[stop + 1]))

    def span_of(self, stop: int) -> tuple[float, float]:
        """Where a stop begins and ends; for pictures, its first cell."""
        for number, cell in enumerate(self.cells):
            if cell.stop == stop:
                return number * self.cell_width, (number + 1) * self.cell_width
        if not self.scene.is_video:
            return 0.0, 0.0
        return self.seconds_to_x(self._starts[stop]), self.seconds_to_x(self._starts[stop + 1])

    def place_at(self, x: float) -> tuple[int, Fraction] | None:
        """The stop and the instant under a pixel; None beside the strip."""
        if not 0 <= x <= self.width:
            return None
        if self.cells:
            cell = self.cells[min(len(self.cells) - 1, int(x / self.cell_width))]
            return None if cell.stop is None else (cell.stop, Fraction(0))
        if not self.scene.strip.stops or not self.scene.is_video:
            return None
        # Thousandths are finer than any pixel, and keep the numbers small.
        seconds = Fraction(round(x / self.width * float(self.total) * 1000), 1000)
        stop = min(max(0, bisect_right(self._starts, seconds) - 1), len(self.scene.strip.stops) - 1)
        return stop, min(seconds - self._starts[stop], self.scene.duration(stop))

    def start_of(self, stop: int) -> Fraction:
        """Seconds from the strip's start to a stop's start."""
        return self._starts[stop]

    @property
    def cell_width(self) -> float:
        """Width of one picture cell."""
        return self.width / max(1, len(self.cells))

    def turn_at(self, x: float) -> int | None:
        """The turn whose block lies under a pixel."""
        return next((b.turn for b in self.blocks if b.left <= x < b.right), None)

    def shut(self) -> list[tuple[float, float]]:
        """The parts of the strip that the gate keeps shut, as pixel intervals."""
        found: list[tuple[float, float]] = []
        for stop in range(len(self.scene.strip.stops)):
            left, right = self.span_of(stop)
            opening = self.scene.gate.opening(stop)
            if not opening.open:
                found.append((left, right))
            elif opening.until is not None and self.scene.is_video:
                edge = self.x_of(stop, opening.until)
                if edge < right:
                    found.append((edge, right))
        return _joined(found)

    def gate_x(self) -> float | None:
        """Where the gate stands: the end of what the open turn may see of its own stop; None where nothing is shut."""
        shut = self.shut()
        if self.scene.current is None or not shut or not self.scene.is_video:
            return None
        segment = self.scene.gate.landing(self.scene.current)
        if segment is None:
            return shut[0][0]
        opening = self.scene.gate.opening(segment.stop)
        return self.x_of(segment.stop, opening.until) if opening.until is not None else self.span_of(segment.stop)[1]

    # --------------------------------------------------------------------------------------------------------- blocks
    def _cell_blocks(self) -> tuple[Block, ...]:
        if not self.cells:
            return tuple(
                Block(k, k * self.width / len(self.scene.turns), (k + 1) * self.width / len(self.scene.turns), False)
                for k in range(len(self.scene.turns))
            )
        width = self.cell_width
        return tuple(Block(c.turn, i * width, (i + 1) * width) for i, c in enumerate(self.cells))

    def _turn_blocks(self) -> tuple[Block, ...]:
        wanted: list[tuple[float, float, bool]] = []
        cursor = 0.0
        for turn in range(len(self.scene.turns)):
            left, right, placed = self._wanted(turn, cursor)
            wanted.append((left, right, placed))
            cursor = right
        return _in_order(wanted, self.width)

    def _wanted(self, turn: int, cursor: float) -> tuple[float, float, bool]:
        """Where a turn would stand by its own segment; behind its predecessor where it has no place."""
        segment = self.scene.segment(turn)
        if segment is None:
            return cursor, cursor, False
        held = self.scene.strip.stops[segment.stop]
        if held.shared and segment.end is None:
            return cursor, cursor, False
        end = segment.end if segment.end is not None else self.scene.duration(segment.stop)
        first = min(self.scene.strip.stops_of(turn))
        start = self.x_of(segment.stop, segment.start) if held.shared else self.span_of(first)[0]
        left, right = max(start, cursor), self.x_of(segment.stop, end)
        return (left, right, True) if right > left else (cursor, cursor, False)


def _cells(strip: Strip, turns: int) -> tuple[Cell, ...]:
    found: list[Cell] = []
    for turn in range(turns):
        stops: tuple[int | None, ...] = strip.stops_of(turn) or (None,)
        found += [Cell(turn, stop, place == 0) for place, stop in enumerate(stops)]
    return tuple(found)


def _in_order(wanted: Sequence[tuple[float, float, bool]], width: float) -> tuple[Block, ...]:
    """Blocks in turn order, each at least as wide as a number needs, none beyond the end.

    Narrow blocks take room from their neighbours to the right; what would leave the strip is pushed back left.
    """
    least = min(BLOCK_MIN_PX, width / max(1, len(wanted)))
    edges: list[tuple[float, float]] = []
    cursor = 0.0
    for left, right, _ in wanted:
        start = max(left, cursor)
        cursor = max(right, start + least)
        edges.append((start, cursor))
    limit = width
    for i in range(len(edges) - 1, -1, -1):
        left, right = edges[i]
        right = min(right, limit)
        left = min(left, right - least)
        edges[i] = (max(0.0, left), right)
        limit = edges[i][0]
    return tuple(Block(i, left, right, wanted[i][2]) for i, (left, right) in enumerate(edges))


def _joined(parts: list[tuple[float, float]]) -> list[tuple[float, float]]:
    joined: list[tuple[float, float]] = []
    for left, right in sorted(parts):
        if joined and left <= joined[-1][1] + 0.5:
            joined[-1] = (joined[-1][0], max(joined[-1][1], right))
        else:
            joined.append((left, right))
    return joined


_TICKS = (Fraction(1, 10), Fraction(1, 2), *map(Fraction, (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600)))


def tick_step(seconds_per_px: float, least_px: float = 56.0) -> Fraction:
    """The step of the ruler: the first round number of seconds that leaves room for its label."""
    return next((t for t in _TICKS if float(t) >= seconds_per_px * least_px), _TICKS[-1])
