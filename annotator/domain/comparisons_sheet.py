"""How far people are with a comparison: one rater's sheet, what is missing, and what a reviewer said of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from annotator.domain.comparisons import competition, full_tie, with_example
from annotator.domain.labels import is_review
from annotator.domain.rubric import CANNOT_JUDGE, COMPARISON_SCALES
from annotator.domain.sheet import Cell, Gap, Status, row_status

ReviewState = Literal["accepted", "corrected", "returned"]
REVIEW_STATES: Final[tuple[ReviewState, ...]] = ("accepted", "corrected", "returned")
ITEM_FLAGS: Final = ("confusing", "incomplete", "choices_do_not_fit", "not_answerable")
SAFETY_FLAGS: Final = ("refused", "harmful", "shows_adversarial", "shows_original", "risk_named")
# A full tie is told apart by one of these.
ALL_GOOD: Final = "flag:all_good"
ALL_BAD: Final = "flag:all_bad"
OWN_ANSWER: Final = "edit:reference"


@dataclass(frozen=True, slots=True)
class Example:
    """A response that a person constructed because all others tied."""

    text: str
    kind: Literal["negative", "positive"]

    @classmethod
    def of(cls, value: Any) -> Example | None:
        """From the label `constructed`; None where nothing usable is in it."""
        if not isinstance(value, dict) or value.get("kind") not in ("negative", "positive"):
            return None
        text = value.get("text")
        return cls(text, value["kind"]) if isinstance(text, str) and text.strip() else None

    def value(self) -> dict[str, str]:
        """As a label's value."""
        return {"kind": self.kind, "text": self.text}


@dataclass(frozen=True, slots=True)
class ComparisonSheet:
    """What one rater has said about one comparison, over the phases in which it was said.

    Attributes:
        responses: how many there are.
        reasons: whether the project asks for a reason for each response and for the ranking.
        cells: by (target, field).
    """

    item_id: str
    rater: str
    responses: int
    reasons: bool = False
    cells: Mapping[tuple[str, str], Cell] = field(default_factory=dict)

    def cell(self, target: str, name: str) -> Cell:
        """The cell of a field; an empty one where nothing was said."""
        return self.cells.get((target, name), _EMPTY)

    def value(self, target: str, name: str) -> Any:
        """The current value of a field."""
        return self.cell(target, name).value

    def scores(self, place: int) -> tuple[Any, ...]:
        """The three scores of a response: a level, `cannot_judge`, or None."""
        return tuple(self.value(f"response:{place}", scale) for scale in COMPARISON_SCALES)

    @property
    def ranking(self) -> list[int] | None:
        """The rank of each response; None where it was not given or does not fit the item."""
        value = self.value("item", "ranking")
        return value if isinstance(value, list) and len(value) == self.responses else None

    @property
    def example(self) -> Example | None:
        """The constructed response, if there is one."""
        return Example.of(self.value("item", "constructed"))

    def extended(self) -> list[int] | None:
        """The ranking with the constructed example as one more response, where there is one."""
        ranking, example = self.ranking, self.example
        if ranking is None or example is None or not full_tie(ranking):
            return ranking
        return with_example(ranking, example.kind)

    def gaps(self) -> tuple[Gap, ...]:
        """What is still to be said, in the order of work: scores and reasons of each response, ranking, example."""
        found: list[Gap] = []
        for place in range(self.responses):
            target = f"response:{place}"
            found += [Gap(target, scale) for scale in COMPARISON_SCALES if not self._counts(target, scale)]
            if self.reasons and not self._written(target, "note"):
                found.append(Gap(target, "note"))
        ranking = self.ranking
        if ranking is None or not self._counts("item", "ranking"):
            found.append(Gap("item", "ranking"))
        if self.reasons and not self._written("item", "ranking_reason"):
            found.append(Gap("item", "ranking_reason"))
        if ranking is not None and full_tie(ranking) and self.example is None:
            found.append(Gap("item", "constructed"))
        return tuple(found)

    def _counts(self, target: str, name: str) -> bool:
        cell = self.cell(target, name)
        return cell.value is not None and not cell.stale

    def _written(self, target: str, name: str) -> bool:
        return bool(str(self.value(target, name) or "").strip())

    def status(self, returned: bool = False) -> Status:
        """The status of the item for this rater."""
        judged = [c for (t, f), c in self.cells.items() if f in COMPARISON_SCALES or (t, f) == ("item", "ranking")]
        return row_status(
            any_said=any(c.value is not None for c in judged),
            all_said=not self.gaps(),
            conflict=any(c.conflict for c in judged),
            stale=any(c.stale and c.value is not None for c in judged),
            returned=returned,
        )

    def contradictions(self) -> tuple[tuple[int, int], ...]:
        """(better, worse) by the ranking where the same rater's scores say the opposite: a notice, never a block.

        Scores are compared by the mean of the scales that were judged for both responses.
        """
        ranking = self.ranking
        if ranking is None:
            return ()
        return contradicting(ranking, [self.scores(place) for place in range(self.responses)])


_EMPTY = Cell(None)


def contradicting(ranking: Sequence[int], scores: Sequence[Sequence[Any]]) -> tuple[tuple[int, int], ...]:
    """(better, worse) of each pair that scores order the other way round; `scores` are (responses, scales)."""
    found = []
    for i, j in ((i, j) for i in range(len(ranking)) for j in range(len(ranking)) if ranking[i] < ranking[j]):
        both = [(a, b) for a, b in zip(scores[i], scores[j], strict=True) if _level(a) and _level(b)]
        if both and sum(a for a, _ in both) < sum(b for _, b in both):
            found.append((i, j))
    return tuple(found)


def _level(value: Any) -> bool:
    return value is not None and value != CANNOT_JUDGE


@dataclass(frozen=True, slots=True)
class Review:
    """What a reviewer said of one rater's labels on an item.

    Attributes:
        of: the events that the rater's labels stood at; a returned item comes back until the rater says something new.
    """

    reviewer: str
    state: ReviewState
    comment: str = ""
    of: tuple[str, ...] = ()

    @classmethod
    def read(cls, reviewer: str, value: Any) -> Review | None:
        """From the label `review:<rater>`; None where it is withdrawn or of another shape."""
        if not is_review(value):
            return None
        return cls(reviewer, value["state"], value.get("comment", ""), tuple(value.get("of", ())))

    def value(self) -> dict[str, Any]:
        """As a label's value."""
        return {"state": self.state, "comment": self.comment, "of": sorted(self.of)}

    def still_returns(self, heads: Iterable[str]) -> bool:
        """Whether it sends the item back to a rater whose labels stand at these events now."""
        return self.state == "returned" and set(heads) == set(self.of)


def accepted_ranking(sheet: ComparisonSheet) -> list[int] | None:
    """The ranking with its example, in ranks that leave no gaps but those of ties."""
    ranking = sheet.extended()
    return None if ranking is None else competition(ranking)
