"""Reading items and answers as they count: the newest published revision of each.

A row counts when its import is published. Of several rows of one revision (local facts were looked up again) the newest
import's counts. An import that is being written also sees its own rows.
"""

from __future__ import annotations

import sqlite3
from typing import Any, Final, NamedTuple

from annotator.domain.ids import REFERENCE
from annotator.domain.items import Answer, Dialogue, Responder
from annotator.store.codec import value_of

# `own` is the id of an import that may see itself, else -1.
SEEN: Final = "(import_id = :own OR import_id IN (SELECT import_id FROM import_run WHERE state = 'published'))"
NOBODY: Final = -1


class HeadRow(NamedTuple):
    """Where an item's row is and what it is."""

    place: int
    kind: str
    revision: int
    content_hash: str


def item_row(
    connection: sqlite3.Connection, item_id: str, revision: int | None = None, own: int = NOBODY
) -> HeadRow | None:
    """The row of an item's revision (the newest unless one is named)."""
    found = connection.execute(
        f"SELECT place, kind, revision, content_hash FROM item WHERE item_id = :item AND {SEEN} "
        "AND (:revision IS NULL OR revision = :revision) ORDER BY revision DESC, import_id DESC LIMIT 1",
        {"item": item_id, "own": own, "revision": revision},
    ).fetchone()
    return None if found is None else HeadRow(*found)


def responder_place(connection: sqlite3.Connection, item_id: str, responder: str, own: int = NOBODY) -> int | None:
    """The row of a responder's newest answers to an item."""
    found = connection.execute(
        f"SELECT place FROM responder WHERE item_id = :item AND responder = :responder AND {SEEN} "
        "ORDER BY revision DESC, import_id DESC LIMIT 1",
        {"item": item_id, "responder": responder, "own": own},
    ).fetchone()
    return None if found is None else int(found[0])


def load_dialogue(connection: sqlite3.Connection, place: int) -> Dialogue:
    """The dialogue of a row."""
    body = connection.execute("SELECT placed(body) FROM item_body WHERE place = ?", (place,)).fetchone()[0]
    return value_of(Dialogue, body)


def load_responder(connection: sqlite3.Connection, place: int) -> Responder:
    """The answers of a row."""
    body = connection.execute("SELECT placed(body) FROM responder_body WHERE place = ?", (place,)).fetchone()[0]
    return value_of(Responder, body)


def find_responder(
    connection: sqlite3.Connection, dialogue: Dialogue, responder: str, own: int = NOBODY
) -> Responder | None:
    """A responder's answers to a dialogue; the reference is made from the dialogue where none is stored."""
    place = responder_place(connection, dialogue.item_id, responder, own)
    if place is not None:
        return load_responder(connection, place)
    if responder == REFERENCE:
        return reference_of(dialogue)
    return None


def reference_of(dialogue: Dialogue) -> Responder:
    """The dataset's own answers as a responder."""
    answers = tuple(Answer(index=turn.index, text=turn.reference) for turn in dialogue.turns)
    return Responder(item_id=dialogue.item_id, responder=REFERENCE, answers=answers, revision=dialogue.revision)


def responder_rows(connection: sqlite3.Connection, item_id: str, own: int = NOBODY) -> dict[str, int]:
    """The newest row of each stored responder of an item, in order of import."""
    rows: list[Any] = connection.execute(
        f"SELECT responder, revision, import_id, place FROM responder WHERE item_id = :item AND {SEEN} ORDER BY place",
        {"item": item_id, "own": own},
    ).fetchall()
    newest: dict[str, tuple[int, int, int]] = {}
    for responder, *rank in rows:
        found = (rank[0], rank[1], rank[2])
        newest[responder] = max(found, newest.get(responder, found))
    return {responder: rank[2] for responder, rank in newest.items()}
