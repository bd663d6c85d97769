"""Preference: from ranks to outcomes, and from outcomes to strengths, with and without ties."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annotator.stats.proportion import wilson
from annotator.stats.result import Array, Result

STEPS = 200
POLICIES = ("half", "drop", "loss")


@dataclass(frozen=True, kw_only=True)
class Pairs(Result):
    """`value` holds (winner, loser) of every pair of different rank; `wins[i, j]` times i beat j, `ties[i, j]` ties."""

    wins: NDArray[np.int64]
    ties: NDArray[np.int64]


def pairs_from_ranks(ranks: ArrayLike) -> Pairs:
    """Outcomes of rankings, (items,) or (rankings, items): 1 is best, equal ranks tie, NaN was not ranked.

    Every pair of different rank is a win, of equal rank a tie; a ranking in which all are equal says nothing and gives
    none. Ranks 1, 2, 2, 3 give five wins and one tie.
    """
    table = np.atleast_2d(np.asarray(ranks, dtype=np.float64))
    if table.ndim != 2 or np.isinf(table).any():
        raise ValueError("ranks must be finite, of shape (items,) or (rankings, items)")
    items = table.shape[1]
    wins, ties = np.zeros((items, items), dtype=np.int64), np.zeros((items, items), dtype=np.int64)
    value: list[tuple[int, int]] = []
    used = 0
    for row in table:
        ahead = row[:, None] < row[None, :]
        if not ahead.any():
            continue
        used += 1
        wins += ahead
        ties += (row[:, None] == row[None, :]) & ~np.eye(items, dtype=bool)
        value += [(int(better), int(worse)) for better, worse in np.argwhere(ahead)]
    why = None if value else "undefined: no two items have different ranks"
    return Pairs(value=tuple(value) or None, why=why, n_units=used, wins=wins, ties=ties)


@dataclass(frozen=True, kw_only=True)
class Strengths(Result):
    """`value` holds one natural-log strength per item, mean 0; `nu` is Davidson's tie parameter."""

    nu: float | None = None


def bradley_terry(wins: ArrayLike) -> Strengths:
    """Strengths by maximum likelihood: i beats j with probability e^s_i / (e^s_i + e^s_j) (Bradley and Terry 1952).

    `wins[i, j]` counts how often i beat j (a tie may be half a win each). Undefined, with the reason, where no finite
    strengths are most likely: some items never met the others, or never lost to them (Ford 1957).
    """
    won = _square(wins, "wins")
    figure = Strengths(value=None, n_units=round(float(won.sum())))
    if (why := _unconnected(won)) is not None:
        return replace(figure, why=why)
    strengths, _ = _fit(won, np.zeros_like(won))
    return replace(figure, value=tuple(float(s) for s in strengths), method="maximum likelihood")


def davidson(wins: ArrayLike, ties: ArrayLike) -> Strengths:
    """Bradley-Terry with ties (Davidson 1970): win : loss : tie as e^s_i : e^s_j : nu sqrt(e^(s_i + s_j)).

    `ties[i, j]` = `ties[j, i]` counts ties of i and j (or one triangle holds them and the other zeros). `.value` holds
    the strengths, `.nu` the tie parameter; without any tie nu is 0. Undefined where no finite values are most likely.
    """
    won, tied = _square(wins, "wins"), _square(ties, "ties")
    if not np.triu(tied).any() or not np.tril(tied).any():
        tied = tied + tied.T
    if won.shape != tied.shape or not np.array_equal(tied, tied.T):
        raise ValueError("ties must be symmetric and as large as wins")
    if not tied.any():
        return replace(bradley_terry(won), nu=0.0)
    figure = Strengths(value=None, n_units=round(float(won.sum() + tied.sum() / 2)))
    why = _unconnected(won + tied)
    if why is None and not won.any():
        why = "undefined: there are only ties"
    if why is None and _ordered(won, tied):
        why = "undefined: an order of the items explains every win, with ties only between neighbours"
    if why is not None:
        return replace(figure, why=why)
    strengths, nu = _fit(won, tied)
    return replace(figure, value=tuple(float(s) for s in strengths), nu=nu, method="maximum likelihood")


def win_rate(wins: float, losses: float, ties: float, policy: str = "half", confidence: float = 0.95) -> Result:
    """Share of comparisons won; ties count half (`half`), not at all (`drop`), or as lost (`loss`).

    Undefined where nothing was compared. The Wilson interval takes comparisons as independent and, for half wins, is a
    little too wide; clusters go to `clustered`.
    """
    if policy not in POLICIES:
        raise ValueError(f"policy must be one of {', '.join(POLICIES)}, not {policy!r}")
    if min(wins, losses, ties) < 0:
        raise ValueError("counts must not be negative")
    counted = wins + losses + (0 if policy == "drop" else ties)
    rate = wilson(wins + (ties / 2 if policy == "half" else 0), counted, confidence)
    if rate.value is None:
        return replace(rate, why="undefined: the two were never compared" if not ties else "undefined: only ties")
    return rate


def _square(counts: ArrayLike, name: str) -> Array:
    table = np.asarray(counts, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"{name} must be square (items, items)")
    if not np.isfinite(table).all() or (table < 0).any() or np.diag(table).any():
        raise ValueError(f"{name} must hold counts, with zeros on the diagonal")
    return table


def _unconnected(beats: Array) -> str | None:
    """Why strengths cannot be told apart: the graph of who beat whom falls apart; None if it is strongly connected."""
    items = beats.shape[0]
    if items < 2:
        return "undefined: fewer than two items"
    met = _reach((beats + beats.T) > 0)
    if not met.all():
        islands = [", ".join(map(str, np.flatnonzero(row))) for row in np.unique(met, axis=0)[::-1]]
        number = {2: "two"}.get(len(islands), str(len(islands)))
        return f"undefined: {number} islands that were never compared with each other: items {' | '.join(islands)}"
    over = _reach(beats > 0)
    if over.all():
        return None
    # A component that nobody outside it ever beat.
    unbeaten = next(row for row in (over & over.T) if not (beats[~row][:, row] > 0).any())
    group = np.flatnonzero(unbeaten)
    if group.size == 1:
        return f"undefined: a perfect winner: item {group[0]} never lost, so its strength has no upper end"
    return f"undefined: a perfect group: items {', '.join(map(str, group))} never lost to the others"


def _reach(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    out = edges | np.eye(edges.shape[0], dtype=bool)
    for middle in range(out.shape[0]):
        out |= out[:, middle, None] & out[None, middle, :]
    return out


def _ordered(won: Array, tied: Array) -> bool:
    """Whether numbers exist with winners at least 1 above losers and ties at most 1 apart.

    Then the likelihood still grows as strengths and nu grow without end along them. Such numbers exist unless the graph
    of these differences has a cycle of negative length.
    """
    room = np.where(tied > 0, 1.0, np.inf)
    room = np.where(won.T > 0, -1.0, room)  # d_loser <= d_winner - 1
    np.fill_diagonal(room, 0.0)
    for middle in range(room.shape[0]):
        room = np.minimum(room, room[:, middle, None] + room[None, middle, :])
    return bool((np.diag(room) >= 0).all())


def _fit(won: Array, tied: Array) -> tuple[Array, float]:
    """Newton's method on the log-likelihood, concave in the strengths and log nu; steps are halved until they climb."""
    items = won.shape[0]
    met = won + won.T + tied
    ties = bool(tied.any())
    at = np.zeros(items + 1)

    def shares(at: Array) -> tuple[Array, Array]:
        """Probabilities that i beats j, and that they tie."""
        half = (at[:items, None] - at[None, :items]) / 2
        tie = at[items] if ties else -np.inf
        top = np.maximum(np.abs(half), tie)
        parts = np.exp(half - top), np.exp(-half - top), np.exp(tie - top)
        total = parts[0] + parts[1] + parts[2]
        return parts[0] / total, parts[2] / total

    def climb(at: Array) -> float:
        win, tie = (np.maximum(part, 1e-300) for part in shares(at))
        return float((won * np.log(win)).sum() + (np.triu(tied) * np.log(tie)).sum())

    for _ in range(STEPS):
        win, tie = shares(at)
        slope = (won + tied / 2 - met * (win + tie / 2)).sum(axis=1)
        slope = np.append(slope, np.triu(tied - met * tie).sum() if ties else 0.0)
        if np.abs(slope).max() <= 1e-11 * met.sum():
            break
        step = np.linalg.solve(_curvature(met, win, tie, ties), slope)
        size, now = 1.0, climb(at)
        while climb(at + size * step) < now and size > 1e-9:
            size /= 2
        at = at + size * step
        at[:items] -= at[:items].mean()
    return at[:items], float(np.exp(at[items])) if ties else 0.0


def _curvature(met: Array, win: Array, tie: Array, ties: bool) -> Array:
    """Minus the second derivatives by the strengths and log nu; what they leave free (the sum) is held at 0."""
    items = met.shape[0]
    lead = win - win.T
    pair = met * ((win + win.T) / 4 - lead**2 / 4)
    out = np.zeros((items + 1, items + 1))
    out[:items, :items] = np.diag(pair.sum(axis=1)) - pair + pair.mean() + 1e-300
    if ties:
        out[:items, items] = out[items, :items] = (-met * tie * lead / 2).sum(axis=1)
        out[items, items] = np.triu(met * tie * (1 - tie), 1).sum()
    else:
        out[items, items] = 1.0
    return out
