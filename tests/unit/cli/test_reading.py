"""`list`, `show` and `check`: the shapes that programs rely on, real names, literal search."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from pathlib import Path

import pytest

from annotator.cli.say import counted
from tests.unit.cli import sources
from tests.unit.cli.conftest import Cli


def complete(cli: Cli, workspace: Path, tmp_path: Path, name: str, responder: str) -> None:
    lines = sources.label_lines(name, sources.DIALOGUES[name], responder)
    cli("label", workspace, sources.write_lines(tmp_path / "l.jsonl", lines), "--rater", "lin")


def test_list_has_an_entry_for_each_item_with_real_responders(cli: Cli, workspace: Path) -> None:
    entries = cli("list", workspace, "--json").json
    assert [e["source_id"] for e in entries] == list(sources.DIALOGUES)
    for entry in entries:
        assert entry["item"].startswith("dialogue:") and len(entry["item"]) == len("dialogue:") + 16
        assert (entry["kind"], entry["status"]) == ("dialogue", "new")
        assert entry["responders"] == [{"id": r, "status": "new"} for r in sources.RESPONDERS]


def test_list_of_nothing_is_an_empty_list(cli: Cli, tmp_path: Path) -> None:
    cli("new", tmp_path / "w", "--rater", "lin")
    assert cli("list", tmp_path / "w", "--json").json == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("STREET-1", 1),
        ("street-", 2),
        ("问题", 2),
        ("reference 2", 1),
        ("beta says", 2),
        ("CAFÉ 1 OF STREET-2", 1),
        (unicodedata.normalize("NFD", "café"), 2),
        ("%", 0),
        ("_", 0),
        ("street-1 OR street-2", 0),
    ],
)
def test_search_is_literal_and_knows_no_case_or_form(cli: Cli, workspace: Path, text: str, found: int) -> None:
    assert len(cli("list", workspace, "--search", text, "--json").json) == found


def test_status_follows_the_labels_of_the_workspaces_rater(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    complete(cli, workspace, tmp_path, "street-1", sources.RESPONDERS[0])
    first, second = cli("list", workspace, "--json").json
    assert [r["status"] for r in first["responders"]] == ["complete", "started"]  # the verdict counts for both
    assert (first["status"], second["status"]) == ("started", "new")
    complete(cli, workspace, tmp_path, "street-1", sources.RESPONDERS[1])
    assert [e["source_id"] for e in cli("list", workspace, "--status", "complete", "--json").json] == ["street-1"]
    assert [e["status"] for e in cli("list", workspace, "--rater", "chen", "--json").json] == ["new", "new"]


def test_kind_narrows(cli: Cli, workspace: Path) -> None:
    assert len(cli("list", workspace, "--kind", "dialogue", "--json").json) == 2
    assert cli("list", workspace, "--kind", "question", "--json").json == []


def test_lists_for_people_name_everything(cli: Cli, workspace: Path) -> None:
    out = cli("list", workspace).out
    assert "street-1" in out and "street-2" in out and "2 items" in out


def test_show_has_the_promised_shape(cli: Cli, workspace: Path) -> None:
    page = cli("show", workspace, "street-2", "--json").json
    wanted = "item kind source_id revision environment scenario modality turns unanswered labels problems"
    assert set(wanted.split()) <= set(page)
    assert (page["scenario"], page["modality"], page["revision"]) == ("outdoor_public_space", "video", 1)
    assert [t["index"] for t in page["turns"]] == [0, 1, 2]
    turn = page["turns"][1]
    assert (turn["question"], turn["reference"]) == ("street-2 问题 1？", "street-2 reference 1")
    assert turn["answers"] == {r: f"{r.split('::')[1]} says Café 1 of street-2" for r in sources.RESPONDERS}
    assert turn["timestamp"] == {"raw": "00:02", "start": 2.0, "end": None, "kind": "seconds"}
    assert turn["category"]["primary"] == "counting"
    assert [(e["path"], e["status"]) for e in turn["evidence"]] == [("clips/street-2.mp4", "missing")]
    assert [e["speaker"] for e in turn["entries"]] == ["user", "ai"]
    assert page["unanswered"] == [] and page["labels"] == [] and page["problems"] == []


def test_show_takes_either_id(cli: Cli, workspace: Path) -> None:
    by_source = cli("show", workspace, "street-1", "--json").json
    assert cli("show", workspace, by_source["item"], "--json").json == by_source
    assert "nobody" in cli("show", workspace, "nobody", "--json", code=1).err


def test_show_lists_current_labels_of_all_raters(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    line = {"source_id": "street-1", "responder": sources.RESPONDERS[0], "target": "turn:1", "field": "accuracy"}
    for rater, value in (("lin", 2), ("chen", 5), ("lin", 3)):
        file = sources.write_lines(tmp_path / "l.jsonl", [{**line, "value": value}])
        cli("label", workspace, file, "--rater", rater)
    labels = cli("show", workspace, "street-1", "--json").json["labels"]
    assert [(one["rater"], one["value"], one["phase"]) for one in labels] == [("chen", 5, "open"), ("lin", 3, "open")]
    assert "accuracy" in cli("show", workspace, "street-1").out


def test_check_of_a_sound_workspace(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    complete(cli, workspace, tmp_path, "street-1", sources.RESPONDERS[0])
    result = cli("check", workspace, "--json").json
    assert result["ok"] and result["problems"] == [] and result["waiting"] == [] and result["rebuilt_equal"]
    assert (result["totals"]["dialogues"], result["totals"]["turns"]) == (2, 5)
    assert result["events"] == 2 * 8 + 4 + 1
    assert "Sound." in cli("check", workspace).out


def test_check_finds_an_altered_event(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    complete(cli, workspace, tmp_path, "street-1", sources.RESPONDERS[0])
    with sqlite3.connect(workspace / "workspace.db") as database:
        for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {name}")
        database.execute("UPDATE label_log SET value = '5' WHERE seq = 3")
    database.close()
    told = cli("check", workspace, "--json", code=1)
    assert not told.json["ok"] and told.json["problems"]
    assert told.err.count("\n") == 1 and str(workspace) in told.err


def test_what_waits_is_listed_and_decided(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    record = sources.dialogue("street-1", 2)
    record["stream_conversation"]["conversations"][1]["text"] = "another reference"
    second = tmp_path / "second.json"
    second.write_text(json.dumps([record]), encoding="utf-8")
    report = cli("import", workspace, second, "--json").json
    assert [line["code"] for line in report["lines"]] == ["dup_conflict"]
    (problem,) = cli("check", workspace, "--json").json["waiting"]
    assert set(problem) >= {"id", "code", "item", "file", "line", "choices"}
    assert problem["choices"] == ["keep-first", "keep-second"]
    page = cli("show", workspace, "street-1", "--json").json
    assert [p["id"] for p in page["problems"]] == [problem["id"]]
    assert cli("decide", workspace, problem["id"], "map-scale", code=1).err.count("\n") == 1
    cli("decide", workspace, problem["id"], "keep-second", "--json")
    page = cli("show", workspace, "street-1", "--json").json
    assert (page["revision"], page["turns"][0]["reference"], page["problems"]) == (2, "another reference", [])
    assert "settled" in cli("decide", workspace, problem["id"], "keep-first", code=1).err
    assert cli("check", workspace, "--json").json["waiting"] == []


def test_check_media_tells_what_is_gone_since(cli: Cli, tmp_path: Path, data: Path) -> None:
    import cv2
    import numpy as np

    (data / "clips").mkdir()
    cv2.imwrite(str(data / "clips" / "a.png"), np.zeros((8, 8, 3), np.uint8))
    for name in sources.DIALOGUES:
        (data / "clips" / f"{name}.mp4").write_bytes((data / "clips" / "a.png").read_bytes())
    workspace = tmp_path / "w"
    cli("new", workspace)
    assert cli("import", workspace, data, "--json").json["assets"]["missing"] == 0
    assert cli("check", workspace, "--media", "--json").json["media"]["ok"] == 2
    (data / "clips" / "street-1.mp4").unlink()
    told = cli("check", workspace, "--media", "--json", code=1)
    assert "street-1.mp4" in told.err
    assert cli("check", workspace, "--json").json["ok"]


@pytest.mark.parametrize("options", [(), ("--search", "street-1"), ("--search", "3"), ("--status", "new")])
def test_list_counts_the_rows_that_the_window_shows(cli: Cli, workspace: Path, options: tuple[str, ...]) -> None:
    from annotator.domain.queue import QueueFilter
    from annotator.workspace.workspace import Workspace

    said = dict(zip(options[::2], options[1::2], strict=True))
    with Workspace.open(workspace) as door:
        statuses = frozenset({said["--status"]}) if "--status" in said else frozenset()
        shown = door.queue(QueueFilter(search=said.get("--search", ""), statuses=statuses)).rows
    items = {row.item_id for row in shown}
    told = f"{counted(len(items), 'item')}; {counted(len(shown), 'row')} in the window's queue"
    assert told in cli("list", workspace, *options).out
