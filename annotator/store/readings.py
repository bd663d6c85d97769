"""Light rows for figures: what counts as said, and what judges scored, without an object for each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from annotator.store.database import Database
from annotator.store.folding import CURRENTS
from annotator.store.visible import NOBODY, SEEN

_PORTION: Final = 5_000
# Facts of looking at an item, and texts: no figure stands on them.
FACTS: Final = ("viewing", "peek", "complete", "note", "evidence")


class Said(NamedTuple):
    """One current label that counts: agreed on by its rater's devices, and about what is there now."""

    item_id: str
    responder: str
    rater: str
    target: str
    field: str
    value: Any
    at: str


class Scored(NamedTuple):
    """What one judge's last record of one judgement says; `scores` is empty unless `status` is `success`."""

    item_id: str
    responder: str
    target: str
    judge: str
    status: str
    scores: dict[str, int]


class Worked(NamedTuple):
    """How long somebody was at one statement, in milliseconds; `responder` is "" for the candidate's own labels."""

    rater: str
    item_id: str
    responder: str
    target: str
    field: str
    value: str
    active_ms: int
    at: str


class Readings:
    """Reads whole tables for figures, in the order of their keys."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._db = database

    def said(self, phase: str, fields: Sequence[str]) -> Iterator[Said]:
        """The current labels of some fields that count: no conflict, not stale, not withdrawn."""
        for item_id, responder, rater, target, field, value, at in self.rows_said(phase, fields):
            yield Said(item_id, responder, rater, target, field, json.loads(value), at)

    def rows_said(self, phase: str, fields: Sequence[str]) -> Iterator[tuple[str, str, str, str, str, str, str]]:
        """The same as plain tuples in the order of `Said`, the value as JSON text: scores come by the million."""
        marks = ", ".join("?" * len(fields))
        query = (
            "SELECT c.item_id, c.responder, c.rater, c.target, c.field, c.value, "
            f"CASE c.at WHEN '' THEN e.at ELSE c.at END FROM {CURRENTS} "
            f"WHERE c.phase = ? AND c.rivals = '' AND c.stale = 0 AND c.value <> 'null' AND c.field IN ({marks}) "
            "ORDER BY c.item_id, c.responder, c.rater, c.phase, c.target, c.field"
        )
        return self._rows(query, (phase, *fields))

    def repeated(self, phase: str, fields: Sequence[str], by: Sequence[str]) -> Iterator[tuple[str, Said]]:
        """(what was judged, label) of labels whose rater judged the very same content in another item too.

        The same content is an equal hash of turn and answer. Which contents those are is told by the fields of `by`
        alone (one of each level is enough), in the order in which they were said.
        """
        counted = "c.phase = ? AND c.rivals = '' AND c.stale = 0 AND c.value <> 'null' AND e.judged <> ''"
        twice = (
            f"SELECT c.rater, e.judged FROM {CURRENTS} WHERE {counted} AND c.field IN ({', '.join('?' * len(by))}) "
            "GROUP BY c.rater, e.judged HAVING count(DISTINCT c.item_id) > 1"
        )
        if not self._db.all(f"SELECT 1 FROM ({twice}) LIMIT 1", (phase, *by)):
            return  # as nearly always: then the whole log need not be walked
        query = (
            "SELECT e.judged, c.item_id, c.responder, c.rater, c.target, c.field, c.value, "
            f"CASE c.at WHEN '' THEN e.at ELSE c.at END AS said FROM {CURRENTS} "
            f"WHERE {counted} AND c.field IN ({', '.join('?' * len(fields))}) AND (c.rater, e.judged) IN ({twice}) "
            "ORDER BY said, c.item_id, c.responder, c.target, c.field"
        )
        for judged, item_id, responder, rater, target, field, value, at in self._rows(
            query, (phase, *fields, phase, *by)
        ):
            yield judged, Said(item_id, responder, rater, target, field, json.loads(value), at)

    def left_out(self, phase: str, fields: Sequence[str]) -> tuple[int, int]:
        """How many labels of these fields are in conflict, and how many are stale: they count nowhere."""
        marks = ", ".join("?" * len(fields))
        rows = self._db.all(
            "SELECT coalesce(sum(rivals <> ''), 0), coalesce(sum(rivals = '' AND stale <> 0 AND value <> 'null'), 0) "
            f"FROM label_current WHERE phase = ? AND field IN ({marks})",
            (phase, *fields),
        )
        return int(rows[0][0]), int(rows[0][1])

    def scored(self) -> Iterator[Scored]:
        """The published judge records: of several with one judgement id and judge, the last."""
        query = (
            "SELECT item_id, responder, target, judge, status, json_extract(body, '$.scores') FROM judge_record "
            f"WHERE place IN (SELECT max(place) FROM judge_record WHERE {SEEN} GROUP BY judgement_id, judge) "
            "ORDER BY item_id, responder, target, judge, place"
        )
        for item_id, responder, target, judge, status, scores in self._rows(query, {"own": NOBODY}):
            held = json.loads(scores) if status == "success" and scores else {}
            yield Scored(item_id, responder, target, judge, status, held)

    def worked(self, phase: str) -> Iterator[Worked]:
        """Every event of one phase with the time that it took, in the order of (rater, device, seq)."""
        query = (
            "SELECT rater, item_id, coalesce(responder, ''), target, field, value, active_ms, at FROM label_event "
            "WHERE phase = ? ORDER BY rater, device, seq"
        )
        return (Worked(*row) for row in self._rows(query, (phase,)))

    def stamp(self) -> tuple[int, ...]:
        """Numbers that differ when anything that figures stand on was written: labels, judge records, imports."""
        facts = ", ".join(f"'{name}'" for name in FACTS)
        queries = (
            "SELECT count(*), coalesce(max(arrival), 0) FROM "
            f"(SELECT arrival FROM label_event WHERE field NOT IN ({facts}) LIMIT -1)",
            "SELECT count(*), coalesce(max(place), 0) FROM judge_record",
            "SELECT count(*), coalesce(max(import_id), 0) FROM import_run WHERE state = 'published'",
        )
        with self._db.seeing():  # counted, and nothing told
            return tuple(int(number) for query in queries for number in self._db.all(query)[0])

    def _rows(self, query: str, values: Sequence[Any] | dict[str, Any]) -> Iterator[Any]:
        with self._db.read() as connection:
            found = connection.execute(query, values)
            while rows := found.fetchmany(_PORTION):
                yield from rows
