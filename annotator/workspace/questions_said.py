"""What people said of questions, as sheets and rows: read from the current labels of all phases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from annotator.domain.question_sheet import KeyFinding, QuestionRow, QuestionSheet, cross_check, key_finding
from annotator.domain.sheet import Cell
from annotator.store import CurrentLabel, ItemHead, Store

# Of one rater's phases the one that was said with the most in sight counts for what is shown; figures choose their own.
_SHOWN: Final = ("blind", "open", "revised", "adjudicated")
_OPEN_LETTER: Final = "letter:"
# What holds of a question of which nobody said anything.
_UNSAID: Final = QuestionSheet("", "").status()
_UNCHECKED: Final = cross_check({})
_SILENT: Final[dict[str, str | None]] = {}


@dataclass(slots=True)
class Said:
    """All raters' cells on one question.

    Attributes:
        cells: rater -> phase -> field -> cell.
    """

    cells: dict[str, dict[str, dict[str, Cell]]] = field(default_factory=dict)

    def sheet(self, item_id: str, rater: str) -> QuestionSheet:
        """One rater's sheet over all phases."""
        shown: dict[str, Cell] = {}
        phases: dict[str, str] = {}
        for phase in _SHOWN:
            for name, cell in self.cells.get(rater, {}).get(phase, {}).items():
                if cell.value is not None or cell.conflict or name not in shown:
                    shown[name] = cell
                    phases[name] = phase
        return QuestionSheet(item_id, rater, shown, phases)

    def verdicts(self, item_id: str) -> dict[str, tuple[Any, Any]]:
        """(verdict, letter) of every rater who gave a verdict that counts."""
        found = {}
        for rater in self.cells:
            sheet = self.sheet(item_id, rater)
            cell = sheet.cell("key_verdict")
            if cell.value is not None and not cell.stale:
                found[rater] = (cell.value, sheet.value("key_letter"))
        return found

    @property
    def ruling(self) -> tuple[Any, Any] | None:
        """(verdict, letter) of an adjudication of the key; None without one."""
        for phases in self.cells.values():
            held = phases.get("adjudicated", {})
            if "key_verdict" in held and held["key_verdict"].value is not None:
                letter = held.get("key_letter")
                return held["key_verdict"].value, letter.value if letter is not None else None
        return None

    @property
    def adjudicated(self) -> bool:
        """Whether somebody settled the key."""
        return self.ruling is not None

    def finding(self, item_id: str) -> KeyFinding | None:
        """What stands about the key; None while it is open."""
        return key_finding(self.verdicts(item_id), self.ruling)


def said_of(labels: Iterable[CurrentLabel]) -> dict[str, Said]:
    """By question, what was said of it."""
    found: dict[str, Said] = defaultdict(Said)
    for label in labels:
        key, current = label.current.key, label.current
        if not key.item_id.startswith("question:") or key.target != "item":
            continue
        cell = Cell(current.value, current.conflict, label.stale, current.at)
        found[key.item_id].cells.setdefault(key.rater, {}).setdefault(key.phase, {})[key.field] = cell
    return dict(found)


def row_of(
    head: ItemHead, said: Said | None, rater: str, disagreeing: tuple[str, ...], *, open_phase: bool
) -> QuestionRow:
    """The queue row of one question for one rater."""
    task, category, language, split = (*head.categories, "", "", "", "")[:4]
    if said is None:  # as nearly all are at first: tens of thousands of sheets that say nothing need not be made
        status, cross, answered, spoken = _UNSAID, _UNCHECKED, False, _SILENT
    else:
        sheet = said.sheet(head.item_id, rater)
        status, answered, spoken = sheet.status(), sheet.answered, sheet.letters()
        cross = cross_check(said.verdicts(head.item_id), said.adjudicated)
    revealed = open_phase or answered
    return QuestionRow(
        item_id=head.item_id,
        source_id=head.source_id,
        title=head.title,
        task=task,
        domain=head.scenario,
        category=category,
        language=language,
        split=split,
        status=status,
        cross=cross,
        answered=answered,
        letters_open=sum(m not in spoken for m in disagreeing) if revealed else 0,
        missing_image=head.missing > 0,
    )


def statuses(store: Store, rater: str) -> Mapping[str, str]:
    """The status of every question on which this rater said anything."""
    said = said_of(store.labels.current(rater=rater))
    return {item: held.sheet(item, rater).status() for item, held in said.items()}
