"""The clip's sound as the clock, against a null sink whose device runs at a rate of its own."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from annotator.media.sound import decode_pcm
from annotator.ui.media_clip_sound import SoundClock
from annotator.ui.media_panel import MediaPanel
from tests.ui.media import material
from tests.ui.media.fake import FakeService
from tests.ui.media.test_gate import own, shared

MakePanel = Callable[[object], MediaPanel]


class NullSink:
    """A sound device without sound: it takes samples at `speed` times the wall, told in `step` seconds."""

    def __init__(self, wall: list[float], speed: float = 1.0, step: float = 0.0) -> None:
        self.wall, self.speed, self.step = wall, speed, step
        self.began = 0.0
        self.seconds = 0.0
        self.stalled_at: float | None = None
        self.played: list[int] = []
        self._on = False

    @property
    def on(self) -> bool:
        return self._on and self._heard() < self.seconds

    def play(self, pcm: Any, rate: int) -> bool:
        self._on, self.began, self.seconds = True, self.wall[0], pcm.shape[0] / rate
        self.played.append(pcm.shape[0])
        return True

    def _heard(self) -> float:
        now = self.wall[0] if self.stalled_at is None else self.stalled_at
        return (now - self.began) * self.speed

    def position(self) -> float:
        heard = min(self._heard(), self.seconds)
        return heard // self.step * self.step if self.step else heard

    def stop(self) -> None:
        self._on = False


@pytest.fixture
def wall() -> list[float]:
    return [50.0]


def make(
    make_panel: MakePanel, fake: FakeService, view: Any, turn: int, wall: list[float], sink: NullSink
) -> MediaPanel:
    fake.sounds.update({"a.mp4": 12, "0.mp4": 12, "1.mp4": 12})
    panel = make_panel(fake)
    play = panel.motion.playback
    play._clock = lambda: wall[0]
    assert play.sound is not None
    play.sound.player = sink
    play.sound._clock = SoundClock(sink, lambda: wall[0])
    panel.show_review(view)
    panel.show_turn(turn)
    panel.handle("segment_start")
    return panel


def run(panel: MediaPanel, wall: list[float], seconds: float) -> None:
    for _ in range(round(seconds / 0.02)):
        wall[0] += 0.02
        panel.motion.playback._then()


@pytest.mark.parametrize("speed", [0.97, 1.0, 1.04])
def test_pictures_follow_the_sound_and_not_the_wall(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, wall: list[float], speed: float
) -> None:
    sink = NullSink(wall, speed, step=0.02)
    panel = make(make_panel, fake, own(tmp_path), 0, wall, sink)
    panel.handle("play")
    assert sink.on, "the track was at hand and is heard from the first frame on"
    run(panel, wall, 10)
    assert panel.session.at is not None
    assert abs(float(panel.session.at) - 10 * speed) <= 0.13, "a frame's length and the device's step"


def test_a_stalled_device_holds_the_picture(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, wall: list[float]
) -> None:
    sink = NullSink(wall)
    panel = make(make_panel, fake, own(tmp_path), 0, wall, sink)
    panel.handle("play")
    run(panel, wall, 2)
    sink.stalled_at = wall[0]
    held = panel.session.index
    run(panel, wall, 3)
    assert panel.session.index is not None and held is not None
    assert panel.session.index - held <= 1, "pictures never run ahead of what is heard"


def test_after_the_sound_ends_the_wall_clock_goes_on(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, wall: list[float]
) -> None:
    sink = NullSink(wall)
    panel = make(make_panel, fake, own(tmp_path), 0, wall, sink)
    fake.sounds["0.mp4"] = 4
    panel.handle("play")
    run(panel, wall, 8)
    assert not sink.on and panel.motion.playback.on
    assert abs(float(panel.session.at or 0) - 8) <= 0.2


def test_only_what_the_gate_opens_is_decoded_and_heard(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, wall: list[float]
) -> None:
    sink = NullSink(wall)
    panel = make(make_panel, fake, shared(tmp_path), 1, wall, sink)
    panel.handle("play")
    assert [a.at for a in fake.of("sound") if a.path.name == "a.mp4"] == [Fraction(5, 2)]
    # From 1 s to the gate at 2.5 s, whatever the device was given.
    assert sink.played == [round(1.5 * 48_000)]


def test_away_from_the_usual_speed_it_is_silent_and_in_time(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, wall: list[float]
) -> None:
    sink = NullSink(wall)
    panel = make(make_panel, fake, own(tmp_path), 0, wall, sink)
    panel.handle("faster")
    panel.handle("faster")
    assert panel.motion.playback.rate == 2
    panel.handle("play")
    assert not sink.played
    run(panel, wall, 3)
    assert abs(float(panel.session.at or 0) - 6) <= 0.15
    for _ in range(9):
        panel.handle("slower")
    assert panel.motion.playback.rate == Fraction(1, 4), "a quarter is the slowest"
    before = float(panel.session.at or 0)
    run(panel, wall, 4)
    assert abs(float(panel.session.at or 0) - before - 1) <= 0.15
    for _ in range(2):
        panel.handle("faster")
    assert sink.played, "back at the usual speed it is heard again"


def test_muting_goes_on_by_the_wall_clock(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, wall: list[float]
) -> None:
    sink = NullSink(wall, 1.04)
    panel = make(make_panel, fake, own(tmp_path), 0, wall, sink)
    panel.handle("play")
    run(panel, wall, 1)
    panel.handle("clip_sound")
    assert not sink.on and panel.motion.playback.on
    run(panel, wall, 2)
    assert abs(float(panel.session.at or 0) - 3.04) <= 0.15


def test_the_loop_goes_round_the_turns_segment(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, wall: list[float]
) -> None:
    sink = NullSink(wall)
    panel = make(make_panel, fake, shared(tmp_path), 2, wall, sink)
    panel.handle("loop")
    panel.handle("play")
    seen: list[int] = []
    for _ in range(400):
        run(panel, wall, 0.02)
        seen.append(panel.session.index or 0)
    assert panel.motion.playback.on
    assert min(seen) >= 25 and max(seen) == 50, "from where the turn before ends to the gate, and never beyond"
    assert sum(b < a for a, b in pairwise(seen)) == 3, "three times round in eight seconds"


def test_a_clip_without_sound_plays_silently(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, wall: list[float]
) -> None:
    fake.refuse["sound:0.mp4"] = "0.mp4 holds no sound."
    said: list[str] = []
    panel = make(make_panel, fake, own(tmp_path), 0, wall, NullSink(wall))
    panel.message.connect(lambda _kind, text: said.append(text))
    panel.handle("play")
    run(panel, wall, 1)
    assert panel.motion.playback.on and abs(float(panel.session.at or 0) - 1) <= 0.15 and said == []


def test_the_clock_never_runs_back(wall: list[float]) -> None:
    sink = NullSink(wall, step=0.1)
    sink.play(material_pcm(), 48_000)
    clock = SoundClock(sink, lambda: wall[0])
    clock.restart()
    told: list[float] = []
    for _ in range(60):
        wall[0] += 0.017
        told.append(clock.seconds())
    assert told == sorted(told)
    steps = [b - a for a, b in pairwise(told[10:])]
    assert max(steps) < 0.06, "between the steps of the device it goes on by the wall clock"


def material_pcm() -> Any:
    import numpy as np

    return np.zeros((96_000, 1), np.int16)


def test_a_part_of_a_track_is_decoded_to_the_sample(tmp_path: Path) -> None:
    path = material.make_sound(tmp_path / "a.wav", 3)
    whole, part = decode_pcm(path), decode_pcm(path, until=Fraction(5, 4))
    assert part.pcm.shape[0] == 60_000 and not part.damaged
    assert (part.pcm == whole.pcm[:60_000]).all()
