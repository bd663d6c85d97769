"""Agreement as a share of variance: the intraclass correlations, and Kendall's W of ranks."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from annotator.stats.inputs import Clusters, Mask, Progress, design, matrix, raters_heard
from annotator.stats.ranks import weighted_midranks
from annotator.stats.resample import additive, by_units
from annotator.stats.result import Array, Result, plain, ratio, with_interval

FORMS = ("1,1", "2,1", "3,1", "1,k", "2,k", "3,k")
TINY = 1e-12


def icc(
    ratings: ArrayLike,
    form: str,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Intraclass correlation after Shrout and Fleiss (1979); `form` is 1,1 to 3,k. Units with gaps are dropped.

    `ratings` is (raters, units). With mean squares of units (MSR), raters (MSC), the rest (MSE), within units (MSW),
    n units and k raters: (1,1) (MSR - MSW) / (MSR + (k-1) MSW);
    (2,1) (MSR - MSE) / (MSR + (k-1) MSE + k (MSC - MSE) / n);
    (3,1) (MSR - MSE) / (MSR + (k-1) MSE); (1,k) (MSR - MSW) / MSR; (2,k) (MSR - MSE) / (MSR + (MSC - MSE) / n);
    (3,k) (MSR - MSE) / MSR. Undefined where every rater gives one score throughout, and for k where the units' means
    do not differ.
    """
    if form not in FORMS:
        raise ValueError(f"form must be one of {' '.join(FORMS)}, not {form!r}")
    table = matrix(ratings)
    heard = raters_heard(*table)
    how = design(table.shape[1], clusters, sampling_weights, confidence, resamples, seed, progress)
    rows = table[~np.isnan(table).all(axis=1)]
    used, sample = how.of(_complete(rows))
    scores = rows[:, used].T
    if scores.size and np.ptp(scores) > 0:
        scores = (scores - scores.mean()) / np.ptp(scores)  # sums of squares lose nothing to a far mean
    columns = np.hstack(
        [np.ones((len(scores), 1)), scores, scores.sum(axis=1, keepdims=True) ** 2, (scores**2).sum(1, keepdims=True)]
    )
    value, made = additive(sample.summed(columns), lambda sums: _icc(sums, heard, form), how, sample, (-np.inf, 1.0))
    why = None
    if np.isnan(value):
        why = _why_not(heard, scores, "the units do not differ from one another")
    return with_interval(Result(value=plain(value), why=why, n_units=len(scores), n_raters=heard), made)


def _icc(sums: Array, raters: int, form: str) -> Array:
    """One form from the sums (b, 1 + k + 2): units, each rater's scores, squares of units' totals, all squares."""
    if raters < 2:
        return np.full(sums.shape[0], np.nan)
    k = float(raters)
    n, by_rater, by_unit, squares = sums[:, 0], sums[:, 1:-2], sums[:, -2], sums[:, -1]
    centre = ratio(by_rater.sum(axis=1) ** 2, n * k)
    total = squares - centre
    units = by_unit / k - centre
    columns = ratio((by_rater**2).sum(axis=1), n) - centre
    degrees = n - 1
    between = ratio(units, degrees, TINY)
    inside = ratio(total - units, n * (k - 1))
    judges = columns / (k - 1)
    left = ratio(total - units - columns, degrees * (k - 1), TINY)
    wrong = inside if form[0] == "1" else left
    bias = (judges - left) / n if form[0] == "2" else np.zeros_like(n)
    under = between + bias if form.endswith("k") else between + (k - 1) * wrong + k * bias
    # Raters who each give one score tell nothing, whatever the formula makes of how far they are apart.
    told = (total - columns > TINY * n) & ((between > TINY) | (not form.endswith("k")))
    return ratio(between - wrong, np.where(told, under, np.nan), TINY)


def kendall_w(
    ratings: ArrayLike,
    clusters: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Kendall's coefficient of concordance of (raters, units), corrected for ties; units with gaps are dropped.

    Each rater's scores become mid-ranks; W is the sum of squares of the units' rank sums over its largest possible
    value, k times the sum of all raters' sums of squares (equal to 12 S / (k^2 (n^3 - n) - k sum T)). Sampling weights
    count as repetitions of a unit.
    """
    table = matrix(ratings)
    heard = raters_heard(*table)
    how = design(table.shape[1], clusters, sampling_weights, confidence, resamples, seed, progress)
    rows = table[~np.isnan(table).all(axis=1)]
    used, sample = how.of(_complete(rows))
    scores = rows[:, used]

    def evaluate(weights: Array) -> Array:
        """W for each row of units' weights (b, units)."""
        if heard < 2:
            return np.full(weights.shape[0], np.nan)
        total = np.zeros(weights.shape)
        largest = np.zeros(weights.shape[0])
        for row in scores:
            ranks = weighted_midranks(row, weights)
            total += ranks
            largest += (weights * ranks**2).sum(axis=1)
        return ratio((weights * total**2).sum(axis=1), heard * largest, TINY)

    value = evaluate(sample.weights[None, :])[0]
    made = by_units(evaluate, value, how, sample, (0.0, 1.0))
    why = _why_not(heard, scores.T, "no rater tells the units apart") if np.isnan(value) else None
    figure = Result(value=plain(value), why=why, n_units=int(used.sum()), n_raters=heard)
    return with_interval(figure, made)


def _complete(rows: Array) -> Mask:
    """Which units every rater has rated."""
    rated = ~np.isnan(rows)
    return np.logical_and(rated.all(axis=0), rows.size > 0)


def _why_not(heard: int, complete: Array, otherwise: str) -> str:
    if heard < 2:
        return ("undefined: there are no ratings", "undefined: there is only one rater")[heard]
    if len(complete) < 2:
        return f"undefined: {('no unit was', 'only one unit was')[len(complete)]} rated by every rater"
    return f"undefined: {otherwise}"
