"""The command that brings a benchmark from the Hub."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annotator.cli import reports, say
from annotator.cli.options import Folder, Json, opened, stoppable
from annotator.errors import WorldError

if TYPE_CHECKING:
    from annotator.domain.report import ImportReport
    from annotator.workspace.fetching import Fetched, Step


class Line:
    """One line of the error stream that says how far a fetch is; silent where nobody looks."""

    def __init__(self) -> None:
        """Nothing is shown yet."""
        self._wanted = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._shown = False

    def __call__(self, step: Step) -> None:
        """Called from working threads, one at a time."""
        if self._wanted:
            self._shown = True
            columns = min(120, shutil.get_terminal_size().columns - 1)  # a line that wraps cannot be written over
            print(f"\r\x1b[K{say.cut(self.text(step), columns)}", end="", file=sys.stderr, flush=True)

    @staticmethod
    def text(step: Step) -> str:
        """The line: phase, share, amounts, speed, time left."""
        from annotator.workspace.fetching import size

        if step.pause:
            return f"Waiting for the Hub: the next try is in {_clock(step.pause)}"
        if step.phase == "look" or not step.total:
            return "Looking at the Hub"
        what = "Fetching" if step.phase == "fetch" else "Unpacking"
        parts = [f"{what} {min(100, step.done * 100 // step.total):3d} %"]
        if step.phase == "fetch":
            parts.append(f"{size(step.done)} of {size(step.total)}")
            if step.speed:
                parts.append(f"{size(step.speed)}/s")
        if step.seconds_left is not None and step.phase == "fetch":
            parts.append(f"{_clock(step.seconds_left)} left")
        return "  ".join([*parts, step.name])

    def clear(self) -> None:
        """Take the line away again."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def fetch(
    repo_id: Annotated[
        str, typer.Argument(metavar="REPO_ID", help="OWNER/NAME of a dataset, or its page.", show_default=False)
    ],
    workspace: Folder,
    revision: Annotated[
        str | None,
        typer.Option(metavar="R", help="A branch, tag or commit; else the commit that is here, or main."),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Only files that fit, such as '*.json'; may be given several times."),
    ] = None,
    data_root: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the files go; WORKSPACE/data/NAME unless given.", readable=False),
    ] = None,
    json: Json = False,
) -> None:
    """Fetch a benchmark from the Hub, check and import it."""
    from annotator.workspace import fetching

    line = Line()
    repo_id, told = fetching.named(repo_id)
    revision = revision or told or None
    with _told_as_json(json):
        fetching.check_repo_id(repo_id)
        _make_where_none_is(workspace)
        with opened(workspace, write=True) as door:
            with stoppable("Stopped: what came is kept; the same command goes on.") as token:
                try:
                    got = fetching.fetch(
                        door,
                        repo_id,
                        data_root=data_root,
                        revision=revision,
                        allow=allow or (),
                        token=token,
                        progress=line,
                    )
                finally:
                    line.clear()
            reading = say.Progress("Reading")
            with stoppable(f"Stopped: the files are in {got.root}; {workspace} is as it was before.") as token:
                try:
                    report = fetching.import_fetched(door, got, token=token, progress=reading)
                finally:
                    reading.clear()
    _finish(got, report, json)


def _make_where_none_is(workspace: Path) -> None:
    """A folder that is absent or empty becomes a workspace."""
    if workspace.exists() and (not workspace.is_dir() or any(workspace.iterdir())):
        return
    from annotator.workspace.setup import login_name
    from annotator.workspace.workspace import Workspace

    Workspace.create(workspace, rater=login_name()).close()


def _finish(got: Fetched, report: ImportReport, json: bool) -> None:
    if json:
        say.as_json(
            {
                "repo_id": got.repo_id, "requested": got.requested, "revision": got.revision, "root": str(got.root),
                "folders": [str(folder) for folder in got.folders], "files": got.files, "bytes": got.size,
                "fetched": got.fetched, "notes": list(got.notes), "refused": list(got.refused),
                "report": report.model_dump(mode="json"),
            }
        )  # fmt: skip
    else:
        from annotator.workspace.fetching import size

        came = f"{size(got.fetched)} came now" if got.fetched else "all of it was here"
        say.line(
            f"{got.repo_id} at {got.revision}: {say.counted(got.files, 'file')}, {size(got.size)}, checked; {came}. "
            f"The data folder is {got.root}."
        )
        reports.tell(report)
    for sentence in got.refused:
        say.complain(sentence)
    if report.refused:
        say.complain(reports.why_refused(report))
        raise typer.Exit(1)


@contextmanager
def _told_as_json(wanted: bool) -> Iterator[None]:
    """With `--json`, programs find the sentence of a refusal on the output too."""
    try:
        yield
    except WorldError as error:
        if wanted:
            say.as_json({"error": error.sentence, "code": error.code})
        raise
