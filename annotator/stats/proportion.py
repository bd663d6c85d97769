"""Proportions, paired proportions, and p values of several tests at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from annotator.stats.result import Array, Result

METHODS = ("holm", "by", "bh")


def normal_quantile(confidence: float) -> float:
    """The two-sided standard normal quantile of a level, 1.96 for 0.95."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(k: float, n: float, confidence: float = 0.95) -> Result:
    """k of n with Wilson's score interval (Wilson 1927), which stays within 0 and 1 and is not empty at the ends.

    Each of the n counts as independent: a rate over dialogues, not over their turns.
    """
    z = normal_quantile(confidence)
    if not 0 <= k <= n:
        raise ValueError(f"k must lie between 0 and n: {k} of {n}")
    if n == 0:
        return Result(value=None, why="undefined: there are no units", confidence=confidence)
    rate = k / n
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return Result(
        value=rate,
        n_units=int(n),
        low=0.0 if k == 0 else max(0.0, centre - half),
        high=1.0 if k == n else min(1.0, centre + half),
        method="Wilson score interval",
        confidence=confidence,
    )


def mcnemar_exact(b: int, c: int) -> Result:
    """Two-sided exact p value of McNemar's test: are `b` (yes, no) and `c` (no, yes) units equally likely?

    Twice the smaller binomial tail with probability 1/2, at most 1. `n_units` counts the discordant units, b + c.
    """
    if b < 0 or c < 0 or b != int(b) or c != int(c):
        raise ValueError(f"b and c must be counts, not {b} and {c}")
    n = int(b + c)
    if not n:
        return Result(value=None, why="undefined: no unit was judged differently")
    tail = sum(math.comb(n, k) for k in range(int(min(b, c)) + 1))
    return Result(value=min(1.0, 2 * tail / 2**n), n_units=n, method="exact binomial test")


@dataclass(frozen=True, kw_only=True)
class Adjusted(Result):
    """`value` holds the adjusted p values in the order given, None for a test that gave none."""

    raw: tuple[float | None, ...] = ()


def adjust(p_values: Sequence[float | None], method: str = "holm") -> Adjusted:
    """P values of m tests adjusted together, in the order given; None and NaN stay None and do not count as tests.

    holm (1979): family-wise error under any dependence. bh (Benjamini and Hochberg 1995) and by (Benjamini and
    Yekutieli 2001, under any dependence): false discovery rate.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    given = np.array([np.nan if p is None else p for p in p_values], dtype=np.float64)
    known = ~np.isnan(given)
    tests = given[known]
    if ((tests < 0) | (tests > 1)).any():
        raise ValueError("p values must lie between 0 and 1")
    raw = tuple(float(p) if there else None for p, there in zip(given, known, strict=True))
    if not tests.size:
        return Adjusted(value=None, why="undefined: there are no p values", raw=raw)
    order = np.argsort(tests, kind="stable")
    changed = np.empty(tests.size)
    changed[order] = np.minimum(_ascending(tests[order], method), 1.0)
    every = iter(changed)
    value = tuple(float(next(every)) if there else None for there in known)
    return Adjusted(value=value, n_units=int(tests.size), method=method, raw=raw)


def _ascending(tests: Array, method: str) -> Array:
    m = tests.size
    rank = np.arange(1, m + 1)
    if method == "holm":
        return np.maximum.accumulate(tests * (m - rank + 1))
    factor = (1.0 / rank).sum() if method == "by" else 1.0
    return np.minimum.accumulate((tests * m * factor / rank)[::-1])[::-1]
