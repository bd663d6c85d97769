"""Making, opening and copying workspaces."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from annotator.errors import ReadOnlyWorkspace, WorldError
from annotator.store import create_store, open_store, place
from annotator.store.database import DB_NAME
from tests.unit.store.made import RATER, score, workspace


def test_a_new_workspace_has_its_folders_and_its_rater(tmp_path: Path) -> None:
    with create_store(tmp_path / "new" / "w", rater="李雷") as store:
        assert store.desk.rater == "李雷"
        assert not store.desk.show_model_names
        assert store.device
    assert {p.name for p in (tmp_path / "new" / "w").iterdir()} >= {DB_NAME, "journal", "backups", "cache"}


def test_a_folder_with_something_in_it_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("mine")
    with pytest.raises(WorldError, match="not empty") as caught:
        create_store(tmp_path, rater=RATER)
    assert caught.value.code == "not_empty"
    assert [p.name for p in tmp_path.iterdir()] == ["note.txt"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    create_store(tmp_path, rater=RATER).close()
    open_store(tmp_path, write=False).close()


@pytest.mark.parametrize("content", [b"", b"not a database, but long enough to be looked at" * 50, None])
def test_what_is_no_workspace_gets_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / DB_NAME).write_bytes(content)
    for write in (True, False):
        with pytest.raises(WorldError) as caught:
            open_store(tmp_path, write=write)
        assert str(tmp_path) in caught.value.sentence
        assert "\n" not in caught.value.sentence
    if content is not None:
        assert (tmp_path / DB_NAME).read_bytes() == content


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / DB_NAME)) as other:
        other.execute("CREATE TABLE person (name TEXT)")
        other.commit()
    before = (tmp_path / DB_NAME).read_bytes()
    with pytest.raises(WorldError) as caught:
        open_store(tmp_path, write=True)
    assert caught.value.code == "not_workspace"
    assert (tmp_path / DB_NAME).read_bytes() == before


def test_damage_inside_the_file_is_told_in_one_sentence(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score()])
    file = tmp_path / "w" / DB_NAME
    data = bytearray(file.read_bytes())
    data[100:4096] = b"\xff" * 3996
    file.write_bytes(data)
    with pytest.raises(WorldError) as caught:
        open_store(tmp_path / "w", write=True)
    assert caught.value.code == "damaged"
    assert file.read_bytes() == data


def test_the_device_is_kept_from_one_session_to_the_next(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        device = store.device
        store.labels.append([score()])
    with open_store(tmp_path / "w", write=True) as store:
        assert store.device == device
        assert store.labels.append([score(value=5)])[0].seq == 2
        assert store.upkeep.check().ok


def test_a_cloned_folder_counts_under_a_device_of_its_own(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score()])
        device = store.device
    shutil.copytree(tmp_path / "w", tmp_path / "clone")
    with open_store(tmp_path / "clone", write=True) as clone, open_store(tmp_path / "w", write=True) as first:
        assert first.device == device != clone.device
        mine = first.labels.append([score(value=2)])
        theirs = clone.labels.append([score(value=3)])
        # Both go on; each takes in what the other said, and not one label is lost.
        assert first.labels.merge(clone.labels.events()).inserted == 1
        assert clone.labels.merge(first.labels.events()).inserted == 1
        assert {e.event_id for e in first.labels.events()} == {e.event_id for e in clone.labels.events()}
        conflict = first.labels.conflicts(RATER)[0]
        assert set(conflict.current.heads) == {mine[0].event_id, theirs[0].event_id}
        assert first.upkeep.check().ok
        assert clone.upkeep.check().ok


def test_an_older_database_put_back_by_hand_gets_its_labels_back_from_the_journal(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score()])
    old = (tmp_path / "w" / DB_NAME).read_bytes()
    with open_store(tmp_path / "w", write=True) as store:
        later = store.labels.append([score(value=v) for v in (1, 2, 3)])
    (tmp_path / "w" / DB_NAME).write_bytes(old)
    with open_store(tmp_path / "w", write=True) as store:
        assert "3 labels" in store.warnings[0]
        assert [e.event_id for e in store.labels.history(RATER, later[0].device)][:3] == [
            e.event_id for e in reversed(later)
        ]
        assert store.upkeep.check().ok


def test_an_older_database_without_its_journal_never_counts_over_used_places(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        device = store.device
        store.labels.append([score()])
    old = (tmp_path / "w" / DB_NAME).read_bytes()
    with open_store(tmp_path / "w", write=True) as store:
        store.labels.append([score(value=v) for v in (1, 2, 3)])
    (tmp_path / "w" / DB_NAME).write_bytes(old)
    shutil.rmtree(tmp_path / "w" / "journal")
    with open_store(tmp_path / "w", write=True) as store:
        assert store.device != device
        assert store.upkeep.check().ok


def test_a_second_window_is_told_who_has_it_and_can_read(tmp_path: Path) -> None:
    workspace(tmp_path / "w").close()
    with open_store(tmp_path / "w", write=True, window=True) as first:
        first.labels.append([score()])
        with open_store(tmp_path / "w", write=True, window=True) as second:
            assert second.read_only
            assert "process" in second.why
            assert second.labels.count() == 1
            with pytest.raises(ReadOnlyWorkspace):
                second.labels.append([score()])
            first.labels.append([score(value=5)])
            assert second.labels.count() == 2
        # A command writes beside the open window.
        with open_store(tmp_path / "w", write=True) as command:
            command.labels.append([score(value=1)])
        assert [e.value for e in first.labels.history(RATER)] == [1, 5, 4]
    with open_store(tmp_path / "w", write=True, window=True) as third:
        assert not third.read_only


def test_reading_only_refuses_to_write(tmp_path: Path) -> None:
    workspace(tmp_path / "w").close()
    with open_store(tmp_path / "w", write=False) as store:
        assert store.read_only
        assert len(store.queue.rows(RATER)) == 4
        for write in (
            lambda: store.labels.append([score()]),
            lambda: store.desk.set("rater", "x"),
            lambda: store.imports.begin("auto", "x"),
            store.upkeep.rebuild,
        ):
            with pytest.raises(ReadOnlyWorkspace):
                write()


@pytest.mark.parametrize("left_open", [False, True], ids=["closed", "with-log"])
def test_a_medium_that_cannot_be_written_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left_open: bool
) -> None:
    store = workspace(tmp_path / "w")
    store.labels.append([score()])
    if left_open:  # as after a crash: the last labels are in the log beside the database
        shutil.copytree(tmp_path / "w", tmp_path / "medium")
    store.close()
    if not left_open:
        shutil.copytree(tmp_path / "w", tmp_path / "medium")
    before = {p.name: p.read_bytes() for p in (tmp_path / "medium").iterdir() if p.is_file()}
    monkeypatch.setattr("annotator.store.opening.writable", lambda folder, file: False)
    with open_store(tmp_path / "medium", write=True) as fixed:
        assert "cannot be written" in fixed.why
        assert fixed.labels.count() == 1
        assert fixed.upkeep.check().ok
        with pytest.raises(ReadOnlyWorkspace):
            fixed.labels.append([score()])
    assert {p.name: p.read_bytes() for p in (tmp_path / "medium").iterdir() if p.is_file()} == before


def test_network_shares_are_recognised_by_the_innermost_mount(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "/dev/sda / ext4 rw 0 0\nserver:/x /mnt/share nfs4 rw 0 0\n//pc/y /mnt/with\\040blank cifs rw 0 0\n"
        "u@h: /mnt/ssh fuse.sshfs rw 0 0\n/dev/sdb /mnt/share/disk xfs rw 0 0\n/dev/sdc /mnt/usb fuseblk rw 0 0\n"
    )
    far = ["/mnt/share/w", "/mnt/with blank/w", "/mnt/ssh"]
    near = ["/mnt/share/disk/w", "/mnt/shared", "/home/w", "/mnt/usb/w"]
    assert [place.on_network_share(Path(p), mounts) for p in far] == [True] * 3
    assert [place.on_network_share(Path(p), mounts) for p in near] == [False] * 4
    assert not place.on_network_share(Path("/x"), tmp_path / "none")


def test_little_room_on_the_disk_is_told_at_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace(tmp_path / "w").close()
    monkeypatch.setattr(place, "free_bytes", lambda folder: 300 * 1024 * 1024)
    with open_store(tmp_path / "w", write=True) as store:
        assert any("300 MB" in sentence for sentence in store.warnings)
