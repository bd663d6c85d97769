"""Arranging responses: every ranking can be reached, in few keys; pairs cannot contradict each other."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain import comparisons_ordering as ordering
from annotator.domain.comparisons import competition
from annotator.domain.comparisons_ordering import Tiers
from annotator.domain.comparisons_scales import scales
from annotator.domain.rubric import COMPARISON_SCALES

ORDER = (2, 0, 3, 1)
LETTERS = {2: "A", 0: "B", 3: "C", 1: "D"}


def names(tiers: Tiers) -> str:
    return ordering.written(tiers, [LETTERS[place] for place in range(4)])


def test_it_begins_in_the_order_shown_and_moves_one_step_at_a_time() -> None:
    tiers = ordering.apart(ORDER)
    assert names(tiers) == "A > B > C > D"
    tiers = ordering.moved(tiers, 0, -1)
    tiers = ordering.moved(tiers, 1, -1)
    tiers = ordering.tied(tiers, 1, ORDER)
    assert names(tiers) == "B > A = D > C"
    assert ordering.to_ranking(tiers) == [1, 2, 2, 4]
    assert ordering.from_ranking([1, 2, 2, 4], ORDER) == tiers
    assert names(ordering.tied(tiers, 1, ORDER)) == "B > A > D > C"
    assert names(ordering.moved(tiers, 2, -1)) == "B > A > D > C"
    assert names(ordering.moved(tiers, 3, -1)) == "B > C > A = D"
    assert names(ordering.moved(tiers, 0, -1)) == "B > A = D > C"
    assert names(ordering.tied(tiers, 0, ORDER)) == "B > A = D > C"


def test_what_is_dropped_lands_in_a_tier_or_between_two() -> None:
    tiers = ordering.from_ranking([1, 2, 2, 4], ORDER)
    assert names(ordering.dropped(tiers, 3, None, 0, ORDER)) == "B = C > A = D"
    assert names(ordering.dropped(tiers, 3, 0, None, ORDER)) == "C > B > A = D"
    assert names(ordering.dropped(tiers, 1, 3, None, ORDER)) == "B > A > C > D"
    assert ordering.dropped(tiers, 1, None, 1, ORDER) == tiers


def _all_rankings(count: int) -> set[tuple[int, ...]]:
    found = set()
    for order in permutations(range(count)):
        for cuts in range(2 ** (count - 1)):
            ranks, rank = {order[0]: 0}, 0
            for place, (_, after) in enumerate(pairwise(order)):
                rank += cuts >> place & 1
                ranks[after] = rank
            found.add(tuple(competition([ranks[place] for place in range(count)])))
    return found


def _presses() -> dict[Tiers, int]:
    """The fewest keys to each arrangement of four: a letter picks, arrows move, = ties; the picked one stays picked."""
    start = (ordering.apart(ORDER), None)
    seen: dict[tuple[Tiers, int | None], int] = {start: 0}
    ring = [start]
    while ring:
        following = []
        for tiers, picked in ring:
            steps: list[tuple[Tiers, int | None]] = [(tiers, place) for place in ORDER]
            if picked is not None:
                steps += [(ordering.moved(tiers, picked, by), picked) for by in (-1, 1)]
                steps.append((ordering.tied(tiers, picked, ORDER), picked))
            for step in steps:
                if step not in seen:
                    seen[step] = seen[tiers, picked] + 1
                    following.append(step)
        ring = following
    best: dict[Tiers, int] = {}
    for (tiers, _), count in seen.items():
        best[tiers] = min(count, best.get(tiers, count))
    return best


def test_every_ranking_can_be_reached_and_with_one_tie_it_takes_at_most_seven_keys() -> None:
    best = _presses()
    reached = {tuple(ordering.to_ranking(tiers)): count for tiers, count in best.items()}
    assert set(reached) == _all_rankings(4)
    assert len(reached) == 75
    one_tie = [count for ranks, count in reached.items() if len(set(ranks)) == 3]
    assert len(one_tie) == 36
    assert max(one_tie) == 7


@given(st.permutations(range(5)), st.integers(2, 5), st.data())
def test_pairs_lead_to_the_ranking_that_answers_them(order: list[int], count: int, data: st.DataObject) -> None:
    shown = [place for place in order if place < count]
    worth = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    answers: list[int] = []
    while (asked := ordering.pairing(shown, answers)).pair is not None:
        left, right = asked.pair
        assert shown.index(left) < shown.index(right)
        assert asked.done == len(answers) < asked.most
        answers.append((worth[left] < worth[right]) - (worth[left] > worth[right]))
    ranking = ordering.to_ranking(asked.tiers)
    assert ranking == competition([-worth[place] for place in range(count)])


@given(st.permutations(range(5)), st.lists(st.tuples(st.integers(0, 4), st.sampled_from("lr=")), max_size=30))
def test_no_step_loses_a_response(order: list[int], steps: list[tuple[int, str]]) -> None:
    tiers = ordering.apart(order)
    for place, step in steps:
        if step == "=":
            tiers = ordering.tied(tiers, place, order)
        else:
            tiers = ordering.moved(tiers, place, -1 if step == "l" else 1)
        assert sorted(place for tier in tiers for place in tier) == [0, 1, 2, 3, 4]
        assert ordering.from_ranking(ordering.to_ranking(tiers), order) == tiers


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_each_scale_says_what_it_asks_in_both_languages(language: str) -> None:
    assert tuple(scale.id for scale in scales()) == COMPARISON_SCALES
    for scale in scales():
        assert len(scale.levels) == 5
        texts = [
            scale.name,
            scale.asks,
            *scale.looks,
            *(t for level in scale.levels for t in (level.short, level.text)),
        ]
        assert all(text.in_language(language).strip() for text in texts)
        assert len({level.short.in_language(language) for level in scale.levels}) == 5
