"""A folder of pictures as a clip: in the order people number files, gaps in the numbering kept as time."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np

from annotator.cancel import CancelToken
from annotator.errors import WorldError
from annotator.media.clip import as_time
from annotator.media.frames import Frame
from annotator.media.pictures import load_full
from annotator.media.sniff import FRAME_SUFFIXES, name_of, world_error

_DIGITS = re.compile(r"(\d+)")


def natural_key(name: str) -> tuple[tuple[int, str], ...]:
    """A key by which frame_2 comes before frame_10; equal numbers are ordered as written."""
    parts = _DIGITS.split(name.casefold())
    return tuple((int(part), part) if i % 2 else (-1, part) for i, part in enumerate(parts))


def list_frames(folder: str | os.PathLike[str]) -> list[Path]:
    """The pictures of a folder in natural order; hidden files and other kinds are left out."""
    try:
        entries = [entry for entry in Path(folder).iterdir() if entry.is_file() and not entry.name.startswith(".")]
    except OSError as error:
        raise world_error(folder, error) from error
    found = [entry for entry in entries if entry.suffix.lower() in FRAME_SUFFIXES]
    return sorted(found, key=lambda entry: (natural_key(entry.stem), entry.name))


def running_numbers(stems: Iterable[str]) -> list[int] | None:
    """The frame number in each name, if the names differ in one number only and it ascends; else None."""
    split = [_DIGITS.split(stem) for stem in stems]
    if not split or any(len(parts) != len(split[0]) for parts in split):
        return None
    varying = [
        i for i in range(len(split[0]))
        if len({int(parts[i]) if i % 2 else parts[i] for parts in split}) > 1
    ]  # fmt: skip
    if len(varying) != 1 or varying[0] % 2 == 0:
        return None
    numbers = [int(parts[varying[0]]) for parts in split]
    return numbers if all(a < b for a, b in pairwise(numbers)) else None


class FrameFolder:
    """A folder of frames with the interface of a clip. Without `fps` frames are reached by index only."""

    codec = "frames"
    rotation = 0

    def __init__(
        self, path: str | os.PathLike[str], fps: Fraction | float | None = None, token: CancelToken | None = None
    ) -> None:
        """List the folder and read its first frame; WorldError if it holds no pictures."""
        self.path = os.fspath(path)
        self.files = list_frames(path)
        if not self.files:
            raise WorldError(f"{name_of(path)} is a folder without pictures.", code="media_no_frames", path=self.path)
        self.fps = as_time(fps) if fps is not None else None
        if self.fps is not None and self.fps <= 0:
            raise WorldError(f"{name_of(path)}: frames per second must be above zero.", path=self.path)
        numbers = running_numbers(file.stem for file in self.files)
        self._numbers = np.array(numbers if numbers is not None else range(len(self.files)), np.int64)
        self._lock = threading.Lock()
        first = load_full(self.files[0], token)
        self.width, self.height = first.full_width_px, first.full_height_px
        self.notes: tuple[str, ...] = self._gap_notes()
        self.damaged, self.why = False, ""
        self.start = Fraction(0)

    def _gap_notes(self) -> tuple[str, ...]:
        missing = self.missing_numbers
        if not missing:
            return ()
        named = ", ".join(str(number) for number in missing[:10]) + (" and more" if len(missing) > 10 else "")
        return (f"frames missing in the numbering: {named}",)

    @property
    def missing_numbers(self) -> tuple[int, ...]:
        """The numbers between the first and the last that no file has."""
        have = self._numbers
        if have.size < 2 or int(have[-1] - have[0]) > 10_000_000:
            return ()
        return tuple(int(n) for n in np.setdiff1d(np.arange(int(have[0]), int(have[-1]) + 1), have))

    def __len__(self) -> int:
        return len(self.files)

    @property
    def _step(self) -> Fraction:
        """Seconds per number; without a rate one second each, which orders frames but tells no time."""
        return 1 / self.fps if self.fps is not None else Fraction(1)

    @cached_property
    def times(self) -> tuple[Fraction, ...]:
        """When each frame appears, in seconds after the first: a missing number holds the frame before it longer."""
        return tuple(int(n - self._numbers[0]) * self._step for n in self._numbers)

    @property
    def duration(self) -> Fraction:
        """From the first frame to the end of the last one's interval, in seconds."""
        return (int(self._numbers[-1] - self._numbers[0]) + 1) * self._step

    def index_at(self, t: Fraction | float | int) -> int:
        """The frame whose interval holds t; WorldError without frames per second."""
        if self.fps is None:
            raise WorldError(
                f"{name_of(self.path)} is a folder of frames: a time needs the number of frames per second.",
                code="media_needs_fps",
                path=self.path,
            )
        ticks = as_time(t) * self.fps
        at = int(self._numbers[0]) + ticks.numerator // ticks.denominator
        return max(0, int(np.searchsorted(self._numbers, at, side="right")) - 1)

    def time_of(self, index: int) -> Fraction:
        """When frame `index` appears, in seconds after the first."""
        return int(self._numbers[index] - self._numbers[0]) * self._step

    def frame_at(self, t: Fraction | float | int, token: CancelToken | None = None) -> Frame:
        """The frame whose interval holds t seconds after the first."""
        return self.frame(self.index_at(t), token)

    def frame(self, index: int, token: CancelToken | None = None) -> Frame:
        """Frame `index`; where its file cannot be shown, the nearest earlier one that can, marked."""
        if not 0 <= index < len(self):
            raise IndexError(f"frame {index} of {len(self)}")
        reason: WorldError | None = None
        for number in (*range(index, -1, -1), *range(index + 1, len(self))):
            try:
                picture = load_full(self.files[number], token)
            except WorldError as error:
                reason = reason or error
                continue
            why = picture.why
            if number != index:
                why = f"{name_of(self.files[index])} cannot be shown: {name_of(self.files[number])} stands in its place"
            damaged = picture.damaged or number != index
            return Frame(
                number, self.time_of(number), picture.pixels, number == index, damaged, why, picture.notes + self.notes
            )
        raise reason or WorldError(f"{name_of(self.path)}: no frame can be shown.", path=self.path)

    def preview_at(self, t: Fraction | float | int, token: CancelToken | None = None) -> Frame:
        """A folder has nothing quicker than the frame itself."""
        return self.frame_at(t, token)

    def close(self) -> None:
        """Nothing is held open."""

    def __enter__(self) -> FrameFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
