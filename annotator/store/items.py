"""Reading items: dialogues, who answered them, and where a text stands."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from annotator.domain.ids import REFERENCE
from annotator.domain.items import Dialogue, Responder
from annotator.domain.queue import fold_text
from annotator.errors import WorldError
from annotator.store.codec import fits, mended
from annotator.store.database import Database
from annotator.store.desk import Desk
from annotator.store.judged import Judged
from annotator.store.values import ItemHead
from annotator.store.visible import (
    NOBODY,
    SEEN,
    find_responder,
    item_row,
    load_dialogue,
    load_responder,
    responder_rows,
)

_HEAD: Final = (
    "item_id, kind, source_id, revision, content_hash, title, scenario, modality, categories, spoken, parts, missing"
)
_OWN: Final = {"own": NOBODY}


class Items:
    """The published items of one workspace."""

    def __init__(self, database: Database, judged: Judged, desk: Desk) -> None:
        """Read from `database`."""
        self._db = database
        self._judged = judged
        self._desk = desk

    def dialogue(self, item_id: str, revision: int | None = None) -> Dialogue:
        """A dialogue, its newest revision unless one is named.

        Raises:
            WorldError: when it is not there.
        """
        with self._db.read() as connection:
            row = item_row(connection, item_id, revision)
            if row is None or row.kind != "dialogue":
                raise _unknown(item_id)
            return load_dialogue(connection, row.place)

    def body(self, item_id: str, revision: int | None = None) -> dict[str, Any]:
        """The stored JSON object of an item of any kind.

        Raises:
            WorldError: when it is not there.
        """
        with self._db.read() as connection:
            row = item_row(connection, item_id, revision)
            if row is None:
                raise _unknown(item_id)
            body: dict[str, Any] = json.loads(_body(connection, row.place))
        return body

    def count(self, kind: str) -> int:
        """How many items of a kind there are."""
        rows = self._db.all(
            f"SELECT count(DISTINCT item_id) FROM item WHERE kind = :kind AND {SEEN}", {"kind": kind, **_OWN}
        )
        return int(rows[0][0])

    def bodies(self, kind: str, own: int = NOBODY) -> Iterator[tuple[str, dict[str, Any]]]:
        """(item id, stored object) of every item of a kind, newest revisions, in order of import.

        `own` is an import that is being written and may see its own rows.
        """
        with self._db.read() as connection:
            places = {
                row[0]: row[1]
                for row in connection.execute(
                    f"SELECT item_id, place FROM item WHERE kind = :kind AND {SEEN} ORDER BY revision, import_id",
                    {"kind": kind, "own": own},
                )
            }
            wanted = {place: item_id for item_id, place in places.items()}
            held = connection.execute(
                "SELECT place, placed(body) FROM item_body WHERE place IN (SELECT place FROM item WHERE kind = :kind) "
                "ORDER BY place",
                {"kind": kind},
            )
            for place, body in held:
                if place in wanted:
                    yield wanted[place], json.loads(body)

    def search_texts(self, kind: str) -> dict[str, str]:
        """The folded text in which each item of a kind is searched (see `search`), newest revisions."""
        with self._db.read() as connection:
            rows = connection.execute(
                "SELECT item_id, search FROM item JOIN item_body USING (place) "
                f"WHERE kind = :kind AND {SEEN} ORDER BY revision, import_id",
                {"kind": kind, **_OWN},
            )
            return dict(rows.fetchall())

    def bodies_of(self, item_ids: Iterable[str]) -> dict[str, dict[str, Any]]:
        """The stored objects of some items, newest revisions; those that are not there are left out."""
        found = {}
        with self._db.read() as connection:
            for item_id in item_ids:
                row = item_row(connection, item_id)
                if row is not None:
                    held = connection.execute(
                        "SELECT placed(body) FROM item_body WHERE place = ?", (row.place,)
                    ).fetchone()
                    found[item_id] = json.loads(held[0])
        return found

    def responders(self, item_id: str) -> list[Responder]:
        """The stored answers to a dialogue, newest revisions, in order of import."""
        with self._db.read() as connection:
            return [load_responder(connection, place) for place in responder_rows(connection, item_id).values()]

    def responder(self, item_id: str, responder: str) -> Responder | None:
        """One responder's answers; `reference` is made from the dialogue. None where it did not answer."""
        with self._db.read() as connection:
            row = item_row(connection, item_id)
            if row is None or row.kind != "dialogue":
                return None
            return find_responder(connection, load_dialogue(connection, row.place), responder)

    def responder_ids(self) -> list[str]:
        """Every tested model of the workspace, in order of import."""
        return self._desk.responders()

    def responders_of(self, item_id: str) -> list[str]:
        """The responders that this dialogue has queue rows for."""
        with self._db.read() as connection:
            row = item_row(connection, item_id)
            models = [r for r in responder_rows(connection, item_id) if r != REFERENCE]
        if row is None or row.kind != "dialogue":
            return []
        return [*models, REFERENCE] if not models or self._desk.rate_reference else models

    def head(self, item_id: str) -> ItemHead | None:
        """The light part of an item's newest revision."""
        rows = self._db.all(
            f"SELECT {_HEAD} FROM item WHERE item_id = :item AND {SEEN} ORDER BY revision DESC, import_id DESC LIMIT 1",
            {"item": item_id, **_OWN},
        )
        return _head(rows[0]) if rows else None

    def heads(self, kind: str | None = None) -> list[ItemHead]:
        """The light parts of all items (of one kind), newest revisions, in order of import."""
        rows = self._db.all(
            f"SELECT {_HEAD}, import_id FROM item WHERE {SEEN} AND (:kind IS NULL OR kind = :kind) ORDER BY place",
            {"kind": kind, **_OWN},
        )
        newest: dict[str, tuple[tuple[int, int], Any]] = {}
        for row in rows:
            rank = (row[3], row[-1])
            held = newest.get(row[0])
            if held is None or rank > held[0]:
                newest[row[0]] = (rank, row)
        return [_head(row[:-1]) for _, row in newest.values()]

    def resolve(self, ref: str) -> str:
        """The internal id for an internal id or a source id.

        Raises:
            WorldError: when there is no such item, or the source id stands for several (they are named).
        """
        if not fits(ref):
            raise _unknown(mended(ref))
        with self._db.read() as connection:
            if item_row(connection, ref) is not None:
                return ref
        rows = self._db.all(
            f"SELECT item_id, min(modality) FROM item WHERE source_id = :ref AND {SEEN} GROUP BY item_id "
            "ORDER BY min(place)",
            {"ref": ref, **_OWN},
        )
        if not rows:
            raise _unknown(ref)
        if len(rows) > 1:
            named = " and ".join(f"{item_id} ({modality})" for item_id, modality in rows[:4])
            raise WorldError(f'"{ref}" stands for {len(rows)} items: {named}; name one of these.', code="ambiguous")
        return str(rows[0][0])

    def judged(self, item_id: str, responder: str | None, target: str, field: str) -> str:
        """The hash of what a label made now would judge; "" where it judges nothing."""
        with self._db.read() as connection:
            return self._judged.now(connection, item_id, responder, target, field)

    def search(self, text: str) -> set[tuple[str, str | None]]:
        """Where a text stands, taken literally, case and Unicode form aside.

        (item id, None) for ids, questions and references of a dialogue; (item id, responder) for an answer. An empty
        text stands nowhere.
        """
        needle = fold_text(mended(text))
        if not needle:
            return set()
        found: set[tuple[str, str | None]] = set()
        with self._db.read() as connection:
            for table, who in (("item", "NULL"), ("responder", "responder")):
                # Only newest revisions count: an older text is not what the row shows.
                same = "" if table == "item" else "AND newer.responder = held.responder "
                rows = connection.execute(
                    f"SELECT item_id, {who} FROM {table} AS held JOIN {table}_body USING (place) "
                    f"WHERE {SEEN} AND instr(search, :needle) > 0 AND NOT EXISTS (SELECT 1 FROM {table} AS newer "
                    f"WHERE newer.item_id = held.item_id {same}"
                    "AND (newer.revision, newer.import_id) > (held.revision, held.import_id) AND newer.import_id IN "
                    "(SELECT import_id FROM import_run WHERE state = 'published'))",
                    {"needle": needle, **_OWN},
                )
                found.update(rows)
        return found

    def totals(self) -> dict[str, int]:
        """How much there is: dialogues, turns, both by modality, responders, queue rows, scenarios, categories."""
        heads = self.heads("dialogue")
        counts: Counter[str] = Counter(
            dict.fromkeys(("video_dialogues", "video_turns", "image_dialogues", "image_turns"), 0)
        )
        for head in heads:
            counts[f"{head.modality}_dialogues"] += 1
            counts[f"{head.modality}_turns"] += head.parts
        rows = self._db.all(
            f"SELECT count(*), count(DISTINCT item_id) FROM "
            f"(SELECT DISTINCT item_id, responder FROM responder WHERE {SEEN} AND responder <> :reference)",
            {"reference": REFERENCE, **_OWN},
        )
        answered, with_models = rows[0]
        references = len(heads) if self._desk.rate_reference else len(heads) - with_models
        return {
            "dialogues": len(heads),
            "turns": sum(head.parts for head in heads),
            **counts,
            "responders": len(self._desk.responders()),
            "rows": answered + references,
            "scenarios": len({head.scenario for head in heads}),
            "categories": len({c for head in heads for c in head.categories}),
        }


def _head(row: Any) -> ItemHead:
    *names, categories, spoken, parts, missing = row
    item_id, kind, source_id, revision, content_hash, title, scenario, modality = names
    return ItemHead(
        *(item_id, kind, source_id, revision, content_hash, title, scenario, modality),
        *(_categories(categories), bool(spoken), parts, missing),
    )


@lru_cache(maxsize=1024)
def _categories(text: str) -> tuple[str, ...]:
    """The categories of a row; tens of thousands share a few dozen texts."""
    return tuple(json.loads(text))


def _unknown(ref: str) -> WorldError:
    return WorldError(
        f'There is no item "{ref}" in this workspace: "annotator list" names those that are.', code="unknown_item"
    )


def _body(connection: sqlite3.Connection, place: int) -> str:
    """The stored JSON of an item's row, its media where they are."""
    held: str = connection.execute("SELECT placed(body) FROM item_body WHERE place = ?", (place,)).fetchone()[0]
    return held
