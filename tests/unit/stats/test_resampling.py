"""Intervals: the fast bootstrap is the naive one, few clusters give a t interval, very few give none."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from annotator import stats
from annotator.stats import Result
from annotator.stats.calibration import MOST_KNOTS, _pooled, _rising
from annotator.stats.resample import Plan, multipliers
from tests.unit.stats import naive
from tests.unit.stats.naive import FIVE

RATINGS: dict[str, Callable[..., Result]] = {
    "exact": stats.exact,
    "within": lambda r, **how: stats.within(r, 1, **how),
    "alpha ordinal": lambda r, **how: stats.alpha(r, "ordinal", FIVE, **how),
    "alpha nominal": lambda r, **how: stats.alpha(r, "nominal", FIVE, **how),
    "alpha ratio": lambda r, **how: stats.alpha(r, "ratio", FIVE, **how),
    "ac1": lambda r, **how: stats.ac(r, None, FIVE, **how),
    "ac2": lambda r, **how: stats.ac(r, "quadratic", FIVE, **how),
    "fleiss_gwet": lambda r, **how: stats.fleiss_gwet(r, "linear", FIVE, **how),
    "brennan_prediger": lambda r, **how: stats.brennan_prediger(r, "linear", FIVE, **how),
    "icc 1,1": lambda r, **how: stats.icc(r, "1,1", **how),
    "icc 2,1": lambda r, **how: stats.icc(r, "2,1", **how),
    "icc 2,k": lambda r, **how: stats.icc(r, "2,k", **how),
    "kendall_w": stats.kendall_w,
}
PAIRS: dict[str, Callable[..., Result]] = {
    "kappa": lambda a, b, **how: stats.kappa(a, b, "quadratic", FIVE, **how),
    "scott_pi": lambda a, b, **how: stats.scott_pi(a, b, FIVE, **how),
    "spearman": stats.spearman,
    "spearman of many levels": lambda a, b, **how: stats.spearman(a, b * 1000 + np.arange(b.size) % 97, **how),
    "tau_b": stats.kendall_tau_b,
    "tau_b of many levels": lambda a, b, **how: stats.kendall_tau_b(a, b * 1000 + np.arange(b.size) % 97, **how),
    "pearson": stats.pearson,
    "auc": lambda a, b, **how: stats.auc(a, b >= 4, **how),
    "auc of many levels": lambda a, b, **how: stats.auc(a * 1000 + np.arange(a.size) % 197, b >= 4, **how),
    "bias": stats.bias,
    "mae": stats.mae,
    "bland_altman": stats.bland_altman,
    "confusion": lambda a, b, **how: stats.confusion(a, b, FIVE, **how),
    "isotonic": stats.isotonic,
    "reliability": stats.reliability,
    "calibration_error": stats.calibration_error,
}
NUMBER = 100


def replicates(figure: Callable[..., Result], arrays: list[np.ndarray], clusters: np.ndarray) -> list[Any]:
    """The figure worked out anew on the units of each resample."""
    out = []
    for indices in naive.resamples(clusters, NUMBER, 7):
        made = figure(*(array[..., indices] for array in arrays))
        value = made.value if not hasattr(made, "slope") else (*made.value, made.slope)
        out.append(np.ravel(np.nan if value is None else value))
    return out


@pytest.mark.parametrize("name", [*RATINGS, *PAIRS])
def test_fast_bootstrap_equals_naive_bootstrap_on_the_same_resamples(name: str) -> None:
    gaps = 0.0 if name.startswith(("isotonic", "reliability")) or "many" in name else 0.08
    scores, clusters = naive.audit(11, clusters=25, gaps=gaps)
    arrays = [scores] if name in RATINGS else [scores[0], scores[1]]
    figure = RATINGS.get(name) or PAIRS[name]
    if "many" in name:
        # What makes many levels stands on the unit's number, which a resample must carry along.
        fixed = np.arange(scores.shape[1]) % 97 + scores[1] * 1000
        arrays = [scores[0], fixed] if not name.startswith("auc") else [fixed, scores[0]]
        figure = {"s": stats.spearman, "t": stats.kendall_tau_b, "a": lambda a, b, **how: stats.auc(a, b >= 4, **how)}[
            name[0]
        ]
    # Every cluster must take part, else both would number them differently.
    made = figure(*arrays, clusters=clusters, resamples=NUMBER, seed=7)
    assert made.n_clusters == 25 and made.replicates is not None
    slow = replicates(figure, arrays, clusters)
    if name in ("isotonic", "reliability"):  # a resample may lack a level, and then has fewer knots
        full = [(fast, one) for fast, one in zip(made.replicates, slow, strict=True) if one.size == fast.size]
        assert len(full) > NUMBER / 2
    else:
        full = list(zip(made.replicates, slow, strict=True))
    if name == "confusion":
        full = [(fast / fast.sum(), one / one.sum()) for fast, one in full]
    for fast, one in full:
        assert np.ravel(fast) == pytest.approx(one, abs=1e-9, nan_ok=True)
    assert np.isfinite(np.concatenate([np.ravel(fast) for fast, _ in full])).mean() > 0.9
    if name != "calibration_error" and isinstance(made.value, float):
        low, high = np.quantile(made.replicates, [0.025, 0.975])
        assert (made.low, made.high) == pytest.approx((low, high), abs=1e-12)


def test_any_statistic_sees_the_same_resamples() -> None:
    scores, clusters = naive.audit(3)
    human = scores[0]
    slow = stats.clustered(lambda at: float(np.nanmean(human[at])), clusters, 300, 5)
    fast = stats.mean(human, clusters=clusters, resamples=300, seed=5)
    assert slow.replicates == pytest.approx(fast.replicates, abs=1e-12)
    assert (slow.value, slow.low, slow.high) == pytest.approx((fast.value, fast.low, fast.high), abs=1e-12)
    assert (slow.n_units, slow.n_clusters, slow.seed, slow.resamples) == (human.size, 30, 5, 300)


def test_a_statistic_may_give_several_numbers() -> None:
    scores, clusters = naive.audit(3, gaps=0.0)
    made = stats.clustered(lambda at: [float(row[at].mean()) for row in scores], clusters, 200, 1)
    for place, row in enumerate(scores):
        alone = stats.mean(row, clusters=clusters, resamples=200, seed=1)
        assert isinstance(made.low, tuple) and isinstance(made.high, tuple)
        assert (made.low[place], made.high[place]) == pytest.approx((alone.low, alone.high))


def test_few_clusters_of_one_size_give_the_classic_t_interval() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(3, 1, (12, 5)) + rng.normal(0, 1, (12, 1))
    made = stats.mean(values.ravel(), clusters=np.repeat(np.arange(12), 5))
    wanted = scipy_stats.t.interval(0.95, 11, values.mean(), scipy_stats.sem(values.mean(axis=1)))
    assert (made.low, made.high) == pytest.approx(wanted)
    assert made.method == "cluster-robust t interval (jackknife, 11 degrees of freedom)" and made.resamples is None


@pytest.mark.parametrize(
    ("clusters", "kind"), [(1, None), (4, None), (5, "t"), (19, "t"), (20, "bootstrap"), (60, "bootstrap")]
)
def test_the_number_of_clusters_sets_the_kind_of_interval(clusters: int, kind: str | None) -> None:
    values = np.random.default_rng(1).normal(0, 1, clusters * 3)
    by = np.repeat(np.arange(clusters), 3)
    for made in (stats.mean(values, clusters=by), stats.clustered(lambda at: float(values[at].mean()), by, 200, 0)):
        assert made.n_clusters == clusters and made.value == pytest.approx(values.mean())
        assert (made.low is None) == (made.high is None) == (kind is None) == (made.why is not None)
        assert kind is None or kind in str(made.method)


def test_without_clusters_there_is_no_interval() -> None:
    scores, _ = naive.audit(0)
    made = stats.alpha(scores, "ordinal", FIVE)
    assert (made.low, made.high, made.n_clusters, made.seed, made.method, made.why) == (None,) * 6


def test_clusters_of_one_unit_are_the_plain_bootstrap() -> None:
    values = np.random.default_rng(2).exponential(1, 80)
    made = stats.mean(values, clusters=np.arange(80), resamples=4_000)
    rng = np.random.default_rng(99)
    plain = np.array([values[rng.integers(0, 80, 80)].mean() for _ in range(4_000)])
    assert scipy_stats.ks_2samp(made.replicates, plain).pvalue > 0.01
    assert (made.low, made.high) == pytest.approx(tuple(np.quantile(plain, [0.025, 0.975])), abs=0.03)


def test_a_wider_interval_for_more_confidence_and_for_clusters() -> None:
    scores, clusters = naive.audit(5, clusters=60)
    widths = [
        np.subtract(made.high, made.low)
        for made in (
            stats.mean(scores[0], clusters=np.arange(scores.shape[1])),
            stats.mean(scores[0], clusters=clusters),
            stats.mean(scores[0], clusters=clusters, confidence=0.99),
        )
    ]
    assert widths[0] < widths[1] < widths[2]


def test_the_same_seed_gives_the_same_numbers_and_another_others() -> None:
    scores, clusters = naive.audit(5)
    one, two, three = (stats.ac(scores, None, FIVE, clusters=clusters, seed=seed) for seed in (4, 4, 5))
    assert one == two and (one.low, one.high) != (three.low, three.high) and one.value == three.value


def test_batches_do_not_change_the_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.concatenate(list(multipliers(Plan((30,), 0.95, 2_500, 3, None))))
    monkeypatch.setattr("annotator.stats.resample._KEPT_COUNTS", 0)
    monkeypatch.setattr("annotator.stats.resample.BATCH", 100)
    assert np.array_equal(np.concatenate(list(multipliers(Plan((30,), 0.95, 2_500, 3, None)))), whole)
    assert whole.shape == (2_500, 30) and (whole.sum(axis=1) == 30).all()
    assert whole.mean() == 1 and whole.var() == pytest.approx(29 / 30, abs=0.02)


def test_progress_is_told_and_may_stop_the_work() -> None:
    class StopHereError(Exception):
        pass

    scores, clusters = naive.audit(5)
    heard: list[tuple[int, int]] = []
    stats.alpha(scores, "ordinal", FIVE, clusters=clusters, resamples=2_500, progress=lambda *at: heard.append(at))
    assert heard == [(1_000, 2_500), (2_000, 2_500), (2_500, 2_500)]

    def stop(done: int, of: int) -> None:
        heard.append((done, of))
        raise StopHereError

    heard.clear()
    with pytest.raises(StopHereError):
        stats.kappa(scores[0], scores[1], None, FIVE, clusters=clusters, resamples=2_500, progress=stop)
    assert heard == [(1_000, 2_500)]


def test_a_figure_that_resamples_leave_undefined_has_no_interval() -> None:
    scores = np.full((2, 40), 5.0)
    scores[1, 0] = 4
    made = stats.alpha(scores, "nominal", FIVE, clusters=np.arange(40))
    assert made.value == pytest.approx(0.0) and made.low is None and made.why is not None
    assert made.why.startswith("no interval: the figure is undefined in 3")
    steady = stats.ac(scores, "quadratic", FIVE, clusters=np.arange(40))
    assert steady.low is not None and steady.why is None, "AC is defined at the ceiling"
    few = stats.alpha(scores[:, :10], "nominal", FIVE, clusters=np.arange(10))
    assert few.why == "no interval: the figure is undefined without one of its clusters"


def test_ids_may_be_anything_and_come_in_any_order() -> None:
    scores, clusters = naive.audit(6)
    named = [f"dialogue {number:03d}" for number in clusters]
    turned = np.random.default_rng(0).permutation(clusters.size)
    plain = stats.alpha(scores, "ordinal", FIVE, clusters=clusters)
    for made in (
        stats.alpha(scores, "ordinal", FIVE, clusters=named),
        stats.alpha(scores[:, turned], "ordinal", FIVE, clusters=[named[at] for at in turned]),
        stats.alpha(scores, "ordinal", FIVE, clusters=[(number, "x") for number in clusters] and clusters * 10 + 3),
    ):
        assert (made.value, made.low, made.high) == pytest.approx((plain.value, plain.low, plain.high), abs=1e-12)


def test_the_difference_of_two_judges_is_paired() -> None:
    scores, clusters = naive.audit(8, clusters=60, gaps=0.0)
    human, one, two = scores
    pair = [stats.bias(judge, human, clusters=clusters) for judge in (one, two)]
    made = stats.difference(*pair)
    wanted = stats.mean(one - two, clusters=clusters)
    assert (made.value, made.low, made.high) == pytest.approx((wanted.value, wanted.low, wanted.high), abs=1e-12)
    few = clusters < 12
    pair = [stats.bias(judge[few], human[few], clusters=clusters[few]) for judge in (one, two)]
    made, wanted = stats.difference(*pair), stats.mean((one - two)[few], clusters=clusters[few])
    assert (made.value, made.low, made.high) == pytest.approx((wanted.value, wanted.low, wanted.high), abs=1e-12)
    with pytest.raises(ValueError, match="the same clusters"):
        stats.difference(pair[0], stats.bias(two, human, clusters=clusters))
    assert stats.difference(pair[0], stats.bias([], [])).value is None
    assert (
        stats.difference(stats.bias(one, human), stats.bias(two, human)).why
        == "no interval: one of the two figures has none"
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: stats.mean([1, 2], clusters=[1]), "clusters must have one id per unit"),
        (lambda: stats.mean([1, 2], clusters=["a", None]), "clusters must be given for every unit"),
        (lambda: stats.mean([1, 2], clusters=[1.0, np.nan]), "clusters must be given for every unit"),
        (lambda: stats.mean([1, 2], sampling_weights=[1, -1]), "not be negative"),
        (lambda: stats.mean([1, 2], sampling_weights=[1]), "one weight per unit"),
        (lambda: stats.mean([1, 2], confidence=95), "confidence must lie between 0 and 1"),
        (lambda: stats.mean([1, 2], resamples=0), "an interval needs resamples"),
        (lambda: stats.mean([1, np.inf]), "infinite"),
        (lambda: stats.mean([[1, 2]]), "one dimension"),
        (lambda: stats.exact([1, 2]), "two dimensions"),
        (lambda: stats.exact([[1, np.inf]]), "infinite"),
        (lambda: stats.within([[1, 2]], -1), "negative"),
        (lambda: stats.bias([1], [1, 2]), "one number per unit"),
        (lambda: stats.alpha([[1, 6]], "ordinal", FIVE), "6 is not a level"),
        (lambda: stats.alpha([[1, 2.5]], "ordinal", FIVE), "2.5 is not a level"),
        (lambda: stats.alpha([[1, 2]], "rank", FIVE), "level must be"),
        (lambda: stats.alpha([[1, 2]], "ratio", (-1, 1, 2)), "no negative level"),
        (lambda: stats.kappa([1], [1], "cubic", FIVE), "weights must be one of"),
        (lambda: stats.kappa([1], [1]), "scale must list all levels"),
        (lambda: stats.ac([[1], [1]], None, (1, 1, 2)), "a level twice"),
        (lambda: stats.icc([[1], [1]], "4,1"), "form must be one of"),
        (lambda: stats.auc([1, 2], [0, 2]), "kept must be"),
    ],
)
def test_a_wrong_call_is_said_to_be_one(call: Callable[[], Result], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_figures_over_other_dialogues_are_never_paired() -> None:
    scores, clusters = naive.audit(8, clusters=30, gaps=0.0)
    one = stats.mean(scores[0], clusters=[f"a{number}" for number in clusters])
    with pytest.raises(ValueError, match="the same clusters"):
        stats.difference(one, stats.mean(scores[1], clusters=[f"b{number}" for number in clusters]))
    few = clusters < 8
    lists = (scores[0, few], scores[1, few], scores[1, ~few])
    two = stats.ppi_mean(*lists, clusters=clusters[few], clusters_rest=clusters[~few])
    with pytest.raises(ValueError, match="cannot be paired"):
        stats.difference(two, two)


@pytest.mark.parametrize("clusters", [60, 12, 3])
def test_kappas_of_all_pairs_are_those_of_each_pair(clusters: int) -> None:
    """With gaps that leave pairs other clusters, a rater who says one thing, and one who says nothing."""
    rng = np.random.default_rng(clusters)
    ratings = rng.integers(1, 6, (5, 90)).astype(float)
    ratings[rng.random(ratings.shape) < 0.2] = np.nan
    ratings[3], ratings[4] = 5, np.nan
    by = rng.integers(0, clusters, 90)
    for weights in (None, rng.random(90) + 0.5):
        how = {"clusters": by, "sampling_weights": weights, "resamples": 200}
        together = stats.kappas(ratings, "quadratic", FIVE, **how)
        assert len(together) == 10 and stats.kappas(ratings[:1], None, FIVE) == ()
        for (one, two), made in zip(combinations(ratings, 2), together, strict=True):
            alone = stats.kappa(one, two, "quadratic", FIVE, **how)
            for name in ("value", "low", "high"):
                assert getattr(made, name) == pytest.approx(getattr(alone, name), abs=1e-12), name
            for name in ("why", "n_units", "n_raters", "n_clusters", "method", "seed"):
                assert getattr(made, name) == getattr(alone, name), name


def test_maps_of_many_resamples_are_those_of_pooling_row_by_row() -> None:
    """The closed form against pool adjacent violators, levels without a unit among them."""
    rng = np.random.default_rng(0)
    for knots in (1, 2, 5, MOST_KNOTS):
        weights = rng.integers(0, 4, (200, knots)) * rng.random((200, 1))
        totals = weights * rng.normal(3, 1, weights.shape)
        pooled = np.stack([_pooled(*row) for row in zip(weights, totals, strict=True)])
        np.testing.assert_allclose(_rising(weights, totals), pooled, atol=1e-12)
