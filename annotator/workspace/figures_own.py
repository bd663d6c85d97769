"""Effort for the statistics page: how raters work is for planning, and no rater is shown another's.

There are no accounts in a workspace, only the name that its labels carry. So the nearest honest rule is by deed: who
has adjudicated here is taken for the lead and sees everyone; everyone else sees the own work alone, whatever is asked.
The command line, a lead's tool, prints everyone's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from annotator.report.figures import Asked, Figure
from annotator.report.figures_effort import RUSHED_MS
from annotator.store.readings import Readings
from annotator.workspace.figures import DIMENSIONS, Figures, figures_of
from annotator.workspace.figures_behind import Behind
from annotator.workspace.figures_effort import sittings_of

if TYPE_CHECKING:
    from annotator.store import Store
    from annotator.workspace.figures_room import FigureRoom, Question

ALL: Final = "shown_to_a_lead"
OWN: Final = "shown_own_alone"
_DRIFT: Final = ("bias", "exact")


def leads(store: Store) -> bool:
    """Whether the rater of this workspace has adjudicated anything in it."""
    settled = Readings(store.database).said("adjudicated", (*DIMENSIONS, "verdict"))
    return any(row.rater == store.desk.rater for row in settled)


def _allowed(room: FigureRoom, question: Question) -> dict[str, frozenset[str]]:
    """The question's part; for no lead, of the own work alone."""
    part = question.part()
    return part if leads(room.store) else part | {"rater": frozenset({room.store.desk.rater})}


def answer_effort(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    """What `annotator stats effort` prints, of the question's part; of the own work alone where one is no lead."""
    made = figures_of(room.store, "effort", asked, where=_allowed(room, question))
    return replace(made, notes=(*made.notes, ALL if leads(room.store) else OWN))


def answer_drift(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    """Each rater's bias against the others by week (`agreement --by rater --by week`), the own alone for no lead.

    `drift` is the last week's bias less the first's, where a rater has both.
    """
    asked = replace(asked, by=("rater", "week"))
    part = {name: values for name, values in question.part().items() if name not in ("rater", "week")}
    made = figures_of(room.store, "agreement", asked, held=room.held(), where=part)
    wanted = _allowed(room, question).get("rater", frozenset())
    shown = [one for one in made.figures if one.name in _DRIFT and (not wanted or one.by["rater"] in wanted)]
    return replace(made, subject="drift", figures=(*shown, *_drifts(shown)))


def _drifts(figures: Sequence[Figure]) -> list[Figure]:
    weeks: dict[str, list[Figure]] = {}
    for figure in figures:
        if figure.name == "bias" and figure.value is not None:
            weeks.setdefault(str(figure.by["rater"]), []).append(figure)
    found = []
    for rater, held in sorted(weeks.items()):
        by: dict[str, Any] = {"rater": rater}
        held.sort(key=lambda one: str(one.by["week"]))
        if len(held) < 2:
            why = "undefined: the rater was compared with others in one week only"
            found.append(Figure("drift", by, None, why, n=held[0].n))
            continue
        more = {"first": held[0].by["week"], "last": held[-1].by["week"]}
        found.append(Figure("drift", by, held[-1].value - held[0].value, n=held[0].n + held[-1].n, more=more))
    return found


def behind_effort(room: FigureRoom, question: Question, name: str, by: Mapping[str, str]) -> Behind:
    """The queue rows of the items behind a figure of effort; of `rushed` only those that were scored in a rush."""
    room.look()
    allowed = _allowed(room, question)
    group = {field: frozenset({value}) for field, value in by.items()}
    if "rater" in group and "rater" in allowed:
        group["rater"] &= allowed["rater"]
        if not group["rater"]:
            return Behind((), 0)
    part = allowed | group
    sittings = [one for one in sittings_of(room.store, Asked(by=question.by), part) if one.active_ms > 0]
    if name == "rushed":
        sittings = [one for one in sittings if any(equal and 0 < ms < RUSHED_MS for ms, equal in one.targets)]
    wanted = {one.item_id for one in sittings}
    rows = room.store.queue.rows(room.store.desk.rater)
    return Behind(tuple((row.item_id, row.responder, "item") for row in rows if row.item_id in wanted), len(wanted))
