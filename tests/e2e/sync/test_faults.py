"""What can go wrong with a shared folder: recognised, told in a sentence, and nothing is lost."""

from __future__ import annotations

import errno
import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError
from annotator.store import open_store
from annotator.sync import Hub
from annotator.workspace.workspace import Workspace
from tests.e2e.sync.made import Place, bundles, equal, quiet

ROOT = Path(__file__).parents[3]
Make = Callable[..., Place]


def kinds(report: object) -> list[str]:
    return [t.kind for t in report.troubles]  # type: ignore[attr-defined]


@pytest.mark.parametrize("keep", [0, 1, 5, 0.5, 0.99])
def test_a_torn_bundle_is_told_and_written_again_by_its_writer(
    anna: Place, bo: Place, shared: Path, keep: float
) -> None:
    for k in range(3):
        anna.say(k + 1, turn=k)
    anna.sync(shared)
    (file,) = bundles(shared)
    data = file.read_bytes()
    file.write_bytes(data[: int(keep if keep >= 1 else keep * len(data))])
    torn = bo.sync(shared)
    assert kinds(torn) in (["torn"], ["foreign"]) and torn.received == 0 and torn.ok
    mended = anna.sync(shared)
    assert kinds(mended) == ["altered"] and mended.sent == 3
    after = bo.sync(shared)
    assert after.received == 3 and after.ok and after.troubles == ()
    equal([anna, bo])


def test_zeros_where_a_bundle_should_be_are_torn(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(3)
    anna.sync(shared)
    (file,) = bundles(shared)
    file.write_bytes(bytes(file.stat().st_size))
    assert kinds(bo.sync(shared)) == ["torn"]


def test_one_flipped_byte_is_seen(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(3)
    anna.sync(shared)
    (file,) = bundles(shared)
    data = bytearray(file.read_bytes())
    for at in (len(data) // 2, len(data) - 2, 4):
        flipped = bytearray(data)
        flipped[at] ^= 1
        file.write_bytes(flipped)
        report = bo.sync(shared)
        assert kinds(report) == ["altered"] and report.received == 0
    assert kinds(anna.sync(shared)) == []  # of the length it was: only a thorough look can see it
    assert kinds(anna.sync(shared, verify=True)) == ["altered"]
    assert bo.sync(shared).received == 1


def test_foreign_files_are_left_alone(anna: Place, shared: Path) -> None:
    anna.say(3)
    anna.sync(shared)
    own = bundles(shared)[0].parent
    (own / "notes.txt").write_text("hello")
    (own / "photo.gz").write_bytes(gzip.compress(b"no bundle"))
    (shared / "bundles" / "desktop.ini").write_text("x")
    (shared / "readme.md").write_text("x")
    (own / ".writing-else").write_bytes(b"half")
    (own / "folder").mkdir()
    report = anna.sync(shared)
    assert sorted(kinds(report)) == ["foreign"] * 3 and report.ok
    assert (own / "notes.txt").read_text() == "hello"


def test_a_copy_of_a_bundle_is_told_once_and_counted_never(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(3)
    anna.sync(shared)
    (file,) = bundles(shared)
    shutil.copy(file, file.with_name(file.name.replace(".jsonl", " (conflicted copy).jsonl")))
    report = bo.sync(shared)
    assert report.received == 1 and report.duplicates == 0 and kinds(report) == ["duplicate"]
    file.unlink()  # only the copy is left: it is the bundle now
    assert bo.sync(shared).troubles == ()
    equal([anna, bo])


def test_bundles_in_any_order_and_late(anna: Place, bo: Place, shared: Path, tmp_path: Path) -> None:
    for k in range(4):
        anna.say(k + 1)  # each supersedes the one before
        anna.sync(shared)
    files = bundles(shared)
    kept = tmp_path / "kept"
    kept.mkdir()
    for file in files[:3]:
        file.rename(kept / file.name)
    first = bo.sync(shared)
    assert first.received == 1 and first.ok
    (missing,) = first.troubles
    assert missing.kind == "missing" and "3 labels" in missing.why and "1, 2, 3" in missing.why
    (kept / files[1].name).rename(files[1])
    assert bo.sync(shared).received == 1
    for file in (files[0], files[2]):
        (kept / file.name).rename(file)
    last = bo.sync(shared)
    assert last.received == 2 and last.troubles == ()
    equal([anna, bo])
    assert [c.current.value for c in bo.store.labels.current()] == [4]


def test_labels_that_a_device_says_it_wrote_and_that_lie_nowhere_are_an_error(
    anna: Place, bo: Place, shared: Path
) -> None:
    anna.say(3)
    anna.sync(shared)
    (file,) = bundles(shared)
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    trailer = json.loads(lines[-1])
    trailer["last"] = 5
    from hashlib import blake2b

    data = gzip.compress(("\n".join([*lines[:-1], json.dumps(trailer)]) + "\n").encode(), mtime=0)
    file.unlink()
    file.with_name(f"000001-{blake2b(data, digest_size=16).hexdigest()}.jsonl.gz").write_bytes(data)
    report = bo.sync(shared)
    assert not report.ok and "4 lie in no bundle" in report.differences[0].why


def test_a_newer_version_is_refused_and_kept(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(3)
    anna.sync(shared)
    (file,) = bundles(shared)
    text = gzip.decompress(file.read_bytes()).replace(b'"version":1', b'"version":2', 1)
    file.write_bytes(gzip.compress(text))
    report = bo.sync(shared)
    assert kinds(report) == ["newer"] and "update the program" in report.troubles[0].why
    assert report.received == 0 and file.exists()
    hub = json.loads((shared / "hub.json").read_text())
    (shared / "hub.json").write_text(json.dumps({**hub, "version": 2}))
    with pytest.raises(WorldError, match="newer version"):
        bo.sync(shared)


def test_lines_of_unknown_kinds_stay_and_are_told(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(3)
    anna.sync(shared)
    (file,) = bundles(shared)
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    trailer = json.loads(lines[-1])
    lines.insert(1, '["z",{"from":"the future"}]')
    trailer["lines"] += 1
    from hashlib import blake2b

    trailer["digest"] = blake2b(("\n".join(lines[:-1]) + "\n").encode(), digest_size=16).hexdigest()
    lines[-1] = json.dumps({**trailer, "mood": "new"})
    data = gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0)
    (file.parent / "sent by mail.gz").write_bytes(data)
    file.unlink()
    report = bo.sync(shared)
    assert report.received == 1 and report.ok and "1 lines of a newer version" in report.notices[0].why


@pytest.mark.parametrize("text", ["", "[]", '{"format":"x"}', "\udcff"])
def test_a_damaged_hub_file_is_left_as_it_is(anna: Place, shared: Path, text: str) -> None:
    (shared / "hub.json").write_text(text, errors="surrogateescape")
    with pytest.raises(WorldError, match="damaged or is not ours"):
        anna.sync(shared)
    assert (shared / "hub.json").read_text(errors="surrogateescape") == text


def test_no_folder_there(anna: Place, tmp_path: Path) -> None:
    anna.say(3)
    with pytest.raises(WorldError, match="There is no folder") as told:
        anna.sync(tmp_path / "nowhere")
    assert told.value.code == "folder_gone" and not (tmp_path / "nowhere").exists()
    anna.check()


@pytest.mark.parametrize(
    ("number", "code"),
    [(errno.ENOSPC, "disk_full"), (errno.EROFS, "folder_read_only"), (errno.EACCES, "folder_read_only")],
)
def test_a_folder_that_cannot_be_written_is_still_read(
    anna: Place, bo: Place, shared: Path, monkeypatch: pytest.MonkeyPatch, number: int, code: str
) -> None:
    anna.say(3)
    anna.sync(shared)
    bo.say(4)

    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patch:
        patch.setattr("annotator.sync.folder.os.replace", refuse)
        report = bo.sync(shared)
    assert report.received == 1 and report.sent == 0 and not report.ok
    assert "safe on this machine" in report.stopped and code
    assert [f.name for f in shared.rglob(".writing*")] == []
    assert bo.sync(shared).sent == 1
    assert anna.sync(shared).received == 1
    equal([anna, bo])


def test_a_folder_that_vanishes_half_way_costs_nothing(
    anna: Place, bo: Place, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for k in range(3):
        anna.say(k + 1, turn=k)
        anna.sync(shared)
    bo.say(5)
    read, seen = Hub.read, []

    def unplug(self: Hub, file: object) -> object:
        seen.append(file)
        if len(seen) == 2:
            shared.rename(tmp_path / "unplugged")
        return read(self, file)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Hub, "read", unplug)
        with pytest.raises(WorldError, match="cannot be reached") as told:
            bo.sync(shared)
    assert told.value.code == "folder_gone"
    bo.check()
    (tmp_path / "unplugged").rename(shared)
    report = bo.sync(shared)
    assert (report.received, report.duplicates, report.sent) == (2, 0, 1)
    anna.sync(shared)
    equal([anna, bo])


def test_stopping_keeps_what_came_in(anna: Place, bo: Place, shared: Path) -> None:
    for k in range(3):
        anna.say(k + 1, turn=k)
        anna.sync(shared)
    token = CancelToken()

    def stop(done: int, total: int) -> None:
        assert 0 < done <= total
        token.cancel()

    with pytest.raises(Cancelled):
        bo.sync(shared, token=token, progress=stop)
    assert len(bo.events()) == 1
    report = bo.sync(shared)
    assert (report.received, report.duplicates) == (2, 0)
    equal([anna, bo])


def test_a_clock_a_day_ahead_is_told_to_all_and_corrupts_nothing(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(2)
    mine = anna.sync(shared, clock=lambda: time.time() + 86_400)
    assert "this computer is 24 hours ahead" in mine.notices[0].why
    theirs = bo.sync(shared)
    assert "(anna) is 24 hours ahead" in theirs.notices[0].why and theirs.ok
    anna.say(3)
    bo.say(4)
    quiet([anna, bo], shared)
    equal([anna, bo])


def test_a_clock_a_day_behind_is_told_to_all(anna: Place, bo: Place, shared: Path) -> None:
    anna.say(2)
    mine = anna.sync(shared, clock=lambda: time.time() - 86_400)
    assert "this computer is 24 hours behind" in mine.notices[0].why
    assert "(anna) is 24 hours behind" in bo.sync(shared).notices[0].why


def test_a_workspace_altered_in_its_file_hands_nothing_altered_on(anna: Place, bo: Place, shared: Path) -> None:
    import sqlite3

    anna.say(2)
    anna.say(3, turn=1)
    with sqlite3.connect(anna.folder / "workspace.db") as raw:
        raw.execute("DROP TRIGGER label_log_no_update")
        raw.execute("UPDATE label_log SET value = '5' WHERE seq = 1")
    raw.close()
    report = anna.sync(shared)
    assert report.sent == 1 and not report.ok and "1 labels of this workspace" in report.differences[0].why
    assert bo.sync(shared).received == 1


WRITER = """
import os, sys, time
from pathlib import Path
from annotator.sync import bundle, folder
from annotator.workspace.syncing import sync
from annotator.workspace.workspace import Workspace
real = os.fsync
def slow(handle):
    real(handle)
    if any(p.name.startswith(".writing-") for p in Path(sys.argv[2]).rglob("*")):
        print("writing", flush=True)
        time.sleep(60)
folder.os.fsync = slow
sync(Workspace.open(Path(sys.argv[1])), Path(sys.argv[2]))
"""


def test_killed_while_a_bundle_is_written(anna: Place, bo: Place, shared: Path) -> None:
    anna.sync(shared)
    anna.say(2)
    anna.door.close()
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(anna.folder), str(shared)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "writing\n"
        child.send_signal(signal.SIGKILL)
    assert [f.name for f in shared.rglob(".writing-*")] != []
    assert bo.sync(shared).troubles == ()
    anna.door = Workspace(open_store(anna.folder, write=True))
    assert anna.sync(shared).sent == 1
    assert [f.name for f in shared.rglob(".writing-*")] == []
    assert bo.sync(shared).received == 1
    equal([anna, bo])


BOTH = """
import sys
from pathlib import Path
from annotator.workspace.syncing import sync
from annotator.workspace.workspace import Workspace
with Workspace.open(Path(sys.argv[1])) as door:
    for _ in range(5):
        report = sync(door, Path(sys.argv[2]))
        assert report.ok, report
"""


def test_two_processes_sync_one_workspace_at_once(anna: Place, bo: Place, shared: Path) -> None:
    for k in range(3):
        anna.say(k + 1, turn=k)
    bo.say(4)
    bo.sync(shared)
    command = [sys.executable, "-c", BOTH, str(anna.folder), str(shared)]
    children = [subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for child in children:
        assert child.communicate()[1] == "" and child.returncode == 0
    assert len(bundles(shared)) == 2
    quiet([anna, bo], shared)
    equal([anna, bo])
