"""The check walks item by item, and misses nothing that stands between or beside the items."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from annotator.store import Draft, create_store, open_store
from tests.unit.store.made import MODELS, RATER, dialogue, fill, the_id


def _labelled(folder: Path) -> Path:
    with create_store(folder, rater=RATER) as store:
        fill(store, map(dialogue, range(3)))
        for item in (0, 1, 9):  # the last is about a dialogue that is not here
            for name in ("accuracy", "relevance"):
                store.labels.append([Draft(RATER, the_id(item), "turn:0", name, 4, responder=MODELS[0])])
    return folder / "workspace.db"


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE label_now SET value = '5' WHERE subject = 2 AND field = 'accuracy'",
        "UPDATE label_now SET stale = 1 WHERE subject = 1 AND field = 'accuracy'",
        "DELETE FROM label_now WHERE subject = 3 AND field = 'accuracy'",
        "INSERT INTO label_now SELECT subject, 'naturalness', value, rivals, head, heads, events, at, stale "
        "FROM label_now WHERE subject = 1 AND field = 'accuracy'",
        "INSERT INTO label_now SELECT 77, field, value, rivals, head, heads, events, at, stale FROM label_now LIMIT 1",
        "UPDATE progress SET turns = x'ff' WHERE item_id = (SELECT max(item_id) FROM progress)",
        "DELETE FROM progress WHERE item_id = (SELECT min(item_id) FROM progress)",
        "INSERT INTO progress (rater, phase, item_id, responder, turns, session, verdict, flags) "
        "SELECT rater, phase, 'nowhere', responder, turns, session, verdict, flags FROM progress LIMIT 1",
    ],
)
def test_whatever_differs_from_the_events_is_found(tmp_path: Path, damage: str) -> None:
    file = _labelled(tmp_path / "w")
    with open_store(file.parent, write=False) as store:
        sound = store.upkeep.check()
        assert sound.ok and sound.rebuilt_equal and sound.events == 6
    connection = sqlite3.connect(file)
    assert connection.execute(damage).rowcount == 1
    connection.commit()
    connection.close()
    with open_store(file.parent, write=True) as store:
        found = store.upkeep.check()
        assert not found.ok and not found.rebuilt_equal
        assert found.problems == ("The current labels are not what the events give: rebuild them.",)
        store.upkeep.rebuild()
        assert store.upkeep.check().ok
