"""Inserting many rows of events at once, whoever made them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from annotator.store.codec import EVENT_COLUMNS
from annotator.store.schema import TRIGGERS_1
from annotator.store.union_rows import Row

if TYPE_CHECKING:
    from annotator.store.blocks import Block, Column

INSERT: Final = (
    f"INSERT INTO label_event ({', '.join(EVENT_COLUMNS)}) VALUES ({', '.join('?' * len(EVENT_COLUMNS))}) "
    "ON CONFLICT(event_id) DO NOTHING"
)
MANY: Final = 1000
# Pages of a log of a million events that are written to again and again; taken only as far as needed.
CACHE: Final = "PRAGMA cache_size = -131072"
# The two triggers that close the back door of REPLACE, by name. They cost as much as the insert itself, and an insert
# without REPLACE has no use for them: where many rows come they are gone within the transaction, and back before its
# end. No other connection ever sees the table without them, and a crash undoes the transaction as a whole. Those that
# refuse UPDATE and DELETE stay.
_GUARDS: Final = {t.split()[2]: t for t in TRIGGERS_1 if "BEFORE INSERT" in t}
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
    if len(rows) < MANY:
        connection.execute("SAVEPOINT many")
        whole = _tried(connection, INSERT, rows, len(rows))
        if not whole:
            connection.execute("ROLLBACK TO many")
        connection.execute("RELEASE many")
        return whole
    with _unguarded(connection) as held:
        held.append(_tried(connection, INSERT, rows, len(rows)))
    return held[0]


def insert_block(connection: sqlite3.Connection, block: Block) -> bool:
    """The same for a block, in one statement: its columns are cut into rows inside SQLite.

    That takes half of what it takes to bind the values one by one.
    """
    said: dict[str, Any] = {"n": len(block), "data": block.data}
    cells = [_cell(name, column, said) for name, column in block.columns.items()]
    query = (
        f"INSERT INTO label_event ({', '.join(block.columns)}) SELECT {', '.join(cells)} "
        "FROM temp.counter WHERE i < :n ORDER BY i"
    )
    connection.execute(_COUNTER)
    connection.execute(_COUNTED, {"n": len(block)})
    with _unguarded(connection) as held:
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
    text = f"CAST({cell} AS TEXT)"
    if column.kind == "padded":
        text = f"rtrim({text}, char(31))"
    return f"nullif({text}, '')" if name == "responder" else text  # no responder is written as "", which none is


@contextmanager
def _unguarded(connection: sqlite3.Connection) -> Iterator[list[bool]]:
    """A savepoint without the guards; what is done in it stays if it says that it is whole, and else goes."""
    held: list[bool] = []
    connection.execute("SAVEPOINT many")
    for name in _GUARDS:
        connection.execute(f"DROP TRIGGER {name}")
    yield held
    if held[0]:
        for trigger in _GUARDS.values():
            connection.execute(trigger)
    else:
        connection.execute("ROLLBACK TO many")
    connection.execute("RELEASE many")


def _tried(connection: sqlite3.Connection, query: str, values: Sequence[Any], count: int) -> bool:
    """Whether a statement put all that it was to put."""
    before = connection.total_changes
    try:
        connection.executemany(query, values)
    except sqlite3.IntegrityError:
        return False
    return connection.total_changes - before == count
