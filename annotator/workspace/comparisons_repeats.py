"""Hidden repeats: comparisons shown a second time in swapped order, to see what position and mood do to people.

Which items come again follows from a rate, a seed and the items' own ids, so that every machine draws the same.
"""

from __future__ import annotations

from typing import Any, Final

from annotator.cancel import CancelToken, check
from annotator.domain.comparisons import Comparison, Response, drawn_for_repeat
from annotator.domain.ids import item_id
from annotator.domain.report import ImportReport
from annotator.errors import WorldError
from annotator.store import ImportWriter, Store
from annotator.workspace.intake_comparisons import comparisons_in, put_comparison

KIND: Final = "compare"
REPEATS: Final = "comparison_repeats"


def make_repeats(store: Store, rate: float, seed: int, *, token: CancelToken | None = None) -> list[str]:
    """Show a share of all comparisons a second time, in swapped order and without saying so; the ids of the repeats.

    Which ones follows from the seed and the items' ids alone; rate, seed and what was drawn are kept in the workspace.

    Raises:
        WorldError: a rate outside 0 to 1.
    """
    if not 0 <= rate <= 1:
        raise WorldError(f"A rate of {rate:g} of repeats does not fit: choose one from 0 to 1.")
    made: list[str] = []
    chosen = [c for c in comparisons_in(store, repeats=False) if drawn_for_repeat(c.item_id, rate, seed)]
    report = ImportReport(kind=KIND, source="repeats", comparisons=len(chosen))
    with store.imports.begin(KIND, "repeats") as writer:
        for comparison in chosen:
            check(token)
            made.append(put_repeat(writer, comparison))
        writer.publish(report)
    store.desk.set(REPEATS, [*repeats_made(store), {"rate": rate, "seed": seed, "items": made}])
    return made


def repeats_made(store: Store) -> list[dict[str, Any]]:
    """Each drawing of repeats over all comparisons: `rate`, `seed`, and the `items` that show one again."""
    held = store.desk.get(REPEATS, [])
    return list(held) if isinstance(held, list) else []


def put_new(writer: ImportWriter, comparison: Comparison) -> bool:
    """Write an item; one that is there stays, and one whose texts changed gets a revision. Whether it is new."""
    known = writer.known_dialogue(comparison.item_id)
    if known is None:
        put_comparison(writer, comparison)
        return True
    if known.content_hash != comparison.content_hash():
        put_comparison(writer, comparison.model_copy(update={"revision": known.revision + 1}))
    return False


def put_repeat(writer: ImportWriter, comparison: Comparison) -> str:
    """Write the item that shows a comparison again; what its source says of the responses does not come with it."""
    again = comparison.model_copy(
        update={
            "item_id": item_id("comparison", comparison.item_id, "repeat"),
            "source_id": f"{comparison.source_id}#again",
            "repeat_of": comparison.item_id,
            "responses": tuple(Response(text=r.text, responder=r.responder) for r in comparison.responses),
            "ranking_reason": None,
            "surplus_reasons": (),
            "keys": (),
            "kept": {},
            "revision": 1,
        }
    )
    put_new(writer, again)
    return again.item_id
