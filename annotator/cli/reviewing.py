"""Commands about the care of labels: hidden repeats, and the reviewer's word on other people's labels."""

from __future__ import annotations

import enum
import json as json_text
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annotator.cli import say
from annotator.cli.options import Folder, Json, check_rater, opened, stoppable

if TYPE_CHECKING:
    from annotator.workspace.comparisons_views import ReviewRow
    from annotator.workspace.views import Intent
    from annotator.workspace.workspace import Workspace


class State(enum.StrEnum):
    """What a reviewer makes of somebody's labels."""

    ACCEPTED = "accepted"
    CORRECTED = "corrected"
    RETURNED = "returned"


class Repeated(enum.StrEnum):
    """What is shown twice."""

    COMPARISON = "comparison"
    DIALOGUE = "dialogue"


def repeats(
    workspace: Folder,
    rate: Annotated[float, typer.Option(min=0.0, max=1.0, metavar="RATE", help="Which share of all.")],
    seed: Annotated[int, typer.Option(min=0, help="Of the drawing.")] = 0,
    kind: Annotated[
        Repeated, typer.Option(help="Comparisons, in another order; or dialogues as one model answered them.")
    ] = Repeated.COMPARISON,
    json: Json = False,
) -> None:
    """Show a share of comparisons or dialogues twice, hidden."""
    from annotator.workspace.comparisons_repeats import make_repeats
    from annotator.workspace.repeats import make_dialogue_repeats

    make = make_dialogue_repeats if kind is Repeated.DIALOGUE else make_repeats
    with (
        opened(workspace, write=True) as door,
        stoppable(f"Stopped: {workspace} is as it was before.") as token,
    ):
        made = make(door.store, rate, seed, token=token)
    if json:
        say.as_json({"rate": rate, "seed": seed, "items": made})
    else:
        say.line(f"{len(made)} {kind.value}s are shown twice (rate {rate:g}, seed {seed}).")


def review(
    workspace: Folder,
    reviewer: Annotated[str, typer.Option(metavar="ID", help="Who reviews.")],
    item: Annotated[
        str | None, typer.Option(metavar="ITEM", help="Whose labels on which comparison; without it: what waits.")
    ] = None,
    rater: Annotated[str | None, typer.Option(metavar="ID", help="Whose labels are reviewed.")] = None,
    state: Annotated[State | None, typer.Option(help="What becomes of them.")] = None,
    comment: Annotated[str, typer.Option(metavar="TEXT", help="For the rater; a return needs one.")] = "",
    correct: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="TARGET.FIELD=JSON", help="A correction, such as item.ranking=[1,1,3]."),
    ] = None,
    json: Json = False,
) -> None:
    """List, accept, correct or return others' labels on comparisons."""
    from annotator.workspace.comparisons import Comparisons
    from annotator.workspace.comparisons_review import ComparisonReviews
    from annotator.workspace.workspace import Workspace as Door

    who = check_rater(reviewer) or ""
    given = (item, rater, state)
    if any(part is None for part in given) != all(part is None for part in given):
        raise typer.BadParameter("name --item, --rater and --state together, or none of them to see what waits.")
    with opened(workspace, write=item is not None) as opened_door:
        door: Workspace = Door(opened_door.store, who)
        reviews = ComparisonReviews(door, Comparisons(door))
        if item is None or rater is None or state is None:
            _list(reviews.to_review(), json)
            return
        changes = reviews.review(
            door.store.items.resolve(item), rater, state.value, comment, [_intent(text) for text in correct or ()]
        )
    if json:
        say.as_json({"events": changes.events})
    else:
        say.line(f"{rater}'s labels on {item} are {state.value} by {who}.")


def _list(rows: tuple[ReviewRow, ...], json: bool) -> None:
    told: list[dict[str, Any]] = [
        {
            "item": row.item_id,
            "rater": row.rater,
            "status": row.status,
            "fresh": row.fresh,
            "review": None
            if row.review is None
            else {"reviewer": row.review.reviewer, "state": row.review.state, "comment": row.review.comment},
            "title": row.title,
        }
        for row in rows
    ]
    if json:
        say.as_json(told)
        return
    say.table(
        ("item", "rater", "status", "to review", "last review", "comment"),
        [
            (
                row.item_id, row.rater, row.status, "yes" if row.fresh else "",
                "" if row.review is None else f"{row.review.state} by {row.review.reviewer}",
                "" if row.review is None else row.review.comment,
            )
            for row in rows
        ],
    )  # fmt: skip
    say.line(f"{sum(row.fresh for row in rows)} of {len(rows)} wait for a reviewer.")


def _intent(text: str) -> Intent:
    from annotator.workspace.views import Intent

    place, sign, value = text.partition("=")
    target, dot, field = place.rpartition(".")
    if not sign or not dot:
        raise typer.BadParameter(f'"{text}" is no TARGET.FIELD=JSON, such as response:0.faithfulness=4.')
    try:
        return Intent(target.strip(), field.strip(), json_text.loads(value))
    except ValueError:
        raise typer.BadParameter(f'"{value}" is no JSON value: a number, a list, or a "text" in quotes.') from None
