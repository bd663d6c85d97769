"""Figures of preference on ballots small enough to count by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annotator.report.figures import Asked, Figure
from annotator.report.preference import Ballot, credit, grouped, outcome_figures

ASKED = Asked(resamples=200)


def _ballot(ranking: list[int], names: str = "abc", item: str = "i", rater: str = "ann", **more: Any) -> Ballot:
    count = len(ranking)
    held: dict[str, Any] = {
        "item_id": item, "cluster": item, "place": item, "rater": rater, "ranking": tuple(ranking),
        "responders": tuple(names[:count]) if names else (None,) * count,
        "scores": np.full((count, 3), np.nan), "features": np.full((count, 12), np.nan), "of": {"rater": rater},
    }  # fmt: skip
    return Ballot(**{**held, **more})


def _figures(*ballots: Ballot) -> dict[str, Figure]:
    found: dict[str, Figure] = {}
    for figure in outcome_figures(ballots, {}, ASKED):
        found[figure.name + "".join(figure.by.get("responders", []))] = figure
    return found


def test_ties_count_three_ways() -> None:
    assert [credit(1, 1, p) for p in ("half", "drop", "loss")] == [1, 1, 1]
    assert [credit(1, -1, p) for p in ("half", "drop", "loss")] == [0, 0, 0]
    assert credit(1, 0, "half") == 0.5 and credit(0, 1, "loss") == 0 and np.isnan(credit(0, 0, "drop"))
    found = _figures(
        _ballot([1, 2], item="1"), _ballot([1, 2], item="2"), _ballot([2, 1], item="3"), _ballot([1, 1], item="4")
    )
    assert found["win_rate_halfab"].value == pytest.approx(2.5 / 4)
    assert found["win_rate_dropab"].value == pytest.approx(2 / 3) and found["win_rate_dropab"].n == 3
    assert found["win_rate_lossab"].value == pytest.approx(2 / 4)
    assert found["tie_rate"].value == found["full_tie_rate"].value == 0.25


def test_names_in_another_order_are_the_same_pair() -> None:
    found = _figures(_ballot([1, 2], "ab", "1"), _ballot([2, 1], "ba", "2"))
    assert found["win_rate_halfab"].value == 1.0 and "win_rate_halfba" not in found


def test_strengths_follow_the_wins_or_say_why_there_are_none() -> None:
    rankings = [[1, 2, 3]] * 6 + [[2, 1, 3]] * 3 + [[3, 2, 1]] * 2 + [[1, 1, 2]] * 2
    figure = _figures(*(_ballot(r, item=str(k)) for k, r in enumerate(rankings)))["davidson"]
    a, b, c = figure.value
    assert a > b > c and sum(figure.value) == pytest.approx(0) and figure.more["items"] == ["a", "b", "c"]
    assert figure.more["nu"] > 0 and figure.low[0] < a < figure.high[0] and figure.n_clusters == 13
    perfect = _figures(*(_ballot([1, 2], item=str(k)) for k in range(5)))["davidson"]
    assert perfect.value is None and "perfect winner" in str(perfect.why)
    islands = _figures(
        _ballot([1, 2], "ab"), _ballot([2, 1], "ab", "2"), _ballot([1, 2], "cd", "3"), _ballot([2, 1], "cd", "4")
    )
    assert "islands" in str(islands["davidson"].why)
    assert "do not say who" in str(_figures(_ballot([1, 2], ""))["davidson"].why)


def test_people_are_compared_on_the_items_they_share() -> None:
    found = _figures(_ballot([1, 2, 3]), _ballot([1, 2, 3], rater="bob"), _ballot([3, 2, 1], item="other"))
    assert found["kendall_w"].value == 1.0 and found["ceiling_half"].value == 1.0 and found["ceiling_half"].n == 3
    found = _figures(_ballot([1, 2, 2]), _ballot([1, 3, 2], rater="bob"))
    assert found["ceiling_half"].value == pytest.approx(2.5 / 3) and found["ceiling_drop"].value == 1.0
    assert found["ceiling_loss"].value == pytest.approx(2 / 3)
    assert _figures(_ballot([1, 2]))["kendall_w"].value is None


def test_position_is_told_by_the_shown_order_and_by_swapped_repeats() -> None:
    first = [_ballot([1, 2], item=str(k), shown=(0, 1)) for k in range(3)]
    again = [
        _ballot([2, 1], item="r0", shown=(1, 0), repeat_of="0"),
        _ballot([1, 2], item="r1", shown=(1, 0), repeat_of="1"),
        _ballot([1, 1], item="r2", shown=(1, 0), repeat_of="2"),
        _ballot([2, 1], item="r3", shown=(1, 0), repeat_of="2", rater="bob"),
    ]
    found = _figures(*first, *again)
    assert found["position_flip"].value == 0.5 and found["position_flip"].n == 2
    assert found["self_agreement"].value == pytest.approx(1 / 3)
    assert found["position_first"].value == pytest.approx(5 / 6)
    assert found["win_rate_halfab"].n == 3, "a repeat is no second comparison"


def test_circles_are_seen() -> None:
    circle = [_ballot([1, 2], names, item, place="p") for names, item in (("ab", "1"), ("bc", "2"), ("ca", "3"))]
    found = _figures(*circle)
    assert found["transitivity_majority"].value == 0.0 and found["transitivity_rater"].value == 0.0
    line = [_ballot([1, 2], names, item, place="p") for names, item in (("ab", "1"), ("bc", "2"), ("ac", "3"))]
    assert _figures(*line)["transitivity_majority"].value == 1.0
    assert _figures(_ballot([1, 2]))["transitivity_majority"].why is not None


def test_own_scores_are_compared_where_both_tell_apart() -> None:
    scores = np.array([[4, 4, 5], [5, 4, np.nan], [1, 1, 1]], dtype=np.float64)
    found = _figures(_ballot([1, 2, 3], scores=scores))["score_consistency"]
    assert found.value == pytest.approx(2 / 3) and found.n == 3
    level = _ballot([1, 2], scores=np.full((2, 3), 4.0))
    assert _figures(level)["score_consistency"].value is None


def test_groups_are_those_that_occur() -> None:
    ballots = [_ballot([1, 2]), _ballot([1, 2], rater="bob"), _ballot([2, 1], rater="bob", item="2")]
    assert [(by, len(held)) for by, held in grouped(ballots, ["rater"])] == [
        ({"rater": "ann"}, 1),
        ({"rater": "bob"}, 2),
    ]
    assert grouped([], []) == [({}, [])]
    assert all(f.value is None and f.why for f in outcome_figures([], {}, ASKED))
