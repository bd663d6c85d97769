"""What the world can do to a shared folder, told in one sentence each."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotator.errors import WorldError


@contextmanager
def told(folder: Path) -> Iterator[None]:
    """Turn errors of the operating system about the shared folder into sentences."""
    try:
        yield
    except OSError as error:
        raise gone(folder, error) from error


def gone(folder: Path, error: OSError) -> WorldError:
    """The sentence for an error of the operating system."""
    shown = str(folder)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return WorldError(
            f"The disk of {shown} is full: your labels are safe on this machine and wait; free some space there.",
            code="disk_full",
            path=shown,
        )
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return WorldError(
            f"{shown} cannot be written: your labels are safe on this machine and wait; ask for the right to write "
            "there.",
            code="folder_read_only",
            path=shown,
        )
    return WorldError(
        f"{shown} cannot be reached ({error.strerror}): your labels are safe on this machine and wait; connect it and "
        "sync again.",
        code="folder_gone",
        path=shown,
    )
