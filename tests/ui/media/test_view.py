"""The stage under the hand: wheel, drag, loupe, navigator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from pytestqt.qtbot import QtBot

from annotator.media.pyramid import build
from annotator.ui.media_facts import GRID, SeenMap, ViewingFacts, Watched
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_states import Veil
from annotator.ui.mediaview import MediaView
from tests.ui.media import material


@pytest.fixture
def array() -> np.ndarray:
    bgr = material.picture_pixels(2400, 1600, 4)
    return np.dstack([bgr, np.full(bgr.shape[:2], 255, np.uint8)])


@pytest.fixture
def view(qtbot: QtBot, array: np.ndarray) -> MediaView:
    made = MediaView()
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    made.show_picture(ShownPicture(build(array).levels))
    return made


def wheel(view: MediaView, at: QPoint, notches: float, modifier: Qt.KeyboardModifier) -> None:
    event = QWheelEvent(
        QPointF(at), QPointF(at), QPoint(), QPoint(0, round(120 * notches)), Qt.MouseButton.NoButton, modifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    view.wheelEvent(event)


CTRL = Qt.KeyboardModifier.ControlModifier


def test_the_wheel_zooms_about_the_pointer(view: MediaView) -> None:
    at = QPoint(433, 121)
    held = view.viewport.to_picture(QPointF(at))
    for _ in range(4):
        wheel(view, at, 1, CTRL)
    now = view.viewport.to_view(held)
    assert view.viewport.zoom == 1.0
    assert abs(now.x() - at.x()) <= 2 and abs(now.y() - at.y()) <= 2
    pixel = view.viewport.pixel_at(QPointF(at))
    for _ in range(3):
        wheel(view, at, 1, CTRL)
    after = view.viewport.pixel_at(QPointF(at))
    assert pixel is not None and after is not None and (after - pixel).manhattanLength() <= 1


def test_half_notches_of_a_fine_wheel_add_up(view: MediaView) -> None:
    before = view.viewport.zoom
    wheel(view, QPoint(300, 200), 0.5, CTRL)
    assert view.viewport.zoom == before
    wheel(view, QPoint(300, 200), 0.5, CTRL)
    assert view.viewport.zoom > before


def test_a_drag_pans_and_the_pixel_stays_under_the_hand(view: MediaView, qtbot: QtBot) -> None:
    view.zoom_to(1.0)
    start, end = QPoint(300, 200), QPoint(240, 170)
    held = view.viewport.pixel_at(QPointF(start))
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(view, QPoint(280, 190))
    qtbot.mouseMove(view, end)
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=end)
    assert view.viewport.pixel_at(QPointF(end)) == held


def test_after_a_drag_the_picture_is_painted_smooth_again(view: MediaView, qtbot: QtBot) -> None:
    view.zoom_to(0.75)
    wheel(view, QPoint(300, 200), 1, Qt.KeyboardModifier.NoModifier)
    assert view._moving
    qtbot.waitUntil(lambda: not view._moving, timeout=10_000)


def test_beside_the_picture_no_pixel_is_told(view: MediaView, qtbot: QtBot) -> None:
    told: list[tuple[int, int, Any]] = []
    view.pixel.connect(lambda x, y, c: told.append((x, y, c)))
    view.resize(600, 600)
    qtbot.mouseMove(view, QPoint(300, 300))
    assert told[-1][0] >= 0 and told[-1][2] is not None
    qtbot.mouseMove(view, QPoint(300, 20))
    assert told[-1] == (-1, -1, None)


def test_the_screen_shows_hard_squares_at_two_hundred_percent(view: MediaView, array: np.ndarray) -> None:
    view.viewport.look_at(QPointF(1000, 560))
    view.zoom_to(2.0)
    image = view.grab().toImage()
    for x, y in ((100, 100), (301, 207), (599, 399), (0, 0)):
        pixel = view.viewport.pixel_at(QPointF(x + 0.5, y + 0.5))
        assert pixel is not None
        colour = image.pixelColor(x, y)
        assert (colour.blue(), colour.green(), colour.red()) == tuple(int(v) for v in array[pixel.y(), pixel.x(), :3])


def test_the_loupe_shows_native_pixels_beside_the_pointer(view: MediaView, array: np.ndarray, qtbot: QtBot) -> None:
    qtbot.mouseMove(view, QPoint(200, 150))
    place = view.viewport.to_picture(QPointF(200, 150))
    view.set_loupe(True)
    loupe = view.loupe
    assert loupe.isVisible() and not loupe.geometry().contains(QPoint(200, 150))
    assert loupe.source().contains(place)
    image = loupe.grab().toImage()
    glass = loupe._glass()
    middle = glass.center() + QPointF(40.5, 20.5)
    pixel = loupe._place.pixel_at(middle - glass.topLeft())
    assert pixel is not None
    colour = image.pixelColor(middle.toPoint())
    assert (colour.blue(), colour.green(), colour.red()) == tuple(int(v) for v in array[pixel.y(), pixel.x(), :3])
    view.set_loupe(False)
    assert not loupe.isVisible()


@pytest.mark.parametrize("at", [(60, 60), (300, 200), (560, 360), (40, 380)])
@pytest.mark.parametrize("zoom", [None, 1.0])
def test_the_loupe_leaves_its_source_visible(
    view: MediaView, at: tuple[int, int], zoom: float | None, qtbot: QtBot
) -> None:
    view.resize(900, 640)
    if zoom:
        view.zoom_to(zoom)
    qtbot.mouseMove(view, QPoint(*at))
    view.set_loupe(True)
    source = view.viewport.transform().mapRect(view.loupe.source()).toAlignedRect()
    assert not view.loupe.geometry().intersects(source) and view.rect().contains(view.loupe.geometry())


@pytest.mark.parametrize("size", [(576, 225), (300, 140), (1200, 900)])
def test_all_of_the_loupe_is_on_the_stage_however_small_that_is(view: MediaView, size: tuple[int, int]) -> None:
    view.setMinimumSize(*size)
    view.resize(*size)
    view._pointer = QPointF(size[0] / 3, size[1] / 2)
    view.set_loupe(True)
    assert view.loupe.isVisible() and view.rect().contains(view.loupe.geometry())
    assert view.loupe._glass().height() > 40, "and shows something"


def test_the_loupe_shows_more_than_the_stage(view: MediaView) -> None:
    assert view.loupe.scale_for(0.2) == 1.0 and view.loupe.scale_for(1.0) == 2.0 and view.loupe.scale_for(4.0) == 8.0


def test_the_navigator_moves_the_stage(view: MediaView, qtbot: QtBot) -> None:
    assert not view.navigator.isVisible()
    view.toggle_navigator()
    view.zoom_to(1.0)
    assert view.navigator.isVisible()
    qtbot.mousePress(view.navigator, Qt.MouseButton.LeftButton, pos=QPoint(12, 12))
    seen = view.viewport.visible()
    assert seen.left() < 400 and seen.top() < 300
    view.show_state(None)
    assert not view.navigator.isVisible()


def test_a_map_of_what_was_seen_at_full_size() -> None:
    from PySide6.QtCore import QRectF, QSizeF

    seen, size = SeenMap(), QSizeF(2400, 1200)
    assert seen.mark(QRectF(0, 0, 1200, 1200), size) and seen.share() == pytest.approx(0.5)
    assert not seen.mark(QRectF(100, 100, 400, 400), size)
    assert seen.mark(QRectF(1200, 0, 1200, 600), size) and seen.share() == pytest.approx(0.75)
    assert not seen.mark(QRectF(1300, 650, 1300 / GRID / 60, 4), size)


def test_watched_spans_join() -> None:
    from fractions import Fraction as F  # noqa: N817

    watched = Watched()
    for start, end in ((F(0), F(1)), (F(3), F(4)), (F(1), F(2)), (F(5), F(5))):
        watched.add(start, end)
    assert watched.spans == [(0, 2), (3, 4)]
    assert watched.share(F(0), F(4)) == 0.75 and watched.share(F(2), F(2)) == 0.0
    assert ViewingFacts().value((), None) == {"opened": 0.0, "played": 0.0, "seen_full": 0.0}


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("runs/model-b/clip.mp4", "runs/•••/clip.mp4"),
        ("runs/Model_B_v2/clip.mp4", "runs/•••_v2/clip.mp4"),
        ("runs/modelb/clip.mp4", "runs/•••/clip.mp4"),
        ("runs/model-c/clip.mp4", "runs/model-c/clip.mp4"),
        ("https://x.example/MODEL%20B", "https://x.example/MODEL%20B"),
        ("a/o1/b_o10.mp4", "a/•••/b_o10.mp4"),
    ],
)
def test_names_of_tested_models_are_covered(text: str, covered: str) -> None:
    veil = Veil.over((("acme::model-b::task", "Model A"), ("acme::o1::task", "Model B"), ("reference", "Reference")))
    assert veil.cover(text) == covered


def test_a_model_that_is_shown_by_its_name_is_not_covered() -> None:
    assert Veil.over((("acme::model-b::task", "model-b"),)).cover("runs/model-b/x") == "runs/model-b/x"
