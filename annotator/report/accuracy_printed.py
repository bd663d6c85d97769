"""What the benchmark's paper prints for a model, to stand beside what is counted here."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from annotator import resources

ENGLISH: Final = "en"
_FILE: Final = "report/mme_realworld_paper.toml"
_SEPARATORS: Final = re.compile(r"[^a-z0-9]+")
# What tools put behind a model's name without its being another model: a date, or which tuning it is.
_ENDING: Final = re.compile(r"(?:\d{8}|\d{6}|instruct|chat|preview|latest|hf|llm)$")


class Printed(NamedTuple):
    """A model's printed accuracies, as shares: (task, domain) -> accuracy; task -> (Avg, Avg-C)."""

    name: str
    domains: Mapping[tuple[str, str], float]
    means: Mapping[str, tuple[float, float]]


def source() -> str:
    """Where the figures were printed."""
    return str(_held()["source"])


def printed_of(model: str) -> Printed | None:
    """The printed figures of a model that tools may spell in their own way; None where it is not in the paper."""
    by_name = _by_name()
    name = _plain(model.rpartition("/")[2])
    while name:
        if name in by_name:
            return by_name[name]
        shorter = _ENDING.sub("", name)
        if shorter == name:
            return None
        name = shorter
    return None


def printed(model: str, name: str, task: str, domain: str | None) -> float | None:
    """The printed value of `accuracy`, `avg` or `avg_c` of the full English set; None where there is none."""
    held = printed_of(model)
    if held is None:
        return None
    if domain is not None:
        return held.domains.get((task, domain)) if name in ("accuracy", "avg") else None
    means = held.means.get(task)
    return None if means is None else means[1] if name == "avg_c" else means[0]


def every() -> tuple[Printed, ...]:
    """All models of the paper, in its order."""
    return _models()


def _plain(name: str) -> str:
    return _SEPARATORS.sub("", name.casefold())


@lru_cache(maxsize=1)
def _held() -> dict[str, Any]:
    return tomllib.loads(resources.path(_FILE).read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _models() -> tuple[Printed, ...]:
    held = _held()
    found = []
    for model in held["model"]:
        domains: dict[tuple[str, str], float] = {}
        means: dict[str, tuple[float, float]] = {}
        for task, names in held["domains"].items():
            row = [value / 100 for value in model.get(task, ())]
            if row:
                domains |= {(task, name): value for name, value in zip(names, row, strict=False)}
                means[task] = (row[-2], row[-1])
        found.append(Printed(model["name"], domains, means))
    return tuple(found)


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Printed]:
    held = _held()
    return {_plain(name): row for row, model in zip(_models(), held["model"], strict=True) for name in model["names"]}
