"""A picture too large to be held: its preview first, then its own pixels tile by tile, each told and grabbed truly."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from annotator.media import pictures, tiles
from annotator.media.service import MediaService
from annotator.ui.media_panel import MediaPanel
from annotator.ui.media_picture import ShownPicture, wrap
from annotator.ui.media_tiled import Key, TiledPicture
from annotator.ui.viewport import Viewport
from tests.ui.media import material

MakePanel = Callable[[object], MediaPanel]


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two megapixels are too many to be held, so that a test need not make 120."""
    monkeypatch.setattr(pictures, "FULL_PIXEL_BUDGET", 2_000_000)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    pixels = np.random.default_rng(3).integers(0, 256, (1300, 1900, 3), np.uint8)
    path = tmp_path / "large.png"
    cv2.imwrite(str(path), pixels)
    return path


@pytest.fixture
def on_disk(tmp_path: Path) -> Iterator[MediaService]:
    with MediaService(disk=tmp_path / "disk") as made:
        yield made


@pytest.mark.usefixtures("small_budget")
def test_its_own_pixels_come_to_the_stage(
    make_panel: MakePanel, on_disk: MediaService, large: Path, qtbot: QtBot
) -> None:
    truth = cv2.imread(str(large))
    panel = make_panel(on_disk)
    panel.show_review(material.review("image", [[material.found(large.parent, large.name, "image")]]))
    panel.show_turn(0)
    stage = panel.stage
    qtbot.waitUntil(lambda: isinstance(stage.picture, TiledPicture))
    assert stage.picture is not None and stage.picture.full == QSize(1900, 1300)
    stage.zoom_to(2.0)
    stage.viewport.look_at(QPointF(1500, 900))
    stage.update()
    qtbot.waitUntil(lambda: stage.picture is not None and stage.picture.shows_native(stage.viewport))
    for x, y in ((1500, 900), (1535, 1023), (1536, 1024)):
        place = QPoint(x, y)
        qtbot.waitUntil(lambda place=place: stage.picture.colour_at(place) is not None)  # type: ignore[misc,union-attr]
        blue, green, red = (int(v) for v in truth[y, x])
        assert stage.picture.colour_at(place) == QColor(red, green, blue)
    cut = QRect(1000, 500, 60, 40)
    qtbot.waitUntil(lambda: stage.picture.grab(cut) is not None)  # type: ignore[union-attr]
    image = stage.picture.grab(cut)
    assert image is not None
    got = np.frombuffer(image.constBits(), np.uint8).reshape(40, 60, 4)
    assert np.array_equal(got[:, :, :3], truth[500:540, 1000:1060])
    assert "preview" not in panel.tools._note.text().casefold()


@pytest.mark.usefixtures("small_budget")
def test_a_part_is_cut_from_the_file(on_disk: MediaService, large: Path) -> None:
    truth = cv2.imread(str(large))
    part = on_disk.cutting(large, (1000, 500, 60, 40)).result(60)
    assert np.array_equal(part[:, :, :3], truth[500:540, 1000:1060])
    assert max(on_disk.cutting(large, None).result(60).shape) == 1024


@pytest.mark.usefixtures("small_budget")
def test_without_room_it_stays_reduced_and_says_so(
    make_panel: MakePanel, on_disk: MediaService, large: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotator.media.diskcache.DiskCache.room", lambda _self: 1000)
    told: list[str] = []
    panel = make_panel(on_disk)
    panel.message.connect(lambda _kind, text: told.append(text))
    panel.show_review(material.review("image", [[material.found(large.parent, large.name, "image")]]))
    panel.show_turn(0)
    qtbot.waitUntil(lambda: bool(told) and panel.stage.picture is not None)
    assert "large.png" in told[-1] and "disk" in told[-1]
    assert panel.stage.picture is not None and not panel.stage.picture.native and panel.stage.state is None


@pytest.mark.usefixtures("small_budget", "qapp")
def test_what_is_painted_is_the_native_tile_not_the_preview(large: Path, tmp_path: Path) -> None:
    held = tiles.make(large, tmp_path / "copy", 1 << 40)
    preview = pictures.load_preview(large, 400, 300)
    asked: list[Key] = []
    picture = TiledPicture(
        ShownPicture([preview.pixels], QSize(1900, 1300)), held, lambda _picture, key: asked.append(key)
    )
    place = _place(picture, 1.0, (600, 500), (300, 200))
    before = _painted(picture, place, (300, 200))
    assert set(asked) == {(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1)}
    assert asked == list(dict.fromkeys(asked)) and not picture.shows_native(place)
    for key in list(asked):
        picture.put(key, held.tile(*key))
    truth = cv2.imread(str(large))
    seen = place.visible()
    left, top = round(seen.left()), round(seen.top())
    after = _painted(picture, place, (300, 200))
    assert np.array_equal(after, truth[top : top + 200, left : left + 300]) and not np.array_equal(before, after)
    assert picture.shows_native(place)
    picture.blurred = True
    assert picture.colour_at(QPoint(600, 500)) is None and picture.grab(QRect(0, 0, 9, 9)) is None
    assert not np.array_equal(_painted(picture, place, (300, 200)), after), "a safety set stays a haze"


@pytest.mark.usefixtures("small_budget", "qapp")
def test_at_fit_the_preview_is_enough_and_a_lost_tile_is_asked_for_again(large: Path, tmp_path: Path) -> None:
    held = tiles.make(large, tmp_path / "copy", 1 << 40)
    preview = pictures.load_preview(large, 400, 300)
    asked: list[Key] = []
    picture = TiledPicture(
        ShownPicture([preview.pixels], QSize(1900, 1300)), held, lambda _picture, key: asked.append(key)
    )
    _painted(picture, _place(picture, 0.2, (950, 650), (400, 300)), (400, 300))
    assert asked == []
    _painted(picture, _place(picture, 0.45, (950, 650), (300, 200)), (300, 200))
    assert asked and {key[0] for key in asked} == {1}, "half the size is enough here"
    picture.give_up(asked[0])
    _painted(picture, _place(picture, 0.45, (950, 650), (300, 200)), (300, 200))
    assert asked.count(asked[0]) == 2


def _place(picture: ShownPicture, zoom: float, at: tuple[int, int], size: tuple[int, int]) -> Viewport:
    viewport = Viewport()
    viewport.set_view(*size, 1.0)
    viewport.set_picture(picture.full.width(), picture.full.height())
    viewport.set_zoom(zoom)
    viewport.look_at(QPointF(*at))
    return viewport


def _painted(picture: ShownPicture, viewport: Viewport, size: tuple[int, int]) -> np.ndarray:
    buffer = np.zeros((size[1], size[0], 4), np.uint8)
    image: QImage = wrap(buffer)
    painter = QPainter(image)
    picture.paint(painter, viewport)
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(size[1], size[0], 4)[:, :, :3].copy()
