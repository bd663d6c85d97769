"""A judge's record: imported data, never a label, so that nothing a judge said reaches a rater who scores blind."""

from __future__ import annotations

from typing import Any

from annotator.domain.base import Value


class JudgeRecord(Value):
    """One judgement of one turn or session by one judge.

    Attributes:
        judgement_id: the pipeline's id; it does not name the judge.
        judge: `backend::model::prompt_version`, which does.
        source_id, responder, target: what was judged (`turn:<k>` or `session`).
        modality: of the dialogue, by the task name; None where unknown.
        status: only `success` carries scores.
        scores: dimension -> 1-5 (only what counts as a score).
        reasons: dimension -> the judge's reason.
        avg: the mean of `scores`, 4 decimals, recomputed.
        prediction: the answer as the judge saw it.
        raw: the whole record.
    """

    judgement_id: str
    judge: str
    source_id: str
    responder: str
    target: str
    modality: str | None
    status: str
    scores: dict[str, int]
    reasons: dict[str, str]
    avg: float | None
    prediction: str | None
    raw: dict[str, Any]
    file: str = ""
    line: int | None = None


class Attribution(Value):
    """Why a judgement's scores are low: a later program's reading of one judge record, never a label.

    Attributes:
        judgement_id: of the judgement that it explains (`candidate_id`).
        judge: who attributed, in the form of a judge's name; its parts are `unknown` where the record does not say.
        source_id, responder, target, modality: as in `JudgeRecord`.
        severity: `ok`, `warning` or `critical`.
        low, critical: dimensions with low and with critical scores; `affected`: those that the errors touch.
        primary, secondary: error categories, by the taxonomy's ids where they are of it.
        summary: in words; `focus`: what to improve (sessions).
        raw: the whole record.
    """

    judgement_id: str
    judge: str
    source_id: str
    responder: str
    target: str
    modality: str | None
    severity: str
    low: tuple[str, ...] = ()
    critical: tuple[str, ...] = ()
    affected: tuple[str, ...] = ()
    primary: str | None = None
    secondary: tuple[str, ...] = ()
    summary: str = ""
    focus: tuple[str, ...] = ()
    raw: dict[str, Any]
    file: str = ""
    line: int | None = None

    @property
    def categories(self) -> tuple[str, ...]:
        """All error categories, the primary one first, each once."""
        return tuple(dict.fromkeys((*([self.primary] if self.primary else []), *self.secondary)))

    def about(self, dimension: str) -> bool:
        """Whether it says something about a dimension: named in any list, or no list names any."""
        named = {*self.low, *self.critical, *self.affected}
        return not named or dimension in named


LOW_MEAN = 4.0
LOW_SCORE = 3


def is_low(scores: dict[str, int], status: str = "success") -> bool:
    """Whether a judgement is one that attributions are made for: a mean below 4, any score of 3 or less, or none."""
    if status != "success" or not scores:
        return True
    return min(scores.values()) <= LOW_SCORE or sum(scores.values()) / len(scores) < LOW_MEAN
