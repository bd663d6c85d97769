"""What must hold for any ratings: order does not matter, equal weights are none, a shifted scale changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

from annotator import stats
from annotator.stats import Result
from tests.unit.stats.naive import FIVE

SCORE = some.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0, float("nan")])
RATINGS = some.tuples(some.integers(1, 5), some.integers(1, 12)).flatmap(
    lambda shape: arrays.arrays(np.float64, shape, elements=SCORE)
)
PAIR = some.integers(1, 14).flatmap(lambda units: arrays.arrays(np.float64, (2, units), elements=SCORE))

OF_RATINGS: dict[str, Callable[..., Result]] = {
    "exact": lambda r, s=FIVE, **how: stats.exact(r, **how),
    "within": lambda r, s=FIVE, **how: stats.within(r, 1, **how),
    "ordinal": lambda r, s=FIVE, **how: stats.alpha(r, "ordinal", s, **how),
    "interval": lambda r, s=FIVE, **how: stats.alpha(r, "interval", s, **how),
    "nominal": lambda r, s=FIVE, **how: stats.alpha(r, "nominal", s, **how),
    "ac1": lambda r, s=FIVE, **how: stats.ac(r, None, s, **how),
    "ac2": lambda r, s=FIVE, **how: stats.ac(r, "quadratic", s, **how),
    "ac2 ordinal": lambda r, s=FIVE, **how: stats.ac(r, "ordinal", s, **how),
    "fleiss": lambda r, s=FIVE, **how: stats.fleiss(r, s, **how),
    "fleiss_gwet": lambda r, s=FIVE, **how: stats.fleiss_gwet(r, None, s, **how),
    "brennan_prediger": lambda r, s=FIVE, **how: stats.brennan_prediger(r, "linear", s, **how),
    "icc 1,1": lambda r, s=FIVE, **how: stats.icc(r, "1,1", **how),
    "icc 2,1": lambda r, s=FIVE, **how: stats.icc(r, "2,1", **how),
    "icc 3,k": lambda r, s=FIVE, **how: stats.icc(r, "3,k", **how),
    "kendall_w": lambda r, s=FIVE, **how: stats.kendall_w(r, **how),
}
OF_PAIR: dict[str, Callable[..., Result]] = {
    "kappa": lambda a, b, s=FIVE, **how: stats.kappa(a, b, None, s, **how),
    "kappa quadratic": lambda a, b, s=FIVE, **how: stats.kappa(a, b, "quadratic", s, **how),
    "scott_pi": lambda a, b, s=FIVE, **how: stats.scott_pi(a, b, s, **how),
    "spearman": lambda a, b, s=FIVE, **how: stats.spearman(a, b, **how),
    "tau_b": lambda a, b, s=FIVE, **how: stats.kendall_tau_b(a, b, **how),
    "pearson": lambda a, b, s=FIVE, **how: stats.pearson(a, b, **how),
    "bias": lambda a, b, s=FIVE, **how: stats.bias(a, b, **how),
    "mae": lambda a, b, s=FIVE, **how: stats.mae(a, b, **how),
    "calibration_error": lambda a, b, s=FIVE, **how: stats.calibration_error(a, b, **how),
}
SYMMETRIC = ("kappa", "kappa quadratic", "scott_pi", "spearman", "tau_b", "pearson", "mae")


def calls(ratings: np.ndarray, scale: tuple[float, ...] = FIVE, **how: object) -> dict[str, Result]:
    made = {name: figure(ratings, scale, **how) for name, figure in OF_RATINGS.items()}
    if len(ratings) == 2:
        made |= {name: figure(ratings[0], ratings[1], scale, **how) for name, figure in OF_PAIR.items()}
    return made


def same(one: dict[str, Result], two: dict[str, Result], but: tuple[str, ...] = ()) -> None:
    for name in one.keys() - set(but):
        a, b = one[name], two[name]
        assert (a.value is None) == (b.value is None), (name, a.why, b.why)
        assert a.n_units == b.n_units
        if a.value is not None:
            assert a.value == pytest.approx(b.value, abs=1e-9), name


@settings(max_examples=40, deadline=None)
@given(ratings=some.one_of(RATINGS, PAIR), seed=some.integers(0, 99))
def test_the_order_of_units_and_raters_does_not_matter(ratings: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = calls(ratings)
    same(made, calls(ratings[:, rng.permutation(ratings.shape[1])]))
    turned = calls(ratings[::-1])
    same(made, turned, but=("bias", "calibration_error"))
    if len(ratings) == 2 and made["bias"].value is not None:
        assert turned["bias"].value == pytest.approx(-made["bias"].value)  # type: ignore[operator]


@settings(max_examples=40, deadline=None)
@given(
    ratings=some.one_of(RATINGS, PAIR),
    shift=some.sampled_from([-100.0, -1.0, 7.0]),
    factor=some.sampled_from([1.0, 0.5]),
)
def test_a_shifted_scale_changes_no_agreement(ratings: np.ndarray, shift: float, factor: float) -> None:
    moved = tuple(factor * level + shift for level in FIVE)
    but = ("bias", "mae", "calibration_error", "within") if factor != 1 else ()
    same(calls(ratings), calls(factor * ratings + shift, moved), but=but)


@settings(max_examples=40, deadline=None)
@given(ratings=some.one_of(RATINGS, PAIR), weight=some.sampled_from([1.0, 0.25, 17.0]))
def test_equal_weights_are_no_weights(ratings: np.ndarray, weight: float) -> None:
    same(calls(ratings), calls(ratings, sampling_weights=np.full(ratings.shape[1], weight)))


@settings(max_examples=40, deadline=None)
@given(ratings=some.one_of(RATINGS, PAIR), seed=some.integers(0, 99))
def test_a_weight_of_nothing_leaves_the_unit_out(ratings: np.ndarray, seed: int) -> None:
    there = np.random.default_rng(seed).random(ratings.shape[1]) < 0.6
    if there.any() and len({tuple(row) for row in (~np.isnan(ratings[:, there])).any(axis=1, keepdims=True)}) == 1:
        # fleiss asks for equal numbers everywhere, and raters are counted before weights
        same(
            calls(ratings, sampling_weights=there * 2.0),
            calls(ratings[:, there]),
            but=("fleiss", "icc 1,1", "icc 2,1", "icc 3,k", "kendall_w"),
        )


@settings(max_examples=40, deadline=None)
@given(ratings=PAIR, seed=some.integers(0, 99))
def test_whole_weights_repeat_the_unit_in_all_but_alpha(ratings: np.ndarray, seed: int) -> None:
    times = np.random.default_rng(seed).integers(1, 4, ratings.shape[1])
    many, weighted = calls(np.repeat(ratings, times, axis=1)), calls(ratings, sampling_weights=times)
    # alpha and the ICCs know how many units there are: 20 units with weight 2 are not 40 units
    for name in weighted.keys() - {"ordinal", "interval", "nominal", "icc 1,1", "icc 2,1", "icc 3,k"}:
        one, two = weighted[name].value, many[name].value
        assert (one is None) == (two is None) and (one is None or one == pytest.approx(two, abs=1e-9)), name


@settings(max_examples=50, deadline=None)
@given(ratings=some.one_of(RATINGS, PAIR))
def test_nothing_is_ever_nan_and_what_is_missing_has_a_reason(ratings: np.ndarray) -> None:
    units = np.arange(ratings.shape[1])
    for name, figure in calls(ratings, clusters=units, resamples=100).items():
        numbers = np.ravel([number for number in (figure.value, figure.low, figure.high) if number is not None])
        assert np.isfinite(numbers).all(), name
        assert (figure.why is None) == (figure.value is not None and figure.low is not None), (name, figure)
        if figure.value is None:
            assert figure.why is not None and figure.why.startswith(("undefined: ", "not applicable: "))
            assert figure.low is None and figure.high is None
        elif name not in ("bias", "mae", "calibration_error"):
            assert -1e12 < figure.value <= 1 + 1e-12  # type: ignore[operator]


@settings(max_examples=40, deadline=None)
@given(score=some.sampled_from(FIVE), raters=some.integers(2, 5), units=some.integers(2, 9))
def test_all_scores_equal_is_undefined_for_what_needs_variation(score: float, raters: int, units: int) -> None:
    made = calls(np.full((raters, units), score))
    for name in ("ordinal", "nominal", "interval", "fleiss_gwet", "icc 2,1", "kendall_w"):
        assert made[name].value is None and made[name].why, name
    assert made["ordinal"].why == f"undefined: all scores are {score:g}"
    for name in ("exact", "within", "ac1", "ac2"):
        assert made[name].value == 1.0, name


@settings(max_examples=40, deadline=None)
@given(pair=PAIR)
def test_symmetric_figures_are_symmetric(pair: np.ndarray) -> None:
    for name in SYMMETRIC:
        one, two = OF_PAIR[name](pair[0], pair[1]), OF_PAIR[name](pair[1], pair[0])
        assert (one.value is None) == (two.value is None)
        assert one.value is None or one.value == pytest.approx(two.value, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(p=some.lists(some.floats(0, 1), min_size=1, max_size=15), method=some.sampled_from(["holm", "by", "bh"]))
def test_adjusting_keeps_the_order_and_never_helps(p: list[float], method: str) -> None:
    value = stats.adjust(p, method).value
    assert isinstance(value, tuple) and all(one >= raw - 1e-15 for one, raw in zip(value, p, strict=True))
    order = np.argsort(p, kind="stable")
    assert (np.diff(np.array(value)[order]) >= -1e-15).all() and max(value) <= 1
    with_gap = stats.adjust([None, *p], method).value
    assert with_gap == (None, *value), "a test that gave no p value does not count"


@settings(max_examples=40, deadline=None)
@given(shift=some.integers(0, 4), seed=some.integers(0, 99))
def test_strengths_follow_the_items_and_not_their_order(shift: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    wins, ties = rng.integers(1, 9, (5, 5)), np.triu(rng.integers(0, 5, (5, 5)), 1)
    np.fill_diagonal(wins, 0)
    ties = ties + ties.T
    at = np.roll(np.arange(5), shift)
    one, two = stats.davidson(wins, ties), stats.davidson(wins[np.ix_(at, at)], ties[np.ix_(at, at)])
    assert np.array(one.value)[at] == pytest.approx(np.array(two.value), abs=1e-8)
    assert one.nu == pytest.approx(two.nu)
    mirrored = stats.davidson(wins.T, ties)
    assert np.array(mirrored.value) == pytest.approx(-np.array(one.value), abs=1e-8)
