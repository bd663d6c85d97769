"""What an import has to say: counts, lines about the data, and what must wait for a decision."""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from annotator.domain.base import Value

Choice = Literal["keep-first", "keep-second", "map-scale", "drop"]

# Codes whose lines need somebody to act, and those that deserve a look; the others are for information.
ACT: Final = frozenset(
    {
        "path_missing",
        "path_refused",
        "dup_conflict",
        "scale_suspect",
        "bad_bytes",
        "bad_json",
        "cut_off",
        "bad_line",
        "too_deep",
        "not_object",
        "id_damaged",
        "picture_bad",
    }
)
LOOK: Final = frozenset(
    {
        "time_text",
        "scenario_unknown",
        "id_repaired",
        "id_lookalike",
        "no_conversation",
        "mojibake",
        "score_rejected",
        "score_fraction",
        "pred_mismatch",
        "judge_unmatched",
        "round_differs",
        "round_unknown",
        "vector_differs",
        "attribution_unmatched",
        "tag_unknown",
        "unknown_speaker",
        "dim_unknown",
        "dim_wrong_level",
        "field_type",
        "surrogate",
        "bidi",
        "control_chars",
        "label_refused",
        "truth_bad",
        "choice_missing",
        "choice_dup_letter",
        "choice_twin",
        "pred_extra",
        "pred_failed",
        "pred_missing",
        "asset_unnamed",
    }
)

PUBLISHED: Final = {
    "dialogues": 734,
    "turns": 5859,
    "video_dialogues": 426,
    "video_turns": 3658,
    "image_dialogues": 308,
    "image_turns": 2201,
    "scenarios": 7,
    "categories": 61,
}


class ReportLine(Value):
    """One thing about the data that somebody should know.

    Attributes:
        code: its kind; the list is in the cases.
        file: the file's name, relative to the source.
        line: physical line from 1, where the format has lines.
        record: record number from 0.
        offset: in bytes, where a line number means nothing.
        field: the field it is about.
        reason: a sentence.
    """

    code: str
    file: str = ""
    line: int | None = None
    record: int | None = None
    offset: int | None = None
    field: str | None = None
    reason: str = ""


class Assets(BaseModel):
    """How many assets were found, found elsewhere, missing, refused, and remote."""

    ok: int = 0
    remapped: int = 0
    missing: int = 0
    refused: int = 0
    remote: int = 0


class Problem(Value):
    """Something that waits for a person's decision.

    Attributes:
        id: stable over re-imports of the same source.
        code: what kind it is.
        item: the item it is about, if any.
        file, line: where it stood.
        reason: a sentence.
        choices: what can be chosen.
        detail: what the choices are about (first and second content, the scale's values).
    """

    id: str
    code: str
    item: str | None = None
    file: str = ""
    line: int | None = None
    reason: str = ""
    choices: tuple[Choice, ...] = ()
    detail: dict[str, Any] = Field(default_factory=dict)


class ImportReport(BaseModel):
    """The report of one import, in the shape that programs outside rely on; filled while importing."""

    model_config = ConfigDict(extra="forbid")

    kind: str = "auto"
    dialogues: int = 0
    turns: int = 0
    unanswered: int = 0
    questions: int = 0
    comparisons: int = 0
    records: int = 0
    accepted: int = 0
    rejected: int = 0
    matched: int = 0
    waiting: int = 0
    joined: int = 0
    missing: int = 0
    score_values: int = 0
    attributions: int = 0
    failed: int = 0
    blank: int = 0
    correct: int = 0
    new: int = 0
    revised: int = 0
    unchanged: int = 0
    assets: Assets = Field(default_factory=Assets)
    totals: dict[str, dict[str, int]] = Field(default_factory=dict)
    lines: list[ReportLine] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    refused: bool = False
    seconds: float = 0.0
    source: str = ""
    source_hash: str = ""
    files: list[str] = Field(default_factory=list)
