"""Every awkward clip and folder of frames of the case files: each frame by index, out of order, backwards, by time."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.errors import WorldError
from annotator.media.clip import Clip
from annotator.media.display import to_rgb
from annotator.media.folder import FrameFolder
from annotator.media.opening import Film, open_film
from annotator.media.probe import probe
from tests.unit.media.clips import read_number
from tests.unit.media.conftest import load_cases

CASES = load_cases("video")
FOLDERS = [case for case in CASES if "folder" in case["expect"]]
WHOLE = [case for case in CASES if case["policy"] in ("show", "show_or_refuse") and case not in FOLDERS]
PARTIAL = [case for case in CASES if case["policy"] == "show_partial_or_refuse"]
REFUSED = [case for case in CASES if case["policy"] == "refuse"]


def file_of(case: dict[str, Any], root: Path) -> Path:
    return root / case["files"][0].rstrip("/")


def numbers(film: Film, order: Any) -> list[int | None]:
    return [read_number(film.frame(i).pixels) for i in order]


def test_no_case_is_left_out() -> None:
    assert len(CASES) == 49
    assert len(FOLDERS) + len(WHOLE) + len(PARTIAL) + len(REFUSED) == len(CASES)


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case["id"])
def test_every_frame_forward_out_of_order_and_backward(case: dict[str, Any], media_root: Path) -> None:
    expect = case["expect"]
    with open_film(file_of(case, media_root)) as film:
        assert len(film) == expect["n_frames"]
        assert (film.width, film.height) == (expect["display_w"], expect["display_h"])
        for i in range(len(film)):
            frame = film.frame(i)
            assert (frame.index, frame.exact, frame.damaged, frame.why) == (i, True, False, "")
            assert frame.pixels.shape == (film.height, film.width, 4) and frame.pixels.flags.c_contiguous
        if "frames" in expect:
            assert numbers(film, range(len(film))) == expect["frames"]
            assert numbers(film, reversed(range(len(film)))) == expect["frames"][::-1]
        for step in expect.get("seek_order", []):
            assert read_number(film.frame(step["index"]).pixels) == step["n"]
        assert not film.damaged and film.why == ""


@pytest.mark.parametrize("case", [c for c in WHOLE if "pts_rel" in c["expect"]], ids=lambda case: case["id"])
def test_the_frame_at_a_time_is_the_one_whose_interval_holds_it(case: dict[str, Any], media_root: Path) -> None:
    expect = case["expect"]
    with open_film(file_of(case, media_root)) as film:
        assert [float(t) for t in film.times] == pytest.approx(expect["pts_rel"], abs=1e-4)
        assert float(film.start) == pytest.approx(expect["start_time_raw"], abs=1e-4)
        for point in expect["at"] + expect.get("hold", []):
            frame = film.frame_at(point["t"])
            assert read_number(frame.pixels) == point["n"]
            assert frame.index == point.get("index", frame.index)
        for i, t in enumerate(film.times):
            assert film.index_at(t) == i
            assert film.index_at(t - Fraction(1, 10**9)) == max(0, i - 1)
        assert film.index_at(-5) == 0 and film.index_at(10**6) == len(film) - 1


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case["id"])
def test_each_frame_is_right_on_a_cold_decoder(case: dict[str, Any], media_root: Path) -> None:
    expect = case["expect"]
    if "frames" not in expect:
        assert case["id"] == "M49-limited"
        return
    for index in (len(expect["frames"]) - 1, len(expect["frames"]) // 2, len(expect["frames"]) // 3):
        with open_film(file_of(case, media_root)) as film:
            assert read_number(film.frame(index).pixels) == expect["frames"][index]


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case["id"])
def test_a_preview_is_what_it_says_it_is(case: dict[str, Any], media_root: Path) -> None:
    with open_film(file_of(case, media_root)) as film:
        for index, t in list(enumerate(film.times))[::3]:
            preview = film.preview_at(t)
            assert preview.exact == (preview.index == index)
            assert preview.index <= index
            assert read_number(preview.pixels) == read_number(film.frame(preview.index).pixels)


@pytest.mark.parametrize("case", [c for c in WHOLE if "codec" in c["expect"]], ids=lambda case: case["id"])
def test_the_probe_of_a_clip(case: dict[str, Any], media_root: Path) -> None:
    expect = case["expect"]
    seen = probe(file_of(case, media_root))
    assert (seen.width, seen.height, seen.frames) == (expect["display_w"], expect["display_h"], expect["n_frames"])
    assert seen.codec == expect["codec"] and seen.rotation == expect["rotation_flag"]
    assert seen.kind == ("image" if expect["codec"] == "gif" else "video")
    assert not seen.damaged and seen.why == ""
    if "pts_rel" in expect:
        assert seen.start == pytest.approx(expect["start_time_raw"], abs=1e-4)
        assert seen.duration is not None and seen.duration > expect["pts_rel"][-1]


@pytest.mark.parametrize("case", [c for c in WHOLE if "pixels_frame0" in c["expect"]], ids=lambda case: case["id"])
def test_the_colours_and_the_way_up(case: dict[str, Any], media_root: Path) -> None:
    with open_film(file_of(case, media_root)) as film:
        rgb = to_rgb(film.frame(0).pixels).astype(int)
    for point in case["expect"]["pixels_frame0"]:
        assert np.abs(rgb[point["y"], point["x"]] - np.array(point["rgb"])).max() <= point["tol"]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["id"])
def test_what_has_no_picture_is_refused_by_name(case: dict[str, Any], media_root: Path) -> None:
    path = file_of(case, media_root)
    with pytest.raises(WorldError) as caught:
        open_film(path)
    assert path.name in caught.value.sentence


def test_a_clip_cut_at_its_head_starts_with_its_first_clean_frame(media_root: Path) -> None:
    expect = next(case for case in PARTIAL if case["id"] == "M35-ts-headcut")["expect"]
    with Clip(media_root / "videos" / "M35-headcut.ts") as clip:
        seen = numbers(clip, range(len(clip)))
        assert expect["n_frames_range"][0] <= len(clip) <= expect["n_frames_range"][1]
        assert seen == list(range(24, 60))
        assert clip.damaged and "beginning is cut off" in clip.why and "M35-headcut.ts" in clip.why


def test_a_clip_cut_at_its_end_shows_what_there_is(media_root: Path) -> None:
    expect = next(case for case in PARTIAL if case["id"] == "M36-cut-mkv")["expect"]
    with Clip(media_root / "videos" / "M36-cut.mkv") as clip:
        good = [n for n in numbers(clip, range(len(clip))) if n is not None]
        assert expect["decodable_range"][0] <= len(good) <= expect["decodable_range"][1]
        assert good[0] == expect["first_n"] and good[-1] == expect["last_good_n"]
        assert clip.damaged and "M36-cut.mkv" in clip.why and "ends at 2.5 s" in clip.why
    assert probe(media_root / "videos" / "M36-cut.mkv").damaged


def test_flipped_bytes_mark_frames_and_move_none(media_root: Path) -> None:
    expect = next(case for case in PARTIAL if case["id"] == "M36-garbled")["expect"]
    path = media_root / "videos" / "M36-garbled.mp4"
    with Clip(path) as clip:
        clip.damaged_frames()
        low, high = expect["n_frames_range"]
        assert low <= len(clip) <= high
        assert [float(t) for t in clip.times] == pytest.approx([i / 10 for i in range(60)])
        marks = {}
        for i in range(len(clip)):
            frame = clip.frame(i)
            marks[i] = frame.damaged
            if not frame.damaged:
                assert frame.exact and read_number(frame.pixels) == i
            else:
                assert frame.why and path.name in frame.why
        assert not marks[0] and any(marks.values()) and not all(marks.values())
        # Marks do not depend on the way a frame is reached.
        assert {i: clip.frame(i).damaged for i in reversed(range(len(clip)))} == marks
    seen = probe(path)
    assert seen.damaged and path.name in seen.why


@pytest.mark.parametrize("case", FOLDERS, ids=lambda case: case["id"])
def test_a_folder_of_frames(case: dict[str, Any], media_root: Path) -> None:
    expect = case["expect"]
    path = file_of(case, media_root)
    with FrameFolder(path, fps=2) as folder:
        assert [file.name for file in folder.files] == [name for name, _ in expect["order"]]
        assert numbers(folder, range(len(folder))) == expect["frames"]
        assert numbers(folder, reversed(range(len(folder)))) == expect["frames"][::-1]
        assert (folder.width, folder.height) == (expect["display_w"], expect["display_h"])
        assert list(folder.missing_numbers) == expect.get("missing_numbers", [])
        # A number stands for its time: where some are missing, later ones do not shift.
        assert [folder.times[i] * 2 for i in range(len(folder))] == [n - expect["frames"][0] for n in expect["frames"]]
    seen = probe(path, fps=2)
    assert (seen.kind, seen.frames) == ("frames", expect["n_frames"])


def test_a_gap_in_a_folder_holds_the_frame_before_it_and_is_said(media_root: Path) -> None:
    with FrameFolder(media_root / "frames" / "gaps", fps=1) as folder:
        assert read_number(folder.frame_at(4).pixels) == 3
        assert read_number(folder.frame_at(5).pixels) == 5
        assert folder.frame_at(99).index == len(folder) - 1
        assert "frames missing in the numbering: 4, 7" in folder.notes


def test_a_folder_without_a_rate_has_no_times_to_ask_for(media_root: Path) -> None:
    with FrameFolder(media_root / "frames" / "natural") as folder:
        assert read_number(folder.frame(2).pixels) == 3
        with pytest.raises(WorldError, match="frames per second"):
            folder.frame_at(1)
    assert probe(media_root / "frames" / "natural").duration is None
