"""Label lines: the shape that exports write, that imports read, and that other programs rely on."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from annotator.domain.fold import Current
from annotator.domain.labels import LabelEvent
from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS

Line = dict[str, Any]
SourceIds = Callable[[str], str | None]
"""From an item's internal id to its id in the source; None where the item is not there."""

_FIELD_ORDER: Final = {name: place for place, name in enumerate((*TURN_DIMENSIONS, *SESSION_DIMENSIONS))}
_TARGET_ORDER: Final = {"turn": 0, "response": 1, "session": 2, "item": 3}
_NUMBER: Final = re.compile(r"\d+", re.ASCII)


def current_line(current: Current, source_id: str | None, lang: str, active_ms: int, *, stale: bool = False) -> Line:
    """The line of a current label; `lang` and `active_ms` are its head's.

    `stale` is written only where it is true: what was judged has changed since.
    """
    key = current.key
    line: Line = {
        "item": key.item_id,
        "source_id": source_id,
        "responder": key.responder,
        "target": key.target,
        "field": key.field,
        "value": current.value,
        "rater": key.rater,
        "phase": key.phase,
        "at": current.at,
        "rubric": current.rubric,
        "item_revision": current.item_revision,
        "lang": lang,
        "active_ms": active_ms,
    }
    return {**line, "stale": True} if stale else line


def event_line(event: LabelEvent, source_id: str | None) -> Line:
    """The line of an event: everything that its digest is made of, so that whoever imports it can prove it whole."""
    return {
        "item": event.item_id,
        "source_id": source_id,
        "responder": event.responder,
        "target": event.target,
        "field": event.field,
        "value": event.value,
        "rater": event.rater,
        "phase": event.phase,
        "at": event.at,
        "rubric": event.rubric,
        "item_revision": event.item_revision,
        "lang": event.lang,
        "active_ms": event.active_ms,
        "event_id": event.event_id,
        "device": event.device,
        "seq": event.seq,
        "parents": list(event.parents),
        "judged": event.judged,
        "extra": event.extra,
        "digest": event.digest,
    }


def current_order(current: Current) -> tuple[Any, ...]:
    """Where a current label stands in a file: equal on every machine that holds the same labels.

    By item, responder, rater and phase; inside them in the order of work: turns, session, candidate.
    """
    key = current.key
    return (
        key.item_id,
        key.responder or "",
        key.rater,
        key.phase,
        *_target_order(key.target),
        *_field_order(key.field),
    )


def event_order(event: LabelEvent) -> tuple[str, int]:
    """Where an event stands in a file: by device, then as it was made there."""
    return (event.device, event.seq)


def _target_order(target: str) -> tuple[int, int]:
    name, _, index = target.partition(":")
    return (_TARGET_ORDER.get(name, len(_TARGET_ORDER)), int(index) if _NUMBER.fullmatch(index) else 0)


def _field_order(field: str) -> tuple[int, str]:
    """Dimensions first, in the rubric's order, each followed by what was written about it."""
    _, colon, rest = field.partition(":")
    return (_FIELD_ORDER.get(rest if colon else field, len(_FIELD_ORDER)), "" if not colon else field)
