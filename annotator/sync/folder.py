"""The shared folder: `hub.json` tells it from others, `bundles/<device>/` holds what each device wrote.

A device writes only into its own folder, each file once: to a temporary name, flushed to the disk, then renamed.
Nothing is ever changed or removed but temporary files of one's own that a crash left.
"""

from __future__ import annotations

import errno
import json
import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.cancel import CancelToken
from annotator.domain.ids import uuid7
from annotator.errors import WorldError
from annotator.sync.bundle import BundleFault, Contents, Header, Trailer, compose
from annotator.sync.faults import gone, told
from annotator.sync.reading import Opened, open_bundle

HUB_FILE: Final = "hub.json"
HUB_FORMAT: Final = "rubric-annotator-hub"
HUB_VERSION: Final = 1
BUNDLES: Final = "bundles"
_SUFFIX: Final = ".jsonl.gz"
_NAME: Final = re.compile(r"(\d{6,})-([0-9a-f]{32})\.jsonl\.gz")
_TEMPORARY: Final = ".writing-"
MAX_BYTES: Final = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Found:
    """A file that lies where bundles lie.

    Attributes:
        place: its path inside the hub, with `/`.
        number, digest: what its name says, None where it is no bundle's name.
        modified: seconds since 1970, by the folder's clock.
    """

    path: Path
    place: str
    folder: str
    number: int | None
    digest: str | None
    size: int
    modified: float


class Hub:
    """An open shared folder."""

    def __init__(self, folder: Path, hub_id: str, made: bool) -> None:
        """Use `open` instead."""
        self.folder = folder
        self.id = hub_id
        self.made = made

    @classmethod
    def open(cls, folder: Path, *, make: bool, by: str = "") -> Hub | None:
        """The hub in a folder; where there is none, a new one if `make`, else None.

        Raises:
            WorldError: no such folder, it cannot be read or written, or a newer version made the hub.
        """
        with told(folder):
            if not folder.is_dir():
                raise WorldError(
                    f"There is no folder {folder}: connect the drive or choose another folder; your labels are safe on "
                    "this machine.",
                    code="folder_gone",
                    path=str(folder),
                )
            found = _read_hub(folder)
            if found is not None:
                return cls(folder, found, False)
            if not make:
                return None
            (folder / BUNDLES).mkdir(exist_ok=True)
            _make_hub(folder, by)
            made = _read_hub(folder)
        if made is None:
            raise WorldError(f"{folder / HUB_FILE} could not be read again: try again.", code="io", path=str(folder))
        return cls(folder, made, True)

    def files(self) -> list[Found]:
        """Everything that lies where bundles lie, device by device in the order of their numbers."""
        found: list[Found] = []
        with told(self.folder):
            root = self.folder / BUNDLES
            if not root.is_dir():
                return []
            for device in sorted(os.scandir(root), key=lambda e: e.name):
                if device.name.startswith("."):
                    continue
                if not device.is_dir():
                    found.append(_found(device, "", root))
                    continue
                inside = [e for e in os.scandir(device.path) if not e.name.startswith(".")]
                found += [_found(e, device.name, root) for e in sorted(inside, key=lambda e: e.name) if _is_file(e)]
        return found

    def read(self, file: Found) -> Opened:
        """Read a file as a bundle.

        Raises:
            BundleFault: when it cannot be taken; WorldError: when the folder went away.
        """
        if file.size > MAX_BYTES or (file.digest is None and not file.place.endswith(".gz")):
            raise BundleFault("foreign", "is no bundle")
        try:
            data = file.path.read_bytes()
        except OSError as error:
            if self.folder.joinpath(HUB_FILE).is_file() and error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise BundleFault("unreadable", f"cannot be read ({error.strerror})") from error
            raise gone(self.folder, error) from error
        return open_bundle(data, file.digest)

    def clock_ahead(self, device: str, clock: Callable[[], float] = time.time) -> float:
        """How many seconds the folder's clock is ahead of `clock`: what a file made now says it was made at."""
        with told(self.folder):
            own = self._own(device)
            probe = own / f"{_TEMPORARY}{uuid7()}"
            probe.write_bytes(b".")
            try:
                return probe.stat().st_mtime - clock()
            finally:
                probe.unlink()

    def write(
        self, header: Header, contents: Contents, token: CancelToken | None = None
    ) -> tuple[str, str, int, Trailer]:
        """Write a bundle; (its place, its digest, its size, its trailer) once it is on the disk under its name.

        Raises:
            WorldError: full disk, no right to write, folder gone; Cancelled. Nothing stays behind then.
        """
        with told(self.folder):
            own = self._own(header.device)
            temporary = own / f"{_TEMPORARY}{uuid7()}"
            try:
                with temporary.open("xb") as out:
                    digest, trailer = compose(out, header, contents, token)
                    out.flush()
                    os.fsync(out.fileno())
                    size = out.tell()
                final = own / f"{header.number:06d}-{digest}{_SUFFIX}"
                os.replace(temporary, final)
            except BaseException:
                with suppress(OSError):
                    temporary.unlink(missing_ok=True)
                raise
            _sync_folder(own)
            if final.stat().st_size != size:
                raise OSError(errno.EIO, "what was written did not arrive whole")
        return f"{header.device}/{final.name}", digest, size, trailer

    def sweep(self, device: str) -> int:
        """Remove temporary files of this device that a crash left; the caller sees to it that none is being written."""
        own = self.folder / BUNDLES / device
        left = list(own.glob(f"{_TEMPORARY}*")) if own.is_dir() else []
        for file in left:
            with suppress(OSError):
                file.unlink()
        return len(left)

    def set_aside(self, file: Found) -> None:
        """Take a damaged bundle of one's own out of the others' sight; it stays, under a name that nobody reads."""
        with suppress(OSError):
            os.replace(file.path, file.path.with_name(f".damaged-{file.path.name}"))

    def _own(self, device: str) -> Path:
        if not (self.folder / HUB_FILE).is_file():
            raise FileNotFoundError(errno.ENOENT, "hub.json is gone")
        own = self.folder / BUNDLES / device
        own.mkdir(parents=True, exist_ok=True)
        return own


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return True


def _found(entry: os.DirEntry[str], folder: str, root: Path) -> Found:
    named = _NAME.fullmatch(entry.name) if folder else None
    try:
        status = entry.stat()
        size, modified = status.st_size, status.st_mtime
    except OSError:
        size, modified = 0, 0.0
    return Found(
        Path(entry.path),
        f"{folder}/{entry.name}" if folder else entry.name,
        folder,
        int(named[1]) if named else None,
        named[2] if named else None,
        size,
        modified,
    )


def _read_hub(folder: Path) -> str | None:
    try:
        text = (folder / HUB_FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise _odd_hub(folder) from error
    try:
        raw = json.loads(text)
        known = raw["format"] == HUB_FORMAT and isinstance(raw["hub"], str) and bool(raw["hub"])
        version = int(raw["version"])
    except (ValueError, KeyError, TypeError) as error:
        raise _odd_hub(folder) from error
    if known and version > HUB_VERSION:
        raise WorldError(
            f"{folder} was set up by a newer version of Rubric Annotator: update the program; nothing was changed.",
            code="newer_version",
            path=str(folder),
        )
    if not known:
        raise _odd_hub(folder)
    return str(raw["hub"])


def _odd_hub(folder: Path) -> WorldError:
    return WorldError(
        f"{folder / HUB_FILE} is damaged or is not ours: it was left as it is; put it back from another copy of the "
        "folder, or choose another folder.",
        code="hub_damaged",
        path=str(folder),
    )


def _make_hub(folder: Path, by: str) -> None:
    """Write `hub.json` unless somebody else is faster."""
    said = {"format": HUB_FORMAT, "version": HUB_VERSION, "hub": uuid7(), "made_at": time.time(), "by": by}
    temporary = folder / f"{_TEMPORARY}{uuid7()}"
    final = folder / HUB_FILE
    with temporary.open("xb") as out:
        out.write((json.dumps(said) + "\n").encode("utf-8"))
        out.flush()
        os.fsync(out.fileno())
    try:
        os.link(temporary, final)  # refuses to replace: two devices at once agree on the first
    except FileExistsError:
        return
    except OSError:  # no links there
        if not final.exists():
            os.replace(temporary, final)
    finally:
        temporary.unlink(missing_ok=True)
        _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    """Make new names durable, where the system and the share can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some shares refuse to flush a folder
            os.fsync(handle)
    finally:
        os.close(handle)
