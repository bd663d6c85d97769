"""The items behind each figure: what a group stands on, so that whoever doubts a number can look at its items.

No number is calculated here: a figure's name says which of its group's items took part (those that two people scored,
those with a verdict, those that the judge scored too), and its fields say which group it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from annotator.errors import WorldError
from annotator.report.figures import Asked
from annotator.report.retention import KEEP, UNDECIDED, Candidate, groups_of
from annotator.report.tables import Column, Ints, Mask, Table
from annotator.store import Store
from annotator.workspace.figures import FIELDS, Held, check_fields, table_of

Ids = tuple[str, ...]
Key = tuple[tuple[str, Any], ...]
Find = Callable[[str, Key], Ids]
"""(a figure's name, what it is of) -> the ids of its items, in their order."""


class Tracer:
    """Finds the items behind the figures of one question; equal groups are looked for once."""

    def __init__(
        self, store: Store, subject: str, asked: Asked, project: str | None = None, held: Held | None = None
    ) -> None:
        """Reads what the figures of `subject` by `asked.by` stand on."""
        self._find = _FINDERS[subject](store, asked, project, held)
        self._known: dict[tuple[str, Key], Ids] = {}

    def items(self, name: str, by: Mapping[str, Any]) -> Ids:
        """The items behind one figure. KeyError where its group does not occur."""
        key = tuple((field, tuple(value) if isinstance(value, list | tuple) else value) for field, value in by.items())
        if (name, key) not in self._known:
            self._known[name, key] = self._find(name, key)
        return self._known[name, key]


def items_behind(store: Store, subject: str, name: str, by: Mapping[str, Any], project: str | None = None) -> Ids:
    """The items behind a figure that is named by its subject, its name and what it is of.

    Raises:
        WorldError: no such subject, field or group.
    """
    if subject not in _FINDERS:
        raise WorldError(f'There are no figures of "{subject}": choose among {", ".join(_FINDERS)}.')
    fields = tuple(field for field in by if field not in ("raters", "responders"))
    if subject in FIELDS:
        check_fields(subject, fields)
    try:
        return Tracer(store, subject, Asked(by=fields), project).items(name, by)
    except KeyError as error:
        said = ", ".join(f"{field} {value}" for field, value in by.items())
        raise WorldError(f"There is no figure {name} of {said or 'all together'} in this workspace.") from error


# ------------------------------------------------------------------------------------------- agreement and calibration
class _Scores:
    """Labels and judges' scores as masks over units."""

    def __init__(self, table: Table, by: Sequence[str]) -> None:
        self.table, self.by = table, by
        self._ids = np.array([unit.item_id for unit in table.units], dtype=object)
        self._said = ~np.isnan(table.values)

    def labels(self, of: Mapping[str, Any]) -> Mask:
        """The labels of one combination of the fields that labels have."""
        rows = np.ones(self.table.values.size, dtype=bool)
        for name, value in of.items():
            column = self.table.label_column(name)
            rows &= column.codes == _code(column, value)
        return rows

    def judged(self, of: Mapping[str, Any]) -> Mask:
        """The judges' scores of one combination; of `judge` any of several where several are named."""
        rows = np.ones(self.table.judge_values.size, dtype=bool)
        for name, value in of.items():
            column = self.table.judge_column(name)
            rows &= np.isin(column.codes, [_code(column, one) for one in _several(value)])
        return rows

    def heard(self, rows: Mask) -> Ints:
        """How many people scored each unit, "cannot judge" aside."""
        return np.bincount(self.table.label_unit[rows & self._said], minlength=len(self.table.units))

    def ids(self, units: Mask) -> Ids:
        """The items of some units."""
        return tuple(sorted(set(self._ids[units].tolist())))

    def marked(self, units: Ints) -> Mask:
        """Unit numbers as a mask."""
        found = np.zeros(len(self.table.units), dtype=bool)
        found[units] = True
        return found


def _several(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _agreement(store: Store, asked: Asked, project: str | None, held: Held | None) -> Find:
    table, _, _ = table_of(store, asked, judged=False, project=project, held=held)
    scores = _Scores(table, asked.by)

    def kind(name: str) -> str:
        if name.startswith("self_"):
            return "self"
        return "said" if name in ("mean", "cannot_judge", "spread") else "compared"

    def find(name: str, key: Key) -> Ids:
        of = {field: value for field, value in key if field != "raters"}
        rows = scores.labels(of)
        if name == "self":
            again = table.again if table.again is not None else np.full(rows.size, np.nan)
            return scores.ids(scores.marked(table.label_unit[rows & ~np.isnan(again) & ~np.isnan(table.values)]))
        if name == "said":
            return scores.ids(scores.marked(table.label_unit[rows]))
        pair = dict(key).get("raters")
        if pair is not None:
            rows &= np.isin(table.label_rater, [_code(table.label_column("rater"), rater) for rater in pair])
        if "rater" in of:
            others = scores.labels({}) & ~scores.labels({"rater": of["rater"]})
            return scores.ids((scores.heard(rows) > 0) & (scores.heard(others) > 0))
        return scores.ids(scores.heard(rows) > 1)

    return _once(kind, find)


def _calibration(store: Store, asked: Asked, project: str | None, held: Held | None) -> Find:
    table, _, _ = table_of(store, asked, judged=True, project=project, held=held)
    scores = _Scores(table, asked.by)

    def kind(name: str) -> str:
        if name in ("mean_judge", "ppi_mean"):
            return "judged"
        ceiling = name == "alternative_annotator_test" or name.startswith("ceiling_")
        return "ceiling" if ceiling else "both"

    def find(name: str, key: Key) -> Ids:
        said = {field: value for field, value in key if field == "rater" or field in table.of_labels}
        of_judges = {field: value for field, value in key if field not in said}
        people = scores.heard(scores.labels(said))
        names = _several(of_judges.get("judge", ()))
        if len(names) > 1:
            sides = [scores.judged({**of_judges, "judge": one}) for one in names]
            both = [scores.marked(table.judge_unit[side]) for side in sides]
            return scores.ids(both[0] & both[1] & (people > 0))
        judged = scores.marked(table.judge_unit[scores.judged(of_judges)])
        fewest = {"judged": 0, "both": 1, "ceiling": 2}[name]
        return scores.ids(judged & (people >= fewest))

    return _once(kind, find)


def _once(kind: Callable[[str], str], find: Find) -> Find:
    """Finds each kind of a group once: most figures of a group stand on the same items."""
    known: dict[tuple[str, Key], Ids] = {}

    def find_kind(name: str, key: Key) -> Ids:
        place = (kind(name), key)
        if place not in known:
            known[place] = find(*place)
        return known[place]

    return find_kind


def _code(column: Column, value: str) -> int:
    if value not in column.names:
        raise KeyError(value)
    return column.names.index(value)


# ------------------------------------------------------------------------------------------------ retention and effort
def _retention(store: Store, asked: Asked, project: str | None, held: Held | None) -> Find:
    from annotator.workspace.figures_retention import candidates_of

    found = {tuple(by.items()): members for by, members in groups_of(candidates_of(store, asked, held=held), asked.by)}
    return lambda name, key: tuple(sorted(one.item_id for one in found[key] if took_part(one, name)))


def took_part(one: Candidate, name: str) -> bool:
    """Whether a candidate is counted by a figure of retention, below the line or, in the funnel, at its stage."""
    verdict = one.verdict()
    if name.startswith("funnel_"):
        stage = name.removeprefix("funnel_")
        if stage == "kept":
            return verdict == KEEP
        return {
            "imported": True,
            "media_complete": one.complete,
            "heard": verdict is not None,
            "two_raters": one.by_two,
            "decided": verdict not in (None, UNDECIDED),
        }[stage]
    if name.startswith("wilson_keep_undecided"):
        return verdict is not None
    if name.startswith("wilson_"):
        return verdict not in (None, UNDECIDED)
    if name.startswith("reason_"):
        return name.removeprefix("reason_") in one.why_not()
    if name.startswith("verdict_"):
        return len(one.blind) > 1
    if name == "auc":
        return one.judged is not None and verdict not in (None, UNDECIDED)
    return one.judged is not None


def _effort(store: Store, asked: Asked, project: str | None, held: Held | None) -> Find:
    from annotator.workspace.figures_effort import sittings_of

    found: dict[Key, list[Any]] = {} if asked.by else {(): []}
    for one in sittings_of(store, asked):
        found.setdefault(tuple((name, one.fields[name]) for name in asked.by), []).append(one)

    def find(name: str, key: Key) -> Ids:
        members = found[key]
        if name != "labels":
            members = [one for one in members if one.active_ms > 0]
        return tuple(sorted({one.item_id for one in members if name != "rushed" or one.targets}))

    return find


# --------------------------------------------------------------------------------------------- preference and accuracy
def _preference(store: Store, asked: Asked, project: str | None, held: Held | None) -> Find:
    from annotator.workspace.comparisons_figures import compared_of

    groups = compared_of(store, asked, project)

    def find(name: str, key: Key) -> Ids:
        of = tuple((field, value) for field, value in key if field != "responders")
        two = set(dict(key).get("responders", ()))
        members = groups[tuple(value for _, value in of)]
        again = name in ("position_flip", "self_agreement")
        kept = [
            one
            for one in members
            if two <= set(one.responders) and (one.repeat_of is not None if again else one.repeat_of is None)
        ]
        return tuple(sorted({one.item_id for one in kept}))

    return find


def _accuracy(store: Store, asked: Asked, project: str | None, held: Held | None) -> Find:
    from annotator.workspace.figures_accuracy import questions_of

    asked_of_people = replace(asked, by=tuple(name for name in asked.by if name not in ("model", "profile", "state")))
    models = questions_of(store, asked, people=False)
    people = questions_of(store, asked_of_people, people=True) if asked_of_people.by == asked.by else {}

    def find(name: str, key: Key) -> Ids:
        held_of = people if name.endswith("_people") else models
        return held_of[key] if key or () in held_of else ()

    return find


_FINDERS: Final[dict[str, Callable[[Store, Asked, str | None, Held | None], Find]]] = {
    "agreement": _agreement,
    "calibration": _calibration,
    "retention": _retention,
    "effort": _effort,
    "preference": _preference,
    "accuracy": _accuracy,
}
