"""One at a time for each file: whoever comes second finds what the first one made."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Hashable, Iterator

from annotator.cancel import CancelToken

# How long a cancelled one may go on waiting.
_LOOK_S = 0.02


class Turns:
    """Locks by key that exist only while somebody holds one or waits for it."""

    def __init__(self) -> None:
        """None is held."""
        self._changed = threading.Condition()
        self._held: set[Hashable] = set()

    @contextlib.contextmanager
    def taken(self, key: Hashable, token: CancelToken) -> Iterator[None]:
        """Hold a key; raises `Cancelled` while waiting for it. Not to be taken twice by one thread."""
        with self._changed:
            while key in self._held:
                token.check()
                self._changed.wait(_LOOK_S)
            self._held.add(key)
        try:
            yield
        finally:
            with self._changed:
                self._held.discard(key)
                self._changed.notify_all()
