"""An exported table of labels as ratings: what stands in it is what the figures of the workspace stand on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from annotator.domain.cells import unmarked
from annotator.domain.labels import is_dimension
from annotator.domain.rubric import CANNOT_JUDGE
from annotator.importers.label_tables import is_label_table

_MORE: Final = ("cluster", "dimension")
_BETWEEN: Final = "\x1f"


def is_export(names: Sequence[str]) -> bool:
    """Whether these are the columns of an exported table of labels, which holds more than scores."""
    return is_label_table(names) and {"item", "rater", "score", "phase", "responder"} <= set(names)


def columns_of(names: Sequence[str]) -> tuple[str, ...]:
    """What its rows can be grouped by: its columns, and what they say in the words of figures."""
    return (*names, *(name for name in _MORE if name not in names))


def rating_of(row: Mapping[str, str]) -> dict[str, str] | None:
    """The row as a rating of one dimension of one unit, in the cluster of its dialogue; None where it does not count.

    As in figures of a workspace, what counts is a score that was given blind to what is still there.
    """
    if not is_dimension(row["field"]) or row["phase"] != "blind" or row.get("stale", "").lower() == "true":
        return None
    told = {**row, "rater": unmarked(row["rater"], of_id=True), "responder": unmarked(row["responder"], of_id=True)}
    if "dialogue_id" in row:
        told["dialogue_id"] = unmarked(row["dialogue_id"], of_id=True)
    unit = _BETWEEN.join((row["item"], told["responder"], row["target"], row["field"]))
    if row["value"] == CANNOT_JUDGE:
        told["score"] = CANNOT_JUDGE
    return {**told, "item": unit, "cluster": row["item"], "dimension": row["field"]}
