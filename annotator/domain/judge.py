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
