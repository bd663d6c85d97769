"""A disk with little left: an import that cannot fit writes nothing, and the last space is left to the labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.errors import WorldError
from annotator.store import open_store
from tests.helpers.imports import bring, judged, sample, video, workspace, write

FREE = "annotator.store.{}.free_bytes"


def test_what_cannot_fit_is_refused_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    big = write(tmp_path / "big.json", [video(f"d{k}", 40) for k in range(200)])
    judges = write(tmp_path / "j.jsonl", [judged(f"d{k}", 0, prediction="x" * 40_000) for k in range(200)])
    with workspace(tmp_path) as store:
        held = {path: path.read_bytes() for path in store.folder.rglob("*.db*")}
        assert big.stat().st_size > 2 * store.database.file.stat().st_size
        monkeypatch.setattr(FREE.format("upkeep"), lambda folder: 4096)
        for source in (big, judges):
            with pytest.raises(WorldError, match=rf"{source.name}.*free some space") as told:
                bring(store, source)
            assert (told.value.code, str(store.folder) in told.value.sentence) == ("disk_full", True)
        assert {path: path.read_bytes() for path in store.folder.rglob("*.db*")} == held
        monkeypatch.undo()
        assert bring(store, big).new == 200
        # What is there already needs no more room, and answers may need next to none.
        monkeypatch.setattr(FREE.format("upkeep"), lambda folder: 4096)
        assert bring(store, big).unchanged == 200
        assert bring(store, write(tmp_path / "s.jsonl", [sample("d1")])).new == 1


def test_the_last_space_is_not_spent_on_sweeping(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with workspace(tmp_path) as store:
        folder = store.folder
        with store.database.write() as connection:  # as an import leaves it that was killed
            connection.execute(
                "INSERT INTO import_run (kind, source, state, at, report) VALUES ('judge', 'x', 'writing', '', '')"
            )

    def left() -> int:
        with open_store(folder, write=True) as store:
            return len(store.database.all("SELECT 1 FROM import_run WHERE state = 'writing'"))

    monkeypatch.setattr(FREE.format("opening"), lambda folder: 4096)
    assert left() == 1
    monkeypatch.undo()
    assert left() == 0
