"""The burnt counter survives scaling and says so when it is damaged."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from annotator.sample.counter import CounterUnreadableError, band_top, draw_counter, pattern, read_counter


@pytest.mark.parametrize("index", [0, 1, 2, 255, 256, 4095, 21845, 43690, 65534, 65535])
@pytest.mark.parametrize(("width", "height"), [(854, 480), (640, 360)])
def test_every_number_is_read_back(index: int, width: int, height: int) -> None:
    frame = np.full((height, width, 4), 120, np.uint8)
    draw_counter(frame, index)
    assert read_counter(frame) == index


@pytest.mark.parametrize("size", [(427, 240), (320, 180), (1280, 720), (1000, 562)])
def test_a_scaled_picture_is_read_too(size: tuple[int, int]) -> None:
    frame = np.full((480, 854, 4), 200, np.uint8)
    draw_counter(frame, 30583)
    scaled = np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    assert read_counter(scaled) == 30583


def test_a_flipped_block_is_noticed() -> None:
    for block in range(28):
        frame = np.zeros((480, 854, 4), np.uint8)
        draw_counter(frame, 777)
        left, right = round(block * 854 / 40), round((block + 1) * 854 / 40)
        frame[band_top(480) :, left:right] = 0 if pattern(777)[block] else 255
        with pytest.raises(CounterUnreadableError):
            read_counter(frame)


def test_a_picture_without_counter_is_refused() -> None:
    with pytest.raises(CounterUnreadableError):
        read_counter(np.full((480, 854, 4), 90, np.uint8))


def test_neighbours_never_share_a_pattern() -> None:
    assert len({tuple(pattern(n)) for n in range(5000)}) == 5000
    with pytest.raises(ValueError, match="16 bits"):
        pattern(65536)
