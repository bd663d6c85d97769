"""Several threads and several processes on one workspace."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from annotator.errors import WorldError
from annotator.store import Store, database, open_store
from annotator.store.database import LOCK_NAME
from annotator.store.locks import FileLock
from tests.unit.store.made import MODELS, RATER, score, the_id, workspace

ROOT = Path(__file__).parents[3]

_WRITER = """
import sys
from pathlib import Path
from annotator.store import open_store
from tests.unit.store.made import score
with open_store(Path(sys.argv[1]), write=True) as store:
    for number in range(int(sys.argv[2])):
        store.labels.append([score(number % 2, 1 + number % 5), score(1, 2, field="relevance")])
"""


def test_two_processes_interleave_without_a_gap_or_a_rival(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        children = [
            subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path / "w"), "60"], cwd=ROOT) for _ in range(2)
        ]
        for number in range(60):
            store.labels.append([score(number % 2, 1 + number % 5)])
        assert [child.wait() for child in children] == [0, 0]
        events = list(store.labels.events())
        assert [e.seq for e in events] == list(range(1, 301))
        assert {e.device for e in events} == {store.device}
        assert store.labels.conflicts() == []
        result = store.upkeep.check()
        assert result.ok, result.problems


def test_threads_write_read_and_check_at_one_time(tmp_path: Path) -> None:
    failures: list[BaseException] = []
    with workspace(tmp_path / "w") as store:

        def run(work: object) -> None:
            try:
                for number in range(25):
                    work(number)  # type: ignore[operator]
            except BaseException as error:  # noqa: BLE001 - whatever it is, the test must see it
                failures.append(error)

        def write(number: int) -> None:
            store.labels.append([score(number % 2, 1 + number % 5)])

        def read(number: int) -> None:
            rows = store.queue.rows(RATER)
            assert len(rows) == 4
            store.labels.cells(the_id(0), MODELS[0], RATER, "blind")

        def check(number: int) -> None:
            if number % 5 == 0:
                result = store.upkeep.check()
                assert result.ok, result.problems

        threads = [threading.Thread(target=run, args=(work,)) for work in (write, write, read, check)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
        assert [e.seq for e in store.labels.events()] == list(range(1, 51))


def test_two_stores_of_one_process_share_one_writers_lock(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as first, open_store(tmp_path / "w", write=True) as second:
        threads = [
            threading.Thread(target=lambda s=s: [s.labels.append([score()]) for _ in range(20)])  # type: ignore[misc]
            for s in (first, second)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert first.labels.count() == second.labels.count() == 40
        assert first.upkeep.check().ok


def test_a_lock_that_is_never_given_back_is_told_with_its_holder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with workspace(tmp_path / "w") as store:
        monkeypatch.setattr(database, "LOCK_TIMEOUT_S", 0.05)
        stranger = FileLock(tmp_path / "w" / LOCK_NAME)
        assert stranger.acquire()
        with pytest.raises(WorldError, match="process") as caught:
            store.labels.append([score()])
        assert caught.value.code == "busy"
        stranger.close()
        assert store.labels.append([score()])[0].seq == 1


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store: Store = workspace(tmp_path / "w")
    store.close()
    store.close()
    with pytest.raises(WorldError) as caught:
        store.labels.count()
    assert caught.value.code == "closed"


def test_the_hot_paths_import_neither_sqlmodel_nor_sqlalchemy(tmp_path: Path) -> None:
    workspace(tmp_path / "w").close()
    code = """
import sys
from pathlib import Path
from annotator.store import create_store, open_store
from tests.unit.store.made import RATER, score, the_id, MODELS
with open_store(Path(sys.argv[1]), write=True, window=True) as store:
    store.queue.rows(RATER)
    store.labels.append([score()])
    store.items.dialogue(the_id(0)); store.items.responders(the_id(0)); store.items.search("x")
    store.labels.merge(store.labels.events()); store.upkeep.check(); store.upkeep.maybe_backup()
create_store(Path(sys.argv[1] + "2"), rater="x").close()
heavy = {"sqlmodel", "sqlalchemy", "numpy", "cv2", "PySide6"} & set(sys.modules)
sys.exit(", ".join(heavy) or 0)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "w")], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
