"""Judge scores: Phase 3 turn and session judgements, one judgement of one judge a record."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from annotator.domain.ids import responder_id
from annotator.domain.judge import JudgeRecord
from annotator.domain.report import ReportLine
from annotator.domain.rubric import dimensions_of, level_of
from annotator.importers.base import Context, Record, Sayings, is_whole, kind_of, optional_text, source_id, written
from annotator.importers.samples import modality_of, round_index
from annotator.importers.scales import nearest

SUCCESS: Final = "success"
_NUMBER: Final = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*", re.ASCII)
_HUGE: Final = 10**15
_HALF_UNIT: Final = 0.00005  # averages come with four decimals


@dataclass(frozen=True, slots=True)
class JudgeFound:
    """One judgement.

    Attributes:
        record: as it is kept.
        lines: about it; they fall away where a later record with the same id takes its place.
        values: every number that stood where a score belongs, inside the scale or not (for telling another scale).
        accepted, rejected: how many values were scores, and how many were not.
        number: of the record, from 0.
    """

    record: JudgeRecord
    lines: tuple[ReportLine, ...]
    values: tuple[float, ...]
    accepted: int
    rejected: int
    number: int

    @property
    def key(self) -> tuple[str, str]:
        """What a later record replaces: the judgement and the judge."""
        return (self.record.judgement_id, self.record.judge)


@dataclass(slots=True)
class JudgeReader:
    """Reads the records of one file of judgements.

    Attributes:
        context: of the file.
        scales: by judge, the (low, high) of a scale that somebody confirmed; its values are mapped to 1-5.
        silenced: judges whose scores were dropped, or wait for a decision about their scale.
    """

    context: Context
    scales: dict[str, tuple[float, float]] = field(default_factory=dict)
    silenced: frozenset[str] = frozenset()
    notes: list[str] = field(default_factory=list)

    def read(self, record: Record) -> Iterator[JudgeFound | ReportLine]:
        """The judgement of a record; lines that refuse it come by themselves."""
        sayings = Sayings(self.context.file, record.record, record.line)
        name = _dialogue_id(record, sayings)
        if name is None:
            yield from sayings.lines
            return
        target = _target(record.value, sayings)
        if target is None:
            yield from sayings.lines
            return
        yield self._found(record, name, target, sayings)

    def _found(self, record: Record, name: str, target: str, sayings: Sayings) -> JudgeFound:
        value = record.value
        judge = judge_of(value)
        status = optional_text(value.get("status"), "status", sayings) or ""
        scores: dict[str, int] = {}
        values: tuple[float, ...] = ()
        accepted = rejected = 0
        if status != SUCCESS:
            missing = "the judge gave no score (the status is missing)"
            told = f'the judge gave no score (status "{status}")' if status else missing
            sayings.say("judge_no_score", told, "status")
        else:
            read = _Scores(target, sayings, self.scales.get(judge))
            read.all_of(value)
            values, accepted, rejected = tuple(read.numbers), len(read.scores), read.rejected
            scores = {} if judge in self.silenced else read.scores
            if scores:
                _compare_average(value.get("avg_score"), read, sayings)
        kept = JudgeRecord(
            judgement_id=_judgement_id(value, name, target, self.context),
            judge=judge,
            source_id=name,
            responder=tested_responder(value, self.context),
            target=target,
            modality=modality_of(value),
            status=status,
            scores=scores,
            reasons=_reasons(value, target),
            avg=mean(scores),
            prediction=optional_text(value.get("prediction"), "prediction", Sayings("", None, None)),
            raw=value,
            file=self.context.file,
            line=record.line,
        )
        return JudgeFound(kept, tuple(sayings.lines), values, accepted, rejected, record.record)


def mean(scores: dict[str, int]) -> float | None:
    """The mean of the scores to four decimals, None where there is none."""
    return round(sum(scores.values()) / len(scores), 4) if scores else None


def judge_of(value: dict[str, Any]) -> str:
    """`backend::model::prompt_version`: what tells one judge from another."""
    quiet = Sayings("", None, None)
    keys = ("judge_backend", "judge_model_name", "judge_prompt_version")
    return "::".join(optional_text(value.get(k), k, quiet) or "unknown" for k in keys)


def tested_responder(value: dict[str, Any], context: Context) -> str:
    """Whose answers were judged: by the fields, else by the scope key (provider, model, task, then the dialogue)."""
    quiet = Sayings("", None, None)
    scope = optional_text(value.get("dialogue_scope_key"), "", quiet) or ""
    parts: list[str] = scope.split("::", 3) if scope.count("::") >= 3 else []
    keys = ("tested_provider", "tested_model_name", "task_name")
    names = [optional_text(value.get(k), k, quiet) for k in keys]
    provider, model, task = (n or (parts[i] if parts else None) or "unknown" for i, n in enumerate(names))
    return responder_id(provider, context.model or model, task)


def _dialogue_id(record: Record, sayings: Sayings) -> str | None:
    """The dialogue's id; where the field holds none, the end of the scope key is it."""
    held, scope = record.value.get("dialogue_id"), record.value.get("dialogue_scope_key")
    usable = (isinstance(held, str) and held.strip()) or (isinstance(held, (int, float)) and not isinstance(held, bool))
    if usable or not isinstance(scope, str) or scope.count("::") < 3 or not scope.split("::", 3)[3].strip():
        return source_id(record, "dialogue_id", sayings)
    name = scope.split("::", 3)[3]
    what = "missing" if "dialogue_id" not in record.value else "empty" if isinstance(held, str) else kind_of(held)
    sayings.say("id_repaired", f'the id is {what}; taken from the scope key: "{name}"', "dialogue_id")
    return name


def _target(value: dict[str, Any], sayings: Sayings) -> str | None:
    """`turn:<k>` or `session`; by the record's type, else by whether it names a round."""
    kind = value.get("record_type")
    if kind == "session_judgement":
        return "session"
    named = value.get("round_id") is not None or value.get("round_index") is not None
    if kind != "turn_judgement":
        if kind is not None:
            sayings.say("field_type", f'the record type "{written(kind)[:40]}" is not known', "record_type")
        if not named:
            return "session"
    index = round_index(value, None, "", sayings)
    return None if index is None else f"turn:{index}"


def _judgement_id(value: dict[str, Any], name: str, target: str, context: Context) -> str:
    stated = optional_text(value.get("judgement_id"), "judgement_id", Sayings("", None, None))
    if stated is not None:
        return stated
    key = f"{tested_responder(value, context)}::{name}"
    return key if target == "session" else f"{key}::{name}:round_{int(target[5:]):03d}"


def _reasons(value: dict[str, Any], target: str) -> dict[str, str]:
    found: dict[str, str] = {}
    vector, scores = value.get("reason_vector"), value.get("scores")
    for dimension in dimensions_of(target):
        entry = scores.get(dimension) if isinstance(scores, dict) else None
        reason = entry.get("reason") if isinstance(entry, dict) else None
        if reason is None and isinstance(vector, dict):
            reason = vector.get(dimension)
        if isinstance(reason, str) and reason.strip():
            found[dimension] = reason
    return found


class _Scores:
    """The scores of one record, read field by field."""

    def __init__(self, target: str, sayings: Sayings, scale: tuple[float, float] | None) -> None:
        self.scores: dict[str, int] = {}
        self.beyond: dict[str, int] = {}  # scores on dimensions that are not this record's
        self.numbers: list[float] = []
        self.rejected = 0
        self._level = "session" if target == "session" else "turn"
        self._sayings = sayings
        self.scale = scale

    def all_of(self, value: dict[str, Any]) -> None:
        """Read `scores`, and from `score_vector` what `scores` does not speak about."""
        scores, vector = value.get("scores"), value.get("score_vector")
        entries: dict[str, Any] = {}
        if isinstance(scores, dict):
            entries.update(scores)
        else:
            self._sayings.say("field_type", f"expected an object, found {kind_of(scores)}", "scores")
        if vector is not None and not isinstance(vector, dict):
            self._sayings.say("field_type", f"expected an object, found {kind_of(vector)}", "score_vector")
        for dimension, entry in entries.items():
            self._one(dimension, self._inner(dimension, entry), f"scores.{dimension}")
        for dimension, other in vector.items() if isinstance(vector, dict) else ():
            place = f"score_vector.{dimension}"
            if dimension not in entries:
                self._one(dimension, other, place)
            elif self.scale is None and self._other(dimension, self._score_of(entries[dimension]), other):
                self._sayings.say("vector_differs", "differs from scores, which leads", place)

    def _other(self, dimension: str, score: Any, other: Any) -> bool:
        """Whether the vector has a number where `scores` has another one, or null."""
        number = as_number(other)
        if number is None or level_of(dimension) is None:
            return False
        return score is None or (dimension in self.scores and number != self.scores[dimension])

    @staticmethod
    def _score_of(entry: Any) -> Any:
        return entry.get("score") if isinstance(entry, dict) else entry

    def _inner(self, dimension: str, entry: Any) -> Any:
        if entry is not None and not isinstance(entry, dict):
            reason = f"expected an object, found {kind_of(entry)}; read as the score itself"
            self._sayings.say("field_type", reason, f"scores.{dimension}")
        return self._score_of(entry)

    def _beyond(self, dimension: str, number: float | None) -> None:
        """Remember a number of a dimension that is not ours: the record's own average may count it."""
        if number is not None and number.is_integer():
            self.beyond[dimension] = int(number)

    def _one(self, dimension: str, value: Any, place: str) -> None:
        level = level_of(dimension)
        into = self.scores if level == self._level else self.beyond
        if level is None:
            # Of a dimension that is not ours the scale is not known either: no value of it is wrong.
            self._sayings.say("dim_unknown", f'"{dimension}" is outside the rubric; kept, not counted', place)
            self._beyond(dimension, as_number(value))
            return
        if level != self._level:
            self._sayings.say(
                "dim_wrong_level", f"a {level} dimension in a {self._level} record; kept, not counted", place
            )
        if value is None:
            return
        number = as_number(value)
        if number is not None and into is self.scores:
            self.numbers.append(number)
        if self.scale is not None and number is not None and self.scale[0] <= number <= self.scale[1]:
            into[dimension] = nearest(number, *self.scale)
            return
        if number is not None and 1 <= number <= 5:
            if number == int(number):
                into[dimension] = int(number)
                return
            self._sayings.say("score_fraction", f"{written(value)} is no whole number", place)
        else:
            told = f'"{value[:60]}"' if isinstance(value, str) else written(value)[:60]
            self._sayings.say("score_rejected", f"{told} is not a score from 1 to 5", place)
        self.rejected += 1


def as_number(value: Any) -> float | None:
    """A number, or a text that is one in ASCII digits; None for anything else, booleans included."""
    if is_whole(value):
        return float(max(-_HUGE, min(_HUGE, value)))  # far outside any scale, and within a float
    if isinstance(value, float):
        return float(value)
    if isinstance(value, str) and len(value) <= 40 and _NUMBER.fullmatch(value):
        number = float(value)
        return number if math.isfinite(number) else None
    return None


def _compare_average(stated: Any, read: _Scores, sayings: Sayings) -> None:
    """Say where the record's own average is not the mean of its scores (of the rubric's, or of all it holds)."""
    if stated is None or not read.scores or read.scale is not None:
        return
    number = as_number(stated)
    if number is None:
        sayings.say("field_type", f"expected a number, found {written(stated)[:40]}; recomputed", "avg_score")
        return
    means = [mean(read.scores), mean({**read.scores, **read.beyond})]
    if not any(m is not None and abs(number - m) <= _HALF_UNIT + 1e-9 for m in means):
        sayings.say(
            "avg_differs", f"{written(stated)} where the mean of the scores is {means[0]}; recomputed", "avg_score"
        )
