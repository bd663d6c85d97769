"""Fitted pictures: scaled once, beside the window, kept as long as their levels live; what is on disk comes first."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QSize
from PySide6.QtGui import QColor, QImage, QPainter

from annotator.media import display
from annotator.media.pictures import Picture
from annotator.media.pyramid import build
from annotator.ui import media_picture
from annotator.ui.media_adjust import Adjustment
from annotator.ui.media_panel import MediaPanel
from annotator.ui.media_parcels import fit_zoom
from annotator.ui.media_picture import Fits, ShownPicture
from annotator.ui.viewport import Viewport
from tests.ui.media.fake import FakeService
from tests.ui.media.test_gate import pictures
from tests.ui.media.test_picture import pixels

MakePanel = Callable[[object], MediaPanel]


def fitted(picture: ShownPicture, size: tuple[int, int], ratio: float = 1.0) -> Viewport:
    viewport = Viewport()
    viewport.set_view(*size, ratio)
    viewport.set_picture(picture.full.width(), picture.full.height())
    return viewport


def painted(picture: ShownPicture, viewport: Viewport, size: tuple[int, int], ratio: float = 1.0) -> np.ndarray:
    target = QImage(round(size[0] * ratio), round(size[1] * ratio), QImage.Format.Format_RGB32)
    target.setDevicePixelRatio(ratio)
    target.fill(QColor("black"))
    painter = QPainter(target)
    picture.paint(painter, viewport)
    painter.end()
    return np.frombuffer(target.constBits(), np.uint8).reshape(target.height(), target.width(), 4)[..., :3].copy()


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("size", [(150, 150), (120, 41), (33, 70)])
def test_a_fitted_picture_is_its_level_at_the_screens_pixels(size: tuple[int, int], ratio: float) -> None:
    picture = ShownPicture(build(pixels(640, 426)).levels)
    viewport = fitted(picture, size, ratio)
    got = painted(picture, viewport, size, ratio)
    width, height = round(640 * viewport.zoom), round(426 * viewport.zoom)
    corner = viewport.transform().map(QPointF(0, 0)) * ratio
    left, top = round(corner.x()), round(corner.y())
    level = next(a for a in reversed(picture.arrays) if a.shape[1] >= 640 * viewport.zoom - 1e-6)
    want = np.zeros_like(got)
    part = display.to_screen(level, width, height)[..., :3]
    want[top : top + height, left : left + width] = part[: want.shape[0] - top, : want.shape[1] - left]
    assert np.array_equal(got, want)


@pytest.mark.usefixtures("qapp")
def test_a_fitted_picture_is_what_the_painter_would_have_made_of_it() -> None:
    smooth = np.kron(np.random.default_rng(2).integers(40, 200, (9, 12, 4)), np.ones((50, 50, 1))).astype(np.uint8)
    picture = ShownPicture([smooth])
    viewport = fitted(picture, (450, 450))
    quick = painted(picture, viewport, (450, 450)).astype(int)
    target = QImage(450, 450, QImage.Format.Format_RGB32)
    target.fill(QColor("black"))
    painter = QPainter(target)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.setTransform(viewport.transform())
    painter.drawImage(QPointF(0, 0), media_picture.wrap(smooth))
    painter.end()
    plain = np.frombuffer(target.constBits(), np.uint8).reshape(450, 450, 4)[..., :3].astype(int)
    assert np.abs(quick - plain).mean() < 1.5


@pytest.mark.usefixtures("qapp")
def test_zoomed_turned_and_adjusted_views_are_painted_from_the_levels() -> None:
    picture = ShownPicture(build(pixels(640, 426)).levels)
    viewport = fitted(picture, (150, 150))
    viewport.set_zoom(1.0)
    painted(picture, viewport, (150, 150))
    viewport.fit()
    viewport.turn()
    painted(picture, viewport, (150, 150))
    viewport.turn(3)
    target = QImage(150, 150, QImage.Format.Format_RGB32)
    painter = QPainter(target)
    picture.paint(painter, viewport, adjust=Adjustment(brightness=0.2))
    painter.end()
    assert picture._fitted is None
    painted(picture, viewport, (150, 150))
    assert picture._fitted is not None


def test_what_is_kept_fitted_goes_with_its_level() -> None:
    fits = Fits(2)
    levels = [np.zeros((8, 8, 4), np.uint8) for _ in range(3)]
    small = [np.zeros((2, 4, 4), np.uint8) for _ in range(3)]
    fits.put(levels[0], small[0])
    assert fits.get(levels[0], 4, 2) is small[0] and fits.get(levels[0], 2, 4) is None
    assert fits.get(levels[1], 4, 2) is None
    fits.put(levels[1], small[1])
    assert fits.get(levels[0], 4, 2) is small[0]
    fits.put(levels[2], small[2])
    assert fits.get(levels[1], 4, 2) is None, "the longest unused went"
    del levels[0]
    gc.collect()
    fits.put(levels[1], small[2])
    assert len(fits._made) == 1, "what belonged to a level that is gone went with it"


def test_the_zoom_of_a_stage() -> None:
    assert fit_zoom(QSize(100, 50), 200, 200) == 0.25
    assert fit_zoom(QSize(100, 50), 20, 20) is fit_zoom(None, 200, 200) is fit_zoom(QSize(), 200, 200) is None


def test_what_comes_is_made_for_the_stage_as_it_is(make_panel: MakePanel, fake: FakeService, tmp_path: Path) -> None:
    panel = make_panel(fake)
    panel.show_review(pictures(tmp_path))
    panel.show_turn(0)
    panel.grab()
    assert panel.loader.box == panel.stage.size() * panel.devicePixelRatioF() and panel.loader.fitted
    panel.stage.zoom_to(2.0)
    assert not panel.loader.fitted
    panel.stage.fit()
    panel.resize(900, 620)
    panel.grab()
    assert panel.loader.box == panel.stage.size() * panel.devicePixelRatioF() and panel.loader.fitted


def test_a_preview_on_disk_is_shown_before_the_whole_is_asked_for(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(pictures(tmp_path))
    fake.held, fake.on_disk = True, {"0.png"}
    came: list[bool] = []
    panel.session.picture.connect(lambda _picture, sharper: came.append(sharper))
    panel.show_turn(0)
    assert [a.what for a in fake.waiting() if str(a.lane).startswith("stage")] == ["preview"]
    fake.deliver(fake.waiting()[0])
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    assert came == [False] and panel.stage.picture is not None and not panel.stage.picture.native
    (whole,) = [a for a in fake.waiting() if a.what == "pyramid"]
    fake.deliver(whole)
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    assert came == [False, True] and panel.stage.picture.native


def test_a_whole_that_waits_for_its_preview_is_given_up_with_it(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(pictures(tmp_path))
    fake.held, fake.on_disk = True, {"0.png"}
    panel.show_turn(0)
    first = fake.waiting()[0]
    panel.show_turn(1)
    fake.deliver(first)
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    assert not [a for a in fake.of("pyramid") if a.path.name == "0.png" and a.lane == "stage"]


def test_parts_of_a_large_picture_are_shown_until_its_preview_comes(
    make_panel: MakePanel, fake: FakeService, tmp_path: Path
) -> None:
    panel = make_panel(fake)
    panel.show_review(pictures(tmp_path))
    fake.held = True
    panel.show_turn(0)
    path, tell = fake.watched
    assert path.name == "0.png" and panel.stage.picture is None
    tell(Picture(pixels(20, 30), 60, 40, 0.5))
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    part = panel.stage.picture
    assert part is not None and not part.native and part.colour_at(QPoint(1, 1)) is None
    for asked in fake.waiting():
        fake.deliver(asked)
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    whole = panel.stage.picture
    assert whole is not None and whole.native
    tell(Picture(pixels(20, 30), 60, 40, 0.5))
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    assert panel.stage.picture is whole, "a late part is no news"
    panel.show_turn(1)
    shown = panel.stage.picture
    tell(Picture(pixels(20, 30), 60, 40, 0.5))
    QCoreApplication.sendPostedEvents(panel.loader, 0)
    assert panel.stage.picture is shown, "nor is one of another turn"
