"""The queue as values: every row that a rater works through, cheap enough for tens of thousands."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from annotator.domain.ids import REFERENCE
from annotator.domain.queue import QueueRow
from annotator.domain.sheet import row_status
from annotator.store.database import Database
from annotator.store.desk import Desk
from annotator.store.folding import CONFLICT, SAID, STALE, VERDICT

_BITS: Final = bytes(bin(value).count("1") for value in range(256))
_ALL_TURN: Final = 0xFF
_ALL_SESSION: Final = 0x0F
# turns, session, verdict, flags
_Progress = tuple[bytes, int, str | None, int]
_NOTHING: Final[_Progress] = (b"", 0, None, 0)
_ITEM: Final = "item_id, revision, import_id, source_id, title, scenario, modality, categories, spoken, parts, missing"


class Queue:
    """The queue rows of one workspace."""

    def __init__(self, database: Database, desk: Desk) -> None:
        """Read from `database`."""
        self._db = database
        self._desk = desk

    def rows(self, rater: str, phases: Sequence[str] = ("blind",)) -> list[QueueRow]:
        """All rows, dialogues in order of import and the models of each in the order of their aliases.

        With several phases a dimension is said when any of them says it; of verdicts the first phase's counts.
        """
        return self._rows(rater, phases, None)

    def row(self, rater: str, item_id: str, responder: str, phases: Sequence[str] = ("blind",)) -> QueueRow | None:
        """One row as it is now; None where there is none."""
        return next((r for r in self._rows(rater, phases, item_id) if r.responder == responder), None)

    def _rows(self, rater: str, phases: Sequence[str], item_id: str | None) -> list[QueueRow]:
        aliases = self._desk.given(rater)
        with self._db.read() as connection:
            rate_reference = self._desk.rate_reference
            published = {r[0] for r in connection.execute("SELECT import_id FROM import_run WHERE state = 'published'")}
            where, values = ("", ()) if item_id is None else (" AND item_id = ?", (item_id,))
            items = _newest(
                connection.execute(f"SELECT {_ITEM} FROM item WHERE kind = 'dialogue'{where} ORDER BY place", values),
                published,
            )
            answered: dict[str, dict[str, None]] = defaultdict(dict)
            for item, responder, run in connection.execute(
                f"SELECT item_id, responder, import_id FROM responder WHERE 1{where} ORDER BY place", values
            ):
                if run in published:
                    answered[item][responder] = None
            said = self._progress(connection.execute, rater, phases, item_id)
            stuck = set(
                connection.execute(
                    "SELECT DISTINCT item_id, responder FROM label_current WHERE field = 'unplayable' "
                    f"AND value <> 'null' AND rater = ?{where}",
                    (rater, *values),
                )
            )
        if not {r for responders in answered.values() for r in responders} <= {REFERENCE, *aliases}:
            aliases = self._desk.aliases(rater)
        items = _apart(items, self._desk.repeats())
        found: list[QueueRow] = []
        rank = {
            responder: i for i, responder in enumerate(sorted(aliases, key=lambda r: (len(aliases[r]), aliases[r])))
        }
        for item in items:
            models = [r for r in answered.get(item[0], ()) if r != REFERENCE]
            models.sort(key=lambda r: rank.get(r, len(rank)))
            if rate_reference or not models:
                models.append(REFERENCE)
            found += _rows_of(item, models, aliases, said)
        if stuck:
            found = [replace(r, unplayable=True) if r.key in stuck else r for r in found]
        return found

    @staticmethod
    def _progress(
        execute: Any, rater: str, phases: Sequence[str], item_id: str | None
    ) -> dict[tuple[str, str], _Progress]:
        said: dict[tuple[str, str], _Progress] = {}
        query = "SELECT item_id, responder, turns, session, verdict, flags FROM progress WHERE rater = ? AND phase = ?"
        where, values = ("", ()) if item_id is None else (" AND item_id = ?", (item_id,))
        for phase in phases:
            for item, responder, *held in execute(query + where, (rater, phase, *values)):
                key, new = (item, responder), (held[0], held[1], held[2], held[3])
                said[key] = _union(said[key], new) if key in said else new
        return said


def _newest(rows: Iterable[Any], published: set[int]) -> list[Any]:
    """The newest published row of each item, in the order of the first."""
    newest: dict[str, Any] = {}
    for row in rows:
        if row[2] in published:
            held = newest.get(row[0])
            if held is None or row[1:3] > held[1:3]:
                newest[row[0]] = row
    return list(newest.values())


def _apart(items: list[Any], again: dict[str, str]) -> list[Any]:
    """Each hidden repeat half a queue behind the dialogue that it shows again."""
    if not again:
        return items
    first = [item[0] for item in items if item[0] not in again]
    place = {item_id: float(number) for number, item_id in enumerate(first)}
    half = len(first) / 2
    return sorted(items, key=lambda item: (
        place[item[0]] if item[0] in place else place.get(again[item[0]], float(len(first))) + half, item[0] in again
    ))  # fmt: skip


def _union(first: _Progress, second: _Progress) -> _Progress:
    longer, shorter = sorted((first[0], second[0]), key=len, reverse=True)
    turns = bytearray(longer)
    for index, bits in enumerate(shorter):
        turns[index] |= bits
    return bytes(turns), first[1] | second[1], first[2] if first[2] is not None else second[2], first[3] | second[3]


def _rows_of(
    item: Any, responders: Sequence[str], aliases: dict[str, str], said: dict[tuple[str, str], _Progress]
) -> list[QueueRow]:
    item_id, _, _, source_id, title, scenario, modality, categories, spoken, parts, missing = item
    names = tuple(json.loads(categories))
    _, _, verdict, own = said.get((item_id, ""), _NOTHING)
    full = bytes([_ALL_TURN]) * parts
    rows = []
    for responder in responders:
        turns, session, _, flags = said.get((item_id, responder), _NOTHING)
        flags |= own
        turns = turns[:parts].ljust(parts, b"\0")
        status = row_status(
            any_said=bool(flags & SAID),
            all_said=turns == full and session == _ALL_SESSION and bool(flags & VERDICT),
            conflict=bool(flags & CONFLICT),
            stale=bool(flags & STALE),
            returned=False,
        )
        rows.append(
            QueueRow(
                item_id,
                responder,
                source_id,
                title,
                aliases.get(responder, ""),
                scenario,
                modality,
                names,
                bool(spoken),
                parts,
                turns.translate(_BITS),
                _BITS[session],
                verdict,
                status,
                missing,
            )
        )
    return rows
