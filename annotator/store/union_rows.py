"""Between events as they travel and rows as they are kept, without an object in between where it can be."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from hashlib import blake2b
from json.encoder import encode_basestring
from typing import Any, Final

from annotator.domain.wire import (
    Alike,
    Wire,
    alike,
    canonical_fields,
    is_canonical,
    proved,
    simple_fields,
    wire_in,
    wire_of,
)
from annotator.store.codec import event_of, text_of

Row = tuple[Any, ...]
# Places of the fields that must be texts, and whole numbers from 0, in an event's list.
_TEXTS: Final = (0, 1, 3, 4, 7, 8, 11, 12, 13, 15, 16, 17)
_INTEGERS: Final = (2, 5, 14)
_MAX_INTEGER: Final = 2**63 - 1


def rows_of(lines: Sequence[str]) -> tuple[list[Row], list[str], list[str]]:
    """(rows ready to be inserted, their lines, lines that need a closer look) of events as they travel."""
    rows: list[Row] = []
    good: list[str] = []
    odd: list[str] = []
    like = next((found for line in lines[:9] if (found := alike(line)) is not None), None)
    for line in lines:
        match = None if like is None else like.pattern.fullmatch(line)
        row = _other_row(line) if like is None or match is None else _row_like(like, line, match)
        if row is None:
            odd.append(line)
        else:
            rows.append(row)
            good.append(line)
    return rows, good, odd


def _row_like(like: Alike, line: str, match: re.Match[str]) -> Row | None:
    digest, event_id, seq, item, revision, target, name, value, parents, active, at, judged = match.groups()
    proof = blake2b(line[40:-1].encode(), digest_size=16).hexdigest()
    _, rater, who, rubric, phase, lang, extra, _ = like
    if proof != digest or seq == "0" or not event_id or who == '""' or not is_canonical(value):
        return None
    return (
        event_id, like.device, int(seq), rater, item, int(revision), None if who == "null" else who[1:-1], target,
        name, value, parents if len(parents) < 42 else parents.replace('","', '", "'), rubric, phase, lang,
        int(active), at, judged, json.loads(extra) if "\\" in extra else extra[1:-1], digest,
    )  # fmt: skip


def _other_row(line: str) -> Row | None:
    held = simple_fields(line)
    return _nested_row(wire_in(line)) if held is None else _simple_row(held)


def _simple_row(held: tuple[str, ...]) -> Row | None:
    (
        digest, text, event_id, device, seq, rater, item, revision, who, target, name, value, parents,
        rubric, phase, lang, active, at, judged, extra,
    ) = held  # fmt: skip
    proof = blake2b(text.encode(), digest_size=16).hexdigest()
    if proof != digest or seq == "0" or not event_id or who == '""':
        return None
    return (
        event_id, device, int(seq), rater, item, int(revision), None if who == "null" else who[1:-1], target, name,
        value, parents if len(parents) < 42 else parents.replace('","', '", "'), rubric, phase, lang, int(active), at,
        judged, json.loads(extra) if "\\" in extra else extra[1:-1], digest,
    )  # fmt: skip


def _nested_row(wire: Wire) -> Row | None:
    """The row of a proved event whatever its value is."""
    if not proved(wire):
        return None
    held = canonical_fields(wire.text)
    if held is None or not held[0]:
        return None
    if not all(type(held[n]) is int and 0 <= held[n] <= _MAX_INTEGER for n in _INTEGERS) or held[2] < 1:
        return None
    responder, value, parents = held[6], held[9], held[10]
    texts = [held[n] for n in _TEXTS]
    try:
        "".join([*texts, responder or "", *parents]).encode()
    except (TypeError, UnicodeEncodeError):
        return None
    if responder == "" or not isinstance(parents, list):
        return None
    return (*held[:9], text_of(value), json.dumps(parents), *held[11:], wire.digest)


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
        event = event_of(row)
    except (ValueError, TypeError):
        return None
    return wire_of(event) if event.compute_digest() == event.digest else None


def arrival_of(connection: sqlite3.Connection) -> int:
    """The place of the newest event."""
    return int(connection.execute("SELECT coalesce(max(arrival), 0) FROM label_log").fetchone()[0])


def is_known(connection: sqlite3.Connection, event_id: str) -> bool:
    """Whether an event is here."""
    return connection.execute("SELECT 1 FROM label_event WHERE event_id = ?", (event_id,)).fetchone() is not None


def digests_of(connection: sqlite3.Connection, event_ids: Sequence[str]) -> dict[str, str]:
    """The digests of those events that are here."""
    rows = connection.execute(
        "SELECT event_id, digest FROM label_event WHERE event_id IN (SELECT value FROM json_each(?))",
        (json.dumps(event_ids),),
    )
    return dict(rows.fetchall())
