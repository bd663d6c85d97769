"""Inserting many rows of events at once, whoever made them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from annotator.store.log_rows import LOG_COLUMNS, PUT, LogRows
from annotator.store.schema import TRIGGERS_6
from annotator.store.union_rows import Row

if TYPE_CHECKING:
    from annotator.store.blocks import Block, Column

MANY: Final = 1000
# Pages of a log of a million events that are written to again and again; taken only as far as needed.
CACHE: Final = "PRAGMA cache_size = -131072"
# The triggers that close the back door of REPLACE, by name. They cost as much as the insert itself, and an insert
# without REPLACE has no use for them: where many rows come they are gone within the transaction, and back before its
# end. No other connection ever sees the table without them, and a crash undoes the transaction as a whole. Those that
# refuse UPDATE and DELETE stay.
_GUARDS: Final = {t.split()[2]: t for t in TRIGGERS_6 if "BEFORE INSERT" in t}
# Whole numbers from 0, in the connection's own memory: a block's columns have no rows of their own to walk through.
_COUNTER: Final = "CREATE TEMP TABLE IF NOT EXISTS counter (i INTEGER PRIMARY KEY)"
_COUNTED: Final = (
    "INSERT INTO temp.counter WITH RECURSIVE n(i) AS (SELECT coalesce(max(i) + 1, 0) FROM temp.counter "
    "UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :n) SELECT i FROM n WHERE i < :n"
)


def insert_all(connection: sqlite3.Connection, rows: Sequence[Row]) -> bool:
    """Insert all rows, or none where one of them is known or rivals another; whether they are in."""
    if not rows:
        return True
    with _savepoint(connection, guarded=len(rows) < MANY) as held:
        made = list(map(LogRows(connection).row, rows))
        held.append(_tried(connection, PUT, made, len(rows)))
    return held[0]


def insert_block(connection: sqlite3.Connection, block: Block) -> bool:
    """The same for a block, in one statement: its columns are cut into rows inside SQLite.

    That takes half of what it takes to bind the values one by one.
    """
    from annotator.store.block_numbers import numbered  # numpy, as in blocks

    connection.execute(_COUNTER)
    connection.execute(_COUNTED, {"n": len(block)})
    with _savepoint(connection, guarded=False) as held:
        said: dict[str, Any] = {"n": len(block), "data": block.data}
        columns = numbered(block, LogRows(connection))
        cells = [_cell(name, columns[name], said) for name in LOG_COLUMNS]
        query = (
            f"INSERT INTO label_log ({', '.join(LOG_COLUMNS)}) SELECT {', '.join(cells)} "
            "FROM temp.counter WHERE i < :n ORDER BY i"
        )
        held.append(_tried(connection, query, [said], len(block)))
    return held[0]


def _cell(name: str, column: Column, said: dict[str, Any]) -> str:
    """How a field of the i-th event is cut out; notes in `said` what the expression names."""
    if column.kind in ("same", "counted"):
        said[name] = column.value
        return f":{name}" if column.kind == "same" else f":{name} + i"
    said[name], said[f"{name}_w"] = column.cells, column.width
    cell = f"substr(:{name}, i * :{name}_w + 1, :{name}_w)"
    if column.kind == "number":
        return f"CAST({cell} AS INTEGER)"
    if column.kind == "spread":
        said[f"{name}_l"] = column.lengths
        length = f"substr(:{name}_l, i * :{name}_w + 1, :{name}_w)"
        cell = f"substr(:data, CAST({cell} AS INTEGER), CAST({length} AS INTEGER))"
    if column.kind == "padded":  # rtrim would take three times as long
        said["pad"] = b"\x1f"
        cell = f"substr(:{name}, i * :{name}_w + 1, ifnull(nullif(instr({cell}, :pad), 0) - 1, :{name}_w))"
    return cell if column.kind == "bytes" else f"CAST({cell} AS TEXT)"


@contextmanager
def _savepoint(connection: sqlite3.Connection, *, guarded: bool) -> Iterator[list[bool]]:
    """Work of which all stays if it says that it is whole, and else nothing; unless `guarded`, without the guards."""
    held: list[bool] = []
    connection.execute("SAVEPOINT many")
    if not guarded:
        for name in _GUARDS:
            connection.execute(f"DROP TRIGGER {name}")
    yield held
    if not held[0]:
        connection.execute("ROLLBACK TO many")
    elif not guarded:
        for trigger in _GUARDS.values():
            connection.execute(trigger)
    connection.execute("RELEASE many")


def _tried(connection: sqlite3.Connection, query: str, values: Sequence[Any], count: int) -> bool:
    """Whether a statement put all that it was to put."""
    before = connection.total_changes
    try:
        connection.executemany(query, values)
    except sqlite3.IntegrityError:
        return False
    return connection.total_changes - before == count
