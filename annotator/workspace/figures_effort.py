"""Working time of a workspace's raters, from the events of their blind labels."""

from __future__ import annotations

from dataclasses import dataclass, field

from annotator.cancel import check
from annotator.domain.rubric import dimensions_of
from annotator.report.figures import Asked, Figure
from annotator.report.figures_effort import Sitting, effort
from annotator.store import Store
from annotator.store.readings import Readings
from annotator.workspace.figures_fields import Places, week_of
from annotator.workspace.figures_where import EVERYWHERE, Where

Place = tuple[str, str, str]
"""(rater, item id, week, "" where weeks are not asked for)."""


@dataclass
class _Target:
    """One turn or session of one responder: the time that its scores took, and the last score of each dimension."""

    active_ms: int = 0
    scores: dict[str, str] = field(default_factory=dict)


@dataclass
class _Work:
    active_ms: int = 0
    labels: int = 0
    targets: dict[tuple[str, str], _Target] = field(default_factory=dict)


def effort_of(
    store: Store, asked: Asked, where: Where = EVERYWHERE
) -> tuple[tuple[Figure, ...], Asked, tuple[str, ...]]:
    """The figures, what was asked, and sentences about what they lack."""
    sittings = sittings_of(store, asked, where)
    untimed = sum(one.active_ms == 0 for one in sittings)
    notes = (f"{untimed} of {len(sittings)} sittings have no working time (imported labels).",) if untimed else ()
    return tuple(effort(sittings, asked)), asked, notes


def sittings_of(store: Store, asked: Asked, where: Where = EVERYWHERE) -> list[Sitting]:
    """The work of each rater on each item, in order; that of a part where `where` says so."""
    wanted = {name: values for name, values in where.items() if values}
    of_items = {name: values for name, values in wanted.items() if name not in ("rater", "week")}
    inside: dict[str, bool] = {}
    places = Places(store, repeats=True)  # it is work all the same
    held: dict[Place, _Work] = {}
    for number, row in enumerate(Readings(store.database).worked("blind")):
        if number % 10_000 == 0:
            check(asked.token)
        if row.item_id not in places.known or row.rater not in wanted.get("rater", {row.rater}):
            continue
        if row.item_id not in inside:
            inside[row.item_id] = all(places.value(name, row.item_id) in of_items[name] for name in of_items)
        week = week_of(row.at) if "week" in asked.by or "week" in wanted else ""
        if not inside[row.item_id] or week not in wanted.get("week", {week}):
            continue
        work = held.setdefault((row.rater, row.item_id, week), _Work())
        work.active_ms += row.active_ms
        work.labels += 1
        if row.field in dimensions_of(row.target):
            target = work.targets.setdefault((row.responder, row.target), _Target())
            target.active_ms += row.active_ms
            target.scores[row.field] = row.value
    return [_sitting(place, held[place], places, asked) for place in sorted(held)]


def _sitting(place: Place, work: _Work, places: Places, asked: Asked) -> Sitting:
    rater, item_id, week = place
    own = {"rater": rater, "week": week}
    fields = {name: own[name] if name in own else places.value(name, item_id) for name in asked.by}
    whole = tuple(
        (target.active_ms, len(set(target.scores.values())) == 1)
        for (_, name), target in sorted(work.targets.items())
        if len(target.scores) == len(dimensions_of(name)) and "null" not in target.scores.values()
    )
    return Sitting(item_id, fields, work.active_ms, work.labels, whole)
