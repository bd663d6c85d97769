"""Label lines as rows of one long table, for spreadsheets and data frames: a row for each, columns in one order."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import IO, Any, Final, Protocol

from annotator.domain.cells import needs_mark, starts_formula, whole
from annotator.domain.labels import turn_index
from annotator.domain.rubric import COMPARISON_SCALES, SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.report.lines import Line
from annotator.report.table_notes import Notes

Row = dict[str, Any]
"""Column -> cell: a text, a whole number, a number, true or false, or None."""

_SCORED: Final = frozenset((*TURN_DIMENSIONS, *SESSION_DIMENSIONS, *COMPARISON_SCALES))


class Sink(Protocol):
    """Something that takes rows one by one and is a whole file after `finish`."""

    def write(self, row: Row) -> None:
        """Take a row."""

    def finish(self) -> None:
        """Write what is still held, and the end of the file."""

    def abandon(self) -> None:
        """Let go of the file, which will not be kept; never fails."""


SinkMaker = Callable[[IO[bytes], Mapping[str, str], Notes], Sink]


def row_of(line: Line, kind: str) -> Row:
    """The row of a label line; `kind` is what the item is."""
    value, value_type = _value(line["value"])
    name, _, index = line["target"].partition(":")
    is_score = line["field"] in _SCORED and value_type == "number"
    return {
        "dialogue_id": line["source_id"],
        "item": line["item"],
        "kind": kind,
        "responder": line["responder"],
        "target": line["target"],
        "level": name,
        "index": int(index) if turn_index(line["target"]) is not None or index.isdecimal() else None,
        "field": line["field"],
        "score": value if is_score else None,
        "value": value,
        "value_type": value_type,
        "rater": line["rater"],
        "phase": line["phase"],
        "at": line["at"],
        "rubric": line["rubric"],
        "item_revision": line["item_revision"],
        "lang": line["lang"],
        "active_ms": line["active_ms"],
        "stale": bool(line.get("stale")),
    }


def _value(value: Any) -> tuple[Any, str]:
    """(a cell for a label's value, what `value_type` says of it)."""
    if isinstance(value, str):
        return value, "text"
    if isinstance(value, bool):
        return value, "flag"
    if isinstance(value, int | float):
        return value, "number"
    return json.dumps(value, ensure_ascii=False, allow_nan=False), "json"


def without_halves(text: str, place: tuple[str, int, str], row: Row, notes: Notes) -> str:
    """A text that a file in UTF-8 can hold; where it was another one, that is told."""
    sound = whole(text)
    if sound != text:
        notes.say("surrogate", place, row, "half of a surrogate pair is written as U+FFFD", text)
    return sound


def tell_start(text: str, column_kind: str, place: tuple[str, int, str], row: Row, notes: Notes, how: str) -> None:
    """Tell of a text that a spreadsheet would run or change, and that is kept from it; `how` says by what."""
    of_id = column_kind == "id"
    if not needs_mark(text, of_id=of_id):
        return
    if starts_formula(text):
        code, reason = "cell_formula", f"it begins like a formula; {how}"
    elif text.startswith("'"):
        code, reason = "cell_escape", f"its own apostrophe could be taken for the mark; {how}"
    else:
        code, reason = "cell_id", f"a spreadsheet would take it for a number or a date; {how}"
    if of_id:
        notes.say_id(code, place, text, reason)
    else:
        notes.say(code, place, row, reason)
