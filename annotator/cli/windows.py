"""Commands that open the window."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from annotator.cli import say
from annotator.cli.options import Folder, Json, stoppable
from annotator.errors import WorldError


def show_window(workspace: Path | None) -> int:
    """The window, on a workspace or on the last one; returns when it is closed.

    Raises:
        WorldError: there is no display.
    """
    if not has_display():
        raise WorldError(
            "There is no display to open a window on: set DISPLAY or WAYLAND_DISPLAY, or use the other commands "
            "(annotator --help).",
            code="no_display",
        )
    from annotator.app import main

    return main(workspace)


def has_display() -> bool:
    """Whether Qt would find a screen, or was told to do without one."""
    names = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in names)


def open_window(workspace: Folder) -> None:
    """Open the window on a workspace."""
    if not (workspace / "workspace.db").is_file():
        from annotator.workspace.workspace import Workspace

        Workspace.open(workspace, read_only=True).close()  # says what is wrong
    raise typer.Exit(show_window(workspace))


def demo(
    into: Annotated[
        Path | None, typer.Option("--into", metavar="DIR", help="Where to make it; your data folder unless given.")
    ] = None,
    no_window: Annotated[bool, typer.Option("--no-window", help="Make it, and open no window.")] = False,
    json: Json = False,
) -> None:
    """Open the bundled sample as a workspace; it is made where it is not there yet."""
    from annotator.workspace.setup import ensure_demo

    progress = say.Progress("Making the sample:", "files")
    with stoppable("Stopped: the sample was not made, and nothing of it is left.") as token:
        try:
            folder = ensure_demo(into, token=token, progress=progress)
        finally:
            progress.clear()
    if json:
        say.as_json({"workspace": str(folder)})
    else:
        say.line(f"The sample is in {folder}")
    if not no_window:
        sys.stdout.flush()
        raise typer.Exit(show_window(folder))
