"""The columns of a block as the log keeps them: names told by numbers, digests as bytes."""

from __future__ import annotations

from typing import Final

import numpy as np

from annotator.store.block_runs import runs_of
from annotator.store.blocks import Block, Column
from annotator.store.log_rows import DEVICES, SETTING, SETTINGS, SUBJECT, SUBJECTS, Kind, LogRows

_ZERO: Final = 48


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
    powers = 10 ** np.arange(wide - 1, -1, -1, dtype=np.int64)
    digits = (np.array(numbers, np.int64)[:, None] // powers % 10 + _ZERO).astype(np.uint8)
    cells = np.repeat(digits[runs.which], runs.ends - runs.starts, axis=0)
    return Column("number", cells=cells.tobytes(), width=wide)
