"""`export` to tables: what is printed, and both round trips through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import openpyxl
import pytest

from tests.helpers.exporting import csv_rows, parquet_rows
from tests.unit.cli import sources
from tests.unit.cli.conftest import Cli

ALPHA, BETA = sources.RESPONDERS
FORMATS = ("csv", "xlsx", "parquet")


@pytest.fixture
def labelled(cli: Cli, workspace: Path, tmp_path: Path) -> Path:
    """Labels with texts that a spreadsheet would run."""
    one = {"source_id": "street-1", "responder": ALPHA, "target": "turn:0"}
    told = [
        *sources.label_lines("street-1", 2, ALPHA),
        {**one, "field": "reason:accuracy", "value": "=cmd|' /C calc'!A0"},
        {**one, "field": "note", "value": "- 列表项\r\n- 二"},
        {
            "source_id": "street-2",
            "responder": BETA,
            "target": "turn:1",
            "field": "note",
            "value": "\x07" + "长" * 40_000,
        },
        {"source_id": "street-2", "target": "item", "field": "edit:question", "value": "新的问题 👍"},
    ]
    cli("label", workspace, sources.write_lines(tmp_path / "a.jsonl", told), "--rater", "007")
    return workspace


def current(cli: Cli, workspace: Path, folder: Path) -> list[tuple[str, ...]]:
    """What is said now: the lines of an export, without when and how long."""
    cli("export", workspace, "-o", folder / "current.jsonl")
    keys = ("item", "responder", "target", "field", "value", "rater", "phase")
    lines = map(json.loads, (folder / "current.jsonl").read_text(encoding="utf-8").splitlines())
    return [tuple(json.dumps(line[key]) for key in keys) for line in lines]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_table_brings_the_same_labels_elsewhere(
    cli: Cli, labelled: Path, data: Path, tmp_path: Path, form: str
) -> None:
    cli("export", labelled, "-o", tmp_path / f"l.{form}", "--format", form)
    cli("new", tmp_path / "other", "--rater", "somebody")
    cli("import", tmp_path / "other", data)
    told = cli("import", tmp_path / "other", tmp_path / f"l.{form}", "--kind", "labels", "--json").json
    wanted = current(cli, labelled, tmp_path)
    assert told["accepted"] == told["new"] == len(wanted) and told["rejected"] == 0
    assert current(cli, tmp_path / "other", tmp_path) == wanted
    again = cli("import", tmp_path / "other", tmp_path / f"l.{form}", "--json").json
    assert (again["kind"], again["unchanged"], again["new"]) == ("labels", len(wanted), 0)


def test_what_a_command_prints_of_a_table(cli: Cli, labelled: Path, tmp_path: Path) -> None:
    told = cli("export", labelled, "-o", tmp_path / "l.xlsx", "--format", "xlsx", "--json").json
    assert told["manifest"] == [
        {"code": "cell_cut", "count": 1}, {"code": "cell_formula", "count": 2}, {"code": "control_chars", "count": 1},
    ]  # fmt: skip
    assert told["manifest_file"] == str(tmp_path / "l.xlsx.manifest.jsonl") and told["format"] == "xlsx"
    assert told["lines"] == openpyxl.load_workbook(tmp_path / "l.xlsx").active.max_row - 1
    said = cli("export", labelled, "-o", tmp_path / "l.csv", "--format", "csv").out
    rows = csv_rows(tmp_path / "l.csv")
    assert said.splitlines() == [
        f"Wrote {len(rows)} labels to {tmp_path / 'l.csv'} (see l.csv.meta.json).",
        f"Cells with something to know: 2 begin like a formula, {len(rows)} are ids that a spreadsheet would change, "
        "1 are longer than a spreadsheet shows; l.csv.manifest.jsonl lists them.",
    ]
    assert {row["rater"] for row in rows} == {"'007"} and {row["responder"] for row in rows} == {ALPHA, BETA, ""}
    assert cli("export", labelled, "-o", tmp_path / "l.parquet", "--format", "parquet").out.count("\n") == 1
    assert {row["rater"] for row in parquet_rows(tmp_path / "l.parquet")} == {"007"}


@pytest.mark.parametrize("form", FORMATS)
def test_events_go_with_lines_alone(cli: Cli, workspace: Path, tmp_path: Path, form: str) -> None:
    found = cli("export", workspace, "-o", tmp_path / "l", "--format", form, "--events", code=2)
    assert "--events goes with --format jsonl" in found.err
    assert list(tmp_path.glob("l*")) == []


@pytest.mark.parametrize("form", FORMATS)
def test_a_table_of_a_workspace_without_labels_has_its_head(
    cli: Cli, workspace: Path, tmp_path: Path, form: str
) -> None:
    told = cli("export", workspace, "-o", tmp_path / f"l.{form}", "--format", form, "--json").json
    assert told["lines"] == 0 and told["manifest"] == [] and told["manifest_file"] is None
    assert sorted(p.name for p in tmp_path.glob("l.*")) == [f"l.{form}", f"l.{form}.meta.json"]


def test_a_manifest_of_assets_may_be_named_as_such(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    file = tmp_path / "assets.jsonl"
    file.write_text(json.dumps({"path": "clips/street-1.mp4", "source": "shot", "terms": "CC BY"}) + "\n")
    assert cli("import", workspace, file, "--kind", "manifest", "--json").json["accepted"] == 1


def test_figures_of_an_exported_table_are_those_of_its_workspace(cli: Cli, labelled: Path, tmp_path: Path) -> None:
    for rater, scores in (("007", (4, 4, 2)), ("1E5", (5, 4, 2)), ("=lin", (4, 3, 2))):
        lines = [
            {"source_id": "street-2", "responder": who, "target": f"turn:{k}", "field": field, "value": score}
            for who in (ALPHA, BETA)
            for field in ("accuracy", "relevance")
            for k, score in enumerate(scores)
        ]
        blind = [{**line, "phase": "blind", "rater": rater} for line in lines]
        unsure = {**blind[0], "field": "naturalness", "value": "cannot_judge"}
        file = sources.write_lines(tmp_path / "s.jsonl", [*blind, unsure, {**blind[0], "phase": "open", "value": 1}])
        cli("import", labelled, file, "--kind", "labels")
    cli("export", labelled, "-o", tmp_path / "l.csv", "--format", "csv")
    for by in ([], ["--by", "dimension"]):
        asked = ["agreement", "--resamples", "20", "--json", *by]
        mine, its = (
            {
                (f["name"], str(f["by"])): (f["value"], f["n"], f["n_clusters"])
                for f in cli("stats", source, *asked).json["figures"]
                if f["value"] is not None
            }
            for source in (labelled, tmp_path / "l.csv")
        )
        assert len(mine) >= 8 and mine == {name: pytest.approx(its[name], abs=1e-12) for name in mine}
