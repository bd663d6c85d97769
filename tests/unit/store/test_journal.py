"""The journal's files: one line for each transaction, in months, in an order that no clock can upset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from annotator.store import journal as journals
from annotator.store import open_store
from tests.unit.store.made import score, workspace


def lines_of(folder: Path) -> list[list[object]]:
    files = sorted((folder / "journal").glob("labels-*.jsonl"))
    return [json.loads(line)["events"] for file in files for line in file.read_text(encoding="ascii").splitlines()]


def test_one_line_holds_one_transaction_whole(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, 1)])
        events = store.labels.append([score(0, 2), score(1, "两行\n和 \u2028 \ud83d", field="reason:accuracy")])
        assert [len(line) for line in lines_of(tmp_path / "w")] == [1, 2]
        assert list(store.journal.events())[1:] == events


def test_a_later_months_file_is_written_on_with_when_the_clock_was_set_back(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        first = store.labels.append([score(0, 1)])[0]
    file = next((tmp_path / "w" / "journal").iterdir())
    later = file.with_name("labels-999912.jsonl")
    later.write_bytes(file.read_bytes())
    file.unlink()
    with open_store(tmp_path / "w", write=True) as store:
        second = store.labels.append([score(0, 2)])[0]
        assert list(store.journal.events()) == [first, second]
        assert [p.name for p in store.journal.files()] == [later.name]


def test_a_journal_that_was_thrown_away_is_written_again(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store:
        events = store.labels.append([score(0, 1), score(1, 2)])
    for file in (tmp_path / "w" / "journal").iterdir():
        file.unlink()
    (tmp_path / "w" / "journal").rmdir()
    with open_store(tmp_path / "w", write=True) as store:
        assert list(store.journal.events()) == events
        assert store.upkeep.check().ok


def test_a_long_last_line_is_found_from_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journals, "_TAIL", 16)
    with workspace(tmp_path / "w") as store:
        store.labels.append([score(0, 1)])
        store.labels.append([score(0, v) for v in (1, 2, 3, 4, 5)])
    size = sum(p.stat().st_size for p in (tmp_path / "w" / "journal").iterdir())
    with open_store(tmp_path / "w", write=True) as store:
        assert len(list(store.journal.events())) == 6
    assert sum(p.stat().st_size for p in (tmp_path / "w" / "journal").iterdir()) == size


def test_merged_labels_are_in_the_journal_too(tmp_path: Path) -> None:
    with workspace(tmp_path / "w") as store, workspace(tmp_path / "other") as other:
        events = other.labels.append([score(0, 1), score(1, 2)])
        store.labels.merge(events)
        store.labels.merge(events)
        assert list(store.journal.events()) == events
