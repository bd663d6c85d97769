"""Pinning evidence: what is said, in whose pixels, where it is shown, and that it leads back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from annotator.domain.labels import check_value, needs_responder
from annotator.domain.sheet import Cell
from annotator.media.service import MediaService
from annotator.ui.evidence_box import share_of, share_text
from annotator.ui.evidence_model import Pin, free_field, pins_of, read_pin
from annotator.ui.evidence_page import EvidencePage
from annotator.ui.media_panel import MediaPanel
from annotator.ui.timeline_pins import pin_boxes
from annotator.workspace.views import ReviewView
from tests.ui.media import material
from tests.ui.media.fake import FakeService
from tests.ui.media.test_asides import drag, opened, with_frames
from tests.ui.media.test_gate import pictures, shared

MakePanel = Callable[[object], MediaPanel]
Said = list[tuple[str, str, Any]]


def listen(panel: MediaPanel) -> Said:
    said: Said = []
    panel.said.connect(lambda *what: said.append(what))
    return said


def after(view: ReviewView, said: Said) -> ReviewView:
    """The view as it is once all that was said is on the sheet."""
    sheet = view.sheet
    for target, field, value in said:
        sheet = sheet.with_value(target, field, value)
    return replace(view, sheet=sheet)


def test_a_rectangle_is_said_in_pixels_of_the_picture(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    panel.set_target("turn:2", "accuracy")
    said = listen(panel)
    panel.handle("evidence")
    assert panel.asides.evidence.box.armed and not said
    drag(panel, (10.4, 5.2), (29.6, 24.7))
    assert len(said) == 1 and not panel.asides.evidence.box.armed
    target, field, value = said[0]
    assert (target, field) == ("turn:2", "evidence")
    x, y, w, h = value["box"]
    assert abs(x - 10) <= 1 and abs(y - 5) <= 1 and abs(x + w - 30) <= 1 and abs(y + h - 25) <= 1
    assert value["asset"] == "a.mp4" and value["time"] == 5.0 and value["frame"] == 50
    assert value["dimension"] == "accuracy" and value["share"] == round(w * h / (60 * 40), 6)
    check_value(target, field, value)


def test_the_rectangle_is_in_upright_pixels_whatever_the_view(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot
) -> None:
    material.make_picture(tmp_path / "a.png", 1200, 800)
    view = material.review("image", [[material.found(tmp_path, "a.png", "image")]])
    panel = opened(make_panel, service, view, 0)
    qtbot.waitUntil(lambda: panel.stage.picture is not None and panel.stage.picture.native, timeout=5000)
    boxes: list[QRect] = []
    for turn_quarters, zoom in ((0, None), (1, None), (3, 2.0), (2, 1.0)):
        panel.stage.fit()
        panel.stage.viewport.quarters = turn_quarters
        panel.stage.fit()
        if zoom is not None:
            panel.stage.viewport.set_zoom(zoom)
            panel.stage.viewport.look_at(QPointF(640, 430))
            panel.stage._changed()
        drag(panel, (600, 400), (680, 460), shift=True)
        boxes.append(panel.asides.evidence.box.rect)
        panel.handle("grid")
    for box in boxes:
        assert all(
            abs(a - b) <= 3 for a, b in zip(box.getRect(), (600, 400, 80, 60), strict=True)
        ), boxes  # fmt: skip


def test_the_key_twice_pins_the_whole_picture_and_esc_leaves(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = opened(make_panel, fake, pictures(tmp_path), 1)
    panel.set_target("turn:1", "relevance")
    said = listen(panel)
    panel.handle("evidence")
    assert panel.handle("grid") and not panel.asides.evidence.box.armed
    assert not panel.handle("grid"), "nothing more to leave"
    panel.handle("evidence")
    panel.handle("evidence")
    value = said[0][2]
    assert value["box"] is None and value["share"] == 1.0 and value["time"] is None and value["frame"] is None
    assert value["asset"] == "1.png"


def test_a_rectangle_that_stands_already_is_pinned_at_once_and_its_corners_move(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    said = listen(panel)
    drag(panel, (10, 10), (20, 20), shift=True)
    assert not said
    drag(panel, (20, 20), (40, 30))
    box = panel.asides.evidence.box.rect
    assert box.x() in (9, 10) and abs(box.right() - 39) <= 1 and abs(box.bottom() - 29) <= 1
    panel.handle("evidence")
    assert said[0][2]["box"] == list(box.getRect())


def test_further_pins_have_fields_of_their_own(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    view = shared(tmp_path)
    panel = opened(make_panel, fake, view, 2)
    panel.set_target("turn:2", "accuracy")
    said = listen(panel)
    for _ in range(3):
        panel.handle("evidence")
        panel.handle("evidence")
        panel.refresh(after(view, said))
    fields = [field for _, field, _ in said]
    assert fields[0] == "evidence" and len(set(fields)) == 3
    for target, field, value in said:
        check_value(target, field, value)
        assert not needs_responder("dialogue", field)
    assert len(pins_of(after(view, said))) == 3
    assert free_field(after(view, [("turn:2", "evidence", None)]).sheet, "turn:2") == "evidence"


def test_a_pin_leads_back_to_its_frame_and_shows_its_rectangle(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    view = shared(tmp_path)
    value = {"asset": "a.mp4", "time": 2.1, "frame": 21, "box": [4, 6, 8, 10]}
    view = replace(view, sheet=view.sheet.with_value("turn:1", "evidence", value))
    panel = opened(make_panel, fake, view, 2)
    mark = panel.strip.scene.pins[0] if panel.strip.scene is not None else None
    assert mark is not None and mark.at == Fraction(21, 10)
    axis = panel.timeline._axis
    assert axis is not None
    _, spot = pin_boxes(axis, panel.timeline._area(), 0)[0]
    QTest.mouseClick(panel.timeline, Qt.MouseButton.LeftButton, pos=spot.center().toPoint())
    assert panel.session.index == 21 and panel.asides.evidence.box.rect == QRect(4, 6, 8, 10)
    panel.handle("frame_forward")
    panel.go_to_pin("turn:1", "evidence")
    assert panel.session.index == 21
    panel.show_turn(0)
    assert panel.strip.scene is not None and panel.strip.scene.pins == (), "beyond the gate no mark is there"
    panel.go_to_pin("turn:1", "evidence")
    assert panel.session.at == 1


def test_a_pin_on_what_the_model_was_given(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    view = with_frames(shared(tmp_path), tmp_path)
    panel = opened(make_panel, fake, view, 2)
    panel.set_target("turn:2", "accuracy")
    said = listen(panel)
    for action in ("model_frames", "frame_forward", "evidence", "evidence"):
        panel.handle(action)
    assert said[0][2]["asset"] == "g2_1.png" and said[0][2]["time"] is None
    panel.refresh(after(view, said))
    panel.handle("model_frames")
    panel.go_to_pin(*said[0][:2])
    assert panel.asides.given.asset is not None and panel.asides.given.asset.inside == "g2_1.png"


def cards(panel: MediaPanel, view: ReviewView, turn: int | None, qtbot: QtBot) -> EvidencePage:
    page = EvidencePage()
    qtbot.addWidget(page)
    page.resize(800, 200)
    page.use(panel.asides.evidence.may_see, panel.asides.evidence.crop)
    page.show_review(view, turn)
    page.show()
    return page


def pinned(root: Path) -> ReviewView:
    view = shared(root)
    clip = {"asset": "a.mp4", "box": [5, 5, 20, 10], "share": 0.0833}
    sheet = view.sheet.with_value("turn:1", "evidence", {**clip, "time": 2.0, "frame": 20, "dimension": "accuracy"})
    sheet = sheet.with_value("turn:5", "evidence", {**clip, "time": 6.5, "frame": 65, "dimension": "relevance"})
    sheet = sheet.with_value("turn:1", "evidence:00c0ffee", {**clip, "time": 9.0, "frame": 90})
    sheet = sheet.with_value("turn:1", "accuracy", 2).with_value("turn:1", "reason:accuracy", "the sign says 3")
    sheet = sheet.with_value("item", "evidence", {**clip, "time": 1.0, "frame": 10, "reason": "privacy"})
    return replace(view, sheet=sheet)


def test_cards_show_what_is_open_and_count_the_rest(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, qtbot: QtBot
) -> None:
    view = pinned(tmp_path)
    panel = opened(make_panel, fake, view, 1)
    fake.asked.clear()
    page = cards(panel, view, 1, qtbot)
    assert [c.heading() for c in page.cards] == ["Turn 2 Accuracy", "Verdict: Privacy"]
    assert page.cards[0].reason() == "the sign says 3" and page.cards[0].place() == "00:02.000 · 8.3 % of it"
    assert page.hidden_note.text() == "with later turns: 2 more"
    assert all(a.at <= Fraction(5, 2) for a in fake.asked), "no crop of what is not open"
    assert page.cards[0].image is not None and page.cards[0].image.width() > 0
    panel.show_turn(None)
    page.show_review(view, None)
    assert len(page.cards) == 4 and page.hidden_note.isHidden()


def test_a_card_leads_there_and_goes_away(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, qtbot: QtBot
) -> None:
    view = pinned(tmp_path)
    panel = opened(make_panel, fake, view, 1)
    said = listen(panel)
    page = cards(panel, view, 1, qtbot)
    chosen: list[Pin] = []
    page.chosen.connect(chosen.append)
    page.gone.connect(panel.asides.evidence.remove)
    page.given.connect(panel.asides.evidence.give)
    QTest.mouseClick(page.cards[0], Qt.MouseButton.LeftButton)
    assert chosen[0].key == ("turn:1", "evidence")
    page.cards[0].setFocus()
    QTest.keyClick(page.cards[0], Qt.Key.Key_Delete)
    assert said == [("turn:1", "evidence", None)], "taking away is an event that withdraws"
    said.clear()
    menu = page.cards[0].make_menu()
    action = next(a for a in menu.actions() if a.data() and a.data()[1] == "completeness")
    action.trigger()
    assert said[0][:2] == ("turn:1", "evidence") and said[0][2]["dimension"] == "completeness"
    said.clear()
    next(a for a in menu.actions() if a.data() and a.data()[2] == "visual_mismatch").trigger()
    assert said[0][0] == "item" and said[0][1].startswith("evidence:") and said[0][2]["reason"] == "visual_mismatch"
    assert said[1] == ("turn:1", "evidence", None)


def test_read_only_pins_nothing_and_takes_nothing_away(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, qtbot: QtBot
) -> None:
    view = replace(pinned(tmp_path), read_only=True)
    panel = opened(make_panel, fake, view, 1)
    said = listen(panel)
    panel.handle("evidence")
    panel.handle("evidence")
    panel.handle("unplayable")
    page = cards(panel, view, 1, qtbot)
    page.gone.connect(panel.asides.evidence.remove)
    page.cards[0].setFocus()
    QTest.keyClick(page.cards[0], Qt.Key.Key_Delete)
    assert said == []


def test_values_of_other_programs_are_read_with_care() -> None:
    good = {"asset": "a.mp4", "time": 1, "frame": 25, "box": [1.2, 2, 3, 4.4]}
    pin = read_pin("turn:0", "evidence", good)
    assert pin is not None and pin.box == QRect(1, 2, 3, 4) and pin.at == 1
    for broken in (None, [], {"time": 1}, {"asset": 3}, "x"):
        assert read_pin("turn:0", "evidence", broken) is None
    odd = read_pin("turn:0", "evidence", {"asset": "a", "time": True, "frame": -1, "box": [0, 0, 0, 5], "share": 7})
    assert odd == Pin("turn:0", "evidence", "a")
    assert read_pin("item", "evidence", good | {"time": float("inf")}) == replace(pin, target="item", at=None)


def test_shares_are_told_finely_enough() -> None:
    assert share_of(QRect(0, 0, 877, 104), QSize(7360, 4912)) * 100 == pytest.approx(0.2523, abs=0.0001)
    texts = [share_text(s) for s in (0.002523, 0.0000041, 0.094, 0.5, 1.0)]
    assert texts == ["0.25 %", "0.00041 %", "9.4 %", "50 %", "100 %"]


def test_what_does_not_play_is_said_with_the_last_word_of_the_engine(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    fake.refuse["a.mp4"] = "a.mp4 is damaged: get the file again."
    view = shared(tmp_path)
    panel = opened(make_panel, fake, view, 1)
    said = listen(panel)
    told: list[str] = []
    panel.message.connect(lambda _kind, text: told.append(text))
    panel.handle("unplayable")
    value = {"asset": "a.mp4", "why": "a.mp4 is damaged: get the file again."}
    assert said == [("turn:1", "unplayable", value)]
    check_value(*said[0])
    panel.refresh(replace(view, sheet=replace(view.sheet, cells={("turn:1", "unplayable"): Cell(value)})))
    panel.handle("unplayable")
    assert said[1] == ("turn:1", "unplayable", None) and "Taken back" in told[-1]


def test_a_pin_on_another_clip_brings_its_rectangle_into_view(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot
) -> None:
    for name in ("a.png", "b.png"):
        material.make_picture(tmp_path / name, 1600, 1200)
    evidence = [[material.found(tmp_path, n, "image")] for n in ("a.png", "b.png")]
    view = material.review("image", evidence)
    value = {"asset": "a.png", "time": None, "frame": None, "box": [1400, 1000, 100, 80]}
    view = replace(view, sheet=view.sheet.with_value("turn:0", "evidence", value))
    panel = opened(make_panel, service, view, 1)
    qtbot.waitUntil(lambda: panel.stage.picture is not None and panel.stage.picture.native, timeout=5000)
    panel.handle("keep_zoom")
    panel.stage.zoom_to(2.0)
    panel.go_to_pin("turn:0", "evidence")
    qtbot.waitUntil(lambda: panel.session.stop == 0 and panel.asides.evidence.box.rect == QRect(1400, 1000, 100, 80))
    assert panel.stage.viewport.visible().contains(1400.0, 1000.0) and panel.stage.viewport.zoom == 2.0


def test_typing_a_time_ends_with_the_turn(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    panel.handle("go_to_time")
    assert not panel.transport._time.isReadOnly()
    panel.show_turn(1)
    assert panel.transport._time.isReadOnly() and panel.transport._time.shown() == "00:02.500"
