"""Figures found by name and group."""

from __future__ import annotations

from typing import Any

from annotator.workspace.figures_room import Figure, Figures


class Lookup:
    """The figures of one answer; empty where there is none yet."""

    def __init__(self, figures: Figures | None) -> None:
        """Index an answer."""
        self._held: dict[tuple[str, frozenset[tuple[str, str]]], Figure] = {}
        self._figures = figures.figures if figures is not None else ()
        for figure in self._figures:
            self._held.setdefault((figure.name, _group(figure.by)), figure)

    def get(self, name: str, **by: Any) -> Figure | None:
        """The figure of a name and a whole group."""
        return self._held.get((name, _group(by)))

    def values(self, field: str, name: str = "") -> list[str]:
        """The values of a field in order, of figures whose name is `name` where one is given; pairs left out."""
        found = (f.by[field] for f in self._figures if field in f.by and (not name or f.name == name))
        return list(dict.fromkeys(value for value in found if isinstance(value, str)))

    def named(self, name: str) -> list[Figure]:
        """All figures of one name."""
        return [figure for figure in self._figures if figure.name == name]

    def names(self) -> list[str]:
        """The names of all figures, each once, in order."""
        return list(dict.fromkeys(figure.name for figure in self._figures))

    def __bool__(self) -> bool:
        """Whether there are figures."""
        return bool(self._figures)


def _group(by: Any) -> frozenset[tuple[str, str]]:
    return frozenset((name, str(value)) for name, value in by.items())
