"""Current labels and progress of events that came many at a time: the same as folding each, set by set."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from annotator.domain.fold import fold
from annotator.domain.labels import CANDIDATE_FIELDS, Key, judges_nothing
from annotator.store import folding
from annotator.store.codec import EVENT_COLUMNS
from annotator.store.judged import Judged
from annotator.store.visible import item_row

if TYPE_CHECKING:
    from annotator.store.blocks import Block

_Row = tuple[Any, ...]
# Each key's first new event alone; a key that is there already is left to be folded as a whole.
_FIRST: Final = (
    f"INSERT INTO label_current ({folding.CURRENT_COLUMNS}) "
    "SELECT item_id, coalesce(responder, ''), rater, phase, target, field, value, '', arrival, '', '', '', 0 "
    "FROM label_event WHERE arrival > ? AND arrival <= ? ORDER BY arrival ON CONFLICT DO NOTHING"
)
# The new events of which another was their key's first, with that one and all that were known before.
_NOT_FIRST: Final = (
    "SELECT e.arrival, c.head, c.events, e.rater, e.item_id, e.responder, e.target, e.field, e.phase "
    "FROM label_event AS e CROSS JOIN label_current AS c ON c.item_id = e.item_id "
    "AND c.responder = coalesce(e.responder, '') AND c.rater = e.rater AND c.phase = e.phase AND c.target = e.target "
    "AND c.field = e.field WHERE e.arrival > ? AND e.arrival <= ? AND c.head <> e.arrival"
)
# Nearly always such an event supersedes another: whether these are all of them is seen by their number.
_AMONG: Final = f"{_NOT_FIRST} AND e.arrival IN (SELECT value FROM json_each(?))"
_LINKS: Final = (
    "SELECT arrival, event_id, parents, value FROM label_event WHERE arrival IN (SELECT value FROM json_each(?))"
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


def _texts(held: Sequence[_Row] | Block, name: str) -> Sequence[Any]:
    """What each new event says of a field."""
    return held.texts(name) if not isinstance(held, Sequence) else _column(held, name)


def _column(rows: Sequence[_Row], name: str) -> list[Any]:
    return list(map(itemgetter(EVENT_COLUMNS.index(name)), rows))


def _counted(held: Sequence[_Row] | Block, *names: str) -> Counter[tuple[Any, ...]]:
    """How often each combination of what they say of some fields comes."""
    if isinstance(held, Sequence):
        return Counter(zip(*(_column(held, name) for name in names), strict=True))
    return held.counted(*names)


def fold_new(connection: sqlite3.Connection, judged: Judged, held: Sequence[_Row] | Block, before: int) -> Fresh:
    """Bring `label_current` and `progress` up to `held`, the events that arrived behind `before`, one place each."""
    fresh = Fresh()
    if not len(held):
        return fresh
    changes = connection.total_changes
    connection.execute(_FIRST, (before, before + len(held)))
    lacking = len(held) - (connection.total_changes - changes)
    several = _several(connection, held, before, lacking) if lacking else {}
    chains = {key: places for key, places in several.items() if places[0] > before}
    plain = _put_chains(connection, judged, chains)
    folding.refold(connection, judged, {key: places for key, places in several.items() if key not in chains})
    left = {place for key, places in several.items() for place in (places[:-1] if key in plain else places)}
    about = _counted(held, "rater", "phase", "item_id", "responder")
    _mark_stale(connection, judged, held, {item for _, _, item, _ in about}, {place - before - 1 for place in left})
    folding.refresh_progress(connection, {(rater, phase, item, who or "") for rater, phase, item, who in about})
    fresh.rows = {(rater, item, who or "") for rater, _, item, who in about}
    fresh.by = Counter({(r, d): n for (r, d), n in _counted(held, "rater", "device").items()})
    return fresh


def rebuild(connection: sqlite3.Connection, judged: Judged) -> int:
    """Make `label_current` and `progress` anew from the events, some thousands at a time; returns how many keys."""
    connection.execute("DELETE FROM label_current")
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
    return int(connection.execute("SELECT count(*) FROM label_current").fetchone()[0])


def _several(
    connection: sqlite3.Connection, held: Sequence[_Row] | Block, before: int, lacking: int
) -> dict[Key, list[int]]:
    """The keys that have more events than one new one, with the arrivals of all; `lacking` events are not the first."""
    if isinstance(held, Sequence):
        linked = [number for number, parents in enumerate(_column(held, "parents")) if parents != "[]"]
    else:
        linked = held.linked
    found = connection.execute(
        _AMONG, (before, before + len(held), json.dumps([before + 1 + number for number in linked]))
    ).fetchall()
    if len(found) < lacking:
        found = connection.execute(_NOT_FIRST, (before, before + len(held))).fetchall()
    made: dict[Key, list[int]] = defaultdict(list)
    for arrival, first, events, *key in found:
        places = made[Key(*key)]
        if not places:
            places += json.loads(events) if events else [first]
        places.append(arrival)
    return made


def _named(key: Key) -> tuple[str, ...]:
    rater, item, who, target, name, phase = key
    return (item, who or "", rater, phase, target, name)


def _put_chains(connection: sqlite3.Connection, judged: Judged, chains: Mapping[Key, Sequence[int]]) -> set[Key]:
    """Keys that are new, of which several events came: all that there is about them is at hand.

    Returns those where each event superseded the one before, whose staleness is still to be looked at.
    """
    if not chains:
        return set()
    every = json.dumps([place for places in chains.values() for place in places])
    rows = {place: rest for place, *rest in connection.execute(_LINKS, (every,))}
    made = []
    plain = {
        key
        for key, places in chains.items()
        if all(rows[after][1] == f'["{rows[place][0]}"]' for place, after in pairwise(places))
    }
    for key in plain:
        places = chains[key]
        made.append((*_named(key), rows[places[-1]][2], "", places[-1], "", json.dumps(places), "", 0))
    now = judged.for_many(connection)
    for key, places in chains.items():
        if key not in plain:
            events = folding.events_at(connection, places)
            current = fold(event for _, event in events)[key]
            at = {event.event_id: place for place, event in events}
            made.append(folding.current_row(current, folding.is_stale(connection, now, current), at))
    folding.put_current(connection, made)
    return plain


def _mark_stale(
    connection: sqlite3.Connection, judged: Judged, held: Sequence[_Row] | Block, items: set[str], left: set[int]
) -> None:
    """Among new current values, those that judged another content than what is here.

    `left` are the numbers of the events that are no head, or whose key was looked at already.
    """
    heads = {item: item_row(connection, item) for item in items}
    if not any(heads.values()):
        return
    now = judged.for_many(connection)
    stale = []
    kinds: dict[str, str] = {}  # "" for a field that judges nothing
    known: dict[tuple[Any, ...], bool] = {}  # a turn's dimensions judged one thing, and are asked about once
    names = ("rater", "item_id", "responder", "target", "field", "phase", "item_revision", "judged")
    every = zip(*(_texts(held, name) for name in names), strict=True)
    for number, (rater, item, who, target, name, phase, revision, hashed) in enumerate(every):
        kind = kinds.get(name)
        if kind is None:
            kind = kinds[name] = "" if judges_nothing(name) else "candidate" if name in CANDIDATE_FIELDS else "answer"
        if not kind:
            continue
        about = (item, who, target, kind, revision, hashed)
        old = known.get(about)
        if old is None:
            head = heads[item]
            if head is None:
                old = False
            elif hashed:
                there = now(item, who, target, name)
                old = bool(there) and there != hashed
            else:
                old = revision < head.revision
            known[about] = old
        if old and number not in left:
            stale.append((item, who or "", rater, phase, target, name))
    connection.executemany(
        "UPDATE label_current SET stale = 1 WHERE item_id = ? AND responder = ? AND rater = ? AND phase = ? "
        "AND target = ? AND field = ?",
        stale,
    )
