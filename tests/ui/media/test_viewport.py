from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF

from annotator.ui.viewport import STEPS, Viewport

sides = st.integers(40, 9000)
shares = st.floats(0.02, 0.98)


def shown(width: float, height: float, view: tuple[int, int] = (800, 600), ratio: float = 1.0) -> Viewport:
    viewport = Viewport()
    viewport.set_view(*view, ratio)
    viewport.set_picture(width, height)
    return viewport


@given(width=sides, height=sides, ratio=st.sampled_from([1.0, 1.25, 2.0]))
def test_fit_shows_the_whole_picture_in_the_middle(width: int, height: int, ratio: float) -> None:
    viewport = shown(width, height, ratio=ratio)
    corners = [viewport.to_view(QPointF(0, 0)), viewport.to_view(QPointF(width, height))]
    assert corners[0].x() >= -0.6 and corners[0].y() >= -0.6
    assert corners[1].x() <= 800.6 and corners[1].y() <= 600.6
    assert corners[0].x() + corners[1].x() == pytest.approx(800, abs=1.5)
    assert not viewport.pannable()


@given(width=sides, height=sides, x=shares, y=shares, steps=st.lists(st.just(1), min_size=1, max_size=12))
def test_zooming_in_about_the_pointer_keeps_the_pixel_under_it(
    width: int, height: int, x: float, y: float, steps: list[int]
) -> None:
    viewport = shown(width, height)
    corner, far = viewport.to_view(QPointF(0, 0)), viewport.to_view(QPointF(width, height))
    pointer = QPointF(corner.x() + x * (far.x() - corner.x()), corner.y() + y * (far.y() - corner.y()))
    held = viewport.to_picture(pointer)
    for step in steps:
        if viewport.pixel_at(pointer) is None:
            return  # a sliver of a picture may round away from under the pointer
        least = viewport.zoom
        viewport.step(step, pointer)
        now = viewport.to_view(held)
        # The origin stands on whole device pixels: half of one before and half of one after, however many steps.
        room = 0.51 + 0.51 * viewport.zoom / least
        assert abs(now.x() - pointer.x()) <= room and abs(now.y() - pointer.y()) <= room
        held = viewport.to_picture(pointer)


def test_rounding_does_not_add_up_over_many_steps() -> None:
    viewport = shown(2400, 1600, view=(600, 400))
    pointer = QPointF(433, 121)
    viewport.set_zoom(1.0, pointer)
    held = viewport.to_picture(pointer)
    for _ in range(40):
        for zoom in (2.0, 3.0, 4.0, 6.0, 4.0, 2.0, 1.0):
            viewport.set_zoom(zoom, pointer)
    now = viewport.to_view(held)
    assert abs(now.x() - pointer.x()) <= 1 and abs(now.y() - pointer.y()) <= 1


def test_the_pixel_under_the_pointer_is_the_same_after_zooming_to_eight_hundred_percent() -> None:
    viewport = shown(4000, 3000)
    pointer = viewport.to_view(QPointF(2011.5, 777.5))
    viewport.set_zoom(8.0, pointer)
    assert viewport.pixel_at(pointer) in {
        QPoint(2011 + dx, 777 + dy) for dx in (-3, -2, -1, 0, 1, 2, 3) for dy in range(-3, 4)
    }
    exact = viewport.to_view(QPointF(2011.5, 777.5))
    viewport.set_zoom(16.0, exact)
    assert viewport.pixel_at(exact) == QPoint(2011, 777)


def test_above_one_hundred_percent_every_step_is_a_whole_number() -> None:
    viewport = shown(4000, 3000)
    seen = []
    for _ in range(30):
        viewport.step(1)
        seen.append(viewport.zoom)
    assert all(z == round(z) for z in seen if z > 1)
    assert seen[-1] == STEPS[-1]


def test_stepping_out_ends_at_the_fitted_picture() -> None:
    viewport = shown(4000, 3000)
    for _ in range(10):
        viewport.step(1)
    for _ in range(40):
        viewport.step(-1)
    assert viewport.mode == "fit" and viewport.zoom == pytest.approx(0.2)


@given(zoom=st.sampled_from([1.0, 2.0, 4.0]), ratio=st.sampled_from([1.0, 1.5, 2.0]), dx=st.floats(-90, 90))
def test_the_origin_lies_on_whole_device_pixels(zoom: float, ratio: float, dx: float) -> None:
    viewport = shown(4001, 3003, ratio=ratio)
    viewport.set_zoom(zoom)
    viewport.pan(dx, dx / 3)
    origin = viewport.to_view(QPointF(0, 0)) * ratio
    assert origin.x() == pytest.approx(round(origin.x()), abs=1e-6)
    assert origin.y() == pytest.approx(round(origin.y()), abs=1e-6)


@given(moves=st.lists(st.tuples(st.floats(-3000, 3000), st.floats(-3000, 3000)), max_size=8))
def test_no_drag_loses_the_picture(moves: list[tuple[float, float]]) -> None:
    viewport = shown(2000, 1500)
    viewport.set_zoom(2.0)
    for dx, dy in moves:
        viewport.pan(dx, dy)
    assert not viewport.visible().isEmpty()


def test_a_drag_moves_the_picture_with_the_hand() -> None:
    viewport = shown(2000, 1500)
    viewport.set_zoom(1.0)
    before = viewport.to_view(QPointF(1000, 700))
    viewport.pan(37, -12)
    after = viewport.to_view(QPointF(1000, 700))
    assert (after - before).x() == pytest.approx(37, abs=1) and (after - before).y() == pytest.approx(-12, abs=1)


def test_a_fitted_picture_does_not_move() -> None:
    viewport = shown(2000, 1500)
    before = viewport.transform()
    viewport.pan(50, 50)
    assert viewport.transform() == before and viewport.mode == "fit"


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_a_turned_view_still_tells_the_pixel(quarters: int) -> None:
    viewport = shown(400, 300)
    viewport.turn(quarters)
    for x, y in ((0, 0), (399, 0), (0, 299), (399, 299), (123, 45)):
        at = viewport.to_view(QPointF(x + 0.5, y + 0.5))
        assert viewport.pixel_at(at) == QPoint(x, y)
    assert viewport.fit_zoom() == pytest.approx(2.0 if quarters % 2 == 0 else 1.5)


def test_fill_covers_the_view() -> None:
    viewport = shown(4000, 1000)
    viewport.fill()
    seen = viewport.visible()
    assert seen.height() == pytest.approx(1000, abs=2)
    assert viewport.pannable()


def test_a_sharper_picture_keeps_the_place() -> None:
    viewport = shown(4000, 3000)
    viewport.set_zoom(1.0, QPointF(100, 100))
    before = viewport.visible()
    viewport.set_picture(4000, 3000, keep=True)
    assert viewport.visible() == before


def test_nothing_shown_tells_no_pixel() -> None:
    viewport = Viewport()
    viewport.set_view(300, 200, 1.0)
    assert viewport.pixel_at(QPointF(10, 10)) is None and viewport.visible().isEmpty()
