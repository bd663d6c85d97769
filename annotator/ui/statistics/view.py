"""What the page is asked to speak of: the part, the spot-check, the phase, and how intervals are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from annotator.workspace.figures_room import Question


@dataclass(frozen=True)
class View:
    """The state of the filters. `where`: field -> values that count; an absent field does not restrict."""

    where: Mapping[str, frozenset[str]] = field(default_factory=dict)
    project: str | None = None
    phase: str = "blind"
    seed: int = 0
    resamples: int = 2_000
    names: Mapping[str, str] = field(default_factory=dict, compare=False)

    def ask(self, subject: str, *by: str, fields: tuple[str, ...] | None = None) -> Question:
        """A question about this part; `fields` are those that the subject can be restricted by (None: all)."""
        where = tuple(
            (name, tuple(sorted(values)))
            for name, values in sorted(self.where.items())
            if values and (fields is None or name in fields)
        )
        return Question(subject, by, where, self.project, self.phase, self.seed, self.resamples)

    def choosing(self, name: str, values: frozenset[str]) -> View:
        """With other values of one field."""
        kept = {one: held for one, held in self.where.items() if one != name}
        return replace(self, where={**kept, name: values} if values else kept)

    @property
    def narrows(self) -> bool:
        """Whether anything is left out."""
        return bool(self.where) or self.project is not None or self.phase != "blind"
