"""Imports as a whole: starting one, sweeping what a killed one left, and what waits for a decision."""

from __future__ import annotations

import json
from typing import Final, cast

from annotator.domain.report import Choice, Problem
from annotator.errors import WorldError
from annotator.store.codec import now, value_of
from annotator.store.database import Database
from annotator.store.faults import explain_os
from annotator.store.import_writer import ImportWriter
from annotator.store.judged import Judged
from annotator.store.locks import FileLock
from annotator.store.sweeping import remove
from annotator.store.values import ImportInfo
from annotator.store.visible import NOBODY, SEEN

LOCK_NAME: Final = "import.lock"


class Imports:
    """Past imports of one workspace and their open questions; `begin` starts the next one."""

    def __init__(self, database: Database, judged: Judged) -> None:
        """Work on `database`."""
        self._db = database
        self._judged = judged

    def begin(self, kind: str, source: str) -> ImportWriter:
        """Start an import; what it writes counts from `publish` on, all at once.

        Raises:
            WorldError: when another import of this workspace is running, in this process or another.
        """
        lock = FileLock(self._db.folder / LOCK_NAME)
        try:
            taken = not self._db.read_only and lock.acquire()
        except OSError as error:
            raise explain_os(error, lock.path) from error
        if not taken and not self._db.read_only:
            raise WorldError(
                f"Another import into {self._db.folder} is running ({lock.holder()}): wait until it is done.",
                code="import_running",
                path=str(self._db.folder),
            )
        try:
            sweep(self._db)
            with self._db.write() as connection:
                made = connection.execute(
                    "INSERT INTO import_run (kind, source, state, at, report) VALUES (?, ?, 'writing', ?, '{}')",
                    (kind, source.encode("utf-8", "replace").decode("utf-8"), now()),
                )
            return ImportWriter(self._db, self._judged, lock, int(made.lastrowid or 0))
        except BaseException:
            lock.close()
            raise

    def sweep(self) -> int:
        """Remove what an import that was killed left behind; 0 where there is nothing, or an import is running."""
        lock = FileLock(self._db.folder / LOCK_NAME)
        try:
            return sweep(self._db) if lock.acquire() else 0
        except OSError as error:
            raise explain_os(error, lock.path) from error
        finally:
            lock.close()

    def published(self) -> list[ImportInfo]:
        """Every published import, oldest first."""
        rows = self._db.all(
            "SELECT import_id, kind, source, at, report FROM import_run WHERE state = 'published' ORDER BY import_id"
        )
        return [ImportInfo(i, kind, source, at, json.loads(report)) for i, kind, source, at, report in rows]

    def problems(self, open_only: bool = True) -> list[Problem]:
        """What waits for a decision (or ever did), in order of import."""
        decided = self.decisions() if open_only else {}
        rows = self._db.all(
            f"SELECT problem_id, body FROM problem WHERE {SEEN} ORDER BY import_id, problem_id", {"own": NOBODY}
        )
        newest = {problem_id: body for problem_id, body in rows if problem_id not in decided}
        return [value_of(Problem, body) for body in newest.values()]

    def problem(self, problem_id: str) -> Problem | None:
        """One of them, decided or not."""
        found = self._db.all(
            f"SELECT body FROM problem WHERE problem_id = :id AND {SEEN} ORDER BY import_id DESC LIMIT 1",
            {"id": problem_id, "own": NOBODY},
        )
        return value_of(Problem, found[0][0]) if found else None

    def decisions(self) -> dict[str, Choice]:
        """What was decided, by the problem's id; the last word counts."""
        rows = self._db.all(f"SELECT problem_id, choice FROM decision WHERE {SEEN} ORDER BY import_id", {"own": NOBODY})
        return {problem_id: cast(Choice, choice) for problem_id, choice in rows}


def sweep(database: Database) -> int:
    """Remove all rows of unfinished imports, some hundred at a time; returns how many imports there were.

    The caller holds the import lock, so that none of them can still be running.
    """
    found = database.all("SELECT import_id FROM import_run WHERE state = 'writing'")
    for (run,) in found:
        remove(database, run)
    return len(found)
