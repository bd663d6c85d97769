"""Work beside the window: one lane for interactive reads and writes in order, one for all long work, one for fetching,
one for figures.

Request (on the GUI thread, immutable) -> call (in the lane, no shared state) -> response (on the GUI thread). The lane
that answers is told by a token; what nobody waits for any more is dropped at the door. This is the only maker of
executors in the window besides the media service, so that quitting can join them all.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import WorldError

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

T = TypeVar("T")
Then = Callable[[Any], None]
Failed = Callable[[WorldError], None]

_log = logging.getLogger(__name__)


class Lanes(QObject):
    """The quick lane (one worker, first in first out, so that undo order is sure) and the bulk lane.

    Signals:
        trouble: a WorldError that nobody else handles; its sentence is for the message bar.
        bug: an unexpected exception out of a lane; shown once with where its traceback is.
        idle: both lanes have nothing left to do.
    """

    trouble = Signal(object)
    bug = Signal(object)
    idle = Signal()
    _home = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        """Make the two lanes; nothing is started until work comes."""
        super().__init__(parent)
        self._pools: dict[str, ThreadPoolExecutor] = {}
        self._far: list[CancelToken] = []
        self._waiting = 0
        self._closed = False
        self._home.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def quick(self, call: Callable[[], T], then: Then | None = None, failed: Failed | None = None) -> Future[T]:
        """Run `call` in the quick lane; `then(result)` or `failed(error)` follows on the GUI thread."""
        return self._submit("quick", call, then, failed, None)

    def bulk(
        self,
        call: Callable[[CancelToken], T],
        then: Then | None = None,
        failed: Failed | None = None,
        token: CancelToken | None = None,
    ) -> CancelToken:
        """Run long work in the bulk lane; the token returned cancels it (then nothing follows)."""
        own = token or CancelToken()
        self._submit("bulk", lambda: call(own), then, failed, own)
        return own

    def far(
        self,
        call: Callable[[CancelToken], T],
        then: Then | None = None,
        failed: Failed | None = None,
    ) -> CancelToken:
        """Run what waits for the network, for hours it may be, beside the bulk lane; closing the window stops it."""
        token = CancelToken()
        self._far.append(token)
        self._submit("far", lambda: call(token), then, failed, token)
        return token

    def figures(
        self,
        call: Callable[[], T],
        then: Then | None = None,
        failed: Failed | None = None,
        token: CancelToken | None = None,
    ) -> None:
        """Calculate beside everything else, in order; whoever asks keeps the token and cancels before the end."""
        self._submit("figures", call, then, failed, token)

    def _pool(self, lane: str) -> ThreadPoolExecutor:
        if self._closed:
            raise RuntimeError("the lanes are closed: nothing can be asked any more")
        if lane not in self._pools:
            from concurrent.futures import ThreadPoolExecutor  # after the first paint, with the first work

            self._pools[lane] = ThreadPoolExecutor(1, thread_name_prefix=lane)
        return self._pools[lane]

    def _submit(
        self,
        lane: str,
        call: Callable[[], T],
        then: Then | None,
        failed: Failed | None,
        token: CancelToken | None,
    ) -> Future[T]:
        self._waiting += 1
        future = self._pool(lane).submit(call)
        future.add_done_callback(lambda done: self._bring(done, then, failed, token))
        return future

    def _bring(self, done: Future[Any], then: Then | None, failed: Failed | None, token: CancelToken | None) -> None:
        # Runs in the lane: it only hands over, the queued signal does the rest on the GUI thread.
        if not self._closed:
            self._home.emit((done, then, failed, token))

    @Slot(object)
    def _deliver(self, message: tuple[Future[Any], Then | None, Failed | None, CancelToken | None]) -> None:
        done, then, failed, token = message
        self._waiting -= 1
        if not (self._closed or done.cancelled()):
            self._answer(done, then, failed, token)
        if not self._waiting:
            self.idle.emit()

    def _answer(self, done: Future[Any], then: Then | None, failed: Failed | None, token: CancelToken | None) -> None:
        error = done.exception()
        if error is None:
            if then is not None and not (token is not None and token.cancelled):
                then(done.result())
        elif isinstance(error, WorldError):
            (failed or self.trouble.emit)(error)
        elif not isinstance(error, Cancelled):
            _log.error("unexpected error in a lane", exc_info=error)
            self.bug.emit(error)
            if failed is not None:  # whoever waits must not wait for ever because of our mistake
                failed(WorldError(f"Unexpected error ({type(error).__name__}: {error}); details are in the log."))

    @property
    def busy(self) -> bool:
        """Whether anything is asked and not yet answered."""
        return self._waiting > 0

    def shutdown(self) -> None:
        """Finish what the quick lane holds (labels!), drop what waits elsewhere, stop what fetches, and join all."""
        for token in self._far:
            token.cancel()
        for pool in (self._pools[lane] for lane in ("bulk", "far") if lane in self._pools):
            pool.shutdown(wait=False, cancel_futures=True)
        for pool in (self._pools[lane] for lane in ("quick", "bulk", "far", "figures") if lane in self._pools):
            pool.shutdown(wait=True)
        self._closed = True
