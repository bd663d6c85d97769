"""The frozen values that the workspace hands out about questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotator.domain.question_sheet import CrossState, QuestionRow, QuestionSheet
from annotator.domain.questions import OutputState, Question


@dataclass(frozen=True, slots=True)
class QuestionQueueView:
    """The filtered rows, with counts over all.

    Attributes:
        rows: in shown order; where the queue of letters is asked for, most disagreements first.
        total, complete: over all rows.
        facets: field -> value -> how many rows, over all rows.
    """

    rows: tuple[QuestionRow, ...]
    total: int
    complete: int
    facets: Mapping[str, Counter[str]]


@dataclass(frozen=True, slots=True)
class PredictionView:
    """One model's output as a rater may see it, after the answer.

    Attributes:
        model: for the field `letter:<model>`; `alias`: what may be shown of it.
        confirmed: the letter that this rater read (None for none, or not said); `said`: whether the rater spoke.
        right: by profile, whether its letter is the key.
    """

    model: str
    alias: str
    output: str | None
    state: OutputState
    official: str | None
    vlmevalkit: str | None
    careful: str | None
    confirmed: str | None
    said: bool
    right: Mapping[str, bool]
    disagree: bool = False
    claims: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Other:
    """Another rater's verdict on the key, shown after one's own."""

    rater: str
    key_verdict: Any
    key_letter: Any


@dataclass(frozen=True, slots=True)
class QuestionView:
    """Everything to show one question to one rater.

    Attributes:
        question: while blind without key and findings.
        image_path: the picture's file, None where it is missing.
        revealed: whether key and predictions may be seen.
        predictions: empty while blind; in the order of their aliases.
        cross: how far the check by several people is; `others`: their verdicts, after one's own.
        share: of the image that the own box covers, None without one; `share_bound`: what the benchmark allows.
        answer_ms: how long this rater looked at it before the (first) answer, None where that is not known.
        n_findings, n_predictions: how many there are; told before the answer too, as counts alone.
    """

    row: QuestionRow
    question: Question
    image_path: Path | None
    sheet: QuestionSheet
    revealed: bool
    predictions: tuple[PredictionView, ...] = ()
    cross: CrossState = "none"
    others: tuple[Other, ...] = ()
    share: float | None = None
    share_bound: float = 1.0
    read_only: bool = False
    drafts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    answer_ms: int | None = None
    n_findings: int = 0
    n_predictions: int = 0
