"""Current labels and progress of events that came many at a time: the same as folding each, set by set."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from annotator.domain.labels import CANDIDATE_FIELDS, Key, judges_nothing
from annotator.domain.rubric import TURN_DIMENSIONS
from annotator.store import folding
from annotator.store.codec import EVENT_COLUMNS
from annotator.store.folding import RowKey
from annotator.store.judged import Judged
from annotator.store.log_rows import SUBJECT
from annotator.store.visible import item_row

if TYPE_CHECKING:
    from annotator.store.blocks import Block

_Row = tuple[Any, ...]
# Each key's first new event alone; a key that is there already is left to be folded as a whole.
_FIRST: Final = (
    "INSERT INTO label_now (subject, field, value, rivals, head, heads, events, at, stale) "
    "SELECT subject, field, value, '', arrival, '', '', '', 0 "
    "FROM label_log WHERE arrival > ? AND arrival <= ? ORDER BY arrival ON CONFLICT DO NOTHING"
)
# The new events of which another is their key's head, with that one and all that were known before.
_NOT_FIRST: Final = (
    "SELECT e.arrival, c.subject, c.field, c.head, c.heads, c.events, h.event_id, e.event_id, e.parents, e.value "
    "FROM label_log AS e CROSS JOIN label_now AS c ON c.subject = e.subject AND c.field = e.field "
    "CROSS JOIN label_log AS h ON h.arrival = c.head WHERE e.arrival > ? AND e.arrival <= ? AND c.head <> e.arrival"
)
# Nearly always such an event supersedes another: whether these are all of them is seen by their number.
_AMONG: Final = f"{_NOT_FIRST} AND e.arrival IN (SELECT value FROM json_each(?))"
_IN_ORDER: Final = "ORDER BY e.arrival"
_FOLLOW: Final = (
    "UPDATE label_now SET value = ?, head = ?, events = ?, rivals = '', stale = 0 WHERE subject = ? AND field = ?"
)
_KEY_OF: Final = "SELECT rater, item_id, nullif(responder, ''), target, ?, phase FROM label_subject WHERE subject = ?"
# What some new events judged, once for each thing judged; a field of the candidate judges the turn without the answer.
_FIELDS: Final = "SELECT DISTINCT field FROM label_log WHERE arrival > ? AND arrival <= ?"
_KINDS: Final = "subject, setting, field IN (SELECT value FROM json_each(?3)) AS candidate"
_SPAN: Final = "FROM label_log WHERE arrival > ?1 AND arrival <= ?2 AND field IN (SELECT value FROM json_each(?4))"
_SAID: Final = f"SELECT arrival, {_KINDS}, field {_SPAN}"
_JUDGED: Final = (
    "SELECT d.subject, d.setting, d.candidate, s.item_id, nullif(s.responder, ''), s.target, g.item_revision, "
    f"g.judged, s.rater, s.phase FROM (SELECT DISTINCT {_KINDS} {_SPAN}) AS d "
    "CROSS JOIN label_subject AS s ON s.subject = d.subject CROSS JOIN label_setting AS g ON g.setting = d.setting"
)
_PORTION: Final = (
    f"SELECT arrival, {', '.join(EVENT_COLUMNS)} FROM label_event WHERE arrival > ? ORDER BY arrival LIMIT 5000"
)
_KEY_PLACES: Final = [EVENT_COLUMNS.index(name) for name in Key._fields]


@dataclass(slots=True)
class Fresh:
    """What new events were about.

    Attributes:
        rows: (rater, item id, responder or "").
        by: (rater, device) to how many.
    """

    rows: set[tuple[str, str, str]] = field(default_factory=set)
    by: Counter[tuple[str, str]] = field(default_factory=Counter)


def _column(rows: Sequence[_Row], name: str) -> list[Any]:
    return list(map(itemgetter(EVENT_COLUMNS.index(name)), rows))


def fold_new(connection: sqlite3.Connection, judged: Judged, held: Sequence[_Row] | Block, before: int) -> Fresh:
    """Bring `label_current` and `progress` up to `held`, the events that arrived behind `before`, one place each."""
    fresh = Fresh()
    if not len(held):
        return fresh
    changes = connection.total_changes
    span = (before, before + len(held))
    connection.execute(_FIRST, span)
    lacking = len(held) - (connection.total_changes - changes)
    left, other = _follow(connection, judged, held, before, lacking) if lacking else (set(), set())
    if isinstance(held, Sequence):
        fresh.by = Counter(zip(_column(held, "rater"), _column(held, "device"), strict=True))
        about = set(zip(*(_column(held, name) for name in folding.ROW), strict=True))
        keys = {(rater, phase, item, who or "") for rater, phase, item, who in about}
    else:
        from annotator.store.block_runs import runs_of  # numpy, for which nobody is to wait who only scores

        runs = runs_of(held, ("rater", "device"))
        fresh.by = Counter(dict(zip(runs.keys, runs.counts(), strict=True)))
        keys = {(rater, phase, item, who) for item, who, rater, phase, _ in runs_of(held, SUBJECT).keys}
    fresh.rows = {(rater, item, who) for rater, _, item, who in keys}
    stale = _mark_stale(connection, judged, span, {item for _, _, item, _ in keys}, left)
    if not isinstance(held, Sequence):
        from annotator.store.block_progress import put_progress

        keys -= put_progress(connection, held, keys - other - stale, {at - before - 1 for at in left if at > before})
    folding.refresh_progress(connection, keys)
    return fresh


def rebuild(connection: sqlite3.Connection, judged: Judged) -> int:
    """Make `label_current` and `progress` anew from the events, some thousands at a time; returns how many keys."""
    connection.execute("DELETE FROM label_now")
    connection.execute("DELETE FROM progress")
    reached = 0
    while rows := connection.execute(_PORTION, (reached,)).fetchall():
        first, reached = rows[0][0], rows[-1][0]
        if reached - first + 1 == len(rows):
            fold_new(connection, judged, [row[1:] for row in rows], first - 1)
        else:  # a place is missing: nothing of ours makes that, and nothing here minds
            by_key: dict[Key, list[int]] = defaultdict(list)
            for arrival, *row in rows:
                by_key[Key(*(row[place] for place in _KEY_PLACES))].append(arrival)
            folding.refold(connection, judged, by_key)
    return int(connection.execute("SELECT count(*) FROM label_now").fetchone()[0])


def _follow(
    connection: sqlite3.Connection, judged: Judged, held: Sequence[_Row] | Block, before: int, lacking: int
) -> tuple[set[int], set[RowKey]]:
    """Fold the `lacking` new events that are not their key's first.

    Nearly always each supersedes the one head before it, and is the head then; any other key is folded as a whole.

    Returns:
        The arrivals that are no plain head (of those that were there before, only heads), and the rows of progress of
        keys that were folded as a whole.
    """
    if isinstance(held, Sequence):
        linked = [number for number, parents in enumerate(_column(held, "parents")) if parents != "[]"]
    else:
        linked = held.linked
    span = (before, before + len(held))
    among = json.dumps([before + 1 + number for number in linked])
    found = connection.execute(f"{_AMONG} {_IN_ORDER}", (*span, among)).fetchall()
    if len(found) < lacking:
        found = connection.execute(f"{_NOT_FIRST} {_IN_ORDER}", span).fetchall()
    said: dict[tuple[int, str], list[_Row]] = defaultdict(list)
    for row in found:
        said[row[1], row[2]].append(row)
    follow: list[_Row] = []
    other: dict[Key, list[int]] = {}
    left: set[int] = set()
    for (subject, name), rows in said.items():
        _, _, _, head, heads, events, above, *_ = rows[0]
        every = events[:-1] if events else f"[{head}"
        plain = not heads
        for row in rows:
            plain = plain and row[8] == f'["{above}"]'
            above = row[7]
            left.add(head)
            head = row[0]
            every = f"{every}, {head}"
        if plain:
            follow.append((row[9], head, f"{every}]", subject, name))
        else:
            key = Key(*connection.execute(_KEY_OF, (name, subject)).fetchone())
            other[key] = json.loads(f"{every}]")
            left.add(head)
    connection.executemany(_FOLLOW, follow)
    folding.refold(connection, judged, other)
    return left, {folding.row_key(key) for key in other}


def _mark_stale(
    connection: sqlite3.Connection, judged: Judged, span: tuple[int, int], items: set[str], left: set[int]
) -> set[RowKey]:
    """Among the current values of new events, mark those that judged another content than what is here.

    `left` are the arrivals that are no head, or whose key was looked at already. A turn's dimensions judged one thing,
    and are asked about once. Returns the rows of progress that they may count in.
    """
    heads = {item: item_row(connection, item) for item in items}
    if not any(heads.values()):
        return set()
    named = [name for (name,) in connection.execute(_FIELDS, span) if not judges_nothing(name)]
    loose = [name for name in named if name in CANDIDATE_FIELDS]
    now = judged.for_many(connection)
    old: set[tuple[int, int, int]] = set()
    rows: set[RowKey] = set()
    for subject, setting, candidate, item, who, target, revision, hashed, rater, phase in connection.execute(
        _JUDGED, (*span, json.dumps(loose), json.dumps(named))
    ).fetchall():
        head = heads[item]
        if head is None:
            continue
        there = now(item, who, target, loose[0] if candidate else TURN_DIMENSIONS[0]) if hashed else ""
        if (there and there != hashed) if hashed else revision < head.revision:
            old.add((subject, setting, candidate))
            rows.add((rater, phase, item, who or ""))
    if not old:
        return rows
    every = connection.execute(_SAID, (*span, json.dumps(loose), json.dumps(named))).fetchall()
    connection.executemany(
        "UPDATE label_now SET stale = 1 WHERE subject = ? AND field = ?",
        [(row[1], row[4]) for row in every if row[1:4] in old and row[0] not in left],
    )
    return rows
