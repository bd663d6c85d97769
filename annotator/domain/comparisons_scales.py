"""The three scales on which each response of a comparison is scored: data of the program, read from its resources."""

from __future__ import annotations

import tomllib
from functools import cache

from annotator import resources
from annotator.domain.base import Value
from annotator.domain.rubric import LevelText, Text


class Scale(Value):
    """One scale: its id, its name in words, what it asks, what to look at, and its five levels from 1 to 5."""

    id: str
    name: Text
    asks: Text
    looks: tuple[Text, ...]
    levels: tuple[LevelText, ...]


@cache
def scales() -> tuple[Scale, ...]:
    """The scales in the order of work."""
    raw = tomllib.loads(resources.path("rubric/comparison.toml").read_text(encoding="utf-8"))
    return tuple(
        Scale(
            id=one["id"],
            name=Text(**one["name"]),
            asks=Text(**one["asks"]),
            looks=tuple(Text(**text) for text in one["looks"]),
            levels=tuple(
                LevelText(short=Text(**level["short"]), text=Text(**level["text"]))
                for level in sorted(one["levels"], key=lambda level: level["score"])
            ),
        )
        for one in raw["scale"]
    )
