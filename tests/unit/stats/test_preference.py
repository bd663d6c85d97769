"""Ranks, strengths that can and cannot be told, win rates, p values: edges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from annotator import stats


def test_ranks_become_pairs() -> None:
    made = stats.pairs_from_ranks([1, 2, 2, 3])
    assert made.value == ((0, 1), (0, 2), (0, 3), (1, 3), (2, 3))
    assert made.wins.sum() == 5 and made.ties.tolist() == [[0, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    assert len(stats.pairs_from_ranks([3, 1, 4, 2]).value or ()) == 6


def test_a_full_tie_gives_nothing() -> None:
    made = stats.pairs_from_ranks([[2, 2, 2], [1, 1, math.nan]])
    assert made.value is None and made.why == "undefined: no two items have different ranks" and not made.ties.any()


def test_rankings_add_up_and_absent_items_do_not_play() -> None:
    made = stats.pairs_from_ranks([[1, 2, None], [2, 1, 3], [1, 1, 1]])
    assert made.n_units == 2 and made.wins.tolist() == [[0, 1, 1], [1, 0, 1], [0, 0, 0]] and not made.ties.any()


@pytest.mark.parametrize(
    ("wins", "words"),
    [
        ([[0, 5, 5], [0, 0, 3], [0, 2, 0]], "a perfect winner: item 0 never lost"),
        (
            [[0, 1, 1, 1], [1, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 0]],
            "a perfect group: items 0, 1 never lost to the others",
        ),
        ([[0, 1, 1], [1, 0, 1], [0, 0, 0]], "a perfect group: items 0, 1"),
        ([[0, 3, 0, 0], [2, 0, 0, 0], [0, 0, 0, 4], [0, 0, 1, 0]], "two islands"),
        ([[0, 1, 0], [1, 0, 0], [0, 0, 0]], "items 0, 1 | 2"),
        ([[0, 0, 0], [0, 0, 0], [0, 0, 0]], "3 islands"),
        ([[0]], "fewer than two items"),
    ],
)
def test_strengths_without_end_are_not_printed(wins: list[list[int]], words: str) -> None:
    made = stats.bradley_terry(wins)
    assert made.value is None and made.why is not None and made.why.startswith("undefined: ") and words in made.why


def test_a_cycle_of_single_wins_is_enough() -> None:
    made = stats.bradley_terry([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert made.value == pytest.approx((0, 0, 0), abs=1e-9) and made.n_units == 3


def test_strengths_far_apart_are_still_found() -> None:
    made = stats.bradley_terry([[0, 10**6], [1, 0]])
    assert isinstance(made.value, tuple) and made.value[0] - made.value[1] == pytest.approx(math.log(10**6), abs=1e-6)


def test_davidson_knows_what_ties_cannot_tell() -> None:
    none = [[0, 0], [0, 0]]
    assert stats.davidson(none, [[0, 7], [7, 0]]).why == "undefined: there are only ties"
    # Wins one way and ties: the strengths may run apart for ever while nu keeps up.
    made = stats.davidson([[0, 5], [0, 0]], [[0, 3], [3, 0]])
    assert made.value is None and made.why is not None and "ties only between neighbours" in made.why
    # Two steps up with a tie across both cannot be so ordered.
    wins = [[0, 3, 0], [0, 0, 3], [0, 0, 0]]
    tied = stats.davidson(wins, [[0, 0, 2], [0, 0, 0], [2, 0, 0]])
    assert isinstance(tied.value, tuple) and tied.nu is not None and max(np.abs(tied.value)) < 20
    one_triangle = stats.davidson(wins, [[0, 0, 2], [0, 0, 0], [0, 0, 0]])
    assert one_triangle.value == tied.value


def test_davidson_without_ties_is_bradley_terry() -> None:
    wins = [[0, 8, 6], [4, 0, 7], [5, 5, 0]]
    made = stats.davidson(wins, np.zeros((3, 3)))
    assert made.nu == 0.0 and made.value == stats.bradley_terry(wins).value
    tied = stats.davidson(wins, [[0, 4, 4], [4, 0, 4], [4, 4, 0]])
    assert tied.nu is not None and tied.nu > 0 and tied.n_units == 47


def test_wrong_matrices_are_refused() -> None:
    for call in (
        lambda: stats.bradley_terry([[0, 1]]),
        lambda: stats.bradley_terry([[1, 1], [1, 0]]),
        lambda: stats.bradley_terry([[0, -1], [1, 0]]),
        lambda: stats.bradley_terry([[0, math.nan], [1, 0]]),
        lambda: stats.davidson([[0, 1], [1, 0]], [[0, 1], [2, 0]]),
    ):
        with pytest.raises(ValueError, match=r"square|counts|symmetric"):
            call()


def test_clustered_strengths() -> None:
    rng = np.random.default_rng(0)
    pairs = rng.permuted(np.tile(np.arange(3), (900, 1)), axis=1)[:, :2]
    first_wins = rng.random(900) < 1 / (1 + np.exp(pairs[:, 0] - pairs[:, 1]))  # item 0 is the strongest

    def strengths(at: np.ndarray) -> tuple[float, ...] | None:
        wins = np.zeros((3, 3))
        ordered = np.where(first_wins[at, None], pairs[at], pairs[at, ::-1])
        np.add.at(wins, (ordered[:, 0], ordered[:, 1]), 1)
        value = stats.bradley_terry(wins).value
        return value if isinstance(value, tuple) else None

    made = stats.clustered(strengths, np.arange(900) // 9, 300, 0, confidence=0.99)
    assert isinstance(made.low, tuple) and isinstance(made.high, tuple)
    assert all(low < true < high for low, true, high in zip(made.low, (1, 0, -1), made.high, strict=True))


@pytest.mark.parametrize(("policy", "wanted"), [("half", 0.5), ("drop", 5 / 8), ("loss", 5 / 16)])
def test_ties_count_as_the_policy_says(policy: str, wanted: float) -> None:
    made = stats.win_rate(5, 3, 8, policy) if policy != "half" else stats.win_rate(4, 4, 8)
    assert made.value == pytest.approx(wanted)
    assert made.low < wanted < made.high  # type: ignore[operator]


def test_a_win_rate_of_nothing_is_blank() -> None:
    assert stats.win_rate(0, 0, 0).why == "undefined: the two were never compared"
    assert stats.win_rate(0, 0, 5, "drop").why == "undefined: only ties"
    with pytest.raises(ValueError, match="policy"):
        stats.win_rate(1, 1, 1, "win")


def test_proportions_at_their_edges() -> None:
    assert stats.wilson(0, 0).why == "undefined: there are no units"
    assert (stats.wilson(0, 10).low, stats.wilson(10, 10).high) == (0.0, 1.0)
    assert stats.mcnemar_exact(0, 0).why == "undefined: no unit was judged differently"
    assert stats.mcnemar_exact(0, 1).value == 1.0
    assert stats.adjust([]).why == stats.adjust([None, math.nan]).why == "undefined: there are no p values"
    for call in (
        lambda: stats.wilson(3, 2),
        lambda: stats.mcnemar_exact(-1, 2),
        lambda: stats.adjust([0.5, 1.2]),
        lambda: stats.adjust([0.5], "bonferroni"),
    ):
        with pytest.raises(ValueError, match=r"."):
            call()
