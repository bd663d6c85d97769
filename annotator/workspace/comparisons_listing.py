"""A comparison as programs outside see it: everything, with real names."""

from __future__ import annotations

from typing import Any

from annotator.domain.comparisons import Comparison
from annotator.store import Store
from annotator.workspace.questions_listing import label_lines


def comparison_page(store: Store, item_id: str) -> dict[str, Any]:
    """Prompt, media, responses with what their source says, and all labels."""
    comparison = Comparison.model_validate(store.items.body(item_id))
    return {
        "item": item_id,
        "kind": "comparison",
        "source_id": comparison.source_id,
        "revision": comparison.revision,
        "form": comparison.form,
        "source": comparison.source,
        "record": comparison.record,
        "prompt": comparison.prompt,
        "reference": comparison.reference,
        "subset": comparison.subset,
        "media": [
            {
                "path": asset.raw if asset.inside is None else asset.inside,
                "status": asset.status,
                "raw": asset.raw,
                "inside": asset.inside,
                "role": asset.role,
            }
            for asset in comparison.media
        ],
        "responses": [{"index": k, **r.model_dump(mode="json")} for k, r in enumerate(comparison.responses)],
        "ranking_reason": comparison.ranking_reason,
        "surplus_reasons": list(comparison.surplus_reasons),
        "dialogue": comparison.dialogue,
        "turn": comparison.turn,
        "level": comparison.level,
        "project": comparison.project,
        "repeat_of": comparison.repeat_of,
        "evaluation_only": comparison.evaluation_only,
        "labels": label_lines(store, item_id, comparison.source_id),
        "problems": [],
    }
