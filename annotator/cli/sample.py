"""The command that draws a spot-check."""

from __future__ import annotations

from typing import Annotated

import typer

from annotator.cli import say
from annotator.cli.options import Folder, Json, opened


def sample(
    workspace: Folder,
    project: Annotated[str, typer.Option(metavar="NAME", help="What the spot-check is called.")],
    size: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many judged turns and sessions.", show_default=False)
    ] = None,
    half_width: Annotated[
        float | None,
        typer.Option(min=0.001, metavar="H", help="Instead: as many as an interval of +-H needs.", show_default=False),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD", help="Equal shares for each score, model, scenario, ...; several times."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the drawing.")] = 0,
    reveal: Annotated[
        bool, typer.Option("--reveal/--no-reveal", help="Show raters the judge beside a row that they completed.")
    ] = True,
    json: Json = False,
) -> None:
    """Draw a spot-check of what a judge scored, and keep its weights."""
    from annotator.workspace.spotcheck import draw

    name = project.strip()
    if not name or not name.isprintable():
        raise typer.BadParameter("the project's name is empty or holds characters that cannot be printed.")
    if (size is None) == (half_width is None):
        raise typer.BadParameter("give --size or --half-width, and not both.")
    with opened(workspace, write=True) as door:
        fields = tuple(dict.fromkeys(by or ()))
        drawn = draw(door.store, name, size, fields, seed, half_width=half_width, reveal=reveal)
        shows = drawn.reveal and door.reveals.allowed
        heads = {head.item_id: head.source_id for head in door.store.items.heads("dialogue")}
    told = drawn.raw()
    told["units"] = [
        {"item": item, "source_id": heads[item], "responder": responder, "target": target, "weight": weight}
        for item, responder, target, weight in drawn.units
    ]
    if json:
        say.as_json(told)
        return
    rows = [
        (", ".join(one.by.values()) or "all", one.population, one.drawn, f"{one.weight:.4g}") for one in drawn.strata
    ]
    say.table(("stratum", "judged", "drawn", "weight"), rows)
    shown = "then shown the judge" if shows else "never shown the judge"
    say.line(f"In the window: Filter, Spot-check, {name}. Raters score blind and are {shown}.")
    say.line(
        f"Drew {drawn.size} of {drawn.population:,} judged turns and sessions for {name} (seed {seed}). Expect a 95 % "
        f"interval of the judge's bias of about +-{drawn.power['half_width']:.2f} "
        f"(sd {drawn.power['sd']:g}, correlation within a dialogue {drawn.power['rho']:g} assumed)."
    )
