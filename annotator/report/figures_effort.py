"""How raters work, for planning: active minutes, pace, scores given in a rush, and each rater against the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from annotator import stats
from annotator.report.figures import Asked, Figure, of_result

RUSHED_MS: Final = 3_000
"""Equal scores of all dimensions of one turn or session in less time than this were hardly thought about."""


@dataclass(frozen=True)
class Sitting:
    """One rater's work on one item (in one week, where weeks are asked for).

    Attributes:
        fields: name -> value.
        active_ms: all the time; labels: how many statements.
        targets: (milliseconds, whether all scores are equal) of each turn or session that was scored whole.
    """

    item_id: str
    fields: Mapping[str, str]
    active_ms: int
    labels: int
    targets: tuple[tuple[int, bool], ...] = field(default=())


def effort(sittings: Sequence[Sitting], asked: Asked) -> list[Figure]:
    """Every figure of effort for each combination of the fields. Work whose time nobody measured is left out."""
    members: dict[tuple[str, ...], list[Sitting]] = {} if asked.by else {(): []}
    for one in sittings:
        members.setdefault(tuple(one.fields[name] for name in asked.by), []).append(one)
    figures: list[Figure] = []
    for done, combination in enumerate(sorted(members)):
        asked.tell(done, len(members))
        by = dict(zip(asked.by, combination, strict=True))
        figures += _of_group(members[combination], by, asked)
    return figures


def _of_group(members: Sequence[Sitting], by: Mapping[str, Any], asked: Asked) -> Iterator[Figure]:
    timed = [one for one in members if one.active_ms > 0]
    codes = {item_id: place for place, item_id in enumerate(sorted({one.item_id for one in timed}))}
    clusters = np.array([codes[one.item_id] for one in timed], dtype=np.int64)
    minutes = np.array([one.active_ms / 60_000 for one in timed], dtype=np.float64)
    unknown = "undefined: no working time is known"
    mean = stats.mean(minutes, clusters=clusters, **asked.how())
    told = of_result("minutes_per_item", by, mean)
    yield told if mean.value is not None else Figure("minutes_per_item", by, None, unknown, n_clusters=0)
    total = float(minutes.sum())
    yield Figure("minutes", by, total, n=len(timed), n_clusters=len(codes))
    labels = sum(one.labels for one in timed)
    pace = labels / (total / 60) if total else None
    yield Figure("labels_per_hour", by, pace, None if total else unknown, n=labels, n_clusters=len(codes))
    yield Figure("labels", by, sum(one.labels for one in members), n=len(members))
    yield _rushed(timed, codes, by, asked)


def _rushed(timed: Sequence[Sitting], codes: Mapping[str, int], by: Mapping[str, Any], asked: Asked) -> Figure:
    """The share of turns and sessions scored whole, all scores equal, in under three seconds."""
    spent = [
        (codes[one.item_id], float(equal and spent_ms < RUSHED_MS))
        for one in timed
        for spent_ms, equal in one.targets
        if spent_ms > 0
    ]
    pairs = np.array(spent, dtype=np.float64).reshape(-1, 2)
    share = stats.mean(pairs[:, 1], clusters=pairs[:, 0].astype(np.int64), **asked.how())
    if share.value is None:
        return Figure("rushed", by, None, "undefined: no turn was scored whole with its time known", n_clusters=0)
    return of_result("rushed", by, share)
