"""The command that writes a report, and the one that makes it again and compares."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated, Final

import typer

from annotator.cli import say
from annotator.cli.options import Folder, Json, opened, stoppable
from annotator.errors import WorldError

_SHOWN: Final = 20


class Language(enum.StrEnum):
    """The languages of a report."""

    EN = "en"
    ZH_CN = "zh_CN"


def report(
    workspace: Folder,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.html", help="The page; its numbers go beside it.", readable=False),
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option("--verify", metavar="FILE.json", help="Compute these numbers again and compare.", readable=False),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the resampling.")] = 0,
    resamples: Annotated[int, typer.Option(min=1, help="How many, for each interval.")] = 2_000,
    lang: Annotated[Language, typer.Option(help="Of the page.")] = Language.EN,
    json: Json = False,
) -> None:
    """Write all figures as one page, or verify an earlier one."""
    from annotator.report.figures import Asked
    from annotator.workspace import reporting

    if (output is None) == (verify is None):
        raise typer.BadParameter("give either -o FILE.html or --verify FILE.json.")
    progress = say.Progress("Calculating:")
    with opened(workspace) as door, stoppable("Stopped: nothing was written.") as token:
        asked = Asked(seed=seed, resamples=resamples, token=token, progress=progress)
        try:
            if output is not None:
                done = reporting.write_report(door.store, output, asked, lang.value)
            differences = [] if verify is None else reporting.verify(door.store, verify, asked)
        finally:
            progress.clear()
    if verify is None:
        told = {"page": str(done.page), "numbers": str(done.numbers), "figures": done.figures}
        if json:
            say.as_json(told)
        else:
            say.line(f"Wrote {done.page} with {done.figures:,} figures; its numbers are in {done.numbers}.")
        return
    _compared(verify, differences, json)


def _compared(file: Path, differences: list[str], json: bool) -> None:
    if json:
        say.as_json({"file": str(file), "ok": not differences, "differences": differences})
    elif differences:
        for line in differences[:_SHOWN]:
            say.line(line)
        if len(differences) > _SHOWN:
            say.line(f"... and {len(differences) - _SHOWN:,} more.")
    else:
        say.line(f"{file} holds: every number was computed again and is the same.")
    if differences:
        raise WorldError(f"{file} does not hold: {len(differences):,} values differ, the first {differences[0]}.")
