"""Which thumbnails still stand in by a key frame, and when their own frames are asked for."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from annotator.ui.media_gate import Permit

Place = tuple[int, Fraction]


class Refinement:
    """Exact thumbnails follow their key frames; while a clip plays they wait, for its frames want the processors.

    A permit is worth what its turn's gate was. Whoever opens another turn lets this forget first, so that nothing that
    was put off is asked for under a gate that has closed; what the new gate opens is asked for again by the strip.
    """

    def __init__(self, start: Callable[[Permit, Place], None], stop: Callable[[Place], None]) -> None:
        """`start` asks for the frame itself, `stop` gives up what was asked for."""
        self._start, self._stop = start, stop
        self._wanted: dict[Place, Permit] = {}
        self.quiet = False

    def want(self, permit: Permit, place: Place) -> None:
        """A key frame stands in at this place: have the frame itself, now or once it is not quiet any more."""
        self._wanted[place] = permit
        if not self.quiet:
            self._start(permit, place)

    def came(self, place: Place) -> None:
        """The frame is there, or will never be."""
        self._wanted.pop(place, None)

    def set_quiet(self, on: bool) -> None:
        """Give up what is under way, or (when it is over) ask for it again."""
        if on == self.quiet:
            return
        self.quiet = on
        for place, permit in list(self._wanted.items()):
            if on:
                self._stop(place)
            else:
                self._start(permit, place)

    def forget(self) -> None:
        """Nothing of it is wanted any more."""
        self._wanted.clear()
