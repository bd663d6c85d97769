"""Verdicts of a workspace as candidates, and their figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from annotator.cancel import check
from annotator.report.figures import Asked, Figure
from annotator.report.retention import Candidate, retention
from annotator.store import Store
from annotator.store.readings import Readings
from annotator.workspace.assets import AssetBook
from annotator.workspace.figures_fields import Places, week_of
from annotator.workspace.figures_where import EVERYWHERE, Where

if TYPE_CHECKING:
    from annotator.workspace.figures import Held

VERDICT_FIELDS: Final = ("verdict", "verdict_reasons")
OF_VERDICTS: Final = ("rater", "week", "judge")
"""Fields that belong to what was said of a dialogue, not to the dialogue."""
_KEPT: Final = "verdicts"
Sums = Mapping[str, Mapping[str, tuple[int, int]]]
"""Judge -> item -> (sum, number) of its scores."""


def retention_of(
    store: Store, asked: Asked, where: Where = EVERYWHERE, held: Held | None = None
) -> tuple[tuple[Figure, ...], Asked, tuple[str, ...]]:
    """The figures, what was asked, and sentences about what was left out."""
    from annotator.workspace.figures import left_out_notes

    made = retention(candidates_of(store, asked, where, held), asked)
    return tuple(made), asked, left_out_notes(*Readings(store.database).left_out("blind", ("verdict",)))


def candidates_of(store: Store, asked: Asked, where: Where = EVERYWHERE, held: Held | None = None) -> list[Candidate]:
    """The dialogues of a part of a workspace with what people and judges said of them, in order of import.

    `where` may name raters (whose blind verdicts count then, adjudication aside), judges, weeks, and what dialogues
    carry. `held` keeps what was read for the next call.
    """
    rows = None if held is None else held.kept.get(_KEPT)
    if rows is None:
        rows = _Verdicts(store, asked)
        if held is not None:
            held.kept[_KEPT] = rows
    found: list[Candidate] = rows.candidates(asked, {name: values for name, values in where.items() if values})
    return found


class _Verdicts:
    """What was said of each dialogue, read once."""

    def __init__(self, store: Store, asked: Asked) -> None:
        self._places, rows = Places(store), Readings(store.database)
        self._said: dict[str, dict[str, dict[str, Any]]] = {}
        self._weeks: dict[str, dict[str, str]] = {}
        for phase in ("blind", "adjudicated"):
            for row in rows.said(phase, VERDICT_FIELDS):
                if row.item_id not in self._places.known:
                    continue
                who = self._said.setdefault(row.item_id, {}).setdefault(f"{phase} {row.field}", {})
                who[row.rater] = row.value
                if row.field == "verdict":
                    name = row.rater if phase == "blind" else ""
                    held = self._weeks.setdefault(row.item_id, {})
                    held[name] = max(held.get(name, ""), week_of(row.at))
        check(asked.token)
        self._sums: Sums = {} if store.database.blind else judge_sums(rows)
        self._lacking = lacking_media(store, self._places)

    def candidates(self, asked: Asked, where: Where) -> list[Candidate]:
        """Those that `where` lets through."""
        of_items = [name for name in {*asked.by, *where} if name not in OF_VERDICTS]
        every = means_of(self._sums, where.get("judge"))
        by_judge = {judge: means_of(self._sums, (judge,)) for judge in self._sums}
        made = []
        for item_id in self._places.known:
            fields = self._fields(item_id, of_items)
            if any(name in fields and not values & set(fields[name]) for name, values in where.items()):
                continue
            one = replace(
                _candidate(item_id, fields, self._said.get(item_id, {}), self._weeks.get(item_id, {})),
                judged=every.get(item_id),
                judged_by={judge: means[item_id] for judge, means in by_judge.items() if item_id in means},
                complete=item_id not in self._lacking,
            )
            if "rater" in where:
                one = one.of_raters(where["rater"])
            if "week" not in where or one.week() in where["week"]:
                made.append(one)
        return made

    def _fields(self, item_id: str, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        places = self._places
        return {
            name: places.capabilities(item_id) if name == "capability" else (places.value(name, item_id),)
            for name in names
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
        voices=len(said.get("blind verdict", {})),
        adjudicated=tuple(said.get("adjudicated verdict", {}).values()),
        reasons=reasons,
        weeks=weeks,
    )


def lacking_media(store: Store, places: Places) -> frozenset[str]:
    """The dialogues that name a clip or image which was not there when it was looked for, and has no copy bound since.

    Told by what the database holds alone, so that a report can be verified where the media are not at hand.
    """
    named = [item_id for item_id, head in places.known.items() if head.missing]
    if not named:
        return frozenset()
    book = AssetBook(store)

    def lacks(item_id: str) -> bool:
        turns = store.items.dialogue(item_id).turns
        missing = [asset for turn in turns for asset in turn.evidence if asset.status == "missing"]
        return not missing or any((terms := book.of(asset)) is None or not terms.bound for asset in missing)

    return frozenset(item_id for item_id in named if lacks(item_id))


def judge_sums(rows: Readings) -> Sums:
    """Judge -> item -> sum and number of all scores of its turns and sessions, by any model."""
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for row in rows.scored():
        if row.scores:
            held = sums.setdefault(row.judge, {})
            total, count = held.get(row.item_id, (0, 0))
            held[row.item_id] = (total + sum(row.scores.values()), count + len(row.scores))
    return sums


def means_of(sums: Sums, judges: Iterable[str] | None = None) -> dict[str, float]:
    """Item -> the mean of all scores of some judges (of all)."""
    together: dict[str, tuple[int, int]] = {}
    for judge in sums if judges is None else judges:
        for item_id, (total, count) in sums.get(judge, {}).items():
            held = together.get(item_id, (0, 0))
            together[item_id] = (held[0] + total, held[1] + count)
    return {item_id: total / count for item_id, (total, count) in together.items()}
