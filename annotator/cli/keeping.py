"""Commands that keep a workspace safe."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from annotator.cli import say
from annotator.cli.options import Folder, Json, opened
from annotator.errors import WorldError, cannot_write


def backup(
    workspace: Folder,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where; in the workspace's folder backups unless given.",
            readable=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write a verified copy of the database, while labels are made."""
    with opened(workspace) as door:
        if output is None and door.store.fixed:
            raise WorldError(
                f"{workspace} cannot be written: name a file on another disk (-o FILE).", code="read_only",
                path=str(workspace),
            )  # fmt: skip
        file = output or door.store.folder / "backups" / time.strftime("by-hand-%Y%m%d-%H%M%S.db", time.gmtime())
        _refuse_own_files(file, door.store.folder)
        written = door.backup(file)
        events = door.store.labels.count()
    if json:
        say.as_json({"file": str(written), "bytes": written.stat().st_size, "events": events})
    else:
        say.line(f"Wrote {written} ({written.stat().st_size:,} bytes, {say.counted(events, 'label event')}).")


def _refuse_own_files(file: Path, folder: Path) -> None:
    """A backup over the database itself, or into a folder, would be no backup."""
    if file.is_dir():
        raise WorldError(f"{file} is a folder: name the file to write.", path=str(file))
    if not file.parent.is_dir() and file.parent != folder / "backups":
        raise cannot_write(file, FileNotFoundError())
    own = folder.resolve()
    target = file.resolve()
    if target.parent in (own, own / "journal"):
        raise WorldError(
            f"{file} lies among the workspace's own files: choose another place, or leave -o out.", path=str(file)
        )


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.", show_default=False, readable=False)],
    workspace: Folder,
    json: Json = False,
) -> None:
    """Make a workspace of a backup, in a new or empty folder."""
    from annotator.store import restore as restore_store

    try:
        store = restore_store(file, workspace)
    except WorldError as error:
        if error.code != "damaged" or error.path != str(file):
            raise
        raise WorldError(
            f"{file} is no whole backup of a workspace: choose another file of its folder backups.", code="damaged",
            path=str(file),
        ) from error  # fmt: skip
    with store:
        events, totals = store.labels.count(), store.items.totals()
    if json:
        say.as_json({"workspace": str(workspace), "events": events, "totals": totals})
    else:
        held = f"{say.counted(totals['dialogues'], 'dialogue')}, {say.counted(events, 'label event')}"
        say.line(f"Restored {workspace}: {held}.")


def rebind(
    workspace: Folder,
    old: Annotated[
        str, typer.Argument(metavar="OLD_FOLDER", help="The folder as it was at the import.", show_default=False)
    ],
    new: Annotated[
        Path, typer.Argument(metavar="NEW_FOLDER", help="Where it is now.", show_default=False, readable=False)
    ],
    json: Json = False,
) -> None:
    """Say where a folder with media that moved is now."""
    from annotator.workspace.rebinding import rebind as move

    with opened(workspace, write=True) as door:
        told = move(door.store, old, new)
    if json:
        say.as_json(told)
    else:
        say.line(f"{told['files']:,} files are looked for in {told['new']}: {told['found']:,} are there.")
