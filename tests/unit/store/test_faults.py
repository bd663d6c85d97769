"""What the world does: killed processes, full disks, torn lines, flipped bytes."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from annotator.errors import WorldError
from annotator.store import Store, open_store
from annotator.store.database import DB_NAME
from annotator.store.faults import disk_full
from tests.unit.store.made import RATER, answers, dialogue, score, the_id, workspace

ROOT = Path(__file__).parents[3]
KILLS = int(os.environ.get("ANNOTATOR_STORE_KILLS", "15"))

_CHILD = """
import sys
from pathlib import Path
from annotator.store import open_store
from tests.unit.store.made import score
store = open_store(Path(sys.argv[1]), write=True)
number = 0
while True:
    number += 1
    events = store.labels.append([score(number % 2, 1 + number % 5), score(number % 2, number, field="flag:x")])
    sys.stdout.write("".join(e.event_id + "\\n" for e in events))
    sys.stdout.flush()
"""


@pytest.mark.slow
def test_what_was_acknowledged_survives_being_killed_at_any_moment(tmp_path: Path) -> None:
    workspace(tmp_path / "w").close()
    rng = random.Random(11)
    acknowledged: set[str] = set()
    for _ in range(KILLS):
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(tmp_path / "w")], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        acknowledged.add(child.stdout.readline().strip())  # it is at work
        time.sleep(rng.uniform(0.0, 0.15))
        child.send_signal(signal.SIGKILL)
        lines = child.stdout.read()
        child.stdout.close()
        child.wait()
        acknowledged.update(lines.split("\n")[:-1])
    assert len(acknowledged) > 4 * KILLS
    with open_store(tmp_path / "w", write=True) as store:
        held = {e.event_id for e in store.labels.events()}
        assert acknowledged - held == set()
        result = store.upkeep.check()
        assert result.ok, result.problems
        journal = {e.event_id for e in store.journal.events()}
        assert held == journal


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[bool]:
    """A real file system of a few megabytes where this user may mount one; yields whether it is."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    mounted = (
        shutil.which("mount") is not None and subprocess.run(command, capture_output=True, check=False).returncode == 0
    )
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


def _limit(store: Store, pages: int) -> None:
    """Let SQLite report a full disk at this many pages more; 0 lifts the limit."""
    with store.database.write() as connection:
        now = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {now + pages if pages else 2**30}")


def _fill_up(store: Store, acknowledged: list[str]) -> WorldError:
    for number in range(200_000):
        try:
            drafts = [score(0, "x" * 3000, field="note", target="item", active_ms=number)]
            acknowledged += [e.event_id for e in store.labels.append(drafts)]
        except WorldError as error:
            return error
    raise AssertionError("the disk never became full")


def _no_less_no_more(store: Store, acknowledged: list[str]) -> None:
    assert [e.event_id for e in store.labels.events()] == acknowledged
    result = store.upkeep.check()
    assert result.ok, result.problems


def test_a_full_disk_refuses_in_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 4) as mounted:
        place = tmp_path / "disk" / "w"
        acknowledged: list[str] = []
        with workspace(place) as store:
            ballast = tmp_path / "disk" / "ballast"
            if mounted:
                ballast.write_bytes(b"\0" * 300_000)
            else:
                _limit(store, 20)
            error = _fill_up(store, acknowledged)
            assert error.code == "disk_full"
            assert "full" in error.sentence
            assert "\n" not in error.sentence
            assert len(acknowledged) > 5
            # Reading goes on, and a second try while it is full neither saves nor breaks anything.
            assert [e.event_id for e in store.labels.events()] == acknowledged
            with pytest.raises(WorldError):
                store.labels.append([score(0, "y" * 100_000, field="note", target="item")])
            assert [e.event_id for e in store.labels.events()] == acknowledged
            if mounted:
                ballast.unlink()
            else:
                _limit(store, 0)
            acknowledged += [e.event_id for e in store.labels.append([score(0, 5)])]
            assert store.journal_warning == ""
            _no_less_no_more(store, acknowledged)
        with open_store(place, write=True) as store:
            _no_less_no_more(store, acknowledged)


def test_an_import_on_a_full_disk_ends_in_one_sentence_and_is_swept(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 3) as mounted:
        place = tmp_path / "disk" / "w"
        with workspace(place) as store:
            labels = [e.event_id for e in store.labels.append([score(0, 4)])]

            def run() -> None:
                with store.imports.begin("rubric-mme", "big.json") as writer:
                    if not mounted:
                        with closing(sqlite3.connect(place / DB_NAME)) as reader:
                            pages = reader.execute("PRAGMA page_count").fetchone()[0]
                        store.database.open_bulk().execute(f"PRAGMA max_page_count = {pages + 50}")
                    writer.put_dialogues(dialogue(i, turns=9, mark="x" * 500) for i in range(10, 3000))

            with pytest.raises(WorldError) as caught:
                run()
            assert caught.value.code == "disk_full"
            assert store.items.totals()["dialogues"] == 2
        with open_store(place, write=True) as store:  # the disk may still be full: what is left is seen by nobody
            assert store.items.totals()["dialogues"] == 2
            _no_less_no_more(store, labels)
        if mounted:
            subprocess.run(["mount", "-o", "remount,size=9m", str(tmp_path / "disk")], check=True)
        with open_store(place, write=True) as store:
            assert store.database.all("SELECT count(*) FROM item") == [(2,)]
            labels += [e.event_id for e in store.labels.append([score(0, 3)])]
            _no_less_no_more(store, labels)


def test_labels_are_saved_when_only_the_journal_fails_and_it_catches_up(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, 1)])
        journal = tmp_path / "w" / "journal"
        shutil.move(journal, tmp_path / "kept")
        journal.write_text("a file where the folder was")
        event = store.labels.append([score(0, 2)])[0]
        assert store.labels.event(event.event_id) == event
        assert "second copy" in store.journal_warning
        journal.unlink()
        shutil.move(tmp_path / "kept", journal)
        store.labels.append([score(0, 3)])
        assert store.journal_warning == ""
        assert store.upkeep.check().ok
        assert len(list(store.journal.events())) == 3


def test_a_journal_that_failed_is_completed_when_the_workspace_is_closed_or_opened(tmp_path: Path) -> None:
    for close_late in (True, False):
        place = tmp_path / str(close_late)
        with workspace(place) as store:
            store.labels.append([score(0, 1)])
            shutil.move(place / "journal", place / "kept")
            (place / "journal").write_text("")
            store.labels.append([score(0, 2)])
            if close_late:
                (place / "journal").unlink()
                shutil.move(place / "kept", place / "journal")
        if not close_late:
            (place / "journal").unlink()
            shutil.move(place / "kept", place / "journal")
        with open_store(place, write=True) as store:
            assert len(list(store.journal.events())) == 2
            assert store.upkeep.check().ok


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_torn_last_line_costs_nothing(tmp_path: Path, cut: int) -> None:
    with workspace(tmp_path / "w") as store:
        events = [store.labels.append([score(0, v)])[0] for v in (1, 2, 3)]
    file = next((tmp_path / "w" / "journal").glob("*.jsonl"))
    file.write_bytes(file.read_bytes()[:-cut])
    with open_store(tmp_path / "w", write=True) as store:
        assert {e.event_id for e in store.journal.events()} == {e.event_id for e in events}
        store.labels.append([score(0, 4)])
        result = store.upkeep.check()
        assert result.ok, result.problems
        assert len({e.event_id for e in store.journal.events()}) == 4


def test_zeros_at_the_end_of_the_journal_cost_nothing(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, 1)])
    file = next((tmp_path / "w" / "journal").glob("*.jsonl"))
    file.write_bytes(file.read_bytes() + b"\0" * 4096)
    with open_store(tmp_path / "w", write=True) as store:
        store.labels.append([score(0, 2)])
        result = store.upkeep.check()
        assert result.ok
        assert "cannot be read" in result.notes[-1]
        assert len(list(store.journal.events())) == 2


def _flip(file: Path, old: bytes, new: bytes) -> None:
    data = file.read_bytes()
    assert old in data
    file.write_bytes(data.replace(old, new))


def test_a_value_flipped_in_the_file_is_found_by_its_digest(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        event = store.labels.append([score(0, "a reason that is long enough", field="reason:accuracy")])[0]
    _flip(tmp_path / "w" / DB_NAME, b"a reason that is long", b"a reason thbt is long")
    with open_store(tmp_path / "w", write=True) as store:
        assert store.upkeep.quick_check() == []
        result = store.upkeep.check()
        assert not result.ok
        assert event.event_id in result.problems[0]
        assert "altered" in result.problems[0]


def test_a_byte_flipped_in_the_journal_is_found(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, "a reason", field="reason:accuracy")])
        store.labels.append([score(0, 3)])
    _flip(next((tmp_path / "w" / "journal").glob("*.jsonl")), b"a reason", b"b reason")
    with open_store(tmp_path / "w", write=True) as store:
        result = store.upkeep.check()
        assert "1 events are not in the journal" in result.problems[0]
        store.upkeep.rebuild()
        assert store.upkeep.check().ok


def test_what_is_derived_is_found_altered_and_rebuilt(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, 2), score(1, 3)])
        good = store.labels.current()
    for statement in (
        "UPDATE label_now SET value = '5'",
        "DELETE FROM label_now",
        "UPDATE progress SET flags = 0",
        "DELETE FROM progress",
    ):
        with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as stranger:
            stranger.execute(statement)
            stranger.commit()
        with open_store(tmp_path / "w", write=True) as store:
            result = store.upkeep.check()
            assert not result.ok
            assert not result.rebuilt_equal
            assert store.upkeep.rebuild() == 2
            assert store.upkeep.check().ok
            assert store.labels.current() == good


def test_damage_found_while_reading_is_one_sentence(tmp_path: Path) -> None:
    with workspace(tmp_path / "w", dialogues=300) as store:
        store.labels.append([score(0, 2)])
    file = tmp_path / "w" / DB_NAME
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 60_000] = os.urandom(60_000)
    file.write_bytes(data)
    with open_store(tmp_path / "w", write=False) as store:
        problems = store.upkeep.check().problems
        assert problems
        assert "damaged" in problems[0]
        with pytest.raises(WorldError) as caught:
            store.items.search("needle")
        assert caught.value.code == "damaged"


def test_a_gap_in_the_own_log_is_told(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, v) for v in (1, 2, 3)])
    with closing(sqlite3.connect(tmp_path / "w" / DB_NAME)) as stranger:
        stranger.execute("DROP TRIGGER label_log_no_delete")
        stranger.execute("DELETE FROM label_log WHERE seq = 2")
        stranger.commit()
    with open_store(tmp_path / "w", write=True) as store:
        problems = " ".join(store.upkeep.check().problems)
        assert "2 of 3 events" in problems
        assert "journal" in problems


def test_answers_of_a_killed_import_are_not_joined_to_later_ones(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        writer = store.imports.begin("rubric-mme", "left.json")
        writer.put_responders([answers(0, "left::behind::t")])
        writer.flush()
        writer._lock.close()  # as when its process had died
        with store.imports.begin("rubric-mme", "next.json") as following:
            assert following.import_id >= writer.import_id
            assert following.known_responder(the_id(0), "left::behind::t") is None
        assert store.database.all("SELECT count(*) FROM responder") == [(4,)]
        writer._db.close_bulk()
    assert RATER


def test_a_workspace_on_a_full_disk_can_still_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, 2)])
    shutil.copytree(tmp_path / "w", tmp_path / "copy")  # so that opening has something to write: a new device

    def full(*_: object) -> None:
        raise disk_full(tmp_path / "copy")

    monkeypatch.setattr("annotator.store.opening.set_meta", full)
    with open_store(tmp_path / "copy", write=True) as store:
        assert store.read_only
        assert "full" in store.why
        assert len(store.queue.rows(RATER)) == 4
        assert store.upkeep.check().ok
    monkeypatch.undo()
    with open_store(tmp_path / "copy", write=True) as store:
        assert store.labels.append([score(0, 3)])[0].seq == 1


def test_the_queue_is_shown_when_aliases_cannot_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with workspace(tmp_path / "w") as store:

        def full(*_: object) -> None:
            raise disk_full(tmp_path)

        monkeypatch.setattr(store.database, "write", full)
        shown = [r.alias for r in store.queue.rows(RATER)]
        monkeypatch.undo()
        assert shown == [r.alias for r in store.queue.rows(RATER)] == ["A", "B", "A", "B"]
