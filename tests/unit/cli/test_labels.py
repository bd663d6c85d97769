"""`label`, `import --kind labels` and `export`: what goes in comes out, in both round trips."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from annotator.workspace.views import Intent
from annotator.workspace.workspace import Workspace
from tests.unit.cli import sources
from tests.unit.cli.conftest import Cli

FIELDS = ["item", "source_id", "responder", "target", "field", "value", "rater", "phase", "at", "rubric",
          "item_revision", "lang", "active_ms"]  # fmt: skip
EVENT_FIELDS = ["event_id", "device", "seq", "parents", "digest"]
ALPHA, BETA = sources.RESPONDERS


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def labelled(cli: Cli, workspace: Path, tmp_path: Path) -> Path:
    """Labels of two raters in several phases, changed, withdrawn and undone, with texts and lists among them."""
    one = {"source_id": "street-1", "responder": ALPHA, "target": "turn:0"}
    told: list[dict[str, Any]] = [
        *sources.label_lines("street-1", 2, ALPHA),
        {**one, "field": "accuracy", "value": 2},
        {**one, "field": "reason:accuracy", "value": "少算一个\nline two ‮ \t"},
        {**one, "field": "tags:accuracy", "value": ["幻觉与捏造"]},
        {**one, "field": "span:accuracy", "value": [[0, 3, "幻觉与捏造"]]},
        {**one, "field": "note", "value": ""},
        {"source_id": "street-2", "target": "item", "field": "edit:question", "value": "新的问题 👍"},
        {"source_id": "street-1", "responder": BETA, "target": "session", "field": "flag:privacy", "value": True},
    ]
    cli("label", workspace, sources.write_lines(tmp_path / "a.jsonl", told), "--rater", "chen")
    with Workspace.open(workspace) as door:
        item = door.store.items.resolve("street-2")
        for value in (3, 4, 5):
            door.say(item, ALPHA, [Intent("turn:1", "relevance", value)], 900, "zh_CN")
        door.undo("zh_CN")
        door.say(item, ALPHA, [Intent("turn:2", "accuracy", 1), Intent("item", "verdict", "revise")], 0, "en")
        door.say(item, ALPHA, [Intent("turn:2", "accuracy", None)], 0, "en")
    return workspace


def fresh(cli: Cli, folder: Path, data: Path) -> Path:
    cli("new", folder, "--rater", "somebody")
    cli("import", folder, data)
    return folder


def test_an_export_holds_the_label_line(cli: Cli, labelled: Path, tmp_path: Path) -> None:
    told = cli("export", labelled, "-o", tmp_path / "l.jsonl", "--format", "jsonl", "--json").json
    lines = lines_of(tmp_path / "l.jsonl")
    assert told["lines"] == len(lines) and told["withdrawn"] == 1
    assert all(list(line) == FIELDS for line in lines)
    assert {line["rater"] for line in lines} == {"chen", "lin"}
    (value,) = (line for line in lines if (line["rater"], line["field"]) == ("lin", "relevance"))
    assert (value["value"], value["phase"], value["lang"], value["source_id"]) == (4, "blind", "zh_CN", "street-2")
    assert value["rubric"].startswith("rubric-mme@")
    assert not [line for line in lines if line["rater"] == "lin" and line["field"] == "accuracy"]


def test_an_event_export_adds_what_makes_an_event(cli: Cli, labelled: Path, tmp_path: Path) -> None:
    cli("export", labelled, "-o", tmp_path / "e.jsonl", "--events")
    lines = lines_of(tmp_path / "e.jsonl")
    assert all(set(FIELDS + EVENT_FIELDS) <= set(line) for line in lines)
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert len({line["event_id"] for line in lines}) == len(lines)
    assert any(line["value"] is None for line in lines)


def test_events_come_back_the_same_row_by_row(cli: Cli, labelled: Path, data: Path, tmp_path: Path) -> None:
    cli("export", labelled, "-o", tmp_path / "e.jsonl", "--events")
    cli("export", labelled, "-o", tmp_path / "c.jsonl")
    other = fresh(cli, tmp_path / "other", data)
    report = cli("import", other, tmp_path / "e.jsonl", "--kind", "labels", "--json").json
    assert (report["rejected"], report["accepted"]) == (0, len(lines_of(tmp_path / "e.jsonl")))
    cli("export", other, "-o", tmp_path / "e2.jsonl", "--events")
    cli("export", other, "-o", tmp_path / "c2.jsonl")
    assert (tmp_path / "e2.jsonl").read_bytes() == (tmp_path / "e.jsonl").read_bytes()
    assert (tmp_path / "c2.jsonl").read_bytes() == (tmp_path / "c.jsonl").read_bytes()
    assert cli("check", other, "--json").json["ok"]
    again = cli("import", other, tmp_path / "e.jsonl", "--kind", "labels", "--json").json
    assert (again["new"], again["rejected"]) == (0, 0)


def test_current_labels_come_back_with_the_same_values(cli: Cli, labelled: Path, data: Path, tmp_path: Path) -> None:
    cli("export", labelled, "-o", tmp_path / "c.jsonl")
    other = fresh(cli, tmp_path / "other", data)
    report = cli("import", other, tmp_path / "c.jsonl", "--kind", "labels", "--json").json
    assert report["rejected"] == 0
    cli("export", other, "-o", tmp_path / "c2.jsonl")
    assert lines_of(tmp_path / "c2.jsonl") == lines_of(tmp_path / "c.jsonl")
    assert cli("import", other, tmp_path / "c.jsonl", "--kind", "labels", "--json").json["new"] == 0


def test_the_file_beside_says_what_it_may_be_used_for(cli: Cli, labelled: Path, tmp_path: Path) -> None:
    file = tmp_path / "l.jsonl"
    cli("export", labelled, "-o", file)
    meta = json.loads((tmp_path / "l.jsonl.meta.json").read_text("utf-8"))
    assert meta["evaluation_only"] is True and "not for training" in meta["use"]
    assert meta["lines"] == len(lines_of(file)) == sum(meta["counts"]["by_rater"].values())
    assert meta["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert meta["rubrics"] and meta["app"].startswith("rubric-annotator ")


def test_an_export_replaces_an_older_one(cli: Cli, labelled: Path, tmp_path: Path) -> None:
    file = tmp_path / "l.jsonl"
    file.write_text("old\n" * 1000, encoding="utf-8")
    cli("export", labelled, "-o", file)
    assert "old" not in file.read_text("utf-8")
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".part"] == []


def test_an_export_of_nothing_is_an_empty_file(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    cli("export", workspace, "-o", tmp_path / "l.jsonl")
    assert (tmp_path / "l.jsonl").read_bytes() == b""


def test_label_speaks_for_the_stated_rater_in_the_open(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    base = {"source_id": "street-1", "responder": ALPHA, "target": "turn:0", "value": 3, "rater": "somebody else"}
    lines = [{**base, "field": "accuracy"}, {**base, "field": "relevance", "phase": "blind"}]
    report = cli("label", workspace, sources.write_lines(tmp_path / "l.jsonl", lines), "--rater", "chen", "--json").json
    assert (report["accepted"], report["rejected"]) == (2, 0)
    labels = cli("show", workspace, "street-1", "--json").json["labels"]
    assert [(x["rater"], x["field"], x["phase"]) for x in labels] == [
        ("chen", "relevance", "blind"),
        ("chen", "accuracy", "open"),
    ]


def test_good_lines_are_kept_and_bad_ones_told(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    good = {"source_id": "street-1", "responder": ALPHA, "target": "turn:0", "field": "accuracy", "value": 3}
    bad = [
        {**good, "source_id": "nobody"},
        {**good, "value": 6},
        {**good, "value": True},
        {**good, "field": "charm"},
        {**good, "target": "turn:2"},
        {**good, "responder": "acme::gamma::x"},
    ]
    report = cli(
        "label", workspace, sources.write_lines(tmp_path / "l.jsonl", [*bad, good]), "--rater", "chen", "--json"
    ).json
    assert (report["accepted"], report["rejected"]) == (1, len(bad))
    assert [line["line"] for line in report["lines"]] == list(range(1, len(bad) + 1))


def test_a_file_without_a_good_line_is_one(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    file = sources.write_lines(
        tmp_path / "l.jsonl", [{"source_id": "x", "target": "item", "field": "note", "value": 1}]
    )
    told = cli("label", workspace, file, "--rater", "chen", "--json", code=1)
    assert told.json["rejected"] == 1 and told.err.count("\n") == 1
    cli("label", workspace, file, "--rater", "  ", code=2)


def test_a_responder_may_be_left_out_only_where_there_is_one(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    line = {"source_id": "street-1", "target": "turn:0", "field": "accuracy", "value": 3}
    told = cli(
        "label", workspace, sources.write_lines(tmp_path / "l.jsonl", [line]), "--rater", "chen", "--json", code=1
    )
    assert "responder" in told.json["lines"][0]["reason"]
