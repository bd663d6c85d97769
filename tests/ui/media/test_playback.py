"""Playing against a clock of the test's own."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from annotator.ui.media_panel import MediaPanel
from tests.ui.media import material
from tests.ui.media.fake import FakeService
from tests.ui.media.test_gate import own, shared

MakePanel = Callable[[object], MediaPanel]


@pytest.fixture
def clock() -> list[float]:
    return [100.0]


@pytest.fixture
def panel(make_panel: MakePanel, fake: FakeService, tmp_path: Path, clock: list[float]) -> MediaPanel:
    made = make_panel(fake)
    made.motion.playback._clock = lambda: clock[0]
    made.show_review(shared(tmp_path))
    made.show_turn(2)
    return made


def run(panel: MediaPanel, clock: list[float], seconds: float) -> None:
    clock[0] += seconds
    panel.motion.playback._tick()


def test_the_clock_says_which_frame_is_shown(panel: MediaPanel, clock: list[float]) -> None:
    panel.handle("segment_start")
    assert panel.session.index == 25
    panel.handle("play")
    assert panel.motion.playback.on
    run(panel, clock, 0.05)
    assert panel.session.index == 25
    run(panel, clock, 0.06)
    assert panel.session.index == 26
    run(panel, clock, 1.0)
    assert panel.session.index == 36, "late frames are left out"


def test_playing_ends_at_the_gate_and_starts_over_from_the_segment(panel: MediaPanel, clock: list[float]) -> None:
    panel.handle("play")
    assert panel.session.index == 25, "at the end it begins again at the turn's first frame"
    run(panel, clock, 60)
    assert panel.session.index == 50 and panel.session.at == 5
    assert not panel.motion.playback.on


def test_pause_stays_where_it_is(panel: MediaPanel, clock: list[float]) -> None:
    panel.handle("segment_start")
    panel.handle("play")
    run(panel, clock, 0.5)
    panel.handle("play")
    assert not panel.motion.playback.on and panel.session.index == 30


@pytest.mark.parametrize("action", ["frame_back", "second_forward", "segment_end"])
def test_moving_by_hand_pauses(panel: MediaPanel, clock: list[float], action: str) -> None:
    panel.handle("segment_start")
    panel.handle("play")
    panel.handle(action)
    assert not panel.motion.playback.on


def test_another_turn_pauses(panel: MediaPanel) -> None:
    panel.handle("segment_start")
    panel.handle("play")
    panel.show_turn(1)
    assert not panel.motion.playback.on


def test_a_slow_decoder_has_one_request_under_way(
    panel: MediaPanel, fake: FakeService, clock: list[float], qtbot: QtBot
) -> None:
    panel.handle("segment_start")
    panel.handle("play")
    fake.held = True
    run(panel, clock, 0.11)
    waiting = [a for a in fake.asked if a.lane == "stage" and not a.future.done()]
    assert len(waiting) == 1
    fake.deliver(waiting[0])
    qtbot.waitUntil(lambda: panel.session.index == 26)
    assert panel.motion.playback.on


def test_the_clock_starts_when_the_next_frame_is_there(
    panel: MediaPanel, fake: FakeService, clock: list[float]
) -> None:
    panel.handle("segment_start")
    fake.held = True
    panel.handle("play")
    playback = panel.motion.playback
    clock[0] += 7
    playback._roll()
    assert playback.on and panel.session.index == 25 and playback._now() == Fraction(5, 2), "it stands meanwhile"
    for asked in fake.waiting():
        fake.deliver(asked)
    playback._roll()
    assert playback._now() == Fraction(5, 2)
    fake.held = False
    run(panel, clock, 0.11)
    assert panel.session.index == 26


def test_the_clock_does_not_wait_for_ever(panel: MediaPanel, fake: FakeService, clock: list[float]) -> None:
    panel.handle("segment_start")
    fake.held = True
    panel.handle("play")
    for _ in range(100):
        panel.motion.playback._roll()
    clock[0] += 1
    assert panel.motion.playback._now() == Fraction(7, 2)


def test_frames_are_prepared_ahead_once_each_and_left_behind(
    panel: MediaPanel, fake: FakeService, clock: list[float]
) -> None:
    panel.handle("segment_start")
    fake.asked.clear()
    fake.left.clear()
    shown: list[int | None] = []
    panel.session.moved.connect(lambda: shown.append(panel.session.index))
    panel.handle("play")
    for _ in range(19):
        run(panel, clock, 0.101)
    assert shown == list(range(26, 45))
    warmed = [round(a.at * 10) for a in fake.of("frame") if a.lane != "stage"]
    assert warmed == list(range(26, 49)), "up to four ahead of the one shown"
    assert [index for _, index in fake.left] == list(range(13, 33)), "twelve stay for steps back"
    assert {index for _, index in panel.loader._ahead._made} == {45, 46, 47, 48}, "what was shown was taken"


def test_what_is_made_ahead_is_for_the_stage_as_it_was(
    panel: MediaPanel, fake: FakeService, clock: list[float]
) -> None:
    panel.handle("segment_start")
    panel.handle("play")
    made = dict(panel.loader._ahead._made)
    assert made
    (path, index), (stage, ready) = next(iter(made.items()))
    assert panel.loader._ahead.take(path, index, stage) is ready
    panel.loader._ahead._made[path, index] = stage, ready
    assert panel.loader._ahead.take(path, index, None) is None, "zoomed in since"


def test_what_was_played_is_a_viewing_fact(panel: MediaPanel, clock: list[float]) -> None:
    panel.handle("segment_start")
    before = panel.viewing(2)["played"]
    panel.handle("play")
    for _ in range(12):
        run(panel, clock, 0.1)
    after = panel.viewing(2)
    assert after["played"] - before == pytest.approx(1.2 / 2.5, abs=0.06) and after["opened"] == 1.0


def test_pictures_do_not_play(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    panel.show_review(material.review("image", [[material.found(tmp_path, "a.png", "image")]]))
    panel.show_turn(0)
    panel.handle("play")
    assert not panel.motion.playback.on


def test_a_clip_of_its_own_plays_whole(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    now = [0.0]
    panel.motion.playback._clock = lambda: now[0]
    panel.show_review(own(tmp_path))
    panel.show_turn(1)
    panel.handle("play")
    assert panel.session.at == 0
    now[0] = 11.95
    panel.motion.playback._tick()
    assert panel.session.at == Fraction(119, 10) and not panel.motion.playback.on
