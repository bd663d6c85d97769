"""Can rubric scores foretell which response people prefer? Accuracy alone against all twelve dimensions.

A logistic model without intercept on the difference of two responses' scores: swapping the two swaps its answer. Each
pair is foretold by a model that saw no pair of the same dialogue. A normal prior (ridge) on standardised differences
keeps weights finite where a score tells everything apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from annotator import stats
from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.report.figures import Asked, Figure, of_result
from annotator.report.preference import POLICIES, Ballot, by_item, credit, shares
from annotator.report.tables import Array, Ints

DIMENSIONS: Final = (*TURN_DIMENSIONS, *SESSION_DIMENSIONS)
FOLDS: Final = 5
RIDGE: Final = 1.0
_STEPS: Final = 50
SETS: Final[Mapping[str, tuple[int, ...]]] = {
    "accuracy": (DIMENSIONS.index("accuracy"),),
    "twelve": tuple(range(len(DIMENSIONS))),
}
NOTHING: Final = "undefined: no pair of responses has all twelve scores of both and a person's preference"
TOO_FEW: Final = "undefined: fewer than two dialogues have pairs that people told apart"


@dataclass(frozen=True)
class PairTable:
    """Pairs of responses: `gaps` (pairs, 12) are first minus second, `truth` 1, 0 or -1, `clusters` dialogue codes."""

    gaps: Array
    truth: Ints
    clusters: Ints


def whole_rows(features: Array) -> list[bool]:
    """Which responses have all twelve scores."""
    return [bool(np.isfinite(row).all()) for row in features]


def pair_table(ballots: Sequence[Ballot]) -> PairTable:
    """Every pair that somebody judged and whose responses both have all twelve scores."""
    gaps: list[Array] = []
    truth: list[int] = []
    clusters: list[str] = []
    for ballot in ballots:
        whole = whole_rows(ballot.features)
        for i, j, outcome in ballot.outcomes():
            if ballot.repeat_of is None and whole[i] and whole[j]:
                gaps.append(ballot.features[i] - ballot.features[j])
                truth.append(outcome)
                clusters.append(ballot.cluster)
    codes = np.unique(clusters, return_inverse=True)[1].astype(np.int64) if clusters else np.empty(0, np.int64)
    return PairTable(np.array(gaps).reshape(-1, len(DIMENSIONS)), np.array(truth, dtype=np.int64), codes)


def fit(gaps: Array, won: Array) -> Array:
    """Weights (features,) by Newton's method; `won` is 1 or -1. The likelihood is concave: steps are halved at need."""
    weights = np.zeros(gaps.shape[1])

    def loss(at: Array) -> float:
        return float(np.logaddexp(0, -won * (gaps @ at)).sum() + RIDGE / 2 * at @ at)

    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(np.clip(won * (gaps @ weights), -500, 500)))
        slope = gaps.T @ (won * chance) - RIDGE * weights
        if np.abs(slope).max() < 1e-8:
            break
        bend = (gaps * (chance * (1 - chance))[:, None]).T @ gaps + RIDGE * np.eye(gaps.shape[1])
        step, size = np.linalg.solve(bend, slope), 1.0
        while loss(weights + size * step) > loss(weights) and size > 1e-6:
            size /= 2
        weights = weights + size * step
    return weights


def folds_of(clusters: Ints, seed: int) -> Ints:
    """A fold for each pair; the pairs of one cluster share it."""
    count = int(clusters.max()) + 1 if clusters.size else 0
    order = np.random.default_rng(seed).permutation(count)
    of_cluster = np.empty(count, dtype=np.int64)
    of_cluster[order] = np.arange(count) % min(FOLDS, max(count, 1))
    return of_cluster[clusters]


def foretold(table: PairTable, columns: Sequence[int], seed: int) -> Ints | None:
    """1, 0 or -1 for each pair, from models that did not see its dialogue; None where there is nothing to learn."""
    gaps = table.gaps[:, list(columns)]
    fold = folds_of(table.clusters, seed)
    guess = np.zeros(table.truth.size, dtype=np.int64)
    for number in np.unique(fold):
        learn = (fold != number) & (table.truth != 0)
        if not learn.any():
            return None
        spread = np.sqrt((gaps[learn] ** 2).mean(axis=0))
        scaled = gaps / np.where(spread > 0, spread, 1.0)
        weights = fit(scaled[learn], table.truth[learn].astype(np.float64))
        guess[fold == number] = np.sign(np.round(scaled[fold == number] @ weights, 12)).astype(np.int64)
    return guess


def prediction(ballots: Sequence[Ballot], by: Mapping[str, Any], asked: Asked) -> list[Figure]:
    """Both predictors' accuracies, each way of counting ties, and by how much twelve dimensions are better."""
    table = pair_table(ballots)
    names = [f"prediction_{which}_{policy}" for which in SETS for policy in POLICIES]
    if not table.truth.size:
        return [Figure(name, by, None, NOTHING) for name in (*names, "prediction_gain")]
    if np.unique(table.clusters[table.truth != 0]).size < 2:
        return [Figure(name, by, None, TOO_FEW, n=table.truth.size) for name in (*names, "prediction_gain")]
    figures: list[Figure] = []
    halves: dict[str, stats.Result] = {}
    for which, columns in SETS.items():
        guess = foretold(table, columns, asked.seed)
        if guess is None:
            return [Figure(name, by, None, TOO_FEW, n=table.truth.size) for name in (*names, "prediction_gain")]
        for policy in POLICIES:
            earned = [credit(int(g), int(t), policy) for g, t in zip(guess, table.truth, strict=True)]
            result = stats.mean(np.array(earned), clusters=table.clusters, **asked.how())
            if policy == "half":
                halves[which] = result
            figures.append(of_result(f"prediction_{which}_{policy}", by, result, ties=policy, folds=FOLDS))
    gain = stats.difference(halves["twelve"], halves["accuracy"])
    figures.append(of_result("prediction_gain", by, gain, ties="half"))
    return [*figures, *ceiling(ballots, by, asked)]


def ceiling(ballots: Sequence[Ballot], by: Mapping[str, Any], asked: Asked) -> list[Figure]:
    """How often one person foretells another, over the pairs of responses that the predictors were asked about."""
    scored = [b for b in ballots if b.repeat_of is None and any(whole_rows(b.features))]
    earned: dict[str, list[tuple[str, float]]] = {policy: [] for policy in POLICIES}
    for held in by_item(scored).values():
        whole = whole_rows(held[0].features)
        for one, two in combinations(held, 2):
            for (i, j, a), (_, _, b) in zip(one.outcomes(), two.outcomes(), strict=True):
                for policy in POLICIES if whole[i] and whole[j] else ():
                    earned[policy].append((one.cluster, credit(a, b, policy)))
    return [shares(f"prediction_ceiling_{policy}", by, earned[policy], asked, ties=policy) for policy in POLICIES]
