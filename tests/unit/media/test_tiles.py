"""Pictures too large to be held: tiles are the whole picture's pixels, and what is kept on disk stays in bounds."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import PIL.Image
import pytest
import pyvips

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError
from annotator.media import pictures, pyramid, tiles
from annotator.media.diskcache import DiskCache
from annotator.media.service import MediaService, Urgency

FREE = 1 << 40
WIDE, HIGH = 1301, 1190


def scene(width: int = WIDE, height: int = HIGH) -> Any:
    """RGB noise over a gradient, the same at each run."""
    rng = np.random.default_rng(4)
    ramp = np.add.outer(np.arange(height) % 251, np.arange(width) % 241)[:, :, None] % 256
    return ((ramp + rng.integers(0, 60, (height, width, 3))) % 256).astype(np.uint8)


def saved(folder: Path, kind: str) -> Path:
    """A picture of a kind, as large as four by three tiles and a bit."""
    path = folder / f"{kind}.{ {'jpeg': 'jpg', 'exif': 'jpg', 'deep': 'png', 'alpha': 'png', 'strips': 'tif'}[kind] }"
    image = PIL.Image.fromarray(scene())
    if kind == "deep":
        deep = (scene()[:, :, 0].astype(np.uint16) * 9) + 3  # ten bits and a bit more: the window is a sensor's
        cv2.imwrite(str(path), deep)
    elif kind == "alpha":
        image.putalpha(PIL.Image.fromarray(scene()[:, :, 1]))
        image.save(path)
    elif kind == "exif":
        exif = PIL.Image.Exif()
        exif[0x0112] = 6
        image.save(path, quality=90, exif=exif)
    elif kind == "jpeg":
        image.save(path, quality=90, subsampling=0)
    else:
        image.save(path, compression="tiff_deflate")
    return path


def together(held: tiles.Tiles, level: int) -> Any:
    """A level put together from its tiles."""
    width, height = held.sizes[level]
    out = np.zeros((height, width, 4), np.uint8)
    columns, rows = held.grid(level)
    for row in range(rows):
        for column in range(columns):
            x, y, w, h = held.box(level, column, row)
            out[y : y + h, x : x + w] = held.tile(level, column, row)
    return out


@pytest.mark.parametrize("kind", ["strips", "jpeg", "exif", "deep", "alpha"])
def test_tiles_of_a_copy_are_the_whole_picture(tmp_path: Path, kind: str) -> None:
    path = saved(tmp_path, kind)
    whole = pictures.load_full(path)
    held = tiles.make(path, tmp_path / "kept" / "copy", FREE)
    assert held.sizes[0] == (whole.full_width_px, whole.full_height_px)
    assert np.array_equal(together(held, 0), whole.pixels)
    again = tiles.opened(path, tmp_path / "kept" / "copy")
    assert again is not None and again.sizes == held.sizes and not again.damaged
    assert np.array_equal(again.tile(0, 1, 1), held.tile(0, 1, 1))
    half = pyramid.build(whole).levels[1].astype(int)
    found = together(held, 1).astype(int)
    assert found.shape == half.shape
    assert np.abs(found - half).mean() < 1.0, "a level stands for the same places"
    assert [entry.name for entry in (tmp_path / "kept").iterdir()] == ["copy"], "nothing half made is left"


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_has_its_tiles_upright(tmp_path: Path, orientation: int) -> None:
    path = tmp_path / "o.jpg"
    exif = PIL.Image.Exif()
    exif[0x0112] = orientation
    PIL.Image.fromarray(scene(700, 1100)).save(path, quality=90, subsampling=0, exif=exif)
    held = tiles.make(path, tmp_path / "copy", FREE)
    assert np.array_equal(together(held, 0), pictures.load_full(path).pixels)


def test_a_tiff_with_its_own_pyramid_is_read_where_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "p.tif"
    image = pyvips.Image.new_from_array(scene())
    image.tiffsave(str(path), tile=True, tile_width=256, tile_height=256, pyramid=True, compression="lzw")
    held = tiles.in_original(path)
    assert held is not None and held.copy is None and len(held.sizes) > 1
    assert np.array_equal(together(held, 0), pictures.load_full(path).pixels)
    assert together(held, 1).shape[:2] == held.sizes[1][::-1]
    assert tiles.in_original(saved(tmp_path, "strips")) is None


def test_what_is_broken_is_copied_as_far_as_it_goes_and_says_so(tmp_path: Path) -> None:
    path = saved(tmp_path, "jpeg")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    held = tiles.make(path, tmp_path / "copy", FREE)
    whole = pictures.load_full(path)
    assert held.damaged and whole.damaged
    assert np.array_equal(held.tile(0, 0, 0), whole.pixels[:512, :512])
    again = tiles.opened(path, tmp_path / "copy")
    assert again is not None and again.damaged


def test_no_room_is_a_sentence_and_a_cancelled_copy_leaves_nothing(tmp_path: Path) -> None:
    path = saved(tmp_path, "strips")
    with pytest.raises(WorldError, match=r"strips\.tif needs .* of free disk") as refused:
        tiles.make(path, tmp_path / "kept" / "copy", 1000)
    assert refused.value.code == "media_no_room"
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        tiles.make(path, tmp_path / "kept" / "copy", FREE, token)
    assert not list((tmp_path / "kept").iterdir())


def test_a_damaged_copy_is_named_and_a_foreign_file_is_none(tmp_path: Path) -> None:
    path = saved(tmp_path, "strips")
    copy = tmp_path / "copy"
    held = tiles.make(path, copy, FREE)
    os.truncate(copy, 9000)
    with pytest.raises(WorldError, match="copy"):
        held.tile(0, 2, 1)
    copy.write_bytes(b"something else")
    assert tiles.opened(path, copy) is None and tiles.opened(path, tmp_path / "none") is None


def test_the_service_keeps_tiles_on_disk_and_hands_them_out(tmp_path: Path) -> None:
    path, disk = saved(tmp_path, "strips"), tmp_path / "disk"
    whole = pictures.load_full(path).pixels
    for _ in (0, 1):
        with MediaService(disk=disk) as service:
            held = service.tiles(path).result(60)
            assert np.array_equal(service.tile(held, 0, 1, 0).result(60), whole[:512, 512:1024])
            made = list((disk / "tiles").iterdir())
            assert len(made) == 1
    with MediaService() as service:
        held = service.tiles(path).result(60)
        assert held.copy is not None and held.copy.exists()
        passing = held.copy
    assert not passing.exists(), "without a folder of its own it goes with the service"


def test_previews_of_large_pictures_outlive_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.media.diskcache.PREVIEW_FROM_PIXELS", 1_000_000)
    path, disk = saved(tmp_path, "strips"), tmp_path / "disk"
    with MediaService(disk=disk) as service:
        first = service.preview(path, 640, 480).result(60)
    decoded: list[object] = []
    real = pictures.load_full
    monkeypatch.setattr(pictures, "load_full", lambda *a, **b: decoded.append(a) or real(*a, **b))
    with MediaService(disk=disk) as service:
        second = service.preview(path, 640, 480).result(60)
        assert not decoded and second.pixels.shape == first.pixels.shape
        assert (second.full_width_px, second.full_height_px, second.scale) == (WIDE, HIGH, first.scale)
        assert np.abs(second.pixels.astype(int) - first.pixels).mean() < 6
        service.preview(path, 320, 240).result(60)
        assert len(decoded) == 1, "another box is another preview"
    for place in (disk / "previews").iterdir():
        place.write_bytes(b"garbage")
    path.touch()
    with MediaService(disk=disk) as service:
        assert np.array_equal(service.preview(path, 640, 480).result(60).pixels, first.pixels)


def test_small_and_damaged_pictures_are_not_kept(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path / "disk")
    small = pictures.load_preview(saved(tmp_path, "jpeg"), 640, 480)
    assert not cache.keep_preview("x", (640, 480), small) and not (tmp_path / "disk").exists()


def test_the_longest_unused_goes_first(tmp_path: Path) -> None:
    cache = DiskCache(tmp_path, preview_bytes=2500)
    (tmp_path / "previews").mkdir()
    for number in range(4):
        place = cache.place("previews", number)
        place.write_bytes(bytes(1000))
        os.utime(place, (number, number))
    cache.touch(cache.place("previews", 0))
    cache.trim("previews")
    assert [cache.place("previews", n).exists() for n in range(4)] == [True, False, False, True]
    cache.trim("previews", coming_bytes=2400)
    assert not any(cache.place("previews", n).exists() for n in range(4))


def test_many_threads_may_keep_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.media.diskcache.PREVIEW_FROM_PIXELS", 1)
    cache, picture = DiskCache(tmp_path / "d"), pictures.load_preview(saved(tmp_path, "jpeg"), 320, 240)
    threads = [threading.Thread(target=cache.keep_preview, args=("x", (320, 240), picture)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cache.preview("x", (320, 240)) is not None
    assert len(list((tmp_path / "d" / "previews").iterdir())) == 1


def test_it_is_known_whether_a_preview_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotator.media.diskcache.PREVIEW_FROM_PIXELS", 1_000_000)
    path = saved(tmp_path, "strips")
    with MediaService(disk=tmp_path / "disk") as service:
        assert not service.keeps_preview(path, 640, 480)
        service.preview(path, 640, 480).result(60)
        assert service.keeps_preview(path, 640, 480) and not service.keeps_preview(path, 320, 240)
    with MediaService() as service:
        assert not service.keeps_preview(path, 640, 480)


def test_a_small_preview_on_disk_is_answered_at_once_and_a_large_one_by_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.media.diskcache.PREVIEW_FROM_PIXELS", 1_000_000)
    path, disk = saved(tmp_path, "strips"), tmp_path / "disk"
    with MediaService(disk=disk) as service:
        first = service.preview(path, 640, 480, lane="stage").result(60)
    (kept,) = (disk / "previews").iterdir()
    assert DiskCache(disk).preview("other", (640, 480), 10**9) is None
    with MediaService(disk=disk) as service:
        later = service.preview(path, 640, 480, lane="thumb", urgency=Urgency.SOON)
        assert later.result(60).pixels.shape == first.pixels.shape
    with MediaService(disk=disk) as service:
        asked = service.preview(path, 640, 480, lane="stage")
        assert asked.done() and asked.result().pixels.shape == first.pixels.shape
    monkeypatch.setattr("annotator.media.service.QUICK_BYTES", kept.stat().st_size - 1)
    read: list[str] = []
    plain = DiskCache.preview

    def noted(cache: DiskCache, *rest: object) -> object:
        found = plain(cache, *rest)  # type: ignore[arg-type]
        if found is not None:
            read.append(threading.current_thread().name)
        return found

    monkeypatch.setattr(DiskCache, "preview", noted)
    with MediaService(disk=disk) as service:
        service.preview(path, 640, 480, lane="stage").result(60)
    assert len(read) == 1 and read[0].startswith("media-")
