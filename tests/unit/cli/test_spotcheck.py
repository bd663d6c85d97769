"""The spot-check from the command line: drawn by size or by precision, shown or not; a lead sees what judges said."""

from __future__ import annotations

from pathlib import Path

from annotator.workspace.workspace import Workspace
from tests.helpers.imports import TASK, judged, sample, video, write
from tests.unit.cli.conftest import Cli
from tests.unit.workspace.test_importing_attributions import attributed

NAMES = [f"d{k}" for k in range(12)]


def _filled(cli: Cli, folder: Path) -> Path:
    data = folder / "data"
    write(data / "d.json", [video(name, 1) for name in NAMES])
    write(data / "s.jsonl", [sample(name, "m", 1) for name in NAMES])
    scored = [judged(n, 0, scores={"accuracy": {"score": 1 + k % 5, "reason": "why"}}) for k, n in enumerate(NAMES)]
    write(data / "j.jsonl", scored)
    write(data / "turn_error_attributions.jsonl", [attributed("d0", 0)])
    cli("new", folder / "w", "--rater", "li")
    cli("import", folder / "w", data)
    return folder / "w"


def test_drawing_by_size_and_by_precision(cli: Cli, tmp_path: Path) -> None:
    folder = _filled(cli, tmp_path)
    told = cli("sample", folder, "--size", 6, "--by", "score", "--project", "a", "--seed", 3, "--json").json
    assert len(told["units"]) == 6 and told["reveal"] is True and told["seed"] == 3
    assert sum(unit["weight"] for unit in told["units"]) == 12
    wide = cli("sample", folder, "--half-width", 0.7, "--project", "b", "--no-reveal", "--json").json
    assert wide["size"] == 9 and wide["power"]["half_width"] <= 0.7 and wide["reveal"] is False
    for wrong in (("--project", "c"), ("--size", 2, "--half-width", 0.5, "--project", "c")):
        assert cli("sample", folder, *wrong, code=2).code == 2
    text = cli("sample", folder, "--size", 2, "--by", "dimension", "--project", "d").out
    assert "then shown the judge" in text and "accuracy" in text


def test_a_lead_sees_judges_and_attributions(cli: Cli, tmp_path: Path) -> None:
    folder = _filled(cli, tmp_path)
    page = cli("show", folder, "d0", "--json").json
    (record,), (why,) = page["judgements"], page["attributions"]
    assert (record["responder"], record["target"], record["scores"]) == (f"p::m::{TASK}", "turn:0", {"accuracy": 1})
    assert record["low"] and (why["severity"], why["primary"]) == ("warning", "幻觉与捏造")
    out = cli("show", folder, "d0").out
    assert "accuracy=1" in out and "幻觉与捏造" in out
    assert cli("check", folder, "--json").json["attributions"] == {"held": 1, "waiting": 0}


def test_a_workspace_that_never_reveals(cli: Cli, tmp_path: Path) -> None:
    cli("new", tmp_path / "w", "--rater", "li", "--no-reveal")
    with Workspace.open(tmp_path / "w", read_only=True) as workspace:
        assert workspace.info().reveals is False
