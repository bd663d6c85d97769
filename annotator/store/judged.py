"""What exactly a label judged, as a hash, and whether that is still what is there.

A turn's label judged the turn's content and the answer; a session's the whole of both; a label on the candidate the
turn or the dialogue alone. Facts about the work (what was looked at, notes) judge nothing and never grow old.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

from annotator.domain.items import Dialogue, Responder, Turn, judged_hash, judged_session_hash
from annotator.domain.labels import CANDIDATE_FIELDS, judges_nothing, turn_index
from annotator.store.visible import HeadRow, find_responder, item_row, load_dialogue, load_responder, responder_place

_CACHED: Final = 32_768  # of a whole benchmark and a few responders: several raters judged the same
_LOADED: Final = 64
_Loaded = TypeVar("_Loaded", Dialogue, Responder)


# (item id, responder, target, field) to what a label made now would judge.
Now = Callable[[str, str | None, str, str], str]


class Judged:
    """Computes hashes of what is judged; rows never change, so that what was computed for a row stays right."""

    def __init__(self) -> None:
        """Start with empty caches; safe for several threads."""
        self._lock = threading.Lock()
        self._hashes: OrderedDict[tuple[int, int | str, str], str] = OrderedDict()
        self._dialogues: OrderedDict[int, Dialogue] = OrderedDict()
        self._answers: OrderedDict[int, Responder] = OrderedDict()

    def now(
        self,
        connection: sqlite3.Connection,
        item_id: str,
        responder: str | None,
        target: str,
        field: str,
        revision: int | None = None,
    ) -> str:
        """The hash of what a label on this target would judge; "" where it judges nothing or the item is not there."""
        if judges_nothing(field):
            return ""
        return self._of(connection, item_row(connection, item_id, revision), item_id, responder, target, field)

    def _of(
        self,
        connection: sqlite3.Connection,
        head: HeadRow | None,
        item_id: str,
        responder: str | None,
        target: str,
        field: str,
    ) -> str:
        if head is None:
            return ""
        if head.kind != "dialogue":
            return head.content_hash
        index = turn_index(target)
        if responder is None or field in CANDIDATE_FIELDS:
            return head.content_hash if index is None else self._turn(connection, head.place, "", index)
        place = responder_place(connection, item_id, responder)
        return self._turn(connection, head.place, responder if place is None else place, index)

    def for_many(self, connection: sqlite3.Connection) -> Now:
        """`now` for many labels at one moment: each item and each place is looked up once."""
        heads: dict[str, HeadRow | None] = {}
        held: dict[tuple[str, str | None, str, bool], str] = {}

        def now(item_id: str, responder: str | None, target: str, field: str) -> str:
            if judges_nothing(field):
                return ""
            key = (item_id, responder, target, field in CANDIDATE_FIELDS)
            if key not in held:
                if item_id not in heads:
                    heads[item_id] = item_row(connection, item_id)
                held[key] = self._of(connection, heads[item_id], item_id, responder, target, field)
            return held[key]

        return now

    def _turn(self, connection: sqlite3.Connection, place: int, who: int | str, index: int | None) -> str:
        key = (place, who, "session" if index is None else str(index))
        with self._lock:
            held = self._hashes.get(key)
            if held is not None:
                self._hashes.move_to_end(key)
                return held
        dialogue = self._load(connection, self._dialogues, place, load_dialogue)
        if who == "":
            made = judged_hash(_at(dialogue.turns, index or 0), None)
        else:
            if isinstance(who, int):
                answers: Responder | None = self._load(connection, self._answers, who, load_responder)
            else:
                answers = find_responder(connection, dialogue, who)
            made = _of_answers(dialogue, answers, index) if answers is not None else ""
        with self._lock:
            self._hashes[key] = made
            while len(self._hashes) > _CACHED:
                self._hashes.popitem(last=False)
        return made

    def _load(
        self,
        connection: sqlite3.Connection,
        held: OrderedDict[int, _Loaded],
        place: int,
        load: Callable[[sqlite3.Connection, int], _Loaded],
    ) -> _Loaded:
        """What a row holds, from the cache where it is there."""
        with self._lock:
            found = held.get(place)
        if found is None:
            found = load(connection, place)
            with self._lock:
                held[place] = found
                while len(held) > _LOADED:
                    held.popitem(last=False)
        return found


def _of_answers(dialogue: Dialogue, answers: Responder, index: int | None) -> str:
    turns = dialogue.turns if answers.turns is None else answers.turns
    texts = {answer.index: answer.text for answer in answers.answers}
    if index is not None:
        return judged_hash(_at(turns, index), texts.get(index))
    return judged_session_hash(turns, [texts.get(turn.index) for turn in turns])


def _at(turns: tuple[Turn, ...], index: int) -> Turn | None:
    return turns[index] if 0 <= index < len(turns) else None
