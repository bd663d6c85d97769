"""The first window appears before anything heavy is imported (see ARCHITECTURE.md, start)."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
HEAVY = [
    "sqlmodel",
    "sqlalchemy",
    "numpy",
    "cv2",
    "av",
    "scipy",
    "huggingface_hub",
    "pyvips",
    "PIL",
    "simplejpeg",
    "ijson",
]
ROOTS = [
    module for module in ("annotator.app", "annotator.cli.main") if (ROOT / (module.replace(".", "/") + ".py")).exists()
]


def imported_by(statement: str) -> set[str]:
    """Top-level packages that a fresh interpreter has loaded after `statement`."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", statement], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}


def test_the_watch_sees_what_is_imported() -> None:
    assert "numpy" in imported_by("import numpy")
    assert not imported_by("pass") & set(HEAVY)


@pytest.mark.parametrize("module", [*ROOTS, "annotator.settings", "annotator.resources"])
def test_a_root_imports_nothing_heavy(module: str) -> None:
    assert not imported_by(f"import {module}") & set(HEAVY)
