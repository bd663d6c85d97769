"""What raters found not to play: the lead's list of it, whoever said so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from annotator.domain.labels import turn_index

if TYPE_CHECKING:
    from annotator.workspace.workspace import Workspace


@dataclass(frozen=True)
class Marked:
    """One mark that still stands.

    Attributes:
        item_id, responder: the queue row; `source_id` is the item's name in its source.
        turn: the turn, from 0; None where the mark was made in the session view.
        rater, at: who said so, and when.
        asset: the file, as the source names it, and `why`, the engine's last word; tested models' names covered.
    """

    item_id: str
    responder: str
    source_id: str
    turn: int | None
    rater: str
    at: str
    asset: str
    why: str

    @property
    def key(self) -> tuple[str, str]:
        """The queue row."""
        return (self.item_id, self.responder)


def marked(workspace: Workspace) -> tuple[Marked, ...]:
    """All marks of all raters that were not taken back, in the order of items."""
    cover, names = workspace.mask(), {head.item_id: head.source_id for head in workspace.store.items.heads()}
    found = []
    for label in workspace.store.labels.current(field="unplayable"):
        key, value = label.current.key, label.current.value
        if value is None:
            continue
        told = value if isinstance(value, dict) else {}
        asset, why = (str(told.get(name) or "") for name in ("asset", "why"))
        found.append(
            Marked(
                key.item_id, key.responder or "", names.get(key.item_id, key.item_id), turn_index(key.target),
                key.rater, label.current.at, cover(asset), cover(why),
            )
        )  # fmt: skip
    return tuple(found)
