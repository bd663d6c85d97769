"""The sample's folder: the same each time, made once, repaired when half there, and small."""

from __future__ import annotations

import getpass
import hashlib
import subprocess
import sys
import wave
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFont

from annotator import resources
from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError
from annotator.sample import SampleFolder, build_sample, script
from annotator.sample.build import MARK, PICTURES
from annotator.sample.market import DETAIL, SHELF_PX
from annotator.sample.tones import SAMPLE_RATE, signal

MOST_BYTES = 25_000_000


def digests(root: Path) -> dict[str, str]:
    files = sorted(file for file in root.rglob("*") if file.is_file())
    return {file.relative_to(root).as_posix(): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_a_second_build_gives_the_same_bytes(sample: SampleFolder, tmp_path: Path) -> None:
    again = build_sample(tmp_path / "again")
    assert digests(again.root) == digests(sample.root)


def test_all_parts_are_named_and_there(sample: SampleFolder) -> None:
    assert [len(sample.datasets), len(sample.answers), len(sample.judgements), len(sample.media)] == [2, 8, 2, 37]
    named = {*sample.datasets, *sample.answers, *sample.judgements, *sample.attributions, *sample.media, sample.labels}
    assert all(file.is_file() and file.stat().st_size > 0 for file in named)
    others = {file.name for file in sample.root.rglob("*") if file.is_file() and file not in named}
    assert others == {"README.md", MARK}


def test_it_stays_small(sample: SampleFolder) -> None:
    assert sum(file.stat().st_size for file in sample.root.rglob("*") if file.is_file()) < MOST_BYTES


def test_a_whole_sample_is_left_alone_and_a_damaged_one_made_anew(sample: SampleFolder) -> None:
    before = {file: file.stat().st_mtime_ns for file in sample.media}
    assert build_sample(sample.root) == sample
    assert {file: file.stat().st_mtime_ns for file in sample.media} == before
    want = digests(sample.root)
    sample.media[0].write_bytes(b"half")
    sample.labels.unlink()
    build_sample(sample.root)
    assert digests(sample.root) == want


def test_cancelling_stops_and_leaves_no_mark(tmp_path: Path) -> None:
    token = CancelToken()
    steps: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        steps.append((done, total))
        if done == 5:
            token.cancel()

    with pytest.raises(Cancelled):
        build_sample(tmp_path / "s", token, progress)
    assert [done for done, _ in steps] == list(range(6)) and {total for _, total in steps} == {53}
    assert not (tmp_path / "s" / MARK).exists()


def test_a_file_in_the_way_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("no folder", encoding="utf-8")
    with pytest.raises(WorldError, match="The sample cannot be written into") as told:
        build_sample(tmp_path / "taken")
    assert told.value.path == str(tmp_path / "taken") and "\n" not in told.value.sentence


def test_pictures_of_several_sizes_and_one_above_forty_megapixels(sample: SampleFolder) -> None:
    sizes = {}
    for name in PICTURES:
        with Image.open(sample.root / name) as picture:
            sizes[name] = picture.size
    assert sizes["images/market_shelf.jpg"] == SHELF_PX and SHELF_PX[0] * SHELF_PX[1] > 40_000_000
    assert len(set(sizes.values())) >= 10
    assert any(height > width for width, height in sizes.values())


def test_the_detail_is_about_twenty_pixels_high_and_legible_at_full_size(sample: SampleFolder) -> None:
    left, top, width, height = DETAIL
    with Image.open(sample.root / "images/market_shelf.jpg") as picture:
        patch = np.asarray(picture.convert("L").crop((left - 6, top - 6, left + width + 6, top + height + 6)))
    ink_rows = np.flatnonzero((patch < 110).any(axis=1))
    assert 15 <= ink_rows[-1] - ink_rows[0] + 1 <= 22
    assert patch.max() > 230 and (patch < 90).sum() > 300


def test_sounds_are_signals_as_long_as_their_questions(sample: SampleFolder) -> None:
    spoken = [turn for dialogue in script.read_dialogues() for turn in dialogue.turns if turn.audio]
    assert len(spoken) == 19
    for turn in spoken:
        with wave.open(str(sample.root / turn.audio), "rb") as sound:
            assert (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) == (SAMPLE_RATE, 1, 2)
            seconds = sound.getnframes() / SAMPLE_RATE
        assert 0.1 * len(turn.question) < seconds < 0.3 * len(turn.question)
    assert not np.array_equal(signal("现在呢？"), signal("几点了？"))
    assert 5000 < np.abs(signal("现在呢？")).max() < 20000


def test_the_earlier_rater_is_never_the_login_name() -> None:
    assert script.read_toml("sample/labels.toml")["rater"] != getpass.getuser()


@pytest.mark.parametrize("weight", ["regular", "bold"])
def test_the_sign_fonts_hold_every_character_that_is_drawn(weight: str) -> None:
    font = ImageFont.truetype(str(resources.path(f"sample/signs-{weight}.otf")), 24)
    nothing = bytes(font.getmask("\U0010ffff"))
    folder = Path(script.__file__).parent
    signs = {sign for file in folder.glob("*.py") for sign in file.read_text(encoding="utf-8") if sign > "~"}
    signs |= {chr(code) for code in range(33, 127)}
    assert [sign for sign in sorted(signs) if bytes(font.getmask(sign)) == nothing] == []


def test_the_package_is_light_until_something_is_built() -> None:
    heavy = "import annotator.sample, sys; sys.exit(bool({'numpy', 'av', 'cv2', 'PIL'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", heavy], check=False).returncode == 0
