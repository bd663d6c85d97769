"""What a timeline needs to know of something with frames, without holding it open."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction

from annotator.media.clip import as_time
from annotator.media.opening import Film


@dataclass(frozen=True)
class FilmFacts:
    """What a timeline needs of a clip, a folder of frames or a moving picture.

    Attributes:
        times: when each frame appears, in seconds after the first; exact, ascending.
        duration: to the end of the last frame's interval, in seconds.
        width: pixels across, as displayed.
        height: pixels down, as displayed.
        codec: codec or format.
        damaged: the whole is known to be incomplete; `why` says so.
        why: a sentence, or empty.
        notes: what a person should know about how it is shown.
        start: the container's own time of the first frame, in seconds: what its sound track's times are told by.
    """

    times: tuple[Fraction, ...]
    duration: Fraction
    width: int
    height: int
    codec: str
    damaged: bool
    why: str
    notes: tuple[str, ...]
    start: Fraction = Fraction(0)

    @property
    def nbytes(self) -> int:
        """Bytes of memory, about: a fraction and its two integers per frame."""
        return 160 * len(self.times)

    def index_at(self, t: Fraction | float | int) -> int:
        """The frame whose interval holds t: before 0 the first, past the end the last."""
        return max(0, bisect_right(self.times, as_time(t)) - 1)


def facts_of(film: Film) -> FilmFacts:
    """The facts of something open."""
    return FilmFacts(
        times=film.times,
        duration=film.duration,
        width=film.width,
        height=film.height,
        codec=film.codec,
        damaged=film.damaged,
        why=film.why,
        notes=film.notes,
        start=film.start,
    )
