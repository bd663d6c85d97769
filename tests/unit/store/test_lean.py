"""A workspace on a disk that is full to the last byte, one without its journal, and one whose file is damaged."""

from __future__ import annotations

import os
import shutil
import threading
import time
from pathlib import Path

import pytest

from annotator.errors import WorldError
from annotator.store import open_store
from annotator.store.database import DB_NAME
from annotator.store.faults import disk_full
from tests.unit.store.made import RATER, score, workspace
from tests.unit.store.test_faults import small_disk


def _fill(file: Path) -> None:
    """Write until nothing fits any more."""
    with file.open("wb") as handle:
        try:
            while True:
                os.write(handle.fileno(), b"\0" * 512)
        except OSError:
            return


@pytest.mark.parametrize("write", [True, False])
def test_a_disk_that_is_full_to_the_last_byte_leaves_the_workspace_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: bool
) -> None:
    with small_disk(tmp_path / "disk", 6) as mounted:
        place = tmp_path / "disk" / "w"
        with workspace(place) as store:
            said = store.labels.append([score(0, 2)])
        for left in ("workspace.lock", "window.lock"):
            (place / left).unlink(missing_ok=True)
        if mounted:
            _fill(tmp_path / "disk" / "ballast")
        else:

            def full(*_: object, **__: object) -> None:
                raise disk_full(place)

            monkeypatch.setattr("annotator.store.opening._open", full)
            monkeypatch.setattr("annotator.store.opening.free_bytes", lambda _: 0)
        with open_store(place, write=write) as store:
            assert store.read_only
            assert [e.event_id for e in store.labels.events()] == [said[0].event_id]
            assert len(store.queue.rows(RATER)) == 4
            assert mounted or "is full" in store.why
        if mounted:
            (tmp_path / "disk" / "ballast").unlink()
        monkeypatch.undo()
        with open_store(place, write=True) as store:
            assert not store.read_only
            store.labels.append([score(0, 3)])


def test_a_log_that_was_not_closed_is_read_from_a_copy_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workspace(tmp_path / "w") as store:
        said = store.labels.append([score(0, 2)])
        shutil.copytree(tmp_path / "w", tmp_path / "killed")  # with the log as a killed process leaves it

    def full(*_: object, **__: object) -> None:
        raise disk_full(tmp_path / "killed")

    monkeypatch.setattr("annotator.store.opening._open", full)
    with pytest.raises(WorldError, match="is full"):  # there is room: that was something else
        open_store(tmp_path / "killed", write=True)
    monkeypatch.setattr("annotator.store.opening.free_bytes", lambda _: 0)
    before = sorted((f.name, f.stat().st_size) for f in (tmp_path / "killed").iterdir())
    with open_store(tmp_path / "killed", write=True) as store:
        assert [e.event_id for e in store.labels.events()] == [said[0].event_id]
        assert "is full" in store.why and "free some space" in store.why
    assert sorted((f.name, f.stat().st_size) for f in (tmp_path / "killed").iterdir()) == before


def test_a_journal_that_is_gone_is_told_and_written_anew(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, 2), score(0, 3)])
        shutil.rmtree(tmp_path / "w" / "journal")
        found = store.upkeep.check()
    assert not found.ok
    assert "second copy of the labels is gone" in found.problems[0]
    assert "put the folder back" in found.problems[0] and "annotator open" in found.problems[0]
    with open_store(tmp_path / "w", write=True) as store:
        assert store.upkeep.check().ok
        assert len(list(store.journal.events())) == 2


def test_a_workspace_without_labels_needs_no_journal(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        shutil.rmtree(tmp_path / "w" / "journal")
        assert store.upkeep.check().ok


def test_a_page_that_is_damaged_is_told_at_opening(tmp_path: Path) -> None:
    workspace(tmp_path / "w").close()
    file = tmp_path / "w" / DB_NAME
    data = bytearray(file.read_bytes())
    for page in range(1, len(data) // 4096):
        data[page * 4096 : page * 4096 + 64] = b"\xa5" * 64
    file.write_bytes(data)
    for write in (True, False):
        with pytest.raises(WorldError, match="damaged") as caught:
            open_store(tmp_path / "w", write=write)
        assert caught.value.code == "damaged"


def test_closing_waits_for_who_reads_and_stops_who_comes_later(tmp_path: Path) -> None:
    store = workspace(tmp_path / "w")
    store.labels.append([score(0, 2)])
    inside, leave, found = threading.Event(), threading.Event(), []

    def read() -> None:
        with store.database.read() as connection:
            inside.set()
            assert leave.wait(30)
            found.append(connection.execute("SELECT count(*) FROM label_event").fetchone()[0])
        with pytest.raises(WorldError, match="was closed") as caught:
            store.labels.count()
        found.append(caught.value.code)

    reader = threading.Thread(target=read)
    closer = threading.Thread(target=store.close)
    reader.start()
    assert inside.wait(30)
    closer.start()
    while not store.database._closed:  # it says so before it waits for the reader
        time.sleep(0.001)
    assert closer.is_alive()
    leave.set()
    reader.join()
    closer.join()
    assert found == [1, "closed"]


def test_a_connection_that_was_closed_under_a_reader_is_told(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.count()
        store.database.reader().close()
        with pytest.raises(WorldError, match="was closed"):
            store.labels.count()
