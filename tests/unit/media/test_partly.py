"""A large picture while it is decoded: seen from the top down, decoded once, whoever asks for it."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from annotator.cancel import Cancelled, CancelToken
from annotator.media import pictures
from annotator.media.header import read_header
from annotator.media.partly import Partly
from annotator.media.pictures import Picture
from annotator.media.service import MediaService
from annotator.media.turns import Turns

WAIT_S = 30
WIDE, HIGH = 600, 2100


def made(path: Path, orientation: int = 1) -> Path:
    """A PNG of some strips, every block of its own colour."""
    blocks = np.random.default_rng(3).integers(0, 256, (HIGH // 50, WIDE // 50, 3), np.uint8)
    exif = PIL.Image.Exif()
    exif[274] = orientation
    PIL.Image.fromarray(np.kron(blocks, np.ones((50, 50, 1), np.uint8))).save(path, exif=exif)
    return path


def ticking() -> float:
    """A clock by which every strip comes late enough to be told."""
    ticking.now += 1.0  # type: ignore[attr-defined]
    return float(ticking.now)  # type: ignore[attr-defined]


ticking.now = 0.0  # type: ignore[attr-defined]


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_parts_grow_from_the_stored_top_and_end_as_the_preview(tmp_path: Path, orientation: int) -> None:
    path = made(tmp_path / "p.png", orientation)
    parts: list[Picture] = []
    partly = Partly(read_header(path), (300, 300), parts.append, ticking)
    whole = pictures.load_full(path, seen=partly)
    preview = pictures.reduced(whole, 300, 300)
    known = [(part.pixels != 128).any(2) for part in parts]
    assert all(np.array_equal(parts[-1].pixels[k], part.pixels[k]) for part, k in zip(parts, known, strict=True))
    assert [round(k.mean(), 2) for k in known] == pytest.approx(
        [(128 + 512 * n) / HIGH for n in (0, 1, 2, 3)] + [1.0], abs=0.02
    )
    last = parts[-1]
    assert last.pixels.shape == preview.pixels.shape and last.scale == preview.scale
    assert (last.full_width_px, last.full_height_px) == (whole.full_width_px, whole.full_height_px)
    assert np.abs(last.pixels.astype(int) - preview.pixels).mean() < 4


def test_parts_are_not_told_more_often_than_an_eye_follows(tmp_path: Path) -> None:
    path = made(tmp_path / "p.png")
    parts: list[Picture] = []
    pictures.load_full(path, seen=Partly(read_header(path), (300, 300), parts.append, lambda: 5.0))
    assert len(parts) == 2, "the first at once, and the last"


def test_a_watched_picture_is_decoded_once_for_preview_and_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.media.service.PARTS_FROM_PIXELS", 1)
    path, other = made(tmp_path / "p.png"), made(tmp_path / "q.png")
    decoded: list[str] = []
    plain = pictures.load_full

    def counted(path: str, *rest: object, **more: object) -> Picture:
        decoded.append(Path(path).name)
        return plain(path, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(pictures, "load_full", counted)
    parts: list[Picture] = []
    with MediaService() as service:
        service.watch(path, 300, 300, parts.append)
        asked = (service.preview(path, 300, 300, lane="a"), service.pyramid(path, lane="b"))
        asked[0].result(WAIT_S), asked[1].result(WAIT_S)
        assert decoded == ["p.png"] and parts and parts[0].pixels.shape[0] == 300
        seen = len(parts)
        service.pyramid(other, lane="b").result(WAIT_S)
        assert len(parts) == seen, "another picture is not what is watched"


def test_small_pictures_and_jpegs_tell_no_parts(tmp_path: Path) -> None:
    parts: list[Picture] = []
    PIL.Image.new("RGB", (3000, 3000)).save(tmp_path / "j.jpg")
    for path in (made(tmp_path / "p.png"), tmp_path / "j.jpg"):
        with MediaService() as service:
            service.watch(path, 300, 300, parts.append)
            service.pyramid(path, lane="a").result(WAIT_S)
    assert not parts


def test_one_at_a_time_and_a_cancelled_one_stops_waiting() -> None:
    turns, inside, leave = Turns(), threading.Event(), threading.Event()

    def hold() -> None:
        with turns.taken("file", CancelToken()):
            inside.set()
            leave.wait(WAIT_S)

    holder = threading.Thread(target=hold)
    holder.start()
    assert inside.wait(WAIT_S)
    with turns.taken("other", CancelToken()):
        pass
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled), turns.taken("file", token):
        pytest.fail("it is held")
    leave.set()
    with turns.taken("file", CancelToken()):
        pass
    holder.join()
