"""Collections that hold the window longer than a frame happen once for the same objects."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from annotator.ui import collector


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    callbacks, enabled = list(gc.callbacks), gc.isenabled()
    yield
    gc.callbacks[:] = callbacks
    gc.unfreeze()
    (gc.enable if enabled else gc.disable)()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(collector.time, "perf_counter", lambda: now[0])
    return now


@pytest.mark.parametrize(("generation", "took", "frozen"), [(2, 0.1, True), (2, 0.01, False), (1, 0.1, False)])
def test_survivors_of_a_long_full_collection_are_set_aside(
    clock: list[float], generation: int, took: float, frozen: bool
) -> None:
    gc.unfreeze()
    watch = collector.Collector()
    watch("start", {"generation": generation})
    clock[0] += took
    watch("stop", {"generation": generation, "collected": 0, "uncollectable": 0})
    assert (gc.get_freeze_count() > 0) is frozen


def test_start_collects_from_now_on_and_only_once() -> None:
    gc.disable()
    collector.start()
    collector.start()
    assert gc.isenabled() and gc.get_freeze_count() > 0
    assert sum(isinstance(each, collector.Collector) for each in gc.callbacks) == 1


def test_new_garbage_is_still_found() -> None:
    collector.start()

    class Ring:
        pass

    ring = Ring()
    ring.own = ring  # type: ignore[attr-defined]
    del ring
    assert gc.collect() >= 1
