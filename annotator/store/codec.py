"""Between rows and values: label events, and the JSON texts that columns hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from annotator.domain.base import Value, canonical_json
from annotator.domain.labels import LabelEvent

EVENT_COLUMNS: Final = tuple(f.name for f in fields(LabelEvent))
# All events by arrival alone: counted so, SQLite does not look up the names that a view adds to each.
EVERY: Final = "SELECT arrival FROM label_event LIMIT -1"
_Value = TypeVar("_Value", bound=Value)
_INTEGERS: Final = frozenset({"seq", "item_revision", "active_ms"})
_TEXTS: Final = tuple(n for n in EVENT_COLUMNS if n not in _INTEGERS and n not in ("responder", "value", "parents"))
_MAX_INTEGER: Final = 2**63 - 1


def now() -> str:
    """This moment as label events write it: UTC, ISO 8601, microseconds, `Z`."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def text_of(value: Any) -> str:
    """A value as JSON that SQLite can hold: real characters, but half a surrogate pair as an escape."""
    if value is None or type(value) is int:  # scores, nearly always
        return "null" if value is None else str(value)
    text = canonical_json(value)
    return text if fits(text) else json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def fits(text: str) -> bool:
    """Whether the text is proper Unicode, which UTF-8 can write."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def mended(text: str) -> str:
    """Text for comparing and showing only, with U+FFFD for half a surrogate pair."""
    return text if fits(text) else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def body_of(value: Value) -> str:
    """A domain value as JSON text, defaults left out."""
    try:
        return value.model_dump_json(exclude_defaults=True)
    except ValueError:  # half a surrogate pair somewhere in free-form JSON
        return json.dumps(value.model_dump(mode="python", exclude_defaults=True), separators=(",", ":"))


def value_of(kind: type[_Value], text: str) -> _Value:
    """The domain value of a JSON text that `body_of` made."""
    try:
        return kind.model_validate_json(text)
    except ValueError:  # its parser refuses half a surrogate pair, which free-form JSON may hold
        return kind.model_validate(json.loads(text))


def event_row(event: LabelEvent) -> tuple[Any, ...]:
    """The values of `EVENT_COLUMNS` as they are stored."""
    row = {name: getattr(event, name) for name in EVENT_COLUMNS}
    row["value"] = text_of(event.value)
    row["parents"] = json.dumps(list(event.parents))
    return tuple(row.values())


def event_of(row: Sequence[Any]) -> LabelEvent:
    """The event of a row of `EVENT_COLUMNS`."""
    held = dict(zip(EVENT_COLUMNS, row, strict=True))
    held["value"] = json.loads(held["value"])
    held["parents"] = tuple(json.loads(held["parents"]))
    return LabelEvent(**held)


def event_object(event: LabelEvent) -> dict[str, Any]:
    """The event as a JSON object, as the journal writes it."""
    return {name: getattr(event, name) for name in EVENT_COLUMNS}


def event_from_object(held: Mapping[str, Any]) -> LabelEvent:
    """The event of a JSON object.

    Raises:
        ValueError: when a field is missing or of another type.
    """
    try:
        values = {name: held[name] for name in EVENT_COLUMNS}
    except KeyError as error:
        raise ValueError(f"a label event without {error}") from error
    if not isinstance(values["parents"], (list, tuple)):
        raise ValueError("parents is no list")
    values["parents"] = tuple(values["parents"])
    event = LabelEvent(**values)
    reason = unfit(event)
    if reason:
        raise ValueError(reason)
    return event


def unfit(event: LabelEvent) -> str:
    """Why an event from elsewhere cannot be stored, "" where it can."""
    if not _all_fit([getattr(event, name) for name in _TEXTS]):
        return _first_unfit(event)
    for name in _INTEGERS:
        value = getattr(event, name)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MAX_INTEGER:
            return f"its {name} is no whole number that can be kept"
    if event.seq < 1:
        return "its seq is not counted from 1"
    responder: Any = event.responder
    if responder is not None and not (isinstance(responder, str) and responder and fits(responder)):
        return "its responder is no proper text"
    parents: tuple[Any, ...] = event.parents
    if not all(isinstance(parent, str) and fits(parent) for parent in parents):
        return "its parents are no list of ids"
    if not event.event_id:
        return "it has no id"
    try:
        canonical_json(event.value)
    except (TypeError, ValueError, RecursionError):
        return "its value is no JSON"
    return ""


def _all_fit(texts: list[Any]) -> bool:
    try:
        return fits("".join(texts))
    except TypeError:
        return False


def _first_unfit(event: LabelEvent) -> str:
    for name in _TEXTS:
        value: Any = getattr(event, name)
        if not isinstance(value, str) or not fits(value):
            return f"its {name} is no proper text"
    return ""
