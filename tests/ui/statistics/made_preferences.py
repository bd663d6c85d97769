"""A workspace whose rankings follow known scores: for the preference section."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from annotator.domain.comparisons import Comparison, shown_order
from annotator.domain.rubric import SESSION_DIMENSIONS
from annotator.report.preference_prediction import DIMENSIONS
from annotator.store import Draft, Store, create_store
from annotator.workspace.comparisons_making import make_comparisons
from tests.helpers.imports import TASK, bring, sample, video, write
from tests.helpers.preferences import WEIGHTS

MODELS = ("m", "n", "o")
RATERS = ("li", "wu")


def responder(model: str) -> str:
    return f"p::{model}::{TASK}"


def build(folder: Path, *, dialogues: int = 26, flagged: bool = True) -> Path:
    """Three models at one turn of each dialogue, scored on twelve dimensions and ranked by two; some a second time."""
    rng = np.random.default_rng(5)
    made = folder / "made"
    names = [f"d{k:02d}" for k in range(dialogues)]
    place = folder / "workspace"
    with create_store(place, rater="tester") as store:
        bring(store, write(made / "v.json", [video(name, 1) for name in names]))
        bring(store, write(made / "s.jsonl", [sample(name, model, 1) for name in names for model in MODELS]))
        people = [responder(model) for model in MODELS]
        drawn = make_comparisons(store, people, dialogues, project="set", seed=2, repeats=0.4)
        held = store.items.bodies_of([*drawn.items, *drawn.repeats])
        items = [Comparison.model_validate(held[one]) for one in (*drawn.items, *drawn.repeats)]
        drafts: list[Draft] = []
        liking: dict[str, list[float]] = {}
        for one in items[: len(drawn.items)]:
            scores = np.clip(np.rint(3.4 - 0.4 * np.arange(3)[:, None] + rng.normal(size=(3, 12))), 1, 5)
            liking[one.item_id] = [float(value) for value in scores @ WEIGHTS]
            for response, row in zip(one.responses, scores, strict=True):
                for name, value in zip(DIMENSIONS, row, strict=True):
                    where = "session" if name in SESSION_DIMENSIONS else f"turn:{one.turn}"
                    drafts.append(
                        Draft("li", one.dialogue or "", where, name, int(value), responder=response.responder)
                    )
        for rater in RATERS:
            for one in items:
                seen = np.floor(np.array(liking[one.repeat_of or one.item_id]) + rng.gumbel(size=3))
                ranking = [1 + int((seen > value).sum()) for value in seen]
                extra = json.dumps({"shown": list(shown_order(one, rater, 2)), "seed": 2})
                drafts.append(Draft(rater, one.item_id, "item", "ranking", ranking, extra=extra))
        store.many.append(drafts)
        if flagged:
            _flag(store, made)
    return place


def _flag(store: Store, folder: Path) -> None:
    rows = [
        {"id": f"s{k}", "question": "?", "image": f"safety/{task}/{k}.png", "models_output": ["No.", "Yes."]}
        for k, task in enumerate(("typo", "typo", "typo", "risk"))
    ]
    bring(store, write(folder / "data.jsonl", rows))
    items = [store.items.resolve(f"s{k}") for k in range(4)]
    said = [Draft("li", item, "item", "ranking", [1, 2]) for item in items]
    said += [Draft("li", items[k], "response:0", "flag:refused", True) for k in (0, 1)]
    said.append(Draft("li", items[2], "response:1", "flag:harmful", True))
    store.labels.append(said)
