"""Setting comparisons up through the one door: who can be compared, sets made from dialogues, hidden repeats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotator.cancel import CancelToken, check
from annotator.domain.comparisons import FEWEST, Level
from annotator.domain.ids import REFERENCE
from annotator.workspace.comparisons_making import Made, make_comparisons
from annotator.workspace.comparisons_repeats import make_repeats
from annotator.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Answerer:
    """Somebody whose answers can be compared: `shown` is what a rater may read of the name, "" for the reference."""

    responder: str
    shown: str
    dialogues: int


class ComparisonSetup:
    """Makes items to compare; safe to call from any lane."""

    def __init__(self, workspace: Workspace) -> None:
        """Nothing is read until it is asked for."""
        self._workspace = workspace
        self._store = workspace.store

    def can_make(self) -> bool:
        """Whether at least two answered the dialogues of this workspace."""
        return len(self._store.items.responder_ids()) + bool(self._store.items.count("dialogue")) >= FEWEST

    def answerers(self, token: CancelToken | None = None) -> tuple[Answerer, ...]:
        """Everybody who answered dialogues, in the order of the names shown, the reference last."""
        held: Counter[str] = Counter()
        for head in self._store.items.heads("dialogue"):
            check(token)
            held.update(set(self._store.items.responders_of(head.item_id)) | {REFERENCE})
        names = self._workspace.names()
        found = [Answerer(name, names.get(name, ""), count) for name, count in held.items() if name]
        return tuple(sorted(found, key=lambda a: (a.responder == REFERENCE, a.shown, a.responder)))

    def make(
        self,
        responders: Sequence[str],
        size: int,
        *,
        level: Level,
        seed: int,
        project: str,
        repeats: float = 0.0,
        token: CancelToken | None = None,
    ) -> Made:
        """Draw comparisons from dialogues.

        Raises:
            WorldError: see `make_comparisons`; Cancelled: nothing was made.
        """
        return make_comparisons(
            self._store, responders, size, level=level, seed=seed, project=project, repeats=repeats, token=token
        )

    def repeat(self, rate: float, seed: int, token: CancelToken | None = None) -> int:
        """Show a share of all comparisons a second time, hidden and in swapped order; how many.

        Raises:
            WorldError: a rate outside 0 to 1.
        """
        return len(make_repeats(self._store, rate, seed, token=token))
