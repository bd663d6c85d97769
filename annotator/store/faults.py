"""What the world can do to a database file, told in one sentence each."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotator.errors import ReadOnlyWorkspace, WorldError
from annotator.store.blind import refused

_SHM_SIZE = 4874  # SQLITE_IOERR_SHMSIZE: the index of the write-ahead log could not grow, which a full disk causes too


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn the driver's errors that are the world's fault into sentences about `path`; bugs pass unchanged."""
    try:
        yield
    except sqlite3.Error as error:
        known = explain(error, path)
        if known is None:
            raise
        raise known from error


def explain(error: BaseException, path: Path) -> WorldError | None:
    """The sentence for a driver's error, None where it is no fault of the world."""
    if isinstance(error, sqlite3.ProgrammingError) and "closed database" in str(error):
        # Another thread closed the workspace (the window was left while a sync ran): what it was at stops here.
        return WorldError(f"The workspace {path.parent} was closed.", code="closed", path=str(path.parent))
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int):
        return None
    if code == _SHM_SIZE:
        code = sqlite3.SQLITE_FULL
    shown, kind = str(path), code & 0xFF
    if isinstance(error, sqlite3.Error) and refused(error):
        return WorldError(
            "What judges said stays closed until your own scores are committed.", code="blind", path=shown
        )
    if kind == sqlite3.SQLITE_FULL:
        return disk_full(path)
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return WorldError(
            f"{shown} is being used by another program and did not become free: nothing was changed; try again.",
            code="busy",
            path=shown,
        )
    if kind in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return ReadOnlyWorkspace(
            f"{shown} cannot be written: nothing was changed; make the file and its folder writable.",
            code="read_only",
            path=shown,
        )
    if kind in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return damaged(path)
    if kind == sqlite3.SQLITE_CANTOPEN:
        return WorldError(f"{shown} cannot be opened: check that it is there and may be read.", code="io", path=shown)
    if kind == sqlite3.SQLITE_IOERR:
        return WorldError(
            f"The disk that holds {shown} could not be read or written ({error}): nothing was changed; check the disk.",
            code="io",
            path=shown,
        )
    return None


def disk_full(path: Path) -> WorldError:
    """The disk is full; the transaction was rolled back as a whole."""
    return WorldError(
        f"The disk that holds {path} is full: nothing of this was saved; free some space and try again.",
        code="disk_full",
        path=str(path),
    )


def damaged(path: Path) -> WorldError:
    """The file is damaged or no database."""
    return WorldError(
        f"{path} is damaged or no database; it was left as it is: restore the newest file of the folder backups beside "
        f"it into a new folder (annotator restore FILE WORKSPACE).",
        code="damaged",
        path=str(path),
    )


def explain_os(error: OSError, path: Path) -> WorldError:
    """The sentence for an error of the operating system about a file of the workspace."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return disk_full(path)
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return ReadOnlyWorkspace(
            f"{path} cannot be written: make the file and its folder writable.", code="read_only", path=str(path)
        )
    return WorldError(f"{path} could not be read or written ({error.strerror}).", code="io", path=str(path))
