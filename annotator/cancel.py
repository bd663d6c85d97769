"""Cancelling work politely: a token that slow work polls between rows, tiles and frames."""

from __future__ import annotations

import threading


class Cancelled(Exception):  # noqa: N818 - not an error: somebody changed their mind
    """Raised inside work whose token was cancelled; nothing is shown to anybody."""


class CancelToken:
    """A flag shared by the one who asks and the one who works; safe to use from any thread."""

    def __init__(self) -> None:
        """Start uncancelled."""
        self._event = threading.Event()

    @property
    def cancelled(self) -> bool:
        """Whether the work should stop."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Ask the work to stop at its next check."""
        self._event.set()

    def check(self) -> None:
        """Raise `Cancelled` if the work should stop."""
        if self._event.is_set():
            raise Cancelled


def check(token: CancelToken | None) -> None:
    """Check a token that may be absent."""
    if token is not None:
        token.check()
