"""What the events of a block say of several fields together, told where it changes.

Whoever scores a turn says a dozen things about it in a row: who says something, about what, by which rubric is the same
for all of them. So it is looked at where it changes, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from annotator.store.blocks import Block, texts_in

_CELLS: Final = ("fixed", "padded", "number")


class Runs(NamedTuple):
    """The runs of events that say the same of some fields.

    Attributes:
        keys: what is said, each once, in the order of the first event that says it; "" where there is no responder.
        starts: int64, the numbers of the events at which a run begins; the first is 0.
        which: int64, for each run the place of what it says in `keys`.
        ends: int64, behind which event each run ends.
    """

    keys: list[tuple[Any, ...]]
    starts: npt.NDArray[np.int64]
    which: npt.NDArray[np.int64]
    ends: npt.NDArray[np.int64]

    def counts(self) -> list[int]:
        """How many events say each of `keys`."""
        counted = np.bincount(self.which, weights=self.ends - self.starts, minlength=len(self.keys))
        return list(map(int, counted))


def runs_of(block: Block, names: tuple[str, ...]) -> Runs:
    """The runs of what the events say of these fields; worked out once for each block."""
    held: Runs | None = block.runs.get(names)
    if held is None:
        starts = _starts(block, names)
        first, which = _distinct(block, names, starts)
        keys = list(zip(*(_texts_at(block, name, first) for name in names), strict=True))
        ends = np.append(starts[1:], len(block))
        held = block.runs[names] = Runs(keys, starts, np.array(which, np.int64), ends)
    return held


def _starts(block: Block, names: Sequence[str]) -> npt.NDArray[np.int64]:
    """The numbers of the events in which one of some fields is not what it is in the event before."""
    changed = np.zeros(len(block), bool)
    changed[0] = True
    for name in names:
        column = block.columns[name]
        if column.kind == "same":
            continue
        if column.kind in _CELLS:
            cells = np.frombuffer(column.cells, np.uint8).reshape(len(block), column.width)
            changed[1:] |= (cells[1:] != cells[:-1]).any(axis=1)
        else:
            texts = block.texts(name)
            changed[1:] |= [before != now for before, now in pairwise(texts)]
    return np.flatnonzero(changed)


def _distinct(block: Block, names: Sequence[str], starts: npt.NDArray[np.int64]) -> tuple[list[int], list[int]]:
    """(events that say something else than all before them, which of those each start says the same as)."""
    columns = [block.columns[name] for name in names if block.columns[name].kind != "same"]
    held: Sequence[Any]
    if not columns or any(column.kind not in _CELLS for column in columns):
        held = list(zip(*(_texts_at(block, name, starts.tolist()) for name in names), strict=True))
    else:
        cells = [np.frombuffer(c.cells, np.uint8).reshape(len(block), c.width)[starts] for c in columns]
        wide = sum(column.width for column in columns)
        raw = np.concatenate(cells, axis=1).tobytes()
        held = [raw[at : at + wide] for at in range(0, len(raw), wide)]
    known: dict[Any, int] = {}
    which = [known.setdefault(said, len(known)) for said in held]
    first = dict(zip(reversed(which), reversed(starts.tolist()), strict=True))
    return [first[n] for n in range(len(known))], which


def _texts_at(block: Block, name: str, numbers: Sequence[int]) -> list[Any]:
    """What some events say of a field; "" where there is no responder."""
    column = block.columns[name]
    wide = column.width
    if column.kind == "same":
        return [column.value if column.value is not None else ""] * len(numbers)
    if column.kind not in _CELLS:
        texts = block.texts(name)
        return [texts[n] if texts[n] is not None else "" for n in numbers]
    cut = texts_in(b"".join([column.cells[n * wide : (n + 1) * wide] for n in numbers]), wide)
    return [int(text) for text in cut] if column.kind == "number" else cut
