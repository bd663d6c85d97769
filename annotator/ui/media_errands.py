"""Requests beside the stage: sounds, crops for cards, frames of a contact sheet. Each brings its answer to one caller.

An errand is asked of the media service in a lane of its own; what is made of the answer is made in the worker, and what
is done with it is done on the GUI thread. A newer errand under the same name, or `give_up`, drops the older one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from annotator.cancel import Cancelled
from annotator.errors import WorldError

Ask = Callable[[Hashable], "Future[Any]"]
Make = Callable[[Any], Any]
Then = Callable[[Any], None]
Failed = Callable[[BaseException], None]


class Errands(QObject):
    """Runs errands; lives as long as its loader."""

    _home = Signal(object)

    def __init__(self, cancel: Callable[[Hashable], None], parent: QObject | None = None) -> None:
        """`cancel` gives a lane of the media service up."""
        super().__init__(parent)
        self._cancel = cancel
        self._closed = False
        self._tickets: dict[Hashable, int] = {}
        self._number = 0
        self._home.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(self, name: Hashable, ask: Ask, make: Make | None, then: Then, failed: Failed | None = None) -> None:
        """Ask for something in the lane `("errand", name)`.

        `make` turns the answer into what is wanted, in the worker; `then` (or `failed`) follows on the GUI thread, at
        once where the answer is at hand.
        """
        self._number += 1
        ticket = self._tickets[name] = self._number
        future = ask(("errand", name))
        if future.done():
            self._deliver((name, ticket, *_outcome(future, make), then, failed))
            return

        def bring(done: Future[Any]) -> None:
            # Runs in a media thread, or here if the work was finished meanwhile.
            if self._closed or done.cancelled():
                return
            try:
                self._home.emit((name, ticket, *_outcome(done, make), then, failed))
            except RuntimeError:
                self._closed = True  # the window is gone; nobody waits any more

        future.add_done_callback(bring)

    def give_up(self, name: Hashable) -> None:
        """What was asked under a name is not wanted any more."""
        if self._tickets.pop(name, None) is not None:
            self._cancel(("errand", name))

    def give_up_all(self, kind: str | None = None) -> None:
        """Nothing asked so far is wanted any more; of `kind`, only names (kind, …)."""
        for name in list(self._tickets):
            if kind is None or (isinstance(name, tuple) and name[0] == kind):
                self.give_up(name)

    def close(self) -> None:
        """Bring nothing home any more."""
        self.give_up_all()
        self._closed = True

    def _deliver(self, parcel: tuple[Hashable, int, Any, BaseException | None, Then, Failed | None]) -> None:
        name, ticket, value, error, then, failed = parcel
        if self._closed or self._tickets.get(name) != ticket:
            return
        if error is None:
            then(value)
        elif failed is not None and not isinstance(error, Cancelled | CancelledError):
            failed(error)


def _outcome(future: Future[Any], make: Make | None) -> tuple[Any, BaseException | None]:
    if future.cancelled():
        return None, CancelledError()
    error = future.exception()
    if error is not None:
        return None, error
    try:
        return (make(future.result()) if make is not None else future.result()), None
    except WorldError as refused:
        return None, refused
