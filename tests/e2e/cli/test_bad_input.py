"""What the world does wrong is one sentence with the file's name, exit 1, and the workspace is as it was."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from annotator.workspace.workspace import Workspace
from tests.unit.cli import sources

ROOT = Path(__file__).resolve().parents[3]
MEGABYTE = 2**20


def annotator(*arguments: object, limit: int | None = None) -> subprocess.CompletedProcess[str]:
    """The command line as a process of its own; `limit` lets no file of it grow beyond so many bytes."""

    def shrink() -> None:
        assert limit is not None
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return subprocess.run(
        [sys.executable, "-m", "annotator", *map(str, arguments)], cwd=ROOT, text=True, capture_output=True,
        timeout=120, check=False, preexec_fn=shrink if limit is not None else None,
    )  # fmt: skip


def state(workspace: Path) -> dict[str, Any]:
    """All that must not change: items, responders, events, problems, imports, what waits."""
    with Workspace.open(workspace, read_only=True) as door:
        store = door.store
        return {
            "items": store.items.heads(),
            "answers": {h.item_id: store.items.responders(h.item_id) for h in store.items.heads()},
            "events": list(store.labels.events()),
            "problems": store.imports.problems(open_only=False),
            "imports": store.imports.published(),
            "waiting": store.judges.waiting(),
            "roots": store.desk.media_roots(),
        }


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bad")
    data = sources.write(folder / "data")
    with Workspace.create(folder / "workspace", rater="lin") as door:
        assert door.import_source(data).dialogues == 2
    return folder / "workspace"


def one_sentence(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode == 1, done
    assert done.stderr.count("\n") == 1 and done.stderr.rstrip().endswith("."), done.stderr
    assert "Traceback" not in done.stderr
    for word in words:
        assert word in done.stderr, done.stderr


def write(folder: Path, name: str, content: bytes) -> Path:
    (folder / name).write_bytes(content)
    return folder / name


BAD_FILES = {
    "empty.json": b"",
    "not.json": b"hello, this is no JSON\n",
    "cut.json": b'[{"_ai_unique_id_": "a", "stream_conv',
    "number.json": b"17",
    "other.json": json.dumps([{"name": "some other list"}]).encode(),
    "object.json": json.dumps({"config": {"a": 1}}).encode(),
    "picture.json": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4,
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_no_source(workspace: Path, tmp_path: Path, name: str) -> None:
    before = state(workspace)
    done = annotator("import", workspace, write(tmp_path, name, BAD_FILES[name]), "--json")
    one_sentence(done, name)
    report = json.loads(done.stdout)
    assert report["refused"] and report["dialogues"] == 0
    assert state(workspace) == before


def test_the_wrong_kind_of_json(workspace: Path, tmp_path: Path) -> None:
    before = state(workspace)
    one_sentence(
        annotator("import", workspace, sources.write(tmp_path) / "video_final.json", "--kind", "judge"),
        "video_final.json",
    )
    assert state(workspace) == before


def test_a_folder_with_nothing_to_import(workspace: Path, tmp_path: Path) -> None:
    before = state(workspace)
    (tmp_path / "photos").mkdir()
    write(tmp_path / "photos", "notes.txt", b"nothing for you")
    one_sentence(annotator("import", workspace, tmp_path / "photos"), "photos")
    assert state(workspace) == before


def test_no_such_file(workspace: Path, tmp_path: Path) -> None:
    before = state(workspace)
    done = annotator("import", workspace, tmp_path / "gone.json", "--json")
    one_sentence(done, "gone.json")
    assert json.loads(done.stdout)["refused"]
    assert state(workspace) == before


def test_a_media_root_that_is_not_there(workspace: Path, tmp_path: Path) -> None:
    before = state(workspace)
    data = sources.write(tmp_path / "again")
    one_sentence(annotator("import", workspace, data, "--media-root", tmp_path / "nowhere"), "nowhere")
    assert state(workspace) == before


@pytest.mark.parametrize("command", ["list", "show", "import", "export", "check", "backup", "shot", "open", "label"])
def test_a_workspace_of_a_newer_version_is_refused(tmp_path: Path, command: str) -> None:
    folder = tmp_path / "newer"
    Workspace.create(folder, rater="lin").close()
    with sqlite3.connect(folder / "workspace.db") as database:
        database.execute("PRAGMA user_version = 9000")
    database.close()
    held = (folder / "workspace.db").read_bytes()
    source = sources.write_lines(tmp_path / "l.jsonl", [])
    more = {
        "show": ["x"], "import": [source], "export": ["-o", tmp_path / "e.jsonl"], "shot": ["-o", tmp_path / "s.png"],
        "label": [source, "--rater", "lin"], "backup": ["-o", tmp_path / "b.db"],
    }  # fmt: skip
    one_sentence(annotator(command, folder, *more.get(command, [])), "newer")
    assert (folder / "workspace.db").read_bytes() == held
    assert {p.name for p in tmp_path.iterdir()} == {"newer", "l.jsonl"}


@pytest.mark.parametrize("command", ["list", "check", "open"])
def test_a_folder_that_is_no_workspace(tmp_path: Path, command: str) -> None:
    one_sentence(annotator(command, tmp_path), str(tmp_path))
    write(tmp_path, "workspace.db", b"SQLite format 3\x00" + b"\xff" * 4096)
    one_sentence(annotator(command, tmp_path), str(tmp_path))


def test_new_refuses_a_folder_with_something_in_it(tmp_path: Path) -> None:
    write(tmp_path, "thesis.txt", b"do not lose me")
    one_sentence(annotator("new", tmp_path), str(tmp_path))
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_disk_that_fills_up_while_importing(workspace: Path, tmp_path: Path) -> None:
    before = state(workspace)
    many = [sources.dialogue(f"long-{n}", 40) for n in range(400)]
    big = write(tmp_path, "big.json", json.dumps(many).encode())
    size = (workspace / "workspace.db").stat().st_size
    # The system says "too large" where a disk would say "full"; the database calls both a fault of the disk.
    one_sentence(annotator("import", workspace, big, limit=size + MEGABYTE), "disk", "workspace.db")
    assert state(workspace) == before
    assert annotator("check", workspace).returncode == 0
    done = annotator("import", workspace, big, "--json")
    assert json.loads(done.stdout)["new"] == 400


def test_a_disk_that_fills_up_while_exporting(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    data = write(tmp_path, "long.json", json.dumps([sources.dialogue("long", 100)]).encode())
    with Workspace.create(folder, rater="lin") as door:
        assert door.import_source(data).turns == 100
    lines = sources.write_lines(tmp_path / "l.jsonl", sources.label_lines("long", 100, "reference"))
    assert annotator("label", folder, lines, "--rater", "lin").returncode == 0
    target = write(tmp_path, "labels.jsonl", b"what was there before\n")
    # The workspace's own small files fit; the export of some hundred labels does not.
    one_sentence(annotator("export", folder, "-o", target, limit=100_000), "labels.jsonl", "full")
    assert target.read_bytes() == b"what was there before\n"
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_an_output_that_goes_away_is_no_crash(workspace: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "annotator", "list", str(workspace), "--json"], cwd=ROOT, stdout=gone,
            stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1 and "Traceback" not in done.stderr
