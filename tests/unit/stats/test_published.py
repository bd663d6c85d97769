"""Examples that were printed, by the authors of the figures or after them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from annotator import stats

GAP = math.nan


def table(text: str) -> list[list[float]]:
    return [[GAP if word == "." else float(word) for word in line.split()] for line in text.strip().splitlines()]


def spread(counts: list[list[int]]) -> np.ndarray:
    """Ratings of two raters from their cross table."""
    return np.array([[i + 1, j + 1] for i, row in enumerate(counts) for j, n in enumerate(row) for _ in range(n)]).T


KRIPPENDORFF = table("""
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
""")


@pytest.mark.parametrize(
    ("level", "wanted"), [("nominal", 0.743421), ("ordinal", 0.815388), ("interval", 0.849107), ("ratio", 0.797403)]
)
def test_alpha_of_four_observers_and_twelve_units(level: str, wanted: float) -> None:
    figure = stats.alpha(KRIPPENDORFF, level, range(1, 6))
    assert figure.value == pytest.approx(wanted, abs=5e-7)
    assert (figure.n_units, figure.n_raters) == (11, 4), "the unit with one rating is not paired"


def test_alpha_of_two_observers_and_binary_data() -> None:
    ratings = [[int(digit) for digit in digits] for digits in ("0100000010", "1110010000")]
    assert stats.alpha(ratings, "nominal", (0, 1)).value == pytest.approx(0.095238, abs=5e-7)


def test_cohens_kappa_of_a_two_by_two_table() -> None:
    a, b = spread([[20, 5], [10, 15]])
    assert stats.kappa(a, b, None, (1, 2)).value == pytest.approx(0.4, abs=1e-12)


ANXIETY = (
    [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
    [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
)


@pytest.mark.parametrize(("weights", "wanted"), [(None, 0.119497), ("linear", 0.189189), ("quadratic", 0.296765)])
def test_weighted_kappa_of_the_anxiety_ratings(weights: str | None, wanted: float) -> None:
    assert stats.kappa(*ANXIETY, weights, range(1, 7)).value == pytest.approx(wanted, abs=5e-7)


@pytest.mark.parametrize(
    ("wins", "wanted"),
    [
        (
            # Seven baseball teams of 1987 (Agresti): row beat column.
            [
                [0, 7, 9, 7, 7, 9, 11],
                [6, 0, 7, 5, 11, 9, 9],
                [4, 6, 0, 7, 7, 8, 12],
                [6, 8, 6, 0, 6, 7, 10],
                [6, 2, 6, 7, 0, 7, 12],
                [4, 4, 5, 6, 6, 0, 6],
                [2, 4, 1, 3, 1, 7, 0],
            ],
            [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0],
        )
    ],
)
def test_bradley_terry_of_seven_teams(wins: list[list[int]], wanted: list[float]) -> None:
    value = stats.bradley_terry(wins).value
    assert isinstance(value, tuple)
    assert np.array(value) - value[-1] == pytest.approx(wanted, abs=5.1e-4)
    assert sum(value) == pytest.approx(0, abs=1e-12)


def test_davidson_of_two_items_has_a_closed_form() -> None:
    figure = stats.davidson([[0, 30], [10, 0]], [[0, 20], [20, 0]])
    assert isinstance(figure.value, tuple)
    assert math.exp(figure.value[0] - figure.value[1]) == pytest.approx(3, abs=1e-9)
    assert figure.nu == pytest.approx(20 / math.sqrt(300), abs=1e-9)


def test_pool_adjacent_violators() -> None:
    assert stats.isotonic(range(6), [1, 3, 2, 4, 3, 5]).value == pytest.approx((1, 2.5, 2.5, 3.5, 3.5, 5))


def test_wilson_of_textbook_counts() -> None:
    # Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for k, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        figure = stats.wilson(k, n)
        assert (figure.low, figure.high) == pytest.approx((low, high), abs=5.1e-5)


def test_holm_of_four_tests() -> None:
    assert stats.adjust([0.01, 0.04, 0.03, 0.005]).value == pytest.approx((0.03, 0.06, 0.06, 0.02))


def test_adjusted_false_discovery_of_fifteen_tests() -> None:
    # Benjamini and Hochberg 1995: four of these are found at 0.05.
    given = [
        0.0001,
        0.0004,
        0.0019,
        0.0095,
        0.0201,
        0.0278,
        0.0298,
        0.0344,
        0.0459,
        0.324,
        0.4262,
        0.5719,
        0.6528,
        0.759,
        1.0,
    ]
    found = stats.adjust(given, "bh").value
    assert isinstance(found, tuple) and sum(p <= 0.05 for p in found) == 4
    holm = stats.adjust(given, "holm").value
    assert isinstance(holm, tuple) and sum(p <= 0.05 for p in holm) == 3


def test_rogan_gladen_of_a_known_test() -> None:
    # Apparent rate 0.30, sensitivity 0.9, specificity 0.8: (0.30 - 0.20) / 0.70.
    figure = stats.rogan_gladen(30, 100, 90, 10, 80, 20)
    assert figure.value == pytest.approx(0.1 / 0.7)
    assert (
        isinstance(figure.low, float) and isinstance(figure.high, float) and 0 <= figure.low < 0.1 / 0.7 < figure.high
    )
