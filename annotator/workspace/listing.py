"""Items as programs outside see them: the lists and pages of the command line, with real names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from annotator.domain.items import Asset, Dialogue, Responder, Turn
from annotator.domain.queue import QueueRow
from annotator.domain.report import Problem
from annotator.domain.sheet import Status
from annotator.report.lines import current_line, current_order
from annotator.store import ItemHead, Store
from annotator.workspace.assets import AssetBook
from annotator.workspace.comparisons_listing import comparison_page
from annotator.workspace.comparisons_said import comparison_statuses
from annotator.workspace.listing_judges import judged_entries
from annotator.workspace.questions_listing import question_page
from annotator.workspace.questions_said import statuses

# A row is done when its rater said everything, whatever could be seen meanwhile; what came with the data is not said.
OWN_PHASES: Final = ("blind", "open", "revised", "adjudicated")
# What needs a person comes first.
_TROUBLED: Final[tuple[Status, ...]] = ("conflict", "stale", "returned")


def list_items(
    store: Store, *, kind: str | None = None, status: str | None = None, search: str = "", rater: str | None = None
) -> list[dict[str, Any]]:
    """One entry for each item, in order of import: `item, kind, source_id, status, responders` and what it is about.

    `status` keeps the items with that status; `search` those in whose id, questions, references or answers the text
    stands literally (case and Unicode form aside). Whose status: `rater`'s, else that of the workspace.
    """
    found = {item for item, _ in store.items.search(search)} if search else None
    rows: dict[str, list[QueueRow]] = {}
    for row in store.queue.rows(rater or store.desk.rater, OWN_PHASES):
        rows.setdefault(row.item_id, []).append(row)
    place = {responder: number for number, responder in enumerate(store.items.responder_ids())}
    for held in rows.values():  # rows come in the order of their aliases, which differs between raters
        held.sort(key=lambda row: place.get(row.responder, len(place)))
    who = rater or store.desk.rater
    asked = {**statuses(store, who), **comparison_statuses(store, who)}
    entries = (_entry(head, rows.get(head.item_id, ()), asked) for head in store.items.heads(kind))
    return [
        entry
        for entry in entries
        if (found is None or entry["item"] in found) and (status is None or entry["status"] == status)
    ]


def _entry(head: ItemHead, rows: Sequence[QueueRow], asked: Mapping[str, str]) -> dict[str, Any]:
    dialogue = head.kind == "dialogue"
    return {
        "item": head.item_id,
        "kind": head.kind,
        "source_id": head.source_id,
        "status": item_status(row.status for row in rows) if dialogue else asked.get(head.item_id, "new"),
        "responders": [_row_entry(row) for row in rows],
        "title": head.title,
        "scenario": head.scenario,
        "modality": head.modality,
        "turns": head.parts,
        "missing_media": head.missing,
    }


def _row_entry(row: QueueRow) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": row.responder, "status": row.status}
    return entry | {"unplayable": True} if row.unplayable else entry


def item_status(statuses: Iterable[Status]) -> Status:
    """The one status of an item with several rows: trouble first, complete when all are, new when all are."""
    held = set(statuses)
    for trouble in _TROUBLED:
        if trouble in held:
            return trouble
    if held == {"complete"}:
        return "complete"
    return "new" if held <= {"new"} else "started"


def show_item(store: Store, reference: str) -> dict[str, Any]:
    """Everything about one item, named by its internal id or a source id that stands for one item only.

    Raises:
        WorldError: no such item, or the source id stands for several.
    """
    item_id = store.items.resolve(reference)
    if item_id.startswith("question:"):
        return question_page(store, item_id)
    if item_id.startswith("comparison:"):
        return comparison_page(store, item_id)
    dialogue, terms = AssetBook(store).apply(store.items.dialogue(item_id))
    responders = store.items.responders(item_id)
    return {
        "item": item_id,
        "kind": "dialogue",
        "source_id": dialogue.source_id,
        "revision": dialogue.revision,
        "environment": dialogue.environment,
        "scenario": dialogue.scenario,
        "detail": dialogue.detail,
        "modality": dialogue.modality,
        "spoken": dialogue.spoken,
        "goal": dialogue.goal,
        "persona": dialogue.persona,
        "meta": dialogue.meta,
        "source": dialogue.source,
        "record": dialogue.record,
        "responders": [_responder(r) for r in responders],
        "turns": [_turn(turn, responders) for turn in dialogue.turns],
        "unanswered": [entry.model_dump() for entry in dialogue.unanswered],
        "assets": {name: held.model_dump(mode="json") for name, held in sorted(terms.items())},
        "labels": _labels(store, dialogue),
        **judged_entries(store, item_id),
        "problems": [problem_entry(p) for p in store.imports.problems() if p.item == item_id],
    }


def _responder(responder: Responder) -> dict[str, Any]:
    own_texts = None
    if responder.turns is not None:
        own_texts = [{"index": t.index, "question": t.question, "reference": t.reference} for t in responder.turns]
    errors = {str(a.index): a.error for a in responder.answers if a.error}
    return {"id": responder.responder, "revision": responder.revision, "turns": own_texts, "errors": errors}


def _turn(turn: Turn, responders: Sequence[Responder]) -> dict[str, Any]:
    answers = {}
    for responder in responders:
        answer = responder.answer(turn.index)
        answers[responder.responder] = None if answer is None else answer.text
    return {
        "index": turn.index,
        "question": turn.question,
        "reference": turn.reference,
        "answers": answers,
        "timestamp": turn.timestamp.model_dump(),
        "category": None if turn.category is None else turn.category.model_dump(mode="json"),
        "evidence": [_asset(asset) for asset in turn.evidence],
        "audio": None if turn.audio is None else _asset(turn.audio),
        "frames": [_asset(asset) for asset in turn.frames],
        "entries": [entry.model_dump() for entry in turn.entries],
    }


def _asset(asset: Asset) -> dict[str, Any]:
    """`path` is the place inside the data root where the file was found, else what stood in the source."""
    path = asset.inside if asset.inside is not None else asset.raw
    return {
        "path": path,
        "status": asset.status,
        "raw": asset.raw,
        "inside": asset.inside,
        "role": asset.role,
        "field": asset.field,
    }


def _labels(store: Store, dialogue: Dialogue) -> list[dict[str, Any]]:
    """Current labels of all raters as label lines; where devices disagree, `conflict` holds what they say."""
    spent = {e.event_id: (e.lang, e.active_ms) for e in store.labels.events(item_id=dialogue.item_id)}
    held = sorted(store.labels.current(item_id=dialogue.item_id), key=lambda c: current_order(c.current))
    lines = []
    for label in held:
        current = label.current
        if current.value is None and not current.in_conflict:
            continue
        line = current_line(current, dialogue.source_id, *spent[current.heads[-1]], stale=label.stale)
        lines.append({**line, "conflict": list(current.conflict)} if current.in_conflict else line)
    return lines


def problem_entry(problem: Problem) -> dict[str, Any]:
    """Something that waits for a decision, as `check` and `show` list it."""
    return {
        "id": problem.id,
        "code": problem.code,
        "item": problem.item,
        "file": problem.file,
        "line": problem.line,
        "choices": list(problem.choices),
        "reason": problem.reason,
    }
