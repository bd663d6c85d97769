"""Many fits at once are the fits that are made one by one, on the same draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annotator import stats
from annotator.stats.preference_many import strengths_of


def _study(rng: Any, units: int, items: int, ties: float) -> tuple[Any, Any]:
    won, tied = np.zeros((units, items, items)), np.zeros((units, items, items))
    for unit in range(units):
        liked = -0.4 * np.arange(items) + rng.gumbel(size=items)
        gap = liked[:, None] - liked[None, :]
        won[unit] = gap > ties
        tied[unit] = (np.abs(gap) <= ties) & ~np.eye(items, dtype=bool)
    return won, tied


@pytest.mark.parametrize(("items", "ties", "groups"), [(3, 0.4, 40), (4, 0.0, 30), (2, 0.3, 8), (5, 0.6, 25)])
def test_intervals_are_those_of_one_fit_after_the_other(items: int, ties: float, groups: int) -> None:
    rng = np.random.default_rng(items)
    won, tied = _study(rng, 3 * groups, items, ties)
    codes = np.arange(3 * groups) % groups

    def one(rows: Any) -> Any:
        found = stats.davidson(won[rows].sum(axis=0), tied[rows].sum(axis=0)).value
        return [np.nan] * items if found is None else found

    slow = stats.clustered(one, codes, resamples=150, seed=3)
    quick = stats.davidson_clustered(won, tied, codes, resamples=150, seed=3)
    assert (quick.n_units, quick.n_clusters, quick.method) == (slow.n_units, slow.n_clusters, slow.method)
    for name in ("value", "low", "high"):
        assert getattr(quick, name) == pytest.approx(getattr(slow, name), abs=1e-9)
    assert quick.nu == stats.davidson(won.sum(axis=0), tied.sum(axis=0)).nu


def test_tables_without_an_answer_are_told_apart() -> None:
    rng = np.random.default_rng(0)
    tables = [
        ([[0, 5, 5], [0, 0, 3], [0, 2, 0]], np.zeros((3, 3))),
        (np.zeros((3, 3)), np.ones((3, 3)) - np.eye(3)),
        ([[0, 3, 0], [0, 0, 3], [0, 0, 0]], [[0, 0, 2], [0, 0, 0], [2, 0, 0]]),
        ([[0, 5, 0], [0, 0, 0], [0, 0, 0]], [[0, 3, 0], [3, 0, 0], [0, 0, 0]]),
        ([[0, 1, 0], [0, 0, 1], [1, 0, 0]], np.zeros((3, 3))),
        *(((rng.integers(0, 4, (3, 3)) * (1 - np.eye(3, dtype=int))), np.zeros((3, 3))) for _ in range(40)),
    ]
    won = np.array([np.asarray(w, dtype=float) for w, _ in tables])
    tied = np.array([np.asarray(t, dtype=float) for _, t in tables])
    found = strengths_of(won, tied)
    for row, table, same in zip(found, won, tied, strict=True):
        alone = stats.davidson(table, same).value
        if alone is None:
            assert np.isnan(row).all()
        else:
            assert row == pytest.approx(alone, abs=1e-8)


def test_what_cannot_be_told_says_why() -> None:
    won = np.zeros((30, 2, 2))
    won[:, 0, 1] = 1
    made = stats.davidson_clustered(won, np.zeros_like(won), np.arange(30))
    assert made.value is None and made.low is None and "perfect winner" in str(made.why)
