"""The garbage collector beside the window: it stops every thread while it looks, so it must not look for long.

A full collection of a loaded program takes 100 ms and finds next to nothing. What the start has made, and what has
survived a collection longer than a frame, is therefore set aside: later collections look at what is newer.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping
from typing import Any

FRAME_S = 0.016


class Collector:
    """Counts how long collections take; `gc.callbacks` calls it, in whatever thread they happen."""

    def __init__(self) -> None:
        """Nothing is running."""
        self._since = 0.0

    def __call__(self, phase: str, info: Mapping[str, Any]) -> None:
        """After a long full collection there is no garbage: whoever is left has come to stay."""
        if phase == "start":
            self._since = time.perf_counter()
        elif info["generation"] == 2 and time.perf_counter() - self._since > FRAME_S:
            gc.freeze()


def start() -> None:
    """Set aside what is there, and collect from now on. The start itself may have run without collections."""
    if not any(isinstance(each, Collector) for each in gc.callbacks):
        gc.callbacks.append(Collector())
    gc.freeze()
    gc.enable()
