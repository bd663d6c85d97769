"""Why the invented judge's scores are low: Phase 4 records made from its own, one for each that is low."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from annotator.domain.judge import LOW_SCORE, is_low
from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.sample.script import read_toml

Record = dict[str, Any]
_CRITICAL: Final = 2
_MOST: Final = 3


@cache
def _categories() -> dict[str, str]:
    return dict(read_toml("sample/attributions.toml"))


def turn_records(judgements: list[Record]) -> list[Record]:
    """The lines of `turn_error_attributions.jsonl`."""
    return _records(judgements, TURN_DIMENSIONS)


def session_records(judgements: list[Record]) -> list[Record]:
    """The lines of `session_error_attributions.jsonl`."""
    made = _records(judgements, SESSION_DIMENSIONS)
    return [{**record, "improvement_focus": record["affected_metrics"][:1]} for record in made]


def _records(judgements: list[Record], dimensions: tuple[str, ...]) -> list[Record]:
    last = {record["judgement_id"]: record for record in judgements if record["status"] == "success"}
    made = (_attributed(record, dimensions) for record in last.values())
    return [record for record in made if record is not None]


def _attributed(record: Record, dimensions: tuple[str, ...]) -> Record | None:
    scores = {d: int(score) for d in dimensions if (score := record["score_vector"].get(d)) is not None}
    low = [d for d in dimensions if scores.get(d, 5) <= LOW_SCORE]
    if not is_low(scores) or not low:
        return None
    worst = sorted(low, key=lambda d: scores[d])[:_MOST]
    critical = [d for d in low if scores[d] <= _CRITICAL]
    categories = list(dict.fromkeys(_categories()[d] for d in worst))
    return {
        "schema_version": "rubric_mme_phase4_v1",
        "candidate_id": record["judgement_id"],
        "severity": "critical" if critical else "warning",
        "low_score_metrics": low,
        "critical_metrics": critical,
        "primary_error_category": categories[0],
        "secondary_error_categories": categories,
        "affected_metrics": worst,
        "attribution_summary": " ".join(str(record["reason_vector"].get(d, "")) for d in worst).strip(),
    }
