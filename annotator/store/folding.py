"""Keeping `label_current` and `progress` equal to what the events say, in the transaction that brings the events."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

from annotator.domain.fold import Current, fold
from annotator.domain.labels import Key, LabelEvent, judges_nothing, turn_index
from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.store.codec import EVENT_COLUMNS, event_of, text_of
from annotator.store.judged import Judged, Now
from annotator.store.visible import item_row

SAID, CONFLICT, STALE, VERDICT = 1, 2, 4, 8
MAX_TURNS: Final = 4096

_COLUMNS: Final = ", ".join(EVENT_COLUMNS)
_TURN_BIT: Final = {name: 1 << i for i, name in enumerate(TURN_DIMENSIONS)}
_SESSION_BIT: Final = {name: 1 << i for i, name in enumerate(SESSION_DIMENSIONS)}
CURRENT_COLUMNS: Final = (
    "item_id, responder, rater, phase, target, field, value, rivals, heads, item_revision, judged, rubric, at, stale"
)
PROGRESS_COLUMNS: Final = "rater, phase, item_id, responder, turns, session, verdict, flags"

_turn: Final = lru_cache(maxsize=4096)(turn_index)  # the same few targets come by the thousand

# (rater, phase, item id, responder or ""): what one row of `progress` is about.
RowKey = tuple[str, str, str, str]


def current_row(current: Current, stale: bool) -> tuple[Any, ...]:
    """The values of `CURRENT_COLUMNS`."""
    key = current.key
    rivals = json.dumps([json.loads(text_of(v)) for v in current.conflict]) if current.conflict else ""
    return (
        *(key.item_id, key.responder or "", key.rater, key.phase, key.target, key.field),
        *(text_of(current.value), rivals, json.dumps(list(current.heads)), current.item_revision),
        *(current.judged, current.rubric, current.at, int(stale)),
    )


def current_of(row: Sequence[Any]) -> tuple[Current, bool]:
    """The current value of a row of `CURRENT_COLUMNS`, and whether it is stale."""
    item_id, responder, rater, phase, target, field, value, rivals, heads, revision, judged, rubric, at, stale = row
    current = Current(
        key=Key(rater, item_id, responder or None, target, field, phase),
        value=json.loads(value),
        conflict=tuple(json.loads(rivals)) if rivals else (),
        heads=tuple(json.loads(heads)),
        item_revision=revision,
        judged=judged,
        rubric=rubric,
        at=at,
    )
    return current, bool(stale)


def is_stale(connection: sqlite3.Connection, now: Now, current: Current) -> bool:
    """Whether what a current value judged has changed since; unknown items are no ground for doubt."""
    key = current.key
    if judges_nothing(key.field):
        return False
    if current.judged:
        there = now(key.item_id, key.responder, key.target, key.field)
        return bool(there) and there != current.judged
    # It does not say what it judged: an older revision is all there is to go by.
    head = item_row(connection, key.item_id)
    return head is not None and current.item_revision < head.revision


def heads_of(connection: sqlite3.Connection, key: Key) -> tuple[str, ...]:
    """The unsuperseded events of a key."""
    found = connection.execute(
        "SELECT heads FROM label_current WHERE item_id = ? AND responder = ? AND rater = ? AND phase = ? "
        "AND target = ? AND field = ?",
        (key.item_id, key.responder or "", key.rater, key.phase, key.target, key.field),
    ).fetchone()
    return tuple(json.loads(found[0])) if found else ()


def events_of_key(connection: sqlite3.Connection, key: Key) -> list[LabelEvent]:
    """Every event about a key."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM label_event INDEXED BY label_event_key "
        "WHERE item_id = ? AND target = ? AND field = ? AND rater = ? "
        "AND phase = ? AND responder IS ?",
        (key.item_id, key.target, key.field, key.rater, key.phase, key.responder),
    )
    return [event_of(row) for row in rows]


def put_current(connection: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write rows of `CURRENT_COLUMNS`, newer ones in the place of older ones."""
    marks = ", ".join("?" * 14)
    connection.executemany(f"INSERT OR REPLACE INTO label_current ({CURRENT_COLUMNS}) VALUES ({marks})", rows)


def refold(connection: sqlite3.Connection, judged: Judged, keys: Iterable[Key]) -> None:
    """Work out the current values of some keys from all their events, and the progress that they count in."""
    rows: set[RowKey] = set()
    now = judged.for_many(connection)
    for key in keys:
        current = fold(events_of_key(connection, key))[key]
        put_current(connection, [current_row(current, is_stale(connection, now, current))])
        rows.add(row_key(key))
    refresh_progress(connection, rows)


def row_key(key: Key) -> RowKey:
    """The row of `progress` that a key counts in."""
    return (key.rater, key.phase, key.item_id, key.responder or "")


def refresh_progress(connection: sqlite3.Connection, rows: Iterable[RowKey]) -> None:
    """Work out some rows of `progress` from `label_current`."""
    made = []
    for rater, phase, item_id, responder in rows:
        cells = connection.execute(
            "SELECT target, field, value, rivals, stale FROM label_current "
            "WHERE item_id = ? AND responder = ? AND rater = ? AND phase = ?",
            (item_id, responder, rater, phase),
        ).fetchall()
        made.append((rater, phase, item_id, responder, *progress_of(cells)))
    marks = ", ".join("?" * 8)
    connection.executemany(f"INSERT OR REPLACE INTO progress ({PROGRESS_COLUMNS}) VALUES ({marks})", made)


def progress_of(cells: Iterable[Sequence[Any]]) -> tuple[bytes, int, str | None, int]:
    """(turns, session, verdict, flags) of rows of (target, field, value, rivals, stale).

    `turns[k]` has bit i set where dimension i of turn k has a value that counts; `session` likewise.
    """
    turns = bytearray()
    session, flags = 0, 0
    verdict: str | None = None
    for target, field, value, rivals, stale in cells:
        index = _turn(target)
        is_verdict = field == "verdict" and target == "item"
        if not (is_verdict or field in _TURN_BIT or field in _SESSION_BIT):
            continue
        flags |= CONFLICT if rivals else 0
        if value == "null":
            continue
        flags |= SAID | (STALE if stale else 0)
        if is_verdict:
            verdict = json.loads(value)
            flags |= 0 if stale else VERDICT
        elif stale:
            continue
        elif index is not None and index < MAX_TURNS and field in _TURN_BIT:
            turns.extend(bytes(max(0, index + 1 - len(turns))))
            turns[index] |= _TURN_BIT[field]
        elif target == "session" and field in _SESSION_BIT:
            session |= _SESSION_BIT[field]
    return bytes(turns), session, verdict, flags


def refresh_stale(connection: sqlite3.Connection, judged: Judged, item_ids: Iterable[str]) -> set[RowKey]:
    """After new content: look again at every current value on these items; returns the rows that changed."""
    changed: set[RowKey] = set()
    now = judged.for_many(connection)
    for item_id in item_ids:
        held = connection.execute(f"SELECT {CURRENT_COLUMNS} FROM label_current WHERE item_id = ?", (item_id,))
        for row in held.fetchall():
            current, was = current_of(row)
            stale = is_stale(connection, now, current)
            if stale != was:
                put_current(connection, [current_row(current, stale)])
                changed.add(row_key(current.key))
    refresh_progress(connection, changed)
    return changed


def rebuild(connection: sqlite3.Connection, judged: Judged) -> int:
    """Make `label_current` and `progress` anew from the events; returns the number of keys."""
    connection.execute("DELETE FROM label_current")
    connection.execute("DELETE FROM progress")
    now = judged.for_many(connection)
    folded = fold(event_of(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM label_event"))
    put_current(connection, (current_row(c, is_stale(connection, now, c)) for c in folded.values()))
    refresh_progress(connection, {row_key(key) for key in folded})
    return len(folded)


def expected(
    connection: sqlite3.Connection, judged: Judged, events: Iterable[LabelEvent]
) -> tuple[set[tuple[Any, ...]], set[tuple[Any, ...]]]:
    """The rows that `label_current` and `progress` must hold, worked out from the events in memory alone."""
    now = judged.for_many(connection)
    folded = fold(events)
    currents = {current_row(c, is_stale(connection, now, c)) for c in folded.values()}
    cells: dict[RowKey, list[tuple[Any, ...]]] = {}
    for row in currents:
        item_id, responder, rater, phase, target, field, value, rivals = row[:8]
        cells.setdefault((rater, phase, item_id, responder), []).append((target, field, value, rivals, row[13]))
    return currents, {(*key, *progress_of(held)) for key, held in cells.items()}
