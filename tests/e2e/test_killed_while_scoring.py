"""The real application, driven by key events, is killed at random instants: nothing that it called saved is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests import faults

KILLS = 40


@pytest.mark.slow
def test_forty_kills_lose_nothing_that_was_called_saved(tmp_path: Path) -> None:
    outcome = faults.run(KILLS, tmp_path)
    assert outcome.lost == []
    assert outcome.problems == []
    assert outcome.kills == KILLS and outcome.while_starting == KILLS // 10
    # The hands were busy and the disk answered: this is no test of an idle window.
    assert outcome.entered > 2 * KILLS
    assert outcome.saved > KILLS / 2
    assert outcome.events >= outcome.saved


def test_a_loss_would_be_noticed(tmp_path: Path) -> None:
    workspace = faults.make_workspace(tmp_path)
    with Workspace.open(workspace) as door:
        row = door.store.queue.rows(faults.RATER)[0]
        door.say(row.item_id, row.responder, [Intent("turn:0", "accuracy", 4)], 0, "en")
    key = (row.item_id, row.responder, "turn:0", "accuracy")
    gone = (row.item_id, row.responder, "turn:0", "relevance")
    assert faults.compare(workspace, {key: 4}, {})[1] == []
    assert len(faults.compare(workspace, {key: 5}, {})[1]) == 1
    assert len(faults.compare(workspace, {key: 4, gone: 3}, {})[1]) == 1
    # What was entered after the last "saved" may be there or not.
    assert faults.compare(workspace, {key: 5}, {key: [4]})[1] == []


def test_only_what_was_entered_before_saved_counts_as_safe(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    lines: list[object] = [
        [["d", "r", "turn:0", "accuracy", 3]],
        [["d", "r", "turn:0", "accuracy", 4], ["d", None, "item", "verdict", "keep"]],
        "saved",
        [["d", "r", "turn:0", "accuracy", 5]],
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines) + '[["d", "r", "tu', encoding="utf-8")
    told = faults.read_log(log)
    assert told.safe == {("d", "r", "turn:0", "accuracy"): 4, ("d", None, "item", "verdict"): "keep"}
    assert told.later == {("d", "r", "turn:0", "accuracy"): [5]}
    assert (told.entered, told.saved) == (4, 3)
