"""Label events: what a person said, when, about what; and which values each field accepts.

An event is never changed. A newer statement about the same thing names the events that it supersedes (`parents`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, NamedTuple

from annotator.domain.base import canonical_json
from annotator.domain.rubric import (
    CANNOT_JUDGE,
    COMPARISON_SCALES,
    SCALE,
    SESSION_DIMENSIONS,
    TURN_DIMENSIONS,
    Level,
    dimensions_of,
    load_rubric,
)

Phase = Literal["blind", "open", "revised", "adjudicated", "source"]
PHASES: Final[tuple[Phase, ...]] = ("blind", "open", "revised", "adjudicated", "source")
VERDICTS: Final = ("keep", "revise", "reject")
VERDICT_REASONS: Final = ("content", "visual_mismatch", "privacy", "rights", "policy", "language", "other")
KEY_VERDICTS: Final = (
    "right",
    "wrong",
    "two_defensible",
    "not_answerable",
    "answerable_without_image",
    "language_mismatch",
    "broken",
)
EDITS: Final = ("edit:question", "edit:reference", "edit:timestamp", "edit:category")
# Said of the candidate dialogue itself, whoever answered it: such labels carry no responder.
CANDIDATE_FIELDS: Final = frozenset({"verdict", "verdict_reasons", "voice_ok", "category_ok", *EDITS})
# Which targets' judgements were shown to this rater, once the row was committed; a fact that the program states.
REVEALED: Final = "revealed"
# Facts about a person's work rather than judgements; responder optional.
LOOSE_FIELDS: Final = frozenset({"note", "evidence", "peek", "viewing", "unplayable"})

_TARGET: Final = re.compile(r"item|session|turn:(?:0|[1-9]\d{0,5})|response:(?:0|[1-9]\d{0,3})", re.ASCII)


class Key(NamedTuple):
    """What a statement is about and who made it: events with one key replace each other."""

    rater: str
    item_id: str
    responder: str | None
    target: str
    field: str
    phase: str


@dataclass(frozen=True, slots=True)
class LabelEvent:
    """One statement by one person, as it is stored and as it travels.

    Attributes:
        event_id: a UUIDv7.
        device, seq: where it was made; `seq` counts from 1 without gaps on each device.
        rater: who said it.
        item_id, item_revision: about which content.
        responder: whose answer (None for candidate, question and comparison labels).
        target, field, value: `contracts` names; `value` is JSON; None withdraws what was there.
        parents: the events that this one supersedes.
        rubric: `id@version`.
        phase: what the rater could see when saying it.
        lang: the language of the window.
        active_ms: how long the rater was at it, in milliseconds.
        at: UTC, ISO 8601 with microseconds and `Z`; for display only.
        judged: the hash of what was judged (turn content and answer), "" where it does not matter.
        extra: fields of a newer version, kept and handed on unharmed.
        digest: of all the other fields.
    """

    event_id: str
    device: str
    seq: int
    rater: str
    item_id: str
    item_revision: int
    responder: str | None
    target: str
    field: str
    value: Any
    parents: tuple[str, ...]
    rubric: str
    phase: str
    lang: str
    active_ms: int
    at: str
    judged: str = ""
    extra: str = ""
    digest: str = ""

    @property
    def key(self) -> Key:
        """What it is about and who said it."""
        return Key(self.rater, self.item_id, self.responder, self.target, self.field, self.phase)

    def compute_digest(self) -> str:
        """The BLAKE2b-128 of the canonical JSON of all fields but the digest."""
        values = [list(v) if isinstance(v, tuple) else v for v in (getattr(self, n) for n in _DIGEST_FIELDS)]
        text = canonical_json(values)
        return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


_DIGEST_FIELDS: Final = tuple(f.name for f in fields(LabelEvent) if f.name != "digest")


class LabelError(ValueError):
    """A label that does not fit; the text is a sentence."""


def phase_ok(phase: str) -> bool:
    """Whether it is one of the five phases."""
    return phase in PHASES


def turn_index(target: str) -> int | None:
    """The index k of `turn:<k>`."""
    return int(target[5:]) if target.startswith("turn:") and target[5:].isdigit() else None


def needs_responder(kind: str, field: str) -> bool:
    """Whether a label of this field says something about one responder's answers."""
    loose = field in LOOSE_FIELDS or field.startswith(("flag:", "evidence:"))
    return kind == "dialogue" and field not in CANDIDATE_FIELDS and not loose


def judges_nothing(field: str) -> bool:
    """Whether labels of this field say nothing about the content, and so never grow old."""
    return field in LOOSE_FIELDS or field in ("complete", REVEALED) or field.startswith(("flag:", "evidence:"))


def check_target(kind: str, target: str, parts: int) -> None:
    """Check that `target` names a part that the item has; `parts` is its number of turns or responses.

    Raises:
        LabelError: with a sentence.
    """
    if not _TARGET.fullmatch(target):
        raise LabelError(f'target "{target}" is none of item, session, turn:<k>, response:<k>')
    name, _, index = target.partition(":")
    fits = {"dialogue": ("item", "session", "turn"), "question": ("item",), "comparison": ("item", "response")}
    if name not in fits.get(kind, ()):
        raise LabelError(f'target "{target}" does not exist in a {kind}')
    if index and int(index) >= parts:
        raise LabelError(f'target "{target}" is past the end: the {kind} has {parts} {name}s, counted from 0')


def check_value(target: str, field: str, value: Any) -> None:
    """Check a value against the table of fields; None (withdrawn) fits every field.

    Raises:
        LabelError: with a sentence that names field and value.
    """
    rule = _rule(target, field)
    if rule is None:
        raise LabelError(f'field "{field}" is not known for target "{target}"')
    if value is not None and not rule(value):
        shown = canonical_json(value)[:80] if _is_json(value) else repr(value)[:80]
        raise LabelError(f'value {shown} does not fit field "{field}"')


def _is_json(value: Any) -> bool:
    try:
        canonical_json(value)
    except (TypeError, ValueError):
        return False
    return True


def _score(value: Any) -> bool:
    return value == CANNOT_JUDGE or (isinstance(value, int) and not isinstance(value, bool) and value in SCALE)


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _bool(value: Any) -> bool:
    return isinstance(value, bool)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) for v in value)


def _one_of(*allowed: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and value in allowed


def _spans(value: Any) -> bool:
    def good(span: Any) -> bool:
        if not (isinstance(span, list) and len(span) == 3 and isinstance(span[2], str)):
            return False
        start, end = span[:2]
        return type(start) is int and type(end) is int and 0 <= start < end

    return isinstance(value, list) and all(map(good, value))


def _box(value: Any) -> bool:
    numbers = isinstance(value, list) and len(value) == 4
    return numbers and all(type(v) in (int, float) for v in value) and value[2] > 0 and value[3] > 0


def _ranking(value: Any) -> bool:
    return isinstance(value, list) and len(value) >= 2 and all(type(v) is int and v >= 1 for v in value)


def _object(value: Any) -> bool:
    return isinstance(value, dict) and _is_json(value)


def _example(value: Any) -> bool:
    """A response that a person wrote because all others tied."""
    named = _object(value) and set(value) == {"kind", "text"} and value["kind"] in ("negative", "positive")
    return named and isinstance(value["text"], str)


def is_review(value: Any) -> bool:
    """Whether a value says what a reviewer thinks of one rater's labels, and at which events these stood."""
    if not (_object(value) and value.get("state") in ("accepted", "corrected", "returned")):
        return False
    return set(value) <= {"state", "comment", "of"} and _text(value.get("comment", "")) and _texts(value.get("of", []))


def _told(value: Any) -> bool:
    return (isinstance(value, str) and bool(value)) or _object(value)


_EXACT: Final[dict[str, Callable[[Any], bool]]] = {
    "verdict": _one_of(*VERDICTS),
    "verdict_reasons": lambda v: _texts(v) and all(r in VERDICT_REASONS for r in v),
    "note": _text,
    "answer": _one_of("A", "B", "C", "D", "E", "cannot_tell"),
    "key_verdict": _one_of(*KEY_VERDICTS),
    "key_letter": _one_of("A", "B", "C", "D", "E"),
    "box": _box,
    "evidence": _object,
    "ranking": _ranking,
    "ranking_reason": _text,
    "constructed": _example,
    "voice_ok": _bool,
    "category_ok": _bool,
    "viewing": _object,
    "unplayable": _told,
    "peek": _told,
    "complete": _bool,
    REVEALED: _texts,
    **dict.fromkeys(EDITS, _text),
}
_PREFIXED: Final[dict[str, Callable[[Any], bool]]] = {"reason:": _text, "tags:": _texts, "span:": _spans}
_ITEM_ONLY: Final = frozenset(
    (*"verdict verdict_reasons answer key_verdict key_letter complete ranking constructed".split(), REVEALED)
)


def _rule(target: str, field: str) -> Callable[[Any], bool] | None:
    dimensions: tuple[str, ...] = COMPARISON_SCALES if target.startswith("response:") else dimensions_of(target)
    if field in dimensions:
        return _score
    if field in _ITEM_ONLY and target != "item":
        return None
    if field in _EXACT:
        return _EXACT[field]
    prefix, colon, rest = field.partition(":")
    if prefix == "flag" and rest:
        return _bool
    if prefix == "evidence" and rest:  # pins beyond the first, each a label of its own
        return _object
    if prefix == "letter" and rest:
        return _one_of("A", "B", "C", "D", "E", "none")  # none: a person looked, and there is no letter in it
    if prefix == "review" and rest and target == "item":  # of the rater named behind the colon
        return is_review
    rule = _PREFIXED.get(prefix + colon)
    if rule is None or rest not in dimensions:
        return None
    return _tagged(rule, target) if prefix in ("tags", "span") else rule


def _tagged(rule: Callable[[Any], bool], target: str) -> Callable[[Any], bool]:
    """The rule, and only ids of the error taxonomy of the target's level (responses of a comparison have none)."""
    if target.startswith("response:"):
        return rule
    level: Level = "session" if target == "session" else "turn"
    known = {tag.id for tag in load_rubric().tags_of(level)}
    return lambda value: rule(value) and all((v if isinstance(v, str) else v[2]) in known for v in value)


def is_dimension(field: str) -> bool:
    """Whether the field is one of the twelve dimensions."""
    return field in TURN_DIMENSIONS or field in SESSION_DIMENSIONS
