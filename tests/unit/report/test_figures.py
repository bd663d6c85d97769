"""Figures over random labels equal the library called on arrays that the test itself puts together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator import stats
from annotator.report.figures import SCALE, Asked
from annotator.report.figures_agreement import agreement
from annotator.report.figures_calibration import calibration
from annotator.report.tables import Table, UnitKey, column

RATERS, UNITS, PER_DIALOGUE = 3, 24, 4
LABEL = st.one_of(st.none(), st.integers(1, 5))
SCORES = st.lists(st.lists(LABEL, min_size=UNITS, max_size=UNITS), min_size=RATERS, max_size=RATERS)
JUDGED = st.lists(LABEL, min_size=UNITS, max_size=UNITS)


def table(scores: list[list[int | None]], judge: list[int | None], order: list[int]) -> Table:
    """The labels in an arbitrary order."""
    rows = [(unit, rater, float(value)) for rater, own in enumerate(scores) for unit, value in enumerate(own)
            if value is not None]  # fmt: skip
    rows = [
        rows[at % len(rows)] for at in dict.fromkeys(one % max(1, len(rows)) for one in [*order, *range(len(rows))])
    ]
    judged = [(unit, float(value)) for unit, value in enumerate(judge) if value is not None]
    return Table(
        units=[UnitKey(f"d{unit // PER_DIALOGUE}", "m", f"turn:{unit}", "accuracy") for unit in range(UNITS)],
        of_units={"scenario": column(["even" if unit % 2 == 0 else "odd" for unit in range(UNITS)])},
        of_labels={},
        label_unit=np.array([row[0] for row in rows], dtype=np.int64),
        label_rater=np.array([row[1] for row in rows], dtype=np.int64),
        values=np.array([row[2] for row in rows]),
        raters=("a", "b", "c"),
        clusters=np.arange(UNITS) // PER_DIALOGUE,
        judges=("j",),
        judge_unit=np.array([unit for unit, _ in judged], dtype=np.int64),
        judge_code=np.zeros(len(judged), dtype=np.int64),
        judge_values=np.array([value for _, value in judged]),
    )


def near(figure: object, result: stats.Result) -> None:
    for part in ("value", "low", "high"):
        one, two = getattr(figure, part), getattr(result, part)
        assert one == (two if two is None else pytest.approx(two, abs=1e-9)), part


@settings(max_examples=30, deadline=None)
@given(SCORES, st.lists(st.integers(0, 99), max_size=20))
def test_agreement_of_any_labels_in_any_order(scores: list[list[int | None]], order: list[int]) -> None:
    ratings, dialogue = np.array(scores, dtype=float), np.arange(UNITS) // PER_DIALOGUE
    made = agreement(table(scores, [None] * UNITS, order), Asked(by=("scenario",), resamples=40))
    figures = {(figure.name, figure.by["scenario"]): figure for figure in made if "raters" not in figure.by}
    for place, scenario in enumerate(("even", "odd")):
        half, clusters = ratings[:, place::2], dialogue[place::2]
        if np.isnan(half).all():
            assert ("exact", scenario) not in figures
            continue
        how = {"clusters": clusters, "resamples": 40}
        near(figures["exact", scenario], stats.exact(half, **how))
        near(figures["alpha_ordinal", scenario], stats.alpha(half, "ordinal", SCALE, **how))
        near(figures["ac_quadratic", scenario], stats.ac(half, "quadratic", SCALE, **how))


@settings(max_examples=30, deadline=None)
@given(SCORES, JUDGED)
def test_calibration_of_any_labels(scores: list[list[int | None]], judge: list[int | None]) -> None:
    made = {figure.name: figure for figure in calibration(table(scores, judge, []), Asked(resamples=40))}
    ratings, by_judge = np.array(scores, dtype=float), np.array(judge, dtype=float)
    people = [[value for value in column_ if not np.isnan(value)] for column_ in ratings.T]
    mean = np.array([np.mean(own) if own else np.nan for own in people])
    both = [unit for unit in range(UNITS) if people[unit] and judge[unit] is not None]
    dialogue = np.arange(UNITS) // PER_DIALOGUE
    near(made["bias"], stats.bias(by_judge, mean, clusters=dialogue, resamples=40))
    middle = np.array([sorted(own)[(len(own) - 1) // 2] if own else np.nan for own in people])
    near(made["kappa_quadratic"],
         stats.kappa(by_judge, middle, "quadratic", SCALE, clusters=dialogue, resamples=40))  # fmt: skip
    assert made["bias"].n == len(both)
    for figure in made.values():
        assert figure.value is not None or figure.why
