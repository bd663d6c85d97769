"""The same figures by scikit-learn, statsmodels, choix and scipy, on drawn data."""

from __future__ import annotations

import numpy as np
import pytest
from choix import ilsr_pairwise_dense
from scipy import stats as scipy_stats
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import cohen_kappa_score, confusion_matrix, mean_absolute_error, roc_auc_score
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa, fleiss_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from annotator import stats
from tests.unit.stats import naive
from tests.unit.stats.naive import FIVE

SEEDS = range(5)


def two(seed: int) -> tuple[np.ndarray, np.ndarray]:
    scores, _ = naive.audit(seed, raters=2, gaps=0.0)
    return scores[0], scores[1]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa(seed: int, weights: str | None) -> None:
    a, b = two(seed)
    got = stats.kappa(a, b, weights, FIVE).value
    assert got == pytest.approx(cohen_kappa_score(a, b, weights=weights, labels=list(FIVE)), abs=1e-12)
    counts = np.array(stats.confusion(a, b, FIVE).value)
    kind = {None: None, "linear": "linear", "quadratic": "quadratic"}[weights]
    assert got == pytest.approx(cohens_kappa(counts, wt=kind).kappa, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_fleiss_and_scott(seed: int) -> None:
    scores, _ = naive.audit(seed, gaps=0.0)
    counts, _ = aggregate_raters(scores.T)
    assert stats.fleiss(scores, FIVE).value == pytest.approx(fleiss_kappa(counts), abs=1e-12)
    assert stats.scott_pi(scores[0], scores[1], FIVE).value == pytest.approx(
        fleiss_kappa(aggregate_raters(scores[:2].T)[0]), abs=1e-12
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_correlations_with_ties(seed: int) -> None:
    a, b = two(seed)
    length = np.random.default_rng(seed).permutation(a.size) + a * 7.3  # many levels: the other way of reckoning
    for y in (b, length):
        assert stats.spearman(a, y).value == pytest.approx(scipy_stats.spearmanr(a, y).statistic, abs=1e-12)
        assert stats.kendall_tau_b(a, y).value == pytest.approx(scipy_stats.kendalltau(a, y).statistic, abs=1e-12)
        assert stats.pearson(a, y).value == pytest.approx(scipy_stats.pearsonr(a, y).statistic, abs=1e-12)
        assert stats.auc(y, a >= 4).value == pytest.approx(roc_auc_score(a >= 4, y), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_tau_b_of_lists_with_many_levels(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(0, 9, 211), 1)
    y = np.round(0.6 * x + rng.normal(0, 8, 211), 1)
    wanted = scipy_stats.kendalltau(x, y).statistic
    assert stats.kendall_tau_b(x, y).value == pytest.approx(wanted, abs=1e-12)
    monkeypatch.setattr("annotator.stats.association.MOST_TABLE", 100)
    assert stats.kendall_tau_b(x, y).value == pytest.approx(wanted, abs=1e-12), "counted bit by bit, without a table"


@pytest.mark.parametrize("seed", SEEDS)
def test_kendall_w_is_friedmans_statistic(seed: int) -> None:
    scores, _ = naive.audit(seed, raters=4, gaps=0.0)
    raters, units = scores.shape
    friedman = scipy_stats.friedmanchisquare(*scores.T).statistic
    assert stats.kendall_w(scores).value == pytest.approx(friedman / (raters * (units - 1)), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_isotonic_with_weights(seed: int) -> None:
    a, b = two(seed)
    weights = np.random.default_rng(seed).uniform(0.2, 3, a.size)
    for given in (None, weights):
        peer = IsotonicRegression(out_of_bounds="clip").fit(a, b, sample_weight=given)
        at = np.linspace(0, 6, 25)
        assert stats.isotonic(a, b, sampling_weights=given).predict(at) == pytest.approx(peer.predict(at), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_errors_and_confusion(seed: int) -> None:
    judge, human = two(seed)
    assert stats.mae(judge, human).value == pytest.approx(mean_absolute_error(human, judge))
    rows = confusion_matrix(judge, human, labels=list(FIVE))
    assert np.array_equal(np.array(stats.confusion(judge, human, FIVE).value), rows), "rows are the judge's"
    for cut in (2, 3):
        flagged, low = judge <= cut, human <= cut
        made = stats.detection(judge, human, cut)
        assert made.sensitivity.value == pytest.approx((flagged & low).sum() / low.sum())
        assert made.specificity.value == pytest.approx((~flagged & ~low).sum() / (~low).sum())
        assert stats.detection(judge, human, cut + 1, below=True) == made, "on whole scores < 4 is <= 3"


@pytest.mark.parametrize("method", ["holm", "bh", "by"])
@pytest.mark.parametrize("seed", SEEDS)
def test_adjusted_p_values(method: str, seed: int) -> None:
    p = np.random.default_rng(seed).uniform(0, 0.2, 12) ** 2
    p[3] = p[7]
    wanted = multipletests(p, method={"holm": "holm", "bh": "fdr_bh", "by": "fdr_by"}[method])[1]
    assert stats.adjust(list(p), method).value == pytest.approx(tuple(wanted), abs=1e-14)


@pytest.mark.parametrize(("b", "c"), [(0, 1), (3, 9), (12, 12), (40, 22), (0, 30)])
def test_mcnemar(b: int, c: int) -> None:
    wanted = mcnemar([[50, b], [c, 40]], exact=True).pvalue
    assert stats.mcnemar_exact(b, c).value == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize(("k", "n"), [(0, 9), (9, 9), (3, 7), (536, 734)])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_wilson(k: int, n: int, confidence: float) -> None:
    figure = stats.wilson(k, n, confidence)
    wanted = proportion_confint(k, n, alpha=1 - confidence, method="wilson")
    assert (figure.low, figure.high) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_bradley_terry(seed: int) -> None:
    wins = np.random.default_rng(seed).integers(1, 30, (6, 6))
    np.fill_diagonal(wins, 0)
    assert stats.bradley_terry(wins).value == pytest.approx(tuple(ilsr_pairwise_dense(wins)), abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_davidson_is_where_the_likelihood_is_flat(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wins, ties = rng.integers(0, 20, (5, 5)), np.triu(rng.integers(0, 15, (5, 5)), 1)
    np.fill_diagonal(wins, 0)
    figure = stats.davidson(wins, ties + ties.T)
    assert figure.value is not None and figure.nu is not None

    def log_likelihood(strengths: np.ndarray, nu: float) -> float:
        power = np.exp(strengths)
        total = 0.0
        for i in range(5):
            for j in range(i + 1, 5):
                even = nu * np.sqrt(power[i] * power[j])
                under = power[i] + power[j] + even
                total += wins[i, j] * np.log(power[i] / under) + wins[j, i] * np.log(power[j] / under)
                total += ties[i, j] * np.log(even / under)
        return float(total)

    best = np.array(figure.value)
    top = log_likelihood(best, figure.nu)
    for _ in range(50):
        step = rng.normal(0, 1e-3, 6)
        assert log_likelihood(best + step[:5], figure.nu * np.exp(step[5])) < top


@pytest.mark.parametrize("seed", SEEDS)
def test_icc_by_analysis_of_variance(seed: int) -> None:
    scores, _ = naive.audit(seed, gaps=0.0)
    k, n = scores.shape
    grand, by_unit, by_rater = scores.mean(), scores.mean(axis=0), scores.mean(axis=1)
    between = k * ((by_unit - grand) ** 2).sum() / (n - 1)
    judges = n * ((by_rater - grand) ** 2).sum() / (k - 1)
    left = ((scores - by_unit - by_rater[:, None] + grand) ** 2).sum() / ((n - 1) * (k - 1))
    inside = ((scores - by_unit) ** 2).sum() / (n * (k - 1))
    wanted = {
        "1,1": (between - inside) / (between + (k - 1) * inside),
        "2,1": (between - left) / (between + (k - 1) * left + k * (judges - left) / n),
        "3,1": (between - left) / (between + (k - 1) * left),
        "1,k": (between - inside) / between,
        "2,k": (between - left) / (between + (judges - left) / n),
        "3,k": (between - left) / between,
    }
    for form, value in wanted.items():
        assert stats.icc(scores + 1e6, form).value == pytest.approx(value, abs=1e-9), form


@pytest.mark.parametrize("seed", SEEDS)
def test_agreement_from_the_definitions(seed: int) -> None:
    scores, _ = naive.audit(seed, clusters=12, gaps=0.3)
    assert stats.alpha(scores, "interval", FIVE).value == pytest.approx(naive.alpha(scores, lambda x, y: (x - y) ** 2))
    assert stats.alpha(scores, "nominal", FIVE).value == pytest.approx(naive.alpha(scores, lambda x, y: float(x != y)))
    assert stats.alpha(scores, "ordinal", FIVE).value == pytest.approx(naive.alpha(scores, naive.ordinal(scores)))
    assert stats.alpha(scores, "ordinal", range(-3, 9)).value == stats.alpha(scores, "ordinal", FIVE).value
    assert stats.ac(scores, None, FIVE).value == pytest.approx(naive.gwet(scores, lambda x, y: float(x == y)))
    assert stats.ac(scores, "quadratic", FIVE).value == pytest.approx(
        naive.gwet(scores, lambda x, y: 1 - (x - y) ** 2 / 16)
    )
    ordinal = {0: 1.0, 1: 0.9, 2: 0.7, 3: 0.4, 4: 0.0}
    assert stats.ac(scores, "ordinal", FIVE).value == pytest.approx(
        naive.gwet(scores, lambda x, y: ordinal[abs(x - y)])
    )
    assert stats.kappa(scores[0], scores[1], "linear", FIVE).value == pytest.approx(
        naive.kappa(scores[0], scores[1], lambda x, y: abs(x - y))
    )
