"""How far people are with a question: one rater's sheet, the check by several raters, the queue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple

from annotator.domain.sheet import Cell, Status, row_status

CrossState = Literal["none", "one", "agreed", "third_wanted", "settled", "disputed"]
# Said of a model's output by a person who saw that there is no letter in it.
NO_LETTER: Final = "none"
ANSWER_FIELDS: Final = ("answer", "key_verdict")


def needs_letter(key_verdict: Any) -> bool:
    """Whether a verdict on the key is complete only with the right letter or a note."""
    return bool(key_verdict == "wrong")


@dataclass(frozen=True, slots=True)
class QuestionSheet:
    """What one rater has said about one question, over the phases in which it was said.

    Attributes:
        cells: field -> current value (target `item`).
        phases: field -> the phase it was said in.
    """

    item_id: str
    rater: str
    cells: Mapping[str, Cell] = field(default_factory=dict)
    phases: Mapping[str, str] = field(default_factory=dict)

    def cell(self, name: str) -> Cell:
        """The cell of a field; an empty one where nothing was said."""
        return self.cells.get(name, _EMPTY)

    def value(self, name: str) -> Any:
        """The current value of a field."""
        return self.cell(name).value

    @property
    def answered(self) -> bool:
        """Whether the rater committed an answer; only then may key and predictions be seen."""
        return self.value("answer") is not None

    def letters(self) -> dict[str, str | None]:
        """The letters that this rater confirmed or corrected, by model (`none`: there is no letter in it)."""
        return {f[7:]: c.value for f, c in self.cells.items() if f.startswith("letter:") and c.value is not None}

    def gaps(self) -> tuple[str, ...]:
        """What is still to be said, in the order of work."""
        found = [name for name in ANSWER_FIELDS if self.value(name) is None or self.cell(name).stale]
        if not found and needs_letter(self.value("key_verdict")):
            if self.value("key_letter") is None and not str(self.value("note") or "").strip():
                found.append("key_letter")
        return tuple(found)

    def status(self) -> Status:
        """The status of the item for this rater."""
        judged = [self.cell(name) for name in (*ANSWER_FIELDS, "key_letter")]
        return row_status(
            any_said=any(c.value is not None for c in judged),
            all_said=not self.gaps(),
            conflict=any(c.conflict for c in judged),
            stale=any(c.stale and c.value is not None for c in judged),
            returned=False,
        )


_EMPTY = Cell(None)


def cross_check(findings: Mapping[str, tuple[Any, Any]], adjudicated: bool = False) -> CrossState:
    """How far the check by several people is.

    `findings`: by rater, the (key verdict, right letter) of those who gave a verdict. Two who agree are enough; two who
    do not want a third; of three the majority settles it; an adjudicated verdict does so at once.
    """
    if adjudicated:
        return "settled"
    if len(findings) < 2:
        return "one" if findings else "none"
    counts = Counter(_said(f) for f in findings.values())
    most = counts.most_common(1)[0][1]
    if len(counts) == 1:
        return "agreed"
    if len(findings) == 2:
        return "third_wanted"
    return "settled" if 2 * most > len(findings) else "disputed"


def _said(finding: tuple[Any, Any]) -> tuple[Any, Any]:
    verdict, letter = finding
    return (verdict, letter if needs_letter(verdict) else None)


def settled_finding(findings: Mapping[str, tuple[Any, Any]]) -> tuple[Any, Any] | None:
    """The (verdict, letter) that most of those who gave one agree on; None without a majority."""
    counts = Counter(_said(f) for f in findings.values())
    if not counts:
        return None
    best, most = counts.most_common(1)[0]
    return best if 2 * most > len(findings) else None


class KeyFinding(NamedTuple):
    """What stands about a key.

    Attributes:
        verdict, letter: what most of those who gave a verdict agree on, or an adjudication; the letter of a wrong key.
        raters: how many gave a verdict.
        state: how far the check by several people is.
    """

    verdict: Any
    letter: Any
    raters: int
    state: CrossState

    @property
    def cross_checked(self) -> bool:
        """Whether at least two people agree on it, or an adjudication says so; else it is one person's word."""
        return self.state in ("agreed", "settled")


def key_finding(findings: Mapping[str, tuple[Any, Any]], ruling: tuple[Any, Any] | None = None) -> KeyFinding | None:
    """What stands about a key by the raters' verdicts, or by the `ruling` of an adjudication; None while it is open."""
    found = ruling if ruling is not None else settled_finding(findings)
    if found is None:
        return None
    return KeyFinding(*_said(found), len(findings), cross_check(findings, ruling is not None))


# ------------------------------------------------------------------------------------------------------ the queue
@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One row of the question queue, cheap enough for tens of thousands; tells neither key nor predictions.

    Attributes:
        letters_open: how many of the models' outputs still want a person's letter; 0 while blind.
        cross: how far the check by several people is.
    """

    item_id: str
    source_id: str
    title: str
    task: str
    domain: str
    category: str
    language: str
    split: str
    status: Status
    cross: CrossState = "none"
    answered: bool = False
    letters_open: int = 0
    missing_image: bool = False

    @property
    def finished(self) -> bool:
        """Whether nothing is left to say about question and key."""
        return self.status == "complete"


@dataclass(frozen=True, slots=True)
class QuestionFilter:
    """What is shown; an empty set does not restrict.

    Attributes:
        search: literal text, folded; answered by the store.
        unfinished: only rows that are not complete.
        letters_open: only answered rows where profiles disagree and nobody said the letter.
        only: exactly these items, whatever else they are; a figure's, say.
    """

    search: str = ""
    unfinished: bool = False
    letters_open: bool = False
    tasks: frozenset[str] = frozenset()
    domains: frozenset[str] = frozenset()
    categories: frozenset[str] = frozenset()
    languages: frozenset[str] = frozenset()
    splits: frozenset[str] = frozenset()
    statuses: frozenset[str] = frozenset()
    crosses: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()

    def chosen(self, rows: Iterable[QuestionRow]) -> list[QuestionRow]:
        """The rows that pass everything but the search, in their order."""
        if self.only:
            rows = [row for row in rows if row.item_id in self.only]
        for name, allowed in self._sets():
            if allowed:
                get = attrgetter(name)
                rows = [row for row in rows if get(row) in allowed]
        if self.unfinished:
            rows = [row for row in rows if not row.finished]
        if self.letters_open:
            rows = [row for row in rows if row.letters_open]
        return list(rows)

    def _sets(self) -> tuple[tuple[str, frozenset[str]], ...]:
        return (
            ("task", self.tasks), ("domain", self.domains), ("category", self.categories), ("language", self.languages),
            ("split", self.splits), ("status", self.statuses), ("cross", self.crosses),
        )  # fmt: skip

    def accepts(self, row: QuestionRow) -> bool:
        """Whether a row passes everything but the search."""
        return bool(self.chosen((row,)))


FACETS: Final = ("task", "domain", "category", "language", "split", "status", "cross")


def question_facets(rows: Iterable[QuestionRow]) -> dict[str, Counter[str]]:
    """How many rows each value of each field has."""
    held = list(rows)
    return {name: Counter(getattr(row, name) for row in held) for name in FACETS}
