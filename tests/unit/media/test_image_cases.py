"""Every awkward picture of the case files, with its right values."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.errors import WorldError
from annotator.media.animation import Animation
from annotator.media.pictures import Picture, crop, load_full, load_preview, to_rgb
from annotator.media.probe import probe
from tests.unit.media.clips import read_number
from tests.unit.media.conftest import load_cases

CASES = load_cases("image")
SHOWN = [case for case in CASES if case["policy"] in ("show", "show_or_refuse", "show_partial_or_refuse")]
REFUSED = [case for case in CASES if case["policy"] == "refuse"]

# Allowed to be refused, and refused: over the pixel budget (docs/media.md).
OVER_BUDGET = {"M11-bomb-gif", "M11-real-30k-1bit"}

CHECKER = ((255, 255, 255), (235, 235, 235))


def ids(cases: list[dict[str, Any]]) -> list[str]:
    return [case["id"] for case in cases]


def near(rgb: np.ndarray, point: dict[str, Any]) -> bool:
    have = rgb[point["y"], point["x"]].astype(int)
    return bool(np.abs(have - np.array(point["rgb"])).max() <= point["tol"])


def file_of(case: dict[str, Any], root: Path) -> Path:
    return root / case["files"][0]


def test_no_case_is_left_out() -> None:
    assert len(CASES) == 50
    assert {case["id"] for case in SHOWN} | {case["id"] for case in REFUSED} == {case["id"] for case in CASES}


@pytest.mark.parametrize("case", [c for c in SHOWN if c["id"] not in OVER_BUDGET], ids=lambda case: case["id"])
def test_a_picture_is_shown_with_its_right_values(case: dict[str, Any], media_root: Path) -> None:
    expect = case["expect"]
    started = time.monotonic()
    whole = load_full(file_of(case, media_root))
    assert time.monotonic() - started < case.get("max_seconds", 10)
    assert (whole.full_width_px, whole.full_height_px) == (expect["display_w"], expect["display_h"])
    assert whole.pixels.shape == (expect["display_h"], expect["display_w"], 4)
    assert whole.pixels.dtype == np.uint8 and whole.pixels.flags.c_contiguous
    assert int(whole.pixels[0, :, 3].min()) == 255
    rgb = to_rgb(whole.pixels)
    assert [p for p in expect.get("pixels", []) if not near(rgb, p)] == []
    for point in expect.get("backdrop", []):
        shown = rgb[point["y"], point["x"]].astype(int)
        assert np.abs(shown - np.array(point["hidden_rgb"])).max() > 40
        assert tuple(shown.tolist()) in CHECKER
    must_be_marked = case["policy"] == "show_partial_or_refuse"
    assert whole.damaged == must_be_marked
    assert bool(whole.why) == must_be_marked


@pytest.mark.parametrize("case", [c for c in SHOWN if c["id"] not in OVER_BUDGET], ids=lambda case: case["id"])
def test_its_preview_and_crops_lie_where_the_whole_does(case: dict[str, Any], media_root: Path) -> None:
    path = file_of(case, media_root)
    whole = load_full(path)
    preview = load_preview(path, 48, 48)
    height, width = preview.pixels.shape[:2]
    assert 1 <= width <= 48 and 1 <= height <= 48
    assert (preview.full_width_px, preview.full_height_px) == (whole.full_width_px, whole.full_height_px)
    assert (width >= height) == (whole.full_width_px >= whole.full_height_px)
    assert preview.damaged == whole.damaged and preview.notes == whole.notes
    for point in case["expect"].get("pixels", []):
        cut = crop(whole, point["x"] - 2, point["y"] - 2, 5, 5)
        inside = cut[point["y"] - max(0, point["y"] - 2), point["x"] - max(0, point["x"] - 2)]
        assert inside.tolist() == whole.pixels[point["y"], point["x"]].tolist()


@pytest.mark.parametrize("case", REFUSED, ids=ids(REFUSED))
def test_a_picture_is_refused_by_name(case: dict[str, Any], media_root: Path) -> None:
    path = file_of(case, media_root)
    for look in (load_full, probe, lambda p: load_preview(p, 64, 64)):
        with pytest.raises(WorldError) as caught:
            look(path)
        assert path.name in caught.value.sentence
        assert caught.value.sentence.endswith(".")


@pytest.mark.parametrize("name", sorted(OVER_BUDGET))
def test_over_the_budget_is_refused_by_name(name: str, media_root: Path) -> None:
    case = next(case for case in CASES if case["id"] == name)
    with pytest.raises(WorldError) as caught:
        load_full(file_of(case, media_root))
    assert file_of(case, media_root).name in caught.value.sentence
    assert "megapixels" in caught.value.sentence


@pytest.mark.parametrize("name", ["M11-bomb-50k", "M11-bomb-gif", "M11-real-30k-1bit", "M11-ztxt-bomb"])
def test_a_bomb_stays_within_its_memory_and_time(name: str, media_root: Path) -> None:
    case = next(case for case in CASES if case["id"] == name)
    script = (
        "import resource, sys\n"
        "from annotator.errors import WorldError\n"
        "from annotator.media.pictures import load_full, load_preview\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for look in (load_full, lambda p: load_preview(p, 800, 600)):\n"
        "    try:\n"
        "        look(sys.argv[1])\n"
        "    except WorldError:\n"
        "        pass\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(file_of(case, media_root))],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert int(done.stdout) / 1024 < case["max_rss_growth_mb"]


def test_nine_hundred_megapixels_are_shown_reduced_and_in_native_crops(media_root: Path) -> None:
    path = media_root / "images" / "M11-real-30k-1bit.png"
    preview = load_preview(path, 300, 200)
    assert preview.pixels.shape == (200, 200, 4)
    assert (preview.full_width_px, preview.full_height_px) == (30_000, 30_000)
    assert int(preview.pixels[:, :, :3].max()) == 0
    assert any("shown reduced" in note for note in preview.notes)
    assert crop(path, 29_990, 100, 30, 20).shape == (20, 10, 4)


def test_twelve_bits_in_sixteen_are_shown_through_a_stated_window(media_root: Path) -> None:
    whole = load_full(media_root / "images" / "M03-gray12in16.png")
    row = whole.pixels[20, :, 0].astype(int)
    assert (np.diff(row) >= 0).all() and row[0] == 0 and row[-1] == 255
    assert (row >= 250).mean() < 0.5
    assert whole.notes == ("16-bit picture, values 0 to 4095 shown from black to white",)


def test_sixteen_bits_keep_their_levels(media_root: Path) -> None:
    whole = load_full(media_root / "images" / "M03-gray16.tif")
    assert len(np.unique(whole.pixels[20, :, 0])) >= 200
    assert whole.notes == ("16-bit picture, shown with 8 bits per channel",)


@pytest.mark.parametrize("name", ["M19-bad-icc", "M19-lab-icc"])
def test_a_profile_that_cannot_be_used_is_ignored_and_said(name: str, media_root: Path) -> None:
    case = next(case for case in CASES if case["id"] == name)
    assert any("profile" in note and "ignored" in note for note in load_full(file_of(case, media_root)).notes)


@pytest.mark.parametrize("name", ["M15-gif", "M15-gif-zero-delay"])
def test_the_frames_of_a_gif(name: str, media_root: Path) -> None:
    case = next(case for case in CASES if case["id"] == name)
    path = file_of(case, media_root)
    expect = case["expect"]
    with Animation(path) as moving:
        assert len(moving) == expect["n_frames"]
        assert [read_number(moving.frame(i).pixels) for i in range(len(moving))] == expect["frames"]
        backward = [read_number(moving.frame(i).pixels) for i in reversed(range(len(moving)))]
        assert backward[::-1] == expect["frames"]
        assert list(moving.durations_ms) == expect.get("durations_ms", [100] * len(moving))
        begins = 0
        for i, stays in enumerate(moving.durations_ms):
            assert moving.times[i] * 1000 == begins
            assert moving.frame_at((begins + stays // 2) / 1000).index == i
            begins += stays
        assert moving.frame_at(-1).index == 0 and moving.frame_at(99).index == len(moving) - 1
    assert read_number(load_full(path).pixels) == expect["first_frame_n"]
    assert probe(path).frames == expect["n_frames"]


def test_the_whole_is_a_picture(media_root: Path) -> None:
    whole = load_full(media_root / "images" / "M06-1x1.png")
    assert isinstance(whole, Picture) and whole.scale == 1.0 and whole.nbytes == 4
