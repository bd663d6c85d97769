"""The true mean from a few human scores and many of a judge's; the true rate from a fallible test."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from annotator.stats.inputs import Clusters, Design, Progress, Sample, cluster_codes, design, numbers, pair
from annotator.stats.proportion import normal_quantile
from annotator.stats.resample import Plan, interval
from annotator.stats.result import Array, Result, ratio, with_interval


@dataclass(frozen=True, kw_only=True)
class PpiMean(Result):
    """`value` is the corrected mean; `lam` how far the judge was trusted; `n_rest` the units only the judge saw."""

    lam: float = 0.0
    n_rest: int = 0
    n_clusters_rest: int | None = None


def ppi_mean(
    human: ArrayLike,
    judge_on_human: ArrayLike,
    judge_rest: ArrayLike,
    power_tuning: bool = True,
    clusters: Clusters | None = None,
    clusters_rest: Clusters | None = None,
    sampling_weights: ArrayLike | None = None,
    sampling_weights_rest: ArrayLike | None = None,
    confidence: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    progress: Progress | None = None,
) -> PpiMean:
    """Prediction-powered mean of human scores (Angelopoulos and others 2023: PPI++): valid however bad the judge is.

    mean(human) + lambda (mean(judge_rest) - mean(judge_on_human)) over n units with both scores and N with the judge's
    only. lambda is 1, or with `power_tuning` cov(human, judge) / ((1 + n/N) var(judge)), divisors n and n + N; with
    unequal weights n and N are effective sizes, (sum w)^2 / sum w^2. Without rest, or with a constant judge, lambda is
    0: the human mean.

    Without clusters the interval is the normal one for independent units, as the authors have it. With clusters those
    of `clusters` and `clusters_rest` are resampled apart (together, if they share an id), lambda tuned anew each time.
    """
    y, f = pair(human, judge_on_human)
    rest = numbers(judge_rest, "judge_rest")
    codes, codes_rest = _both_codes(y, rest, clusters, clusters_rest)
    shared = (confidence, resamples, seed, progress)
    how, how_rest = (
        design(y.size, codes, sampling_weights, *shared),
        design(rest.size, codes_rest, sampling_weights_rest, *shared),
    )
    used, sample = how.of(~np.isnan(y) & ~np.isnan(f))
    used_rest, sample_rest = how_rest.of(~np.isnan(rest))
    y, f, rest = y[used], f[used], rest[used_rest]
    figure = PpiMean(value=None, n_units=y.size, n_rest=rest.size, confidence=confidence)
    if not y.size:
        return replace(figure, why="undefined: no unit has both a human's and the judge's score")
    off = (float(y.mean()), float(f.mean()))
    labelled = _columns(sample, f - off[1], y - off[0])
    unlabelled = _columns(sample_rest, rest - off[1], np.zeros(rest.size))

    def estimate(here: Array, there: Array) -> tuple[Array, Array]:
        lam = _lambda(here, there) if power_tuning else np.where(there[:, 0] > 0, 1.0, 0.0)
        apart = np.where(there[:, 0] > 0, ratio(there[:, 1], there[:, 0]), 0.0) - ratio(here[:, 1], here[:, 0])
        return off[0] + ratio(here[:, 4], here[:, 0]) + np.where(lam == 0, 0.0, lam * apart), lam

    value, lam = (part[0] for part in estimate(labelled.sum(axis=0)[None], unlabelled.sum(axis=0)[None]))
    figure = replace(figure, value=float(value), lam=float(lam))
    if codes is None:
        return _normal(figure, y, f, rest, sample.weights, sample_rest.weights)
    plan, here, there = _strata(how, (used, used_rest), (codes, codes_rest), labelled, unlabelled)
    made = interval(lambda counts: estimate(counts @ here, counts @ there)[0], value, plan)
    figure = with_interval(figure, made)
    return replace(figure, n_clusters=sample.n_clusters, n_clusters_rest=sample_rest.n_clusters)


def _both_codes(y: Array, rest: Array, clusters: Clusters | None, clusters_rest: Clusters | None) -> tuple[Any, Any]:
    """Both lists' clusters, numbered together, so that an id means the same dialogue in both."""
    if clusters is None and clusters_rest is None:
        return None, None
    if clusters is None or (clusters_rest is None and rest.size):
        raise ValueError("clusters and clusters_rest must be given together")
    both, _ = cluster_codes(clusters, [] if clusters_rest is None else clusters_rest)
    return both[: len(clusters)], both[len(clusters) :]


def _columns(sample: Sample, f: Array, y: Array) -> Array:
    """Sums by cluster: weight, f, f^2, weight^2, y, y f."""
    weight = sample.weights
    return sample.summed(np.stack([np.ones(f.size), f, f**2, weight, y, y * f], axis=1))


def _lambda(here: Array, there: Array) -> Array:
    n, rest = here[:, 0], there[:, 0]
    together = ratio(here[:, 5], n) - ratio(here[:, 4] * here[:, 1], n**2)
    mean = ratio(here[:, 1] + there[:, 1], n + rest)
    spread = ratio(here[:, 2] + there[:, 2], n + rest) - mean**2
    sizes = [ratio(sums[:, 0] ** 2, sums[:, 3]) for sums in (here, there)]
    tuned = ratio(together, (1 + ratio(sizes[0], sizes[1])) * np.where(spread > 1e-12, spread, 0.0))
    return np.where(np.isnan(tuned), 0.0, tuned)


def _normal(figure: PpiMean, y: Array, f: Array, rest: Array, weights: Array, weights_rest: Array) -> PpiMean:
    """Value +- z sqrt(var(y - lambda f) / n + lambda^2 var(f) / N), divisors n and N as in the authors' program."""
    if y.size < 2:
        return replace(figure, why="no interval: only one unit has both scores")
    variance = _of_mean(y - figure.lam * f, weights)
    if figure.lam:
        variance += figure.lam**2 * _of_mean(rest, weights_rest)
    half = normal_quantile(figure.confidence) * math.sqrt(variance)
    value = figure.value
    assert isinstance(value, float)
    return replace(figure, low=value - half, high=value + half, method="normal interval, units taken as independent")


def _of_mean(values: Array, weights: Array) -> float:
    """The variance of a weighted mean of independent numbers, linearised."""
    off = values - np.average(values, weights=weights)
    return float((weights**2 * off**2).sum() / weights.sum() ** 2)


def _strata(
    how: Design, used: tuple[Any, Any], codes: tuple[Any, Any], labelled: Array, unlabelled: Array
) -> tuple[Plan, Array, Array]:
    """The plan, and both tables of sums over all clusters that it draws."""
    names = [np.unique(ids[these]) for ids, these in zip(codes, used, strict=True)]
    key = hash((names[0].tobytes(), names[1].tobytes()))
    rest = (how.confidence, how.resamples, how.seed, how.progress, key)
    every = np.union1d(*names)
    if every.size < names[0].size + names[1].size:
        places = [np.searchsorted(every, ids) for ids in names]
        strata: tuple[int, ...] = (every.size,)
    else:
        places = [np.arange(names[0].size), names[0].size + np.arange(names[1].size)]
        strata = tuple(ids.size for ids in names if ids.size)
    tables = []
    for sums, place in zip((labelled, unlabelled), places, strict=True):
        table = np.zeros((every.size, sums.shape[1]))
        table[place] = sums[: place.size]
        tables.append(table)
    return Plan(strata, *rest), tables[0], tables[1]


@dataclass(frozen=True, kw_only=True)
class RoganGladen(Result):
    """`value` is the corrected rate within 0 and 1; `raw` the same before it was cut to that range."""

    raw: float | None = None
    sensitivity: float | None = None
    specificity: float | None = None


def rogan_gladen(
    positive: float, n: float, tp: float, fn: float, tn: float, fp: float, confidence: float = 0.95
) -> RoganGladen:
    """True rate from `positive` of `n` by a test of known faults (Rogan and Gladen 1978): (p + sp - 1) / (se + sp - 1).

    Sensitivity is tp / (tp + fn), specificity tn / (tn + fp), from units that people judged too. The interval is Lang
    and Reiczigel's (2014), which also counts the doubt about both. Undefined where the test is no better than chance.
    """
    z = normal_quantile(confidence)
    if min(positive, n - positive, tp, fn, tn, fp) < 0:
        raise ValueError("counts must not be negative, nor positive exceed n")
    ill, well = tp + fn, tn + fp
    figure = RoganGladen(value=None, n_units=int(n), confidence=confidence)
    if not n or not ill or not well:
        lacking = "no unit was tested" if not n else f"people found no {'positive' if not ill else 'negative'} unit"
        return replace(figure, why=f"undefined: {lacking}")
    se, sp = tp / ill, tn / well
    figure = replace(figure, sensitivity=se, specificity=sp)
    if se + sp - 1 <= 1e-12:
        return replace(figure, why="undefined: the test is no better than chance (sensitivity + specificity <= 1)")
    raw = (positive / n + sp - 1) / (se + sp - 1)
    figure = replace(figure, value=min(1.0, max(0.0, raw)), raw=raw)
    n_, ill_, well_ = n + z * z, ill + 2, well + 2
    p, se, sp = (positive + z * z / 2) / n_, (tp + 1) / ill_, (tn + 1) / well_
    if se + sp - 1 <= 1e-12:
        return replace(figure, why="no interval: the test cannot be told from chance")
    rate = (p + sp - 1) / (se + sp - 1)
    noise = (se * (1 - se) / ill_, sp * (1 - sp) / well_)
    shift = 2 * z * z * (rate * noise[0] - (1 - rate) * noise[1])
    spread = math.sqrt(p * (1 - p) / n_ + rate**2 * noise[0] + (1 - rate) ** 2 * noise[1]) / (se + sp - 1)
    ends = [min(1.0, max(0.0, rate + shift + side * z * spread)) for side in (-1, 1)]
    return replace(figure, low=ends[0], high=ends[1], method="Lang-Reiczigel interval")
