"""Workspaces as earlier versions made them, out of ones of today."""

from __future__ import annotations

import sqlite3
from typing import Final

from annotator.store.codec import EVENT_COLUMNS
from annotator.store.folding import CURRENT_COLUMNS
from annotator.store.schema import TABLES_1, TABLES_4, TRIGGERS_1

_LOG: Final = ", ".join(("arrival", *EVENT_COLUMNS))


def _text_of(tables: str, name: str) -> str:
    """The statement that made a table."""
    return next(text for text in tables.split(";") if text.strip().startswith(f"CREATE TABLE {name} ("))


def make_version_5(connection: sqlite3.Connection) -> None:
    """Put the log and what is derived from it back into the wide tables of version 5."""
    connection.execute("CREATE TEMP TABLE log AS SELECT * FROM label_event")
    connection.execute("CREATE TEMP TABLE now AS SELECT * FROM label_current")
    connection.execute("DROP VIEW label_event")
    connection.execute("DROP VIEW label_current")
    for name in ("label_now", "label_log", "label_setting", "label_subject", "label_device"):
        connection.execute(f"DROP TABLE {name}")
    connection.execute(_text_of(TABLES_1, "label_event"))
    connection.execute(_text_of(TABLES_4, "label_current"))
    connection.execute(f"INSERT INTO label_event ({_LOG}) SELECT {_LOG} FROM temp.log ORDER BY arrival")
    connection.execute(f"INSERT INTO label_current ({CURRENT_COLUMNS}) SELECT {CURRENT_COLUMNS} FROM temp.now")
    for trigger in TRIGGERS_1:
        connection.execute(trigger)
    connection.execute("DROP TABLE temp.log")
    connection.execute("DROP TABLE temp.now")
    connection.execute("PRAGMA user_version = 5")
    connection.commit()
