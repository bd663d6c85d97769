"""Commands that bring items and labels in, and settle what waits."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annotator.cli import reports, say
from annotator.cli.options import Folder, Json, check_rater, opened, stoppable
from annotator.errors import WorldError

if TYPE_CHECKING:
    from annotator.domain.report import ImportReport


class Kind(enum.StrEnum):
    """What a source may be told to be."""

    AUTO = "auto"
    RUBRIC_MME = "rubric-mme"
    JUDGE = "judge"
    ATTRIBUTIONS = "attributions"
    MME_REALWORLD = "mme-realworld"
    PREDICTIONS = "predictions"
    MM_RLHF = "mm-rlhf"
    MANIFEST = "manifest"
    LABELS = "labels"


class Choice(enum.StrEnum):
    """How a problem may be settled."""

    KEEP_FIRST = "keep-first"
    KEEP_SECOND = "keep-second"
    MAP_SCALE = "map-scale"
    DROP = "drop"


def new(
    workspace: Folder,
    rater: Annotated[
        str | None, typer.Option(metavar="ID", help="Whose labels are made in it; your login name unless given.")
    ] = None,
    show_model_names: Annotated[
        bool, typer.Option("--show-model-names", help="Show raters which model answered, instead of A, B, C.")
    ] = False,
    reveal: Annotated[
        bool, typer.Option("--reveal/--no-reveal", help="In spot-checks, show raters the judge after their commit.")
    ] = True,
    json: Json = False,
) -> None:
    """Make an empty workspace in a new or empty folder."""
    from annotator.workspace.setup import login_name
    from annotator.workspace.workspace import Workspace

    who = check_rater(rater) or login_name()
    with Workspace.create(workspace, rater=who, show_model_names=show_model_names) as made:
        if not reveal:
            made.reveals.allow(False)
    if json:
        say.as_json({"workspace": str(workspace), "rater": who, "reveal": reveal})
    else:
        say.line(f"Made the workspace {workspace} for the rater {who}.")


def import_(
    workspace: Folder,
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="A file, or a folder.", show_default=False, readable=False)
    ],
    kind: Annotated[Kind, typer.Option(help="What the source is.")] = Kind.AUTO,
    media_root: Annotated[
        list[Path] | None,
        typer.Option(metavar="DIR", help="Where the media are; may be given several times.", readable=False),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Who answered, where the records do not say.")
    ] = None,
    json: Json = False,
) -> None:
    """Import a dataset, answers, judge scores or labels."""
    progress = say.Progress("Reading")
    with (
        opened(workspace, write=True) as door,
        stoppable(f"Stopped: {workspace} holds what it held, and the finished parts of a large set.") as token,
        _told_as_json(json),
    ):
        try:
            report = door.import_source(
                source, kind=kind.value, media_roots=media_root or (), model=model, token=token, progress=progress
            )
        finally:
            progress.clear()
    _finish(report, json)


def label(
    workspace: Folder,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Label lines, or a table of labels.", show_default=False, readable=False),
    ],
    rater: Annotated[str, typer.Option(metavar="ID", help="Who says it, whatever the lines say.")],
    json: Json = False,
) -> None:
    """Add labels of one rater from a file."""
    from annotator.workspace.importing import import_source

    who = check_rater(rater) or ""
    progress = say.Progress("Reading")
    with (
        opened(workspace, write=True) as door,
        stoppable(f"Stopped: {workspace} is as it was before.") as token,
        _told_as_json(json),
    ):
        try:
            report = import_source(
                door.store, file, kind="labels", rater=who, rater_wins=True, token=token, progress=progress
            )
        finally:
            progress.clear()
    _finish(report, json)


def decide(
    workspace: Folder,
    problem: Annotated[str, typer.Argument(metavar="PROBLEM", help="Its id (annotator check).", show_default=False)],
    choice: Annotated[Choice, typer.Argument(metavar="CHOICE", help="keep-first, keep-second, map-scale or drop.")],
    json: Json = False,
) -> None:
    """Settle what an import left waiting."""
    with opened(workspace, write=True) as door:
        report = door.decide(problem, choice.value)
    if json:
        told = None if report is None else report.model_dump(mode="json")
        say.as_json({"problem": problem, "choice": choice.value, "report": told})
        return
    say.line(f"Settled {problem}: {choice.value}.")
    if report is not None:
        reports.tell(report)


def _finish(report: ImportReport, json: bool) -> None:
    """Print a report; leave with 1 and a sentence where the source was refused."""
    if json:
        say.as_json(report.model_dump(mode="json"))
    else:
        reports.tell(report)
    if report.refused:
        say.complain(reports.why_refused(report))
        raise typer.Exit(1)


class _told_as_json:  # noqa: N801 - used like a function
    """With `--json`, a source that cannot even be opened has a report too, so that programs always find one."""

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if self._wanted and isinstance(error, WorldError):
            from annotator.domain.report import ImportReport

            say.as_json(ImportReport(refused=True, notes=[error.sentence]).model_dump(mode="json"))
