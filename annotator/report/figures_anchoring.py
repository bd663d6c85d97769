"""Anchoring: do people move towards the judge once they have seen it? The one figure that `revised` labels feed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from annotator import stats
from annotator.report.figures import Asked, Figure, of_result
from annotator.report.tables import Array, Ints, Mask, Table


def anchoring(
    table: Table, labels: Mask, units: Ints, judge: Array, by: Mapping[str, Any], asked: Asked
) -> list[Figure]:
    """How far revised labels lie nearer to the judge than the same raters' blind ones did, and how many were changed.

    `labels` are the labels that count, `judge` the judge's scores of `units` (of several judges of one unit, the
    first). `anchoring` is the mean of |blind - judge| - |revised - judge|: above zero, people moved towards the judge;
    `anchored` the share of revised labels with another value than before, `moved_toward` the share that now lies nearer
    to the judge, and `moved_away` the share that lies further from it.
    """
    if table.revised is None or not np.isfinite(table.revised).any():
        return []
    once, first = np.unique(units, return_index=True)
    rows = np.flatnonzero(labels & ~np.isnan(table.revised) & ~np.isnan(table.values))
    rows = rows[np.isin(table.label_unit[rows], once)]
    unit = table.label_unit[rows]
    seen = judge[first][np.searchsorted(once, unit)]
    before, after = table.values[rows], table.revised[rows]
    how = {
        "clusters": None if table.clusters is None else table.clusters[unit],
        "sampling_weights": None if table.weights is None else table.weights[unit],
    } | asked.how()
    step = np.abs(before - seen) - np.abs(after - seen)
    nearer = stats.mean(step, **how)
    toward = stats.mean((step > 0).astype(np.float64), **how)
    away = stats.mean((step < 0).astype(np.float64), **how)
    changed = stats.mean((before != after).astype(np.float64), **how)
    return [
        of_result("anchoring", by, nearer), of_result("anchored", by, changed),
        of_result("moved_toward", by, toward), of_result("moved_away", by, away),
    ]  # fmt: skip
