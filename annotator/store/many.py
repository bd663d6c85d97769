"""Saying thousands of things at once: what a source says of its own items, which nobody said before.

`Labels.append` looks at each statement by itself, as a click deserves. Here a whole portion becomes rows, lines of the
journal and current values in one transaction, through the same steps as events that travelled; a statement that does
not fit them (its key has a value already, its text is no proper Unicode) takes the other way. The result is the same.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from json.encoder import encode_basestring
from typing import Any, Final

from annotator.domain.base import canonical_json
from annotator.domain.ids import uuid7
from annotator.domain.labels import phase_ok
from annotator.store import union_fold
from annotator.store.codec import now
from annotator.store.database import Database
from annotator.store.device import highest_seq
from annotator.store.inserting import CACHE, MANY, insert_all
from annotator.store.journal import Journal
from annotator.store.judged import Judged, Now
from annotator.store.labels import Labels
from annotator.store.union_rows import Row, arrival_of
from annotator.store.values import Draft
from annotator.store.visible import item_row

PORTION: Final = 2_000
_SINGLY: Final = 400
_BREATH_S: Final = 0.001

_quoted: Final = lru_cache(maxsize=4096)(encode_basestring)  # the same few names come by the thousand
_Key = tuple[str, str, str, str, str, str]


class ManyLabels:
    """The log of one workspace, for those who have much to say; beside a window whose clicks must not wait long."""

    def __init__(self, database: Database, journal: Journal, judged: Judged, labels: Labels) -> None:
        """Work on `database`; `labels` takes what needs a closer look, and knows under which device this counts."""
        self._db = database
        self._journal = journal
        self._judged = judged
        self._labels = labels

    def append(self, drafts: Sequence[Draft]) -> int:
        """Say all of it, at most `PORTION` in one transaction; returns how many events were made.

        Each portion is whole or not at all. Between two of them others have their turn.

        Raises:
            WorldError: when it could not be saved; earlier portions stay.
        """
        for start in range(0, len(drafts), PORTION):
            left = self._portion(drafts[start : start + PORTION])
            for first in range(0, len(left), _SINGLY):
                self._labels.append(left[first : first + _SINGLY])
            time.sleep(_BREATH_S)  # the lock is taken many times in a row: let a click that waits for it have it
        return len(drafts)

    def _portion(self, drafts: Sequence[Draft]) -> list[Draft]:
        """Say what nobody said before; returns the rest, in its order."""
        rows: list[Row] = []
        wires: list[str] = []

        def follow(connection: sqlite3.Connection) -> None:
            self._journal.follow_rows(connection, wires)

        with self._db.write(committed=follow) as connection:
            if len(drafts) >= MANY:
                connection.execute(CACHE)
            known = _said(connection, {draft.item_id for draft in drafts})
            maker = _Maker(connection, self._labels.device, self._judged.for_many(connection))
            left: list[Draft] = []
            for draft in drafts:
                key = _key(draft)
                made = None if key in known else maker.made(draft)
                known.add(key)
                if made is None:
                    left.append(draft)
                else:
                    rows.append(made[0])
                    wires.append(made[1])
            before = arrival_of(connection)
            if not insert_all(connection, rows):  # an id of ours is there already: cannot be, and must not be lost
                rows.clear()
                wires.clear()
                return list(drafts)
            union_fold.fold_new(connection, self._judged, rows, before)
        return left


def _key(draft: Draft) -> _Key:
    return (draft.item_id, draft.responder or "", draft.rater, draft.phase, draft.target, draft.field)


def _said(connection: sqlite3.Connection, item_ids: set[str]) -> set[_Key]:
    """The keys of these items that have a value."""
    found = connection.execute(
        "SELECT item_id, responder, rater, phase, target, field FROM label_current "
        "WHERE item_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(item_ids)),),
    )
    return {tuple(row) for row in found}


class _Maker:
    """Makes rows and travelling texts of events, each with the next place in this device's log."""

    def __init__(self, connection: sqlite3.Connection, device: str, judged: Now) -> None:
        self._connection = connection
        self._device = device
        self._seq = highest_seq(connection, device)
        self._judged = judged
        self._at = now()
        self._revisions: dict[str, int] = {}

    def made(self, draft: Draft) -> tuple[Row, str] | None:
        """(row, `["digest",[the other fields]]`) of a first statement; None where it needs a closer look."""
        plain = draft.judged is None and draft.item_revision is None and draft.parents is None and draft.active_ms >= 0
        if not plain or draft.responder == "" or not phase_ok(draft.phase):
            return None
        try:
            value = str(draft.value) if type(draft.value) is int else canonical_json(draft.value)
        except (TypeError, ValueError, RecursionError):
            return None
        q = _quoted
        event_id, seq, at = uuid7(), self._seq + 1, draft.at or self._at
        revision = self._revision(draft.item_id)
        judged = self._judged(draft.item_id, draft.responder, draft.target, draft.field)
        responder = "null" if draft.responder is None else q(draft.responder)
        text = (
            f'["{event_id}",{q(self._device)},{seq},{q(draft.rater)},{q(draft.item_id)},{revision},{responder},'
            f"{q(draft.target)},{q(draft.field)},{value},[],{q(draft.rubric)},{q(draft.phase)},{q(draft.lang)},"
            f"{draft.active_ms},{q(at)},{q(judged)},{q(draft.extra)}]"
        )
        try:
            digest = blake2b(text.encode("utf-8"), digest_size=16).hexdigest()
        except UnicodeEncodeError:
            return None
        self._seq = seq
        row: tuple[Any, ...] = (
            event_id, self._device, seq, draft.rater, draft.item_id, revision, draft.responder, draft.target,
            draft.field, value, "[]", draft.rubric, draft.phase, draft.lang, draft.active_ms, at, judged, draft.extra,
            digest,
        )  # fmt: skip
        return row, f'["{digest}",{text}]'

    def _revision(self, item_id: str) -> int:
        held = self._revisions.get(item_id)
        if held is None:
            found = item_row(self._connection, item_id)
            held = self._revisions[item_id] = 1 if found is None else found.revision
        return held
