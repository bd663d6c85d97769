"""What a label line says of itself, held against the item that it is about: time, revision, id, places in an answer."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from annotator.domain.ids import REFERENCE
from annotator.domain.labels import LabelError, turn_index
from annotator.store import Known
from annotator.workspace.intake import Run


def check_time(at: str | None) -> None:
    """Refuse a time that is none, or that does not say of which zone."""
    if not at:
        return
    try:
        good = datetime.fromisoformat(at).tzinfo is not None
    except ValueError:
        good = False
    if not good:
        raise LabelError(f'at "{at}" is no time with its zone, such as 2026-03-02T09:30:00Z')


def check_event_id(event_id: str | None) -> None:
    """Refuse an id that is no UUID: it could not be told from others' for certain."""
    if not event_id:
        return
    try:
        good = str(uuid.UUID(event_id)) == event_id.lower()
    except ValueError:
        good = False
    if not good:
        raise LabelError(f'event_id "{event_id}" is no UUID: leave it out, or take it from an export with --events')


def check_revision(stated: int | None, known: Known | None) -> None:
    """Refuse a revision that the item never had here."""
    if stated is None or known is None or 1 <= stated <= known.revision:
        return
    has = "only revision 1" if known.revision == 1 else f"revisions 1 to {known.revision}"
    raise LabelError(f"item_revision {stated} is not there: the item has {has}")


class Answers:
    """The answers that spans are about, looked up once for each part of an item."""

    def __init__(self, run: Run) -> None:
        """Look in the workspace and in what the running import brings."""
        self._run = run
        self._held: dict[tuple[str, str | None, str], str | None] = {}

    def check_spans(self, kind: str, item: str, responder: str | None, target: str, value: Any) -> None:
        """Refuse spans that reach past the end of the answer; `value` has the form of spans or is None."""
        key = (item, responder, target)
        if key not in self._held:
            self._held[key] = self._text(kind, item, responder, target)
        text = self._held[key]
        for start, end, _ in value or () if text is not None else ():
            if end > len(text or ""):
                raise LabelError(
                    f"the span from {start} to {end} ends past the answer, which has {len(text or '')} characters"
                )

    def _text(self, kind: str, item: str, responder: str | None, target: str) -> str | None:
        """The answer that a target names; None where there is none to hold spans against."""
        index = turn_index(target)
        if kind == "comparison" and target.startswith("response:"):
            responses = self._run.store.items.body(item).get("responses") or []
            at = int(target.partition(":")[2])
            return str(responses[at].get("text") or "") if at < len(responses) else None
        if kind != "dialogue" or index is None:
            return None
        if responder == REFERENCE:
            dialogue = self._run.writer.dialogue(item)
            turns = () if dialogue is None else dialogue.turns
            return (turns[index].reference or "") if index < len(turns) else None
        held = self._run.writer.responder(item, str(responder))
        return next((a.text or "" for a in held.answers if a.index == index), None) if held is not None else None
