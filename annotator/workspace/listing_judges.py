"""What judges and attributing programs said of an item, for programs outside: the command line is a lead's tool."""

from __future__ import annotations

from typing import Any

from annotator.domain.judge import is_low
from annotator.store import Store


def judged_entries(store: Store, item_id: str) -> dict[str, list[dict[str, Any]]]:
    """`judgements` and `attributions` of an item, in order of import."""
    return {
        "judgements": [
            {
                "judge": record.judge, "responder": record.responder, "target": record.target, "status": record.status,
                "scores": record.scores, "reasons": record.reasons, "avg": record.avg,
                "low": is_low(record.scores, record.status), "file": record.file, "line": record.line,
            }
            for record in store.judges.records(item_id)
        ],
        "attributions": [
            {
                "judgement_id": one.judgement_id, "by": one.judge, "responder": one.responder, "target": one.target,
                "severity": one.severity, "primary": one.primary, "secondary": list(one.secondary),
                "low": list(one.low), "critical": list(one.critical), "affected": list(one.affected),
                "summary": one.summary, "focus": list(one.focus), "file": one.file, "line": one.line,
            }
            for one in store.attributions.of(item_id)
        ],
    }  # fmt: skip
