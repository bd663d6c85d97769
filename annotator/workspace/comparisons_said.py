"""What people said of comparisons: their sheets, what reviewers made of them, and the status that follows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final

from annotator.domain import labels as label_rules
from annotator.domain.base import canonical_json
from annotator.domain.comparisons import Comparison, shown_order
from annotator.domain.comparisons_sheet import ComparisonSheet, Review
from annotator.domain.rubric import COMPARISON_SCALES
from annotator.domain.sheet import Cell, Status
from annotator.errors import WorldError
from annotator.store import CurrentLabel, Store
from annotator.workspace.undo import Mark
from annotator.workspace.views import Intent

# A later one of these takes the place of an earlier one, cell by cell.
OWN_PHASES: Final = ("blind", "open", "revised")
SETTLED: Final = "adjudicated"
# What a reviewer looks at; facts about the work (what was played, what was unmasked) send nothing back and forth.
_REVIEWED: Final = frozenset((*COMPARISON_SCALES, "note", "ranking", "ranking_reason", "constructed"))
REVIEW: Final = "review:"
RUBRIC: Final = "comparison@1"


def sheets_of(
    item_id: str,
    responses: int,
    labels: Iterable[CurrentLabel],
    phases: tuple[str, ...] = OWN_PHASES,
    *,
    reasons: bool = False,
) -> dict[str, ComparisonSheet]:
    """One sheet for each person who said something of an item in these phases, by name."""
    cells: dict[str, dict[tuple[str, str], Cell]] = {}
    ordered = sorted(
        (c for c in labels if c.current.key.phase in phases), key=lambda c: phases.index(c.current.key.phase)
    )
    for label in ordered:
        current = label.current
        if current.value is not None or current.in_conflict:
            cell = Cell(current.value, current.conflict, label.stale, current.at)
            cells.setdefault(current.key.rater, {})[current.key.target, current.key.field] = cell
    return {rater: ComparisonSheet(item_id, rater, responses, reasons, held) for rater, held in cells.items()}


def heads_of(labels: Iterable[CurrentLabel], rater: str) -> tuple[str, ...]:
    """The events at which a rater's judgements of one item stand."""
    return tuple(
        sorted(
            head
            for label in labels
            for head in label.current.heads
            if label.current.key.rater == rater
            and label.current.key.phase in OWN_PHASES
            and label.current.key.field in _REVIEWED
        )
    )


def reviews_of(labels: Iterable[CurrentLabel], rater: str) -> tuple[Review, ...]:
    """What reviewers say now of a rater's judgements of one item, the latest last."""
    found = [
        (label.current.at, review)
        for label in labels
        if label.current.key.field == REVIEW + rater
        and (review := Review.read(label.current.key.rater, label.current.value)) is not None
    ]
    return tuple(review for _, review in sorted(found, key=lambda pair: (pair[0], pair[1].reviewer)))


def is_returned(labels: Iterable[CurrentLabel], rater: str) -> bool:
    """Whether somebody sent the item back and the rater said nothing new since."""
    labels = list(labels)
    heads = heads_of(labels, rater)
    return any(review.still_returns(heads) for review in reviews_of(labels, rater))


def status_of(item_id: str, responses: int, labels: Iterable[CurrentLabel], rater: str, *, reasons: bool) -> Status:
    """The status of one item for a rater."""
    labels = list(labels)
    sheet = sheets_of(item_id, responses, labels, reasons=reasons).get(rater)
    sheet = sheet or ComparisonSheet(item_id, rater, responses, reasons)
    return sheet.status(is_returned(labels, rater))


def labels_by_item(store: Store) -> dict[str, list[CurrentLabel]]:
    """The current labels of all comparisons, the sources' aside."""
    found: dict[str, list[CurrentLabel]] = {}
    for phase in (*OWN_PHASES, SETTLED):  # a source may have said a thousand times more than people did
        for label in store.labels.current(phase=phase):
            if label.current.key.item_id.startswith("comparison:"):
                found.setdefault(label.current.key.item_id, []).append(label)
    return found


def comparison_statuses(store: Store, rater: str) -> Mapping[str, Status]:
    """The status of every comparison that anybody said something of; the others are new."""
    parts = {head.item_id: head.parts for head in store.items.heads("comparison")}
    if not parts:
        return {}
    wanted = reasons_wanted(store)
    return {
        item: status_of(item, parts[item], labels, rater, reasons=wanted)
        for item, labels in labels_by_item(store).items()
        if item in parts
    }


def reasons_wanted(store: Store) -> bool:
    """Whether the project asks for a reason for each response and for the ranking."""
    return bool(store.desk.get("comparison_reasons", False))


def check_intent(held: Comparison, intent: Intent) -> None:
    """Refuse what does not fit the item.

    Raises:
        WorldError: with a sentence.
    """
    try:
        label_rules.check_target("comparison", intent.target, len(held.responses))
        label_rules.check_value(intent.target, intent.field, intent.value)
    except label_rules.LabelError as error:
        raise WorldError(f"Not saved: {error}.") from error
    if intent.field == "ranking" and intent.value is not None and len(intent.value) != len(held.responses):
        raise WorldError(
            f"Not saved: a ranking of {len(intent.value)} for {len(held.responses)} responses.", code="ranking"
        )


def shown_mark(held: Comparison, rater: str, seed: int, group: str) -> str:
    """What an event carries beside its value: the order that was on screen, and what undo needs."""
    mark = Mark(group=group).text()
    order = list(shown_order(held, rater, seed))
    return canonical_json({**(json.loads(mark) if mark else {}), "shown": order, "seed": seed})
