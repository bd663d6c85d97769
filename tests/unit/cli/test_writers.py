"""Commands that write a file: a missing folder, a full disk and a name that is a folder, told alike by all of them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.unit.cli.conftest import Cli

WRITERS = ("backup", "frame", "shot", "export jsonl", "export csv", "export xlsx", "export parquet")


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A small picture."""
    file = tmp_path / "small.png"
    cv2.imwrite(str(file), np.full((8, 12, 3), 90, np.uint8))
    return file


def _command(name: str, workspace: Path, picture: Path, target: Path) -> list[object]:
    if name == "frame":
        return ["frame", picture, "-o", target]
    name, _, form = name.partition(" ")
    more = {"export": ["--format", form], "shot": ["--page", "welcome"]}.get(name, [])
    return [name, workspace, "-o", target, *more]


@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_that_is_not_there_is_named_and_not_made(
    cli: Cli, workspace: Path, picture: Path, tmp_path: Path, name: str
) -> None:
    target = tmp_path / "no" / "such" / "file.out"
    found = cli(*_command(name, workspace, picture, target), code=1)
    assert found.err.count("\n") == 1
    assert str(target) in found.err and f"the folder {target.parent} is not there" in found.err
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_is_told_in_one_sentence_and_nothing_half_written_is_left(
    cli: Cli, workspace: Path, picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    real = os.fsync

    def full(handle: int) -> None:
        if os.readlink(f"/proc/self/fd/{handle}").startswith(str(place)):
            raise OSError(errno.ENOSPC, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    found = cli(*_command(name, workspace, picture, place / "file.out"), code=1)
    assert found.err.count("\n") == 1
    assert "full" in found.err and "free some space" in found.err
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("name", WRITERS)
def test_a_name_that_is_a_folder_is_told(cli: Cli, workspace: Path, picture: Path, tmp_path: Path, name: str) -> None:
    place = tmp_path / "place"
    place.mkdir()
    found = cli(*_command(name, workspace, picture, place), code=1)
    assert f"{place} is a folder" in found.err
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("size", ["99999x99999", "8193x600"])
def test_a_window_of_gigabytes_is_refused(cli: Cli, workspace: Path, tmp_path: Path, size: str) -> None:
    found = cli("shot", workspace, "-o", tmp_path / "a.png", "--size", size, code=2)
    assert "is too large" in found.err and "8192x8192" in found.err


@pytest.mark.parametrize(("name", "text"), [("a.json", '{"a": ["雨", 1]}'), ("b.mp4", "hello\n"), ("c.mp3", "a,b\r\n")])
def test_probe_says_that_a_text_is_a_text(cli: Cli, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = cli("probe", tmp_path / name, code=1)
    assert found.err == f"{name} is text, not a picture, clip or sound: name a media file.\n"


def test_a_backup_of_a_damaged_workspace_is_refused_in_one_sentence(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    file = workspace / "workspace.db"
    data = bytearray(file.read_bytes())
    for page in range(1, len(data) // 4096):
        data[page * 4096 : page * 4096 + 64] = b"\xa5" * 64
    file.write_bytes(data)
    found = cli("backup", workspace, "-o", tmp_path / "copy.db", code=1)
    assert "is damaged" in found.err and found.err.count("\n") == 1
    assert not (tmp_path / "copy.db").exists()


def test_a_backup_of_what_cannot_be_written_asks_for_another_place(
    cli: Cli, workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.store.opening.writable", lambda *_: False)
    found = cli("backup", workspace, code=1)
    assert "-o FILE" in found.err and found.err.count("\n") == 1
    cli("backup", workspace, "-o", tmp_path / "copy.db")
    assert (tmp_path / "copy.db").stat().st_size > 0


def test_a_media_folder_that_moved_is_bound_by_a_command(cli: Cli, tmp_path: Path, picture: Path) -> None:
    from tests.unit.cli import sources

    data = sources.write(tmp_path / "data")
    cli("new", tmp_path / "w", "--rater", "lin")
    cli("import", tmp_path / "w", data)
    found = cli("rebind", tmp_path / "w", tmp_path / "strange", tmp_path, code=1)
    assert found.err.startswith("No file of") and found.err.count("\n") == 1
    found = cli("rebind", tmp_path / "w", data, picture, code=1)
    assert "is no folder" in found.err and found.err.count("\n") == 1
