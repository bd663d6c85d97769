"""Scales: how far levels are apart, how much two of them agree, how often each was given."""

from __future__ import annotations

import numpy as np

from annotator.stats.result import Array, Ints


def counted(codes: Ints, levels: int) -> Array:
    """How many raters gave each level: (units, levels) from codes (raters, units), -1 for a gap."""
    return np.stack([(codes == level).sum(axis=0) for level in range(levels)], axis=1).astype(np.float64)


def agreement_weights(levels: Array, weights: str | None) -> Array:
    """Gwet's weights (levels, levels): 1 on the diagonal, 0 for the farthest pair.

    None (or identity), linear 1 - |x - y| / range, quadratic 1 - (x - y)^2 / range^2, and ordinal 1 - C(m, 2) / C(q, 2)
    with m the number of levels from one to the other, both included, of q.
    """
    q = levels.size
    gap = np.abs(levels[:, None] - levels[None, :]) / (levels[-1] - levels[0])
    steps = np.abs(np.arange(q)[:, None] - np.arange(q)[None, :]) + 1.0
    table: dict[str | None, Array] = {
        None: np.eye(q),
        "identity": np.eye(q),
        "linear": 1 - gap,
        "quadratic": 1 - gap**2,
        "ordinal": 1 - steps * (steps - 1) / (q * (q - 1)),
    }
    if weights not in table:
        raise ValueError(f"weights must be one of {', '.join(map(str, table))}, not {weights!r}")
    return table[weights]


def distances(levels: Array, level: str) -> Array:
    """Krippendorff's squared distances that do not depend on the ratings: nominal, interval, ratio."""
    one, two = levels[:, None], levels[None, :]
    match level:
        case "nominal":
            return np.asarray(one != two, dtype=np.float64)
        case "interval":
            return np.asarray((one - two) ** 2)
        case "ratio":
            if levels[0] < 0:
                raise ValueError("a ratio scale has no negative level")
            total = np.where(one + two == 0, 1.0, one + two)
            return np.asarray(((one - two) / total) ** 2)
    raise ValueError(f"level must be nominal, ordinal, interval or ratio, not {level!r}")


def mid_counts(margins: Array) -> Array:
    """How many ratings lie below each level's middle, the mid-rank less a half: (b, levels) from counts (b, levels)."""
    below: Array = np.cumsum(margins, axis=1) - margins / 2
    return below
