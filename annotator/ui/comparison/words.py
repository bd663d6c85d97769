"""What the page of comparisons works out of a view: sheets with what is on its way, letters, gaps, notices, in words.

Nothing here draws or asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from annotator.domain.comparisons_ordering import Tiers, from_ranking, written
from annotator.domain.comparisons_scales import Scale, scales
from annotator.domain.rubric import CANNOT_JUDGE, COMPARISON_SCALES
from annotator.domain.sheet import Cell, Gap
from annotator.ui import i18n
from annotator.ui.i18n import has, tr

if TYPE_CHECKING:
    from annotator.workspace.comparisons_views import ComparisonView, ShownResponse
    from annotator.workspace.views import Intent

MOST: Final = 5  # responses of an item; the page makes further columns where a source holds more
JUDGED: Final = frozenset((*COMPARISON_SCALES, "note", "ranking", "ranking_reason", "constructed"))


def with_said(view: ComparisonView, intents: Iterable[Intent]) -> ComparisonView:
    """The view with statements that are on their way to the disk laid over its sheet; it uncovers no name."""
    cells, returned, drafts = dict(view.sheet.cells), view.row.status == "returned", dict(view.drafts)
    for intent in intents:
        drafts.pop((intent.target, intent.field), None)  # what was being written is said now, or is older than it
        cells[intent.target, intent.field] = Cell(intent.value)
        returned = returned and intent.field not in JUDGED
    sheet = replace(view.sheet, cells=cells)
    row = replace(view.row, status=sheet.status(returned))
    return replace(view, sheet=sheet, row=row, drafts=drafts, contradictions=sheet.contradictions())


def shown_of(view: ComparisonView, place: int) -> ShownResponse:
    """The response at a place in source order."""
    return next(response for response in view.responses if response.place == place)


def letters(view: ComparisonView) -> list[str]:
    """The letters by place in source order."""
    found = [""] * len(view.responses)
    for response in view.responses:
        found[response.place] = response.letter
    return found


def tiers_of(view: ComparisonView) -> Tiers | None:
    """The ranking as tiers; None where nothing is ranked."""
    ranking = view.sheet.ranking
    return None if ranking is None else from_ranking(ranking, view.order)


def ranking_line(view: ComparisonView, tiers: Tiers) -> str:
    """An arrangement as one line."""
    return written(tiers, letters(view))


def place_of(target: str) -> int | None:
    """The place that a target `response:<k>` names."""
    name, _, index = target.partition(":")
    return int(index) if name == "response" and index.isdigit() else None


def first_gap(view: ComparisonView) -> Gap | None:
    """What is missing first, in the order in which the responses are shown."""
    gaps = view.sheet.gaps()

    def order(gap: Gap) -> tuple[int, int]:
        place = place_of(gap.target)
        return (view.order.index(place), 0) if place is not None else (len(view.order), gaps.index(gap))

    return min(gaps, key=order, default=None)


def gap_text(view: ComparisonView, gap: Gap) -> str:
    """What is missing, in words."""
    place = place_of(gap.target)
    if place is None:
        return tr(f"comparison.gap.{gap.field}")
    letter = shown_of(view, place).letter
    if gap.field == "note":
        return tr("comparison.gap.note", letter=letter)
    return tr("comparison.gap.score", letter=letter, scale=scale_of(gap.field).name.in_language(i18n.language()))


def scale_of(scale_id: str) -> Scale:
    """A scale by its id."""
    return next(scale for scale in scales() if scale.id == scale_id)


def level_name(scale: Scale, value: Any, language: str | None = None) -> str:
    """The name of a score's level; empty without one."""
    if value == CANNOT_JUDGE:
        return tr("comparison.cannot_judge")
    if not isinstance(value, int) or not 1 <= value <= len(scale.levels):
        return ""
    return scale.levels[value - 1].short.in_language(language or i18n.language())


def length_text(text: str) -> str:
    """How long a response is: Chinese is counted in characters, other text in words."""
    wide = sum("一" <= char <= "鿿" for char in text)
    if wide * 3 >= len(text.replace(" ", "")):
        return tr("comparison.length_chars", n=i18n.count(len("".join(text.split()))))
    return tr("comparison.length_words", n=i18n.count(len(text.split())))


def notice_of(view: ComparisonView) -> str:
    """The gentle notice where the ranking says the opposite of the same rater's scores; empty where it does not."""
    if not view.contradictions:
        return ""
    better, worse = view.contradictions[0]
    names = letters(view)
    values = {"better": names[better], "worse": names[worse], "more": _more(view, worse, better)}
    others = len(view.contradictions) - 1
    if others:
        return tr("comparison.contradicts_more", n=others, **values)
    return tr("comparison.contradicts", **values)


def _more(view: ComparisonView, high: int, low: int) -> int:
    pairs = zip(view.sheet.scores(high), view.sheet.scores(low), strict=True)
    return sum(a - b for a, b in pairs if isinstance(a, int) and isinstance(b, int))


def subset_name(subset: str) -> str:
    """A subset or a scenario in words; one that nobody foresaw reads as it stands."""
    if not subset:
        return tr("comparison.subset.none")
    if has(f"comparison.subset.{subset}"):
        return tr(f"comparison.subset.{subset}")
    from annotator.domain.rubric import scenario_name

    return scenario_name(subset, i18n.language(), small=True)


def joined(parts: Sequence[str]) -> str:
    """Facts beside each other, empty ones left out."""
    return " · ".join(part for part in parts if part)
