"""A judge against people: does it agree, is it harsh or soft, where does it err, and what is the true mean.

People's score of a unit is the mean of its blind labels where a number is enough (bias, error, means, the map), and
their median, the lower of two middle ones, where a level of the scale is needed (alpha, kappa, AC, confusion, cuts).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from annotator import stats
from annotator.report.figures import SCALE, Asked, Figure, of_result
from annotator.report.figures_anchoring import anchoring
from annotator.report.tables import Array, Column, Ints, Ratings, Table, groups, means, middles, ratings

CUTS = ((4, True), (3, False), (2, False))
"""Where the pipeline cuts: below 4, at most 3, at most 2."""
FOLDS = 5
FEWEST_CLUSTERS = 5


@dataclass(frozen=True)
class Pairs:
    """One judge-score per entry with people's scores of the same unit: `humans` is (raters, entries)."""

    judge: Array
    humans: Array
    units: Ints
    clusters: Ints | None
    weights: Array | None

    def only(self, rows: Any) -> Pairs:
        """Some entries."""
        return Pairs(
            self.judge[rows],
            self.humans[:, rows],
            self.units[rows],
            None if self.clusters is None else self.clusters[rows],
            None if self.weights is None else self.weights[rows],
        )

    def how(self, asked: Asked) -> dict[str, Any]:
        """The keyword arguments of estimators over these entries."""
        return {"clusters": self.clusters, "sampling_weights": self.weights} | asked.how()


def calibration(table: Table, asked: Asked) -> list[Figure]:
    """Every figure of calibration for each combination of the fields; all judges together unless asked by judge."""
    of_labels = {name: table.label_column(name) for name in asked.by if name == "rater" or name in table.of_labels}
    of_judges = {name: table.judge_column(name) for name in asked.by if name not in of_labels}
    found = [
        (said, judged, people, labels, rows)
        for said, labels in groups(of_labels, table.values.size)
        for people in [ratings(table, labels)]
        for judged, rows in groups(of_judges, table.judge_values.size)
    ]
    figures: list[Figure] = []
    if "judge" in asked.by:
        figures += side_by_side(table, asked, of_labels, of_judges)
    for done, (said, judged, people, labels, rows) in enumerate(found):
        asked.tell(done, len(found))
        by = {name: (said | judged)[name] for name in asked.by}
        named = _named(table, np.flatnonzero(rows))
        pairs = paired(table, people, rows)
        made = _of_group(pairs, by, asked, table) + anchoring(table, labels, pairs.units, pairs.judge, by, asked)
        figures += [one.with_more(**named) for one in made]
    return adjusted(figures)


def side_by_side(
    table: Table, asked: Asked, of_labels: Mapping[str, Column], of_judges: Mapping[str, Column]
) -> list[Figure]:
    """First judge less second on the very same units, with paired intervals: bias, error, exact agreement."""
    rest = {name: one for name, one in of_judges.items() if name != "judge"}
    figures: list[Figure] = []
    for said, labels in groups(of_labels, table.values.size):
        people = ratings(table, labels)
        for judged, rows in groups(rest, table.judge_values.size):
            for one, two in combinations(np.unique(table.judge_code[rows]), 2):
                sides = [
                    paired(table, people, np.flatnonzero(rows & (table.judge_code == code))) for code in (one, two)
                ]
                names = [table.judges[one], table.judges[two]]
                by = {name: (said | judged)[name] for name in asked.by if name != "judge"} | {"judge": names}
                figures += _differences(sides, by, asked)
    return figures


def _differences(sides: list[Pairs], by: Mapping[str, Any], asked: Asked) -> Iterator[Figure]:
    shared = np.intersect1d(sides[0].units, sides[1].units)
    same = [side.only(np.searchsorted(side.units, shared)) for side in _sorted(sides)]
    scored = ~np.isnan(same[0].humans).all(axis=0) if len(same[0].humans) else np.zeros(shared.size, dtype=bool)
    same = [side.only(scored) for side in same]
    estimators = (("bias", stats.bias, means), ("mae", stats.mae, means), ("exact", _exact, middles))
    for name, estimator, human in estimators:
        one, two = (estimator(side.judge, _people(side, human), **side.how(asked)) for side in same)
        yield of_result(f"difference_{name}", by, stats.difference(one, two), judges=by["judge"])


def _people(side: Pairs, human: Callable[[Array], Array]) -> Array:
    return human(side.humans) if len(side.humans) else np.full(side.judge.size, np.nan)


def _exact(judge: Array, human: Array, **how: Any) -> stats.Result:
    return stats.exact(np.stack([judge, human]), **how)


def _sorted(sides: list[Pairs]) -> list[Pairs]:
    return [side.only(np.argsort(side.units, kind="stable")) for side in sides]


def paired(table: Table, people: Ratings, rows: Any) -> Pairs:
    """Some judge scores with what people said of the same units (NaN where nobody did)."""
    units = table.judge_unit[rows]
    humans = np.full((len(people.raters), units.size), np.nan)
    if people.units.size:
        at = np.minimum(np.searchsorted(people.units, units), people.units.size - 1)
        humans = np.where(people.units[at] == units, people.scores[:, at], np.nan)
    return Pairs(
        judge=table.judge_values[rows],
        humans=humans,
        units=units,
        clusters=None if table.clusters is None else table.clusters[units],
        weights=None if table.weights is None else table.weights[units],
    )


def _named(table: Table, rows: Ints) -> dict[str, Any]:
    """Which judges are in a group, and a notice where one of them and a tested model are of one family."""
    judges = [table.judges[code] for code in np.unique(table.judge_code[rows])]
    model = table.of_units.get("model")
    tested = [] if model is None else [model.names[code] for code in np.unique(model.codes[table.judge_unit[rows]])]
    same = sorted({family(name) for name in judges} & {family(name) for name in tested} - {""})
    told: dict[str, Any] = {"judges": judges}
    if same:
        told["notice"] = f"judge and tested model are of one family: {', '.join(same)}"
    return told


def family(name: str) -> str:
    """The family of a model: the letters that its own name begins with, in lower case."""
    parts = name.split("::")
    own = (parts[1] if len(parts) >= 3 else parts[-1]).rpartition("/")[2].lower()
    letters = ""
    for character in own:
        if not character.isalpha():
            break
        letters += character
    return letters


def _of_group(pairs: Pairs, by: Mapping[str, Any], asked: Asked, table: Table) -> list[Figure]:
    scored = ~np.isnan(pairs.humans).all(axis=0) if len(pairs.humans) else np.zeros(pairs.judge.size, dtype=bool)
    both = pairs.only(scored)
    figures = [of_result(f"ceiling_{name}", by, result) for name, result in _ceiling(both, asked)]
    human, middle = means(both.humans), middles(both.humans)
    if not len(both.humans):
        human = middle = np.full(both.judge.size, np.nan)
    figures += [of_result(name, by, result) for name, result in _against(both, middle, asked)]
    figures += _errors(both, human, by, asked)
    for cut, below in CUTS:
        found = stats.detection(both.judge, middle, cut, below, **both.how(asked))
        tail = f"{'below' if below else 'at_most'}_{cut}"
        figures.append(of_result(f"sensitivity_{tail}", by, found.sensitivity))
        figures.append(of_result(f"specificity_{tail}", by, found.specificity))
    figures += _maps(both, human, by, asked)
    if table.sized is not None:
        length = np.log1p(table.sized[both.units])
        figures.append(of_result("pearson_length", by, stats.pearson(both.judge - human, length, **both.how(asked))))
    figures += _means(pairs, both, human, by, asked, drawn=table.weights is not None)
    figures.append(_alternative(both, by, asked))
    return figures


def _ceiling(both: Pairs, asked: Asked) -> Iterator[tuple[str, stats.Result]]:
    """What people reach among themselves on the units that the judge scored too."""
    once = np.unique(both.units, return_index=True)[1]
    people = both.only(once)
    how = people.how(asked)
    yield "exact", stats.exact(people.humans, **how)
    yield "within_1", stats.within(people.humans, 1, **how)
    yield "alpha_ordinal", stats.alpha(people.humans, "ordinal", SCALE, **how)
    yield "ac_quadratic", stats.ac(people.humans, "quadratic", SCALE, **how)


def _against(both: Pairs, middle: Array, asked: Asked) -> Iterator[tuple[str, stats.Result]]:
    how = both.how(asked)
    two = np.stack([both.judge, middle])
    yield "ac_quadratic", stats.ac(two, "quadratic", SCALE, **how)
    yield "alpha_ordinal", stats.alpha(two, "ordinal", SCALE, **how)
    yield "kappa_quadratic", stats.kappa(both.judge, middle, "quadratic", SCALE, **how)
    yield "exact", stats.exact(two, **how)
    yield "within_1", stats.within(two, 1, **how)
    yield "spearman", stats.spearman(both.judge, middle, **how)
    yield "kendall_tau_b", stats.kendall_tau_b(both.judge, middle, **how)
    yield "confusion", stats.confusion(both.judge, middle, SCALE, **how)


def _errors(both: Pairs, human: Array, by: Mapping[str, Any], asked: Asked) -> Iterable[Figure]:
    how = both.how(asked)
    p = zero_test(both.judge - human, both.clusters, both.weights)
    yield of_result("bias", by, stats.bias(both.judge, human, **how), p=p)
    yield of_result("mae", by, stats.mae(both.judge, human, **how))
    limits = stats.bland_altman(both.judge, human, **how)
    slope = {name: getattr(limits, name) for name in ("slope", "slope_low", "slope_high", "slope_why")}
    yield of_result("bland_altman", by, limits, **slope)


def _maps(both: Pairs, human: Array, by: Mapping[str, Any], asked: Asked) -> Iterable[Figure]:
    how = both.how(asked)
    risen = stats.isotonic(both.judge, human, **how)
    yield of_result("isotonic", by, risen, knots=risen.knots)
    curve = stats.reliability(both.judge, human, **how)
    yield of_result("reliability", by, curve, judge=curve.judge, counts=curve.counts)
    yield of_result("calibration_error", by, stats.calibration_error(both.judge, human, **how))
    name = "calibration_error_cross_fitted"
    dealt = 0 if both.clusters is None else np.unique(both.clusters).size
    if dealt < FOLDS:
        why = f"undefined: a cross-fitted map needs {FOLDS} dialogues with both scores, and there are {dealt}"
        yield Figure(name, by, None, why, n=int(both.judge.size), n_clusters=dealt)
        return
    assert both.clusters is not None
    mapped = stats.cross_fitted(both.judge, human, both.clusters, FOLDS, asked.seed, both.weights)
    yield of_result(name, by, stats.calibration_error(mapped, human, **how))


def _means(
    every: Pairs, both: Pairs, human: Array, by: Mapping[str, Any], asked: Asked, *, drawn: bool
) -> Iterable[Figure]:
    """The naive means and the corrected one.

    Where units were drawn by a rule, all judged ones stand for the whole; else those that no person scored are the
    rest.
    """
    yield of_result("mean_human", by, stats.mean(human, **both.how(asked)))
    unweighted = {"clusters": every.clusters} | asked.how()
    yield of_result("mean_judge", by, stats.mean(every.judge, **unweighted))
    unseen = np.isnan(every.humans).all(axis=0) if len(every.humans) else np.ones(every.judge.size, dtype=bool)
    rest = every if drawn else every.only(unseen)
    result = stats.ppi_mean(human, both.judge, rest.judge, clusters_rest=rest.clusters, **both.how(asked))
    if result.n_clusters is not None and result.n_clusters < FEWEST_CLUSTERS and result.low is not None:
        # Judged-only units of the same dialogues make more clusters, but none in which the judge could be checked.
        why = f"no interval: {result.n_clusters} dialogues with both scores, fewer than the {FEWEST_CLUSTERS} it needs"
        result = replace(result, low=None, high=None, why=why, method=None)
    more = {"lambda": result.lam, "n_rest": result.n_rest, "n_clusters_rest": result.n_clusters_rest}
    if result.low is not None and result.n_clusters is not None:
        # Widths go with one over the root of the number of dialogues: half the width takes four times as many.
        more["dialogues_to_halve"] = 3 * result.n_clusters
    yield of_result("ppi_mean", by, result, **more)


def _alternative(both: Pairs, by: Mapping[str, Any], asked: Asked) -> Figure:
    result = stats.alternative_annotator_test(both.humans, both.judge, asked.epsilon, **both.how(asked))
    names = ("advantage", "advantage_low", "advantage_high", "p_values", "p_adjusted", "whys", "epsilon", "passes")
    return of_result("alternative_annotator_test", by, result, **{name: getattr(result, name) for name in names})


def zero_test(values: Array, clusters: Ints | None, weights: Array | None) -> float | None:
    """Two-sided p value of "the mean is 0": a t test whose standard error is cluster-robust, clusters - 1 degrees.

    None with fewer than 5 clusters, or where nothing varies.
    """
    if clusters is None:
        return None
    from scipy.special import stdtr

    used = ~np.isnan(values)
    used &= np.ones(values.size, dtype=bool) if weights is None else weights > 0
    kept, codes = values[used], np.unique(clusters[used], return_inverse=True)[1].reshape(-1)
    weight = np.ones(kept.size) if weights is None else weights[used]
    size = int(codes.max()) + 1 if codes.size else 0
    if size < FEWEST_CLUSTERS:
        return None
    centre = float(np.average(kept, weights=weight))
    parts = np.bincount(codes, weight * (kept - centre))
    error = float(np.sqrt(size / (size - 1) * (parts**2).sum()) / weight.sum())
    if error <= 1e-12:
        return None
    return float(2 * stdtr(size - 1, -abs(centre) / error))


def adjusted(figures: list[Figure]) -> list[Figure]:
    """Holm over the dimensions: their tests of one combination of the other fields are adjusted together."""
    families: dict[tuple[Any, ...], list[int]] = {}
    for place, figure in enumerate(figures):
        if "p" in figure.more:
            rest = tuple(sorted((name, str(value)) for name, value in figure.by.items() if name != "dimension"))
            families.setdefault((figure.name, rest), []).append(place)
    out = list(figures)
    for places in families.values():
        value = stats.adjust([figures[place].more["p"] for place in places], "holm").value
        for at, place in enumerate(places):
            out[place] = out[place].with_more(p_adjusted=value[at] if isinstance(value, tuple) else None)
    return out
