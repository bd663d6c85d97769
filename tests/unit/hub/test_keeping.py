"""What lies in a data root: old data until the newer is whole, what a person put there, and what was unpacked."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import WorldError
from annotator.hub import archives, state
from tests.helpers.fakehub import Repo
from tests.unit.hub.test_archives import tar_bytes, zip_bytes
from tests.unit.hub.test_fetch import BIG, FILES, ID, OTHER, at

__all__ = ["at"]  # the fixture
OLD = {
    "q.json": b"[1]",
    "clip.mp4": BIG,
    "old/gone.json": b"[]",
    "a.zip": zip_bytes(("p/1.png", b"1"), ("p/2.png", b"2")),
    "b.zip": zip_bytes(("x", b"x")),
}
NEW = {"q.json": b"[2]", "clip.mp4": BIG[::-1], "a.zip": zip_bytes(("p/1.png", b"one"))}
OPENED = {"a/p/1.png": b"1", "a/p/2.png": b"2", "b/x": b"x"}


def newer(at: Any, old: dict[str, bytes] = OLD, new: dict[str, bytes] = NEW) -> Any:
    """A desk that has the old commit, and a Hub that has a newer one."""
    desk = at(Repo(old, commits={OTHER: new}, large=frozenset({"clip.mp4"})))
    desk.fetch()
    desk.hub.repos[ID].refs["main"] = OTHER
    return desk


# --- a newer commit -------------------------------------------------------------------------------------------------
def test_an_update_that_is_interrupted_leaves_what_was_there(at: Any) -> None:
    desk = newer(at)
    desk.hub.repos[ID].fail["clip.mp4"] = [(503, "")] * 99
    assert desk.fetch(revision="main")["code"] == "unavailable"
    here = desk.here()
    assert {path: here[path] for path in OPENED} == OPENED
    assert here["clip.mp4"] == BIG and here["old/gone.json"] == b"[]"
    desk.hub.repos[ID].fail.clear()
    assert desk.fetch(revision="main")["revision"] == OTHER
    assert desk.here() == {**NEW, "a/p/1.png": b"one"}
    assert not (desk.root / "old").exists() and not (desk.root / "b").exists()
    desk.fetch()
    assert desk.hub.asked == []


def test_content_that_changed_without_its_length_is_fetched(at: Any) -> None:
    desk = newer(at, {"q.json": b"[1]"}, {"q.json": b"[2]"})
    desk.fetch(revision="main")
    assert desk.here() == {"q.json": b"[2]"}


def test_back_to_the_older_commit(at: Any) -> None:
    desk = newer(at)
    before = desk.here()
    first = desk.fetch()["revision"]
    desk.fetch(revision="main")
    desk.fetch(revision=first)
    assert desk.here() == before


SHAPES: list[dict[str, bytes]] = [
    {"q.json": b"[]", "v.zip": zip_bytes(("x", b"x"), ("y", b"y")), "doc": b"file"},
    {"q.json": b"[]", "v/x": b"xx", "doc/f.json": b"[]"},
    {"q.json": b"[]", "v.tar": tar_bytes(("x", b"x"))},
]
LIES = [
    {**SHAPES[0], "v/x": b"x", "v/y": b"y"},
    SHAPES[1],
    {**SHAPES[2], "v/x": b"x"},
]


@pytest.mark.parametrize(("first", "then"), [(0, 1), (1, 0), (0, 2)])
def test_files_folders_and_archives_may_take_each_others_places(at: Any, first: int, then: int) -> None:
    desk = newer(at, SHAPES[first], SHAPES[then])
    assert desk.here() == LIES[first]
    desk.fetch(revision="main")
    assert desk.here() == LIES[then]


def test_media_may_follow_the_records_by_patterns(at: Any) -> None:
    desk = at()
    told = desk.fetch(allow=["clips/*"])
    assert told["code"] == "no_benchmark" and "video_final.json" in told["error"] and "clips/*" in told["error"]
    desk.fetch(allow=["*.json"])
    assert desk.fetch(allow=["clips/*"])["files"] == 2
    assert set(desk.here()) == {"video_final.json", "clips/one.mp4", "clips/two.mp4"}


# --- what was unpacked ----------------------------------------------------------------------------------------------
def test_what_is_missing_of_an_unpacked_archive_is_unpacked_again_without_a_request(at: Any) -> None:
    desk = at(Repo(OLD))
    desk.fetch()
    (desk.root / "a/p/2.png").unlink()
    desk.fetch()
    assert desk.hub.asked == [] and desk.here() == {**OLD, **OPENED}


def test_a_persons_file_among_unpacked_ones_is_never_lost(at: Any) -> None:
    desk = newer(at)
    (desk.root / "a/mine.txt").write_bytes(b"mine")
    (desk.root / "b/mine.txt").write_bytes(b"mine")
    told = desk.fetch(revision="main")
    assert told["code"] == "in_the_way" and str(desk.root / "a/mine.txt") in told["error"]
    assert desk.here()["a/mine.txt"] == b"mine"
    (desk.root / "a/mine.txt").unlink()
    desk.fetch(revision="main")
    assert desk.here() == {**NEW, "a/p/1.png": b"one", "b/mine.txt": b"mine"}


def test_the_memory_of_a_fetch_can_be_deleted(at: Any) -> None:
    desk = at(Repo(OLD))
    desk.fetch()
    shutil.rmtree(desk.root / ".fetch")
    desk.fetch()
    assert desk.hub.files_asked() == [] and desk.here() == {**OLD, **OPENED}
    desk.fetch()
    assert desk.hub.asked == []


def test_an_end_between_unpacking_and_writing_it_down_is_no_strangers_folder(at: Any) -> None:
    desk = at(Repo(OLD))
    end = (
        "from annotator.hub import folders\n"
        "def die(*a):\n    print(json.dumps({'died': 1}), flush=True)\n    os._exit(0)\n"
        "folders.remember = die\n"
    )
    assert desk.fetch(first=end) == {"died": 1}
    assert (desk.root / "a/p/1.png").exists()
    desk.fetch()
    assert desk.here() == {**OLD, **OPENED}


def test_a_strangers_folder_is_told_before_anything_is_fetched(at: Any) -> None:
    desk = at(Repo(OLD))
    (desk.root / "a").mkdir(parents=True)
    (desk.root / "a/mine").write_bytes(b"mine")
    assert desk.fetch()["code"] == "in_the_way"
    assert desk.hub.files_asked() == []
    assert desk.here() == {"a/mine": b"mine"}


@pytest.mark.parametrize(
    ("path", "is_one"),
    [("d.zip.txt", False), ("d.tar.gz.asc", False), ("d.zip.md", False), ("d.zip.sig", False), ("d.zip.aa", True),
     ("d.tar.part_zz", True), ("d.tar.ab", True), ("d.zip.001", True), ("d.tar.idx", False)],
)  # fmt: skip
def test_files_about_an_archive_are_no_parts_of_it(path: str, is_one: bool) -> None:
    assert archives.is_archive(path) is is_one
    if not is_one:
        (found,) = archives.find(["d.zip", path])
        assert (found.parts, found.missing) == (("d.zip",), "")


# --- the folder -----------------------------------------------------------------------------------------------------
def test_who_comes_second_takes_nothing_away(tmp_path: Path) -> None:
    root = tmp_path / "data"
    with state.held(root):
        for _ in range(2):
            with pytest.raises(WorldError) as told, state.held(root):
                raise AssertionError("both at once")
            assert told.value.code == "busy"
            assert (root / ".fetch" / "lock").exists()


def test_a_folder_that_was_there_stays_and_one_that_was_made_goes(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    for name in ("own", "made"):
        with pytest.raises(WorldError), state.held(tmp_path / name):
            raise WorldError("no such dataset")
    assert [p.name for p in tmp_path.iterdir()] == ["own"]
    assert list((tmp_path / "own").iterdir()) == []


def test_a_disk_without_locks_is_worked_on_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    def no_locks(descriptor: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr(state, "_take", no_locks)
    with state.held(tmp_path / "data"):
        assert (tmp_path / "data" / ".fetch").is_dir()


@pytest.mark.parametrize(
    "change",
    [
        {"opened": {"a.zip": {"key": "k", "folder": "../../home"}}},
        {"left": {"a.zip": "/home"}},
        {"gone": {"x": {"path": "../x", "size": 1, "digest": "0", "kind": "blob"}}},
        {"files": [{"path": "/etc/x", "size": 1, "digest": "0", "kind": "blob"}]},
        {"seen": []},
        {"version": 99},
    ],
)  # fmt: skip
def test_a_memory_that_leads_outside_or_is_broken_is_none(tmp_path: Path, change: dict[str, Any]) -> None:
    state.save(tmp_path, state.State(ID, "main", OTHER))
    assert state.load(tmp_path) is not None
    path = tmp_path / ".fetch" / "state.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    assert state.load(tmp_path) is None


def test_a_disk_that_refuses_in_the_middle_is_a_sentence(at: Any) -> None:
    desk = at()
    refuse = (
        "from annotator.hub import transfer\n"
        "def refuse(*a):\n    raise PermissionError(13, 'Permission denied', str(asked['root']))\n"
        "transfer.os = type('O', (), {'replace': refuse, 'fsync': lambda *a: None})\n"
    )
    told = desk.fetch(first=refuse)
    assert told["code"] == "no_write" and "Permission denied" in told["error"]
    desk.fetch()
    assert desk.here() == FILES
