"""The command line as processes of their own: exit codes, cancelling, and use beside an open window."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image

from annotator.workspace.workspace import Workspace
from tests.e2e.cli.test_bad_input import annotator, one_sentence, state
from tests.unit.cli import sources

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    data = sources.write(tmp_path / "data")
    with Workspace.create(tmp_path / "workspace", rater="lin") as door:
        assert door.import_source(data).dialogues == 2
    return tmp_path / "workspace"


def test_help_lists_what_there_is() -> None:
    done = annotator("--help")
    assert done.returncode == 0
    names = {line.split()[0] for line in done.stdout.splitlines() if line.startswith("  ") and line.strip()}
    commands = "open demo new import list show label decide export check backup restore probe frame shot"
    assert set(commands.split()) <= names
    assert "..." not in done.stdout.partition("Commands:")[2]  # each is told in one whole line


@pytest.mark.parametrize("words", [["frobnicate"], ["list"], ["export", "w"], ["list", "w", "--status", "odd"]])
def test_wrong_usage_is_two(words: list[str]) -> None:
    done = annotator(*words)
    assert done.returncode == 2 and "Usage" in done.stderr and not done.stdout


def test_the_version_is_told() -> None:
    assert annotator("--version").stdout.startswith("rubric-annotator ")


def test_without_a_display_the_window_is_refused_in_a_sentence(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    one_sentence(annotator("open", workspace), "display")


def test_a_cancelled_import_leaves_the_workspace_as_it_was(workspace: Path, tmp_path: Path) -> None:
    before = state(workspace)
    big = tmp_path / "big.json"
    big.write_text(json.dumps([sources.dialogue(f"long-{n}", 40) for n in range(4000)]), encoding="utf-8")
    lock = workspace / "import.lock"
    child = subprocess.Popen(
        [sys.executable, "-m", "annotator", "import", str(workspace), str(big)], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while str(child.pid) not in lock.read_text("utf-8") and child.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.3)  # it is among the records now
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 130, (out, err)
    assert err.count("\n") == 1 and "holds what it held" in err and str(workspace) in err
    assert state(workspace) == before


def test_commands_read_and_write_beside_an_open_window(workspace: Path, tmp_path: Path) -> None:
    with Workspace.open(workspace, window=True) as window:
        assert not window.store.read_only
        assert len(json.loads(annotator("list", workspace, "--json").stdout)) == 2
        lines = sources.label_lines("street-1", 2, sources.RESPONDERS[0])
        done = annotator("label", workspace, sources.write_lines(tmp_path / "l.jsonl", lines), "--rater", "chen")
        assert done.returncode == 0, done.stderr
        assert window.store.labels.count() == len(lines)
        assert json.loads(annotator("check", workspace, "--json").stdout)["ok"]
        done = annotator("shot", workspace, "-o", tmp_path / "s.png", "--size", "1366x768")
        assert done.returncode == 0, done.stderr


def test_backup_and_restore(workspace: Path, tmp_path: Path) -> None:
    told = json.loads(annotator("backup", workspace, "--json").stdout)
    assert Path(told["file"]).parent == workspace / "backups"
    assert annotator("restore", told["file"], tmp_path / "again").returncode == 0
    first, second = (json.loads(annotator("list", w, "--json").stdout) for w in (workspace, tmp_path / "again"))
    assert first == second
    one_sentence(annotator("restore", told["file"], tmp_path / "again"), "again")
    one_sentence(annotator("restore", tmp_path / "l.db", tmp_path / "new"), "l.db")
    one_sentence(annotator("backup", workspace, "-o", workspace / "workspace.db"), "own files")


@pytest.mark.parametrize("page", ["review", "welcome", "problems", "compare"])
def test_a_shot_has_the_stated_size_and_changes_nothing(workspace: Path, tmp_path: Path, page: str) -> None:
    before = state(workspace)
    file = tmp_path / "s.png"
    done = annotator(
        "shot", workspace, "-o", file, "--page", page, "--size", "1400x900", "--theme", "dark", "--lang", "zh_CN"
    )
    assert (done.returncode, done.stderr) == (0, "")
    with Image.open(file) as picture:
        assert picture.size == (1400, 900)
        colours = picture.convert("RGB").getcolors(2**20)
        assert colours is not None and len(colours) > 50
        assert max(colours)[1] < (80, 80, 80)  # it is dark
    assert state(workspace) == before
    assert not Path(os.environ["ANNOTATOR_CONFIG_DIR"]).exists()


def test_a_shot_of_another_item_is_another_picture(workspace: Path, tmp_path: Path) -> None:
    for name in sources.DIALOGUES:
        done = annotator("shot", workspace, "-o", tmp_path / f"{name}.png", "--item", name, "--size", "1366x768")
        assert done.returncode == 0, done.stderr
    first, second = (tmp_path.joinpath(f"{name}.png").read_bytes() for name in sources.DIALOGUES)
    assert first != second
    one_sentence(annotator("shot", workspace, "-o", tmp_path / "x.png", "--item", "nobody"), "nobody")
