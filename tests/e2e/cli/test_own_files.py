"""No export, picture or report is written over a workspace's own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.errors import WorldError, keep_off_workspaces
from annotator.media.snapshot import write_whole
from annotator.report.writing import write_lines
from annotator.workspace.workspace import Workspace

OWN = [
    "workspace.db", "workspace.db-wal", "workspace.db.part", "workspace.lock", "journal/x.jsonl", "backups/daily.db",
    "cache/x.png", "../workspace/workspace.db",
]  # fmt: skip


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    Workspace.create(tmp_path / "workspace", rater="lin").close()
    return tmp_path / "workspace"


@pytest.mark.parametrize("name", OWN)
def test_what_is_a_workspaces_own_is_not_written_over(workspace: Path, name: str) -> None:
    before = (workspace / "workspace.db").read_bytes()
    for write in (lambda file: write_lines(file, [{}]), lambda file: write_whole(b"x", file)):
        with pytest.raises(WorldError, match="own files: choose another place"):
            write(workspace / name)
    assert (workspace / "workspace.db").read_bytes() == before


def test_a_link_to_the_database_is_the_database(workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").symlink_to(workspace / "workspace.db")
    with pytest.raises(WorldError, match=r"labels\.jsonl"):
        keep_off_workspaces(tmp_path / "labels.jsonl")


def test_other_names_beside_it_and_like_names_elsewhere_are_free(workspace: Path, tmp_path: Path) -> None:
    for file in (workspace / "labels.jsonl", tmp_path / "backups" / "x.jsonl", tmp_path / "workspace.db"):
        file.parent.mkdir(exist_ok=True)
        write_lines(file, [{}])
        assert file.read_bytes() == b"{}\n"
