"""Every table of reference values: two libraries or a published example agree on each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from annotator import stats
from annotator.stats import Result
from tests.unit.stats.naive import DATA

TABLES = json.loads((DATA / "stats_reference.json").read_text(encoding="utf-8"))["tables"]
VALUES = [(table, value) for table in TABLES for value in table["values"]]
DECIMALS = 5.1e-5
"""The reference values are printed with four decimals."""

Made = tuple[Any, Result]


def whole(figure: Result) -> Made:
    return figure.value, figure


def ppi(data: dict[str, Any], wanted: dict[str, Any]) -> Made:
    tuned = wanted["params"]["lam"] == "tuned"
    figure = stats.ppi_mean(data["y"], data["yhat"], data["yhat_unlabelled"], power_tuning=tuned)
    return {"ppi_mean": figure.value, "ppi_lo": figure.low, "ppi_hi": figure.high}[wanted["stat"]], figure


def alternative(data: dict[str, Any], wanted: dict[str, Any]) -> Made:
    names = list(data["humans"])
    # The table's authors measured distance to the other raters, as one does with scores.
    figure = stats.alternative_annotator_test(list(data["humans"].values()), data["judge"], 0.15, metric="rmse")
    if wanted["stat"] == "alt_p":
        return figure.p_values[names.index(wanted["params"]["human"])], figure
    return {"alt_winning_rate": figure.winning_rate, "alt_advantage": figure.advantage}[wanted["stat"]], figure


def isotonic(data: dict[str, Any], wanted: dict[str, Any]) -> Made:
    figure = stats.isotonic(data["x"], data["y"])
    return figure.predict(wanted["params"]["at"]), figure


def strength(data: dict[str, Any], wanted: dict[str, Any]) -> Made:
    figure = stats.bradley_terry(data["wins"])
    assert isinstance(figure.value, tuple)
    return figure.value[wanted["params"]["item"]], figure


def identified(data: dict[str, Any], wanted: dict[str, Any]) -> Made:
    figure = stats.bradley_terry(data[wanted["params"]["which"]])
    assert figure.value is None and figure.why
    return float(figure.value is not None), figure


def rated(data: dict[str, Any], wanted: dict[str, Any]) -> Made:
    ratings, scale, params = np.array(data["ratings"], dtype=float), data.get("scale", ()), wanted["params"]
    made: dict[str, Callable[[], Result]] = {
        "kappa": lambda: stats.kappa(ratings[0], ratings[1], params["weights"], scale),
        "alpha": lambda: stats.alpha(ratings, params["level"], scale),
        "scott_pi": lambda: stats.scott_pi(ratings[0], ratings[1], scale),
        "ac": lambda: stats.ac(ratings, params["weights"], scale),
        "fleiss": lambda: stats.fleiss(ratings, scale),
        "fleiss_gwet": lambda: stats.fleiss_gwet(ratings, None, scale),
        "brennan_prediger": lambda: stats.brennan_prediger(ratings, None, scale),
        "agreement": lambda: stats.exact(ratings),
        "icc": lambda: stats.icc(ratings, params["form"]),
        "kendall_w": lambda: stats.kendall_w(ratings),
        "tau_b": lambda: stats.kendall_tau_b(ratings[0], ratings[1]),
        "spearman": lambda: stats.spearman(ratings[0], ratings[1]),
        "pearson": lambda: stats.pearson(ratings[0], ratings[1]),
        "mae": lambda: stats.mae(ratings[1], ratings[0]),
        "bias": lambda: stats.bias(ratings[1], ratings[0]),
    }
    return whole(made[wanted["stat"]]())


MAKERS: dict[str, Callable[[dict[str, Any], dict[str, Any]], Made]] = {
    "ppi_mean": ppi,
    "ppi_lo": ppi,
    "ppi_hi": ppi,
    "alt_p": alternative,
    "alt_winning_rate": alternative,
    "alt_advantage": alternative,
    "isotonic": isotonic,
    "bt": strength,
    "bt_identified": identified,
    "auc": lambda data, wanted: whole(stats.auc(data["score"], data["keep"])),
    "classical_mean": lambda data, wanted: whole(stats.mean(data["y"])),
}


@pytest.mark.parametrize(
    ("table", "wanted"),
    VALUES,
    ids=[f"{t['id']}-{v['stat']}-{'-'.join(map(str, v['params'].values()))}" for t, v in VALUES],
)
def test_value(table: dict[str, Any], wanted: dict[str, Any]) -> None:
    value, figure = MAKERS.get(wanted["stat"], rated)(table["data"], wanted)
    if wanted["value"] == "undefined":
        assert value is None and figure.why and figure.why.startswith("undefined: ")
        return
    assert value == pytest.approx(wanted["value"], abs=wanted.get("tolerance", DECIMALS))
    own = wanted["by"].get("own, numpy only")
    if isinstance(own, float) and "tolerance" not in wanted:
        assert value == pytest.approx(own, abs=1e-9), "all printed digits, not only four"


def test_nothing_is_left_out() -> None:
    assert len(VALUES) == 101 and len({table["id"] for table, _ in VALUES}) == 24
