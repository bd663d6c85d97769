"""The columns of a block as the log keeps them: names told by numbers, digests as bytes."""

from __future__ import annotations

import numpy as np

from annotator.store.block_runs import runs_of
from annotator.store.blocks import Block, Column, digits_of
from annotator.store.log_rows import DEVICES, SETTING, SETTINGS, SUBJECT, SUBJECTS, Kind, LogRows


def numbered(block: Block, rows: LogRows) -> dict[str, Column]:
    """The columns by the names of the log's; what is not there yet of subjects, settings and devices is made."""
    return {
        **block.columns,
        "device": _numbers(block, rows, DEVICES, ("device",)),
        "subject": _numbers(block, rows, SUBJECTS, SUBJECT),
        "setting": _numbers(block, rows, SETTINGS, SETTING),
        "digest": Column("bytes", cells=block.digests, width=16),
    }


def _numbers(block: Block, rows: LogRows, kind: Kind, names: tuple[str, ...]) -> Column:
    """The column of the numbers that these fields of each event have together."""
    runs = runs_of(block, names)
    numbers = rows.numbers(kind, runs.keys)
    if len(numbers) == 1:
        return Column("same", numbers[0])
    wide = len(str(max(numbers)))
    digits = digits_of(np.array(numbers, np.int64), wide)
    cells = np.repeat(digits[runs.which], runs.ends - runs.starts, axis=0)
    return Column("number", cells=cells.tobytes(), width=wide)
