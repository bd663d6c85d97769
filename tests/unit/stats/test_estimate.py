"""Prediction-powered means, corrected rates, the alternative annotator test, calibration."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from annotator import stats
from annotator.stats.resample import Plan, multipliers
from tests.unit.stats import naive
from tests.unit.stats.naive import FIVE


def two_lists(seed: int, labelled: int = 30, others: int = 80) -> dict[str, Any]:
    """Humans and a judge on some clusters, the judge alone on others."""
    scores, by = naive.audit(seed, raters=2, clusters=labelled + others, gaps=0.0)
    here = by < labelled
    return {
        "human": scores[0, here],
        "judge_on_human": scores[1, here],
        "judge_rest": scores[1, ~here],
        "clusters": by[here],
        "clusters_rest": by[~here],
    }


def plain_ppi(y: np.ndarray, f: np.ndarray, rest: np.ndarray) -> float:
    n, others = y.size, rest.size
    lam = np.cov(y, f, ddof=0)[0, 1] / ((1 + n / others) * np.concatenate([f, rest]).var())
    return float(y.mean() + lam * (rest.mean() - f.mean()))


def test_ppi_resamples_both_lists_of_clusters_and_tunes_anew() -> None:
    given = two_lists(1)
    made = stats.ppi_mean(**given, resamples=100, seed=3)
    assert (made.n_clusters, made.n_clusters_rest, made.n_units) == (30, 80, given["human"].size)
    assert made.value == pytest.approx(plain_ppi(given["human"], given["judge_on_human"], given["judge_rest"]))
    wanted = []
    for counts in np.concatenate(list(multipliers(Plan((30, 80), 0.95, 100, 3, None)))).astype(int):
        here = np.concatenate([np.flatnonzero(given["clusters"] == at) for at in np.repeat(np.arange(30), counts[:30])])
        rest = [np.flatnonzero(given["clusters_rest"] == at) for at in np.repeat(np.arange(30, 110), counts[30:])]
        there = given["judge_rest"][np.concatenate(rest)]
        wanted.append(plain_ppi(given["human"][here], given["judge_on_human"][here], there))
    assert made.replicates == pytest.approx(np.array(wanted), abs=1e-12)


def test_ppi_interval_is_narrower_than_the_humans_own() -> None:
    given = two_lists(2)
    made = stats.ppi_mean(**given)
    alone = stats.mean(given["human"], clusters=given["clusters"])
    assert 0 < made.lam < 1.5 and np.subtract(made.high, made.low) < np.subtract(alone.high, alone.low)


def test_a_dialogue_in_both_lists_is_drawn_once() -> None:
    given = two_lists(3)
    shared = given | {"clusters_rest": given["clusters_rest"] % 30}
    made = stats.ppi_mean(**shared, resamples=200)
    assert made.replicates is not None and made.n_clusters == made.n_clusters_rest == 30
    assert made.value == stats.ppi_mean(**given).value and made.low != stats.ppi_mean(**given, resamples=200).low


def test_ppi_without_rest_or_with_a_constant_judge_is_the_human_mean() -> None:
    given = two_lists(4)
    human, by = given["human"], given["clusters"]
    wanted = stats.mean(human, clusters=by)
    for made in (
        stats.ppi_mean(human, given["judge_on_human"], [], clusters=by),
        stats.ppi_mean(human, given["judge_on_human"], [np.nan], clusters=by, clusters_rest=[1]),
        stats.ppi_mean(
            human, human * 0 + 4, given["judge_rest"] * 0 + 4, clusters=by, clusters_rest=given["clusters_rest"]
        ),
    ):
        assert made.lam == 0 and made.value == pytest.approx(wanted.value)
        assert (made.low, made.high) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


def test_ppi_drops_pairs_with_a_gap_and_says_why_it_cannot() -> None:
    nan = np.nan
    made = stats.ppi_mean([4, nan, 3, 5], [4, 3, nan, 4], [3, nan, 4])
    assert (made.n_units, made.n_rest) == (2, 2) and made.low is not None
    one = stats.ppi_mean([4, nan], [4, 3], [3, 4])
    assert one.value == pytest.approx(4 - 0 * 0.5) and one.why == "no interval: only one unit has both scores"
    none = stats.ppi_mean([nan], [3], [3, 4])
    assert none.value is None and none.why == "undefined: no unit has both a human's and the judge's score"
    with pytest.raises(ValueError, match="together"):
        stats.ppi_mean([1, 2], [1, 2], [3], clusters=[1, 2])
    with pytest.raises(ValueError, match="together"):
        stats.ppi_mean([1, 2], [1, 2], [3], clusters_rest=[1])


def test_ppi_with_few_clusters_is_a_t_interval_and_with_fewer_none() -> None:
    made = stats.ppi_mean(**two_lists(5, labelled=10))
    assert made.method == "cluster-robust t interval (jackknife, 9 degrees of freedom)"
    none = stats.ppi_mean(**two_lists(5, labelled=4))
    assert (
        none.value is not None
        and none.low is None
        and none.why == "no interval: 4 clusters, fewer than the 5 that one needs"
    )


def test_weights_undo_a_skewed_sample() -> None:
    rng = np.random.default_rng(0)
    human = rng.integers(1, 6, 8_000).astype(float)
    judge = np.clip(human + rng.integers(-1, 2, human.size), 1, 5)
    chance = np.where(judge <= 2, 0.2, 0.04)  # low scores are looked at five times as often
    seen = rng.random(human.size) < chance
    by = np.arange(human.size) // 16
    plain = stats.mean(human[seen])
    weighted = stats.mean(human[seen], clusters=by[seen], sampling_weights=1 / chance[seen], confidence=0.99)
    assert plain.value < 2.7  # type: ignore[operator]
    assert weighted.low < human.mean() < weighted.high  # type: ignore[operator]
    how = {"sampling_weights": 1 / chance[seen], "clusters": by[seen], "clusters_rest": by[~seen]}
    made = stats.ppi_mean(
        human[seen], judge[seen], judge[~seen], confidence=0.99, sampling_weights_rest=1 / (1 - chance[~seen]), **how
    )
    assert made.low < human.mean() < made.high  # type: ignore[operator]
    assert np.std(made.replicates) < np.std(weighted.replicates)


def test_equal_weights_change_no_ppi_interval() -> None:
    given = two_lists(6)
    weights = {
        "sampling_weights": np.full(given["human"].size, 3.0),
        "sampling_weights_rest": np.full(given["judge_rest"].size, 0.1),
    }
    for one, two in (
        (stats.ppi_mean(**given), stats.ppi_mean(**given, **weights)),
        (stats.ppi_mean(*list(given.values())[:3]), stats.ppi_mean(*list(given.values())[:3], **weights)),
    ):
        assert (one.value, one.low, one.high, one.lam) == pytest.approx((two.value, two.low, two.high, two.lam))


def test_rogan_gladen_says_when_it_cannot_and_stays_in_range() -> None:
    assert (
        stats.rogan_gladen(5, 10, 5, 5, 5, 5).why
        == "undefined: the test is no better than chance (sensitivity + specificity <= 1)"
    )
    assert stats.rogan_gladen(0, 0, 5, 5, 9, 1).why == "undefined: no unit was tested"
    assert stats.rogan_gladen(3, 9, 0, 0, 9, 1).why == "undefined: people found no positive unit"
    assert stats.rogan_gladen(3, 9, 4, 1, 0, 0).why == "undefined: people found no negative unit"
    low = stats.rogan_gladen(1, 100, 90, 10, 80, 20)
    assert low.value == 0.0 and low.raw is not None and low.raw < 0 and low.low == 0.0
    with pytest.raises(ValueError, match="counts"):
        stats.rogan_gladen(11, 10, 1, 1, 1, 1)


def test_rogan_gladen_covers() -> None:
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(600):
        tp, tn = rng.binomial(60, 0.85), rng.binomial(60, 0.8)
        positive = rng.binomial(400, 0.3 * 0.85 + 0.7 * 0.2)
        made = stats.rogan_gladen(positive, 400, tp, 60 - tp, tn, 60 - tn)
        held += made.low <= 0.3 <= made.high  # type: ignore[operator]
    assert 0.925 < held / 600 < 0.98


def authors_rule(humans: np.ndarray, judge: np.ndarray, epsilon: float, metric: str) -> tuple[list[float], float]:
    """The test unit by unit, as its authors describe it."""
    p_values, advantages = [], []
    for h, rater in enumerate(humans):
        gaps, wins = [], []
        for unit in range(judge.size):
            others = [row[unit] for place, row in enumerate(humans) if place != h and not np.isnan(row[unit])]
            if np.isnan(rater[unit]) or np.isnan(judge[unit]) or not others:
                continue
            if metric == "accuracy":
                score = [np.mean([answer == other for other in others]) for answer in (judge[unit], rater[unit])]
            else:
                score = [
                    -np.sqrt(np.mean([(answer - other) ** 2 for other in others]))
                    for answer in (judge[unit], rater[unit])
                ]
            wins.append(float(score[0] >= score[1] - 1e-12))
            gaps.append(float(score[1] >= score[0] - 1e-12) - wins[-1])
        p_values.append(float(scipy_stats.ttest_1samp(gaps, epsilon, alternative="less").pvalue))
        advantages.append(np.mean(wins))
    return p_values, float(np.mean(advantages))


@pytest.mark.parametrize("metric", ["accuracy", "rmse"])
@pytest.mark.parametrize("seed", range(3))
def test_alternative_annotator_test_unit_by_unit(metric: str, seed: int) -> None:
    scores, _ = naive.audit(seed, raters=5, clusters=40, gaps=0.2)
    humans, judge = scores[:4], scores[4]
    made = stats.alternative_annotator_test(humans, judge, 0.2, metric)
    p_values, advantage = authors_rule(humans, judge, 0.2, metric)
    assert made.p_values == pytest.approx(tuple(p_values), abs=1e-12)
    assert made.p_adjusted == pytest.approx(
        tuple(scipy_stats.false_discovery_control(p_values, method="by")), abs=1e-12
    )
    assert made.advantage == pytest.approx(advantage) and made.advantage_low is None
    assert made.value == made.winning_rate == sum(p <= 0.05 for p in made.p_adjusted) / 4  # type: ignore[operator]
    assert made.passes == (made.winning_rate >= 0.5)


def test_alternative_annotator_test_with_clusters_doubts_more() -> None:
    scores, by = naive.audit(2, raters=4, clusters=40)
    same = np.repeat(scores, 5, axis=1)  # every unit five times over: no news
    plain = stats.alternative_annotator_test(scores[:3], scores[3], 0.2)
    once = stats.alternative_annotator_test(scores[:3], scores[3], 0.2, clusters=np.arange(by.size))
    often = stats.alternative_annotator_test(same[:3], same[3], 0.2, clusters=np.repeat(np.arange(by.size), 5))
    assert once.p_values == pytest.approx(plain.p_values, abs=1e-12) == often.p_values
    assert once.advantage_low is not None and once.advantage_low < once.advantage < once.advantage_high  # type: ignore[operator]
    assert once.advantage_low == pytest.approx(often.advantage_low)


def test_alternative_annotator_test_says_whom_it_did_not_test() -> None:
    scores, by = naive.audit(4, raters=4, clusters=40, gaps=0.0)
    scores[2, 29:] = np.nan
    made = stats.alternative_annotator_test(scores[:3], scores[3], 0.15, clusters=by)
    assert (
        made.whys == (None, None, "not tested: 29 units, fewer than 30")
        and made.p_values[2] is made.p_adjusted[2] is None
    )
    assert made.p_adjusted[:2] == stats.adjust(made.p_values[:2], "by").value
    few = stats.alternative_annotator_test(scores[:3, :20], scores[3, :20], 0.15)
    assert (
        few.value is None and few.why == "undefined: no rater has 30 units that another rater and the judge scored too"
    )
    alone = stats.alternative_annotator_test(scores[:1], scores[3], 0.15)
    assert alone.value is None and alone.why == "undefined: the test needs two raters or more"
    assert (
        stats.alternative_annotator_test(scores[:3], scores[3], 0.15, clusters=by % 4).whys[0]
        == "not tested: 4 clusters, fewer than 5"
    )


def test_a_judge_who_repeats_a_rater_wins_without_variation() -> None:
    humans = np.tile([1.0, 2, 3, 4, 5, 3], (3, 6))
    made = stats.alternative_annotator_test(humans, humans[0], 0.1)
    assert made.p_values == (0.0, 0.0, 0.0) and made.winning_rate == made.advantage == 1.0 and made.passes
    assert stats.alternative_annotator_test(humans, humans[0], 0.0).p_values == (1.0, 1.0, 1.0)


def test_cross_fitting_never_sees_the_units_own_cluster() -> None:
    scores, by = naive.audit(9, raters=2, clusters=60, gaps=0.0)
    human, judge = scores
    mapped = stats.cross_fitted(judge, human, by, folds=5, seed=1)
    assert np.isfinite(mapped).all()
    for cluster in (0, 31):
        changed = np.where(by == cluster, 6 - human, human)
        again = stats.cross_fitted(judge, changed, by, folds=5, seed=1)
        assert np.array_equal(again[by == cluster], mapped[by == cluster]) and not np.array_equal(again, mapped)
    shifted = stats.cross_fitted(judge + 1, human, by)
    before, after = stats.calibration_error(judge + 1, human), stats.calibration_error(shifted, human)
    assert after.value < before.value / 3  # type: ignore[operator]
    with pytest.raises(ValueError, match="60 clusters cannot be dealt"):
        stats.cross_fitted(judge, human, by, folds=61)


def test_reliability_has_a_point_for_each_judge_score() -> None:
    made = stats.reliability([1, 1, 2, 2, 2, 5, np.nan], [1, 3, 2, 2, 5, 4, 4])
    assert (made.judge, made.value, made.counts, made.n_units) == ((1, 2, 5), (2, 3, 4), (2, 3, 1), 6)
    error = stats.calibration_error([1, 1, 2, 2, 2, 5], [1, 3, 2, 2, 5, 4])
    assert error.value == pytest.approx((2 * 1 + 3 * 1 + 1 * 1) / 6)
    many = stats.reliability(np.arange(100), np.arange(100), bins=4)
    assert (many.judge, many.value, many.counts) == ((12, 37, 62, 87), (12, 37, 62, 87), (25,) * 4)


def test_isotonic_rises_even_where_a_resample_lacks_a_level() -> None:
    scores, by = naive.audit(10, raters=2, clusters=25, gaps=0.0)
    made = stats.isotonic(scores[0], scores[1], clusters=by)
    assert made.replicates is not None and (np.diff(made.replicates, axis=1) >= -1e-12).all()
    assert made.low is not None and made.predict([0, 9]).tolist() == [made.value[0], made.value[-1]]  # type: ignore[index]
    assert np.isnan(made.predict(np.nan))
    with pytest.raises(ValueError, match="no unit has both"):
        stats.isotonic([], []).predict(3)


def test_an_undefined_side_of_detection_leaves_the_other_whole() -> None:
    made = stats.detection([1, 2, 5, 4], [4, 5, 4, 3], 2)
    assert made.value is None and made.why == "undefined: people scored no unit low"
    assert made.sensitivity.value is None and made.specificity.value == 0.5 and made.specificity.n_units == 4
    both = stats.detection([1, 2, 5, 4], [2, 5, 4, 3], 2)
    assert both.value == (1.0, pytest.approx(2 / 3))


def test_bland_altman_by_hand() -> None:
    judge, human = [5.0, 4, 4, 3], [4.0, 4, 2, 3]
    made = stats.bland_altman(judge, human)
    gap, middle = np.subtract(judge, human), np.add(judge, human) / 2
    half = 1.959963984540054 * gap.std(ddof=1)
    assert made.value == pytest.approx((gap.mean(), gap.mean() - half, gap.mean() + half))
    assert made.slope == pytest.approx(np.polyfit(middle, gap, 1)[0])
    flat = stats.bland_altman([3, 4], [4, 3])
    assert flat.slope is None and flat.slope_why == "undefined: all pairs have the same mean" and flat.value is not None
    assert stats.bland_altman([3], [4]).why == "undefined: fewer than two units have both scores"


def test_confusion_counts_and_keeps_their_shape() -> None:
    scores, by = naive.audit(12, raters=2, clusters=40)
    made = stats.confusion(scores[0], scores[1], FIVE, clusters=by)
    value, low, high = (np.array(part) for part in (made.value, made.low, made.high))
    assert value.sum() == made.n_units and (low <= value).all() and (value <= high).all() and low.shape == (5, 5)
