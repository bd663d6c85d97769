"""The rubric and the error taxonomy: data of the program, read from its resources.

What a level means is data too, since QA staff improve wording without a release; each label event names the rubric's id
and version, so that an old score keeps the meaning it was given with.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal

from annotator import resources
from annotator.domain.base import Value

Level = Literal["turn", "session"]
_LEVELS: Final[tuple[Level, ...]] = ("turn", "session")
LEVELS: Final[tuple[Level, ...]] = ("turn", "session")
SCALE: Final = (1, 2, 3, 4, 5)
CANNOT_JUDGE: Final = "cannot_judge"

TURN_DIMENSIONS: Final = (
    "accuracy",
    "completeness",
    "relevance",
    "conciseness",
    "naturalness",
    "proactiveness_helpfulness",
    "intent_understanding_depth",
    "user_state_adaptation",
)
SESSION_DIMENSIONS: Final = (
    "session_consistency",
    "intent_fulfillment",
    "persona_adaptation",
    "overall_helpfulness_trustworthiness",
)
COMPARISON_SCALES: Final = ("faithfulness", "helpfulness", "ethical")


class Text(Value):
    """One text in both languages."""

    en: str
    zh_CN: str

    def in_language(self, language: str) -> str:
        """The text in `zh_CN` or else in English."""
        return self.zh_CN if language == "zh_CN" else self.en


class LevelText(Value):
    """What one level of one dimension means: short for a column, and a sentence to decide by."""

    short: Text
    text: Text


class Dimension(Value):
    """One of the twelve dimensions; `small` is its name for narrow columns, `asks` the question it answers."""

    id: str
    level: Level
    name: Text
    small: Text
    asks: Text
    levels: tuple[LevelText, ...]


class Tag(Value):
    """One kind of error; the id is the Chinese name, so that results join with the pipeline's attributions."""

    id: str
    group: str
    level: Level
    gloss: str
    group_gloss: str = ""


class Rubric(Value):
    """A rubric with its error taxonomy.

    Attributes:
        id, version: named by each label event as `id@version`.
        dimensions: the 8 turn dimensions, then the 4 session dimensions.
        tags: the error taxonomy, turn kinds first, in the order of the source.
    """

    id: str
    version: str
    dimensions: tuple[Dimension, ...]
    tags: tuple[Tag, ...]

    @property
    def name(self) -> str:
        """`id@version`."""
        return f"{self.id}@{self.version}"

    def of(self, level: Level) -> tuple[Dimension, ...]:
        """The dimensions of one level, in order."""
        return tuple(d for d in self.dimensions if d.level == level)

    def dimension(self, dimension_id: str) -> Dimension | None:
        """A dimension by id."""
        return next((d for d in self.dimensions if d.id == dimension_id), None)

    def tags_of(self, level: Level) -> tuple[Tag, ...]:
        """The error kinds of one level."""
        return tuple(t for t in self.tags if t.level == level)


def level_of(dimension: str) -> Level | None:
    """`turn`, `session`, or None for a dimension outside the rubric."""
    if dimension in TURN_DIMENSIONS:
        return "turn"
    return "session" if dimension in SESSION_DIMENSIONS else None


def dimensions_of(target: str) -> tuple[str, ...]:
    """The dimension ids that a target (`turn:<k>` or `session`) is scored on."""
    if target == "session":
        return SESSION_DIMENSIONS
    return TURN_DIMENSIONS if target.startswith("turn:") else ()


@cache
def load_rubric(name: str = "rubric-mme") -> Rubric:
    """The rubric of the program's resources, with its taxonomy."""
    raw = tomllib.loads(resources.path(f"rubric/{name}.toml").read_text(encoding="utf-8"))
    taxonomy = tomllib.loads(resources.path(f"taxonomy/{name}.toml").read_text(encoding="utf-8"))
    return Rubric(
        id=raw["id"],
        version=str(raw["version"]),
        dimensions=tuple(_dimension(d) for d in raw["dimension"]),
        tags=tuple(
            Tag(id=kind["id"], group=group["id"], level=level, gloss=kind["en"], group_gloss=group["en"])
            for level in LEVELS
            for group in taxonomy[level]
            for kind in group["kinds"]
        ),
    )


def _dimension(raw: Mapping[str, Any]) -> Dimension:
    ordered = sorted(raw["levels"], key=lambda v: v["score"])
    return Dimension(
        id=raw["id"],
        level=raw["level"],
        name=Text(**raw["name"]),
        small=Text(**raw["small"]),
        asks=Text(**raw["question"]),
        levels=tuple(LevelText(short=Text(**v["short"]), text=Text(**v["text"])) for v in ordered),
    )


@cache
def verdict_reasons() -> Mapping[str, tuple[Text, Text]]:
    """The reasons for a verdict: id -> (name, meaning), in the order of the chips."""
    raw = tomllib.loads(resources.path("rubric/verdict_reasons.toml").read_text(encoding="utf-8"))
    return {r["id"]: (Text(**r["name"]), Text(**r["meaning"])) for r in raw["reason"]}


@cache
def scenario_names() -> Mapping[str, tuple[Text, Text]]:
    """The seven known scenarios: id -> (name, small name). An unknown scenario is shown as it stands."""
    raw = tomllib.loads(resources.path("rubric/scenarios.toml").read_text(encoding="utf-8"))
    return {s["id"]: (Text(**s["name"]), Text(**s["small"])) for s in raw["scenario"]}


def scenario_name(scenario: str, language: str, *, small: bool = False) -> str:
    """A scenario in words; the raw id where it is none of the seven."""
    names = scenario_names().get(scenario)
    return scenario if names is None else names[1 if small else 0].in_language(language)


@cache
def verdict_reason_names() -> Mapping[str, Text]:
    """Why a candidate is revised or rejected: id -> name, in the order of the chips."""
    raw = tomllib.loads(resources.path("rubric/verdict_reasons.toml").read_text(encoding="utf-8"))
    return {r["id"]: Text(**r["name"]) for r in raw["reason"]}
