"""Which part of a workspace figures speak of: values of fields that items, labels and judges carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from annotator.report.tables import Column, Mask, Table

Where = Mapping[str, frozenset[str]]
"""Field -> the values that count; a field that is not named, or has no values, does not restrict."""

EVERYWHERE: Final[Where] = {}


def narrowed(table: Table, where: Where) -> Table:
    """The table with those labels and judges' scores alone that `where` lets through.

    A field of units restricts both; `rater` and `week` restrict labels, `judge` restricts judges' scores. Units keep
    their numbers, so that what is asked of the table afterwards may name them.
    """
    asked = {name: values for name, values in where.items() if values}
    if not asked:
        return table
    units = np.ones(len(table.units), dtype=bool)
    for name, values in asked.items():
        if name in table.of_units:
            units &= _there(table.of_units[name], values)
    labels, judges = units[table.label_unit], units[table.judge_unit]
    for name, values in asked.items():
        if name == "rater" or name in table.of_labels:
            labels = labels & _there(table.label_column(name), values)
        elif name == "judge":
            judges = judges & _there(table.judge_column(name), values)
    return replace(
        table,
        of_labels={name: one.at(np.flatnonzero(labels)) for name, one in table.of_labels.items()},
        label_unit=table.label_unit[labels],
        label_rater=table.label_rater[labels],
        values=table.values[labels],
        revised=None if table.revised is None else table.revised[labels],
        again=None if table.again is None else table.again[labels],
        shift=None if table.shift is None else table.shift[labels],
        judge_unit=table.judge_unit[judges],
        judge_code=table.judge_code[judges],
        judge_values=table.judge_values[judges],
    )


def _there(column: Column, values: frozenset[str]) -> Mask:
    wanted = np.array([name in values for name in column.names], dtype=bool)
    if not wanted.size:
        return np.zeros(column.codes.shape, dtype=bool)
    found: Mask = wanted[column.codes]
    return found
