"""The application as `annotator open` starts it, with a busy pair of hands and somebody who writes down what happens.

`python -m tests.helpers.hands WORKSPACE LOG SEED` is one such application. `--nursery` reads the program once and forks
one for each line of its input, until the input ends; nothing of Qt is made before a fork.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer

# All of these are what a start reads: in a nursery they are read before the fork.
import annotator.ui.review
import annotator.workspace.workspace  # noqa: F401
from annotator import app
from annotator.domain.labels import CANDIDATE_FIELDS
from annotator.ui.lanes import Lanes
from annotator.ui.outbox import Letter
from annotator.ui.typist import Typist
from annotator.ui.window import MainWindow

# Bursts faster than a disk, with breaths in which everything gets there.
PAUSES_MS = (1, 2, 4, 8, 25, 50)


class Watched(MainWindow):
    """The window; what is posted to its outbox is written down, and each moment at which `savedLabel` says saved."""

    log = -1
    chance = random.Random(0)

    def __init__(self, lanes: Lanes) -> None:
        super().__init__(lanes)
        sys.excepthook = _give_up
        self._typist = Typist(self, wait=False)
        self._beat = QTimer(self)
        self._beat.setSingleShot(True)
        self._beat.timeout.connect(self._type)
        self.ready.connect(self._begin)

    def _write(self, line: Any) -> None:
        os.write(self.log, json.dumps(line).encode() + b"\n")

    def _begin(self) -> None:
        outbox = self.desk.outbox
        post = outbox.post

        def noted(letter: Letter) -> None:
            self._write([
                [letter.item_id, None if i.field in CANDIDATE_FIELDS else letter.responder, i.target, i.field, i.value]
                for i in letter.intents
            ])  # fmt: skip
            post(letter)

        outbox.post = noted  # type: ignore[method-assign]
        # Connected last: the status bar has taken the news by then, and this reads what it says.
        outbox.state_changed.connect(self._look_at_saved_label)
        self._beat.start(0)

    def _look_at_saved_label(self) -> None:
        if self.status.saved.state() == "saved":
            self._write("saved")

    def _type(self) -> None:
        self._typist.press(self._next_key())
        if self.chance.random() < 0.01:
            self._typist.press("Tab")
            self._typist.write("because 因为")
            self._typist.press("Esc")
        self._beat.start(self.chance.choice(PAUSES_MS))

    def _next_key(self) -> str:
        view = self.desk.view
        gap = view.sheet.next_gap() if view is not None else None
        if gap is None:
            return "Ctrl+Enter"
        if gap.target == "item":
            return self.chance.choice("KX")
        here = self.review.target == gap.target and self.review.grid.current_dimension() == gap.field
        return self.chance.choice("0123455") if here or self.chance.random() < 0.1 else "G"


def _give_up(*error: Any) -> None:
    """A mistake of the application must not pass for a quiet one."""
    sys.__excepthook__(*error)
    os._exit(9)


def application(workspace: Path, log: Path, seed: int) -> int:
    """Run it; it does not end by itself."""
    Watched.log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    Watched.chance = random.Random(seed)
    app.MainWindow = Watched  # type: ignore[misc]
    return app.main(workspace)


def nursery() -> int:
    """Fork an application for each line of the input: a JSON list of workspace, log, seed. Answers with its number."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system buries the children
    for line in iter(sys.stdin.readline, ""):
        workspace, log, seed = json.loads(line)
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os._exit(application(Path(workspace), Path(log), seed))
        print(pid, flush=True)
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--nursery"]:
        sys.exit(nursery())
    sys.exit(application(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))
