"""Backups, and coming back from them and from the journal."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from annotator.errors import WorldError
from annotator.store import backup, create_store, open_store, rebuild_from_journal, restore
from annotator.store.database import DB_NAME
from tests.unit.store.made import RATER, dialogue, fill, score, the_id, workspace


def test_a_backup_is_one_whole_file_and_is_restored_as_another_device(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        events = store.labels.append([score(0, 2), score(1, 3)])
        assert store.upkeep.backup(tmp_path / "out" / "copy.db") == tmp_path / "out" / "copy.db"
        store.labels.append([score(0, 5)])
        device = store.device
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["copy.db"]
    with restore(tmp_path / "out" / "copy.db", tmp_path / "back") as back:
        assert list(back.labels.events()) == events
        assert back.device != device
        assert back.desk.rater == RATER
        assert back.items.dialogue(the_id(1)) == dialogue(1)
        assert len(list(back.journal.events())) == 2
        assert back.labels.append([score(0, 1)])[0].seq == 1
        assert back.upkeep.check().ok
    # What the original said meanwhile and what the restored one says live side by side.
    with open_store(tmp_path / "w", write=True) as store, open_store(tmp_path / "back", write=True) as back:
        assert back.labels.merge(store.labels.events()).quarantined == ()
        assert back.labels.count() == 4


@pytest.mark.parametrize("kind", ["cut", "noise", "absent", "other"])
def test_what_is_no_whole_backup_is_refused_and_no_folder_is_made(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "copy.db"
    with workspace(tmp_path / "w", dialogues=40) as store:
        store.upkeep.backup(file)
    data = file.read_bytes()
    if kind == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif kind == "noise":
        file.write_bytes(b"no database at all " * 100)
    elif kind == "absent":
        file.unlink()
    else:
        file.unlink()
        with closing(sqlite3.connect(file)) as other:
            other.execute("CREATE TABLE person (name TEXT)")
            other.commit()
    with pytest.raises(WorldError) as caught:
        restore(file, tmp_path / "back")
    assert str(file) in caught.value.sentence
    assert not (tmp_path / "back").exists()


def test_a_restore_never_goes_over_something(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.upkeep.backup(tmp_path / "copy.db")
    with pytest.raises(WorldError) as caught:
        restore(tmp_path / "copy.db", tmp_path / "w")
    assert caught.value.code == "not_empty"


def test_a_backup_that_fails_leaves_the_older_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with workspace(tmp_path / "w") as store:
        file = store.upkeep.backup(tmp_path / "copy.db")
        before = file.read_bytes()

        def not_whole(path: Path) -> None:
            raise WorldError(f"{path} is not whole.")

        monkeypatch.setattr(backup, "verify", not_whole)
        with pytest.raises(WorldError):
            store.upkeep.backup(file)
        assert file.read_bytes() == before
        assert [p.name for p in tmp_path.glob("*copy*")] == ["copy.db"]
        blocked = tmp_path / "w" / DB_NAME / "inside.db"
        with pytest.raises(WorldError):
            store.upkeep.backup(blocked)


def test_rolling_backups_keep_seven_days_and_four_weeks_and_only_when_something_changed(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        day = date(2026, 1, 1)
        for number in range(60):
            store.labels.append([score(0, 1 + number % 5)])
            made = store.upkeep.maybe_backup(day + timedelta(days=number))
            assert made is not None
            assert store.upkeep.maybe_backup(day + timedelta(days=number)) is None
        files = sorted(p.name for p in (tmp_path / "w" / "backups").iterdir())
        assert len([f for f in files if f.startswith("daily")]) == 7
        assert len([f for f in files if f.startswith("weekly")]) == 4
        assert files[6] == "daily-20260301.db"
        assert len(backup.good_backups(tmp_path / "w")) == 11


def test_a_lost_database_comes_back_from_the_newest_backup_and_the_journal(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, 2)])
        store.upkeep.maybe_backup()
        store.labels.append([score(0, 3), score(1, 4)])
        kept = {e.event_id: e for e in store.labels.events()}
        current = store.labels.current()
        device = store.device
    (tmp_path / "w" / DB_NAME).write_bytes(b"SQLite format 3\x00" + b"\xff" * 50_000)
    with pytest.raises(WorldError):
        open_store(tmp_path / "w", write=True)
    found = rebuild_from_journal(tmp_path / "w")
    assert (found.events, found.from_journal, found.unreadable) == (3, 2, 0)
    assert found.backup is not None
    assert found.set_aside is not None
    assert found.set_aside.exists()
    with open_store(tmp_path / "w", write=True) as store:
        assert {e.event_id: e for e in store.labels.events()} == kept
        assert store.labels.current() == current
        assert store.items.totals()["dialogues"] == 2
        assert store.device != device
        assert store.upkeep.check().ok


def test_without_a_backup_every_label_comes_back_and_fits_the_items_when_they_are_imported_again(
    tmp_path: Path,
) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, 2), score(1, 4)])
        current = store.labels.current()
    (tmp_path / "w" / DB_NAME).unlink()
    found = rebuild_from_journal(tmp_path / "w")
    assert (found.events, found.from_journal, found.backup, found.set_aside) == (2, 2, None, None)
    with open_store(tmp_path / "w", write=True) as store:
        assert store.desk.rater == RATER
        assert store.items.heads() == []
        fill(store, [dialogue(0), dialogue(1)])
        assert store.labels.current() == current
        assert store.upkeep.check().ok


def test_torn_and_altered_lines_are_left_out_and_counted(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        for value in (1, 2, 3):
            store.labels.append([score(0, value)])
    file = next((tmp_path / "w" / "journal").glob("*.jsonl"))
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0] + lines[1].replace(b'"value": 2', b'"value": 5') + lines[2][:-20])
    (tmp_path / "w" / DB_NAME).unlink()
    found = rebuild_from_journal(tmp_path / "w")
    assert (found.events, found.unreadable) == (1, 2)


def test_nothing_to_come_back_from_is_said(tmp_path: Path) -> None:
    with pytest.raises(WorldError) as caught:
        rebuild_from_journal(tmp_path)
    assert caught.value.code == "nothing_to_recover"
    create_store(tmp_path / "w", rater=RATER).close()
    shutil.rmtree(tmp_path / "w" / "journal")
    with pytest.raises(WorldError):
        rebuild_from_journal(tmp_path / "w")
    open_store(tmp_path / "w", write=True).close()


@pytest.mark.parametrize("name", [DB_NAME, f"{DB_NAME}-wal", "workspace.lock"])
def test_a_backup_never_goes_over_the_workspaces_own_files(tmp_path: Path, name: str) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, 2)])
        with pytest.raises(WorldError):
            store.upkeep.backup(tmp_path / "w" / "cache" / ".." / name)
        assert store.upkeep.check().ok
    with open_store(tmp_path / "w", write=True) as store:
        assert store.labels.count() == 1


def test_an_open_workspace_is_not_rebuilt_under_its_window(tmp_path: Path) -> None:
    workspace(tmp_path / "w").close()
    with open_store(tmp_path / "w", write=True, window=True) as store:
        store.labels.append([score(0, 2)])
        with pytest.raises(WorldError, match="open elsewhere"):
            rebuild_from_journal(tmp_path / "w")
        store.labels.append([score(0, 3)])
    assert rebuild_from_journal(tmp_path / "w").events == 2


def test_what_cannot_be_made_leaves_no_half_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise WorldError("The disk is full.")

    with workspace(tmp_path / "w") as store:
        store.upkeep.backup(tmp_path / "copy.db")
    monkeypatch.setattr("annotator.store.opening.sync_folder", full)
    monkeypatch.setattr("annotator.store.recover.sync_folder", full)
    (tmp_path / "empty").mkdir()
    for place in (tmp_path / "new" / "x", tmp_path / "empty"):
        with pytest.raises(WorldError, match="full"):
            create_store(place, rater=RATER)
        with pytest.raises(WorldError, match="full"):
            restore(tmp_path / "copy.db", place)
    assert not (tmp_path / "new" / "x").exists()
    assert list((tmp_path / "empty").iterdir()) == []
    monkeypatch.undo()
    create_store(tmp_path / "empty", rater=RATER).close()


def test_another_store_is_told_that_something_changed(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store, open_store(tmp_path / "w", write=False) as other:
        before = other.version()
        assert other.version() == before
        store.labels.append([score(0, 2)])
        assert other.version() != before
