"""Effort for the statistics page: how raters work is for planning, and no rater is shown another's.

There are no accounts in a workspace, only the name that its labels carry. So the nearest honest rule is by deed: who
has adjudicated here is taken for the lead and sees everyone; everyone else sees the own work alone, whatever is asked.
The command line, a lead's tool, prints everyone's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from annotator.report.figures import Asked, Figure
from annotator.store.readings import Readings
from annotator.workspace.figures import DIMENSIONS, Figures, figures_of

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


def answer_effort(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    """What `annotator stats effort` prints, of the question's part; of the own work alone where one is no lead."""
    part = dict(question.part())
    lead = leads(room.store)
    if not lead:
        part["rater"] = frozenset({room.store.desk.rater})
    made = figures_of(room.store, "effort", asked, where=part)
    return replace(made, notes=(*made.notes, ALL if lead else OWN))


def answer_drift(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    """Each rater's bias against the others by week (`agreement --by rater --by week`), the own alone for no lead.

    `drift` is the last week's bias less the first's, where a rater has both.
    """
    asked = replace(asked, by=("rater", "week"))
    part = {name: values for name, values in question.part().items() if name not in ("rater", "week")}
    made = figures_of(room.store, "agreement", asked, held=room.held(), where=part)
    wanted = question.part().get("rater", frozenset())
    if not leads(room.store):
        wanted = frozenset({room.store.desk.rater})
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
