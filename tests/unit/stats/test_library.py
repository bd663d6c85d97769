"""The library as a whole: what it offers, what it loads, and that the coverage study measures against the truth."""

from __future__ import annotations

import dataclasses
import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from annotator import stats
from tests.benchmarks import coverage
from tests.unit.stats import naive
from tests.unit.stats.naive import FIVE, reference

OVER_UNITS = """alpha kappa kappas fleiss fleiss_gwet scott_pi brennan_prediger ac icc kendall_w exact within spearman
kendall_tau_b pearson auc mean bias mae bland_altman confusion detection isotonic reliability calibration_error ppi_mean
alternative_annotator_test""".split()
OF_COUNTS = "rogan_gladen pairs_from_ranks bradley_terry davidson win_rate wilson mcnemar_exact adjust".split()


@pytest.mark.parametrize("name", OVER_UNITS)
def test_every_estimator_over_units_takes_clusters_and_weights(name: str) -> None:
    taken = inspect.signature(getattr(stats, name)).parameters
    defaults = {
        "clusters": None,
        "sampling_weights": None,
        "confidence": 0.95,
        "resamples": 2_000,
        "seed": 0,
        "progress": None,
    }
    assert {key: taken[key].default for key in defaults} == defaults


@pytest.mark.parametrize("name", OF_COUNTS)
def test_functions_of_counts_take_neither(name: str) -> None:
    assert not {"clusters", "sampling_weights"} & set(inspect.signature(getattr(stats, name)).parameters)


def test_everything_offered_is_there_and_told() -> None:
    assert set(OVER_UNITS + OF_COUNTS) <= set(stats.__all__)
    for name in stats.__all__:
        assert inspect.getdoc(getattr(stats, name)), name


def test_results_are_frozen() -> None:
    made = stats.exact([[1, 2], [1, 3]])
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.value = 1.0  # type: ignore[misc]


def test_importing_the_library_loads_no_scipy() -> None:
    code = "import sys, annotator.stats; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False).returncode == 0


def test_agreement_needs_no_scipy_stats() -> None:
    code = (
        "import sys; from annotator import stats\n"
        "how = {'clusters': list(range(12)) * 2}\n"
        "stats.spearman(range(24), [1, 2, 3] * 8, **how); stats.isotonic(range(24), [1, 2, 3] * 8, **how)\n"
        "stats.alternative_annotator_test([[1, 2] * 20] * 3, [1, 1] * 20, 0.1)\n"
        "sys.exit('scipy.stats' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False).returncode == 0


def test_gwets_ordinal_weights_on_the_likert_table() -> None:
    ratings = reference("S22")["data"]["ratings"]
    assert stats.ac(ratings, "ordinal", FIVE).value == pytest.approx(0.8742, abs=5.1e-5)


def test_the_ceiling_reads_near_one_where_kappa_reads_nought() -> None:
    ratings = np.full((2, 40), 5.0)
    ratings[1, 7] = 4
    assert stats.kappa(ratings[0], ratings[1], "quadratic", FIVE).value == 0.0
    assert stats.alpha(ratings, "ordinal", FIVE).value == pytest.approx(0.0, abs=0.02)
    assert stats.ac(ratings, "quadratic", FIVE).value > 0.99  # type: ignore[operator]


def test_kappa_over_the_scale_and_not_over_the_values_seen() -> None:
    a, b = [4, 5, 4, 5, 5, 4], [4, 5, 5, 5, 4, 4]
    over_five, over_two = stats.ac([a, b], None, FIVE), stats.ac([a, b], None, (4, 5))
    assert over_five.value != over_two.value
    assert stats.kappa([1, 4, 8], [2, 4, 8], "linear", (1, 2, 4, 8)).value == pytest.approx(
        naive.kappa(np.array([1.0, 4, 8]), np.array([2.0, 4, 8]), lambda x, y: abs(x - y))
    ), "distances are those of the levels' values"


@pytest.mark.parametrize("seed", [0, 1])
def test_the_true_values_of_the_coverage_study_are_true(seed: int) -> None:
    """One audit of very many dialogues gives, by the definitions, what the integrals give."""
    world = coverage.World(labelled=25_000, judged_only=10)
    audit = coverage.draw(world, np.random.default_rng(seed))
    true = coverage.truth(world, audit.bias)
    made = {
        "mean": stats.mean(audit.scores.mean(axis=0)),
        "AC2": stats.ac(audit.scores, "quadratic", FIVE),
        "weighted kappa": stats.kappa(audit.scores[0], audit.scores[1], "quadratic", FIVE),
        "alpha (ordinal)": stats.alpha(audit.scores, "ordinal", FIVE),
        "retention rate": stats.wilson(audit.kept, audit.decided),
    }
    for name, figure in made.items():
        assert figure.value == pytest.approx(true[name], abs=0.015), name
    assert true["PPI mean"] == true["mean"]


def test_the_coverage_study_counts_what_it_says() -> None:
    tally = coverage.Tally()
    for low, high in ((0, 2), (2, 3), (-1, 0.5), (0.9, 1.1)):
        tally.add(stats.Result(value=(low + high) / 2, low=float(low), high=float(high)), 1.0)
    assert (tally.made, tally.held, tally.below) == (4, 2, 1)
    assert tally.row("x").startswith("| x | 50.0% | 25.0% | 25.0% / 25.0% |")
    assert coverage.World().within_dialogue >= 0.3


def test_icc_needs_more_than_raters_who_differ() -> None:
    apart = [[5, 5, 5, 5], [4, 4, 4, 4]]
    for form in ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k"):
        made = stats.icc(apart, form)
        assert (made.value, made.why) == (None, "undefined: the units do not differ from one another"), form
    crossed = [[1, 2, 1, 2], [2, 1, 2, 1]]  # the units' means are equal, their scores are not
    assert stats.icc(crossed, "1,1").value == pytest.approx(-1) == stats.icc(crossed, "3,1").value
    assert stats.icc(crossed, "3,k").value is None
