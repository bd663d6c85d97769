"""Current labels and progress of events that came many at a time: the same as folding each, set by set."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any, Final

from annotator.domain.fold import fold
from annotator.domain.labels import Key, judges_nothing
from annotator.store import folding
from annotator.store.codec import event_of
from annotator.store.judged import Judged
from annotator.store.visible import item_row

_Row = tuple[Any, ...]
# Places in a row of `EVENT_COLUMNS`.
_ID, _RATER, _ITEM, _REVISION, _RESPONDER, _TARGET, _FIELD, _PHASE, _JUDGED = 0, 3, 4, 5, 6, 7, 8, 12, 16
# Each key's first new event alone; a key that is there already is left to be folded as a whole.
_FIRST: Final = (
    f"INSERT INTO label_current ({folding.CURRENT_COLUMNS}) "
    "SELECT item_id, coalesce(responder, ''), rater, phase, target, field, value, '', json_array(event_id), "
    "item_revision, judged, rubric, at, 0 FROM label_event WHERE arrival > ? ORDER BY arrival ON CONFLICT DO NOTHING"
)


def fold_new(connection: sqlite3.Connection, judged: Judged, rows: Sequence[_Row], before: int) -> None:
    """Bring `label_current` and `progress` up to the events that arrived behind `before`; `rows` are those events."""
    if not rows:
        return
    keys = [(r[_RATER], r[_ITEM], r[_RESPONDER], r[_TARGET], r[_FIELD], r[_PHASE]) for r in rows]
    first = dict(zip(reversed(keys), reversed(rows), strict=True))
    changes = connection.total_changes
    connection.execute(_FIRST, (before,))
    known = connection.total_changes - changes < len(first)
    again = {key for key, row in first.items() if _was_there(connection, Key(*key), row[_ID])} if known else set()
    chains: dict[Key, list[_Row]] = defaultdict(list)
    if len(first) < len(rows):
        several = {key for key, n in Counter(keys).items() if n > 1} - again
        for key, row in zip(keys, rows, strict=True):
            if key in several:
                chains[Key(*key)].append(row)
    _put_chains(connection, judged, chains)
    _mark_stale(connection, judged, [row for key, row in first.items() if key not in again and key not in chains])
    folding.refold(connection, judged, [Key(*key) for key in again])
    fresh = {(r[_RATER], r[_PHASE], r[_ITEM], r[_RESPONDER] or "") for r in rows}
    folding.refresh_progress(connection, fresh)


def _was_there(connection: sqlite3.Connection, key: Key, first: str) -> bool:
    """Whether a key had a current value before: then that is not the first new event alone."""
    return folding.heads_of(connection, key) != (first,)


def _put_chains(connection: sqlite3.Connection, judged: Judged, chains: dict[Key, list[_Row]]) -> None:
    """Keys that are new, of which several events came: all that there is about them is at hand."""
    if not chains:
        return
    now = judged.for_many(connection)
    folded = fold(event_of(row) for rows in chains.values() for row in rows)
    folding.put_current(
        connection, [folding.current_row(c, folding.is_stale(connection, now, c)) for c in folded.values()]
    )


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
