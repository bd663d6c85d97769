"""Error attributions beside judges' records: reading what counts, and writing them in an import."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from annotator.domain.base import content_hash
from annotator.domain.judge import Attribution
from annotator.store.codec import body_of, mended, value_of
from annotator.store.database import Database
from annotator.store.import_writer import ImportWriter
from annotator.store.rows import Made
from annotator.store.visible import NOBODY, SEEN

WAITING_KIND: Final = "attribution"


class Attributions:
    """The published attributions of one workspace."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._db = database

    def of(self, item_id: str, responder: str | None = None, target: str | None = None) -> list[Attribution]:
        """What was attributed to an item's judgements: of several of one judgement and program, the last."""
        if not self._there():
            return []
        rows = self._db.all(
            "SELECT body FROM attribution_record WHERE place IN ("
            f"SELECT max(place) FROM attribution_record WHERE item_id = :item AND {SEEN} GROUP BY judgement_id, judge) "
            "AND (:responder IS NULL OR responder = :responder) AND (:target IS NULL OR target = :target) "
            "ORDER BY place",
            {"item": item_id, "own": NOBODY, "responder": responder, "target": target},
        )
        return [value_of(Attribution, row[0]) for row in rows]

    def count(self) -> int:
        """How many count."""
        if not self._there():
            return 0
        rows = self._db.all(
            f"SELECT count(*) FROM (SELECT DISTINCT judgement_id, judge FROM attribution_record WHERE {SEEN})",
            {"own": NOBODY},
        )
        return int(rows[0][0])

    def waiting(self) -> list[Attribution]:
        """Those whose dialogue (or turn) is not there yet."""
        rows = self._db.all(
            f"SELECT body FROM waiting_record WHERE {SEEN} AND kind = :kind ORDER BY place",
            {"own": NOBODY, "kind": WAITING_KIND},
        )
        return [value_of(Attribution, row[0]) for row in rows]

    def _there(self) -> bool:
        """A workspace of an earlier version that is only read has no such table."""
        return bool(self._db.all("SELECT 1 FROM sqlite_master WHERE name = 'attribution_record'"))


class AttributionWriter:
    """Attributions of one import; `writer` is the import's."""

    def __init__(self, database: Database, writer: ImportWriter) -> None:
        """Read from `database` what is there already."""
        self._db = database
        self._writer = writer

    def known(self) -> dict[tuple[str, str], str]:
        """The content hash of the last published record of each (judgement, program), counted or waiting."""
        found: dict[tuple[str, str], str] = {}
        queries = (
            f"SELECT judgement_id, judge, content_hash FROM waiting_record WHERE {SEEN} AND kind = :kind "
            "ORDER BY place",
            f"SELECT judgement_id, judge, content_hash FROM attribution_record WHERE {SEEN} AND :kind <> '' "
            "ORDER BY place",
        )
        with self._db.seeing():
            for query in queries:
                for judgement, judge, digest in self._db.all(query, {"own": NOBODY, "kind": WAITING_KIND}):
                    found[judgement, judge] = digest
        return found

    def put(self, item_id: str, attribution: Attribution) -> None:
        """Add one whose item is there."""
        light = _light(attribution) | {"item_id": item_id, "responder": mended(attribution.responder)}
        light |= {"target": mended(attribution.target), "severity": mended(attribution.severity)}
        self._writer.put_row(Made("attribution_record", light))

    def put_waiting(self, attribution: Attribution) -> None:
        """Keep one whose item is not there yet."""
        light = _light(attribution)
        light |= {"kind": WAITING_KIND, "source_id": mended(attribution.source_id), "joined_by": None}
        self._writer.put_row(Made("waiting_record", light))

    def waiting(self, source_id: str | None = None) -> list[tuple[int, Attribution]]:
        """What waits (for one source id), with the ids by which the import's `join` takes it."""
        rows = self._writer.waiting_rows(WAITING_KIND, source_id)
        return [(place, value_of(Attribution, body)) for place, body in rows]

    def join(self, places: Sequence[int] | Iterable[int]) -> None:
        """Say that waiting ones have found their item, or go."""
        self._writer.join(places)


def _light(attribution: Attribution) -> dict[str, object]:
    return {
        "judgement_id": mended(attribution.judgement_id),
        "judge": mended(attribution.judge),
        "content_hash": content_hash(attribution.raw),
        "body": body_of(attribution),
    }
