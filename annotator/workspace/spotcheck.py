"""The spot-check: a sample of judged turns and sessions, drawn by known probabilities and kept with its weights.

A unit is one judged (item, responder, target). Without fields the sample is simple random; with fields each stratum
gets an equal share (as far as it has that many), so that rare strata are seen too. A unit's weight is one over the
chance that it was drawn, N_h / n_h; figures of the project carry it, so that they speak of all judged units.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple

from annotator.errors import WorldError
from annotator.store import Store
from annotator.store.readings import Readings
from annotator.workspace.figures_fields import Places
from annotator.workspace.spots import keep_draw, project_of, projects, weights_of, whole_of

__all__ = [
    "FIELDS",
    "Sample",
    "allocate",
    "draw",
    "power",
    "project_of",
    "projects",
    "size_for",
    "weights_of",
    "whole_of",
]

FIELDS: Final = (
    "score", "disagreement", "dimension", "lowest", "level", "model", "scenario", "capability", "modality",
    "language", "source",
)  # fmt: skip
HALF_WIDTHS: Final = (0.05, 0.1, 0.2, 0.3)
_Z: Final = 1.959963984540054
_SPREAD: Final = 1.0
_INSIDE: Final = 0.3


class Place(NamedTuple):
    """What is drawn."""

    item_id: str
    responder: str
    target: str


@dataclass(frozen=True)
class Stratum:
    """One combination of the fields: how many there are, how many were drawn, and the weight of each of those."""

    by: Mapping[str, str]
    population: int
    drawn: int
    weight: float


@dataclass(frozen=True)
class Sample:
    """A drawn spot-check, as it is kept in the workspace."""

    project: str
    seed: int
    size: int
    by: tuple[str, ...]
    population: int
    strata: tuple[Stratum, ...]
    units: tuple[tuple[str, str, str, float], ...]
    power: Mapping[str, Any]
    reveal: bool = True

    def raw(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


def draw(
    store: Store, project: str, size: int | None = None, by: Sequence[str] = (), seed: int = 0, *,
    half_width: float | None = None, reveal: bool = True,
) -> Sample:  # fmt: skip
    """Draw a spot-check and keep it under its name; equal judge records and an equal seed give an equal sample.

    Without a `size` it is the smallest at which `power` expects an interval of `half_width`. With `reveal` a rater sees
    the judge beside each row that was committed; never where this workspace does not reveal at all, which the draw says
    on other devices too.

    Raises:
        WorldError: the name is taken, nothing is judged, an unknown field, or a size that does not fit.
    """
    import numpy as np

    if project in projects(store):
        raise WorldError(f'There is a project "{project}" already: choose another name.')
    for name in by:
        if name not in FIELDS:
            raise WorldError(f'A spot-check cannot be stratified by "{name}": choose among {", ".join(FIELDS)}.')
    if size is None and half_width is None:
        raise WorldError("A spot-check needs a size, or the half width that its interval shall have.")
    judged = _judged(store)
    strata = _strata(store, judged, by)
    if not judged:
        raise WorldError("There is nothing to draw from: import what a judge scored first.")
    if size is None:
        size = max(len(strata), size_for(judged, half_width or 0.0))
    if not len(strata) <= size <= len(judged):
        raise WorldError(
            f"A sample of {size} does not fit: there are {len(judged)} judged turns and sessions in {len(strata)} "
            "strata, and each stratum needs one."
        )
    keys = sorted(strata)
    shares = allocate([len(strata[key]) for key in keys], size)
    units: list[tuple[str, str, str, float]] = []
    told = []
    for number, (key, share) in enumerate(zip(keys, shares, strict=True)):
        members = sorted(strata[key])
        rng = np.random.default_rng([seed, number])
        picked = sorted(int(place) for place in rng.choice(len(members), size=share, replace=False))
        weight = len(members) / share
        units += [(*members[place], weight) for place in picked]
        told.append(Stratum(dict(zip(by, key, strict=True)), len(members), share, weight))
    sample = Sample(
        project, seed, size, tuple(by), len(judged), tuple(told), tuple(sorted(units)), power(judged, size),
        reveal and bool(store.desk.get("reveal", True)),
    )  # fmt: skip
    keep_draw(store, json.loads(json.dumps(sample.raw())))
    return sample


def allocate(sizes: Sequence[int], size: int) -> list[int]:
    """Equal shares of `size`, none larger than its stratum, each at least one; what is left over goes round."""
    shares = [0] * len(sizes)
    left = size
    while left:
        open_ = [place for place, whole in enumerate(sizes) if shares[place] < whole]
        each = max(1, left // len(open_))
        for place in open_:
            more = min(each, sizes[place] - shares[place], left)
            shares[place] += more
            left -= more
    return shares


def power(judged: Mapping[Place, Mapping[str, Mapping[str, int]]], size: int) -> dict[str, Any]:
    """What half width a 95 % interval of the mean difference of judge and people may be expected to have.

    half = 1.96 sd sqrt(deff / n), deff = 1 + (m - 1) rho with m units of a dialogue in the sample on average; sd 1 and
    rho 0.3 are assumed, since before labels are made nobody knows them. `sizes` turns it round, with the same deff.
    """
    dialogues = len({place.item_id for place in judged})
    seen = dialogues * (1 - (1 - 1 / dialogues) ** size)
    inflated = 1 + (max(1.0, size / seen) - 1) * _INSIDE
    half = _Z * _SPREAD * math.sqrt(inflated / size)
    sizes = {f"{wanted:g}": math.ceil(inflated * (_Z * _SPREAD / wanted) ** 2) for wanted in HALF_WIDTHS}
    return {"sd": _SPREAD, "rho": _INSIDE, "deff": inflated, "half_width": half, "sizes": sizes}


def size_for(judged: Mapping[Place, Mapping[str, Mapping[str, int]]], half_width: float) -> int:
    """The smallest size at which `power` expects that half width; all that is judged where none is enough."""
    low, high = 1, len(judged)
    while low < high:
        middle = (low + high) // 2
        if power(judged, middle)["half_width"] <= half_width:
            high = middle
        else:
            low = middle + 1
    return low


def _judged(store: Store) -> dict[Place, dict[str, dict[str, int]]]:
    """Every scored unit: judge -> scores."""
    known = Places(store).known
    found: dict[Place, dict[str, dict[str, int]]] = {}
    with store.database.seeing():  # drawn from, and not told
        for row in Readings(store.database).scored():
            if row.scores and row.item_id in known:
                found.setdefault(Place(row.item_id, row.responder, row.target), {})[row.judge] = row.scores
    return found


def _strata(
    store: Store, judged: Mapping[Place, Mapping[str, Mapping[str, int]]], by: Sequence[str]
) -> dict[tuple[str, ...], list[Place]]:
    places = Places(store)
    strata: dict[tuple[str, ...], list[Place]] = {}
    for place, scores in judged.items():
        strata.setdefault(tuple(_field(places, place, scores, name) for name in by), []).append(place)
    return strata


def _field(places: Places, place: Place, scores: Mapping[str, Mapping[str, int]], name: str) -> str:
    """A field of a judged unit; `score` is the judges' mean, rounded, and `disagreement` how far their means lie.

    `dimension` is the one that the last judge scored lowest, the first in the alphabet where several are equal.
    """
    means = [sum(own.values()) / len(own) for own in scores.values()]
    if name == "score":
        return str(math.floor(sum(means) / len(means) + 0.5))
    if name == "disagreement":
        return str(math.floor(max(means) - min(means) + 0.5))
    if name in ("dimension", "lowest"):
        first = {dimension: score for own in scores.values() for dimension, score in own.items()}
        return min(sorted(first), key=lambda dimension: first[dimension])
    if name == "level":
        return place.target.partition(":")[0]
    if name == "model":
        return place.responder
    if name == "capability":
        return places.capability(place.item_id, place.target)
    return places.value(name, place.item_id)
