"""The connections of one open workspace: a reader for each thread, and one writer behind a lock.

SQLite before 3.51.3 can corrupt a database with a write-ahead log when two connections write or checkpoint at one time.
So there is one writing connection, used under a lock of this process and a lock file between processes, and only it
checkpoints by itself. Every write is one `BEGIN IMMEDIATE` transaction, so that two processes of one workspace (a
command beside the open window) interleave whole transactions.
"""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from annotator.errors import ReadOnlyWorkspace, WorldError
from annotator.store.blind import refuse_judges
from annotator.store.faults import explain_os, told
from annotator.store.locks import FileLock, thread_lock
from annotator.store.media_places import Places

DB_NAME: Final = "workspace.db"
LOCK_NAME: Final = "workspace.lock"
LOCK_TIMEOUT_S: Final = 15.0
_CHECKPOINT_PAGES: Final = 1000
# A read takes milliseconds; whoever forgot an open cursor must not keep the window from closing.
_CLOSE_WAIT_S: Final = 5.0


def connect(target: str, *, writer: bool, uri: bool = False) -> sqlite3.Connection:
    """Open a connection with our settings; `target` is a path, or a URI where `uri` is set."""
    connection = sqlite3.connect(
        target, isolation_level=None, timeout=5.0, check_same_thread=False, cached_statements=256, uri=uri
    )
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA recursive_triggers = ON")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA cache_size = -16000")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES if writer else 0}")
        if not writer:
            connection.execute("PRAGMA query_only = ON")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


class Database:
    """Access to `workspace.db` for any thread.

    Attributes:
        folder: the workspace; `file`: its database.
        why: a sentence when it cannot be written, else "".
        target: a URI to read in the stead of `file`, on a medium that cannot be written.
        scratch: a folder that goes when this is closed.
        places: where media lie; the SQL function `placed` reads an item's JSON with it.
    """

    def __init__(self, folder: Path, *, why: str = "") -> None:
        """Prepare connections to the database of `folder`."""
        self.folder = folder
        self.file = folder / DB_NAME
        self.why = why
        self.target: str | None = None
        self.scratch: Path | None = None
        self._local = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._guard = threading.Lock()
        self._idle = threading.Condition(self._guard)
        self._uses = 0
        self._writer: sqlite3.Connection | None = None
        self._bulk: sqlite3.Connection | None = None
        self._threads = thread_lock(folder)
        self._lock = FileLock(folder / LOCK_NAME)
        self._closed = False
        self._blind = False
        self.places = Places(folder)
        self._seers: set[sqlite3.Connection] = set()

    @property
    def blind(self) -> bool:
        """Whether readers are refused what judges said."""
        return self._blind

    def set_blind(self, on: bool) -> None:
        """Refuse every reading connection, open or still to be opened, what judges said; or let them see again.

        The writer is left alone: it joins judges' records to items and hands nothing out.
        """
        with self._guard:
            self._blind = on
            for connection in self._all:
                if connection not in (self._writer, self._bulk) and connection not in self._seers:
                    refuse_judges(connection, on=on)

    @contextmanager
    def seeing(self) -> Iterator[None]:
        """Let this thread read what judges said, through a connection of its own that is closed at the end.

        For work that hands nothing of it to a rater (imports join records, bundles carry them), and for the reveal of
        what a rater has committed. The standing connections stay blind.
        """
        if not self._blind or getattr(self._local, "seer", None) is not None:
            yield
            return
        seer = self._open(writer=False, sees=True)
        self._local.seer = seer
        try:
            yield
        finally:
            self._local.seer = None
            with self._guard:
                self._seers.discard(seer)
                if seer in self._all:
                    self._all.remove(seer)
            seer.close()

    @property
    def read_only(self) -> bool:
        """Whether writing is refused."""
        return bool(self.why)

    def reader(self) -> sqlite3.Connection:
        """The connection of this thread for reading."""
        seer: sqlite3.Connection | None = getattr(self._local, "seer", None)
        if seer is not None and not self._closed:
            return seer
        held: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if held is None or self._closed:
            held = self._open(writer=False)
            self._local.connection = held
        return held

    def _open(self, *, writer: bool, sees: bool = False) -> sqlite3.Connection:
        with self._guard, told(self.file):
            if self._closed:
                raise WorldError(f"The workspace {self.folder} was closed.", code="closed", path=str(self.folder))
            made = connect(self.target or str(self.file), writer=writer, uri=self.target is not None)
            made.create_function("placed", 1, self.places.found_text)
            if sees:
                self._seers.add(made)
            elif self._blind and not writer:
                refuse_judges(made, on=True)
            self._all.append(made)
        return made

    @contextmanager
    def _used(self) -> Iterator[None]:
        """While a connection of this thread is read from, `close` waits: its memory must not go meanwhile."""
        with self._guard:
            self._uses += 1
        self._local.uses = getattr(self._local, "uses", 0) + 1
        try:
            yield
        finally:
            self._local.uses -= 1
            with self._guard:
                self._uses -= 1
                self._idle.notify_all()

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """One consistent view of the database for several statements; may be nested."""
        with self._used(), told(self.file):
            connection = self.reader()
            outermost = not connection.in_transaction
            if outermost:
                connection.execute("BEGIN")
            try:
                if outermost:  # the view is fixed by the first read
                    connection.execute("SELECT 1 FROM sqlite_master").fetchone()
                yield connection
            finally:
                if outermost:
                    _roll_back(connection)

    def all(self, query: str, values: Sequence[Any] | dict[str, Any] = ()) -> list[Any]:
        """All rows of one query."""
        with self._used(), told(self.file):
            return self.reader().execute(query, values).fetchall()

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Keep writers away where that can be had, for a look at several files at one moment; never refuses."""
        with self._threads:
            taken = False
            if not self._lock.held and self.target is None:
                try:
                    taken = self._lock.acquire(LOCK_TIMEOUT_S)
                except OSError:
                    taken = False
            try:
                yield
            finally:
                if taken:
                    self._lock.release()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the writer's lock; between threads and between processes.

        Raises:
            ReadOnlyWorkspace: when the workspace cannot be written.
            WorldError: when another process keeps the lock.
        """
        if self.read_only:
            raise ReadOnlyWorkspace(self.why, code="read_only", path=str(self.folder))
        with self._threads:
            outermost = not self._lock.held
            if outermost:
                self._take()
            try:
                yield
            finally:
                if outermost:
                    self._lock.release()

    def _take(self) -> None:
        try:
            taken = self._lock.acquire(LOCK_TIMEOUT_S)
        except OSError as error:
            raise explain_os(error, self._lock.path) from error
        if not taken:
            raise WorldError(
                f"The workspace {self.folder} is being written by {self._lock.holder()} and did not become free: "
                "nothing was changed; try again.",
                code="busy",
                path=str(self.folder),
            )

    @contextmanager
    def write(self, committed: Callable[[sqlite3.Connection], None] | None = None) -> Iterator[sqlite3.Connection]:
        """One write transaction: committed when the block ends, rolled back as a whole when it raises.

        `committed` is called behind COMMIT while the lock is still held.
        """
        with self.locked(), told(self.file):
            if self._writer is None or self._closed:
                self._writer = self._open(writer=True)
            connection = self._writer
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if not _roll_back(connection):
                    self._drop_writer()
                raise
            if committed is not None:
                committed(connection)

    def _drop_writer(self) -> None:
        """Let go of a connection that is in no known state; the next write opens another."""
        with self._guard:
            held, self._writer = self._writer, None
            if held is not None:
                self._all.remove(held)
                held.close()

    def open_bulk(self) -> sqlite3.Connection:
        """The writing connection of the running import, for SQLAlchemy; to be used under `locked` only.

        Its commits do not wait for the disk: what it writes is nothing to anybody until it is published, and that is
        done by the connection that labels are written with, whose commits bring the whole log to the disk first.
        """
        if self._bulk is None:
            self._bulk = self._open(writer=True)
            self._bulk.execute("PRAGMA synchronous = NORMAL")
        return self._bulk

    def close_bulk(self) -> None:
        """Close it, if there is one."""
        with self._guard:
            held, self._bulk = self._bulk, None
            if held is not None and held in self._all:
                self._all.remove(held)
        if held is not None:
            held.close()

    def close(self) -> None:
        """Close all connections; under the lock where it can be had, since the last one checkpoints."""
        with self._threads:
            held = not self.read_only and self._lock.held
            try:
                locked = held or (not self.read_only and self._lock.acquire(1.0))
            except OSError:
                locked = False
            with self._idle:
                self._closed = True
                own = getattr(self._local, "uses", 0)
                self._idle.wait_for(lambda: self._uses <= own, _CLOSE_WAIT_S)
                connections, self._all, self._writer, self._bulk = self._all, [], None, None
            for connection in connections:
                connection.close()
            if locked and not held:
                self._lock.release()
            if not held:
                self._lock.close()
        if self.scratch is not None:
            shutil.rmtree(self.scratch, ignore_errors=True)


def _roll_back(connection: sqlite3.Connection) -> bool:
    """End a transaction without effect, where there still is one: after a full disk SQLite has done so by itself."""
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    except sqlite3.Error:
        return False
    return True
