"""What can be laid beside the picture: comparison, contact sheet, given frames, adjustments, crops, blur, times."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from annotator.domain.gate import Strip
from annotator.media.service import MediaService
from annotator.ui.media_panel import MediaPanel
from annotator.workspace.views import ReviewView
from tests.ui.media import material
from tests.ui.media.fake import FakeService
from tests.ui.media.test_gate import own, pictures, shared

MakePanel = Callable[[object], MediaPanel]


def opened(make_panel: MakePanel, service: object, view: ReviewView, turn: int | None) -> MediaPanel:
    panel = make_panel(service)
    panel.show_review(view)
    panel.show_turn(turn)
    return panel


def drag(panel: MediaPanel, a: tuple[float, float], b: tuple[float, float], shift: bool = False) -> None:
    """Drag on the stage, from and to picture positions."""
    stage = panel.stage
    start, end = (stage.viewport.to_view(QPointF(*p)).toPoint() for p in (a, b))
    modifier = Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier
    QTest.mousePress(stage, Qt.MouseButton.LeftButton, modifier, start)
    QTest.mouseMove(stage, (start + end) / 2)
    QTest.mouseMove(stage, end)
    QTest.mouseRelease(stage, Qt.MouseButton.LeftButton, modifier, end)


# ---------------------------------------------------------------------------------------------------------- comparison
def test_views_are_linked_by_what_is_done_to_them(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = opened(make_panel, fake, own(tmp_path), 0)
    panel.handle("compare")
    held, stage = panel.asides.compare.held, panel.stage
    assert held.isVisible() and held.picture is not None
    panel.handle("frame_back")
    stage.zoom_to(8.0)
    assert held.viewport.zoom == 8.0
    held.viewport.pan(0, 0)
    held.zoom_to(16.0)
    assert stage.viewport.zoom == 16.0, "it works both ways"
    before = stage.viewport.visible().center() - held.viewport.visible().center()
    stage.viewport.pan(-37, 11)
    stage._changed()
    after = stage.viewport.visible().center() - held.viewport.visible().center()
    assert (after - before).manhattanLength() < 0.2
    stage.turn()
    assert held.viewport.quarters == 1
    stage.fit()
    assert held.viewport.mode == "fit"
    panel.handle("compare")
    assert not held.isVisible() and held.picture is None


def test_a_difference_of_zoom_between_the_views_stays(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = opened(make_panel, fake, own(tmp_path), 0)
    panel.handle("compare")
    link = panel.asides.compare.link
    link.set_on(False)
    panel.asides.compare.held.zoom_to(4.0)
    panel.stage.zoom_to(8.0)
    link.set_on(True)
    panel.stage.zoom_to(16.0)
    assert panel.asides.compare.held.viewport.zoom == 8.0


def test_what_is_held_leaves_with_its_gate(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    panel.handle("compare")
    panel.show_turn(4)
    assert panel.asides.compare.on, "a later turn has seen it too"
    panel.show_turn(0)
    assert not panel.asides.compare.on and panel.asides.compare.held.picture is None


# ------------------------------------------------------------------------------------------------------- contact sheet
def test_sixteen_frames_of_the_segment_and_a_click_goes_to_one(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    panel.handle("contact_sheet")
    sheet = panel.asides.sheet
    times = [cell.at for cell in sheet.cells]
    assert len(times) == 16 and times == sorted(set(times))
    assert times[0] >= Fraction(5, 2) and times[-1] <= 5, "the turn's own part, inside the gate"
    assert all(cell.image is not None for cell in sheet.cells)
    assert sheet.current == 15, "the stage stood at the end"
    spot = sheet.box_of(4).center().toPoint()
    QTest.mouseClick(sheet, Qt.MouseButton.LeftButton, pos=spot)
    assert not sheet.isVisible() and panel.session.at == times[4]


def test_the_sheet_by_keys(make_panel: MakePanel, fake: FakeService, tmp_path: Path, qtbot: QtBot) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    panel.handle("contact_sheet")
    sheet = panel.asides.sheet
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(sheet, key)
    assert sheet.current == 5
    wanted = sheet.cells[5].at
    QTest.keyClick(sheet, Qt.Key.Key_Return)
    assert panel.session.at == wanted
    panel.handle("contact_sheet")
    with qtbot.waitSignal(panel.left):
        QTest.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_a_short_segment_shows_each_frame_once_and_pictures_have_no_sheet(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    view = material.review("video", [[material.found(tmp_path, "a.mp4")]] * 2, ("1", "1.5"))
    panel = opened(make_panel, fake, view, 1)
    panel.handle("contact_sheet")
    assert 4 <= len(panel.asides.sheet.cells) <= 6
    said: list[str] = []
    panel.message.connect(lambda _kind, text: said.append(text))
    panel.show_review(pictures(tmp_path))
    panel.show_turn(0)
    panel.handle("contact_sheet")
    assert not panel.asides.sheet.isVisible() and said == ["A contact sheet needs an open clip on the stage."]


# ------------------------------------------------------------------------------------------------------ model's frames
def with_frames(view: ReviewView, root: Path) -> ReviewView:
    turns = tuple(
        t.model_copy(update={"frames": tuple(material.found(root, f"g{t.index}_{k}.png", "frame") for k in range(3))})
        for t in view.turns
    )
    dialogue = view.dialogue.model_copy(update={"turns": turns})
    return replace(view, turns=turns, dialogue=dialogue, strip=Strip(view.dialogue.modality, turns))


def test_one_key_switches_between_the_clip_and_what_the_model_was_given(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = opened(make_panel, fake, with_frames(shared(tmp_path), tmp_path), 2)
    panel.handle("frame_back")
    left_at = panel.session.at
    panel.handle("model_frames")
    assert fake.asked[-1].path.name == "g2_0.png" and panel.asides.given.on
    for action, name in (("frame_forward", "g2_1.png"), ("segment_end", "g2_2.png"), ("frame_forward", "g2_2.png")):
        panel.handle(action)
        assert panel.asides.given.asset is not None and panel.asides.given.asset.inside == name
    panel.handle("model_frames")
    assert not panel.asides.given.on and panel.session.at == left_at, "back to where the clip was left"
    panel.handle("model_frames")
    panel.session.go(0, Fraction(3))
    assert not panel.asides.given.on, "going to an instant of the clip ends it"
    panel.handle("model_frames")
    panel.show_turn(3)
    assert not panel.asides.given.on and panel.session.stop == 0


def test_without_a_list_of_frames_it_says_so(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    said: list[str] = []
    panel.message.connect(lambda _kind, text: said.append(text))
    panel.handle("model_frames")
    assert said == ["The source does not list what the model was given at this turn."]
    assert not panel.tools._given.isVisible()


# ----------------------------------------------------------------------------------------------------------- adjusting
def test_adjusting_changes_the_view_and_never_the_data(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot
) -> None:
    material.make_picture(tmp_path / "a.png", 400, 300)
    view = material.review("image", [[material.found(tmp_path, "a.png", "image")]])
    panel = opened(make_panel, service, view, 0)
    qtbot.waitUntil(lambda: panel.stage.picture is not None and panel.stage.picture.native, timeout=5000)
    picture = panel.stage.picture
    assert picture is not None
    before, shown = picture.native_image(), panel.stage.grab().toImage()
    data = before.copy() if before is not None else QImage()
    panel.handle("adjust")
    panel.asides.adjust.sliders["brightness"].setValue(50)
    panel.asides.adjust.sliders["gamma"].setValue(-30)
    changed = panel.stage.grab().toImage()
    assert changed != shown
    assert picture.native_image() == data, "the pixels themselves are untouched"
    middle = QPointF(200, 40)
    told: list[QColor] = []
    panel.pixel.connect(lambda _x, _y, colour: told.append(colour))
    panel.stage._pointer = panel.stage.viewport.to_view(middle)
    panel.stage._tell_pixel()
    assert told[-1] == data.pixelColor(200, 40), "the colour that is named is the data's"
    panel.asides.adjust.reset()
    panel.handle("adjust")
    assert panel.stage.adjust.neutral and panel.stage.grab().toImage() == shown


def test_adjusted_pixels_are_those_of_the_engine(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot
) -> None:
    material.make_picture(tmp_path / "a.png", 400, 300)
    panel = opened(
        make_panel, service, material.review("image", [[material.found(tmp_path, "a.png", "image")]]), 0
    )  # fmt: skip
    qtbot.waitUntil(lambda: panel.stage.picture is not None and panel.stage.picture.native, timeout=5000)
    panel.stage.zoom_to(1.0)
    panel.asides.adjust.sliders["contrast"].setValue(40)
    native = panel.stage.picture.native_image() if panel.stage.picture is not None else None
    assert native is not None
    at = panel.stage.viewport.to_view(QPointF(123.5, 77.5)).toPoint()
    seen = panel.stage.grab().toImage().pixelColor(at)
    value, adjust = native.pixelColor(123, 77), panel.stage.adjust
    expected = [round(min(max((v / 255 - 0.5) * adjust.contrast + 0.5, 0), 1) * 255) for v in value.getRgb()[:3]]
    assert all(abs(a - b) <= 1 for a, b in zip(seen.getRgb()[:3], expected, strict=True))


# --------------------------------------------------------------------------------------------------- zoom, crops, blur
def test_keep_zoom_holds_zoom_and_place_from_item_to_item(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = opened(make_panel, fake, pictures(tmp_path), 1)
    panel.stage.zoom_to(32.0)
    panel.stage.viewport.look_at(QPointF(15, 30))
    panel.show_turn(0)
    assert panel.stage.viewport.mode == "fit", "without it each picture comes whole"
    panel.handle("keep_zoom")
    panel.stage.zoom_to(32.0)
    panel.stage.viewport.look_at(QPointF(15, 30))
    panel.show_review(own(tmp_path))
    panel.show_turn(0)
    assert panel.stage.viewport.zoom == 32.0
    assert panel.stage.viewport.visible().center().x() == pytest.approx(15, abs=1)


def test_a_crop_is_the_native_pixels_of_the_rectangle(
    make_panel: MakePanel, service: MediaService, tmp_path: Path, qtbot: QtBot
) -> None:
    material.make_picture(tmp_path / "a.png", 900, 700)
    panel = opened(
        make_panel, service, material.review("image", [[material.found(tmp_path, "a.png", "image")]]), 0
    )  # fmt: skip
    qtbot.waitUntil(lambda: panel.stage.picture is not None and panel.stage.picture.native, timeout=5000)
    drag(panel, (100, 120), (300, 260), shift=True)
    box = panel.asides.evidence.box.rect
    assert abs(box.x() - 100) <= 2 and abs(box.width() - 200) <= 4
    panel.handle("copy_crop")
    copied = QGuiApplication.clipboard().image().convertToFormat(QImage.Format.Format_RGB32)
    native = panel.stage.picture.native_image() if panel.stage.picture is not None else None
    assert native is not None and copied == native.copy(box).convertToFormat(QImage.Format.Format_RGB32)
    target = tmp_path / "out.png"
    panel.asides.ask_file = lambda _name: str(target)
    panel.handle("save_crop")
    assert QImage(str(target)).size() == box.size()
    panel.handle("grid")
    assert panel.asides.evidence.box.rect == QRect(), "Esc forgets the rectangle"
    panel.handle("copy_crop")
    assert QGuiApplication.clipboard().image().size() == native.size(), "without one, what is in view"


def test_a_safety_set_opens_blurred_and_one_key_shows_it(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    view = replace(own(tmp_path), safety=True)
    panel = opened(make_panel, fake, view, 0)
    picture = panel.stage.picture
    assert picture is not None and picture.blurred and picture.native_image() is None
    told: list[object] = []
    panel.pixel.connect(lambda *what: told.append(what[2]))
    panel.stage._pointer = QPointF(panel.stage.width() / 2, panel.stage.height() / 2)
    panel.stage._tell_pixel()
    assert told == [None], "no pixel of it can be read"
    shown = panel.stage.grab().toImage()
    panel.handle("copy_crop")
    panel.handle("evidence")
    assert not panel.asides.evidence.box.armed, "and none pinned"
    assert all(image.width() < 20 for image in panel.timeline._thumbs.images.values())
    panel.handle("unblur")
    assert panel.stage.picture is not None and not panel.stage.picture.blurred
    assert panel.stage.grab().toImage() != shown
    panel.show_review(own(tmp_path / "b"))
    panel.show_review(view)
    panel.show_turn(0)
    assert panel.stage.picture is not None and not panel.stage.picture.blurred, "asked once for each dialogue"


# ---------------------------------------------------------------------------------------------------------- typed time
@pytest.mark.parametrize(
    ("text", "index"), [("3", 30), ("0:02.55", 25), ("#41", 41), (" 4.99 ", 49), ("#0", 0), ("5", 50)]
)
def test_a_typed_time_or_frame_is_gone_to(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, text: str, index: int
) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    panel.handle("go_to_time")
    field = panel.transport._time
    assert not field.isReadOnly() and field.selectedText() == "00:05.000"
    field.setText(text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert panel.session.index == index and field.isReadOnly()


@pytest.mark.parametrize("text", ["5.1", "#51", "11", "soon", "#", "#-1", "", "#9999999999999"])
def test_what_is_no_open_time_moves_nothing_and_keeps_the_text(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path, text: str
) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    said: list[str] = []
    panel.message.connect(lambda _kind, told: said.append(told))
    panel.handle("go_to_time")
    field = panel.transport._time
    field.setText(text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert panel.session.index == 50 and not field.isReadOnly() and field.text() == text
    assert "is no time or frame" in said[-1]
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.isReadOnly()


def test_no_thumbnail_is_refined_while_the_clip_plays(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    panel.grab()
    panel.session.go_index(26)

    def refining() -> set[Hashable]:
        return {a.lane for a in fake.waiting() if a.what == "frame" and a.lane[0] == "thumb"}  # type: ignore[index]

    fake.held = True
    places = {(0, Fraction(1, 10)), (0, Fraction(2, 10))}
    panel.strip._ask_thumbs(sorted(places))
    for asked in fake.of("scrub"):
        fake.deliver(asked)
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    assert refining() == {("thumb", *place) for place in places}
    panel.handle("play")
    assert panel.motion.playback.on and not refining(), "what was under way is given up"
    late = (0, Fraction(3, 10))
    panel.strip._ask_thumbs([late])
    fake.deliver(fake.of("scrub")[-1])
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    assert late in panel.timeline._thumbs.images and not refining(), "key frames still come"
    panel.handle("play")
    assert not panel.motion.playback.on
    assert refining() == {("thumb", *place) for place in {*places, late}}, "and it goes on after"
    for asked in fake.waiting():
        fake.deliver(asked)
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    assert not any(panel.timeline.is_rough(*place) for place in places)
    panel.loader.set_quiet(True)
    panel.loader.set_quiet(False)
    assert not refining(), "what came is not asked for again"


def test_key_frames_stand_in_for_thumbnails_until_the_frames_come(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = opened(make_panel, fake, shared(tmp_path), 2)
    panel.grab()
    strip = panel.timeline
    assert strip._thumbs.images and not strip._rough, "each was refined by its very frame"
    place = next(iter(strip._thumbs.images))
    strip._drop_thumbs()
    strip.set_thumb(*place, QImage(8, 8, QImage.Format.Format_RGB32), False)
    assert strip.is_rough(*place)
    strip.set_thumb(*place, QImage(8, 8, QImage.Format.Format_RGB32), True)
    assert not strip.is_rough(*place)
