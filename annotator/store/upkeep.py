"""Looking after a workspace: checking, rebuilding what is derived, backing up."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Final

from annotator.errors import WorldError
from annotator.store import check, union_fold
from annotator.store.backup import roll, write_backup
from annotator.store.codec import EVERY
from annotator.store.database import Database
from annotator.store.desk import get_meta
from annotator.store.items import Items
from annotator.store.journal import Journal
from annotator.store.judged import Judged
from annotator.store.place import free_bytes
from annotator.store.values import CheckResult

_LAST_BACKUP: Final = "last_backup"
_LOCKS: Final = ("workspace.lock", "window.lock", "import.lock")


class Upkeep:
    """The care of one workspace."""

    def __init__(self, database: Database, journal: Journal, judged: Judged, items: Items) -> None:
        """Look after `database` and `journal`."""
        self._db = database
        self._journal = journal
        self._judged = judged
        self._items = items

    def check(self) -> CheckResult:
        """Check everything; changes nothing.

        Database and journal are looked at as they were at one moment, fixed under the lock, and read without it, so
        that labels can be made meanwhile.
        """
        with ExitStack() as stack:
            with self._db.quiet():
                connection = stack.enter_context(self._db.read())
                sizes = self._journal.sizes()
            return self._check(connection, sizes)

    def _check(self, connection: sqlite3.Connection, sizes: dict[Path, int]) -> CheckResult:
        problems = check.integrity(connection)
        if problems:
            return CheckResult(False, tuple(problems), (), 0, False)
        own = get_meta(connection, "devices", [])
        events = int(connection.execute(f"SELECT count(*) FROM ({EVERY})").fetchone()[0])
        more, equal = check.log(connection, self._judged)
        problems += more
        more, notes = check.gaps(connection, own)
        problems += more
        more, told = check.journal_agrees(connection, self._journal, sizes)
        problems += more
        totals = self._items.totals()
        aside = int(connection.execute("SELECT count(*) FROM quarantine").fetchone()[0])
        notes += told
        if aside:
            notes.append(f"{aside} events from elsewhere are kept aside because they could not be taken in.")
        return CheckResult(not problems, tuple(problems), tuple(notes), events, equal, totals)

    def quick_check(self) -> list[str]:
        """A quick look at the file, for the background at start; sentences, empty where nothing is wrong."""
        with self._db.read() as connection:
            return check.integrity(connection, quick=True)

    def rebuild(self) -> int:
        """Make what is derived anew from the events, and write what the journal lacks; returns the number of keys."""
        with self._db.write(committed=self._journal.complete) as connection:
            return union_fold.rebuild(connection, self._judged)

    def backup(self, file: Path) -> Path:
        """Write a verified backup to `file`; labels may be made meanwhile.

        Raises:
            WorldError: when it cannot be written, or would go over the workspace's own files; what was there before is
                then still there.
        """
        own = self._db.file
        if file.resolve().parent == own.resolve().parent and file.name.startswith((own.name, *_LOCKS)):
            raise WorldError(
                f"{file} belongs to the workspace itself: choose another name for the backup.",
                code="not_empty",
                path=str(file),
            )
        with self._db.read() as connection:
            return write_backup(connection, file)

    def maybe_backup(self, today: date | None = None) -> Path | None:
        """The rolling backups, where something changed since the last one; to be called at the end of a session."""
        if self._db.read_only:
            return None
        state = self._state()
        folder = self._db.folder / "backups"
        if self._desk_value() == state and any(folder.glob("daily-*.db")):
            return None
        with self._db.read() as connection:
            made = roll(connection, self._db.folder, today)
        with self._db.write() as connection:
            connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", (_LAST_BACKUP, f'"{state}"'))
        return made

    def _desk_value(self) -> str:
        with self._db.read() as connection:
            return str(get_meta(connection, _LAST_BACKUP, ""))

    def _state(self) -> str:
        """Something that differs when labels or imports came."""
        row = self._db.all(
            "SELECT coalesce((SELECT arrival FROM label_event ORDER BY arrival DESC LIMIT 1), 0), "
            "(SELECT coalesce(max(import_id), 0) FROM import_run)"
        )
        return "/".join(str(value) for value in row[0])

    def free_bytes(self) -> int:
        """The bytes left on the workspace's disk."""
        return free_bytes(self._db.folder)
