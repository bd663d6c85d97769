"""Making and opening workspaces: every check that comes before the first read, and what is set right before writing."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from annotator.domain.ids import uuid7
from annotator.errors import WorldError
from annotator.store import device as devices
from annotator.store.backup import FOLDER as BACKUPS
from annotator.store.backup import header, write_backup
from annotator.store.codec import now
from annotator.store.database import DB_NAME, Database, connect
from annotator.store.desk import get_meta, set_meta
from annotator.store.faults import explain_os, told
from annotator.store.journal import FOLDER as JOURNAL
from annotator.store.journal import sync_folder
from annotator.store.locks import FileLock
from annotator.store.migrations import STEPS, migrate, refuse_newer
from annotator.store.place import free_bytes, on_network_share, space_warning, writable
from annotator.store.store import Store

WINDOW_LOCK: Final = "window.lock"
_FOLDERS: Final = (JOURNAL, BACKUPS, "cache")


def create_store(
    folder: Path, *, rater: str, show_model_names: bool = False, rate_reference: bool = False, window: bool = False
) -> Store:
    """Make a new workspace in an empty (or absent) folder and open it for writing.

    Raises:
        WorldError: when the folder is not empty or cannot be written.
    """
    facts = {
        "workspace_id": uuid7(),
        "created": now(),
        "rater": rater,
        "show_model_names": show_model_names,
        "rate_reference": rate_reference,
    }
    with new_folder(folder):
        file = folder / DB_NAME
        with told(file), closing(connect(str(file), writer=True)) as connection:
            migrate(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            for name, value in facts.items():
                set_meta(connection, name, value)
            connection.execute("COMMIT")
        sync_folder(folder)
        return open_store(folder, write=True, window=window)


@contextmanager
def new_folder(folder: Path) -> Iterator[None]:
    """The empty folder of a new workspace, with its folders; emptied again when what is done inside fails.

    Raises:
        WorldError: when something is in it, or it cannot be made.
    """
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise WorldError(
                f"{folder} is not empty: choose a new or an empty folder for the workspace.",
                code="not_empty",
                path=str(folder),
            )
        there = folder.exists()
        for name in _FOLDERS:
            (folder / name).mkdir(parents=True)
    except OSError as error:
        raise explain_os(error, folder) from error
    try:
        yield
    except BaseException:
        _empty(folder, remove=not there)
        raise


def _empty(folder: Path, *, remove: bool) -> None:
    for inside in folder.iterdir():
        if inside.is_dir():
            shutil.rmtree(inside, ignore_errors=True)
        else:
            inside.unlink(missing_ok=True)
    if remove:
        folder.rmdir()


def open_store(folder: Path, *, write: bool, window: bool = False) -> Store:
    """Open a workspace.

    With `write`, and without another process being in the way for long, labels can be made: the lock is taken for each
    transaction. A window also holds a lock of its own for as long as it is open; where another window does, this store
    is read-only and says why. So it does on a medium that cannot be written.

    Raises:
        WorldError: when there is no workspace, or it is damaged, or a newer version made it; it is left as it was.
    """
    file = folder / DB_NAME
    if not file.is_file():
        raise WorldError(
            f"{folder} is no workspace of Rubric Annotator: it holds no {DB_NAME}; choose another folder or make a new "
            "workspace.",
            code="not_workspace",
            path=str(folder),
        )
    header(file)
    if not writable(folder, file):
        why = f"{folder} cannot be written: it can be read here; copy the folder to a disk of your own to work on it."
        return _open_fixed(folder, file, why if write else _JUST_READING)
    try:
        return _open(folder, file, write=write, window=window)
    except WorldError as error:
        if error.code not in ("disk_full", "io") or free_bytes(folder) >= _SHARED_BYTES:
            raise
        # Even reading takes some kilobytes beside the database, which a disk that is full to the last byte has not.
        why = f"The disk that holds {folder} is full: the workspace can be read; free some space and open it again."
        return _open_fixed(folder, file, why)


def _open(folder: Path, file: Path, *, write: bool, window: bool) -> Store:
    window_lock, why = _window(folder) if window else (None, "")
    database = Database(folder, why=why if write else why or _JUST_READING)
    try:
        with told(file):
            version = refuse_newer(database.reader(), file)
        if version < len(STEPS):  # also for a look: what reads it knows the newest tables alone
            _bring_up(folder, version)
        if database.read_only:
            return Store(database, _device(database), window=window_lock, network_share=on_network_share(folder))
        return _open_writing(database, window_lock)
    except BaseException:
        database.close()
        if window_lock is not None:
            window_lock.close()
        raise


# What SQLite shares between the readers of a write-ahead log, twice over.
_SHARED_BYTES: Final = 65_536
_JUST_READING: Final = "The workspace was opened for reading only."


def _window(folder: Path) -> tuple[FileLock | None, str]:
    """The lock of the window, or a sentence where another window holds it."""
    lock = FileLock(folder / WINDOW_LOCK)
    try:
        if lock.acquire():
            return lock, ""
    except OSError as error:
        raise explain_os(error, lock.path) from error
    holder = lock.holder()
    lock.close()
    return None, f"Another window has this workspace open ({holder}): it can be read here, and written there."


def _open_fixed(folder: Path, file: Path, why: str) -> Store:
    """Open what cannot be written: as it is where its log was closed, else a copy that lives as long as the store.

    What an older version made is brought up in such a copy.
    """
    log = file.with_name(file.name + "-wal")
    database = _fixed(folder, file, why, copy=log.exists() and log.stat().st_size > 0)
    try:
        with told(file):
            version = refuse_newer(database.reader(), file)
        if version < len(STEPS):
            database.close()
            database = _fixed(folder, file, why, copy=True)
            held = Path(database.scratch or folder) / file.name
            with told(held), closing(connect(str(held), writer=True)) as connection:
                migrate(connection)
        return Store(database, _device(database), network_share=on_network_share(folder))
    except BaseException:
        database.close()
        raise


def _fixed(folder: Path, file: Path, why: str, *, copy: bool) -> Database:
    database = Database(folder, why=why)
    if not copy:
        database.target = f"{file.resolve().as_uri()}?immutable=1"
        return database
    scratch = database.scratch = Path(tempfile.mkdtemp(prefix="rubric-annotator-"))
    try:
        for part in (file, file.with_name(file.name + "-wal")):
            if part.exists():
                shutil.copyfile(part, scratch / part.name)
    except OSError as error:
        database.close()
        raise explain_os(error, scratch) from error
    database.target = (scratch / file.name).as_uri()
    return database


def _device(database: Database) -> str:
    with told(database.file):
        return str(get_meta(database.reader(), "device", ""))


def _open_writing(database: Database, window: FileLock | None) -> Store:
    folder, file = database.folder, database.file
    store = Store(database, _device(database), window=window, network_share=on_network_share(folder))
    said: list[str] = []
    try:
        with database.locked():
            store.labels.device = _device(database)
            said = _recover(store)
            _settle_device(store)
    except WorldError as error:
        if error.code not in ("disk_full", "read_only"):
            raise
        database.why = error.sentence  # it can be read all the same
    if store.network_share:
        said.append(
            f"{folder} lies on a network share, where a database can be damaged: keep the workspace on this machine's "
            "own disk."
        )
    if space := space_warning(folder, file.stat().st_size):
        said.append(space)
    for root in store.desk.lost_roots():
        said.append(
            f"The media folder {root} is not there: connect its drive, or say where it is now (annotator rebind "
            f"{folder} {root} NEW_FOLDER)."
        )
    # Sweeping writes up to what the database holds: the last space of a disk is left to the labels.
    if not store.read_only and free_bytes(folder) >= file.stat().st_size:
        try:
            store.imports.sweep()
        except WorldError as error:  # nobody sees what is left; the next import sweeps it
            said.append(error.sentence)
    store.warnings = tuple(said)
    return store


def _bring_up(folder: Path, version: int) -> None:
    """Migrate, after a verified backup that says which version it holds."""
    name = f"before-version-{len(STEPS)}-from-{version}.db"
    with closing(Database(folder)) as database:
        write_backup(database.reader(), folder / BACKUPS / name)
        with database.locked(), told(database.file), closing(connect(str(database.file), writer=True)) as connection:
            migrate(connection)
            free, size = (
                int(connection.execute(f"PRAGMA {of}").fetchone()[0]) for of in ("freelist_count", "page_count")
            )
            if 4 * free > size and free_bytes(folder) > 2 * database.file.stat().st_size:
                connection.execute("VACUUM")  # a step that wrote large tables anew left their old pages behind


def _recover(store: Store) -> list[str]:
    """Make journal and database agree: each gets what only the other has."""
    lost = store.journal.reconcile(store.database.reader())
    if not lost:
        return [store.journal.warning] if store.journal.warning else []
    result = store.labels.merge(lost)
    return [
        f"{result.inserted} labels were missing in the database and were brought back from the journal "
        f"({len(result.quarantined)} could not be taken in and are kept aside)."
    ]


def _settle_device(store: Store) -> None:
    """Keep the device id where this is the workspace that was here before; else take a new one."""
    connection = store.database.reader()
    device, workspace = store.device, store.desk.workspace_id
    seq = devices.highest_seq(connection, device) if device else 0
    if not (device and devices.still_ours(workspace, store.folder, store.database.file, device, seq)):
        device, seq = devices.new_device(), 0
        with store.database.write() as writing:
            set_meta(writing, "device", device)
            set_meta(writing, "devices", [*get_meta(writing, "devices", []), device])
        store.labels.device = device
    devices.remember(workspace, store.folder, store.database.file, device, seq)
