"""Files that appear whole or not at all, and what is told beside them."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from annotator.cancel import CancelToken, check
from annotator.errors import WorldError, cannot_write, keep_off_workspaces

META_SUFFIX: Final = ".meta.json"
USE_NOTE: Final = (
    "For evaluation only: not for training. The benchmark is under CC BY-NC-SA 4.0, and each media file under terms of "
    "its own."
)
_CHECK_EVERY: Final = 500

Meta = Callable[[int, str], dict[str, Any]]
"""Called with the number of lines and the file's SHA-256; gives what is told beside it."""


def json_line(value: Any) -> bytes:
    """A value as one line of JSON in UTF-8: real characters, but half a surrogate pair as an escape.

    Raises:
        ValueError: for NaN and infinities, which are no JSON.
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, ensure_ascii=True, allow_nan=False).encode("ascii") + b"\n"


@contextmanager
def whole_file(file: Path) -> Iterator[IO[bytes]]:
    """A file to write that takes the place of `file` at the end, when all of it is on disk.

    Raises:
        WorldError: when it cannot be written; what was there before is then still there.
    """
    if file.is_dir():
        raise WorldError(f"{file} is a folder: name the file to write.", path=str(file))
    keep_off_workspaces(file)
    # Its name holds nothing of the file's, which may be as long as names can be.
    temporary = file.with_name(f".{uuid.uuid4().hex}.part")
    try:
        with temporary.open("wb") as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(temporary, file)
        _sync_folder(file.parent)
    except OSError as error:
        raise cannot_write(file, error) from error
    finally:
        remove(temporary)


def write_lines(
    file: Path, lines: Iterable[Any], token: CancelToken | None = None, meta: Meta | None = None
) -> tuple[int, str]:
    """Write JSON Lines; returns how many there are and the SHA-256 of the file.

    `meta` is called with both when all lines are on disk; what it gives is written into `<file>.meta.json`, with what
    the export may be used for. Both files appear, or neither does.

    Raises:
        WorldError: when it cannot be written; Cancelled: nothing was.
    """
    count, digest = 0, hashlib.sha256()
    with whole_file(file) as handle:
        for value in lines:
            if count % _CHECK_EVERY == 0:
                check(token)
            data = json_line(value)
            handle.write(data)
            digest.update(data)
            count += 1
        handle.flush()
        os.fsync(handle.fileno())
        if meta is not None:
            write_meta(meta_file(file), meta(count, digest.hexdigest()))
    return count, digest.hexdigest()


def meta_file(file: Path) -> Path:
    """Where the metadata of an export stand."""
    return file.with_name(file.name + META_SUFFIX)


def write_meta(beside: Path, meta: dict[str, Any]) -> None:
    """Write what an export is, and what it may be used for.

    Raises:
        WorldError: when it cannot be written.
    """
    told = {"evaluation_only": True, "use": USE_NOTE, **meta}
    with whole_file(beside) as handle:
        handle.write(json.dumps(told, ensure_ascii=False, indent=2, allow_nan=False).encode("utf-8") + b"\n")


def _sync_folder(folder: Path) -> None:
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return  # not every file system lets a folder be opened; the file itself is on disk
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)


def remove(file: Path) -> None:
    """Take a file of ours away, where it is there."""
    try:
        file.unlink(missing_ok=True)
    except OSError:
        return  # the folder is gone or no folder; there is nothing of ours in it then
