"""The two kinds of trouble: the world's, told to people in one sentence, and ours, which is a bug.

Everything that can go wrong outside the program (a missing file, a full disk, a broken record) is raised as
`WorldError` with one clear sentence: what is wrong, where, and what to do. Whatever else escapes is our own fault and
is reported as such, with its traceback in the log.
"""

from __future__ import annotations

import errno
import re
from pathlib import Path

_DATABASE = "workspace.db"
_OWN_FOLDERS = ("journal", "backups", "cache")
_TOKEN = re.compile(r"\bhf_[A-Za-z0-9]{16,}|(?<=Bearer )[^\s'\"]+")


class AnnotatorError(Exception):
    """Base of all errors that are meant to be shown to a person."""


class WorldError(AnnotatorError):
    """The world's fault: one sentence for a person, and what a program may want to know.

    Attributes:
        sentence: what is wrong, naming the file (and line), and what to do.
        code: a stable short name, for tests and scripts.
        path: the file it is about, if any.
    """

    def __init__(self, sentence: str, *, code: str = "world", path: str | None = None) -> None:
        """Keep the sentence as it will be shown."""
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code
        self.path = path


class Refused(WorldError):  # noqa: N818 - said of a source, not of an error
    """A source or a request that is refused as a whole; nothing was changed."""


class ReadOnlyWorkspace(WorldError):  # noqa: N818 - the state it reports
    """The workspace can be read but not written (another window writes, or the medium refuses)."""


def cannot_write(file: Path, error: OSError) -> WorldError:
    """The sentence for a file that was to be written and could not: one for every writer of the program."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return WorldError(
            f"{file} could not be written because the disk is full: free some space and try again.",
            code="disk_full",
            path=str(file),
        )
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return WorldError(
            f"{file} cannot be written: the folder {file.parent} is not there.", code="no_folder", path=str(file)
        )
    return WorldError(
        f"{file} cannot be written ({error.strerror or type(error).__name__}): choose another place.",
        code="not_writable",
        path=str(file),
    )


def keep_off_workspaces(file: Path) -> None:
    """Refuse a file to write that is one of a workspace's own: written over, its labels would be gone.

    Raises:
        WorldError: for the database and what belongs to it, and for anything in its folders.
    """
    try:
        place = file.resolve()
    except (OSError, RuntimeError):  # a loop of links: whoever writes says so
        return
    beside = (place.parent / _DATABASE).exists()
    within = place.parent.name in _OWN_FOLDERS and (place.parent.parent / _DATABASE).exists()
    if within or (beside and (place.name.startswith(_DATABASE) or place.suffix == ".lock")):
        raise WorldError(
            f"{file} is one of a workspace's own files: choose another place.", code="own_file", path=str(file)
        )


def without_tokens(text: str) -> str:
    """A text as it may be logged or shown: what looks like a token of the Hub is gone."""
    return _TOKEN.sub("hf_***", text) if "hf_" in text or "Bearer" in text else text
