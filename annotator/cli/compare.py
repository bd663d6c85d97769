"""Commands about comparisons: making them from dialogues, writing preference data, showing one."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annotator.cli import say
from annotator.cli.options import Folder, Json, opened, stoppable

if TYPE_CHECKING:
    from annotator.cancel import CancelToken
    from annotator.cli.stats import Request


class Level(enum.StrEnum):
    """What of a dialogue is compared."""

    TURN = "turn"
    SESSION = "session"


def compare(
    workspace: Folder,
    responders: Annotated[
        str, typer.Option(metavar="A,B[,...]", help="Two to five responders, by id or by a model name that is unique.")
    ],
    size: Annotated[int, typer.Option(min=1, metavar="N", help="How many comparisons.")],
    project: Annotated[str, typer.Option(metavar="NAME", help="What the set is called.")],
    level: Annotated[Level, typer.Option(help="Compare one turn, or whole sessions.")] = Level.TURN,
    seed: Annotated[int, typer.Option(min=0, help="Of the drawing and of the shown order.")] = 0,
    repeats: Annotated[
        float, typer.Option(min=0.0, max=1.0, metavar="RATE", help="Share shown twice, hidden, in swapped order.")
    ] = 0.0,
    json: Json = False,
) -> None:
    """Make comparisons of several responders from dialogues."""
    from annotator.workspace.comparisons_making import make_comparisons

    name = project.strip()
    if not name or not name.isprintable():
        raise typer.BadParameter("the project's name is empty or holds characters that cannot be printed.")
    named = [part.strip() for part in responders.split(",") if part.strip()]
    with (
        opened(workspace, write=True) as door,
        stoppable(f"Stopped: {workspace} is as it was before.") as token,
    ):
        made = make_comparisons(
            door.store, named, size, level=level.value, seed=seed, project=name, repeats=repeats, token=token
        )
    if json:
        say.as_json(made.raw())
        return
    rows = [(s.scenario, s.modality, s.population, s.drawn) for s in made.strata]
    say.table(("scenario", "modality", "possible", "drawn"), rows)
    for note in made.notes:
        say.line(f"note: {note}")
    say.line(
        f"Made {len(made.items)} comparisons of {len(made.responders)} responders for {name} (seed {seed}), "
        f"{len(made.repeats)} of them shown twice."
    )


def export(workspace: Path, output: Path, format_name: str, include_evaluation_only: bool, json: bool) -> None:
    """Write preference data to a file, and tell."""
    from annotator.workspace.comparisons_export import export_comparisons

    with opened(workspace) as door, stoppable("Stopped: nothing was written.") as token:
        done = export_comparisons(
            door.store, output, format_name, include_evaluation_only=include_evaluation_only, token=token
        )
    if json:
        say.as_json({"file": str(done.file), "meta": str(done.meta), "format": format_name, "lines": done.lines})
    else:
        say.line(f"Wrote {done.lines} lines to {done.file} (see {done.meta.name}).")


def preference(request: Request, token: CancelToken, progress: say.Progress) -> dict[str, Any]:
    """The figures of preference, as the command that prints figures wants them."""
    from annotator.report.figures import Asked
    from annotator.workspace.comparisons_figures import preference_of

    asked = Asked(request.by, request.seed, request.resamples, token=token, progress=progress)
    with opened(request.source) as door:
        return preference_of(door.store, asked, request.project, request.part()).raw()


def show(page: dict[str, Any]) -> None:
    """Print one comparison for people."""
    say.line(f"{page['item']}  {page['source_id']}  revision {page['revision']}")
    about = [page["form"], page["subset"], f"{len(page['responses'])} responses"]
    if page["evaluation_only"]:
        about.append("for evaluation only")
    say.line(", ".join(part for part in about if part))
    for asset in page["media"]:
        say.line(f"{asset['role']}: {asset['path']} ({asset['status']})")
    say.line()
    say.line(page["prompt"])
    for response in page["responses"]:
        say.line()
        who = response["responder"] or response["origin"]
        rank = "" if response["rank"] is None else f", rank {response['rank']}"
        say.line(f"[{response['index']}] {who}{rank}")
        say.line(response["text"])
    say.line()
    keys = ("rater", "phase", "target", "field", "value")
    say.table(keys, [[label[key] for key in keys] for label in page["labels"]])
    say.line(f"{len(page['labels'])} labels.")
