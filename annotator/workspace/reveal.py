"""Blind, lock, reveal: what a judge said, shown to a rater once all that a spot-check drew of a row is committed.

The rule. A row (dialogue, responder) of which a spot-check drew turns or the session is committed when this rater said
all dimensions of all drawn targets and completed the row. Then, and where the workspace and the spot-check allow it,
the judges' records of exactly these targets are read through a connection that sees for that one question; the standing
connections of the window stay blind, for this row too. That it happened is an event (`revealed`) which nothing takes
back: from then on whatever this rater says about the row (and about the candidate) is a second opinion, phase
`revised`, and what was said blind can be changed no more.

Figures that stand on judges are closed to a rater while anything that was drawn is not committed. Who wants to see them
first (a lead who drew the spot-check) opens them for good: what that person still says is phase `open`, never blind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from annotator.domain.judge import Attribution, JudgeRecord
from annotator.domain.labels import CANDIDATE_FIELDS, REVEALED
from annotator.domain.report import ImportReport
from annotator.domain.rubric import dimensions_of, load_rubric
from annotator.domain.sheet import Cell, with_second
from annotator.store import Draft, Store
from annotator.workspace.names import Mask
from annotator.workspace.spots import drawn_rows
from annotator.workspace.views import Opinion, Reveal, RevealState

BLIND: Final = "blind"
REVISED: Final = "revised"
OPEN: Final = "open"
LOOKED: Final = "judges_open_for"
ALLOWED: Final = "reveal"
# Lines about a judge's record whose reason quotes it.
TELLING: Final = frozenset({"avg_differs", "score_fraction", "score_rejected", "vector_differs"})
CLOSED_REASON: Final = "a value of a judge's record; the command line tells it"


@dataclass(frozen=True, slots=True)
class Drawn:
    """What spot-checks drew of one row: all targets, and those that may be revealed."""

    targets: frozenset[str]
    shown: frozenset[str]


_NOTHING: Final = Drawn(frozenset(), frozenset())


class RevealBook:
    """Which rows of one workspace are closed, committed and open for one rater."""

    def __init__(self, store: Store, rater: str) -> None:
        """Nothing is read yet."""
        self._store = store
        self._rater = rater

    @property
    def allowed(self) -> bool:
        """Whether this workspace reveals at all; the lead decides."""
        return bool(self._store.desk.get(ALLOWED, True))

    def allow(self, on: bool) -> None:
        """Reveal in this workspace, or never."""
        self._store.desk.set(ALLOWED, on)

    def drawn(self, item_id: str, responder: str) -> Drawn:
        """What spot-checks drew of a row."""
        targets: set[str] = set()
        shown: set[str] = set()
        for spot in drawn_rows(self._store).values():
            own = spot.rows.get((item_id, responder), frozenset())
            targets |= own
            shown |= own if spot.reveal else frozenset()
        return Drawn(frozenset(targets), frozenset(shown)) if targets else _NOTHING

    def opened(self, item_id: str, responder: str | None) -> frozenset[str]:
        """The targets whose judgements this rater has seen, of one row (None: of any row of the item)."""
        found: set[str] = set()
        for label in self._store.labels.current(item_id=item_id, rater=self._rater, phase=REVISED):
            current = label.current
            if current.key.field == REVEALED and responder in (None, current.key.responder):
                found.update(current.value or ())
        return frozenset(found)

    def phase_for(self, item_id: str, responder: str, field: str) -> str:
        """The phase of what this rater says now: blind, or a second opinion once anything of it was revealed."""
        whose = None if field in CANDIDATE_FIELDS else responder
        if self.opened(item_id, whose):
            return REVISED
        return OPEN if self.looks else BLIND

    @property
    def looks(self) -> bool:
        """Whether this rater opened the figures of judges, and scores blind no more."""
        return self._rater in self._store.desk.get(LOOKED, [])

    def look(self) -> None:
        """Open the figures of judges to this rater, for good.

        Raises:
            WorldError: when the workspace cannot be written.
        """
        held = self._store.desk.get(LOOKED, [])
        if self._rater not in held:
            self._store.desk.set(LOOKED, sorted({*held, self._rater}))

    def cells(self, item_id: str, responder: str) -> dict[tuple[str, str], Cell]:
        """This rater's labels on a row, second opinions over the first."""
        labels = self._store.labels
        blind = labels.cells(item_id, responder, self._rater, BLIND)
        later = labels.cells(item_id, responder, self._rater, OPEN)
        if later:
            blind = {**blind, **{key: cell for key, cell in later.items() if cell.value is not None or cell.conflict}}
        revised = labels.cells(item_id, responder, self._rater, REVISED)
        revised.pop(("item", REVEALED), None)
        return with_second(blind, revised) if revised else blind

    def is_committed(self, item_id: str, responder: str, targets: frozenset[str]) -> bool:
        """Whether the rater completed the row with every dimension of these targets said blind."""
        cells = self._store.labels.cells(item_id, responder, self._rater, BLIND)
        complete = cells.get(("item", "complete"))
        if not targets or complete is None or complete.value is not True:
            return False
        asked = ((target, dimension) for target in targets for dimension in dimensions_of(target))
        return all((cell := cells.get(key)) is not None and cell.value is not None for key in asked)

    def state(self, item_id: str, responder: str) -> RevealState:
        """How far a row is."""
        drawn = self.drawn(item_id, responder)
        opened = self.opened(item_id, responder)
        if not drawn.targets and not opened:
            return "none"
        if not self.allowed or (not drawn.shown and not opened) or (self.looks and not opened):
            return "off"
        if opened and drawn.shown <= opened:
            return "open"
        return "committed" if self.is_committed(item_id, responder, drawn.targets) else "closed"

    def fact(self, item_id: str, responder: str, lang: str = "") -> Draft | None:
        """The statement that a row is revealed now; None where it is not committed, or there is nothing to show."""
        drawn = self.drawn(item_id, responder)
        if self._store.read_only or self.state(item_id, responder) != "committed":
            return None
        with self._store.database.seeing():
            judged = {record.target for record in self._store.judges.records(item_id, responder)}
        targets = sorted((drawn.shown & judged) | self.opened(item_id, responder), key=_order)
        if not targets:
            return None
        return Draft(
            rater=self._rater, item_id=item_id, responder=responder, target="item", field=REVEALED, value=targets,
            phase=REVISED, rubric=load_rubric().name, lang=lang,
        )  # fmt: skip

    def view(self, item_id: str, responder: str, mask: Mask) -> Reveal:
        """What a rater may see of a row's judgements: nothing but the state, until it is open."""
        state, targets = self.state(item_id, responder), self.opened(item_id, responder)
        drawn = self.drawn(item_id, responder).targets
        if state in ("none", "off") or not targets:
            return Reveal(state, drawn)
        with self._store.database.seeing():
            records = [r for r in self._store.judges.records(item_id, responder) if r.target in targets]
            found = [a for a in self._store.attributions.of(item_id, responder) if a.target in targets]
        names = _names(records, mask)
        opinions: dict[str, list[Opinion]] = {}
        for record in records:
            opinions.setdefault(record.target, []).append(_opinion(record, names[record.judge], mask))
        why: dict[str, list[Attribution]] = {}
        for one in found:
            why.setdefault(one.target, []).append(one.model_copy(update={"summary": mask(one.summary), "raw": {}}))
        return Reveal("open", drawn, {k: tuple(v) for k, v in opinions.items()}, {k: tuple(v) for k, v in why.items()})


def _opinion(record: JudgeRecord, name: str, mask: Mask) -> Opinion:
    said: Any = record.raw.get("overall_summary")
    return Opinion(
        judge=name,
        status=record.status,
        scores=dict(record.scores),
        reasons={dimension: mask(reason) for dimension, reason in record.reasons.items()},
        summary=mask(said) if isinstance(said, str) else "",
    )


def _names(records: list[JudgeRecord], mask: Mask) -> dict[str, str]:
    """A short name for each judge, told apart where models are equal; a number where it would name a tested model."""
    judges = list(dict.fromkeys(record.judge for record in records))
    models = {judge: [*judge.split("::"), "", ""][1] or judge for judge in judges}
    made: dict[str, str] = {}
    for number, judge in enumerate(judges, 1):
        name = models[judge]
        if list(models.values()).count(name) > 1:
            name = " ".join(part for part in judge.split("::")[1:] if part)
        made[judge] = f"J{number}" if mask(name) != name else name
    return made


def _order(target: str) -> tuple[bool, int]:
    _, _, index = target.partition(":")
    return (not index, int(index or 0))


def closed_report(report: ImportReport) -> ImportReport:
    """An import report as raters may read it: what is wrong with a judge's record, and where; no value of it."""
    if not any(line.code in TELLING for line in report.lines):
        return report
    lines = [
        line.model_copy(update={"reason": CLOSED_REASON}) if line.code in TELLING else line for line in report.lines
    ]
    return report.model_copy(update={"lines": lines})


def closed_to(store: Store, rater: str) -> str:
    """Why this rater may see no figure of judges yet: a sentence; "" where nothing keeps it back.

    While anything that a spot-check drew is not committed, a figure would tell what is to be scored blind.
    """
    book = RevealBook(store, rater)
    if book.looks:
        return ""
    left = 0
    for spot in drawn_rows(store).values():
        left += sum(
            not book.is_committed(*row, targets) and not book.opened(*row) for row, targets in spot.rows.items()
        )
    if not left:
        return ""
    return (
        f"Figures of judges stay closed while you score a spot-check blind: {left} of its rows are not completed. A "
        "lead opens them in the settings, or reads them with `annotator stats`."
    )
