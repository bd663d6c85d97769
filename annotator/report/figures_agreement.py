"""Agreement among people: the ceiling that no judge is asked to pass; and one rater against the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from annotator import stats
from annotator.report.figures import SCALE, Asked, Figure, of_result
from annotator.report.tables import Array, Mask, Ratings, Table, groups, means, ratings

Estimator = Callable[..., stats.Result]
ALONE = "undefined: nobody else scored these units"
REPEATED = "undefined: nothing was shown twice"


def among(scores: Any, how: dict[str, Any], wide: bool = False) -> Iterable[tuple[str, stats.Result]]:
    """The coefficients of a table (raters, units), by name; `wide` adds those that only small tables are asked for."""
    yield "exact", stats.exact(scores, **how)
    yield "within_1", stats.within(scores, 1, **how)
    yield "alpha_ordinal", stats.alpha(scores, "ordinal", SCALE, **how)
    yield "ac_quadratic", stats.ac(scores, "quadratic", SCALE, **how)
    yield "ac_ordinal", stats.ac(scores, "ordinal", SCALE, **how)
    yield "icc_2_1", stats.icc(scores, "2,1", **how)
    yield "icc_2_k", stats.icc(scores, "2,k", **how)
    if not wide:
        return
    for level in ("nominal", "interval"):
        yield f"alpha_{level}", stats.alpha(scores, level, SCALE, **how)
    yield "ac", stats.ac(scores, None, SCALE, **how)
    yield "ac_linear", stats.ac(scores, "linear", SCALE, **how)
    yield "fleiss", stats.fleiss(scores, SCALE, **how)
    yield "fleiss_gwet", stats.fleiss_gwet(scores, None, SCALE, **how)
    yield "brennan_prediger", stats.brennan_prediger(scores, None, SCALE, **how)
    for form in ("1,1", "3,1", "1,k", "3,k"):
        yield f"icc_{form.replace(',', '_')}", stats.icc(scores, form, **how)
    yield "kendall_w", stats.kendall_w(scores, **how)


def between(one: Array, two: Array, how: dict[str, Any]) -> Iterable[tuple[str, stats.Result]]:
    """What small tables are asked for of two raters beside the weighted kappa; differences are second minus first."""
    yield "kappa", stats.kappa(one, two, None, SCALE, **how)
    yield "kappa_linear", stats.kappa(one, two, "linear", SCALE, **how)
    yield "scott_pi", stats.scott_pi(one, two, SCALE, **how)
    for name, estimator in (
        ("spearman", stats.spearman),
        ("kendall_tau_b", stats.kendall_tau_b),
        ("pearson", stats.pearson),
    ):
        yield name, estimator(one, two, **how)
    yield "bias", stats.bias(two, one, **how)
    yield "mae", stats.mae(two, one, **how)


def agreement(table: Table, asked: Asked) -> list[Figure]:
    """Every figure of agreement for each combination of the fields; by rater, each rater against the others."""
    if "rater" in asked.by:
        return by_rater(table, asked)
    columns = {name: table.label_column(name) for name in asked.by}
    found = list(groups(columns, table.values.size))
    figures: list[Figure] = []
    for done, (by, rows) in enumerate(found):
        asked.tell(done, len(found))
        figures += _of_group(ratings(table, rows), by, cannot_judge(table, rows, by, asked), asked)
        figures += with_oneself(table, rows, by, asked)
    return figures


def _of_group(given: Ratings, by: dict[str, str], cannot: Figure, asked: Asked) -> list[Figure]:
    how = given.how() | asked.how()
    figures = [of_result(name, by, result) for name, result in among(given.scores, how, asked.wide)]
    scores = given.scores
    if len(scores) < 2:  # nobody to compare with is a result, not a gap in the list
        lone = scores[0] if len(scores) else np.empty(0)
        scores = np.stack([lone, np.full(lone.size, np.nan)])
    pairs = list(combinations(range(len(scores)), 2))
    for (first, second), kappa in zip(pairs, stats.kappas(scores, "quadratic", SCALE, **how), strict=True):
        alone = len(given.raters) < 2
        names = {} if alone else {"raters": [given.raters[first], given.raters[second]]}
        found = [("kappa_quadratic", kappa)]
        found += between(scores[first], scores[second], given.how() | asked.how()) if asked.wide else ()
        figures += [
            of_result(name, {**by, **names}, _lone(result) if alone else result, **names) for name, result in found
        ]
    figures.append(of_result("mean", by, stats.mean(means(given.scores), **how)))
    return [*figures, cannot]


def _lone(result: stats.Result) -> stats.Result:
    return replace(result, why=(result.why or "").replace("no unit has both scores", "there are no two raters"))


def cannot_judge(table: Table, rows: Mask, by: dict[str, str], asked: Asked) -> Figure:
    """The share of labels that say that it cannot be judged: they are missing from all other figures."""
    unit = table.label_unit[rows]
    clusters = None if table.clusters is None else table.clusters[unit]
    weights = None if table.weights is None else table.weights[unit]
    share = stats.mean(
        np.isnan(table.values[rows]).astype(np.float64), clusters=clusters, sampling_weights=weights, **asked.how()
    )
    return of_result("cannot_judge", by, share)


def by_rater(table: Table, asked: Asked) -> list[Figure]:
    """Each rater's agreement with the others, bias against them, mean and spread; others count whenever they spoke."""
    every = ratings(table)
    columns = {name: table.label_column(name) for name in asked.by}
    found = list(groups(columns, table.values.size))
    figures: list[Figure] = []
    for done, (by, rows) in enumerate(found):
        asked.tell(done, len(found))
        place = every.raters.index(by["rater"])
        unit = table.label_unit[rows]
        clusters = None if every.clusters is None or table.clusters is None else table.clusters[unit]
        weights = None if table.weights is None else table.weights[unit]
        rest = np.delete(every.scores[:, np.searchsorted(every.units, unit)], place, axis=0)
        how = {"clusters": clusters, "sampling_weights": weights} | asked.how()
        figures += _one_against(table.values[rows], rest, by, how)
        figures.append(cannot_judge(table, rows, by, asked))
        figures += with_oneself(table, rows, by, asked)
    return figures


def with_oneself(table: Table, rows: Mask, by: dict[str, str], asked: Asked) -> list[Figure]:
    """Self-agreement on silent repeats: the very same content, scored by the same rater in another item.

    A unit is a label with the rater's first score of the repeat beside it; pooled over raters unless grouped by them.
    `self_shift` is the mean of the later score less the earlier: a rater who drifts is harsher or softer by then.
    """
    if table.again is None:
        return []
    chosen = np.flatnonzero(rows & ~np.isnan(table.again) & ~np.isnan(table.values))
    both = np.stack([table.values[chosen], table.again[chosen]])
    unit = table.label_unit[chosen]
    how = {
        "clusters": None if table.clusters is None else table.clusters[unit],
        "sampling_weights": None if table.weights is None else table.weights[unit],
    } | asked.how()
    made = (
        ("self_exact", stats.exact(both, **how)),
        ("self_within_1", stats.within(both, 1, **how)),
        ("self_ac_quadratic", stats.ac(both, "quadratic", SCALE, **how)),
        ("self_shift", stats.mean(both[1] - both[0] if table.shift is None else table.shift[chosen], **how)),
    )
    none = REPEATED if not chosen.size else None
    return [of_result(name, by, replace(one, why=none or one.why, n_raters=None)) for name, one in made]


def _one_against(mine: Array, rest: Array, by: dict[str, str], how: dict[str, Any]) -> list[Figure]:
    """`mine` is (units,), `rest` the other raters' (raters, units)."""
    apart = np.abs(rest - mine)
    there = ~np.isnan(apart)
    heard = there.sum(axis=0)
    shares = [
        np.where(heard > 0, ((apart <= near) & there).sum(axis=0) / np.maximum(heard, 1), np.nan) for near in (0, 1)
    ]
    compared = [("exact", shares[0]), ("within_1", shares[1]), ("bias", mine - means(rest))]
    figures = []
    for name, values in compared:
        result = stats.mean(values, **how)
        why = ALONE if result.value is None else result.why
        figures.append(of_result(name, by, replace(result, why=why)))
    figures.append(of_result("mean", by, stats.mean(mine, **how)))
    scored = mine[~np.isnan(mine)]
    spread = float(scored.std(ddof=1)) if scored.size > 1 else None
    why = None if spread is not None else "undefined: fewer than two scores"
    return [*figures, Figure("spread", by, spread, why, n=int(scored.size))]
