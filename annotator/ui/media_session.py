"""What is on the stage of one dialogue, and every way from there to anywhere else: all lead through the gate."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from annotator.domain.gate import Strip
from annotator.ui.media_facts import ViewingFacts
from annotator.ui.media_gate import EvidenceGate, Permit, is_clip
from annotator.ui.media_loader import MediaLoader
from annotator.ui.media_parcels import FrameShown
from annotator.ui.media_picture import ShownPicture
from annotator.ui.media_states import StageState, StateMaker
from annotator.ui.media_steps import Steps

if TYPE_CHECKING:
    from annotator.media.service import FilmFacts

_ZERO = Fraction(0)
# As many as there are lanes for, less some; and what the cache can spare of large frames.
_BACK_FRAMES = 12
_BACK_BYTES = 256 * 2**20


class MediaSession(Steps):
    """One dialogue's evidence behind its gate.

    Signals:
        picture(ShownPicture, keep): put it on the stage; `keep` holds zoom and place.
        state(StageState or None): a sentence in its place; None while something is on its way.
        moved(): stop, instant or frame changed.
        facts_changed(stop): a clip's length became known.
        refused(): the gate did not give what was asked for.
    """

    picture = Signal(object, bool)
    state = Signal(object)
    moved = Signal()
    facts_changed = Signal(int)
    refused = Signal()

    def __init__(self, loader: MediaLoader, parent: QObject | None = None) -> None:
        """No dialogue yet."""
        super().__init__(parent)
        self._loader = loader
        self.gate = EvidenceGate(Strip("image", ()))
        self.states = StateMaker()
        self.viewing = ViewingFacts()
        self.stop: int | None = None
        self.index: int | None = None
        self.at: Fraction | None = None
        self.exact = True
        self._visited: set[int] = set()
        self._wanted: int | None = None
        self._keep = False
        self._staged = False
        self._answered = False
        self._picture: ShownPicture | None = None
        loader.picture.connect(self._picture_home)
        loader.frame.connect(self._frame_home)
        loader.facts.connect(self._facts_home)
        loader.failed.connect(self._failed)

    # ------------------------------------------------------------------------------------------------------- dialogues
    def open_strip(self, strip: Strip, states: StateMaker) -> None:
        """Another dialogue: nothing of the last one is wanted any more."""
        self._loader.drop()
        self.gate = EvidenceGate(strip)
        self.states = states
        self.viewing = ViewingFacts()
        self.stop = self.index = self.at = self._wanted = None
        self._visited.clear()
        self._staged, self._picture = False, None

    def open_turn(self, turn: int | None) -> None:
        """A turn opens with the end of its evidence; the session view keeps what is on the stage."""
        keeps = turn is None and self._staged and self.stop is not None
        self.gate.open_turn(turn)
        if turn is not None:
            self._visited.add(turn)
        if keeps:
            self.moved.emit()
            return
        segment = self.gate.landing()
        if segment is None:
            self._loader.give_up()
            self.stop = None
            self._off_stage(self.states.of_asset(None))
            return
        self.go(segment.stop, segment.end, fresh=True)

    def neighbours(self) -> list[Permit]:
        """What the turns beside the open one open with, to be prepared: the next one only if it was open before.

        Nothing beyond the gate is decoded ahead of its turn, not even unseen.
        """
        turn = self.gate.turn
        if turn is None:
            return []
        wanted = [k for k in (turn + 1, turn - 1) if k in self._turns() and (k < turn or k in self._visited)]
        return [p for k in wanted if (p := self.gate.warm_permit(k)) is not None]

    def _turns(self) -> set[int]:
        return {k for stop in self.gate.strip.stops for k in stop.turns}

    # --------------------------------------------------------------------------------------------------------- moving
    def go(self, stop: int, at: Fraction | None = None, *, fresh: bool = False, quick: bool = False) -> bool:
        """Show an instant of a stop (None: its last open frame); False where the gate or the file says no.

        `fresh` clears the stage at once, so that no picture of another turn stays under this one's question. `quick`
        is for dragging: a frame nearby will do until the hand rests.
        """
        if not 0 <= stop < len(self.gate.strip.stops):
            return False
        asset = self.gate.strip.stops[stop].asset
        sentence = self.states.of_asset(asset)
        if self.gate.allows(stop, at) and sentence is not None:
            self._loader.give_up()
            self.stop = stop
            self._off_stage(sentence)
            return False
        permit = self.gate.permit(stop, at)
        if permit is None:
            if not self._staged:
                kind = "clip" if is_clip(self.gate.strip, asset) else "image"
                self._off_stage(self.states.locked(self.gate.turn, kind))
            self.refused.emit()
            return False
        self._show(permit, fresh=fresh, quick=quick)
        return True

    def _show(self, permit: Permit, *, fresh: bool, quick: bool) -> None:
        changed = permit.stop != self.stop
        self._keep = not changed and not fresh
        self.stop = permit.stop
        if changed or fresh:
            self.index = self.at = self._wanted = None
            self._staged = False
        self._answered = False
        self._loader.show(permit, quick=quick)
        if (changed or fresh) and not self._answered:
            # Not at hand: an empty stage until it comes.
            self.state.emit(None)
            self.moved.emit()

    def show_aside(self, permit: Permit | None, otherwise: StageState) -> None:
        """Show a file beside the strip (`permit.stop` is -1), or a sentence where there is none to show."""
        self._loader.give_up()
        fresh = self.stop is not None
        self.stop = self.index = self.at = self._wanted = None
        if permit is None:
            self._off_stage(otherwise)
            return
        self._answered, self._keep = False, False
        self._loader.show(permit)
        if fresh and not self._answered:
            self._staged = False
            self.state.emit(None)
            self.moved.emit()

    def go_index(self, index: int) -> bool:
        """Show a frame of the clip on the stage by its number; False where the gate says no."""
        facts = self.film()
        if self.stop is None or facts is None or not 0 <= index < len(facts.times):
            return False
        done = self.go(self.stop, facts.times[index])
        if done and self.index != index:
            self._wanted = index
        return done

    def last_index(self) -> int:
        """The last frame of the clip on the stage that may be shown; -1 without a clip."""
        facts = self.film()
        if facts is None or self.stop is None:
            return -1
        limit = self.gate.limit(self.stop)
        return len(facts.times) - 1 if limit is None else facts.index_at(limit)

    def warm_indices(self, indices: Iterable[int], *, at_once: bool = False) -> None:
        """Prepare frames of the clip on the stage, as far as they may be shown; `at_once` while it plays."""
        for index in indices:
            permit = self._permit_of(index)
            if permit is not None:
                self._loader.warm(permit, at_once=at_once)

    def at_hand(self, index: int) -> bool:
        """Whether a frame of the clip on the stage is decoded; what may not be shown never is."""
        permit = self._permit_of(index)
        return permit is not None and self._loader.at_hand(permit)

    def let_go(self, index: int) -> None:
        """A frame of the clip on the stage was played and left behind."""
        permit = self._permit_of(index)
        if permit is not None:
            self._loader.let_go(permit)

    def _permit_of(self, index: int) -> Permit | None:
        facts = self.film()
        if facts is None or self.stop is None or not 0 <= index <= self.last_index():
            return None
        return self.gate.permit(self.stop, facts.times[index])

    def warm_back(self) -> None:
        """Prepare frames before the one asked for last: out of what is decoded, a step back is a run from a key frame.

        That run happens beside the window, well before the steps arrive there.
        """
        base, picture = self._wanted if self._wanted is not None else self.index, self._picture
        if base is None or picture is None:
            return
        count = max(2, min(_BACK_FRAMES, _BACK_BYTES // max(1, picture.nbytes)))
        self.warm_indices(range(base - 1, base - 1 - count, -1))

    def bounds(self) -> tuple[int, Fraction, Fraction | None] | None:
        """Stop, start and end of the open turn's own segment; of the clip on the stage in the session view."""
        if self.gate.turn is None:
            return None if self.stop is None else (self.stop, _ZERO, None)
        segment = self.gate.landing()
        return None if segment is None else (segment.stop, segment.start, segment.end)

    def open_peek(self) -> None:
        """The peek was logged: the gate opens, and what was refused last is shown."""
        refusal = self.gate.refused
        self.gate.open_peek()
        if refusal is not None:
            self.go(refusal.stop, refusal.at)

    # ---------------------------------------------------------------------------------------------------- what is known
    def film(self) -> FilmFacts | None:
        """The facts of the clip on the stage, None for pictures and while they are unknown."""
        permit = self._peek_permit()
        return self._loader.facts_of(permit.path) if permit is not None and permit.what == "frame" else None

    def path(self) -> Path | None:
        """The local file on the stage."""
        permit = self._peek_permit()
        return permit.path if permit is not None else None

    def stage_permit(self) -> Permit | None:
        """Leave to read what is open of the stop on the stage."""
        return self._peek_permit()

    def _peek_permit(self) -> Permit | None:
        if self.stop is None or not self.gate.allows(self.stop):
            return None
        return self.gate.permit(self.stop)

    def _is_film(self) -> bool:
        permit = self._peek_permit()
        return permit is not None and permit.what == "frame"

    @property
    def staged(self) -> bool:
        """Whether there is a picture on the stage."""
        return self._staged

    # --------------------------------------------------------------------------------------------------- coming home
    def _picture_home(self, picture: ShownPicture, sharper: bool) -> None:
        self._staged = self._answered = True
        if self.stop is not None:
            self.viewing.opened.add(self.stop)
        self.at, self.exact = (_ZERO if self.stop is not None else None), True
        self.picture.emit(picture, sharper)
        self.moved.emit()

    def _frame_home(self, shown: FrameShown) -> None:
        if self.stop is None or not self.gate.allows(self.stop, shown.time):
            return
        self._staged = self._answered = True
        self._wanted, self._picture = None, shown.picture
        self.index, self.at, self.exact = shown.index, shown.time, shown.exact
        self.viewing.opened.add(self.stop)
        facts = self.film()
        if facts is not None and shown.exact:
            after = facts.times[shown.index + 1] if shown.index + 1 < len(facts.times) else facts.duration
            self.viewing.watch(self.stop).add(shown.time, after)
        self.picture.emit(shown.picture, self._keep)
        self._keep = True
        self.moved.emit()

    def _facts_home(self, path: Path, facts: FilmFacts) -> None:
        for number in range(len(self.gate.strip.stops)):
            if self.gate.allows(number):
                permit = self.gate.permit(number)
                if permit is not None and permit.path == path:
                    self.facts_changed.emit(number)

    def _failed(self, sentence: str, code: str) -> None:
        kind, path = "clip" if self._is_film() else "image", self.path()
        self._off_stage(self.states.failed(sentence, kind, code, path.name if path is not None else ""))

    def _off_stage(self, state: StageState | None) -> None:
        self._staged, self._answered = False, True
        self.index = self.at = self._wanted = None
        self.state.emit(state)
        self.moved.emit()
