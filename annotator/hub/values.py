"""What the Hub lists, how far a fetch is, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file as the Hub lists it.

    Attributes:
        path: inside the repository, with forward slashes.
        size: bytes.
        digest: lower-case hexadecimal; `kind` says of what: `sha256` of the content (LFS), or `blob`, git's sha1 of it.
    """

    path: str
    size: int
    digest: str
    kind: Literal["sha256", "blob"]


@dataclass(frozen=True, slots=True)
class Step:
    """How far a fetch is.

    Attributes:
        phase: `look` (what is there), `fetch`, `unpack`.
        done, total: bytes of this phase; total is 0 while it is not known.
        files_done, files_total: files (of `fetch`), archives (of `unpack`).
        speed: bytes a second of late, 0 when not known; seconds_left: None when not known.
        name: the file or archive at work.
        pause: seconds until the next try, where the Hub asked for a pause or was not reached; 0 when there is none.
    """

    phase: Literal["look", "fetch", "unpack"]
    done: int = 0
    total: int = 0
    files_done: int = 0
    files_total: int = 0
    speed: float = 0.0
    seconds_left: float | None = None
    name: str = ""
    pause: float = 0.0


Progress = Callable[[Step], None]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A repository that is here, whole and checked.

    Attributes:
        repo_id: as asked for; `requested`: the revision asked for; `revision`: the commit it is.
        root: the data root, where the files lie as in the repository.
        folders: where archives were unpacked to, in the order of their names.
        files, size: how many files, and their bytes together; `fetched`: the bytes that came over the network now.
        notes: remarks about archives; `refused`: a sentence for each archive of which nothing was unpacked.
    """

    repo_id: str
    requested: str
    revision: str
    root: Path
    folders: tuple[Path, ...] = ()
    files: int = 0
    size: int = 0
    fetched: int = 0
    notes: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
