"""Clips are real H.264 with the traits a viewer stumbles over, and every frame says which one it is."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from av.video.frame import PictureType

from annotator.sample import SampleFolder
from annotator.sample.canvas import Pixels
from annotator.sample.counter import read_counter
from annotator.sample.kitchen import Kitchen
from annotator.sample.packing import SHOTS, Packing
from annotator.sample.street import Street

CLIPS = ("street", "kitchen", *(f"packing_{n}" for n in range(1, 6)))
FRAMES = {"street": 360, "kitchen": 261, **{f"packing_{n}": 50 for n in range(1, 6)}}


def clip(sample: SampleFolder, name: str) -> Path:
    return sample.root / "clips" / f"{name}.mp4"


@pytest.mark.parametrize("name", CLIPS)
def test_every_decoded_frame_carries_its_number(sample: SampleFolder, name: str) -> None:
    with av.open(str(clip(sample, name))) as container:
        numbers = [read_counter(frame.to_ndarray(format="bgra")) for frame in container.decode(video=0)]
    assert numbers == list(range(FRAMES[name]))


@pytest.mark.parametrize("name", CLIPS)
def test_h264_with_b_frames_and_seconds_between_key_frames(sample: SampleFolder, name: str) -> None:
    with av.open(str(clip(sample, name))) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264" and stream.codec_context.pix_fmt == "yuv420p"
        frames = [(float(f.time), f.key_frame, PictureType(f.pict_type).name) for f in container.decode(stream)]
    assert {kind for _, _, kind in frames} == {"I", "P", "B"}
    keys = [time for time, key, _ in frames if key]
    assert frames[0][0] == 0.0 and keys[0] == 0.0
    assert all(later - earlier > 1.0 for earlier, later in pairwise(keys))
    if name in ("street", "kitchen"):
        assert len(keys) >= 3 and 20 <= frames[-1][0] <= 40


def test_one_clip_has_a_varying_rate_and_the_others_do_not(sample: SampleFolder) -> None:
    for name in CLIPS:
        with av.open(str(clip(sample, name))) as container:
            times = [float(f.time) for f in container.decode(video=0)]
        steps = {round(b - a, 3) for a, b in pairwise(times)}
        assert len(steps) == (7 if name == "kitchen" else 1), name


def test_sizes_differ_and_one_is_no_multiple_of_sixteen(sample: SampleFolder) -> None:
    sizes = set()
    for name in CLIPS:
        with av.open(str(clip(sample, name))) as container:
            sizes.add((container.streams.video[0].width, container.streams.video[0].height))
    assert sizes == {(854, 480), (640, 360)}


def part(frame: Pixels, box: tuple[int, int, int, int]) -> bytes:
    left, top, right, bottom = box
    return frame[top:bottom, left:right].tobytes()


BOARD, DISPLAY, DOOR, LIGHT = (36, 202, 160, 294), (366, 160, 564, 220), (364, 314, 420, 342), (735, 170, 789, 284)


@pytest.mark.parametrize(
    ("turn", "box"),
    [(0, BOARD), (1, BOARD), (2, DISPLAY), (3, DISPLAY), (4, DOOR), (5, DOOR), (6, LIGHT), (8, LIGHT)],
)
def test_on_the_street_an_answer_is_on_screen_in_its_own_turn_only(turn: int, box: tuple[int, int, int, int]) -> None:
    street = Street()
    own = {part(street.frame(turn * 4 + 0.7 + n * 0.3), box) for n in range(10)}
    others = {part(street.frame(t * 4 + 0.5 + n * 0.4), box) for t in range(9) if t != turn for n in range(9)}
    if turn == 4:  # the door sign is read once the bus stands
        own = {part(street.frame(18 + n), box) for n in range(3)}
    assert not own & others


def test_the_red_light_of_turn_eight_differs_from_its_neighbours() -> None:
    street = Street()
    seven, eight, nine = (part(street.frame(t), LIGHT) for t in (27.9, 31.9, 35.9))
    assert len({seven, eight, nine}) == 3


@pytest.mark.parametrize("border", [4.0, 8.0, 12.0, 20.0, 24.0, 28.0, 32.0])
def test_the_frame_at_a_border_still_belongs_to_the_turn_that_ends_there(border: float) -> None:
    street = Street()
    for box in (BOARD, DISPLAY, LIGHT):
        assert part(street.frame(border - 0.1), box) == part(street.frame(border), box)


def test_in_the_kitchen_what_is_asked_about_changes() -> None:
    kitchen = Kitchen()
    pills, flame, timer, bowl = (75, 200, 100, 245), (246, 205, 376, 216), (414, 198, 490, 228), (500, 214, 632, 298)
    assert part(kitchen.frame(4.0), pills) != part(kitchen.frame(8.5), pills)
    assert part(kitchen.frame(8.5), flame) != part(kitchen.frame(12.5), flame)
    assert part(kitchen.frame(12.5), timer) != part(kitchen.frame(16.0), timer) != part(kitchen.frame(20.2), timer)
    assert part(kitchen.frame(20.2), bowl) != part(kitchen.frame(25.9), bowl)


def test_on_the_line_the_panels_of_the_five_clips_all_differ() -> None:
    ends = [Packing(shot).frame(4.9) for shot in SHOTS]
    assert len({frame[44:320, 452:].tobytes() for frame in ends}) == 5
    assert all(frame.shape == (360, 640, 3) and frame.dtype == np.uint8 for frame in ends)
