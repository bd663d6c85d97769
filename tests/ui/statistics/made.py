"""A workspace where several raters and judges disagree in ways that are known: for the statistics page."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.store import Draft, Store, create_store
from annotator.workspace.workspace import Workspace
from tests.helpers.imports import TASK, bring, image, judged, sample, video, write

RATERS = ("li", "wu", "zoe")
SCENES = ("personal_living_space-kitchen", "outdoor_public_space-park", "work_and_office_environment-desk")


PICTURES = "omnibench_image_multi_text"


def responder(model: str, picture: bool = False) -> str:
    return f"p::{model}::{PICTURES if picture else TASK}"


def clamp(value: float) -> int:
    return max(1, min(5, round(value)))


def build(
    folder: Path,
    *,
    dialogues: int = 22,
    labelled: int = 20,
    turns: int = 2,
    models: Sequence[str] = ("m", "n"),
    judges: Sequence[str] = ("j", "k"),
    raters: Sequence[str] = RATERS,
    turn_dimensions: Sequence[str] = TURN_DIMENSIONS[:2],
    session_dimensions: Sequence[str] = SESSION_DIMENSIONS[:1],
    seed: int = 7,
) -> Path:
    """Each unit has a quality; raters see it with noise, `j` is lenient, `k` is noisy. Returns the workspace."""
    chance = random.Random(seed)
    made = folder / "made"
    names = [f"d{k:02d}" for k in range(dialogues)]
    place = folder / "workspace"
    with create_store(place, rater="tester") as store:
        scenes = {name: SCENES[k % len(SCENES)] for k, name in enumerate(names)}
        videos = [name for k, name in enumerate(names) if k % 3]
        pictures = [name for k, name in enumerate(names) if not k % 3]
        bring(store, write(made / "v.json", [video(n, turns, environment=scenes[n]) for n in videos]))
        bring(store, write(made / "i.json", [image(n, turns, environment=scenes[n]) for n in pictures]))
        records = [sample(n, m, turns, environment=scenes[n], **_media(n in pictures)) for n in names for m in models]
        bring(store, write(made / "s.jsonl", records))
        said: list[dict[str, Any]] = []
        drafts: list[Draft] = []
        for k, name in enumerate(names):
            worth = chance.gauss(3.6, 0.8)
            for model in models:
                better = worth + (0.3 if model == models[0] else -0.3)
                for index in (*range(turns), None):
                    own = better + chance.gauss(0, 0.6)
                    fields = session_dimensions if index is None else turn_dimensions
                    said += _judged(chance, name, index, model, judges, fields, own, name in pictures)
                    if k < labelled:
                        drafts += _labels(
                            store, chance, name, index, responder(model, name in pictures), raters, fields, own
                        )
        said.append(judged(names[0], 0, model=models[0], judge="broken", status="parse_error"))
        bring(store, write(made / "j.jsonl", said))
        store.labels.append(drafts)
    return place


def _media(pictures: bool) -> dict[str, Any]:
    return {"media_mode": "image", "task_name": PICTURES} if pictures else {}


def _judged(
    chance: random.Random,
    name: str,
    index: int | None,
    model: str,
    judges: Sequence[str],
    fields: Sequence[str],
    own: float,
    picture: bool,
) -> list[dict[str, Any]]:
    out = []
    key = f"{responder(model, picture)}::{name}"
    task = {
        "task_name": PICTURES if picture else TASK,
        "dialogue_scope_key": key,
        "judgement_id": key if index is None else f"{key}::{name}:round_{index:03d}",
    }
    for place, judge in enumerate(judges):
        scores = {
            field: {"score": clamp(0.7 * own + 1.6 + chance.gauss(0, 0.3 + 0.5 * place)), "reason": ""}
            for field in fields
        }
        out.append(judged(name, index, model=model, judge=judge, scores=scores, **task))
    return out


def _labels(
    store: Store,
    chance: random.Random,
    name: str,
    index: int | None,
    who: str,
    raters: Sequence[str],
    fields: Sequence[str],
    own: float,
) -> list[Draft]:
    item = store.items.resolve(name)
    target = "session" if index is None else f"turn:{index}"
    return [
        Draft(
            rater=rater, item_id=item, responder=who, target=target, field=field,
            value=clamp(own + 0.2 * place - 0.2 + chance.gauss(0, 0.5)), active_ms=4_000,
        )
        for place, rater in enumerate(raters)
        for field in fields
    ]  # fmt: skip


def open_for_reading(folder: Path) -> Workspace:
    return Workspace.open(folder, read_only=True)
