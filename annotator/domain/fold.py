"""From events to current values: the unsuperseded heads of each key, never chosen by the clock.

The fold is a function of the set of events alone: order of arrival, repeats and missing parents change nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from annotator.domain.base import canonical_json
from annotator.domain.labels import Key, LabelEvent


@dataclass(frozen=True, slots=True)
class Current:
    """What one key says now.

    Attributes:
        key: who about what.
        value: the agreed value; None where it was withdrawn or where there is a conflict.
        conflict: the differing values of several heads (in the order of their event ids), empty where there is none.
        heads: the ids of the unsuperseded events, sorted.
        item_revision, judged, rubric: of the head with the greatest id.
        at: the latest head's time, for display.
    """

    key: Key
    value: Any
    conflict: tuple[Any, ...]
    heads: tuple[str, ...]
    item_revision: int
    judged: str
    rubric: str
    at: str

    @property
    def in_conflict(self) -> bool:
        """Whether two devices of one rater disagree."""
        return bool(self.conflict)


def fold(events: Iterable[LabelEvent]) -> dict[Key, Current]:
    """The current value of each key that the events speak about."""
    by_key: dict[Key, dict[str, LabelEvent]] = defaultdict(dict)
    superseded: dict[Key, set[str]] = defaultdict(set)
    for event in events:
        by_key[event.key][event.event_id] = event
        superseded[event.key].update(event.parents)
    return {key: head(key, [e for e in held.values() if e.event_id not in superseded[key]] or list(held.values()))
            for key, held in by_key.items()}  # fmt: skip


def head(key: Key, heads: list[LabelEvent]) -> Current:
    """Read several unsuperseded events of one key: equal values collapse, different ones are a conflict."""
    ordered = sorted(heads, key=lambda e: e.event_id)
    values: dict[str, Any] = {}
    for event in ordered:
        values.setdefault(canonical_json(event.value), event.value)
    last = ordered[-1]
    agreed = len(values) == 1
    return Current(
        key=key,
        value=last.value if agreed else None,
        conflict=() if agreed else tuple(values.values()),
        heads=tuple(e.event_id for e in ordered),
        item_revision=last.item_revision,
        judged=last.judged,
        rubric=last.rubric,
        at=max(e.at for e in ordered),
    )
