"""What a reviewer would have instead: scores and a ranking beside those of the rater, until it is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotator.domain.comparisons import competition
from annotator.domain.comparisons_sheet import ComparisonSheet
from annotator.domain.rubric import COMPARISON_SCALES
from annotator.workspace.comparisons_views import ShownResponse
from annotator.workspace.views import Intent

_BEFORE = re.compile(r"[>＞〉→]")
_TIED = re.compile(r"[=＝]")


def in_letters(ranking: Sequence[int] | None, responses: Sequence[ShownResponse]) -> str:
    """A ranking in the letters on the screen: `B > A = C`; "" for none."""
    if ranking is None or len(ranking) != len(responses):
        return ""
    by_rank: dict[int, list[str]] = {}
    for response in responses:
        by_rank.setdefault(ranking[response.place], []).append(response.letter)
    return " > ".join(" = ".join(by_rank[rank]) for rank in sorted(by_rank))


def from_letters(text: str, responses: Sequence[ShownResponse]) -> list[int] | None:
    """The ranks of a text such as `b>a=c`, in source order; None where it does not name each response once."""
    groups = [[part.strip().upper() for part in _TIED.split(group)] for group in _BEFORE.split(text)]
    place = {response.letter: response.place for response in responses}
    named = [letter for group in groups for letter in group]
    if sorted(named) != sorted(place):
        return None
    ranks = [0] * len(responses)
    for rank, group in enumerate(groups, start=1):
        for letter in group:
            ranks[place[letter]] = rank
    return competition(ranks)


@dataclass(slots=True)
class Corrections:
    """What differs from a rater's sheet.

    Attributes:
        scores: (place, scale) -> the reviewer's level or `cannot_judge`.
        ranking: the reviewer's ranks in source order, None where the rater's stand.
    """

    sheet: ComparisonSheet
    scores: dict[tuple[int, str], Any] = field(default_factory=dict)
    ranking: list[int] | None = None

    def score(self, place: int, scale: str) -> Any:
        """What would be valid."""
        return self.scores.get((place, scale), self.sheet.value(f"response:{place}", scale))

    def set_score(self, place: int, scale: str, value: Any) -> None:
        """Put another score in; the rater's own again is no correction."""
        if value == self.sheet.value(f"response:{place}", scale):
            self.scores.pop((place, scale), None)
        else:
            self.scores[place, scale] = value

    def set_ranking(self, ranking: list[int] | None) -> None:
        """Put another ranking in; the rater's own order again is no correction."""
        own = self.sheet.ranking
        same = ranking is None or (own is not None and competition(own) == competition(ranking))
        self.ranking = None if same else ranking

    @property
    def count(self) -> int:
        """How many values are corrected."""
        return len(self.scores) + (self.ranking is not None)

    def intents(self) -> list[Intent]:
        """The corrections as statements, scores in the order of the grid."""
        said = [
            Intent(f"response:{place}", scale, self.scores[place, scale])
            for place in range(self.sheet.responses)
            for scale in COMPARISON_SCALES
            if (place, scale) in self.scores
        ]
        return [*said, Intent("item", "ranking", self.ranking)] if self.ranking is not None else said
