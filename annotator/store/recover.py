"""Coming back from a backup, or from the journal when the database itself is lost."""

from __future__ import annotations

import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from annotator.errors import WorldError
from annotator.store.backup import good_backups, verify
from annotator.store.codec import EVERY
from annotator.store.database import DB_NAME, LOCK_NAME, connect
from annotator.store.desk import set_meta
from annotator.store.faults import explain_os, told
from annotator.store.imports import LOCK_NAME as IMPORT_LOCK
from annotator.store.journal import Journal, sync_folder
from annotator.store.locks import FileLock
from annotator.store.migrations import migrate
from annotator.store.opening import WINDOW_LOCK, create_store, new_folder, open_store
from annotator.store.store import Store
from annotator.store.values import Recovered


def restore(file: Path, folder: Path) -> Store:
    """Make a workspace of a backup, in an empty (or absent) folder, and open it; its device id is a new one.

    Raises:
        WorldError: when the backup is no whole backup, or the folder is not empty.
    """
    verify(file)
    with new_folder(folder):
        _put_in_place(file, folder)
        return open_store(folder, write=True)


def _put_in_place(backup: Path, folder: Path) -> None:
    """Copy a backup to where a workspace's database is, ready to be opened, without a device."""
    target = folder / DB_NAME
    try:
        shutil.copyfile(backup, target)
    except OSError as error:
        raise explain_os(error, target) from error
    with told(target), closing(connect(str(target), writer=True)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        migrate(connection)
        set_meta(connection, "device", "")
    sync_folder(folder)


def rebuild_from_journal(folder: Path, *, rater: str | None = None) -> Recovered:
    """Bring back a workspace whose database is damaged or gone.

    The database is set aside, never removed. The newest good backup gives the items, and the journal every label; where
    there is no good backup, the labels come back and the sources must be imported again.

    Raises:
        WorldError: when there is neither a backup nor a journal, or the folder cannot be written.
    """
    journal = Journal(folder)
    backups = good_backups(folder)
    if not backups and not journal.files():
        raise WorldError(
            f"{folder} holds neither a good backup nor a journal: nothing can be brought back from it.",
            code="nothing_to_recover",
            path=str(folder),
        )
    lines = list(journal.lines())
    events = [event for event in lines if event is not None]
    with _alone(folder):
        aside = _set_aside(folder)
        if backups:
            _put_in_place(backups[0], folder)
        else:
            said = Counter(event.rater for event in events)
            _make_empty(folder, rater or (said.most_common(1)[0][0] if said else "rater"))
    with open_store(folder, write=True) as store:
        # Opening brings back what the last line of the journal tells; this takes in all of it.
        before = store.labels.count()
        store.labels.merge(events)
        total = store.labels.count()
    held = _events_in(backups[0]) if backups else 0
    return Recovered(
        folder=folder,
        events=total,
        from_journal=max(total - held, total - before),
        backup=backups[0] if backups else None,
        set_aside=aside,
        unreadable=len(lines) - len(events),
    )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep windows and writers away: one that had the old file open would go on writing into what was set aside."""
    locks = [FileLock(folder / name) for name in (WINDOW_LOCK, IMPORT_LOCK, LOCK_NAME)]
    try:
        for lock in locks:
            if not lock.acquire():
                raise WorldError(
                    f"{folder} is open elsewhere ({lock.holder()}): close it there first; nothing was changed.",
                    code="busy",
                    path=str(folder),
                )
        yield
    except OSError as error:
        raise explain_os(error, folder) from error
    finally:
        for lock in locks:
            lock.close()


def _events_in(backup: Path) -> int:
    with closing(connect(f"{backup.resolve().as_uri()}?mode=ro", writer=False, uri=True)) as connection:
        return int(connection.execute(f"SELECT count(*) FROM ({EVERY})").fetchone()[0])


def _set_aside(folder: Path) -> Path | None:
    """Rename the database and its log; returns the database's new name."""
    stamp = f"damaged-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}"
    moved = None
    try:
        for suffix in ("-wal", "-shm", ""):
            old = folder / f"{DB_NAME}{suffix}"
            if old.exists():
                new = folder / f"{DB_NAME}.{stamp}{suffix}"
                os.replace(old, new)
                moved = new
    except OSError as error:
        raise explain_os(error, folder) from error
    return moved


def _make_empty(folder: Path, rater: str) -> None:
    """An empty database in a folder that has a journal already: made beside it and moved in."""
    beside = folder / f".new-{os.getpid()}"
    try:
        create_store(beside, rater=rater).close()
        os.replace(beside / DB_NAME, folder / DB_NAME)
    except OSError as error:
        raise explain_os(error, folder) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
