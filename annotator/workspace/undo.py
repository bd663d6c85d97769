"""Undo and redo, read back from the log: this rater's own events on this device, across items and restarts.

Undoing appends an event that supersedes the current heads and carries the value that they superseded. Which event
undoes which is written into the event itself (`extra`), so that the history is a function of the log alone and nothing
is kept beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from annotator.domain.base import canonical_json
from annotator.domain.labels import REVEALED, LabelEvent
from annotator.store import Draft, Store

# Facts about how somebody worked are no statements that one takes back.
# How many of the last events are read back: further back than anybody takes back one by one.
DEEPEST: Final = 5000
FACTS: Final = frozenset({"viewing", "peek", "unplayable"})
Of = tuple[str, str | None, str]  # (item id, responder, phase)


@dataclass(frozen=True, slots=True)
class Mark:
    """What an event's `extra` says about undo: the group it was said with, and what it undoes or redoes."""

    group: str = ""
    undoes: str = ""
    redoes: str = ""

    def text(self) -> str:
        """As it is stored."""
        pairs = {"group": self.group, "undoes": self.undoes, "redoes": self.redoes}
        held = {k: v for k, v in pairs.items() if v}
        return canonical_json(held) if held else ""

    @staticmethod
    def of(event: LabelEvent) -> Mark:
        """Read it back; anything else in `extra` is left alone."""
        try:
            raw = json.loads(event.extra) if event.extra else {}
        except ValueError:
            return Mark()
        if not isinstance(raw, dict):
            return Mark()
        return Mark(*(str(raw.get(k, "")) for k in ("group", "undoes", "redoes")))


class UndoHistory:
    """The two stacks of event groups; the newest is last."""

    def __init__(self, store: Store, rater: str) -> None:
        """Nothing is read until it is needed."""
        self._store = store
        self._rater = rater
        self._undo: list[list[str]] = []
        self._redo: list[list[str]] = []
        self._groups: dict[str, str] = {}
        self._about: dict[str, Of] = {}
        self._loaded = False

    def note(self, events: Iterable[LabelEvent]) -> None:
        """Take newly appended events into account."""
        if self._loaded:
            for event in events:
                self._replay(event)

    def state(self) -> tuple[bool, bool]:
        """Whether anything is on the two stacks."""
        self._load()
        return bool(self._undo), bool(self._redo)

    def _load(self) -> None:
        if not self._loaded:
            self._loaded = True
            for event in reversed(self._store.labels.history(self._rater, limit=DEEPEST)):
                self._replay(event)

    def _replay(self, event: LabelEvent) -> None:
        if event.field in FACTS:
            return
        if event.field == REVEALED:
            self._lock(event)
            return
        mark = Mark.of(event)
        if mark.undoes:
            self._pop_to(self._undo, mark.undoes)
            self._push(self._redo, event, mark.group)
        elif mark.redoes:
            self._pop_to(self._redo, mark.redoes)
            self._push(self._undo, event, mark.group)
        else:
            self._push(self._undo, event, mark.group)
            self._redo.clear()

    def _lock(self, event: LabelEvent) -> None:
        """What was said blind about a row cannot be taken back once a judge was seen there."""
        closed = {(event.item_id, event.responder, "blind"), (event.item_id, None, "blind")}
        for stack in (self._undo, self._redo):
            stack[:] = [group for group in stack if not any(self._about[one] in closed for one in group)]

    def _push(self, stack: list[list[str]], event: LabelEvent, group: str) -> None:
        self._about[event.event_id] = (event.item_id, event.responder, event.phase)
        if group and stack and self._group_of(stack[-1]) == group:
            stack[-1].append(event.event_id)
        else:
            stack.append([event.event_id])
            self._groups[event.event_id] = group

    def _group_of(self, group: list[str]) -> str:
        return self._groups.get(group[0], "")

    @staticmethod
    def _pop_to(stack: list[list[str]], event_id: str) -> None:
        """Drop groups until the one that holds the event is gone (those above it could not be taken back)."""
        for place in range(len(stack) - 1, -1, -1):
            if event_id in stack[place]:
                del stack[place:]
                return

    def undo(self, group: str, lang: str) -> list[Draft]:
        """What must be appended to take the newest group back; empty where nothing can be."""
        self._load()
        return self._take(self._undo, group, lang, undoing=True)

    def redo(self, group: str, lang: str) -> list[Draft]:
        """What must be appended to say the last undone group again."""
        self._load()
        return self._take(self._redo, group, lang, undoing=False)

    def _take(self, stack: list[list[str]], group: str, lang: str, *, undoing: bool) -> list[Draft]:
        while stack:
            drafts = [d for event_id in stack[-1] if (d := self._draft(event_id, group, lang, undoing)) is not None]
            if drafts:
                return drafts
            stack.pop()  # superseded since by another device, or settled as a conflict: it is not ours to take back
        return []

    def _draft(self, event_id: str, group: str, lang: str, undoing: bool) -> Draft | None:
        event = self._store.labels.event(event_id)
        heads = self._heads(event) if event is not None else ()
        if event is None or len(heads) != 1 or self._stated(heads[0]) != self._stated(event):
            return None
        # An undone event is said again with its own value; an undo goes to what the statement itself superseded.
        said = self._stated(event) if undoing else self._store.labels.event(Mark.of(event).undoes)
        if said is None:
            return None
        found, value = self._superseded(said) if undoing else (True, said.value)
        if not found:
            return None
        mark = Mark(group=group, undoes=event_id) if undoing else Mark(group=group, redoes=event_id)
        return Draft(
            rater=event.rater, item_id=event.item_id, responder=event.responder, target=event.target,
            field=event.field, value=value, phase=event.phase, rubric=event.rubric, lang=lang,
            item_revision=event.item_revision, judged=event.judged, parents=(heads[0].event_id,), extra=mark.text(),
        )  # fmt: skip

    def _heads(self, event: LabelEvent) -> tuple[LabelEvent, ...]:
        """The unsuperseded events of this event's key."""
        held = self._store.labels.current(
            item_id=event.item_id, responder=event.responder, rater=event.rater, phase=event.phase
        )
        ids = next((c.current.heads for c in held if c.current.key == event.key), ())
        return tuple(e for e in map(self._store.labels.event, ids) if e is not None)

    def _stated(self, event: LabelEvent | None) -> LabelEvent | None:
        """The statement whose value an event carries: itself, or, for an undo or redo, the one that it brought back.

        None means that nothing was stated: the first statement was taken back.
        """
        while event is not None:
            mark = Mark.of(event)
            if mark.redoes:
                undone = self._store.labels.event(mark.redoes)
                event = self._store.labels.event(Mark.of(undone).undoes) if undone is not None else None
            elif mark.undoes:
                said = self._stated(self._store.labels.event(mark.undoes))
                before = said.parents if said is not None else ()
                event = self._store.labels.event(before[0]) if before else None
            else:
                return event
        return None

    def _superseded(self, event: LabelEvent) -> tuple[bool, Any]:
        """(whether it is clear, the value that the event superseded); unclear where it settled a conflict."""
        before = [self._store.labels.event(p) for p in event.parents]
        values = {canonical_json(b.value): b.value for b in before if b is not None}
        if not before:
            return True, None
        return len(values) == 1, next(iter(values.values()), None)
