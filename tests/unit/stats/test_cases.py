"""Trouble inputs of statistics: gaps, one rater, no variation, few clusters, pairs that never met."""

from __future__ import annotations

import csv
import json
from typing import Any

import numpy as np
import pytest

from annotator import stats
from tests.unit.stats.naive import DATA, FIVE, long_csv, reference

CASES = {case["id"]: case for case in json.loads((DATA / "stats" / "cases.json").read_text(encoding="utf-8"))}
TABLES = [case for case in CASES.values() if "table" in case["expect"]]


def value(name: str, ratings: Any, scale: Any) -> Any:
    stat, _, choice = name.partition("|")
    weights = None if choice == "None" else choice
    a, b = ratings[0], ratings[min(1, len(ratings) - 1)]
    made = {
        "alpha": lambda: stats.alpha(ratings, choice, scale),
        "agreement": lambda: stats.exact(ratings),
        "ac": lambda: stats.ac(ratings, weights, scale),
        "kappa": lambda: stats.kappa(a, b, weights, scale),
        "fleiss_gwet": lambda: stats.fleiss_gwet(ratings, None, scale),
        "brennan_prediger": lambda: stats.brennan_prediger(ratings, None, scale),
        "tau_b": lambda: stats.kendall_tau_b(a, b),
        "spearman": lambda: stats.spearman(a, b),
        "pearson": lambda: stats.pearson(a, b),
        "icc": lambda: stats.icc(ratings, choice),
        "mae": lambda: stats.mae(b, a),
        "bias": lambda: stats.bias(b, a),
    }[stat]()
    assert (made.value is None) == (made.why is not None)
    return "undefined" if made.value is None else made.value


@pytest.mark.parametrize("case", TABLES, ids=[case["id"] for case in TABLES])
def test_long_csv_in_any_order_gives_the_table(case: dict[str, Any]) -> None:
    ratings, refused = long_csv(case["files"][0])
    if not ratings.size:
        ratings = np.full((2, 6), np.nan)
    scale = reference(case["expect"]["table"])["data"]["scale"]
    assert not refused
    for name, wanted in case["expect"]["values"].items():
        got = value(name, ratings, scale)
        assert got == (wanted if wanted == "undefined" else pytest.approx(wanted, abs=5.1e-5)), name


def test_gaps_blanks_and_strangers_are_no_scores() -> None:
    ratings, refused = long_csv("stats/dirty.csv")
    expect = CASES["C-STAT-DIRTY"]["expect"]
    exact, alpha = stats.exact(ratings), stats.alpha(ratings, "nominal", FIVE)
    assert len(refused) >= 2 and exact.n_units == alpha.n_units == expect["pairs"]
    assert exact.value == pytest.approx(expect["values"]["agreement"], abs=5.1e-5)
    assert alpha.value == pytest.approx(expect["values"]["alpha|nominal"], abs=5.1e-5)


def test_fleiss_is_not_applicable_with_unequal_numbers() -> None:
    ratings, _ = long_csv("stats/unequal.csv")
    figure = stats.fleiss(ratings, FIVE)
    assert (figure.value, figure.why) == (None, CASES["C-STAT-FLEISSUNEQUAL"]["expect"]["fleiss"])
    assert stats.alpha(ratings, "nominal", FIVE).value == pytest.approx(1 / 3)


def test_two_dialogues_give_no_interval() -> None:
    with (DATA / "stats" / "clusters.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    agree, dialogue = np.array([float(row["agree"]) for row in rows]), [row["dialogue"] for row in rows]
    seen: list[float] = []

    def mean(indices: np.ndarray) -> float:
        seen.append(float(agree[indices].mean()))
        return seen[-1]

    for figure in (stats.clustered(mean, dialogue, 2_000, 0), stats.mean(agree, clusters=dialogue)):
        assert (figure.value, figure.low, figure.high, figure.n_clusters, figure.n_units) == (0.5, None, None, 2, 20)
        assert figure.why == "no interval: 2 clusters, fewer than the 5 that one needs"
    assert set(seen) <= set(CASES["C-STAT-TWOCLUSTERS"]["expect"]["replicate_values_allowed"])


def test_win_rates_and_islands() -> None:
    with (DATA / "stats" / "battles.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    models = sorted({row[side] for row in rows for side in "ab"})
    wins, ties = np.zeros((4, 4)), np.zeros((4, 4))
    for row in rows:
        a, b = models.index(row["a"]), models.index(row["b"])
        if row["winner"].startswith("tie"):
            ties[a, b] += 1
            ties[b, a] += 1
        else:
            wins[(a, b) if row["winner"] == "a" else (b, a)] += 1
    for pair, wanted in CASES["C-STAT-WINRATE"]["expect"]["win_rate"].items():
        a, b = (models.index(model) for model in pair.split("|"))
        figure = stats.win_rate(wins[a, b], wins[b, a], ties[a, b])
        assert figure.value == wanted and (figure.why is None) == (wanted is not None), pair
    for strengths in (stats.bradley_terry(wins + ties / 2), stats.davidson(wins, ties)):
        assert strengths.value is None and strengths.why is not None
        assert strengths.why.startswith(CASES["C-STAT-WINRATE"]["expect"]["bradley_terry_all"])
