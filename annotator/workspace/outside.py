"""Notices what others wrote into an open workspace: a command beside the window, a sync, another window."""

from __future__ import annotations

from annotator.store import Store


class Outside:
    """Tells own writes from others'. Ask it from one thread only: the store's version belongs to a connection."""

    def __init__(self, store: Store) -> None:
        """Nothing is known before the first question."""
        self._store = store
        self._version: int | None = None
        self._seen = (-1, -1)
        self._own = 0

    def wrote(self, events: int) -> None:
        """This window appended so many events."""
        self._own += events

    def changed(self) -> bool:
        """Whether labels or imports came in from elsewhere since the last question."""
        version = self._store.version()
        if version == self._version:
            return False
        now = (self._store.labels.count(), len(self._store.imports.published()))
        expected, first = (self._seen[0] + self._own, self._seen[1]), self._version is None
        self._version, self._seen, self._own = version, now, 0
        return not first and now != expected
