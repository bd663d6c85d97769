"""Figures of a workspace: events and judge records become arrays, and arrays become figures with their reasons.

Blind labels alone count as human judgement; what is in conflict or stale is left out and counted.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from annotator.cancel import CancelToken, check
from annotator.domain.labels import REVEALED
from annotator.domain.rubric import CANNOT_JUDGE, SESSION_DIMENSIONS, TURN_DIMENSIONS, load_rubric
from annotator.domain.rubric import SCALE as LEVELS
from annotator.errors import WorldError
from annotator.report.figures import Asked, Figure
from annotator.report.figures_agreement import agreement
from annotator.report.figures_calibration import calibration
from annotator.report.tables import Column, Table, UnitKey, column
from annotator.store import Store
from annotator.store.readings import Readings
from annotator.workspace.figures_fields import Places, week_of
from annotator.workspace.figures_where import EVERYWHERE, Where, narrowed

DIMENSIONS: Final = (*TURN_DIMENSIONS, *SESSION_DIMENSIONS)
UNIT_FIELDS: Final = ("dimension", "scenario", "capability", "modality", "language", "model", "source")
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "agreement": (*UNIT_FIELDS, "rater", "week"),
    "calibration": (*UNIT_FIELDS, "judge", "rater", "week"),
    "retention": ("scenario", "capability", "modality", "language", "source", "rater", "judge", "week"),
    "effort": ("scenario", "modality", "language", "source", "rater", "week"),
}
BLIND: Final = "blind"


@dataclass(frozen=True)
class Figures:
    """What one question about a workspace was answered with.

    Attributes:
        subject: agreement, calibration, retention or effort.
        figures: in the order to read them.
        notes: sentences about what was left out or put together.
        records: judge -> status -> how many judge records, the failed ones included.
        phase: whose labels count as human judgement.
    """

    subject: str
    figures: tuple[Figure, ...]
    asked: Asked
    notes: tuple[str, ...] = ()
    records: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    phase: str = BLIND

    def raw(self) -> dict[str, Any]:
        """As JSON has it."""
        told: dict[str, Any] = {
            "subject": self.subject,
            "figures": [figure.raw() for figure in self.figures],
            "seed": self.asked.seed,
            "resamples": self.asked.resamples,
            "rubric": load_rubric().name,
            "phase": self.phase,
            "notes": list(self.notes),
        }
        if self.records:
            told["judge_records"] = {judge: dict(counts) for judge, counts in self.records.items()}
        return told


class Held:
    """Rows of a workspace, read once for several subjects; for as long as nobody writes."""

    def __init__(self, store: Store, phase: str = BLIND) -> None:
        """Nothing is read yet; labels of `phase` will be."""
        self._store = store
        self.phase = phase
        self.kept: dict[Any, Any] = {}
        self._reader: _Reader | None = None

    def reader(self, asked: Asked, *, judged: bool) -> _Reader:
        """The rows of people, and of judges where they are asked for."""
        if self._reader is None:
            made = _Reader(self._store, self.phase)
            made.people(asked)
            self._reader = made
        if judged:
            self._reader.judges(asked)
        return self._reader


def figures_of(
    store: Store, subject: str, asked: Asked, project: str | None = None, held: Held | None = None,
    where: Where = EVERYWHERE,
) -> Figures:  # fmt: skip
    """The figures of one subject; with `project`, over the units of that spot-check with their weights.

    `held` keeps what was read for the next call; `where` restricts them to a part.

    Raises:
        WorldError: a field that this subject cannot be grouped by, or no such project; Cancelled: stopped.
    """
    check_fields(subject, (*asked.by, *where))
    if subject == "retention":
        from annotator.workspace.figures_retention import retention_of

        return Figures(subject, *retention_of(store, asked, where, held))
    if subject == "effort":
        from annotator.workspace.figures_effort import effort_of

        return Figures(subject, *effort_of(store, asked, where))
    judged = subject == "calibration"
    table, notes, records = table_of(store, asked, judged=judged, project=project, held=held, where=where)
    made = (calibration if judged else agreement)(table, asked)
    return Figures(subject, tuple(made), asked, notes, records, BLIND if held is None else held.phase)


def check_fields(subject: str, by: Sequence[str]) -> None:
    """Refuse a field that figures of this subject cannot be grouped by.

    Raises:
        WorldError: naming those that they can.
    """
    for name in by:
        if name not in FIELDS[subject]:
            raise WorldError(
                f'Figures of {subject} cannot be grouped by "{name}": choose among {", ".join(FIELDS[subject])}.'
            )


def table_of(
    store: Store, asked: Asked, *, judged: bool, project: str | None = None, held: Held | None = None,
    where: Where = EVERYWHERE,
) -> tuple[Table, tuple[str, ...], Mapping[str, Mapping[str, int]]]:  # fmt: skip
    """All scores of people (and, with `judged`, of judges) as one table, with the fields that were asked for."""
    held = held or Held(store)
    reader = held.reader(asked, judged=judged)
    notes, records = reader.notes(), reader.records if judged else {}
    check(asked.token)
    key = (asked.by, judged, project, tuple(sorted((name, values) for name, values in where.items())))
    if held.kept.get("table key") == key:
        return held.kept["table"], notes, records
    weights = None
    if project is not None:
        from annotator.workspace.spotcheck import weights_of

        weights = weights_of(store, project)
    fields = (*asked.by, *(name for name in where if name not in asked.by))
    table = narrowed(reader.table(fields, asked.token, judged=judged, weights=weights), where)
    held.kept |= {"table key": key, "table": table}  # the items behind figures are asked for right after them
    return table, notes, records


class _Reader:
    """Takes rows in, numbering units, raters, judges and weeks as they come."""

    def __init__(self, store: Store, phase: str) -> None:
        self._phase = phase
        self.records: dict[str, dict[str, int]] = {}
        self._places = Places(store)
        self._rows = Readings(store.database)
        self._unit: dict[tuple[str, str, str, str], int] = {}
        self._raters: dict[str, int] = {}
        self._judges: dict[str, int] = {}
        self._labels = array("d")  # unit, rater, value of each label: lists of tuples take seconds to turn into numbers
        self._said_at: list[str] = []
        self._judged = array("d")
        self._judges_read = False
        self._revised: dict[tuple[int, int], float] = {}
        self._again: dict[tuple[int, int], float] = {}
        self._shift: dict[tuple[int, int], float] = {}

    def people(self, asked: Asked) -> None:
        """Take in what people said in this phase."""
        known, units, raters, add = self._places.known, self._unit, self._raters, self._labels.extend
        value_of = {str(level): float(level) for level in LEVELS} | {f'"{CANNOT_JUDGE}"': float("nan")}
        for place, row in enumerate(self._rows.rows_said(self._phase, DIMENSIONS)):
            item_id, responder, rater, target, dimension, value, at = row
            if place % 10_000 == 0:
                check(asked.token)
            if item_id in known:
                unit = units.setdefault((item_id, responder, target, dimension), len(units))
                add((unit, raters.setdefault(rater, len(raters)), value_of[value]))
                self._said_at.append(at)
        check(asked.token)
        if self._phase == BLIND:
            self._after_the_reveal()
            check(asked.token)
            self._when_it_came_again()
            check(asked.token)

    def _after_the_reveal(self) -> None:
        """What raters said when they had seen the judge: beside their blind labels, for one figure alone."""
        for row in self._rows.said("revised", DIMENSIONS):
            unit = self._unit.get(UnitKey(row.item_id, row.responder, row.target, row.field))
            rater = self._raters.get(row.rater)
            if unit is not None and rater is not None and row.value != CANNOT_JUDGE:
                self._revised[unit, rater] = float(row.value)

    def _when_it_came_again(self) -> None:
        """What raters said of content that they had scored before, in another item: beside the first label of it.

        Hidden repeats are no units of their own, so that the label is that of what they show again. What a rater has
        seen the judge's word on is left out: the later score is no blind one.
        """
        seen = {(row.item_id, row.rater) for row in self._rows.said("revised", (REVEALED,))}
        same: dict[tuple[str, str, str], dict[str, tuple[float, int | None]]] = {}
        for judged, row in self._rows.repeated(BLIND, DIMENSIONS, (TURN_DIMENSIONS[0], SESSION_DIMENSIONS[0])):
            if row.value != CANNOT_JUDGE and (row.item_id, row.rater) not in seen:
                unit = self._unit.get(UnitKey(row.item_id, row.responder, row.target, row.field))
                said = same.setdefault((row.rater, judged, row.field), {})
                said.setdefault(row.item_id, (float(row.value), unit))
        for (rater, _, _), said in same.items():
            first, *others = sorted(said.values(), key=lambda one: one[1] is None)  # else in the order of time
            if first[1] is not None and others:  # the repeat itself is no unit of any figure
                label = (first[1], self._raters[rater])
                self._again.setdefault(label, others[0][0])
                order = list(said.values())
                later = 1 if order.index(first) < order.index(others[0]) else -1
                self._shift.setdefault(label, later * (others[0][0] - first[0]))

    def _beside(self, said: Mapping[tuple[int, int], float], labels: Any) -> Any:
        """What was said later of each label's unit by its rater, NaN where nothing was."""
        nothing = float("nan")
        if not said:
            return np.full(len(labels), nothing)
        return np.array([said.get((int(u), int(r)), nothing) for u, r in labels[:, :2]], dtype=np.float64)

    def judges(self, asked: Asked) -> None:
        """Take in what judges scored, once, and count their records by status."""
        if self._judges_read:
            return
        counts: dict[str, Counter[str]] = {}
        found = array("d")  # taken over whole: who stops half-way reads again the next time
        for place, row in enumerate(self._rows.scored()):
            if place % 10_000 == 0:
                check(asked.token)
            if row.item_id not in self._places.known:
                continue
            counts.setdefault(row.judge, Counter())[row.status] += 1
            for dimension, score in row.scores.items():
                key = UnitKey(row.item_id, row.responder, row.target, dimension)
                unit = self._unit.setdefault(key, len(self._unit))
                judge = self._judges.setdefault(row.judge, len(self._judges))
                found.extend((unit, judge, float(score)))
        self._judged, self._judges_read = found, True
        self.records = {judge: dict(sorted(counts[judge].items())) for judge in sorted(counts)}

    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        conflicts, stale = self._rows.left_out(self._phase, DIMENSIONS)
        return left_out_notes(conflicts, stale)

    def table(
        self,
        by: Sequence[str],
        token: CancelToken | None = None,
        *,
        judged: bool,
        weights: Mapping[tuple[str, str, str], float] | None,
    ) -> Table:
        """What was read as arrays, with the fields of `by`; Cancelled between two of them."""
        units = [UnitKey(*key) for key in self._unit]
        codes = {item_id: place for place, item_id in enumerate(sorted({u.item_id for u in units}))}
        clusters = np.fromiter((codes[u.item_id] for u in units), np.int64, len(units))
        raters, place = _sorted(self._raters)
        judges, judge_place = _sorted(self._judges)
        labels, by_judge = (np.frombuffer(kept).reshape(-1, 3) for kept in (self._labels, self._judged))
        of_labels = {"week": column([week_of(at) for at in self._said_at])} if "week" in by else {}
        unit, of_rater = labels[:, 0].astype(np.int64), place[labels[:, 1].astype(np.int64)]
        drawn = None
        if weights is not None:
            drawn = np.array([weights.get((u.item_id, u.responder, u.target), 0.0) for u in units], dtype=np.float64)
            kept = drawn[unit] > 0
            labels, unit, of_rater = labels[kept], unit[kept], of_rater[kept]
            of_labels = {name: one.at(np.flatnonzero(kept)) for name, one in of_labels.items()}
        return Table(
            units=units,
            of_units=self._unit_columns(units, by, judged, token),
            of_labels=of_labels,
            label_unit=unit,
            label_rater=of_rater,
            values=labels[:, 2],
            raters=raters,
            clusters=clusters,
            weights=drawn,
            judges=judges,
            judge_unit=by_judge[:, 0].astype(np.int64),
            judge_code=judge_place[by_judge[:, 1].astype(np.int64)],
            judge_values=by_judge[:, 2],
            sized=self._sizes(units) if judged else None,
            revised=self._beside(self._revised, labels) if judged and self._revised else None,
            again=self._beside(self._again, labels),
            shift=self._beside(self._shift, labels),
        )

    def _sizes(self, units: Sequence[UnitKey]) -> Any:
        """How long each unit's answer is, in characters; a session's is all of its answers together."""
        return np.array([self._places.length(u.item_id, u.responder, u.target) for u in units], dtype=np.float64)

    def _unit_columns(
        self, units: Sequence[UnitKey], by: Sequence[str], judged: bool, token: CancelToken | None
    ) -> dict[str, Column]:
        wanted = [name for name in by if name in UNIT_FIELDS]
        if judged and "model" not in wanted:
            wanted.append("model")  # a judge of a tested model's own family is told of
        readers: dict[str, Callable[[UnitKey], str]] = {
            "dimension": lambda unit: unit.dimension,
            "model": lambda unit: unit.responder,
            "capability": lambda unit: self._places.capability(unit.item_id, unit.target),
        }
        made = {}
        for name in wanted:
            check(token)
            read = readers.get(name) or self._places.reader(name)
            made[name] = column([read(unit) for unit in units], DIMENSIONS if name == "dimension" else ())
        return made


def _sorted(codes: Mapping[str, int]) -> tuple[tuple[str, ...], Any]:
    """Names in their order, and the place of each code in it."""
    names = sorted(codes)
    place = np.empty(len(names), dtype=np.int64)
    for at, name in enumerate(names):
        place[codes[name]] = at
    return tuple(names), place


def left_out_notes(conflicts: int, stale: int) -> tuple[str, ...]:
    """Sentences about labels that count nowhere."""
    told: Iterable[tuple[int, str]] = (
        (conflicts, "because devices of one rater disagree about them"),
        (stale, "because what they judged has changed since"),
    )
    return tuple(f"{number} labels are left out {why}." for number, why in told if number)
