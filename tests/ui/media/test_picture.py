from __future__ import annotations

import gc

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from annotator.media.pyramid import build
from annotator.ui.media_picture import ShownPicture
from annotator.ui.viewport import Viewport


def pixels(width: int, height: int, seed: int = 1) -> np.ndarray:
    made = np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)
    made[..., 3] = 255
    return made


def painted(picture: ShownPicture, viewport: Viewport, size: tuple[int, int], moving: bool = False) -> np.ndarray:
    target = QImage(*size, QImage.Format.Format_RGB32)
    target.fill(QColor("black"))
    painter = QPainter(target)
    picture.paint(painter, viewport, moving)
    painter.end()
    return np.frombuffer(target.constBits(), np.uint8).reshape(size[1], size[0], 4).copy()


def view(picture: ShownPicture, size: tuple[int, int], zoom: float, at: tuple[float, float]) -> Viewport:
    viewport = Viewport()
    viewport.set_view(*size, 1.0)
    viewport.set_picture(picture.full.width(), picture.full.height())
    viewport.set_zoom(zoom)
    viewport.look_at(QPointF(*at))
    return viewport


@pytest.mark.usefixtures("qapp")
class TestPainting:
    def test_at_one_hundred_percent_the_screen_holds_the_files_own_pixels(self) -> None:
        array = pixels(300, 200)
        picture = ShownPicture(build(array).levels)
        viewport = view(picture, (100, 80), 1.0, (150, 100))
        got = painted(picture, viewport, (100, 80))
        left, top = viewport.visible().left(), viewport.visible().top()
        want = array[round(top) : round(top) + 80, round(left) : round(left) + 100]
        assert np.array_equal(got[..., :3], want[..., :3])

    def test_at_two_hundred_percent_each_pixel_is_a_hard_square(self) -> None:
        array = pixels(300, 200)
        picture = ShownPicture(build(array).levels)
        viewport = view(picture, (100, 80), 2.0, (150, 100))
        got = painted(picture, viewport, (100, 80))[..., :3]
        assert np.array_equal(got[::2, ::2], got[1::2, 1::2]) and np.array_equal(got[::2, ::2], got[::2, 1::2])
        x, y = round(viewport.visible().left()), round(viewport.visible().top())
        assert np.array_equal(got[::2, ::2], array[y : y + 40, x : x + 50, :3])

    @pytest.mark.parametrize("quarters", [1, 2, 3])
    def test_a_turned_view_is_the_same_picture_turned(self, quarters: int) -> None:
        array = pixels(40, 30)
        picture = ShownPicture([array])
        viewport = view(picture, (80, 80), 1.0, (20, 15))
        viewport.turn(quarters)
        got = painted(picture, viewport, (80, 80))[..., :3]
        want = np.rot90(array[..., :3], -quarters)
        top, left = (80 - want.shape[0]) // 2, (80 - want.shape[1]) // 2
        assert np.array_equal(got[top : top + want.shape[0], left : left + want.shape[1]], want)

    def test_a_small_zoom_averages_instead_of_skipping(self) -> None:
        array = np.zeros((512, 512, 4), np.uint8)
        array[::2, ::2, :3] = 255
        picture = ShownPicture(build(array).levels)
        viewport = view(picture, (64, 64), 0.125, (256, 256))
        got = painted(picture, viewport, (64, 64))[8:56, 8:56, :3]
        assert abs(float(got.mean()) - 63.75) < 4 and got.std() < 6

    def test_a_preview_fills_the_place_of_the_whole_picture(self) -> None:
        picture = ShownPicture([pixels(40, 30)], QSize(4000, 3000))
        viewport = view(picture, (200, 200), 0.05, (2000, 1500))
        got = painted(picture, viewport, (200, 200))
        assert got[100, 100, :3].any() and not got[10, 100, :3].any()

    def test_only_what_is_seen_is_asked_of_the_picture(self) -> None:
        picture = ShownPicture([pixels(300, 200)])
        viewport = view(picture, (50, 40), 4.0, (299, 199))
        assert painted(picture, viewport, (50, 40)).shape == (40, 50, 4)


def test_the_buffer_is_wrapped_without_a_copy_and_kept_alive() -> None:
    array = pixels(64, 48)
    address = array.__array_interface__["data"][0]
    picture = ShownPicture([array])
    want = tuple(int(v) for v in array[20, 30, 2::-1])
    image = picture.native_image()
    assert image is not None
    assert int(np.frombuffer(image.constBits(), np.uint8).__array_interface__["data"][0]) == address
    del array, image
    gc.collect()
    colour = picture.colour_at(QPoint(30, 20))
    assert colour is not None and (colour.red(), colour.green(), colour.blue()) == want


def test_a_preview_tells_no_colour() -> None:
    preview = ShownPicture([pixels(40, 30)], QSize(400, 300))
    assert preview.colour_at(QPoint(3, 3)) is None and preview.grab(QRect(0, 0, 4, 4)) is None
    assert ShownPicture([pixels(40, 30)]).colour_at(QPoint(40, 3)) is None


def test_a_crop_is_native_and_cut_at_the_edge() -> None:
    array = pixels(40, 30)
    cut = ShownPicture([array]).grab(QRect(35, 25, 20, 20))
    assert cut is not None and cut.size() == QSize(5, 5)
    assert cut.pixelColor(0, 0).blue() == array[25, 35, 0]


def test_thumbnails_come_from_the_smallest_level_that_is_large_enough() -> None:
    picture = ShownPicture(build(pixels(2048, 1024)).levels)
    assert picture.smallest_over(300).width() == 512
    assert picture.smallest_over(5000).width() == 2048
