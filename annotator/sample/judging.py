"""The invented judge's records, with flaws that are known because they were put there.

The flaws are those an audit meets: a leaning, a retry, an answer that could not be read, a mean that does not follow
from its scores, numbers in the wrong form, and an error that the judge did not see. `README.md` in the sample lists
where each one is.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from annotator.sample.script import (
    MODELS,
    SESSION_DIMENSIONS,
    TURN_DIMENSIONS,
    Dialogue,
    Model,
    Turn,
    read_toml,
)

Record = dict[str, Any]

RETRIED = ("sample-v3", "north", 0)
UNREADABLE = ("sample-i2", "tide", 1)
WRONG_MEAN = ("sample-i3", "tide", 2)
ODD_FORMS = ("sample-i1", "north", 1)
UNSEEN_ERROR = ("sample-v1", "north", 7)


@lru_cache(maxsize=1)
def _stock() -> dict[tuple[str, int, str], str]:
    """A plain reason for each (dimension, score, language): the level's own text."""
    rubric = read_toml("rubric/rubric-mme.toml")
    return {
        (dimension["id"], level["score"], language): level["text"][language]
        for dimension in rubric["dimension"]
        for level in dimension["levels"]
        for language in ("en", "zh_CN")
    }


def _head(dialogue: Dialogue, model: Model, kind: str) -> Record:
    scope = f"{model.provider}::{model.name}::{dialogue.task}::{dialogue.id}"
    return {
        "schema_version": "rubric_mme_phase3_v2",
        "record_type": kind,
        "dialogue_scope_key": scope,
        "judgement_id": scope,
        "status": "success",
        "judge_backend": "sample_backend",
        "judge_model_name": "Assay-Judge-1",
        "judge_prompt_version": "sample_prompt_v2",
        "judge_input_mode": "media",
        "judged_at": "2026-02-12T08:00:00+00:00",
        "tested_provider": model.provider,
        "tested_model_name": model.name,
        "task_name": dialogue.task,
        "task_mode": "tts" if dialogue.spoken else "text",
        "dialogue_id": dialogue.id,
    }


def _scored(dimensions: tuple[str, ...], digits: str, own: dict[str, str], language: str) -> Record:
    """Scores, vectors and mean of one record."""
    values = {dimension: int(digit) for dimension, digit in zip(dimensions, digits, strict=True)}
    reasons = {name: own.get(name, _stock()[name, value, language]) for name, value in values.items()}
    return {
        "scores": {name: {"score": value, "reason": reasons[name]} for name, value in values.items()},
        "score_vector": dict(values),
        "reason_vector": reasons,
        "avg_score": round(sum(values.values()) / len(values), 4),
        "parse_success": True,
        "parse_issues": [],
        "error": None,
    }


def _unscored(status: str, issue: str, parsed: bool) -> Record:
    """What stands in place of scores when there are none."""
    return {
        "status": status,
        "scores": {},
        "score_vector": {},
        "reason_vector": {},
        "avg_score": None,
        "parse_success": parsed,
        "parse_issues": [] if parsed else [issue],
        "error": issue,
    }


def _turn_record(dialogue: Dialogue, model: Model, turn: Turn) -> Record:
    record = _head(dialogue, model, "turn_judgement")
    round_id = f"{dialogue.id}:round_{turn.index:03d}"
    category = turn.category if isinstance(turn.category, dict) else {}
    record.update(
        judgement_id=f"{record['dialogue_scope_key']}::{round_id}",
        round_id=round_id,
        round_index=turn.index,
        primary_category=turn.primary_category,
        secondary_categories=category.get("secondary_categories", []),
        question_text=turn.question,
        reference_answer=turn.reference,
        prediction=turn.answers[model.key],
        overall_summary="",
        noted_user_state_cues=[],
    )
    spot = (dialogue.id, model.key, turn.index)
    if not turn.answers[model.key]:
        record.update(_unscored("skipped_empty_prediction", "prediction is empty", True))
    elif spot == UNREADABLE:
        record.update(_unscored("parse_error", "the judge's answer ended inside the JSON object", False))
    else:
        record.update(_scored(TURN_DIMENSIONS, turn.scores[model.key], turn.reasons[model.key], dialogue.language))
    if spot == WRONG_MEAN:
        record["avg_score"] = 4.75
    if spot == ODD_FORMS:
        record["scores"]["accuracy"]["score"] = "5"
        record["scores"]["completeness"]["score"] = 5.0
    return record


def turn_records(dialogues: list[Dialogue]) -> list[Record]:
    """All lines of `turn_judgements.jsonl`; the retried record stands first with other scores, then again."""
    records: list[Record] = []
    for dialogue in dialogues:
        for model in MODELS:
            for turn in dialogue.turns:
                record = _turn_record(dialogue, model, turn)
                if (dialogue.id, model.key, turn.index) == RETRIED:
                    earlier = _scored(TURN_DIMENSIONS, "33323333", {}, dialogue.language)
                    records.append({**record, **earlier, "judged_at": "2026-02-12T07:00:00+00:00"})
                records.append(record)
    return records


def session_records(dialogues: list[Dialogue]) -> list[Record]:
    """All lines of `session_judgements.jsonl`."""
    records: list[Record] = []
    for dialogue in dialogues:
        for model in MODELS:
            record = _head(dialogue, model, "session_judgement")
            record.update(_scored(SESSION_DIMENSIONS, dialogue.session_scores[model.key], {}, dialogue.language))
            record["overall_summary"] = dialogue.session_summaries[model.key]
            record["key_dialogue_signals"] = [dialogue.session_summaries[model.key]]
            records.append(record)
    return records
