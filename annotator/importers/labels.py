"""Label lines: statements by people, as exports write them: JSON Lines, or rows of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from annotator.domain.report import ReportLine
from annotator.importers.base import Context, Record, Sayings, is_whole, kind_of
from annotator.importers.label_tables import CellError, is_table, line_of

_TEXTS: Final = (
    *("item", "source_id", "responder", "target", "field", "rater", "phase", "at", "rubric", "lang"),
    *("event_id", "device", "digest", "judged", "extra"),
)
_WHOLE: Final = ("item_revision", "active_ms", "seq")


@dataclass(frozen=True, slots=True)
class LabelFound:
    """One label line whose fields have the right types; whether it fits its item is for others to say."""

    value: dict[str, Any]
    record: int
    line: int | None


@dataclass(slots=True)
class LabelReader:
    """Reads label lines."""

    context: Context
    notes: list[str] = field(default_factory=list)

    def read(self, record: Record) -> Iterator[LabelFound | ReportLine]:
        """The label of a record, or the line that refuses it."""
        sayings = Sayings(self.context.file, record.record, record.line)
        if is_table(self.context.file):
            try:
                record = record._replace(value=line_of(record.value, self.context.file))
            except CellError as error:
                sayings.say("label_refused", error.args[1], error.args[0])
                yield from sayings.lines
                return
        wrong = _wrong(record.value)
        if wrong is None and any(re.match(r"value\b", name) for name in record.not_finite):
            # Null would take back what was said before; a number that is none says nothing.
            wrong = "value", '"value" holds NaN or an infinity, which is no number to say'
        if wrong is not None:
            sayings.say("label_refused", wrong[1], wrong[0])
            yield from sayings.lines
            return
        yield LabelFound(record.value, record.record, record.line)


def _wrong(value: dict[str, Any]) -> tuple[str, str] | None:
    """(field, reason) of the first thing that is wrong with a label line's form."""
    for name in _TEXTS:
        held = value.get(name)
        if held is not None and not isinstance(held, str):
            return name, f'"{name}" must be a text, found {kind_of(held)}'
    for name in _WHOLE:
        held = value.get(name)
        if held is not None and not (is_whole(held) and held >= 0):
            return name, f'"{name}" must be a whole number from 0, found {kind_of(held)}'
    parents = value.get("parents")
    if parents is not None and not (isinstance(parents, list) and all(isinstance(p, str) for p in parents)):
        return "parents", '"parents" must be a list of texts'
    for name in ("target", "field"):
        if not value.get(name):
            return name, f'"{name}" is missing'
    if not value.get("item") and not value.get("source_id"):
        return "item", 'neither "item" nor "source_id" is there'
    if "value" not in value:
        return "value", '"value" is missing'
    return None
