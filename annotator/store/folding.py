"""Keeping `label_current` and `progress` equal to what the events say, in the transaction that brings the events."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

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
# A row of `label_current` says what a key says now, and names its events by their arrival: copying what stands in the
# log anyway made the table as large as the log. `heads` and `at` are "" where the one head says them, and `events` is
# "" where that head is all that was ever said.
CURRENT_COLUMNS: Final = (
    "item_id, responder, rater, phase, target, field, value, rivals, head, heads, events, at, stale"
)
# The same with what the head in the log says; to be selected from `CURRENTS`, whose names are `c` and `e`.
READ_COLUMNS: Final = (
    "c.item_id, c.responder, c.rater, c.phase, c.target, c.field, c.value, c.rivals, "
    "CASE c.heads WHEN '' THEN json_array(e.event_id) ELSE c.heads END, e.item_revision, e.judged, e.rubric, "
    "CASE c.at WHEN '' THEN e.at ELSE c.at END, c.stale"
)
CURRENTS: Final = "label_current AS c CROSS JOIN label_event AS e ON e.arrival = c.head"
# The subject is there: it was made when the event was put.
_SUBJECT: Final = "item_id = ?1 AND responder = ?2 AND rater = ?3 AND phase = ?4 AND target = ?5"
_PUT: Final = (
    "INSERT OR REPLACE INTO label_now (subject, field, value, rivals, head, heads, events, at, stale) "
    f"SELECT subject, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13 FROM label_subject WHERE {_SUBJECT}"
)
MARK: Final = (
    f"UPDATE label_now SET stale = ?7 WHERE subject = (SELECT subject FROM label_subject WHERE {_SUBJECT}) "
    "AND field = ?6"
)
"""Says whether the current value of a key, named by the first six of `CURRENT_COLUMNS`, is stale."""
_KEY_IS: Final = "item_id = ? AND responder = ? AND rater = ? AND phase = ? AND target = ? AND field = ?"
# The cells of a row of `progress`, and the same as one text for each target: there are a hundred of them for a
# dialogue, and fetching each took longer than finding it. A cell is its field, a verdict its value behind `SAYS`, and
# what is more than a value that counts is `_ODD`; how many they are is said last, since a field may be any text.
_ROW_IS: Final = "item_id = ? AND responder = ? AND rater = ? AND phase = ?"
_CELLS: Final = f"SELECT target, field, value, rivals, stale FROM label_current WHERE {_ROW_IS}"
SAYS, _ODD, _BETWEEN = "\x1d", "\x1e", "\x1f"
_BY_TARGET: Final = (
    "SELECT target, (SELECT group_concat(CASE WHEN stale OR rivals <> '' OR value = 'null' OR field < ' ' "
    "THEN char(30) WHEN field = 'verdict' THEN char(29) || value ELSE field END, char(31)) || char(31) || count(*) "
    f"FROM label_now AS n WHERE n.subject = s.subject) FROM label_subject AS s WHERE {_ROW_IS}"
)
EVENTS: Final = (
    f"SELECT arrival, {_COLUMNS} FROM label_event WHERE arrival IN (SELECT value FROM json_each(?)) ORDER BY arrival"
)
"""Arrival and columns of the events that arrived at the places of a JSON list."""
PROGRESS_COLUMNS: Final = "rater, phase, item_id, responder, turns, session, verdict, flags"

ROW: Final = ("rater", "phase", "item_id", "responder")
# What one row of `progress` is about: the values of `ROW`, "" for no responder.
RowKey = tuple[str, str, str, str]


def current_row(current: Current, stale: bool, places: Mapping[str, int]) -> tuple[Any, ...]:
    """The values of `CURRENT_COLUMNS`; `places` is the arrival of every event of the key, by id."""
    key = current.key
    rivals = json.dumps([json.loads(text_of(v)) for v in current.conflict]) if current.conflict else ""
    alone = len(current.heads) == 1
    return (
        *(key.item_id, key.responder or "", key.rater, key.phase, key.target, key.field),
        *(text_of(current.value), rivals, places[current.heads[-1]], "" if alone else json.dumps(list(current.heads))),
        *(json.dumps(sorted(places.values())) if len(places) > 1 else "", "" if alone else current.at, int(stale)),
    )


def current_of(row: Sequence[Any]) -> tuple[Current, bool]:
    """The current value of a row of `READ_COLUMNS`, and whether it is stale."""
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


class Held(NamedTuple):
    """What is known of a key: the ids of its unsuperseded events, and the arrivals of all its events by id."""

    heads: tuple[str, ...]
    places: dict[str, int]


def held_of(connection: sqlite3.Connection, key: Key) -> Held:
    """What is known of a key; nothing where nobody said anything."""
    found = connection.execute(
        f"SELECT head, heads, events FROM label_current WHERE {_KEY_IS}",
        (key.item_id, key.responder or "", key.rater, key.phase, key.target, key.field),
    ).fetchone()
    if found is None:
        return Held((), {})
    head, heads, events = found
    places = dict(
        connection.execute(
            "SELECT event_id, arrival FROM label_event WHERE arrival IN (SELECT value FROM json_each(?))",
            (events or f"[{head}]",),
        ).fetchall()
    )
    return Held(tuple(json.loads(heads)) if heads else tuple(i for i, at in places.items() if at == head), places)


def arrivals_about(item_id: str) -> tuple[str, tuple[str, str]]:
    """(a query, its values) for the arrivals of all events about an item."""
    return (
        "SELECT head FROM label_current WHERE item_id = ? AND events = '' UNION ALL "
        "SELECT n.value FROM label_current AS c, json_each(c.events) AS n WHERE c.item_id = ? AND c.events <> ''",
        (item_id, item_id),
    )


def put_current(connection: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write rows of `CURRENT_COLUMNS`, newer ones in the place of older ones."""
    connection.executemany(_PUT, rows)


def refold(connection: sqlite3.Connection, judged: Judged, new: Mapping[Key, Iterable[int]]) -> None:
    """Work out the current values of some keys from all their events, and the progress that they count in.

    `new` names with each key the arrivals of events that came; those that were there before are known.
    """
    rows: set[RowKey] = set()
    now = judged.for_many(connection)
    for key, arrivals in new.items():
        every = {*held_of(connection, key).places.values(), *arrivals}
        events = events_at(connection, sorted(every))
        current = fold(event for _, event in events)[key]
        places = {event.event_id: arrival for arrival, event in events}
        put_current(connection, [current_row(current, is_stale(connection, now, current), places)])
        rows.add(row_key(key))
    refresh_progress(connection, rows)


def events_at(connection: sqlite3.Connection, arrivals: Sequence[int]) -> list[tuple[int, LabelEvent]]:
    """(arrival, event) of the events that arrived at these places."""
    rows = connection.execute(EVENTS, (json.dumps(arrivals),))
    return [(row[0], event_of(row[1:])) for row in rows]


def row_key(key: Key) -> RowKey:
    """The row of `progress` that a key counts in."""
    return (key.rater, key.phase, key.item_id, key.responder or "")


def refresh_progress(connection: sqlite3.Connection, rows: Iterable[RowKey]) -> None:
    """Work out some rows of `progress` from `label_current`: what `progress_of` says of their cells."""
    made = []
    for rater, phase, item_id, responder in rows:
        key = (item_id, responder, rater, phase)
        held = _progress_by_target(connection.execute(_BY_TARGET, key).fetchall())
        if held is None:
            held = progress_of(connection.execute(_CELLS, key).fetchall())
        made.append((rater, phase, item_id, responder, *held))
    write_progress(connection, made)


def write_progress(connection: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Write rows of `PROGRESS_COLUMNS`, newer ones in the place of older ones."""
    marks = ", ".join("?" * 8)
    connection.executemany(f"INSERT OR REPLACE INTO progress ({PROGRESS_COLUMNS}) VALUES ({marks})", rows)


def _progress_by_target(targets: Iterable[Sequence[Any]]) -> tuple[bytes, int, str | None, int] | None:
    """`progress_of` rows of `_BY_TARGET`; None where cells must be looked at one by one."""
    said = []
    for target, cells in targets:
        if cells is None:  # a subject of whom nothing is said here: none that counts
            continue
        *fields, count = cells.split(_BETWEEN)
        if _ODD in cells or len(fields) != int(count):
            return None
        said.append((target, tuple(fields)))
    return progress_of_said(said)


def progress_of_said(said: Iterable[tuple[str, tuple[str, ...]]]) -> tuple[bytes, int, str | None, int]:
    """`progress_of` what was said of targets, all of which counts: fields, a verdict as its value behind `SAYS`."""
    turns = session = flags = 0
    verdict: str | None = None
    for target, fields in said:
        bits = _bits_of(target, fields)
        turns |= bits[0]
        session |= bits[1]
        flags |= bits[3]
        if target == "item" and bits[2] is not None:
            verdict = bits[2]
    return _bytes_of(turns), session, verdict, flags


@lru_cache(maxsize=8192)  # what was said of a turn is nearly always one of a few sets of dimensions
def _bits_of(target: str, fields: tuple[str, ...]) -> tuple[int, int, str | None, int]:
    """(turn bits, session bits, verdict, flags) of a target whose cells all have a value that counts."""
    said = (("verdict", name[1:]) if name.startswith(SAYS) else (name, "1") for name in fields)
    turns, session, verdict, flags = progress_of((target, name, value, "", 0) for name, value in said)
    return int.from_bytes(turns, "little"), session, verdict, flags


def _bytes_of(turns: int) -> bytes:
    return turns.to_bytes((turns.bit_length() + 7) // 8, "little")


def progress_of(cells: Iterable[Sequence[Any]]) -> tuple[bytes, int, str | None, int]:
    """(turns, session, verdict, flags) of rows of (target, field, value, rivals, stale).

    `turns[k]` has bit i set where dimension i of turn k has a value that counts; `session` likewise.
    """
    turns = session = flags = 0
    verdict: str | None = None
    for target, field, value, rivals, stale in cells:
        place = _bit(target, field)
        if place is None:
            continue
        if rivals:
            flags |= CONFLICT
        if value == "null":
            continue
        flags |= SAID | STALE if stale else SAID
        level, bit = place
        if level == "verdict":
            said = json.loads(value)
            verdict = said if isinstance(said, str) else value  # from elsewhere anything may come
            flags |= 0 if stale else VERDICT
        elif stale:
            continue
        elif level == "turn":
            turns |= bit
        else:
            session |= bit
    return _bytes_of(turns), session, verdict, flags


@lru_cache(maxsize=8192)  # the same few targets come by the thousand
def _bit(target: str, field: str) -> tuple[str, int] | None:
    """Where a value counts in `progress`: which column, and the bit in it; None for what does not count there.

    A dimension on a target that has none of its kind counts as said, and sets no bit.
    """
    index = turn_index(target)
    if field == "verdict" and target == "item":
        return "verdict", 0
    if field not in _TURN_BIT and field not in _SESSION_BIT:
        return None
    if index is not None and index < MAX_TURNS and field in _TURN_BIT:
        return "turn", _TURN_BIT[field] << (8 * index)
    return "session", _SESSION_BIT.get(field, 0) if target == "session" else 0


def refresh_stale(connection: sqlite3.Connection, judged: Judged, item_ids: Iterable[str]) -> set[RowKey]:
    """After new content: look again at every current value on these items; returns the rows that changed."""
    changed: set[RowKey] = set()
    now = judged.for_many(connection)
    for item_id in item_ids:
        held = connection.execute(f"SELECT {READ_COLUMNS} FROM {CURRENTS} WHERE c.item_id = ?", (item_id,))
        for row in held.fetchall():
            current, was = current_of(row)
            stale = is_stale(connection, now, current)
            if stale != was:
                connection.execute(MARK, (*row[:6], int(stale)))
                changed.add(row_key(current.key))
    refresh_progress(connection, changed)
    return changed


def expected(
    connection: sqlite3.Connection, judged: Judged, events: Iterable[tuple[int, LabelEvent]]
) -> tuple[set[tuple[Any, ...]], set[tuple[Any, ...]]]:
    """The rows that `label_current` and `progress` must hold, worked out from (arrival, event) in memory alone."""
    currents = set(_currents(connection, judged, events))
    cells: dict[RowKey, list[tuple[Any, ...]]] = {}
    for row in currents:
        item_id, responder, rater, phase, target, field, value, rivals = row[:8]
        cells.setdefault((rater, phase, item_id, responder), []).append((target, field, value, rivals, row[-1]))
    return currents, {(*key, *progress_of(held)) for key, held in cells.items()}


def _currents(
    connection: sqlite3.Connection, judged: Judged, events: Iterable[tuple[int, LabelEvent]]
) -> list[tuple[Any, ...]]:
    places: dict[Key, dict[str, int]] = {}

    def walk() -> Iterator[LabelEvent]:
        for arrival, event in events:
            places.setdefault(event.key, {})[event.event_id] = arrival
            yield event

    now = judged.for_many(connection)
    folded = fold(walk())
    return [current_row(c, is_stale(connection, now, c), places[key]) for key, c in folded.items()]
