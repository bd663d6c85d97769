"""One door to everything that has frames: video files, folders of frames, moving pictures."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Protocol, Self

from annotator.cancel import CancelToken
from annotator.media.animation import Animation
from annotator.media.clip import Clip
from annotator.media.folder import FrameFolder
from annotator.media.frames import Frame
from annotator.media.packets import PacketIndex
from annotator.media.sniff import read_head, sniff


class Film(Protocol):
    """What `Clip`, `FrameFolder` and `Animation` share: frames by index and by time, one caller at a time."""

    @property
    def path(self) -> str:
        """Where it is."""

    @property
    def codec(self) -> str:
        """The codec or format, in one word."""

    @property
    def width(self) -> int:
        """Pixels across, as displayed."""

    @property
    def height(self) -> int:
        """Pixels down, as displayed."""

    @property
    def rotation(self) -> int:
        """Degrees, counter-clockwise, by which stored frames are turned for display."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about how it is shown."""

    @property
    def damaged(self) -> bool:
        """Whether the whole is known to be incomplete."""

    @property
    def why(self) -> str:
        """A sentence about it, or empty."""

    @property
    def times(self) -> tuple[Fraction, ...]:
        """When each frame appears, in seconds after the first presented frame."""

    @property
    def start(self) -> Fraction:
        """The container's own time of the first presented frame, in seconds."""

    @property
    def duration(self) -> Fraction:
        """From the first frame to the end of the last one's interval, in seconds."""

    def __len__(self) -> int: ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def index_at(self, t: Fraction | float | int) -> int:
        """The frame whose interval holds t."""

    def time_of(self, index: int) -> Fraction:
        """When frame `index` appears."""

    def frame(self, index: int, token: CancelToken | None = None) -> Frame:
        """Frame `index`, or the nearest earlier one, marked."""

    def frame_at(self, t: Fraction | float | int, token: CancelToken | None = None) -> Frame:
        """The frame whose interval holds t."""

    def preview_at(self, t: Fraction | float | int, token: CancelToken | None = None) -> Frame:
        """Something near t at once."""

    def close(self) -> None:
        """Release what is held open."""


def open_film(
    path: str | os.PathLike[str],
    fps: Fraction | float | None = None,
    token: CancelToken | None = None,
    index: PacketIndex | None = None,
) -> Film:
    """Open what has frames. `fps` counts for folders only; `index` spares a second reading of the same video file."""
    if os.path.isdir(path):
        return FrameFolder(path, fps, token)
    kind = sniff(read_head(path))
    if kind in ("gif", "webp"):
        return Animation(path, token)
    return Clip(path, token, index)
