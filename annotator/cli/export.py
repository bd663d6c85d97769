"""The command that takes labels out: for programs, for spreadsheets, in the shapes of the benchmarks."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from annotator.cli import compare, say
from annotator.cli.options import Folder, Json, opened, stoppable

if TYPE_CHECKING:
    from annotator.workspace.exporting import Exported


class Format(enum.StrEnum):
    """What labels may be written as."""

    JSONL = "jsonl"
    CSV = "csv"
    XLSX = "xlsx"
    PARQUET = "parquet"
    MM_RLHF = "mm-rlhf"
    PAIRS = "pairs"
    REWARD_BENCH = "reward-bench"
    KEYS = "keys"
    EVIDENCE = "evidence"


_PREFERENCES: Final = (Format.MM_RLHF, Format.PAIRS, Format.REWARD_BENCH)
_WHY: Final = {
    "cell_formula": "{n:,} begin like a formula",
    "cell_id": "{n:,} are ids that a spreadsheet would change",
    "cell_escape": "{n:,} look like a mark of the format",
    "control_chars": "{n:,} hold control characters",
    "surrogate": "{n:,} hold half a character",
    "cell_cut": "{n:,} are longer than a cell can be",
    "cell_long": "{n:,} are longer than a spreadsheet shows",
    "time_text": "{n:,} are times that cannot be read",
}


def export(
    workspace: Folder,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="PATH", help="The file to write.", show_default=False, readable=False),
    ],
    format: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.JSONL,
    events: Annotated[bool, typer.Option("--events", help="Every label event, not only what counts now.")] = False,
    include_evaluation_only: Annotated[
        bool, typer.Option("--include-evaluation-only", help="In mm-rlhf and pairs: the benchmark's own items too.")
    ] = False,
    cross_checked: Annotated[
        bool, typer.Option("--cross-checked", help="In keys: only where two people at least agree.")
    ] = False,
    json: Json = False,
) -> None:
    """Write labels to a file, with its metadata beside it."""
    if events and format is not Format.JSONL:
        raise typer.BadParameter("--events goes with --format jsonl.")
    if format in _PREFERENCES:
        compare.export(workspace, output, format.value, include_evaluation_only, json)
    elif format in (Format.KEYS, Format.EVIDENCE):
        _of_questions(workspace, output, format, cross_checked, json)
    else:
        _of_labels(workspace, output, format, events, json)


def _of_labels(workspace: Path, output: Path, format: Format, events: bool, json: bool) -> None:
    """Labels as they were said: as lines, or as one long table."""
    from annotator.workspace.exporting import export_labels

    progress = say.Progress("Writing")
    with opened(workspace) as door, stoppable("Stopped: nothing was written.") as token:
        try:
            done = export_labels(
                door.store, output, format_name=format.value, events=events, token=token, progress=progress
            )
        finally:
            progress.clear()
    if done.conflicts:
        say.complain(
            f"{done.conflicts} labels are left out because devices of one rater disagree about them; settle them in "
            "the window, or export --events."
        )
    if json:
        say.as_json(
            {
                "file": str(done.file), "meta": str(done.meta), "format": format.value, "events": events,
                "lines": done.lines, "conflicts": done.conflicts, "withdrawn": done.withdrawn, "stale": done.stale,
                "taken_down": done.taken_down, "manifest": done.manifest,
                "manifest_file": str(done.manifest_file) if done.manifest_file else None,
            }
        )  # fmt: skip
        return
    say.line(f"Wrote {done.lines} {'events' if events else 'labels'} to {done.file} (see {done.meta.name}).")
    if done.manifest_file:
        say.line(f"Cells with something to know: {_listed(done)}; {done.manifest_file.name} lists them.")


def _listed(done: Exported) -> str:
    """What the list beside a table holds, in words."""
    return ", ".join(_WHY[entry["code"]].format(n=entry["count"]) for entry in done.manifest)


def _of_questions(workspace: Path, output: Path, format: Format, cross_checked: bool, json: bool) -> None:
    """Corrected keys into a file, or evidence crops into a folder."""
    from annotator.workspace.questions_exporting import export_evidence, export_keys

    keys = format is Format.KEYS
    with opened(workspace) as door, stoppable("Stopped: the export is not complete.") as token:
        if keys:
            done = export_keys(door.store, output, token, cross_checked=cross_checked)
        else:
            done = export_evidence(door.store, output, token)
    for sentence in done.notes:
        say.complain(sentence)
    if json:
        told = {"file": str(done.file), "format": format.value, "written": done.written, "left_out": done.left_out}
        say.as_json(told | ({"cross_checked": done.cross_checked} if keys else {}))
    else:
        what = "corrected keys" if keys else "crops"
        say.line(f"Wrote {done.written} {what} ({done.file}).")
