"""What lies on the rater's desk beside items and labels: choices, aliases, media folders, texts being written."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from annotator.domain.ids import REFERENCE, rank_hash
from annotator.errors import WorldError
from annotator.store.codec import mended, now, text_of
from annotator.store.database import Database
from annotator.store.media_places import MOVES
from annotator.store.visible import NOBODY, SEEN

REPEATS: Final = "dialogue_repeats"
_GIVEN: Final = "SELECT responder, letter FROM alias WHERE rater = ?"


def get_meta(connection: sqlite3.Connection, name: str, default: Any = None) -> Any:
    """A fact about the workspace."""
    found = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return default if found is None else json.loads(found[0])


def set_meta(connection: sqlite3.Connection, name: str, value: Any) -> None:
    """Write a fact, inside the caller's transaction."""
    connection.execute("INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", (name, text_of(value)))


class Desk:
    """The small things of one workspace."""

    def __init__(self, database: Database) -> None:
        """Read from and write to `database`."""
        self._db = database

    @property
    def workspace_id(self) -> str:
        """The id of this workspace, kept by its copies."""
        return str(self.get("workspace_id", ""))

    @property
    def rater(self) -> str:
        """Whose labels are made here."""
        return str(self.get("rater", ""))

    @property
    def show_model_names(self) -> bool:
        """Whether raters see the names of tested models."""
        return bool(self.get("show_model_names", False))

    @property
    def rate_reference(self) -> bool:
        """Whether the reference is a queue row beside the models."""
        return bool(self.get("rate_reference", False))

    def get(self, name: str, default: Any = None) -> Any:
        """A fact by name."""
        with self._db.read() as connection:
            return get_meta(connection, name, default)

    def set(self, name: str, value: Any) -> None:
        """Write a fact; the value is JSON."""
        with self._db.write() as connection:
            set_meta(connection, name, value)

    def repeats_drawn(self) -> list[dict[str, Any]]:
        """Each drawing of hidden repeats of dialogues: `rate`, `seed`, and `items`, from the repeat to the original."""
        held = self.get(REPEATS, [])
        return list(held) if isinstance(held, list) else []

    def repeats(self) -> dict[str, str]:
        """The items that show a dialogue again -> the one that they show."""
        return {again: once for drawing in self.repeats_drawn() for again, once in drawing["items"].items()}

    def responders(self) -> list[str]:
        """Every tested model that answered something, in order of import."""
        rows = self._db.all(
            f"SELECT responder FROM responder WHERE {SEEN} AND responder <> :reference "
            "GROUP BY responder ORDER BY min(place)",
            {"own": NOBODY, "reference": REFERENCE},
        )
        return [row[0] for row in rows]

    def _tested(self) -> list[str]:
        """Every tested model, of dialogues and of questions."""
        rows = self._db.all(f"SELECT DISTINCT model FROM prediction_run WHERE {SEEN}", {"own": NOBODY})
        return [*self.responders(), *(row[0] for row in rows)]

    def aliases(self, rater: str) -> dict[str, str]:
        """The letter by which this rater knows each tested model.

        A letter once given stays. Models that are new are put in an order that looks random, is equal each time and
        differs between raters, and get the next letters. Where the workspace cannot be written nothing is kept.
        """
        given = self.given(rater)
        if set(self._tested()) <= set(given):
            return given
        if self._db.read_only:
            return given | self._next(given, rater)
        try:
            with self._db.write() as connection:
                given = dict(connection.execute(_GIVEN, (rater,)).fetchall())  # another process may have been faster
                new = self._next(given, rater)
                connection.executemany(
                    "INSERT INTO alias (rater, responder, letter) VALUES (?, ?, ?)",
                    [(rater, responder, letter) for responder, letter in new.items()],
                )
        except WorldError:  # a full disk is no reason not to show the queue: next time they come out the same
            return given | self._next(given, rater)
        return given | new

    def given(self, rater: str) -> dict[str, str]:
        """The letters that were given so far; `aliases` gives them to all."""
        return dict(self._db.all(_GIVEN, (rater,)))

    def _next(self, given: dict[str, str], rater: str) -> dict[str, str]:
        """Names for responders that have none: one letter for a model, whatever task it ran.

        A model that answered the same dialogues twice (the question as text, and spoken) is told apart by a number
        behind its letter, since both may stand in one dialogue.
        """
        workspace = self.workspace_id
        letter_of = {_model(r): name.rstrip("0123456789") for r, name in given.items()}
        ways = Counter(_way(r) for r in given)
        made: dict[str, str] = {}
        for responder in sorted(set(self._tested()) - set(given), key=lambda r: rank_hash(workspace, rater, r)):
            letter = letter_of.setdefault(_model(responder), letters(len(letter_of)))
            ways[_way(responder)] += 1
            n = ways[_way(responder)]
            made[responder] = letter if n == 1 else f"{letter}{n}"
        return made

    def media_roots(self) -> tuple[str, ...]:
        """The folders in which media are looked for, in order."""
        rows = self._db.all("SELECT root FROM media_root ORDER BY place")
        return tuple(self._db.places.found(row[0]) for row in rows)

    def add_media_roots(self, roots: Iterable[str]) -> None:
        """Look in these folders too."""
        new = [r for r in dict.fromkeys(roots) if r not in self.media_roots()]
        if new:
            with self._db.write() as connection:
                connection.executemany(
                    "INSERT INTO media_root (root) VALUES (?) ON CONFLICT(root) DO NOTHING",
                    [(self._db.places.kept(r),) for r in new],
                )

    def lost_roots(self) -> tuple[str, ...]:
        """The folders with media outside of the workspace that are not there."""
        places = self._db.places
        return tuple(r for r in self.media_roots() if places.kept(r) == r and not os.path.isdir(r))

    def rebind(self, old: str, new: str) -> None:
        """Read every path below `old` as lying below `new` from now on; nothing that was imported is rewritten."""
        moves: dict[str, str] = dict(self.get(MOVES, {}))
        moves = {first: new if last == old else last for first, last in moves.items()}
        moves[old] = new
        self.set(MOVES, moves)
        self._db.places.set_moves(moves)

    def drafts(self, rater: str, item_id: str, responder: str | None) -> dict[tuple[str, str], str]:
        """Texts that were being written, by (target, field)."""
        rows = self._db.all(
            "SELECT target, field, text FROM draft WHERE rater = ? AND item_id = ? AND responder = ?",
            (rater, item_id, responder or ""),
        )
        return {(target, field): text for target, field, text in rows}

    def save_draft(
        self, rater: str, item_id: str, responder: str | None, target: str, field: str, text: str | None
    ) -> None:
        """Keep a text that is being written; None once it has become a label."""
        key = (rater, item_id, responder or "", target, field)
        with self._db.write() as connection:
            if text is None:
                connection.execute(
                    "DELETE FROM draft WHERE rater = ? AND item_id = ? AND responder = ? AND target = ? AND field = ?",
                    key,
                )
            else:
                connection.execute(
                    "INSERT OR REPLACE INTO draft (rater, item_id, responder, target, field, text, at) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (*key, mended(text), now()),
                )


def letters(index: int) -> str:
    """A, B, … Z, AA, AB, … for 0, 1, …"""
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def _model(responder: str) -> str:
    """Provider and model of a responder id; the whole id where it has another form."""
    parts = responder.split("::")
    return "::".join(parts[:2]) if len(parts) >= 3 else responder


def _way(responder: str) -> str:
    """What may stand in one dialogue only once: the responder id without whether questions were text or spoken."""
    return responder.removesuffix("_text").removesuffix("_tts")
