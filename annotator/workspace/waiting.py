"""Judges' records and attributions whose dialogue or turn is not imported, put to a person by judge and file.

They join by themselves when it is imported. Where that will never be, a person may let them go.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from annotator.domain.judge import Attribution, JudgeRecord
from annotator.domain.report import ImportReport, Problem
from annotator.store import ImportWriter, Store
from annotator.store.attributions import AttributionWriter
from annotator.workspace.intake import problem_id

CODES: Final = {"judge": "judge_waiting", "attribution": "attribution_waiting"}
_NAMED: Final = 3


@dataclass(slots=True)
class _Group:
    """What waits of one judge from one file."""

    kind: str
    judge: str
    file: str
    sources: dict[str, None] = field(default_factory=dict)
    records: int = 0

    def problem(self) -> Problem:
        """As it is put to a person; says nothing of what was scored."""
        what = "judgements" if self.kind == "judge" else "error attributions"
        shown = ", ".join(list(self.sources)[:_NAMED]) + (", …" if len(self.sources) > _NAMED else "")
        reason = (
            f"{self.records} {what} of {self.judge} wait for dialogues or turns that are not imported ({shown}): "
            "import those, or let these go"
        )
        detail = {"judge": self.judge, "records": self.records, "dialogues": len(self.sources)}
        return Problem(
            id=problem_id(CODES[self.kind], self.judge, self.file), code=CODES[self.kind], file=self.file,
            reason=reason, choices=("drop",), detail=detail,
        )  # fmt: skip


def _groups(found: list[tuple[str, JudgeRecord | Attribution]]) -> dict[str, _Group]:
    groups: dict[tuple[str, str, str], _Group] = {}
    for kind, record in found:
        key = (kind, record.judge, record.file)
        group = groups.setdefault(key, _Group(*key))
        group.sources[record.source_id] = None
        group.records += 1
    return {group.problem().id: group for group in groups.values()}


def waiting_problems(store: Store) -> list[Problem]:
    """What waits, one problem for each judge and file, in the order in which it came."""
    with store.database.seeing():  # counted and named; no score of it leaves
        found: list[tuple[str, JudgeRecord | Attribution]] = [("judge", r) for r in store.judges.waiting()]
        found += [("attribution", a) for a in store.attributions.waiting()]
    return [group.problem() for group in _groups(found).values()]


def is_waiting(problem: str) -> bool:
    """Whether a problem's id is of this kind."""
    return problem.startswith(tuple(f"{code}-" for code in CODES.values()))


def let_go(store: Store, writer: ImportWriter, problem: str, report: ImportReport) -> bool:
    """Remove the waiting records that a problem is about; False where none wait any more.

    Imported once more they wait once more: what is let go is not remembered, since it may be wanted later.
    """
    attributions = AttributionWriter(store.database, writer)
    held: list[tuple[int, str, JudgeRecord | Attribution]] = [(p, "judge", r) for p, r in writer.waiting()]
    held += [(place, "attribution", one) for place, one in attributions.waiting()]
    group = _groups([(kind, record) for _, kind, record in held]).get(problem)
    if group is None:
        return False
    key = (group.kind, group.judge, group.file)
    gone = [place for place, kind, record in held if (kind, record.judge, record.file) == key]
    writer.join(gone)
    report.rejected = len(gone)
    return True
