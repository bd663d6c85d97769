"""Preference data as files for others: rows with rankings, derived pairs, and pairs of a reward benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from annotator.domain.comparisons import Comparison
from annotator.domain.comparisons_records import Raw, Saying, as_bench, as_pairs, as_ranked
from annotator.report.writing import USE_NOTE, json_line

FORMATS: Final[dict[str, Callable[[Comparison, Saying], Iterable[Raw]]]] = {
    "mm-rlhf": as_ranked,
    "pairs": as_pairs,
    "reward-bench": as_bench,
}
# Shapes that models are trained on: the benchmark's own items stay out of them unless somebody insists.
FOR_TRAINING: Final = frozenset({"mm-rlhf", "pairs"})
_SOURCES_NOTE: Final = "Each item is under the terms of the source that it was imported from."


def kept_back(comparison: Comparison, format_name: str, include_evaluation_only: bool) -> bool:
    """Whether an item of the benchmark stays out of a file of this format."""
    return comparison.evaluation_only and format_name in FOR_TRAINING and not include_evaluation_only


def records(said: Iterable[tuple[Comparison, Saying]], format_name: str) -> Iterator[Raw]:
    """The records of all items; a line that is there already is not written twice."""
    shape, written = FORMATS[format_name], set[bytes]()
    for comparison, saying in said:
        for record in shape(comparison, saying):
            digest = hashlib.blake2b(json_line(record), digest_size=16).digest()
            if digest not in written:
                written.add(digest)
                yield record


def terms(evaluation_only: bool) -> dict[str, Any]:
    """What the file beside the export says of its use."""
    return {"evaluation_only": evaluation_only, "use": USE_NOTE if evaluation_only else _SOURCES_NOTE}
