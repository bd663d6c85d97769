"""Removing what an import wrote that was never published, some hundred rows at a time."""

from __future__ import annotations

import sqlite3
from typing import Final

from annotator.store.database import Database

_SWEPT: Final = 500
# Bodies go with their light rows.
IMPORTED: Final = (
    "item", "responder", "judge_record", "attribution_record", "waiting_record", "prediction", "prediction_run"
)  # fmt: skip


def remove(database: Database, run: int) -> None:
    """Remove an unpublished import and everything that carries its id."""
    for table in IMPORTED:
        while True:
            with database.write() as connection:
                gone = connection.execute(
                    f"DELETE FROM {table} WHERE place IN "
                    f"(SELECT place FROM {table} WHERE import_id = ? LIMIT {_SWEPT})",
                    (run,),
                ).rowcount
            if gone < _SWEPT:
                break
    with database.write() as connection:
        _forget(connection, run)


def _forget(connection: sqlite3.Connection, run: int) -> None:
    connection.execute("DELETE FROM problem WHERE import_id = ?", (run,))
    connection.execute("DELETE FROM decision WHERE import_id = ?", (run,))
    connection.execute("UPDATE waiting_record SET joined_by = NULL WHERE joined_by = ?", (run,))
    connection.execute("DELETE FROM import_run WHERE import_id = ? AND state = 'writing'", (run,))
