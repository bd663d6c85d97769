"""A workspace that was moved or copied finds its media; a folder outside that has moved is told, and bound again."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from annotator.errors import WorldError
from annotator.store import Store, open_store
from annotator.store.database import DB_NAME
from annotator.store.media_places import INSIDE, Places
from annotator.workspace.intake import assets_of
from annotator.workspace.rebinding import rebind
from annotator.workspace.views import asset_path
from tests.helpers.imports import bring, video, workspace, write


def _source(folder: Path) -> Path:
    """A dataset whose one clip is there."""
    record = video("d1")
    media = folder / "media"
    for name in sorted({str(v) for v in _paths(record)}):
        (media / name).parent.mkdir(parents=True, exist_ok=True)
        (media / name).write_bytes(b"clip")
    return write(folder / "d.json", [record])


def _paths(value: object) -> list[str]:
    if isinstance(value, dict):
        return [p for v in value.values() for p in _paths(v)]
    if isinstance(value, list):
        return [p for v in value for p in _paths(v)]
    return [value] if isinstance(value, str) and value.endswith((".mp4", ".wav", ".jpg")) else []


def _found(store: Store) -> list[Path]:
    dialogue = store.items.dialogue(store.items.resolve("d1"))
    return [path for asset in assets_of(dialogue) if (path := asset_path(asset)) is not None]


def _roots(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / DB_NAME)) as connection:
        bodies = [row[0] for row in connection.execute("SELECT body FROM item_body")]
    return [asset["root"] for body in bodies for turn in json.loads(body)["turns"] for asset in turn["evidence"]
            if "root" in asset]  # fmt: skip


def test_media_inside_the_workspace_move_with_it(tmp_path: Path) -> None:
    with workspace(tmp_path / "old") as store:
        source = _source(store.folder / "data")
        bring(store, source, store.folder / "data" / "media")
        before = _found(store)
        assert before and all(path.is_file() for path in before)
        assert bring(store, source, store.folder / "data" / "media").unchanged == 1
        place = store.folder
    assert set(_roots(place)) == {f"{INSIDE}data/media"}
    place.rename(tmp_path / "new")
    with open_store(tmp_path / "new", write=True) as store:
        after = _found(store)
        assert [p.relative_to(tmp_path / "new") for p in after] == [p.relative_to(place) for p in before]
        assert all(path.is_file() for path in after)
        assert store.desk.lost_roots() == () and store.desk.media_roots() == (str(tmp_path / "new" / "data" / "media"),)
        assert not any("media folder" in sentence for sentence in store.warnings)


def test_an_older_workspace_that_was_moved_finds_them_too(tmp_path: Path) -> None:
    with workspace(tmp_path / "old") as store:
        bring(store, _source(store.folder / "data"), store.folder / "data" / "media")
        place = store.folder
    with closing(sqlite3.connect(place / DB_NAME)) as connection:  # as versions before kept it
        connection.execute("UPDATE item_body SET body = replace(body, ?, ?)", (INSIDE, f"{place}/"))
        connection.execute("UPDATE media_root SET root = replace(root, ?, ?)", (INSIDE, f"{place}/"))
        connection.commit()
    assert set(_roots(place)) == {str(place / "data" / "media")}
    place.rename(tmp_path / "new")
    with open_store(tmp_path / "new", write=True) as store:
        found = _found(store)
        assert found and all(path.is_file() and path.is_relative_to(tmp_path / "new") for path in found)


def test_a_folder_outside_that_has_moved_is_told_and_bound_again(tmp_path: Path) -> None:
    source = _source(tmp_path / "drive")
    with workspace(tmp_path / "w") as store:
        bring(store, source, tmp_path / "drive" / "media")
        place, count = store.folder, len(_found(store))
    (tmp_path / "drive").rename(tmp_path / "other")
    with open_store(place, write=True) as store:
        (told,) = [sentence for sentence in store.warnings if "media folder" in sentence]
        assert str(tmp_path / "drive" / "media") in told and "annotator rebind" in told
        for old, new, why in (
            (str(tmp_path / "drive"), tmp_path / "nowhere", "is no folder"),
            (str(tmp_path / "strange"), tmp_path / "other", "No file of"),
            (str(tmp_path / "drive"), tmp_path, "None of the"),
        ):
            with pytest.raises(WorldError, match=why):
                rebind(store, old, new)
        told = rebind(store, str(tmp_path / "drive"), tmp_path / "other")
        assert told["files"] == told["found"] == count
        assert all(path.is_file() for path in _found(store))
    shutil.move(tmp_path / "other", tmp_path / "third")
    with open_store(place, write=True) as store:
        assert rebind(store, str(tmp_path / "other"), tmp_path / "third")["found"] == count
        assert all(path.is_file() for path in _found(store))
    with open_store(place, write=False) as store:
        assert all(path.is_file() for path in _found(store))
        assert store.desk.lost_roots() == ()


def test_texts_that_only_look_like_roots_stay(tmp_path: Path) -> None:
    places = Places(tmp_path / "w")
    text = json.dumps(
        {"a": '"root":"x', "root": 'C:\\a "b"', "n": {"root": str(tmp_path / "w" / "雨")}}, ensure_ascii=False
    )
    kept = places.kept_text(text)
    assert json.loads(kept)["n"]["root"] == f"{INSIDE}雨"
    assert json.loads(places.found_text(kept) or "") == json.loads(text)
    assert places.found_text(None) is None
