"""`probe` and `frame`: what a file is, and the picture that the viewer would show."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.unit.cli.conftest import Cli
from tests.unit.media.clips import make_clip, numbered, read_number

DATA = Path(__file__).parents[2] / "data" / "media"
FIELDS = ("kind", "width", "height", "frames", "start", "duration", "rotation", "codec", "colour", "bits", "alpha",
          "damaged", "why")  # fmt: skip


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten frames at ten a second, each with its number in it."""
    return make_clip(tmp_path_factory.mktemp("clip") / "ten.mp4", 10, "libx264")


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The awkward files, unpacked."""
    root = tmp_path_factory.mktemp("cases")
    with tarfile.open(DATA / "media.tar.gz") as tar:
        tar.extractall(root, filter="data")
    return root


def number_in(file: Path) -> int | None:
    return read_number(np.asarray(cv2.imread(str(file))))


def case(name: str) -> dict[str, Any]:
    held = json.loads((DATA / "media-cases.json").read_text("utf-8"))["cases"]
    return next(c for c in held if c["id"] == name)


def test_probe_tells_every_promised_field(cli: Cli, clip: Path) -> None:
    seen = cli("probe", clip, "--json").json
    assert [k for k in seen if k in FIELDS] == list(FIELDS)
    assert (seen["kind"], seen["width"], seen["height"], seen["frames"]) == ("video", 192, 112, 10)
    assert seen["duration"] == pytest.approx(1.0)
    assert not seen["damaged"] and seen["why"] == ""


def test_probe_for_people_is_a_table(cli: Cli, clip: Path) -> None:
    out = cli("probe", clip).out
    assert "kind" in out and "video" in out and "192" in out


@pytest.mark.parametrize(
    ("options", "number"),
    [
        ((), 0),
        (("--at", "0.3"), 3),
        (("--at", "0.39999"), 3),
        (("--at", "-5"), 0),
        (("--at", "99"), 9),
        (("--index", "7"), 7),
    ],
)
def test_frame_is_the_one_whose_interval_holds_the_time(
    cli: Cli, clip: Path, tmp_path: Path, options: tuple[str, ...], number: int
) -> None:
    cli("frame", clip, *options, "-o", tmp_path / "f.png")
    assert number_in(tmp_path / "f.png") == number


def test_a_rectangle_is_cut_from_native_pixels(cli: Cli, clip: Path, tmp_path: Path) -> None:
    cli("frame", clip, "--index", "5", "-o", tmp_path / "all.png")
    cli("frame", clip, "--index", "5", "--rect", "16,8,40,30", "-o", tmp_path / "part.png")
    whole, part = cv2.imread(str(tmp_path / "all.png")), cv2.imread(str(tmp_path / "part.png"))
    assert np.array_equal(np.asarray(whole)[8:38, 16:56], np.asarray(part))


def test_a_rectangle_of_a_picture_is_upright(cli: Cli, cases: Path, tmp_path: Path) -> None:
    held = case("M01-exif8-big")
    cli("frame", cases / held["files"][0], "--rect", "700,100,40,40", "-o", tmp_path / "part.png")
    blue, green, red = (int(v) for v in np.asarray(cv2.imread(str(tmp_path / "part.png")))[20, 20])
    wanted = next(p for p in held["expect"]["pixels"] if (p["x"], p["y"]) == (720, 160))["rgb"]
    assert max(abs(a - b) for a, b in zip((red, green, blue), wanted, strict=True)) <= 12


def test_a_folder_of_frames_needs_a_rate_for_a_time(cli: Cli, cases: Path, tmp_path: Path) -> None:
    folder = cases / "frames" / "natural"
    told = cli("frame", folder, "--at", "1", "-o", tmp_path / "f.png", code=1)
    assert "frames per second" in told.err and not (tmp_path / "f.png").exists()
    cli("frame", folder, "--at", "1", "--fps", "2", "-o", tmp_path / "f.png")
    cli("frame", folder, "--index", "2", "-o", tmp_path / "g.png")
    assert (tmp_path / "f.png").read_bytes() == (tmp_path / "g.png").read_bytes()


def test_damage_that_can_be_shown_is_a_sentence_and_a_picture(cli: Cli, tmp_path: Path) -> None:
    whole = tmp_path / "whole.jpg"
    noise = np.random.default_rng(1).integers(0, 255, (400, 600, 3), np.uint8)
    cv2.imwrite(str(whole), noise)
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    told = cli("frame", cut, "-o", tmp_path / "f.png")
    assert "cut.jpg" in told.err and told.err.count("\n") == 1
    assert (tmp_path / "f.png").stat().st_size > 0
    probed = cli("probe", cut, "--json")
    assert probed.json["damaged"] and "cut.jpg" in probed.err


def test_heic_is_refused_in_a_sentence(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "photo.jpg"
    file.write_bytes(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + b"\x00" * 64)
    told = cli("frame", file, "-o", tmp_path / "f.png", code=1)
    assert "photo.jpg" in told.err and "HEIC" in told.err and told.err.count("\n") == 1


@pytest.mark.parametrize("content", [b"", b"hello there, no picture\n", b"<html><body>404</body></html>"])
def test_what_is_no_media_is_refused(cli: Cli, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "x.png"
    file.write_bytes(content)
    for told in (cli("probe", file, code=1), cli("frame", file, "-o", tmp_path / "f.png", code=1)):
        assert "x.png" in told.err and told.err.count("\n") == 1 and not told.out


def test_a_missing_file_is_a_sentence(cli: Cli, tmp_path: Path) -> None:
    assert "gone.mp4" in cli("probe", tmp_path / "gone.mp4", code=1).err


@pytest.mark.parametrize(
    "options",
    [
        ("--at", "1", "--index", "1"),
        ("--at", "soon"),
        ("--at", "nan"),
        ("--at", "1/0"),
        ("--index", "-1"),
        ("--rect", "1,2,3"),
        ("--rect", "0,0,0,5"),
        ("--fps", "0"),
    ],
)
def test_wrong_usage_is_two(cli: Cli, clip: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    cli("frame", clip, *options, "-o", tmp_path / "f.png", code=2)
    assert not (tmp_path / "f.png").exists()


@pytest.mark.parametrize(("options", "word"), [(("--index", "10"), "frame 10"), (("--rect", "500,0,9,9"), "outside")])
def test_what_lies_outside_is_the_worlds_fault(
    cli: Cli, clip: Path, tmp_path: Path, options: tuple[str, ...], word: str
) -> None:
    told = cli("frame", clip, *options, "-o", tmp_path / "f.png", code=1)
    assert word in told.err and not (tmp_path / "f.png").exists()


def test_an_output_that_cannot_be_written_is_a_sentence(cli: Cli, clip: Path, tmp_path: Path) -> None:
    assert cli("frame", clip, "-o", tmp_path / "no" / "f.png", code=1).err.count("\n") == 1
    assert "folder" in cli("frame", clip, "-o", tmp_path, code=1).err


def test_a_picture_has_one_frame(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "one.png"
    cv2.imwrite(str(file), numbered(9))
    cli("frame", file, "--at", "12", "-o", tmp_path / "f.png")
    assert number_in(tmp_path / "f.png") == 9
    assert "single" in cli("frame", file, "--index", "1", "-o", tmp_path / "g.png", code=1).err
