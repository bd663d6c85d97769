"""Commands run in this process, and small invented sources to run them on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from annotator.cli.main import run
from tests.unit.cli import sources


@dataclass(frozen=True)
class Result:
    """What one command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Result]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command; unless another code is stated it must succeed."""

    def call(*arguments: object, code: int = 0) -> Result:
        capsys.readouterr()
        got = run([str(a) for a in arguments])
        captured = capsys.readouterr()
        result = Result(got, captured.out, captured.err)
        assert got == code, result
        return result

    return call


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a dataset of two dialogues and the answers of two models."""
    return sources.write(tmp_path / "data")


@pytest.fixture
def workspace(cli: Cli, data: Path, tmp_path: Path) -> Path:
    """A workspace of the rater `lin` with the small dataset in it."""
    folder = tmp_path / "workspace"
    cli("new", folder, "--rater", "lin")
    cli("import", folder, data)
    return folder
