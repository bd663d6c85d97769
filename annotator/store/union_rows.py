"""Between events as they travel and rows as they are kept, without an object in between where it can be."""

from __future__ import annotations

import json
from json.encoder import encode_basestring
from typing import Any

from annotator.domain.labels import LabelEvent
from annotator.domain.wire import Wire, event_of, is_canonical, proved, simple_fields, wire_of
from annotator.store.codec import event_of as event_of_columns
from annotator.store.codec import event_row, unfit

Row = tuple[Any, ...]


def row_of(wire: Wire) -> Row | None:
    """The row of a proved event, ready to be inserted; None for one that needs a closer look."""
    held = simple_fields(wire.text)
    if not proved(wire):
        return None
    if held is None:
        return _nested_row(wire)
    if not held[0] or held[2] == "0":
        return None
    responder = None if held[6] == "null" else held[6][1:-1]
    parents = held[10].replace('","', '", "')
    extra = held[17][1:-1] if "\\" not in held[17] else json.loads(held[17])
    if responder == "":
        return None
    return (
        *held[:2], int(held[2]), *held[3:5], int(held[5]), responder, *held[7:10], parents, *held[11:14],
        int(held[14]), *held[15:17], extra, wire.digest,
    )  # fmt: skip


def _nested_row(wire: Wire) -> Row | None:
    try:
        event: LabelEvent = event_of(wire)
        if unfit(event) or not is_canonical(wire, event):
            return None
    except (ValueError, TypeError, RecursionError):
        return None
    return event_row(event)


def wire_of_row(row: Row) -> Wire | None:
    """A stored event as it travels; None where its digest does not prove it."""
    q = encode_basestring
    i, d, seq, rater, item, revision, who, target, name, value, parents, rubric, phase, lang, ms, at, judged, extra = (
        row[:-1]
    )
    responder = "null" if who is None else q(who)
    above = parents.replace('", "', '","')
    text = (
        f"[{q(i)},{q(d)},{seq},{q(rater)},{q(item)},{revision},{responder},{q(target)},{q(name)},{value},{above},"
        f"{q(rubric)},{q(phase)},{q(lang)},{ms},{q(at)},{q(judged)},{q(extra)}]"
    )
    wire = Wire(row[-1], text)
    if proved(wire):
        return wire
    try:  # a value that canonical JSON writes in another way than the row does
        event = event_of_columns(row)
    except (ValueError, TypeError):
        return None
    return wire_of(event) if event.compute_digest() == event.digest else None
