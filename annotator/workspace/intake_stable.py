"""Events of label lines that have no id of their own: made of what the lines say, so that they are the same everywhere.

Two workspaces that import the same labels and then sync must not hold each of them twice. An event is told from others
by its id, and its digest covers device, place, time and what was judged; so all of that must follow from the lines and
the items alone. The lines of one rater that nobody said anything about here become the log of a device of its own,
whose id is a hash of all that its events say; place by place the ids follow from it. The same lines about the same
items give the same log, and any difference gives another one: then both stand in the history, and equal values are one
value. A line that says when it was made keeps that; for others the time is unknown, which is the beginning of 1970.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from annotator.domain.base import canonical_json
from annotator.domain.labels import Key, LabelEvent
from annotator.domain.wire import line_of, wire_of
from annotator.store import Draft, Store
from annotator.store.union import BATCH, Taken

UNKNOWN_TIME: Final = "1970-01-01T00:00:00.000000Z"


def say_stable(store: Store, drafts: Sequence[Draft]) -> None:
    """Say what nobody said before, as events that every workspace makes alike; several of one key follow each other.

    Raises:
        WorldError: when it could not be saved.
    """
    by_rater: dict[str, list[Draft]] = {}
    for draft in drafts:
        by_rater.setdefault(draft.rater, []).append(draft)
    for several in by_rater.values():
        lines = [line_of(wire_of(event)) for event in events_of(store, several)]
        for start in range(0, len(lines), BATCH):
            store.union.take(lines[start : start + BATCH], Taken())


def events_of(store: Store, drafts: Sequence[Draft]) -> list[LabelEvent]:
    """The log that these statements of one rater make."""
    revisions: dict[str, int] = {}
    last: dict[Key, int] = {}
    said: list[tuple[dict[str, Any], int | None]] = []
    for place, draft in enumerate(drafts):
        if draft.item_id not in revisions:
            head = store.items.head(draft.item_id)
            revisions[draft.item_id] = 1 if head is None else head.revision
        key = Key(draft.rater, draft.item_id, draft.responder, draft.target, draft.field, draft.phase)
        judged = draft.judged
        if judged is None:
            judged = store.items.judged(draft.item_id, draft.responder, draft.target, draft.field)
        fields = {
            "rater": draft.rater, "item_id": draft.item_id, "item_revision": revisions[draft.item_id],
            "responder": draft.responder, "target": draft.target, "field": draft.field,
            "value": json.loads(canonical_json(draft.value)),
            "rubric": draft.rubric, "phase": draft.phase, "lang": draft.lang, "active_ms": draft.active_ms,
            "at": draft.at or UNKNOWN_TIME, "judged": judged, "extra": draft.extra,
        }  # fmt: skip
        said.append((fields, last.get(key)))
        last[key] = place
    device = _id(canonical_json([[fields, above] for fields, above in said]))
    made: list[LabelEvent] = []
    for seq, (fields, above) in enumerate(said, 1):
        parents = () if above is None else (made[above].event_id,)
        event = LabelEvent(
            event_id=_id(f"{device}/{seq}"), device=device, seq=seq, parents=parents, digest="", **fields
        )
        made.append(replace(event, digest=event.compute_digest()))
    return made


def _id(text: str) -> str:
    """A UUID (version 8: made by a rule of one's own) of a text."""
    raw = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return f"{raw[:8]}-{raw[8:12]}-8{raw[13:16]}-{'89ab'[int(raw[16], 16) % 4]}{raw[17:20]}-{raw[20:]}"
