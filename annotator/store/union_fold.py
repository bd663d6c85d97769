"""Current labels and progress of events that came many at a time: the same as folding each, set by set."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import itemgetter
from typing import Any, Final

from annotator.domain.fold import fold
from annotator.domain.labels import Key, judges_nothing
from annotator.store import folding
from annotator.store.codec import event_of
from annotator.store.judged import Judged
from annotator.store.visible import item_row

_Row = tuple[Any, ...]
# Places in a row of `EVENT_COLUMNS`.
_ID, _RATER, _ITEM, _REVISION, _RESPONDER, _TARGET, _FIELD, _VALUE, _PARENTS, _PHASE, _JUDGED = (
    0, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16,
)  # fmt: skip
# Each key's first new event alone; a key that is there already is left to be folded as a whole.
_FIRST: Final = (
    f"INSERT INTO label_current ({folding.CURRENT_COLUMNS}) "
    "SELECT item_id, coalesce(responder, ''), rater, phase, target, field, value, '', arrival, '', '', '', 0 "
    "FROM label_event WHERE arrival > ? ORDER BY arrival ON CONFLICT DO NOTHING"
)

_HELD: Final = (
    "SELECT head, events FROM label_current WHERE item_id = ? AND responder = ? AND rater = ? AND phase = ? "
    "AND target = ? AND field = ?"
)
# A row's key, as `Key` and in its order.
_ROW_OF: Final = itemgetter(_RATER, _PHASE, _ITEM, _RESPONDER)
_KEY_OF: Final = itemgetter(_RATER, _ITEM, _RESPONDER, _TARGET, _FIELD, _PHASE)


def fold_new(
    connection: sqlite3.Connection, judged: Judged, rows: Sequence[_Row], before: int
) -> set[tuple[str, str, str]]:
    """Bring `label_current` and `progress` up to the events that arrived behind `before`; `rows` are those events.

    Returns (rater, item id, responder or "") of what they are about.
    """
    if not rows:
        return set()
    keys = list(map(_KEY_OF, rows))
    changes = connection.total_changes
    connection.execute(_FIRST, (before,))
    put = connection.total_changes - changes
    several: dict[Key, list[int]] = {}
    if put < len(rows):
        several = _several(connection, keys, before, put)
    chains = {key: places for key, places in several.items() if places[0] > before}
    last = _put_chains(connection, judged, chains, rows, before)
    folding.refold(connection, judged, {key: places for key, places in several.items() if key not in chains})
    alone = [row for row, key in zip(rows, keys, strict=True) if key not in several] if several else rows
    _mark_stale(connection, judged, [*alone, *last])
    fresh = set(map(_ROW_OF, rows))
    folding.refresh_progress(connection, {(rater, phase, item, who or "") for rater, phase, item, who in fresh})
    return {(rater, item, who or "") for rater, _, item, who in fresh}


def _several(connection: sqlite3.Connection, keys: Sequence[Key], before: int, put: int) -> dict[Key, list[int]]:
    """The keys that have more events than one new one, with the arrivals of all; an old one stands first."""
    made: dict[Key, list[int]] = defaultdict(list)
    counted = Counter(keys)
    known = put < len(counted)
    for place, key in enumerate(keys, before + 1):
        if counted[key] > 1 or (known and _was_there(connection, key, place)):
            made[Key(*key)].append(place)
    for key in made if known else ():
        held = connection.execute(_HELD, _named(key)).fetchone()
        if held[0] <= before:
            made[key][:0] = json.loads(held[1]) if held[1] else [held[0]]
    return made


def _named(key: Key) -> tuple[str, ...]:
    rater, item, who, target, field, phase = key
    return (item, who or "", rater, phase, target, field)


def _was_there(connection: sqlite3.Connection, key: Key, first: int) -> bool:
    """Whether a key had a current value before: then that is not the first new event alone."""
    return bool(connection.execute(_HELD, _named(key)).fetchone()[0] != first)


def _put_chains(
    connection: sqlite3.Connection,
    judged: Judged,
    chains: Mapping[Key, Sequence[int]],
    rows: Sequence[_Row],
    before: int,
) -> list[_Row]:
    """Keys that are new, of which several events came: all that there is about them is at hand.

    Returns the last events of those where each superseded the one before, whose staleness is still to be looked at.
    """
    if not chains:
        return []
    now = judged.for_many(connection)
    made = []
    plain = []
    for key, places in chains.items():
        several = [rows[place - before - 1] for place in places]
        last = several[-1]
        if all(after[_PARENTS] == f'["{row[_ID]}"]' for row, after in pairwise(several)):
            made.append((*_named(key), last[_VALUE], "", places[-1], "", json.dumps(places), "", 0))
            plain.append(last)
            continue
        current = fold(event_of(row) for row in several)[key]
        at = {row[_ID]: place for row, place in zip(several, places, strict=True)}
        made.append(folding.current_row(current, folding.is_stale(connection, now, current), at))
    folding.put_current(connection, made)
    return plain


def _mark_stale(connection: sqlite3.Connection, judged: Judged, rows: Sequence[_Row]) -> None:
    """Among new keys with one event, those that judged another content than what is here."""
    heads = {item: item_row(connection, item) for item in {row[_ITEM] for row in rows}}
    if not any(heads.values()):
        return
    now = judged.for_many(connection)
    stale = []
    for row in rows:
        head = heads[row[_ITEM]]
        if head is None or judges_nothing(row[_FIELD]):
            continue
        if row[_JUDGED]:
            there = now(row[_ITEM], row[_RESPONDER], row[_TARGET], row[_FIELD])
            old = bool(there) and there != row[_JUDGED]
        else:
            old = row[_REVISION] < head.revision
        if old:
            stale.append((row[_ITEM], row[_RESPONDER] or "", row[_RATER], row[_PHASE], row[_TARGET], row[_FIELD]))
    connection.executemany(
        "UPDATE label_current SET stale = 1 WHERE item_id = ? AND responder = ? AND rater = ? AND phase = ? "
        "AND target = ? AND field = ?",
        stale,
    )
