"""The one list of commands: plain sh, from any folder, and honest about what it does not know."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
COMMANDS = ["setup", "run", "test", "check", "bench", "coverage", "shots", "faults", "package", "help"]


def dev(*arguments: str, cwd: Path = ROOT, script: Path = ROOT / "dev") -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", str(script), *arguments], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("arguments", [(), ("help",), ("--help",)])
def test_it_lists_its_commands(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = dev(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^  (\w+) +\S", done.stdout, re.MULTILINE) == COMMANDS


def test_an_unknown_command_is_wrong_usage_and_shows_the_list() -> None:
    done = dev("tset")
    assert done.returncode == 2
    assert done.stderr.startswith("./dev: there is no command 'tset'.\n")
    assert "  test " in done.stderr


@pytest.mark.parametrize("script", ["dev", ".ci/run"])
def test_the_scripts_may_be_run_as_they_are(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)


def test_without_any_python_it_says_so_in_one_sentence(tmp_path: Path) -> None:
    """Copied elsewhere, with a search path that holds the tools of sh and no Python and no package manager."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("sh", "cat", "cksum", "dirname", "id", "mktemp", "rm", "sed", "uname"):
        found = shutil.which(tool)
        assert found, tool
        (tools / tool).symlink_to(found)
    folder = tmp_path / "a folder with spaces"
    folder.mkdir()
    script = re.sub(r" /usr/bin/python3 ", " ", (ROOT / "dev").read_text("utf-8"))
    (folder / "dev").write_text(script, encoding="utf-8")
    for file in ("requirements-build.lock", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / file, folder)
    done = subprocess.run(
        [str(tools / "sh"), str(folder / "dev"), "setup"],
        env={"PATH": str(tools)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "./dev: no Python 3.11 or newer with venv and ensurepip was found: install python3 and python3-venv."
    ]
    assert not (folder / ".venv").exists()


def test_every_command_is_explained_to_contributors() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8") + (ROOT / "README.md").read_text("utf-8")
    explained = {command for command in COMMANDS if f"./dev {command}" in text}
    assert explained >= set(COMMANDS) - {"help", "coverage", "package"}
