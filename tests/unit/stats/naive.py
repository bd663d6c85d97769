"""Slow and plain versions of the figures, written from their definitions pair by pair, and helpers of these tests."""

from __future__ import annotations

import csv
import json
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotator.stats.resample import Plan, multipliers

Array = NDArray[np.float64]
DATA = Path(__file__).resolve().parents[2] / "data"
FIVE = (1.0, 2.0, 3.0, 4.0, 5.0)


def reference(table: str) -> dict[str, Any]:
    tables = json.loads((DATA / "stats_reference.json").read_text(encoding="utf-8"))["tables"]
    return next(one for one in tables if one["id"] == table)


def long_csv(name: str, scale: tuple[float, ...] = FIVE) -> tuple[Array, list[str]]:
    """Ratings (raters, items) of a file of item, rater, score: a rater's last counts, what is no score is a gap."""
    levels = {f"{level:g}": level for level in scale} | {f"{level:.1f}": level for level in scale}
    last: dict[tuple[str, str], float] = {}
    refused = []
    with (DATA / name).open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            if not row["item"] or not row["rater"] or row["score"] in ("", "NA"):
                continue
            if row["score"] not in levels:
                refused.append(row["score"])
                continue
            last[row["rater"], row["item"]] = levels[row["score"]]
    raters, items = sorted({rater for rater, _ in last}), sorted({item for _, item in last})
    return np.array([[last.get((rater, item), np.nan) for item in items] for rater in raters]), refused


def alpha(ratings: Array, squared: Any) -> float:
    """Krippendorff's alpha, summed over ordered pairs of ratings."""
    columns = [column[~np.isnan(column)] for column in ratings.T]
    columns = [column for column in columns if column.size > 1]
    values = np.concatenate(columns)
    seen = sum(sum(squared(x, y) for x, y in permutations(column, 2)) / (column.size - 1) for column in columns)
    chance = sum(squared(x, y) for x, y in permutations(values, 2)) / (values.size - 1)
    return float(1 - seen / chance)


def ordinal(ratings: Array) -> Any:
    """Krippendorff's ordinal distance, from the ratings of units with two or more."""
    columns = [column[~np.isnan(column)] for column in ratings.T]
    values = np.concatenate([column for column in columns if column.size > 1])

    def squared(x: float, y: float) -> float:
        low, high = min(x, y), max(x, y)
        between = np.sum((values >= low) & (values <= high))
        return float((between - (np.sum(values == low) + np.sum(values == high)) / 2) ** 2) if low != high else 0.0

    return squared


def kappa(a: Array, b: Array, disagreement: Any) -> float:
    both = ~np.isnan(a) & ~np.isnan(b)
    a, b = a[both], b[both]
    seen = np.mean([disagreement(x, y) for x, y in zip(a, b, strict=True)])
    return float(1 - seen / np.mean([disagreement(x, y) for x in a for y in b]))


def gwet(ratings: Array, weight: Any, scale: tuple[float, ...] = FIVE) -> float:
    """AC1 or AC2 from pairs of ratings: every unit counts alike, single ratings count among the shares."""
    columns = [column[~np.isnan(column)] for column in ratings.T]
    agreed = [np.mean([weight(x, y) for x, y in combinations(column, 2)]) for column in columns if column.size > 1]
    shares = [np.mean([np.mean(column == level) for column in columns if column.size]) for level in scale]
    total = sum(weight(x, y) for x in scale for y in scale)
    q = len(scale)
    chance = total / (q * (q - 1)) * sum(share * (1 - share) for share in shares)
    return float((np.mean(agreed) - chance) / (1 - chance))


def resamples(clusters: Any, number: int, seed: int) -> list[NDArray[np.int64]]:
    """The indices of each resample that the library draws, written out unit by unit."""
    names, codes = np.unique(np.asarray(clusters), return_inverse=True)
    out = []
    for batch in multipliers(Plan((names.size,), 0.95, number, seed, None)):
        for counts in batch:
            picks = [np.flatnonzero(codes == at) for at in range(names.size) for _ in range(int(counts[at]))]
            out.append(np.concatenate(picks))
    return out


def audit(seed: int, raters: int = 3, clusters: int = 30, gaps: float = 0.1) -> tuple[Array, NDArray[np.int64]]:
    """Scores 1-5 (raters, units) with gaps, and the cluster of each unit; the first unit of a cluster has no gap."""
    rng = np.random.default_rng(seed)
    by = np.repeat(np.arange(clusters), rng.integers(1, 7, clusters))
    quality = 3.4 + rng.normal(0, 0.8, clusters)[by] + rng.normal(0, 0.6, by.size)
    scores = np.clip(np.round(quality + rng.normal(0, 0.6, (raters, by.size))), 1, 5)
    first = np.diff(by, prepend=-1) != 0
    scores[(rng.random(scores.shape) < gaps) & ~first] = np.nan
    return scores, by
