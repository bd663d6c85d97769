"""The progress that a block of new events makes where nothing was said before: counted from its columns alone.

`folding.refresh_progress` reads what was just written; for a dialogue that comes whole that is everything the block
holds, and asking the database for it took a fifteenth of a sync.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from math import prod
from typing import Final

import numpy as np

from annotator.store import folding
from annotator.store.block_runs import runs_of
from annotator.store.blocks import Block, texts_in
from annotator.store.folding import SAYS, RowKey
from annotator.store.log_rows import SEEKS, SUBJECT, among

_THERE: Final = f"SELECT {', '.join(folding.ROW)} FROM progress WHERE {among(folding.ROW)}"


def put_progress(
    connection: sqlite3.Connection, block: Block, keys: Collection[RowKey], superseded: Collection[int]
) -> set[RowKey]:
    """Write the rows of `progress` that only events of `block` count in; returns which of `keys` they are.

    `keys` are rows of which each key has one head and no value is stale, and `superseded` the numbers of the events
    that are no head. A row that is there already, or in which a value was withdrawn, is left to be read.
    """
    parts = [set(part) for part in zip(*keys, strict=True)]
    if not keys or prod(map(len, parts)) > SEEKS:
        return set()
    there = set(connection.execute(_THERE, [json.dumps(sorted(part)) for part in parts]).fetchall())
    runs = runs_of(block, SUBJECT)
    rows = [(rater, phase, item, who) for item, who, rater, phase, _ in runs.keys]
    which, ends = runs.which.tolist(), runs.ends.tolist()
    for number in block.saying("value", "null"):
        there.add(rows[which[int(runs.ends.searchsorted(number, "right"))]])
    fresh = set(keys) - there
    verdicts = block.saying("field", "verdict")
    said: dict[RowKey, list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
    fields_in = _fields_in(block, set(superseded), verdicts)
    start = 0
    for place, end in zip(which, ends, strict=True):
        if rows[place] in fresh:
            said[rows[place]].append((runs.keys[place][4], fields_in(start, end)))
        start = end
    folding.write_progress(connection, [(*row, *folding.progress_of_said(cells)) for row, cells in said.items()])
    return set(said)


def _fields_in(block: Block, superseded: set[int], verdicts: list[int]) -> Callable[[int, int], tuple[str, ...]]:
    """A way to ask which fields the events from one number to another say, as `progress_of_said` takes them."""
    column = block.columns["field"]
    wide = column.width
    alike = column.kind in ("fixed", "padded")
    texts: Sequence[str] = () if alike else block.texts("field")
    values = dict(zip(verdicts, map(block.texts("value").__getitem__, verdicts), strict=True)) if verdicts else {}
    odd = np.zeros(len(block) + 1, np.int64)
    odd[[number + 1 for number in (*superseded, *verdicts)]] = 1
    before: list[int] = odd.cumsum().tolist()  # how many events before each are more than their field

    def fields(start: int, end: int) -> tuple[str, ...]:
        held = _cut(column.cells[start * wide : end * wide], wide) if alike else tuple(texts[start:end])
        if before[start] == before[end]:
            return held
        return tuple(
            SAYS + values[number] if number in values else name
            for number, name in enumerate(held, start)
            if number not in superseded
        )

    return fields


@lru_cache(maxsize=8192)  # turns are scored in one order
def _cut(cells: bytes, wide: int) -> tuple[str, ...]:
    return tuple(texts_in(cells, wide))
