"""Several people, each with a workspace of their own, and a folder that they share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotator.domain.fold import fold
from annotator.domain.wire import wire_of
from annotator.store import create_store, open_store
from annotator.workspace.sync_views import SyncReport
from annotator.workspace.syncing import sync
from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.unit.store.made import MODELS, answers, dialogue, fill, the_id


class Place:
    """One workspace of one rater."""

    def __init__(self, folder: Path, rater: str, *, items: bool = True) -> None:
        self.folder = folder
        store = create_store(folder, rater=rater)
        if items:
            fill(store, map(dialogue, range(2)), [answers(i, m) for i in range(2) for m in MODELS[:2]])
        self.door = Workspace(store)
        self.said: set[str] = set()

    def say(self, value: Any, *, field: str = "accuracy", turn: int = 0, item: int = 0) -> None:
        """One statement, acknowledged when this returns."""
        before = self.store.union.arrival()
        target = "item" if field == "verdict" else f"turn:{turn}"
        self.door.say(the_id(item), MODELS[0], [Intent(target, field, value)], 5, "en")
        self.said.update(e.event_id for e in self.store.labels.events(after=before))

    def sync(self, shared: Path, **more: Any) -> SyncReport:
        return sync(self.door, shared, **more)

    def reopen(self) -> None:
        self.door.close()
        self.door = Workspace(open_store(self.folder, write=True))

    @property
    def store(self) -> Any:
        return self.door.store

    def events(self) -> dict[str, str]:
        """Everything that is known: id to digest and text."""
        return {e.event_id: str(wire_of(e)) for e in self.store.labels.events()}

    def current(self) -> list[Any]:
        return [(c.current, c.stale) for c in self.store.labels.current()]

    def check(self) -> None:
        """Nothing wrong, and everything that was acknowledged is there and counts as the fold says."""
        found = self.store.upkeep.check()
        assert found.ok and found.rebuilt_equal, found.problems
        assert self.said <= self.events().keys()
        folded = fold(self.store.labels.events())
        assert {c.current.key: c.current for c in self.store.labels.current()} == folded


def quiet(places: list[Place], shared: Path) -> None:
    """Sync in turn until nobody sends or receives anything."""
    for _ in range(len(places) + 3):
        reports = [p.sync(shared) for p in places]
        if not any(r.sent or r.received for r in reports):
            return
    raise AssertionError("it never comes to rest")


def equal(places: list[Place]) -> None:
    """All hold the same events and the same current labels, and all that anybody was told is saved."""
    for place in places:
        place.check()
        assert place.events() == places[0].events()
        assert [c for c, _ in place.current()] == [c for c, _ in places[0].current()]
    assert set().union(*(p.said for p in places)) <= places[0].events().keys()


def bundles(shared: Path) -> list[Path]:
    """All bundles in the folder."""
    return sorted((shared / "bundles").glob("*/[0-9]*.jsonl.gz"))
