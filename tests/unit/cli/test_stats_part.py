"""`annotator stats --where` and `--phase`: a part, and another state of knowledge."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.cli.main import run
from tests.unit.cli.conftest import Cli


def test_a_part_is_named_by_field_and_value(cli: Cli, workspace: Path) -> None:
    whole = cli("stats", workspace, "agreement", "--json").json
    part = cli("stats", workspace, "agreement", "--where", "modality=video", "--where", "rater=nobody", "--json").json
    assert [figure["name"] for figure in whole["figures"]] == [figure["name"] for figure in part["figures"]]
    assert all(figure["n"] == 0 for figure in part["figures"])
    assert (whole["phase"], part["phase"]) == ("blind", "blind")
    assert cli("stats", workspace, "agreement", "--phase", "open", "--json").json["phase"] == "open"


def test_an_unknown_field_is_refused_in_one_sentence(cli: Cli, workspace: Path) -> None:
    told = cli("stats", workspace, "agreement", "--where", "mood=good", code=1)
    assert 'cannot be grouped by "mood"' in told.err
    assert len(told.err.strip().splitlines()) == 1


@pytest.mark.parametrize("text", ["modality", "=video", ""])
def test_a_part_without_a_field_is_wrong_usage(workspace: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats", str(workspace), "agreement", "--where", text]) == 2
    assert "FIELD=VALUE" in capsys.readouterr().err
