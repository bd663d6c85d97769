"""Inserting many rows of events at once, whoever made them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Final

from annotator.store.codec import EVENT_COLUMNS
from annotator.store.schema import TRIGGERS_1
from annotator.store.union_rows import Row

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


def insert_all(connection: sqlite3.Connection, rows: Sequence[Row]) -> bool:
    """Insert all rows, or none where one of them is known or rivals another; whether they are in."""
    if not rows:
        return True
    connection.execute("SAVEPOINT many")
    for name in _GUARDS if len(rows) >= MANY else ():
        connection.execute(f"DROP TRIGGER {name}")
    before = connection.total_changes
    try:
        connection.executemany(INSERT, rows)
        whole = connection.total_changes - before == len(rows)
    except sqlite3.IntegrityError:
        whole = False
    if not whole:
        connection.execute("ROLLBACK TO many")
    elif len(rows) >= MANY:
        for trigger in _GUARDS.values():
            connection.execute(trigger)
    connection.execute("RELEASE many")
    return whole
