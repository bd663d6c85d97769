"""Nothing beyond the as-of gate is ever asked of the media engine, whichever way one tries."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent

from annotator.domain.gate import Strip
from annotator.domain.sheet import Cell
from annotator.ui.evidence_model import pins_of
from annotator.ui.media_gate import EvidenceGate
from annotator.ui.media_panel import MediaPanel
from annotator.ui.media_parcels import frame_index
from annotator.workspace.views import ReviewView
from tests.ui.media import material
from tests.ui.media.fake import Asked, FakeService

MakePanel = Callable[[object], MediaPanel]
TIMES = ("1", "2.5", "3-5", "soon", "7", "6", "11")


def shared(root: Path) -> ReviewView:
    clip = material.found(root, "a.mp4")
    return material.review("video", [[clip]] * 7, TIMES, [material.found(root, "q.wav", "audio")] * 7)


def own(root: Path) -> ReviewView:
    return material.review("video", [[material.found(root, f"{k}.mp4")] for k in range(4)], ("1", "2", "3", "4"))


def pictures(root: Path) -> ReviewView:
    evidence = [[material.found(root, f"{k}.png", "image")] for k in (0, 1, 0, 2)]
    evidence.insert(2, [])
    return material.review("image", evidence)


def mixed(root: Path) -> ReviewView:
    a, b, c = (material.found(root, f"{n}.mp4") for n in "abc")
    return material.review("video", [[a], [b], [a], [b, c], []], ("2", "3", "5", "8", "9"))


VIEWS = {"shared": shared, "own": own, "pictures": pictures, "mixed": mixed}


def with_pins(view: ReviewView, root: Path) -> ReviewView:
    """The view with frames given to the model at each turn, and a pin on every part of every file, seen or not."""
    turns = tuple(
        t.model_copy(update={"frames": tuple(material.found(root, f"given{t.index}.{k}.png", "frame") for k in (0, 1))})
        for t in view.turns
    )
    cells = dict(view.sheet.cells)
    for stop in view.strip.stops:
        for second in range(0, 12, 3):
            value = {"asset": stop.asset.raw, "time": second, "frame": second * 10, "box": [1, 1, 8, 8]}
            cells["turn:0", f"evidence:{stop.asset.raw}{second}"] = Cell(value)
    cells["turn:1", "evidence"] = Cell({"asset": "given1.1.png", "time": None, "frame": None, "box": None})
    dialogue = view.dialogue.model_copy(update={"turns": turns})
    strip = Strip(view.dialogue.modality, turns)
    return replace(view, dialogue=dialogue, turns=turns, strip=strip, sheet=replace(view.sheet, cells=cells))


def limits(view: ReviewView, turn: int) -> dict[str, Fraction | None]:
    """By file name, how far the turn sees; what is not named is shut. From the rule, not from the code tested."""
    seen: dict[str, Fraction | None] = {}
    for k in range(turn + 1):
        for asset in view.turns[k].evidence:
            name = Path(asset.inside or "").name
            count = sum(asset in t.evidence for t in view.turns)
            if view.dialogue.modality == "image" or count == 1:
                seen[name] = None
                continue
            users = [t for t in view.turns[: turn + 1] if asset in t.evidence]
            ends = [t.timestamp.end_exact for t in users]
            seen[name] = None if ends[-1] is None else max(e for e in ends if e is not None)
    return seen


def wider(one: dict[str, Fraction | None], other: dict[str, Fraction | None]) -> dict[str, Fraction | None]:
    """What either of two turns sees; None is a whole file."""
    both = dict(one)
    for name, until in other.items():
        mine = both.get(name, until)
        both[name] = None if mine is None or until is None else max(mine, until)
    return both


def check(asked: list[Asked], view: ReviewView, turn: int, visited: Collection[int] = ()) -> None:
    """Every request for pixels lies inside the turn's gate.

    What the next turn opens with may be prepared, unseen, if that turn was open before.
    """
    open_now = limits(view, turn)
    # A later turn may see less of a clip than this one: what is open now stays open to what is prepared.
    ahead = wider(open_now, limits(view, turn + 1)) if turn + 1 in visited else open_now
    for one in asked:
        if one.path.suffix == ".wav":
            continue
        if one.path.name.startswith("given"):
            assert int(one.path.name[5]) <= turn, f"{one.path.name} while turn {turn} is open"
            continue
        if one.what == "sound":
            limit = open_now[one.path.name]
            assert limit is None or (one.at is not None and one.at <= limit), "sound beyond the gate"
            continue
        warm = isinstance(one.lane, tuple) and str(one.lane[0]).startswith("warm")
        allowed = ahead if warm else open_now
        assert one.path.name in allowed, f"{one.what} of {one.path.name} while turn {turn} is open"
        until = allowed[one.path.name]
        if one.at is not None and until is not None:
            assert one.at <= until, f"{one.what} at {one.at} while turn {turn} sees up to {until}"


ACTIONS = (
    *("frame_back", "frame_forward", "second_back", "second_forward", "segment_start", "segment_end", "play"),
    *("fit", "fill", "actual_size", "double_size", "zoom_in", "zoom_out", "rotate", "navigator", "loupe_pin", "peek"),
    *("evidence", "compare", "contact_sheet", "model_frames", "adjust", "keep_zoom", "copy_crop", "unblur", "loop"),
    *("faster", "unplayable", "pins", "cards", "time", "thumbs", "tick", "given_by_pin"),
    *("question_audio", "loupe_on", "loupe_off", "seek", "drag", "click", "keys", "wheel", "resize", "typed", "grab"),
    *("play_on", "hold", "deliver", "deliver_some"),
)
moves = st.lists(st.tuples(st.sampled_from(ACTIONS), st.floats(0, 1)), min_size=1, max_size=14)


def do(panel: MediaPanel, action: str, share: float) -> None:
    """One of the ways by which a person reaches for evidence."""
    strip = panel.timeline
    x = share * strip.width()
    if action in ("seek", "drag", "click"):
        y = {"seek": 5.0, "drag": 30.0, "click": strip.height() - 12.0}[action]
        path = [x, strip.width() - 3.0] if action == "drag" else [x]
        kinds = [QEvent.Type.MouseButtonPress, *[QEvent.Type.MouseMove] * (len(path) - 1)]
        for kind, at in zip(kinds, path, strict=True):
            send_mouse(strip, kind, at, y)
        send_mouse(strip, QEvent.Type.MouseButtonRelease, path[-1], y)
    elif action == "keys":
        for key in (Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Right):
            strip.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.ShiftModifier))
    elif action == "typed":
        for stop in range(len(panel.session.gate.strip.stops)):
            panel.session.go(stop, Fraction(round(share * 12000), 1000))
            panel.session.go_index(round(share * 119))
    elif action in ("loupe_on", "loupe_off"):
        panel.hold("loupe", action == "loupe_on")
    elif action == "resize":
        panel.resize(600 + round(share * 300), 700)
    elif action == "grab":
        panel.grab()
    elif action in ("hold", "deliver", "deliver_some"):
        hold(panel, action, share)
    elif not do_indirectly(panel, action, share):
        panel.handle(action)


def do_indirectly(panel: MediaPanel, action: str, share: float) -> bool:
    """Ways that lead to evidence without pointing at it; whether the action is one of them."""
    if action == "time":
        for text in (f"{share * 13:.3f}", f"#{round(share * 130)}", "0:0:99", "junk"):
            panel._typed(text)
    elif action in ("pins", "cards", "given_by_pin"):
        for pin in pins_of(panel._view):
            panel.asides.evidence.crop(pin, lambda *_: None)
            panel.go_to_pin(pin.target, pin.field)
    elif action == "thumbs":
        panel.strip._ask_thumbs([(s, Fraction(round(share * 12000), 1000)) for s in range(4)])
    elif action == "tick":
        panel.motion.playback._clock = lambda: share * 20
        panel.motion.playback._tick()
    elif action == "play_on":
        # From the first frame, so that it goes on into the next turn, with thumbnails asked for beside it.
        panel.session.go_index(0)
        if not panel.motion.playback.on:
            panel.handle("play")
        panel.strip._ask_thumbs([(s, Fraction(round(share * 12000), 1000)) for s in range(4)])
    elif action == "wheel":
        panel.timeline._zoom = 1 + share * 20
        panel.timeline.scene_changed()
    else:
        return False
    return True


def hold(panel: MediaPanel, action: str, share: float) -> None:
    """Let answers wait from now on, or bring (some of) those that wait home: into a later turn, if it opens before."""
    fake: Any = panel.loader.service
    fake.held = action == "hold"
    if action != "hold":
        waiting = fake.waiting()
        for asked in waiting[: len(waiting) if action == "deliver" else round(share * len(waiting))]:
            fake.deliver(asked)
        QCoreApplication.sendPostedEvents(panel.loader, 0)


def send_mouse(widget: object, kind: QEvent.Type, x: float, y: float) -> None:
    event = QMouseEvent(
        kind, QPointF(x, y), QPointF(x, y), Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )  # fmt: skip
    handler = {
        QEvent.Type.MouseButtonPress: "mousePressEvent",
        QEvent.Type.MouseMove: "mouseMoveEvent",
        QEvent.Type.MouseButtonRelease: "mouseReleaseEvent",
    }[kind]
    getattr(widget, handler)(event)


@pytest.mark.parametrize("kind", sorted(VIEWS))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_way_of_moving_asks_for_anything_beyond_the_gate(
    make_panel: MakePanel, tmp_path: Path, kind: str, data: st.DataObject
) -> None:
    fake = FakeService(seconds={"a.mp4": 12})
    panel = make_panel(fake)
    view = with_pins(VIEWS[kind](tmp_path), tmp_path)
    panel.show_review(view)
    assert not fake.asked, "nothing is asked for before a turn is open"
    visited: set[int] = set()
    for turn in data.draw(st.lists(st.integers(0, len(view.turns) - 1), min_size=1, max_size=4)):
        fake.asked.clear()
        panel.show_turn(turn)
        panel.strip.warm()
        for action, share in data.draw(moves):
            do(panel, action, share)
        panel.grab()
        visited.add(turn)
        check(fake.asked, view, turn, visited)
        stop, at = panel.session.stop, panel.session.at
        if stop is not None and at is not None:
            assert panel.session.gate.allows(stop, at)
        for at_stop, at in panel.timeline._thumbs.images:
            assert panel.session.gate.allows(at_stop, at if panel.timeline.scene.is_video else None)
    panel.close_media()


def test_what_is_open_may_be_prepared_where_the_next_turn_sees_less(tmp_path: Path) -> None:
    """A turn without an end sees the whole clip, the next one 7 s of it."""
    view = shared(tmp_path)
    fake = FakeService()
    fake.frame(tmp_path / "a.mp4", 117, lane=("warm", tmp_path / "a.mp4", 5))
    assert (limits(view, 3)["a.mp4"], limits(view, 4)["a.mp4"]) == (None, 7)
    check(fake.asked, view, 3, visited={4})
    with pytest.raises(AssertionError, match="sees up to 7"):
        check(fake.asked, view, 4)


def test_the_check_itself_notices_a_leak(tmp_path: Path) -> None:
    view = shared(tmp_path)
    fake = FakeService()
    fake.frame(tmp_path / "a.mp4", 26)
    with pytest.raises(AssertionError, match="sees up to"):
        check(fake.asked, view, 1)
    fake = FakeService()
    fake.frame(tmp_path / "1.mp4", 0)
    with pytest.raises(AssertionError, match="while turn 0 is open"):
        check(fake.asked, own(tmp_path), 0)


def test_a_refused_seek_moves_nothing_and_says_so_quietly(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    said: list[tuple[str, str]] = []
    panel.message.connect(lambda kind, text: said.append((kind, text)))
    panel.show_review(shared(tmp_path))
    panel.show_turn(1)
    before, count = panel.session.at, len(fake.asked)
    assert not panel.session.go(0, Fraction(3))
    assert panel.session.at == before == Fraction(5, 2) and len(fake.asked) == count
    assert said == [("info", "Beyond the gate; Y to peek (logged).")]


def test_stepping_stops_at_the_last_frame_the_turn_sees(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(0)
    assert panel.session.at == 1
    panel.handle("frame_forward")
    assert panel.session.at == 1
    panel.handle("frame_back")
    panel.handle("second_forward")
    assert panel.session.at == 1
    panel.handle("second_forward")
    assert panel.session.at == 1


def test_a_peek_is_asked_for_and_opens_only_when_told(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    wanted: list[dict[str, object]] = []
    panel.peek_wanted.connect(wanted.append)
    panel.show_review(shared(tmp_path))
    panel.show_turn(1)
    panel.session.go(0, Fraction(9))
    panel.handle("peek")
    assert wanted == [{"turn": 1, "stop": 0, "at": 9.0}]
    assert not panel.session.go(0, Fraction(9)), "asking opens nothing"
    panel.open_peek()
    assert panel.session.at == 9, "what was refused is shown once the peek is logged"
    panel.handle("peek")
    assert len(wanted) == 1, "one peek is enough"
    panel.show_turn(1)
    assert not panel.session.gate.allows(0, Fraction(9)), "opening a turn ends the peek"
    assert panel.session.at == Fraction(5, 2)


def test_the_session_view_opens_everything_and_keeps_the_stage(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(1)
    panel.show_turn(None)
    assert panel.session.at == Fraction(5, 2)
    assert panel.session.go(0, Fraction(11))
    panel.show_turn(1)
    assert panel.session.at == Fraction(5, 2)
    assert all(at <= Fraction(5, 2) for _, at in panel.timeline._thumbs.images)


def test_a_late_key_frame_of_a_thumbnail_is_not_shown(make_panel: MakePanel, tmp_path: Path) -> None:
    fake = FakeService(key_frames_late=True)
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(1)
    panel.grab()
    asked = [a.at for a in fake.of("scrub")]
    assert asked and all(at <= Fraction(5, 2) for at in asked)
    assert all(at + 1 <= Fraction(5, 2) for _, at in panel.timeline._thumbs.images)


def test_an_unreadable_time_opens_the_clip_and_says_so(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    said: list[str] = []
    panel.message.connect(lambda _kind, text: said.append(text))
    panel.show_review(shared(tmp_path))
    panel.show_turn(3)
    assert panel.session.go(0, Fraction(11))
    assert said == ["The time of turn 4 cannot be read: its whole clip is open."]


@pytest.mark.parametrize("way", ["turn", "review"])
def test_what_was_put_off_while_playing_is_forgotten_with_its_gate(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, way: str
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(5)
    panel.grab()
    panel.session.go_index(0)
    panel.handle("play")
    panel.strip._ask_thumbs([(0, Fraction(5)), (0, Fraction(1, 2))])
    fake.asked.clear()
    if way == "turn":
        panel.show_turn(0)
    else:
        panel.show_review(own(tmp_path))
        panel.show_turn(0)
    assert not panel.motion.playback.on
    panel.grab()
    check(fake.asked, panel._view, 0)
    assert not panel.loader._refinement.quiet


def test_a_key_frame_that_comes_home_after_the_turn_changed_is_neither_shown_nor_refined(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(5)
    fake.held = True
    panel.strip._ask_thumbs([(0, Fraction(5))])
    (late,) = fake.waiting()
    fake.deliver(late)  # the engine had it done; it is on its way home by a queued signal
    panel.show_turn(0)
    fake.asked.clear()
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    assert not fake.asked and (0, Fraction(5)) not in panel.timeline._thumbs.images


def test_thumbnails_of_a_new_turn_are_asked_for_again_where_they_were_given_up(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(shared(tmp_path))
    panel.show_turn(2)
    fake.held = True
    panel.timeline.renew_thumbs()
    panel.grab()
    given_up = {asked.at for asked in fake.of("scrub") if not asked.future.done()}
    assert given_up
    panel.show_turn(3)
    panel.grab()
    assert given_up <= {asked.at for asked in fake.of("scrub") if not asked.future.done()}


def test_a_new_gate_is_shut(tmp_path: Path) -> None:
    for make in VIEWS.values():
        view = make(tmp_path)
        gate = EvidenceGate(view.strip)
        assert not any(gate.allows(k) for k in range(len(view.strip.stops)))
        assert all(gate.permit(k) is None for k in range(len(view.strip.stops)))


def test_a_permit_never_means_a_frame_that_begins_after_its_limit(tmp_path: Path) -> None:
    fake = FakeService()
    facts = fake.facts(tmp_path / "a.mp4").result()
    gate = EvidenceGate(shared(tmp_path).strip, 1)
    for at in (None, Fraction(0), Fraction(249, 100), Fraction(5, 2)):
        permit = gate.permit(0, at)
        assert permit is not None
        assert facts.times[frame_index(permit, facts)] <= Fraction(5, 2)
    assert gate.permit(0, Fraction(251, 100)) is None
    assert gate.refused is not None and gate.refused.facts() == {"turn": 1, "stop": 0, "at": 2.51}
