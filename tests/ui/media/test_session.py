"""Newest request wins, stale answers are dropped, the stage is never left with another turn's picture."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from pytestqt.qtbot import QtBot

from annotator.ui.media_panel import MediaPanel
from tests.ui.media import material
from tests.ui.media.fake import FakeService
from tests.ui.media.test_gate import own, pictures, shared

MakePanel = Callable[[object], MediaPanel]


def test_an_answer_to_an_older_request_is_dropped(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(2)
    fake.held = True
    panel.session.go(0, Fraction(1))
    older = fake.asked[-1]
    panel.session.go(0, Fraction(2))
    newer = fake.asked[-1]
    assert older.future.cancelled(), "the engine is told to give the older one up"
    fake.deliver(newer)
    assert panel.session.at is not None
    assert older.at == 1 and newer.at == 2


def test_a_stale_answer_that_was_already_on_its_way_is_dropped(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, qtbot: QtBot
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(2)
    fake.held = True
    panel.session.go(0, Fraction(1))
    older = fake.asked[-1]
    fake.deliver(older)  # completed; its parcel lies in the event queue
    panel.session.go(0, Fraction(3))
    newer = fake.asked[-1]
    seen: list[Fraction | None] = []
    panel.session.moved.connect(lambda: seen.append(panel.session.at))
    fake.deliver(newer)
    qtbot.waitUntil(lambda: panel.session.at == 3)
    assert Fraction(1) not in seen


def test_another_dialogue_drops_all_that_is_on_its_way(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, qtbot: QtBot
) -> None:
    panel = make_panel(fake)
    fake.held = True
    panel.show_review(pictures(tmp_path))
    panel.show_turn(0)
    first = list(fake.asked)
    panel.show_review(material.review("image", [[]], item="dialogue:ffff"))
    panel.show_turn(0)
    for asked in first:
        fake.deliver(asked)
    qtbot.wait(20)
    assert panel.stage.picture is None and panel.stage.state is not None and panel.stage.state.why == "none"


def test_no_picture_of_another_turn_stays_while_the_new_one_is_fetched(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, qtbot: QtBot
) -> None:
    panel = make_panel(fake)
    panel.show_review(own(tmp_path))
    panel.show_turn(0)
    assert panel.stage.picture is not None
    fake.held = True
    panel.show_turn(2)
    assert panel.stage.picture is None and panel.stage.state is None
    while any(not a.future.done() for a in fake.asked):
        fake.deliver(next(a for a in fake.asked if not a.future.done()))
        qtbot.wait(5)
    assert panel.stage.picture is not None and panel.session.stop == 2


def test_a_preview_comes_first_and_the_whole_follows_in_its_place(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, qtbot: QtBot
) -> None:
    panel = make_panel(fake)
    fake.held = True
    panel.show_review(pictures(tmp_path))
    panel.show_turn(0)
    fake.deliver(next(a for a in fake.of("preview") if a.lane == "stage-first"))
    qtbot.waitUntil(lambda: panel.stage.picture is not None)
    assert panel.stage.picture is not None and not panel.stage.picture.native
    panel.stage.zoom_to(2.0)
    place = panel.stage.viewport.visible()
    fake.deliver(next(a for a in fake.of("pyramid") if a.lane == "stage"))
    qtbot.waitUntil(lambda: panel.stage.picture is not None and panel.stage.picture.native)
    assert panel.stage.viewport.visible() == place


def test_a_whole_that_is_refused_leaves_its_preview(make_panel: MakePanel, tmp_path: Path) -> None:
    fake = FakeService(refuse={"pyramid:0.png": "0.png has too many pixels."})
    panel = make_panel(fake)
    panel.show_review(pictures(tmp_path))
    panel.show_turn(0)
    assert panel.stage.picture is not None and not panel.stage.picture.native and panel.stage.state is None


def test_what_the_engine_refuses_is_said_on_the_stage(make_panel: MakePanel, tmp_path: Path) -> None:
    fake = FakeService(refuse={"a.mp4": "a.mp4 of model-b is damaged: get the file again."})
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(0)
    state = panel.stage.state
    assert state is not None and state.why == "failed"
    assert state.texts()[1] == "a.mp4 of ••• is damaged: get the file again."


def test_frames_asked_for_in_a_burst_add_up(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, qtbot: QtBot
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(2)
    assert panel.session.index == 50
    fake.held = True
    for _ in range(4):
        panel.handle("frame_back")
    fake.deliver(next(a for a in reversed(fake.asked) if a.lane == "stage"))
    qtbot.waitUntil(lambda: panel.session.index == 46)


def test_stepping_back_prepares_the_frames_before(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(2)
    assert panel.session.index is not None
    before, here = len(fake.asked), panel.session.index
    panel.handle("frame_back")
    warmed = [round(a.at * 10) for a in fake.asked[before:] if a.what == "frame" and a.lane != "stage"]
    assert panel.session.index == here - 1
    assert warmed == list(range(here - 2, here - 14, -1))
    panel.session.go_index(1)
    before = len(fake.asked)
    panel.handle("frame_back")
    assert panel.session.index == 0 and not [a for a in fake.asked[before:] if a.lane != "stage"], "there are none"


def test_home_and_end_are_the_segments_first_and_last_frame(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(2)
    panel.handle("segment_start")
    assert panel.session.at == Fraction(5, 2), "it begins where the turn before ends"
    panel.handle("segment_end")
    assert panel.session.at == 5
    panel.show_turn(0)
    panel.handle("segment_start")
    assert panel.session.at == 0


def test_a_turn_that_was_open_before_is_prepared_and_up_at_once(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(own(tmp_path))
    for turn in (0, 1, 0):
        panel.show_turn(turn)
    fake.asked.clear()
    panel.strip.warm()
    warm = [a for a in fake.asked if isinstance(a.lane, tuple) and a.lane[0] == "warm" and a.what == "frame"]
    assert [a.path.name for a in warm] == ["1.mp4"]
    panel.show_turn(1)
    assert panel.stage.picture is not None and panel.session.index == 119


def test_nothing_of_a_turn_that_was_never_open_is_prepared(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(own(tmp_path))
    panel.show_turn(0)
    panel.strip.warm()
    assert {a.path.name for a in fake.asked} == {"0.mp4"}


def test_pictures_of_earlier_turns_stay_in_reach(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    panel.show_review(pictures(tmp_path))
    panel.show_turn(1)
    assert panel.session.stop == 1
    panel.handle("frame_back")
    assert panel.session.stop == 0
    panel.handle("frame_forward")
    panel.handle("frame_forward")
    assert panel.session.stop == 1, "the third picture is not open yet"
    panel.show_turn(2)
    assert panel.session.stop is None and panel.stage.state is not None
    panel.handle("frame_back")
    assert panel.session.stop == 1, "from a turn without a picture back leads to the last open one"


def test_the_panels_own_service_ends_with_it_and_a_borrowed_one_does_not(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(0)
    panel.close_media()
    assert not fake.ended
    panel.loader.close(end_service=True)
    assert fake.ended


def test_a_drag_shows_key_frames_and_the_exact_one_when_the_hand_rests(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, qtbot: QtBot
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(2)
    panel.timeline.scrub.emit(0, Fraction(3))
    assert fake.asked[-1].what == "scrub" and "key frame nearby" in panel.tools._note.text()
    assert panel.viewing(2)["played"] < 0.1, "what is passed over is not watched"
    qtbot.waitUntil(lambda: fake.asked[-1].what == "frame" and fake.asked[-1].at == 3)
    assert panel.session.index == 30 and "key frame" not in panel.tools._note.text()


def test_a_key_frame_beyond_the_gate_is_not_shown_while_dragging(make_panel: MakePanel, tmp_path: Path) -> None:
    fake = FakeService(key_frames_late=True)
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(1)
    panel.timeline.scrub.emit(0, Fraction(2))
    assert fake.asked[-1].what == "scrub" and panel.session.at == Fraction(5, 2)


def test_nothing_runs_on_a_hidden_page(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(2)
    panel.handle("segment_start")
    panel.handle("play")
    panel.hide()
    assert not panel.motion.playback.on
