"""Hidden repeats of dialogues: rows of the queue that come a second time under another name, to see whether people
agree with themselves and whether they drift.

Which rows come again follows from a rate, a seed and the items' own ids, so that every machine draws the same. A repeat
is an item of its own with the same turns and answers; its labels are labels like any other, and no figure but those of
self-agreement (and the time that they took) stands on them.
"""

from __future__ import annotations

import re
from typing import Any, Final

from annotator.cancel import CancelToken, check
from annotator.domain.comparisons import drawn_for_repeat
from annotator.domain.ids import REFERENCE, item_id, rank_hash
from annotator.domain.items import Dialogue, Responder
from annotator.domain.report import ImportReport
from annotator.errors import WorldError
from annotator.store import ImportWriter, Store
from annotator.store.desk import REPEATS

KIND: Final = "repeats"
_DIGIT: Final = re.compile(r"\d")
_TRIES: Final = 10_000


def repeats_made(store: Store) -> list[dict[str, Any]]:
    """Each drawing: `rate`, `seed`, and `items`, from the item that shows one again to that one."""
    return store.desk.repeats_drawn()


def make_dialogue_repeats(store: Store, rate: float, seed: int, *, token: CancelToken | None = None) -> list[str]:
    """Show a share of the queue's rows a second time without saying so; the ids of the items that do, in their order.

    A row is a dialogue as one responder answered it; the item that shows it again has the drawn responders alone. What
    comes again already stays as it is; rate, seed and what was drawn are kept in the workspace.

    Raises:
        WorldError: a rate outside 0 to 1, or an import is running; Cancelled: nothing was made.
    """
    if not 0 <= rate <= 1:
        raise WorldError(f"A rate of {rate:g} of repeats does not fit: choose one from 0 to 1.")
    again = store.desk.repeats()
    chosen: dict[str, list[str]] = {}
    for row in store.queue.rows(store.desk.rater):
        if row.item_id not in again and drawn_for_repeat(f"{row.item_id}|{row.responder}", rate, seed):
            chosen.setdefault(row.item_id, []).append(row.responder)
    report = ImportReport(kind=KIND, source="repeats", dialogues=len(chosen))
    made: dict[str, str] = {}
    with store.imports.begin(KIND, "repeats") as writer:
        taken = {head.source_id for head in store.items.heads("dialogue")}
        for once, responders in sorted(chosen.items()):
            check(token)
            made[_put(store, writer, once, sorted(responders), taken)] = once
        writer.publish(report, {REPEATS: [*repeats_made(store), {"rate": rate, "seed": seed, "items": made}]})
    return sorted(made)


def _put(store: Store, writer: ImportWriter, once: str, responders: list[str], taken: set[str]) -> str:
    dialogue = store.items.dialogue(once)
    copy = item_id("dialogue", once, "repeat")
    if writer.known_dialogue(copy) is None:
        name = disguised(dialogue.source_id, taken)
        taken.add(name)
        writer.put_dialogues([_copied(dialogue, copy, name)])
    for responder in responders:
        answered = None if responder == REFERENCE else store.items.responder(once, responder)
        if answered is not None and writer.known_responder(copy, responder) is None:
            writer.put_responders([_answered(answered, copy)])
    return copy


def _copied(dialogue: Dialogue, copy: str, name: str) -> Dialogue:
    return dialogue.model_copy(update={"item_id": copy, "source_id": name, "revision": 1})


def _answered(responder: Responder, copy: str) -> Responder:
    return responder.model_copy(update={"item_id": copy, "revision": 1})


def disguised(source_id: str, taken: set[str]) -> str:
    """An id of the same make that no dialogue here has: other digits in the same places, two more where there are none.

    What is shown again must not be known by its name; the same id becomes the same on every machine, as long as the
    same ids are taken.
    """
    shape = source_id if _DIGIT.search(source_id) else f"{source_id}-00"
    for number in range(_TRIES):
        digits = iter(str(int(rank_hash("repeat name", source_id, str(number)), 16)) * (1 + len(shape) // 60))
        made = _DIGIT.sub(lambda _: next(digits), shape)  # noqa: B023 - used at once
        if made not in taken and made != source_id:
            return made
        if number % 10 == 9:  # few digits, all taken: one more
            shape += "0"
    raise WorldError(f'No other name like "{source_id}" is free for its repeat.')
