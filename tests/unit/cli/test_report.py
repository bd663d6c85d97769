"""`annotator report`, `annotator report --verify` and `annotator sample` from the command line."""

from __future__ import annotations

from pathlib import Path

from tests.unit.cli import sources
from tests.unit.cli.conftest import Cli


def test_a_report_is_written_and_verified_until_a_label_changes(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    page, numbers = tmp_path / "r.html", tmp_path / "r.json"
    told = cli("report", workspace, "-o", page, "--resamples", 20, "--json").json
    assert told["page"] == str(page) and numbers.exists() and told["figures"] > 20
    assert cli("report", "--verify", numbers, workspace, "--json").json == {
        "file": str(numbers), "ok": True, "differences": []
    }  # fmt: skip
    lines = sources.label_lines("street-1", 2, sources.RESPONDERS[0])
    cli("label", workspace, sources.write_lines(tmp_path / "l.jsonl", lines), "--rater", "wu")
    failed = cli("report", "--verify", numbers, workspace, code=1)
    assert "does not hold" in failed.err and failed.err.count("\n") == 1


def test_it_is_asked_for_one_thing(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    cli("report", workspace, code=2)
    cli("report", workspace, "-o", tmp_path / "r.html", "--verify", tmp_path / "r.json", code=2)


def test_nothing_can_be_drawn_where_nothing_is_judged(cli: Cli, workspace: Path) -> None:
    assert "judge" in cli("sample", workspace, "--size", 3, "--project", "p", code=1).err
    cli("sample", workspace, "--size", 3, "--project", " ", code=2)
