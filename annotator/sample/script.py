"""The text of the sample: dialogues, answers, scores and labels, read from `resources/sample`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import Any, Literal

from annotator import resources

TURN_DIMENSIONS = (
    "accuracy",
    "completeness",
    "relevance",
    "conciseness",
    "naturalness",
    "proactiveness_helpfulness",
    "intent_understanding_depth",
    "user_state_adaptation",
)
SESSION_DIMENSIONS = (
    "session_consistency",
    "intent_fulfillment",
    "persona_adaptation",
    "overall_helpfulness_trustworthiness",
)
DIALOGUES = ("v1-street", "v2-packing", "v3-kitchen", "i1-market", "i2-office", "i3-health")


@dataclass(frozen=True)
class Model:
    """One of the two invented models.

    Attributes:
        key: its short name in the sample's scripts.
        provider: as in the pipeline's records.
        name: as in the pipeline's records.
    """

    key: str
    provider: str
    name: str


MODELS = (Model("north", "northlight", "Northlight-Omni-1"), Model("tide", "tideglass", "Tideglass-VL-mini"))


@dataclass(frozen=True)
class Turn:
    """One turn: what was asked when, what is right, what the models said and what the judge thought of it.

    Attributes:
        index: from 0.
        time: the timestamp as it stands in the data.
        media: clip or image, relative to the data root.
        audio: the signal of the spoken question, relative to the data root; "" where it is written.
        answers: by model key; "" where the model failed.
        errors: by model key, only where the model failed.
        scores: by model key, one digit for each turn dimension; "" where the judge gave none.
        reasons: by model key, the judge's own words by dimension.
    """

    index: int
    time: str
    media: str
    audio: str
    question: str
    reference: str
    category: str | dict[str, Any]
    answers: dict[str, str]
    errors: dict[str, str]
    scores: dict[str, str]
    reasons: dict[str, dict[str, str]]

    @property
    def primary_category(self) -> str:
        """The category's name in either form."""
        return self.category if isinstance(self.category, str) else str(self.category["primary_category"])


@dataclass(frozen=True)
class Dialogue:
    """One dialogue of the sample.

    Attributes:
        modality: `video` or `image`.
        spoken: whether the questions are spoken.
        unanswered: a last question without answer, or "".
        session_scores: by model key, one digit for each session dimension.
        session_summaries: by model key.
    """

    id: str
    modality: Literal["video", "image"]
    spoken: bool
    language: str
    environment: str
    goal: str | dict[str, Any]
    persona: str | dict[str, Any]
    meta: dict[str, Any]
    turns: tuple[Turn, ...]
    unanswered: str
    session_scores: dict[str, str]
    session_summaries: dict[str, str]

    @property
    def task(self) -> str:
        """The pipeline's task id."""
        family = "video_stream" if self.modality == "video" else "image_multi"
        return f"omnibench_{family}_{'tts' if self.spoken else 'text'}"

    @property
    def dataset_file(self) -> str:
        """The dataset file that holds this dialogue."""
        return {"video": "video_final_with_vqa_category.json", "image": "image_final_with_mimt_category.json"}[
            self.modality
        ]

    def responder(self, model: Model) -> str:
        """The responder's name in labels."""
        return f"{model.provider}::{model.name}::{self.task}"


def read_toml(name: str) -> dict[str, Any]:
    """A data file of the program."""
    return tomllib.loads(resources.path(name).read_text(encoding="utf-8"))


def _turn(dialogue: dict[str, Any], index: int) -> Turn:
    raw = dialogue["turn"][index]
    keys = [model.key for model in MODELS]
    return Turn(
        index=index,
        time=raw["time"],
        media=raw["media"],
        audio=f"audio/{dialogue['id']}_{index:03d}.wav" if dialogue["spoken"] else "",
        question=raw["question"],
        reference=raw["reference"],
        category=raw["category"],
        answers={key: raw[key] for key in keys},
        errors={key: raw[f"{key}_error"] for key in keys if f"{key}_error" in raw},
        scores={key: raw[f"{key}_scores"] for key in keys},
        reasons={key: raw.get(f"{key}_why", {}) for key in keys},
    )


def read_dialogue(name: str) -> Dialogue:
    """The dialogue of `resources/sample/dialogues/<name>.toml`."""
    raw = read_toml(f"sample/dialogues/{name}.toml")
    return Dialogue(
        id=raw["id"],
        modality=raw["modality"],
        spoken=raw["spoken"],
        language=raw["language"],
        environment=raw["environment"],
        goal=raw["goal"],
        persona=raw["persona"],
        meta=raw["meta"],
        turns=tuple(_turn(raw, index) for index in range(len(raw["turn"]))),
        unanswered=raw.get("unanswered", ""),
        session_scores={model.key: raw["session"][model.key] for model in MODELS},
        session_summaries={model.key: raw["session"][f"{model.key}_signals"] for model in MODELS},
    )


def read_dialogues() -> list[Dialogue]:
    """The six dialogues, video first."""
    return [read_dialogue(name) for name in DIALOGUES]
