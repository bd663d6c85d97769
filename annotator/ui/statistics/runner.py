"""Asks for figures beside the window: values first, then intervals; what nobody waits for any more is dropped.

All calls run in the lane of figures, one after the other, on a reading connection of their own (`FigureRoom`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject, Qt, Signal, Slot

from annotator.cancel import CancelToken, check
from annotator.errors import WorldError
from annotator.ui.lanes import Lanes
from annotator.workspace.figures_room import Choices, FigureRoom, Figures, Question

CLOSED: Final = "blind"
"""The code of what is kept from somebody who is scoring blind."""


class Answers:
    """What is known by now: question -> figures, and whether their intervals are there.

    `folder` is the workspace; `closed`: a sentence where figures of judges are kept from who is scoring blind.
    """

    def __init__(self) -> None:
        """Nothing is known."""
        self.folder = Path()
        self.closed = ""
        self._held: dict[Question, tuple[Figures, bool]] = {}

    def get(self, question: Question) -> Figures | None:
        """The figures, or None while there are none."""
        held = self._held.get(question)
        return held[0] if held is not None else None

    def whole(self, question: Question) -> bool:
        """Whether intervals are there too."""
        held = self._held.get(question)
        return held is not None and held[1]

    def put(self, question: Question, figures: Figures, *, whole: bool) -> None:
        """Keep an answer; values alone never take the place of a whole one."""
        if whole or not self.whole(question):
            self._held[question] = (figures, whole)

    def keep_back(self, question: Question, sentence: str) -> None:
        """A question that this person may have no answer to by now."""
        self.closed = sentence
        self._held.pop(question, None)

    def clear(self) -> None:
        """Forget all."""
        self._held.clear()

    def __iter__(self) -> Iterator[Question]:
        """The questions that have an answer."""
        return iter(self._held)


class Runner(QObject):
    """The page's questions on their way.

    Signals:
        arrived: an answer came; read `answers`. changed: work began or ended (see `busy`, `cancelled`, `seconds`).
        progressed: share of the work that is done, 0 to 1. failed: WorldError. choices_ready: Choices.
        reported: (file, figures) of a report that was written.
    """

    arrived = Signal()
    changed = Signal()
    progressed = Signal(float)
    failed = Signal(object)
    choices_ready = Signal(object)
    reported = Signal(object, int)
    _told = Signal(object)

    def __init__(self, lanes: Lanes, parent: QObject | None = None) -> None:
        """No workspace yet."""
        super().__init__(parent)
        self._lanes = lanes
        self._room: FigureRoom | None = None
        self._token = CancelToken()
        self._waiting = 0
        self._jobs = 0
        self._began = 0.0
        self.answers = Answers()
        self.cancelled = False
        self.seconds = 0.0
        self._told.connect(self._progress_home, Qt.ConnectionType.QueuedConnection)

    @property
    def folder(self) -> Path | None:
        """The workspace."""
        return self._room.folder if self._room is not None else None

    @property
    def busy(self) -> bool:
        """Whether something is being calculated."""
        return self._waiting > 0

    def set_folder(self, folder: Path | None) -> None:
        """Ask another workspace from now on, or none."""
        if folder == self.folder:
            return
        self._drop()
        self.answers.clear()
        if self._room is not None:
            self._lanes.figures(self._room.close)
        self._room = FigureRoom(folder) if folder is not None else None
        self.answers.folder = folder or Path()

    def _drop(self) -> CancelToken:
        self._token.cancel()
        self._token = CancelToken()
        self._waiting = self._jobs = 0
        return self._token

    def ask(self, questions: Sequence[Question]) -> None:
        """Answer these questions instead of those asked before; at once where the answer is kept."""
        token = self._drop()
        self.cancelled = False
        self._began = time.monotonic()
        room = self._room
        if room is None:
            return
        self.answers.closed = ""
        self._submit(room.look, self._looked, token)
        for points in (True, False):
            for question in questions:
                call = self._answerer(room, question, points, token)
                self._submit(call, self._taker(question, points), token, question)
            if points:  # all scores are read for the choices, which not every section's values need
                self._submit(_call(room.choices, token), self.choices_ready.emit, token)
        self.changed.emit()

    def _looked(self, changed: bool) -> None:
        if changed:  # what is shown was true before somebody wrote
            self.answers.clear()

    def _answerer(
        self, room: FigureRoom, question: Question, points: bool, token: CancelToken
    ) -> Callable[[], tuple[Figures, bool]]:
        def tell(done: int, of: int) -> None:
            self._told.emit((token, done, of))

        def call() -> tuple[Figures, bool]:
            check(token)
            figures = room.answer(question, points, token, tell)
            return figures, not points or room.known(question) is not None

        return call

    def _taker(self, question: Question, points: bool) -> Callable[[Any], None]:
        def take(answer: tuple[Figures, bool]) -> None:
            figures, whole = answer
            self.answers.put(question, figures, whole=whole)
            self.arrived.emit()

        return take

    def behind(self, call: Callable[[FigureRoom], Any], then: Callable[[Any], None]) -> None:
        """Ask the room something small, after what is being calculated; the answer comes to `then`."""
        room = self._room
        if room is not None:
            self._lanes.figures(lambda: call(room), then, self.failed.emit)

    def report(self, file: Path, lang: str) -> None:
        """Write the report in the place of what is being calculated; Stop stops it."""
        token, room = self._drop(), self._room
        if room is None:
            return
        self.cancelled = False
        self._began = time.monotonic()

        def tell(done: int, of: int) -> None:
            self._told.emit((token, done, of))

        def written(figures: int) -> None:
            self.reported.emit(file, figures)

        self._submit(lambda: room.report(file, lang, token, tell), written, token)
        self.changed.emit()

    def _submit(
        self,
        call: Callable[[], Any],
        then: Callable[[Any], None],
        token: CancelToken,
        question: Question | None = None,
    ) -> None:
        self._waiting += 1
        self._jobs += 1

        def done(answer: Any) -> None:
            then(answer)
            self._one_less(token)

        def failed(error: WorldError) -> None:
            if token.cancelled:
                return
            if error.code == CLOSED and question is not None:
                self.answers.keep_back(question, error.sentence)
                self.arrived.emit()
                self._one_less(token)
            else:
                self._token.cancel()
                self._waiting = 0
                self.failed.emit(error)
                self.changed.emit()

        self._lanes.figures(call, done, failed, token)

    def _one_less(self, token: CancelToken) -> None:
        if token is not self._token:
            return
        self._waiting -= 1
        self.progressed.emit(1 - self._waiting / max(1, self._jobs))
        if not self._waiting:
            self.seconds = time.monotonic() - self._began
            self.changed.emit()

    @Slot(object)
    def _progress_home(self, message: tuple[CancelToken, int, int]) -> None:
        token, done, of = message
        if token is self._token and self._waiting:
            before = self._jobs - self._waiting
            self.progressed.emit((before + done / max(1, of)) / max(1, self._jobs))

    def cancel(self) -> None:
        """Stop what is being calculated; what has come stays."""
        if self.busy:
            self._drop()
            self.cancelled = True
            self.changed.emit()

    def rest(self) -> None:
        """Nobody looks: the rows of the workspace need not stay in memory."""
        if self._room is not None and not self.busy:
            self._lanes.figures(self._room.rest)

    def shut_down(self) -> None:
        """The window closes."""
        self.set_folder(None)
        self._token.cancel()


def _call(call: Callable[[CancelToken], Choices], token: CancelToken) -> Callable[[], Choices]:
    return lambda: call(token)
