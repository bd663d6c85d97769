from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QWheelEvent
from pytestqt.qtbot import QtBot

from annotator.ui import density
from annotator.ui.media_gate import EvidenceGate
from annotator.ui.timeline import TimelineView
from annotator.ui.timeline_model import Axis, Scene, tick_step
from annotator.ui.timeline_parts import gate_text, slots
from annotator.workspace.views import ReviewView
from tests.ui.media import material
from tests.ui.media.test_gate import VIEWS, mixed, own, pictures, send_mouse, shared


def scene_of(view: ReviewView, turn: int | None, durations: dict[int, Fraction] | None = None) -> Scene:
    gate = EvidenceGate(view.strip)
    gate.open_turn(turn)
    names = tuple(f"file {k}" for k in range(len(view.strip.stops)))
    return Scene(gate, turns=view.turns, names=names, durations=durations or {}, current=turn)


@pytest.fixture
def strip(qtbot: QtBot) -> TimelineView:
    made = TimelineView()
    qtbot.addWidget(made)
    made.resize(700, 139)
    made.show()
    return made


def backwards(root: Path) -> ReviewView:
    return material.review("video", [[material.found(root, "a.mp4")]] * 5, ("9", "2", None, "2", "2026-01-01"))


def crowded(root: Path) -> ReviewView:
    return material.review("video", [[material.found(root, "a.mp4")]] * 30, [f"{k / 10 + 1:.1f}" for k in range(30)])


def bare(root: Path) -> ReviewView:
    return material.review("video", [[], [], []])


def bare_pictures(root: Path) -> ReviewView:
    return material.review("image", [[], [], [material.broken("missing", "x.png", "image")]])


ALL = {**VIEWS, "backwards": backwards, "crowded": crowded, "bare": bare, "bare_pictures": bare_pictures}


@pytest.mark.parametrize("kind", sorted(ALL))
@pytest.mark.parametrize("turn", [0, None])
def test_every_turn_has_a_place_in_order(strip: TimelineView, tmp_path: Path, kind: str, turn: int | None) -> None:
    view = ALL[kind](tmp_path)
    strip.show_scene(scene_of(view, turn))
    found = [strip.turn_at(x) for x in range(strip.width())]
    assert {t for t in found if t is not None} == set(range(len(view.turns)))
    order = [t for t in found if t is not None]
    assert order == sorted(order)
    for k in range(len(view.turns)):
        x = strip.x_of_turn(k)
        assert x is not None and strip.turn_at(x) == k


def test_beside_the_strip_there_is_no_turn(strip: TimelineView, tmp_path: Path) -> None:
    strip.show_scene(scene_of(shared(tmp_path), 0))
    assert strip.turn_at(10) is None and strip.turn_at(-1) is None and strip.turn_at(700) is None
    strip.show_scene(None)
    assert strip.turn_at(300) is None


def test_a_turns_block_ends_where_its_time_says(tmp_path: Path) -> None:
    axis = Axis(scene_of(shared(tmp_path), 2, {0: Fraction(12)}), 1200)
    blocks = {b.turn: b for b in axis.blocks}
    assert blocks[0].left == 0 and blocks[0].right == pytest.approx(100)
    assert blocks[2].left == pytest.approx(250) and blocks[2].right == pytest.approx(500)
    assert not blocks[3].placed and not blocks[5].placed
    assert axis.gate_x() == pytest.approx(500)
    assert axis.shut() == [(pytest.approx(500), pytest.approx(1200))]


def test_clips_lie_end_to_end(tmp_path: Path) -> None:
    axis = Axis(scene_of(own(tmp_path), 1, {0: Fraction(5), 1: Fraction(10), 2: Fraction(20), 3: Fraction(5)}), 400)
    assert [axis.span_of(k) for k in range(4)] == [(0, 50), (50, 150), (150, 350), (350, 400)]
    assert axis.place_at(75) == (1, Fraction(5, 2))
    assert axis.gate_x() == 150 and axis.shut() == [(150, 400)]
    assert axis.place_at(-1) is None and axis.place_at(401) is None


def test_time_and_pixels_are_inverse(tmp_path: Path) -> None:
    axis = Axis(scene_of(mixed(tmp_path), None, {0: Fraction(9), 1: Fraction(3), 2: Fraction(5)}), 1000)
    for stop, at in ((0, Fraction(4)), (1, Fraction(1)), (2, Fraction(49, 10))):
        place = axis.place_at(axis.x_of(stop, at))
        assert place is not None and place[0] == stop and abs(place[1] - at) <= Fraction(1, 100)


def test_pictures_are_cells_of_equal_width(tmp_path: Path) -> None:
    axis = Axis(scene_of(pictures(tmp_path), 1), 500)
    assert [(c.turn, c.stop) for c in axis.cells] == [(0, 0), (1, 1), (2, None), (3, 0), (4, 2)]
    assert axis.cell_width == 100
    assert axis.turn_at(250) == 2 and axis.place_at(250) is None and axis.place_at(350) == (0, 0)


def test_thumbnails_begin_inside_the_gate(tmp_path: Path) -> None:
    axis = Axis(scene_of(shared(tmp_path), 1, {0: Fraction(12)}), 1200)
    got = slots(axis, 0, 50, 0, 1200)
    assert got and all(at <= Fraction(5, 2) for _, _, at in got) and got[-1][1] <= 250.01
    assert slots(Axis(scene_of(own(tmp_path), 0), 600), 1, 50, 0, 600) == []


def signals(strip: TimelineView) -> list[tuple[Any, ...]]:
    said: list[tuple[Any, ...]] = []
    strip.turn_clicked.connect(lambda k: said.append(("turn", k)))
    strip.seek.connect(lambda stop, at: said.append(("seek", stop, at)))
    strip.scrub.connect(lambda stop, at: said.append(("scrub", stop, at)))
    strip.refused.connect(lambda stop, at: said.append(("refused", stop, at)))
    return said


def click(strip: TimelineView, x: float, y: float) -> None:
    send_mouse(strip, QEvent.Type.MouseButtonPress, x, y)
    send_mouse(strip, QEvent.Type.MouseButtonRelease, x, y)


def test_a_click_on_a_turn_opens_it_and_one_on_the_frames_goes_there(strip: TimelineView, tmp_path: Path) -> None:
    strip.show_scene(scene_of(shared(tmp_path), 2, {0: Fraction(12)}))
    said = signals(strip)
    for k in range(7):
        click(strip, strip.x_of_turn(k) or 0, 85)
    assert said == [("turn", k) for k in range(7)]
    said.clear()
    x = strip.x_of(0, Fraction(4))
    assert x is not None
    click(strip, x, 40)
    click(strip, x, 6)
    assert [s[:2] for s in said] == [("seek", 0)] * 2 and abs(said[0][2] - 4) < Fraction(1, 50)
    said.clear()
    click(strip, strip.x_of(0, Fraction(8)) or 0, 40)
    assert [s[0] for s in said] == ["refused"]


def test_a_drag_follows_the_pointer_as_far_as_the_gate(strip: TimelineView, tmp_path: Path) -> None:
    strip.show_scene(scene_of(shared(tmp_path), 2, {0: Fraction(12)}))
    said = signals(strip)
    send_mouse(strip, QEvent.Type.MouseButtonPress, strip.x_of(0, Fraction(1)) or 0, 40)
    for second in (2, 4, 6, 11):
        send_mouse(strip, QEvent.Type.MouseMove, strip.x_of(0, Fraction(second)) or 0, 40)
    send_mouse(strip, QEvent.Type.MouseButtonRelease, 600, 40)
    send_mouse(strip, QEvent.Type.MouseMove, 100, 40)
    assert [s[0] for s in said] == ["seek", "scrub", "scrub", "refused", "refused", "refused"]
    said.clear()
    send_mouse(strip, QEvent.Type.MouseButtonPress, strip.x_of(0, Fraction(1)) or 0, 40)
    send_mouse(strip, QEvent.Type.MouseMove, strip.x_of(0, Fraction(2)) or 0, 40)
    send_mouse(strip, QEvent.Type.MouseButtonRelease, strip.x_of(0, Fraction(3)) or 0, 40)
    assert [s[0] for s in said] == ["seek", "scrub", "seek"], "at the end of a drag the exact instant is wanted"


def test_a_picture_is_shown_in_the_session_view_and_opens_its_turn_else(strip: TimelineView, tmp_path: Path) -> None:
    view = pictures(tmp_path)
    strip.show_scene(scene_of(view, None))
    said = signals(strip)
    click(strip, strip.x_of_turn(4) or 0, 80)
    assert said == [("seek", 2, 0)]
    said.clear()
    strip.show_scene(scene_of(view, 1))
    click(strip, strip.x_of_turn(4) or 0, 80)
    assert said == [("turn", 4)]


def test_the_wheel_zooms_about_the_pointer(strip: TimelineView, tmp_path: Path) -> None:
    strip.show_scene(scene_of(shared(tmp_path), None, {0: Fraction(120)}))
    x = strip.x_of(0, Fraction(60)) or 0
    for _ in range(6):
        event = QWheelEvent(
            QPointF(x, 40), QPointF(x, 40), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        strip.wheelEvent(event)
    assert strip._zoom > 3 and abs((strip.x_of(0, Fraction(60)) or 0) - x) < 1.5


def test_keys_on_the_strip_are_those_of_the_transport(strip: TimelineView, tmp_path: Path, qtbot: QtBot) -> None:
    strip.show_scene(scene_of(shared(tmp_path), 2, {0: Fraction(12)}))
    strip.set_playhead(0, Fraction(4))
    said: list[str] = []
    strip.action.connect(said.append)
    turns = signals(strip)
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End):
        qtbot.keyClick(strip, key)
    qtbot.keyClick(strip, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(strip, Qt.Key.Key_Return)
    assert said == ["frame_back", "frame_forward", "segment_start", "segment_end", "second_forward"]
    assert turns == [("turn", 2)]


@pytest.mark.parametrize(
    ("make", "turn", "text"),
    [
        (shared, 2, "turn 3 sees up to 00:05.0"),
        (shared, 3, "turn 4: time not readable, clip open"),
        (own, 1, "turn 2 sees clips up to 2"),
        (pictures, 1, "Turn 2 sees 2 of 3 pictures"),
        (pictures, 2, "turn 3 has no evidence"),
        (pictures, None, "Session view: all 3 pictures are open"),
        (shared, None, "session view: everything is open"),
    ],
)
def test_the_flag_says_what_the_gate_does(
    tmp_path: Path, make: Callable[[Path], ReviewView], turn: int | None, text: str
) -> None:
    assert gate_text(scene_of(make(tmp_path), turn))[0] == text


def test_the_playhead_repaints_its_own_column_only(strip: TimelineView, tmp_path: Path, qtbot: QtBot) -> None:
    strip.show_scene(scene_of(shared(tmp_path), None, {0: Fraction(12)}))
    strip.set_playhead(0, Fraction(4))
    qtbot.waitUntil(lambda: strip._kept is not None)
    kept = strip._kept
    strip.set_playhead(0, Fraction(5))
    strip.grab()
    assert strip._kept is kept


@pytest.mark.parametrize("size", [QSize(1366, 768), QSize(1600, 1000), QSize(2560, 1440)])
@pytest.mark.parametrize("kind", sorted(ALL))
def test_it_paints_in_every_size_and_kind(strip: TimelineView, tmp_path: Path, kind: str, size: QSize) -> None:
    density.update_for(size)
    view = ALL[kind](tmp_path)
    for turn in (None, 0, len(view.turns) - 1):
        strip.show_scene(scene_of(view, turn))
        image = strip.grab().toImage()
        assert image.height() == density.metrics().timeline
        assert len({image.pixel(x, y) for x in range(0, 700, 7) for y in range(0, image.height(), 5)}) > 3


def test_ruler_steps_are_round_and_leave_room() -> None:
    assert tick_step(0.2) == 15 and tick_step(0.001) == Fraction(1, 10) and tick_step(1000) == 3600
