"""Setting comparisons up through the one door: who can be compared, sets made from dialogues, hidden repeats."""

from __future__ import annotations

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
    """Somebody whose answers can be compared.

    Attributes:
        shown: what a rater may read of the name, "" for the reference.
        dialogues: the ids of those that were answered; only dialogues that all answered can be compared.
    """

    responder: str
    shown: str
    dialogues: frozenset[str]


def in_common(chosen: Sequence[Answerer]) -> int:
    """How many dialogues all of them answered."""
    return len(frozenset.intersection(*(answerer.dialogues for answerer in chosen))) if chosen else 0


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
        held: dict[str, set[str]] = {}
        again = self._store.desk.repeats()
        for head in self._store.items.heads("dialogue"):
            check(token)
            if head.item_id in again:
                continue
            for name in (*self._store.items.responders_of(head.item_id), REFERENCE):
                held.setdefault(name, set()).add(head.item_id)
        names = self._workspace.names()
        found = [Answerer(name, names.get(name, ""), frozenset(items)) for name, items in held.items()]
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
