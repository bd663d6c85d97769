"""Bringing a workspace to the newest version: ordered functions, each in one transaction, after a verified backup."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from annotator.errors import WorldError
from annotator.store.schema import (
    APPLICATION_ID,
    FILL_6,
    TABLES_1,
    TABLES_2,
    TABLES_3,
    TABLES_4,
    TABLES_5,
    TABLES_6,
    TRIGGERS_1,
    TRIGGERS_6,
    VIEWS_6,
)
from annotator.store.spots import part_draws

Step = Callable[[sqlite3.Connection], None]


def _make(connection: sqlite3.Connection, tables: str) -> None:
    for statement in tables.split(";"):
        if statement.strip():
            connection.execute(statement)


def _first(connection: sqlite3.Connection) -> None:
    _make(connection, TABLES_1)
    for trigger in TRIGGERS_1:
        connection.execute(trigger)


def _predictions(connection: sqlite3.Connection) -> None:
    _make(connection, TABLES_2)


def _attributions(connection: sqlite3.Connection) -> None:
    _make(connection, TABLES_3)


def _slim_currents(connection: sqlite3.Connection) -> None:
    _make(connection, TABLES_4)


def _spot_draws(connection: sqlite3.Connection) -> None:
    _make(connection, TABLES_5)
    part_draws(connection)


def _narrow_log(connection: sqlite3.Connection) -> None:
    connection.create_function("unhexed", 1, _unhexed, deterministic=True)
    _make(connection, TABLES_6)
    _make(connection, FILL_6)
    _make(connection, VIEWS_6)
    for trigger in TRIGGERS_6:
        connection.execute(trigger)


def _unhexed(digest: str) -> bytes:
    """The bytes of a digest; what is none stays as it is, and proves its event altered, as it did before."""
    try:
        return bytes.fromhex(digest)
    except ValueError:
        return digest.encode("utf-8", "replace")


# STEPS[n] leads from version n to n + 1.
STEPS: Final[tuple[Step, ...]] = (_first, _predictions, _attributions, _slim_currents, _spot_draws, _narrow_log)


def version_of(connection: sqlite3.Connection) -> int:
    """The version of the schema in the file; 0 where there is none yet."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def refuse_newer(connection: sqlite3.Connection, file: Path, newest: int = len(STEPS)) -> int:
    """The version of the file, checked.

    Raises:
        WorldError: when the file is no workspace of ours, or was made by a newer version.
    """
    mark = int(connection.execute("PRAGMA application_id").fetchone()[0])
    version = version_of(connection)
    if mark != APPLICATION_ID or version < 1:
        raise WorldError(
            f"{file} is no workspace of Rubric Annotator: choose the folder of a workspace, or make a new one.",
            code="not_workspace",
            path=str(file),
        )
    if version > newest:
        raise WorldError(
            f"{file} was made by a newer version of Rubric Annotator (its format is {version}, this program knows "
            f"{newest}): update the program; nothing was changed.",
            code="newer_version",
            path=str(file),
        )
    return version


def migrate(connection: sqlite3.Connection, steps: Sequence[Step] = STEPS) -> int:
    """Apply what is missing, each step in one transaction with its version number; returns how many were applied."""
    applied = 0
    while (version := version_of(connection)) < len(steps):
        connection.execute("BEGIN IMMEDIATE")
        try:
            if version_of(connection) == version:  # nobody else was faster
                steps[version](connection)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {version + 1}")
                applied += 1
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    return applied
