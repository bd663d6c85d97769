"""Broken files: no crash, no hang, no silent wrong size; a refusal names its file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


def run(root: Path, seed: int, count: int) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.unit.media.fuzz", str(root), str(seed), str(count)],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
        cwd=Path(__file__).parents[3],
    )
    assert done.returncode == 0, done.stderr[-3000:]
    result = json.loads(done.stdout)
    assert result["wrong"] == []
    tally: dict[str, int] = result["tally"]
    assert tally["shown"] + tally["refused"] == 5 * count
    return tally


def test_a_hundred_broken_files(media_root: Path) -> None:
    tally = run(media_root, seed=7, count=100)
    assert tally["shown"] > 50 and tally["refused"] > 50


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_two_thousand_broken_files(media_root: Path, seed: int) -> None:
    run(media_root, seed, 500)
