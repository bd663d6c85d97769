"""What several commands share: their arguments, how they open a workspace, and how a person stops them."""

from __future__ import annotations

import enum
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from annotator.cancel import Cancelled, CancelToken
from annotator.cli import say
from annotator.errors import ReadOnlyWorkspace

if TYPE_CHECKING:
    from annotator.workspace.workspace import Workspace

Folder = Annotated[
    Path, typer.Argument(metavar="WORKSPACE", help="The workspace's folder.", show_default=False, readable=False)
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Item = Annotated[
    str,
    typer.Argument(metavar="ITEM", help="An internal id, or a source id that is unique.", show_default=False),
]


class Subject(enum.StrEnum):
    """What figures are about."""

    AGREEMENT = "agreement"
    CALIBRATION = "calibration"
    RETENTION = "retention"
    EFFORT = "effort"
    ACCURACY = "accuracy"
    PREFERENCE = "preference"


@contextmanager
def opened(folder: Path, *, write: bool = False) -> Iterator[Workspace]:
    """An open workspace. What is found at its opening is told on the error stream.

    Raises:
        WorldError: no workspace, a newer version's, damaged; with `write`, also where it cannot be written.
    """
    from annotator.workspace.workspace import Workspace

    with Workspace.open(folder, read_only=not write) as workspace:
        if write and workspace.store.read_only:
            raise ReadOnlyWorkspace(workspace.store.why, code="read_only", path=str(folder))
        yield workspace
        # Told where all went well; a fault has the error stream to itself.
        for sentence in workspace.store.warnings if write else ():
            say.complain(sentence)


@contextmanager
def stoppable(sentence: str) -> Iterator[CancelToken]:
    """A token that Ctrl-C (and a polite kill) cancels; `sentence` then says what that means for the workspace.

    The work stops at its next check, where nothing is half done; a second Ctrl-C does not wait for that.
    """
    token = CancelToken()
    old: dict[signal.Signals, object] = {}

    def stop(number: int, frame: FrameType | None) -> None:
        if token.cancelled and number == signal.SIGINT:
            raise KeyboardInterrupt
        token.cancel()

    if threading.current_thread() is threading.main_thread():
        old = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield token
    except Cancelled:
        say.complain(sentence)
        raise
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)  # type: ignore[arg-type]


def check_rater(rater: str | None) -> str | None:
    """A rater's name as typed, blanks around it aside; wrong usage where nothing is left."""
    if rater is None:
        return None
    name = rater.strip()
    if not name or not name.isprintable():
        raise typer.BadParameter("the rater's name is empty or holds characters that cannot be printed.")
    return name


def parted(pairs: list[str]) -> dict[str, str | list[str]]:
    """FIELD=VALUE as typed: field -> value, or its values in order where a field is named several times.

    Wrong usage where there is no "=" in one.
    """
    found: dict[str, str | list[str]] = {}
    for pair in pairs:
        field, sign, value = pair.partition("=")
        if not sign or not field:
            raise typer.BadParameter(f'"{pair}" is no FIELD=VALUE.')
        before = found.get(field)
        if before is None:
            found[field] = value
        else:
            found[field] = [*(before if isinstance(before, list) else [before]), value]
    return found
