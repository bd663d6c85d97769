"""Verdicts of a workspace as candidates, and their figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from annotator.cancel import check
from annotator.report.figures import Asked, Figure
from annotator.report.retention import Candidate, retention
from annotator.store import Store
from annotator.store.readings import Readings
from annotator.workspace.figures_fields import Places, week_of

VERDICT_FIELDS: Final = ("verdict", "verdict_reasons")


def retention_of(store: Store, asked: Asked) -> tuple[tuple[Figure, ...], Asked, tuple[str, ...]]:
    """The figures, what was asked, and sentences about what was left out."""
    from annotator.workspace.figures import left_out_notes

    made = retention(candidates_of(store, asked), asked)
    return tuple(made), asked, left_out_notes(*Readings(store.database).left_out("blind", ("verdict",)))


def candidates_of(store: Store, asked: Asked) -> list[Candidate]:
    """All dialogues of a workspace with what people and judges said of them, in order of import."""
    places, rows = Places(store), Readings(store.database)
    said: dict[str, dict[str, dict[str, Any]]] = {}
    weeks: dict[str, dict[str, str]] = {}
    for phase in ("blind", "adjudicated"):
        for row in rows.said(phase, VERDICT_FIELDS):
            if row.item_id not in places.known:
                continue
            who = said.setdefault(row.item_id, {}).setdefault(f"{phase} {row.field}", {})
            who[row.rater] = row.value
            if row.field == "verdict":
                name = row.rater if phase == "blind" else ""
                held = weeks.setdefault(row.item_id, {})
                held[name] = max(held.get(name, ""), week_of(row.at))
    check(asked.token)
    judged = judge_means(rows)
    every = {item_id: total / count for item_id, (total, count) in judged.pop("", {}).items()}
    by_judge = {
        judge: {item_id: total / count for item_id, (total, count) in sums.items()} for judge, sums in judged.items()
    }
    return [
        replace(
            _candidate(item_id, _fields(places, item_id, asked), said.get(item_id, {}), weeks.get(item_id, {})),
            judged=every.get(item_id),
            judged_by={judge: means[item_id] for judge, means in by_judge.items() if item_id in means},
        )
        for item_id in places.known
    ]


def _fields(places: Places, item_id: str, asked: Asked) -> dict[str, tuple[str, ...]]:
    return {
        name: places.capabilities(item_id) if name == "capability" else (places.value(name, item_id),)
        for name in asked.by
        if name not in ("rater", "week", "judge")
    }


def _candidate(
    item_id: str,
    fields: Mapping[str, tuple[str, ...]],
    said: Mapping[str, Mapping[str, Any]],
    weeks: Mapping[str, str],
) -> Candidate:
    reasons = {rater: tuple(value) for rater, value in said.get("blind verdict_reasons", {}).items()}
    final = [reason for value in said.get("adjudicated verdict_reasons", {}).values() for reason in value]
    if final:
        reasons[""] = tuple(final)
    return Candidate(
        item_id=item_id,
        fields=fields,
        blind=dict(said.get("blind verdict", {})),
        adjudicated=tuple(said.get("adjudicated verdict", {}).values()),
        reasons=reasons,
        weeks=weeks,
    )


def judge_means(rows: Readings) -> dict[str, dict[str, tuple[int, int]]]:
    """Judge ("" for all together) -> item -> sum and number of all scores of its turns and sessions, by any model."""
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for row in rows.scored():
        for judge in ("", row.judge) if row.scores else ():
            total, count = sums.setdefault(judge, {}).get(row.item_id, (0, 0))
            sums[judge][row.item_id] = (total + sum(row.scores.values()), count + len(row.scores))
    return sums
