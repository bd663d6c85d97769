"""What a data root remembers of its fetch: the repository, the commit, each file's digest, and where archives went.

A hidden folder of the data root holds it, so that a finished fetch is known without a request and an interrupted one
goes on with the commit it began with.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from annotator.cancel import Cancelled
from annotator.errors import WorldError
from annotator.hub.listing import STATE
from annotator.hub.names import inner_parts
from annotator.hub.troubles import of_disk
from annotator.hub.values import RemoteFile

VERSION: Final = 1
_NO_LOCKS: Final = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS})


@dataclass(slots=True)
class Opened:
    """An archive that was unpacked, or refused.

    Attributes:
        key: the digests of its parts, joined; another content has another key.
        folder: where to, relative to the data root; "" where it was refused.
        notes: remarks about it; `refused`: why nothing was unpacked.
    """

    key: str
    folder: str = ""
    notes: list[str] = field(default_factory=list)
    refused: str = ""


@dataclass(slots=True)
class State:
    """The memory of one data root.

    Attributes:
        files: what is wanted; `others`: what an earlier, wider request brought and still is of this commit.
        seen: path -> (size, modification time in ns) of each file whose content was found right.
        complete: everything is here and unpacked.
        gone: path -> file of an earlier commit that this one does not have, or has with another content; `left`:
            archives of it, with their folders. They stay until everything is here, so that an update that is
            interrupted leaves the old data.
    """

    repo_id: str
    requested: str
    revision: str
    allow: tuple[str, ...] = ()
    files: list[RemoteFile] = field(default_factory=list)
    others: list[RemoteFile] = field(default_factory=list)
    seen: dict[str, tuple[int, int]] = field(default_factory=dict)
    opened: dict[str, Opened] = field(default_factory=dict)
    complete: bool = False
    gone: dict[str, RemoteFile] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)

    def note(self, root: Path, file: RemoteFile) -> None:
        """Remember that a file was found right as it lies there."""
        facts = root.joinpath(*file.path.split("/")).stat()
        self.seen[file.path] = (facts.st_size, facts.st_mtime_ns)
        self.gone.pop(file.path, None)

    def is_here(self, root: Path, file: RemoteFile) -> bool:
        """Whether a file of this commit still lies there as it was found right."""
        return file.path not in self.gone and self.untouched(root, file)

    def untouched(self, root: Path, file: RemoteFile) -> bool:
        """Whether a file still lies there as it was found right."""
        try:
            facts = root.joinpath(*file.path.split("/")).lstat()
        except OSError:
            return False
        return self.seen.get(file.path) == (facts.st_size, facts.st_mtime_ns) and facts.st_size == file.size


def load(root: Path) -> State | None:
    """What a data root remembers; None where it holds no fetch, or one that cannot be read."""
    try:
        raw = json.loads((root / STATE / "state.json").read_text(encoding="utf-8"))
        if raw["version"] != VERSION:
            return None
        return _from_raw(raw)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _from_raw(raw: dict[str, Any]) -> State:
    made = State(
        repo_id=str(raw["repo_id"]),
        requested=str(raw["requested"]),
        revision=str(raw["revision"]),
        allow=tuple(raw["allow"]),
        files=[RemoteFile(**f) for f in raw["files"]],
        others=[RemoteFile(**f) for f in raw["others"]],
        seen={path: (int(size), int(at)) for path, (size, at) in raw["seen"].items()},
        opened={name: Opened(**o) for name, o in raw["opened"].items()},
        complete=bool(raw["complete"]),
        gone={str(path): RemoteFile(**f) for path, f in raw.get("gone", {}).items()},
        left={str(name): str(folder) for name, folder in raw.get("left", {}).items()},
    )
    # A data folder travels; no place that it names may lead out of it.
    for path in (f.path for f in (*made.files, *made.others, *made.gone.values())):
        if not inner_parts(path):
            raise ValueError(path)
    for folder in (*(o.folder for o in made.opened.values() if o.folder), *made.left.values()):
        if not inner_parts(folder):
            raise ValueError(folder)
    return made


def save(root: Path, state: State) -> None:
    """Write it by way of a temporary file.

    Raises:
        WorldError: the disk refuses.
    """
    folder = root / STATE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / "state.json.tmp"
        with temporary.open("w", encoding="utf-8") as file:
            json.dump({"version": VERSION, **asdict(state)}, file, ensure_ascii=False)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, folder / "state.json")
    except OSError as error:
        raise of_disk(error, root) from error


@contextmanager
def held(root: Path) -> Iterator[None]:
    """Only one fetch works in a data root at a time.

    Raises:
        WorldError: another one does, or nothing can be written there.
    """
    own = not root.exists()
    try:
        (root / STATE).mkdir(parents=True, exist_ok=True)
        lock = (root / STATE / "lock").open("a+b")
    except OSError as error:
        raise of_disk(error, root) from error
    with lock:
        if not _is_mine(lock.fileno(), root / STATE / "lock"):
            raise WorldError(f"Another fetch is at work in {root}: wait until it is done.", code="busy")
        try:
            yield
        except (WorldError, Cancelled):
            _leave_no_empty(root, own)  # while the lock is held: nobody else's is taken away
            raise


def _is_mine(descriptor: int, path: Path) -> bool:
    """Take the lock without waiting. Where the disk knows no locks there is nothing to wait for either."""
    try:
        _take(descriptor)
    except OSError as error:
        return error.errno in _NO_LOCKS
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False  # whoever ended just now took the file away with its folder


def _leave_no_empty(root: Path, own: bool) -> None:
    """Take our folder away again, and a data root that was made now, where a fetch ended before anything was known."""
    if (root / STATE / "state.json").exists():
        return
    with suppress(OSError):  # whatever is not empty, or not ours to remove, stays
        (root / STATE / "lock").unlink(missing_ok=True)
        (root / STATE).rmdir()
        if own:
            root.rmdir()


def _take(descriptor: int) -> None:
    """Lock a file without waiting; closing it lets go."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
