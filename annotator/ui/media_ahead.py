"""Frames of a playing clip, made ready for the stage beside the window before their time comes."""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize

from annotator.ui.media_parcels import FrameShown, pack

# A little more than are asked for ahead; what was left out while playing goes as others come.
_KEPT = 6


class Ahead:
    """Made in media threads, asked for and taken by the GUI thread; each frame once."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._made: OrderedDict[tuple[Path, int], tuple[QSize | None, Future[FrameShown]]] = OrderedDict()

    def make(self, path: Path, index: int, stage: QSize | None, future: Future[Any]) -> None:
        """Make a frame ready for a stage of that size once it is decoded; asked for before, it is made once."""
        if (path, index) in self._made:
            return
        ready: Future[FrameShown] = Future()
        self._made[path, index] = stage, ready
        while len(self._made) > _KEPT:
            self._made.popitem(last=False)

        def make(done: Future[Any]) -> None:
            parcel = pack("frame", 0, None, done, None, stage)
            if parcel is None:
                ready.cancel()
            elif parcel.error is not None:
                ready.set_exception(parcel.error)
            else:
                ready.set_result(parcel.value)

        future.add_done_callback(make)

    def take(self, path: Path, index: int, stage: QSize | None) -> Future[FrameShown] | None:
        """The frame, ready or about to be, if it was asked for and for this very stage."""
        made_for, ready = self._made.pop((path, index), (None, None))
        return ready if ready is not None and made_for == stage and not ready.cancelled() else None

    def clear(self) -> None:
        """Nothing of it is wanted any more."""
        self._made.clear()
