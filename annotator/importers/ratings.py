"""Tools' own tables of accuracies: taken as claims, to be shown beside what the outputs give."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from annotator.domain.report import ReportLine
from annotator.importers.base import Context, Record


@dataclass(slots=True)
class RatingReader:
    """Reads one table of accuracies as (model, {path of names joined by `/`: share})."""

    context: Context
    model: str
    notes: list[str] = field(default_factory=list)

    def read(self, record: Record) -> Iterator[tuple[str, dict[str, float]] | ReportLine]:
        """The claims of a record."""
        value = record.value
        tree = value.get("results") if "results" in value and "configs" in value else value
        claims = dict(_flat(tree, ""))
        self.notes.append(f"{self.context.file}: {len(claims)} accuracies are kept as claims of {self.model}.")
        yield self.model, claims


def _flat(value: Any, path: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _flat(inner, f"{path}/{name}" if path else str(name))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, float(value)
