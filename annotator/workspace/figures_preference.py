"""Figures of preference for the statistics page: answers, what a part can be chosen by, the items behind a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from annotator.domain.comparisons import pairs_of
from annotator.report.figures import Asked
from annotator.report.preference import Ballot
from annotator.store import Store
from annotator.store.readings import Readings
from annotator.workspace.comparisons_fields import fields_of
from annotator.workspace.comparisons_figures import PARTS, compared_of, preference_of
from annotator.workspace.comparisons_safety import FLAGS
from annotator.workspace.figures import BLIND, Figures
from annotator.workspace.figures_behind import Behind
from annotator.workspace.intake_comparisons import comparisons_in

if TYPE_CHECKING:
    from annotator.workspace.figures_room import FigureRoom, Question

CHOSEN_BY: Final = ("subset", "task", "level", "form")
_SHOWN: Final[Mapping[tuple[str, ...], frozenset[str]]] = {
    ("task",): frozenset({"safety"}), ("rater",): frozenset({"people"}),
}  # fmt: skip
Outcome = tuple[str, str, int]
"""(first responder, second, 1 where the first is preferred, 0 where they tie)."""


def answer(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    """The figures of a question; a spot-check's units are dialogues' and restrict nothing here.

    By task the page shows rates of safety sets alone, by rater how each ranks: no more is calculated for it.
    """
    return preference_of(room.store, asked, None, question.part(), _SHOWN.get(question.by, PARTS))


def choices(store: Store, raters: tuple[tuple[str, int], ...] | None = None) -> dict[str, tuple[tuple[str, int], ...]]:
    """Field -> (value, how many comparisons carry it); nothing where there are none.

    `raters`: those who scored; who only ranked comes behind them, with the number of rankings.
    """
    found: dict[str, Counter[str]] = {name: Counter() for name in CHOSEN_BY}
    for held in comparisons_in(store, repeats=False):
        of = fields_of(held)
        for name in CHOSEN_BY:
            found[name][of[name]] += 1
    fields = {name: tuple(sorted(counted.items())) for name, counted in found.items() if counted}
    if raters is None:
        return fields
    ranked = Counter(row.rater for row in Readings(store.database).said(BLIND, ("ranking",)))
    known = {rater for rater, _ in raters}
    more = tuple((rater, count) for rater, count in sorted(ranked.items()) if rater not in known)
    return {**fields, "rater": (*raters, *more)}


def behind(
    room: FigureRoom, question: Question, by: Mapping[str, str], outcome: Outcome | None = None, *, again: bool = False
) -> Behind:
    """The comparisons that a group of figures stands on.

    With `outcome` those where somebody said so of the two (or, of one responder named twice, those where it took
    part); with `again` the hidden repeats, which position and self-agreement stand on.
    """
    room.look()
    groups = compared_of(room.store, Asked(by=tuple(by)), None, question.part())
    ballots = groups.get(tuple(by.values()), []) if by else [one for held in groups.values() for one in held]
    wanted = _of_outcome(outcome) if outcome is not None else _any
    kept = [one for one in ballots if (one.repeat_of is not None) == again and wanted(one)]
    return Behind(tuple(sorted({(one.item_id, "", "item") for one in kept})), len(kept))


def behind_flags(room: FigureRoom, question: Question, task: str, names: tuple[str, ...]) -> Behind:
    """The comparisons of a task in whose responses somebody saw any of these flags."""
    room.look()
    part = {**question.part(), "task": frozenset({task})}
    raters = part.pop("rater", frozenset())
    items = {
        held.item_id
        for held in comparisons_in(room.store, repeats=False)
        if all(fields_of(held)[name] in values for name, values in part.items() if values)
    }
    rows = [
        row
        for row in Readings(room.store.database).said(BLIND, FLAGS)
        if row.item_id in items and row.field in names and row.value and (not raters or row.rater in raters)
    ]
    return Behind(tuple(sorted({(row.item_id, "", "item") for row in rows})), len(rows))


def _any(ballot: Ballot) -> bool:
    return True


def _of_outcome(outcome: Outcome) -> Callable[[Ballot], bool]:
    first, second, sign = outcome

    def said(ballot: Ballot) -> bool:
        names = [str(name) for name in ballot.responders]
        if first not in names or second not in names:
            return False
        i, j = names.index(first), names.index(second)
        if i == j:
            return True
        if sign:
            return (i, j) in pairs_of(ballot.ranking)
        return ballot.ranking[i] == ballot.ranking[j]

    return said
