"""Error attributions: Phase 4 records, each saying why the scores of one judgement are low."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from annotator.domain.judge import Attribution
from annotator.domain.report import ReportLine
from annotator.domain.rubric import dimensions_of, load_rubric
from annotator.importers.base import Context, Record, Sayings, kind_of, optional_text, written
from annotator.importers.judgements import judge_of, tested_responder
from annotator.importers.samples import modality_of, round_index

SEVERITIES: Final = ("ok", "warning", "critical")
_SCOPE_PARTS: Final = 4
_ROUND: Final = re.compile(r"(.+):round_(\d{1,4})", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class AttributionFound:
    """One attribution, the lines about it, and the record's number in its file, from 0."""

    attribution: Attribution
    lines: tuple[ReportLine, ...]
    number: int

    @property
    def key(self) -> tuple[str, str]:
        """What a later record replaces: the judgement and who attributed."""
        return (self.attribution.judgement_id, self.attribution.judge)


@dataclass(slots=True)
class AttributionReader:
    """Reads the records of one file of attributions."""

    context: Context
    notes: list[str] = field(default_factory=list)

    def read(self, record: Record) -> Iterator[AttributionFound | ReportLine]:
        """The attribution of a record; lines that refuse it come by themselves."""
        sayings = Sayings(self.context.file, record.record, record.line)
        value = record.value
        candidate = optional_text(value.get("candidate_id"), "candidate_id", sayings)
        if candidate is None:
            sayings.say("id_damaged", "the record names no judgement; it is left out", "candidate_id")
            yield from sayings.lines
            return
        place = _place(candidate, value, sayings)
        if place is None:
            sayings.say("id_damaged", f'"{candidate[:80]}" is no id of a judgement; it is left out', "candidate_id")
            yield from sayings.lines
            return
        yield self._found(record, candidate, *place, sayings)

    def _found(self, record: Record, candidate: str, name: str, target: str, sayings: Sayings) -> AttributionFound:
        value = record.value
        about = {"dialogue_scope_key": candidate, **value}
        categories = _Categories(target, sayings)
        kept = Attribution(
            judgement_id=candidate,
            judge=judge_of(value),
            source_id=name,
            responder=tested_responder(about, self.context),
            target=target,
            modality=modality_of({"task_name": _task(candidate), **value}),
            severity=_severity(value.get("severity"), sayings),
            low=_dimensions(value, "low_score_metrics", target, sayings),
            critical=_dimensions(value, "critical_metrics", target, sayings),
            affected=_dimensions(value, "affected_metrics", target, sayings),
            primary=categories.one(value.get("primary_error_category"), "primary_error_category"),
            secondary=categories.several(value, "secondary_error_categories"),
            summary=optional_text(value.get("attribution_summary"), "attribution_summary", sayings) or "",
            focus=_texts(value, "improvement_focus", sayings),
            raw=value,
            file=self.context.file,
            line=record.line,
        )
        return AttributionFound(kept, tuple(sayings.lines), record.record)


def _task(candidate: str) -> str:
    parts = candidate.split("::", _SCOPE_PARTS - 1)
    return parts[2] if len(parts) == _SCOPE_PARTS else ""


def _place(candidate: str, value: dict[str, Any], sayings: Sayings) -> tuple[str, str] | None:
    """(dialogue id, target) of a judgement's id: `provider::model::task::dialogue`, a turn's with its round behind.

    What the record says in fields of its own leads. A dialogue's id may hold colons, so the round is looked for from
    the end, and only where the dialogue's id stands twice before it.
    """
    quiet = Sayings("", None, None)
    parts = candidate.split("::", _SCOPE_PARTS - 1)
    rest = parts[-1] if len(parts) == _SCOPE_PARTS else ""
    whole, turn = _split(rest)
    name = optional_text(value.get("dialogue_id"), "dialogue_id", quiet) or whole or None
    if name is None:
        return None
    if value.get("round_index") is not None or value.get("round_id") is not None:
        index = round_index(value, None, "", sayings)
        return None if index is None else (name, f"turn:{index}")
    if turn is not None:
        return name, f"turn:{turn}"
    kind = value.get("record_type")
    if isinstance(kind, str) and kind.startswith("turn"):
        return None
    return name, "session"


def _split(rest: str) -> tuple[str, int | None]:
    """The dialogue's id and the round of `<id>::<id>:round_<k>`; of anything else the whole, and None."""
    match = _ROUND.fullmatch(rest)
    if match is None:
        return rest, None
    twice = match[1]
    half = (len(twice) - 2) // 2
    if half > 0 and twice == f"{twice[:half]}::{twice[:half]}":
        return twice[:half], int(match[2])
    return rest, None


def _severity(value: Any, sayings: Sayings) -> str:
    if isinstance(value, str) and value in SEVERITIES:
        return value
    if value is not None:
        sayings.say("field_type", f"expected {', '.join(SEVERITIES)}, found {written(value)[:40]}", "severity")
    return "warning"


def _texts(value: dict[str, Any], name: str, sayings: Sayings) -> tuple[str, ...]:
    """A list of texts; one text alone is a list of one."""
    held = value.get(name)
    if held is None:
        return ()
    if isinstance(held, str):
        held = [held]
    if not isinstance(held, list):
        sayings.say("field_type", f"expected a list, found {kind_of(held)}", name)
        return ()
    texts = [text.strip() for text in held if isinstance(text, str) and text.strip()]
    if len(texts) < len(held):
        sayings.say("field_type", "holds what is no text; left out", name)
    return tuple(dict.fromkeys(texts))


def _dimensions(value: dict[str, Any], name: str, target: str, sayings: Sayings) -> tuple[str, ...]:
    """Dimensions of the target's level; others are said and left out."""
    known = dimensions_of(target)
    named = _texts(value, name, sayings)
    for text in named:
        if text not in known:
            sayings.say("dim_unknown", f'"{text[:60]}" is no dimension of this level; left out', name)
    return tuple(text for text in named if text in known)


class _Categories:
    """Error categories as ids of the taxonomy; what is not of it stays as it is written, and is said."""

    def __init__(self, target: str, sayings: Sayings) -> None:
        self._known = {tag.id for tag in load_rubric().tags_of("session" if target == "session" else "turn")}
        self._sayings = sayings

    def one(self, value: Any, name: str) -> str | None:
        text = optional_text(value, name, self._sayings)
        if text is None:
            return None
        text = text.strip()
        inner = re.split(r"[/／>:：\-]", text)[-1].strip()  # a group may stand before its kind
        if text not in self._known and inner in self._known:
            return inner
        if text not in self._known:
            self._sayings.say("tag_unknown", f'"{text[:60]}" is not in the taxonomy; shown, and no tag', name)
        return text

    def several(self, value: dict[str, Any], name: str) -> tuple[str, ...]:
        found = (self.one(text, name) for text in _texts(value, name, self._sayings))
        return tuple(dict.fromkeys(text for text in found if text))
