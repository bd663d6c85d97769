"""A takedown takes with it what the user's cache keeps of the file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from annotator import settings
from annotator.media import keeping
from annotator.media.desk import identity_of
from annotator.media.diskcache import DiskCache
from annotator.media.pictures import Picture
from annotator.workspace.assets import hash_file
from tests.helpers.imports import bring, video, workspace, write


def kept(path: Path) -> list[Path]:
    """A preview and a copy of a file in the user's cache folder."""
    cache = DiskCache(settings.cache_dir())
    picture = Picture(np.full((20, 30, 4), 7, np.uint8), 3000, 3000, 0.01)
    identity = identity_of(path)
    assert cache.keep_preview(identity, (30, 30), picture) and cache.keep_preview(identity, (60, 60), picture)
    copy = cache.place("tiles", identity)
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(b"tiles")
    return [cache.place("previews", identity, (side, side)) for side in (30, 60)] + [copy]


@pytest.mark.parametrize("by", ["path", "sha256"])
def test_a_takedown_removes_previews_and_tiles_at_once_and_no_others(tmp_path: Path, by: str) -> None:
    root = tmp_path / "root"
    (root / "clips").mkdir(parents=True)
    for k in range(2):
        (root / "clips" / f"{k}.mp4").write_bytes(b"clip %d" % k)
    with workspace(tmp_path) as store:
        bring(store, write(root / "d.json", [video("d1")]), root)
        stays, goes = (kept(root / "clips" / f"{k}.mp4") for k in (0, 1))
        name = {"path": "clips/1.mp4"} if by == "path" else {"sha256": hash_file(root / "clips" / "1.mp4")}
        entry = {**name, "source": "s", "terms": "t", "release_form": "file", "takedown": True}
        bring(store, write(tmp_path / "m.json", [entry]))
    assert all(path.exists() for path in stays) and not any(path.exists() for path in goes)


def test_without_a_takedown_nothing_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "forget", lambda *_: pytest.fail("nothing is to be forgotten"))
    with workspace(tmp_path) as store:
        bring(store, write(tmp_path / "m.json", [{"path": "a", "source": "s", "terms": "t", "takedown": False}]))


def test_what_is_kept_is_found_by_the_files_name(tmp_path: Path) -> None:
    PIL.Image.new("RGB", (9, 9)).save(tmp_path / "a b.png")
    places = kept(tmp_path / "a b.png")
    folder = settings.cache_dir()
    assert keeping.forget(folder, ["b.png", "a b", ""]) == 0 and keeping.forget(folder, []) == 0
    assert keeping.forget(folder, ["media\\a b.png"]) == len(places)
    assert keeping.forget(folder / "none", ["a b.png"]) == 0
