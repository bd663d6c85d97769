"""Retention for the statistics page: figures of a part, the judge's threshold as it moves, and the dialogues behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from annotator.cancel import check
from annotator.domain.labels import VERDICTS
from annotator.errors import WorldError
from annotator.report.figures import Asked, Figure
from annotator.report.retention import KEEP, UNDECIDED, Candidate, at_threshold, groups_of, scored_of
from annotator.workspace.figures import Figures, figures_of
from annotator.workspace.figures_behind import Behind
from annotator.workspace.figures_items import took_part
from annotator.workspace.figures_own import OWN
from annotator.workspace.figures_retention import candidates_of

if TYPE_CHECKING:
    from annotator.workspace.figures_room import FigureRoom, Question

STEP: Final = 0.05
CUT: Final = 4.0
"""Below this mean the pipeline calls a record low."""
STEPS: Final = tuple(round(1 + STEP * place, 2) for place in range(81))
"""The thresholds from 1 to 5 that the slider can stand on."""
CELLS: Final = ("both_keep", "saved_by_people", "missed_by_judge", "both_drop")


def answer_retention(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    """What `annotator stats retention` prints, of the question's part.

    To who scores a spot-check blind: of the own verdicts alone, since others' and judges' are hidden for as long.
    """
    made = figures_of(room.store, "retention", asked, held=room.held(), where=_part(room, question))
    if not room.closed:
        return made
    return replace(made, figures=tuple(f for f in made.figures if not of_judges(f.name)), notes=(*made.notes, OWN))


def _part(room: FigureRoom, question: Question) -> dict[str, frozenset[str]]:
    part = question.part()
    return part | {"rater": frozenset({room.store.desk.rater})} if room.closed else part


def of_judges(name: str) -> bool:
    """Whether a figure of retention, or a cell behind one, stands on what judges said."""
    return name in CELLS or name.startswith(("judge_keep_", "rogan_gladen_", "auc"))


def answer_what_if(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    """`judge_keep_<t>` and `rogan_gladen_<t>` at every step of the slider: of all judges together, and of each."""
    candidates = candidates_of(room.store, asked, question.part(), room.held())
    judges = sorted({judge for one in candidates for judge in one.judged_by})
    figures: list[Figure] = []
    for place, judge in enumerate(("", *judges)):
        asked.tell(place, len(judges) + 1)
        scored = scored_of([one.of_judge(judge) for one in candidates] if judge else candidates)
        for threshold in STEPS:
            check(asked.token)
            figures += at_threshold(scored, threshold, {"judge": judge} if judge else {})
    return Figures("what_if", tuple(figures), asked)


def behind_candidates(
    room: FigureRoom, question: Question, name: str, by: Mapping[str, str], judge: str = "", threshold: float = CUT
) -> Behind:
    """The queue rows of the dialogues behind a figure of retention.

    `name` is a figure's, a verdict (or `undecided`), or a cell of people against the judge at `threshold`.

    Raises:
        WorldError: it stands on judges, and this rater scores a spot-check blind.
    """
    room.look()
    if room.closed and of_judges(name):
        raise WorldError(room.closed, code="blind")
    candidates = candidates_of(room.store, question.asked(), _part(room, question), room.held())
    members = next((held for group, held in groups_of(candidates, question.by) if group == dict(by)), [])
    found = [one.item_id for one in members if _counts(one, name, judge, threshold)]
    wanted = set(found)
    rows = room.store.queue.rows(room.store.desk.rater)
    places = tuple((row.item_id, row.responder, "item") for row in rows if row.item_id in wanted)
    return Behind(places, len(found))


def _counts(one: Candidate, name: str, judge: str, threshold: float) -> bool:
    if name in (*VERDICTS, UNDECIDED):
        return one.verdict() == name
    if name in CELLS:
        seen, verdict = one.of_judge(judge) if judge else one, one.verdict()
        if seen.judged is None or verdict not in VERDICTS:
            return False
        return CELLS.index(name) == 2 * (verdict != KEEP) + (seen.judged < threshold)
    return took_part(one, name)
