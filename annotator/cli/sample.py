"""The command that draws a spot-check."""

from __future__ import annotations

from typing import Annotated

import typer

from annotator.cli import say
from annotator.cli.options import Folder, Json, opened


def sample(
    workspace: Folder,
    size: Annotated[int, typer.Option(min=1, metavar="N", help="How many judged turns and sessions.")],
    project: Annotated[str, typer.Option(metavar="NAME", help="What the spot-check is called.")],
    by: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD", help="Equal shares for each score, model, scenario, ...; several times."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the drawing.")] = 0,
    json: Json = False,
) -> None:
    """Draw a spot-check of what a judge scored, and keep its weights."""
    from annotator.workspace.spotcheck import draw

    name = project.strip()
    if not name or not name.isprintable():
        raise typer.BadParameter("the project's name is empty or holds characters that cannot be printed.")
    with opened(workspace, write=True) as door:
        drawn = draw(door.store, name, size, tuple(dict.fromkeys(by or ())), seed)
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
    say.line(
        f"Drew {drawn.size} of {drawn.population:,} judged turns and sessions for {name} (seed {seed}). Expect a 95 % "
        f"interval of the judge's bias of about +-{drawn.power['half_width']:.2f} "
        f"(sd {drawn.power['sd']:g}, correlation within a dialogue {drawn.power['rho']:g} assumed)."
    )
