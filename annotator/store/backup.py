"""Backups: online, verified, renamed into place; rolling ones by day and week."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from annotator.errors import WorldError
from annotator.store.database import connect
from annotator.store.faults import damaged, explain_os, told
from annotator.store.journal import sync_folder
from annotator.store.migrations import refuse_newer

FOLDER: Final = "backups"
DAILY, WEEKLY = 7, 4
_PAGES: Final = 1000


def write_backup(source: sqlite3.Connection, file: Path) -> Path:
    """Copy the database, as it is at one moment, to `file`; it appears there only when it was read back and is whole.

    Raises:
        WorldError: when it cannot be written or the copy is not whole; an older `file` is then still there.
    """
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with told(file):
            with closing(sqlite3.connect(temporary, isolation_level=None)) as copy:
                source.backup(copy, pages=_PAGES)
                # One file that any medium can hold and read.
                copy.execute("PRAGMA journal_mode = DELETE")
            verify(temporary)
        _sync(temporary)
        os.replace(temporary, file)
        sync_folder(file.parent)
    except OSError as error:
        raise explain_os(error, file) from error
    finally:
        for leftover in (temporary, temporary.with_name(temporary.name + "-journal")):
            with suppress(OSError):
                leftover.unlink(missing_ok=True)
    return file


def verify(file: Path) -> None:
    """Check that a file is a whole workspace database that this program can read.

    Raises:
        WorldError: with a sentence.
    """
    header(file)
    try:
        with closing(connect(f"{file.resolve().as_uri()}?mode=ro", writer=False, uri=True)) as connection:
            refuse_newer(connection, file)
            found = [row[0] for row in connection.execute("PRAGMA integrity_check(5)")]
    except sqlite3.DatabaseError as error:
        raise damaged(file) from error
    if found != ["ok"]:
        raise damaged(file)


def header(file: Path) -> None:
    """Look at the first bytes only: whether it can be a database at all, without touching it.

    Raises:
        WorldError: with a sentence.
    """
    try:
        with file.open("rb") as opened:
            first = opened.read(16)
    except FileNotFoundError:
        raise WorldError(f"There is no file {file}: check its name.", code="not_found", path=str(file)) from None
    except OSError as error:
        raise explain_os(error, file) from error
    if first != b"SQLite format 3\x00":
        raise damaged(file)


def _sync(file: Path) -> None:
    handle = os.open(file, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def roll(source: sqlite3.Connection, workspace: Path, today: date | None = None) -> Path:
    """Write today's backup, and this week's where there is none yet; keep the newest 7 and 4."""
    day = today or datetime.now(UTC).date()
    folder = workspace / FOLDER
    made = write_backup(source, folder / f"daily-{day:%Y%m%d}.db")
    year, week, _ = day.isocalendar()
    weekly = folder / f"weekly-{year}W{week:02d}.db"
    try:
        if not weekly.exists():
            temporary = weekly.with_name(f".{weekly.name}.{os.getpid()}.tmp")
            try:
                shutil.copyfile(made, temporary)
                _sync(temporary)
                os.replace(temporary, weekly)
            finally:
                temporary.unlink(missing_ok=True)
        for pattern, keep in (("daily-*.db", DAILY), ("weekly-*.db", WEEKLY)):
            for old in sorted(folder.glob(pattern))[:-keep]:
                old.unlink()
    except OSError as error:
        raise explain_os(error, folder) from error
    return made


def good_backups(workspace: Path) -> list[Path]:
    """The backups of a workspace that are whole, newest first."""
    found = []
    files = sorted((workspace / FOLDER).glob("*.db"), key=lambda f: f.stat().st_mtime, reverse=True)
    for file in files:
        try:
            verify(file)
        except WorldError:
            continue
        found.append(file)
    return found
