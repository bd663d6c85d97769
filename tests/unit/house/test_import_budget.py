"""The first window appears before anything heavy is imported (see ARCHITECTURE.md, start)."""

import os
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
    "pydantic",
    "typer",
]
FIRST_PAINT = """
import os, sys
from PySide6.QtCore import QTimer
import annotator.app
class Watched(annotator.app.MainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        QTimer.singleShot(0, tell)  # posted within the paint pass of the whole window: comes when it is through
def tell():
    print("PAINTED", *sys.modules, flush=True)
    os._exit(0)
annotator.app.MainWindow = Watched
sys.argv = ["annotator"]
from annotator.cli.main import main
main()
"""
LATER = ["tomllib", "logging.handlers", "concurrent.futures", "annotator.domain"]
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


def test_the_first_paint_needs_nothing_heavy(tmp_path: Path) -> None:
    """The window as the command starts it, with settings of an earlier start, until all of it is painted."""
    (tmp_path / "settings.toml").write_text('theme = "dark"\ntext_scale = 110\nrecent = ["/nowhere/ws"]\n')
    folders = {"ANNOTATOR_CONFIG_DIR": str(tmp_path), "ANNOTATOR_STATE_DIR": str(tmp_path), "HOME": str(tmp_path)}
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **folders}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PAINT], cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.startswith("PAINTED "), done.stderr[-2000:]
    loaded = set(done.stdout.split())
    assert not {name.partition(".")[0] for name in loaded} & set(HEAVY)
    assert "PySide6.QtWidgets" in loaded
    assert not [name for name in LATER if name in loaded]
