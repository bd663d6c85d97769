"""Commands that open the window."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from annotator.cli import say
from annotator.cli.display import show_window
from annotator.cli.options import Folder, Json, stoppable


def open_window(workspace: Folder) -> None:
    """Open the window on a workspace."""
    from annotator.workspace.workspace import Workspace

    Workspace.open(workspace, read_only=True).close()  # says what is wrong before a window is made
    raise typer.Exit(show_window(workspace))


def demo(
    into: Annotated[
        Path | None,
        typer.Option("--into", metavar="DIR", help="Where to make it; your data folder unless given.", readable=False),
    ] = None,
    no_window: Annotated[bool, typer.Option("--no-window", help="Make it, and open no window.")] = False,
    json: Json = False,
) -> None:
    """Open the bundled sample, made where it is not there yet."""
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
