"""Blindness that can be tested: connections that refuse to read what judges said until the rater has committed.

SQLite asks an authorizer about every column of every statement when it prepares it; ours refuses the tables of judges
(and that of draws, whose weights tell a judge's score), whoever asks and however the query is written. Setting it makes
SQLite prepare statements anew that it had prepared before, so that nothing slips through from a cache.
"""

from __future__ import annotations

import sqlite3
from typing import Final

JUDGE_TABLES: Final = frozenset({"judge_record", "waiting_record", "attribution_record", "spot_draw"})
REFUSED: Final = "prohibited"


def refuse_judges(connection: sqlite3.Connection, *, on: bool) -> None:
    """Make a connection blind, or let it see again."""
    connection.set_authorizer(_ask if on else None)


def refused(error: sqlite3.Error) -> bool:
    """Whether an error says that a blind connection was asked for what it must not read."""
    return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_AUTH or REFUSED in str(error)


def _ask(action: int, one: str | None, two: str | None, database: str | None, source: str | None) -> int:
    reads = action in (sqlite3.SQLITE_READ, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE, sqlite3.SQLITE_DROP_TABLE)
    return sqlite3.SQLITE_DENY if reads and one in JUDGE_TABLES else sqlite3.SQLITE_OK
