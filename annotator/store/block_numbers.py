"""The columns of a block as the log keeps them: names told by numbers, digests as bytes.

Whoever scores a turn says a dozen things about it in a row, so that names are looked at where they change, and nowhere
else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from annotator.store.blocks import PAD, Block, Column
from annotator.store.log_rows import DEVICES, SETTING, SETTINGS, SUBJECT, SUBJECTS, Kind, LogRows

_ZERO: Final = 48
_CELLS: Final = ("fixed", "padded", "number")


def numbered(block: Block, rows: LogRows) -> dict[str, Column]:
    """The columns by the names of the log's; what is not there yet of subjects, settings and devices is made."""
    return {
        **block.columns,
        "device": _numbers(block, rows, DEVICES, ("device",)),
        "subject": _numbers(block, rows, SUBJECTS, SUBJECT),
        "setting": _numbers(block, rows, SETTINGS, SETTING),
        "digest": Column("bytes", cells=block.digests, width=16),
    }


def _numbers(block: Block, rows: LogRows, kind: Kind, names: Sequence[str]) -> Column:
    """The column of the numbers that these fields of each event have together."""
    starts = _starts(block, names)
    first, which = _distinct(block, names, starts)
    held = [_texts_at(block, name, first) for name in names]
    if "responder" in names:
        place = names.index("responder")
        held[place] = [text or "" for text in held[place]]
    numbers = rows.numbers(kind, list(zip(*held, strict=True)))
    found = [numbers[n] for n in which]
    if len(set(found)) == 1:
        return Column("same", found[0])
    wide = len(str(max(found)))
    powers = 10 ** np.arange(wide - 1, -1, -1, dtype=np.int64)
    digits = (np.array(found, np.int64)[:, None] // powers % 10 + _ZERO).astype(np.uint8)
    every = np.repeat(digits, np.diff(starts, append=len(block)), axis=0)
    return Column("number", cells=every.tobytes(), width=wide)


def _starts(block: Block, names: Sequence[str]) -> npt.NDArray[np.intp]:
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


def _distinct(block: Block, names: Sequence[str], starts: npt.NDArray[np.intp]) -> tuple[list[int], list[int]]:
    """(events that say something else than all before them, which of those each start says the same as)."""
    columns = [block.columns[name] for name in names if block.columns[name].kind != "same"]
    if not columns or any(column.kind not in _CELLS for column in columns):
        return starts.tolist(), list(range(len(starts)))
    cells = [np.frombuffer(c.cells, np.uint8).reshape(len(block), c.width)[starts] for c in columns]
    wide = sum(column.width for column in columns)
    raw = np.concatenate(cells, axis=1).tobytes()
    known: dict[bytes, int] = {}
    which = [known.setdefault(raw[at : at + wide], len(known)) for at in range(0, len(raw), wide)]
    first = dict(zip(reversed(which), reversed(starts.tolist()), strict=True))
    return [first[n] for n in range(len(known))], which


def _texts_at(block: Block, name: str, numbers: Sequence[int]) -> list[Any]:
    """What some events say of a field."""
    column = block.columns[name]
    wide = column.width
    if column.kind == "same":
        return [column.value] * len(numbers)
    if column.kind not in _CELLS:
        texts = block.texts(name)
        return [texts[n] for n in numbers]
    cut = [column.cells[n * wide : (n + 1) * wide].rstrip(bytes([PAD])).decode() for n in numbers]
    return [int(text) for text in cut] if column.kind == "number" else cut
