"""What a person says about one queue row, as statements for the log: checked, phased, and nothing said twice."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from annotator.domain import labels as label_rules
from annotator.domain.ids import uuid7
from annotator.domain.rubric import load_rubric
from annotator.errors import WorldError
from annotator.store import Draft, Store
from annotator.workspace.reveal import RevealBook
from annotator.workspace.undo import FACTS, Mark

if TYPE_CHECKING:
    from annotator.workspace.views import Intent, ReviewView


@dataclass(frozen=True, slots=True)
class About:
    """Which row is spoken of, by whom, and what the person had before them (where that is known)."""

    item_id: str
    responder: str
    rater: str
    seen: ReviewView | None = None


def drafts_of(
    store: Store, reveals: RevealBook, about: About, intents: Sequence[Intent], active_ms: int, lang: str
) -> list[Draft]:
    """Statements for intents, as one group for undo.

    Values that stand already in their phase are not said again, unless they were stale or in conflict. Facts always
    are. Labels stay with what was seen, should another revision have come in meanwhile.

    Raises:
        WorldError: a value that does not fit its field.
    """
    group = uuid7() if len(intents) > 1 else ""
    drafts: list[Draft] = []
    phases: dict[bool, str] = {}
    for intent in intents:
        whose = intent.field in label_rules.CANDIDATE_FIELDS
        if whose not in phases:
            phases[whose] = reveals.phase_for(about.item_id, about.responder, intent.field)
        phase = phases[whose]
        there = (intent.target, intent.field)
        held = store.labels.cells(about.item_id, about.responder, about.rater, phase, only=there).get(there)
        settled = held is not None and not held.stale and not held.conflict
        same = settled and held is not None and held.value == intent.value
        if (same or (held is None and intent.value is None)) and intent.field not in FACTS:
            continue
        draft = _draft(about, intent, active_ms if not drafts else 0, lang, group, phase)
        if about.seen is not None:
            judged = about.seen.judged(intent.target, intent.field)
            draft = replace(draft, item_revision=about.seen.dialogue.revision, judged=judged)
        drafts.append(draft)
    return drafts


def forget_drafts(store: Store, rater: str, item_id: str, responder: str, intents: Sequence[Intent]) -> None:
    """Let go of kept texts that have become labels; else an older one lies over what was said, or over its undo."""
    said = {(intent.target, intent.field) for intent in intents}
    with suppress(WorldError):  # the labels are on disk; a draft is a courtesy
        for target, name in said & store.desk.drafts(rater, item_id, responder).keys():
            store.desk.save_draft(rater, item_id, responder, target, name, None)


def _draft(about: About, intent: Intent, active_ms: int, lang: str, group: str, phase: str) -> Draft:
    try:
        label_rules.check_value(intent.target, intent.field, intent.value)
    except label_rules.LabelError as error:
        raise WorldError(f"Not saved: {error}.") from error
    owner = None if intent.field in label_rules.CANDIDATE_FIELDS else about.responder
    return Draft(
        rater=about.rater, item_id=about.item_id, responder=owner, target=intent.target, field=intent.field,
        value=intent.value, phase=phase, rubric=load_rubric().name, lang=lang, active_ms=active_ms,
        extra=Mark(group=group).text(),
    )  # fmt: skip
