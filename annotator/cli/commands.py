"""The list of all commands, in the order in which a person meets them."""

from __future__ import annotations

from typing import Annotated

import typer

from annotator import __version__
from annotator.cli import (
    compare,
    export,
    extract,
    fetching,
    keeping,
    pixels,
    reading,
    report,
    reviewing,
    sample,
    shots,
    sources,
    stats,
    syncing,
    windows,
)

app = typer.Typer(
    name="annotator",
    help="Human audit of multimodal benchmarks. Without a command the window opens, on the last workspace.",
    add_completion=False,
    no_args_is_help=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"max_content_width": 120, "help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rubric-annotator {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Human audit of multimodal benchmarks. Without a command the window opens, on the last workspace."""


app.command("open")(windows.open_window)
app.command("demo")(windows.demo)
app.command("new")(sources.new)
app.command("import")(sources.import_)
app.command("fetch")(fetching.fetch)
app.command("list")(reading.list_)
app.command("show")(reading.show)
app.command("label")(sources.label)
app.command("decide")(sources.decide)
app.command("stats")(stats.stats)
app.command("sample")(sample.sample)
app.command("compare")(compare.compare)
app.command("repeats")(reviewing.repeats)
app.command("review")(reviewing.review)
app.command("report")(report.report)
app.command("export")(export.export)
app.command("check")(reading.check)
app.command("backup")(keeping.backup)
app.command("restore")(keeping.restore)
app.command("rebind")(keeping.rebind)
app.command("sync")(syncing.sync)
app.command("probe")(pixels.probe)
app.command("frame")(pixels.frame)
app.command("extract")(extract.extract)
app.command("shot")(shots.shot)
