"""What was decoded, kept by bytes: the least recently used goes first. Safe from any thread."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Protocol, TypeVar


class Sized(Protocol):
    """Whatever knows how many bytes of memory it holds."""

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""


V = TypeVar("V", bound=Sized)


class FrameCache:
    """Pictures, frames and sounds under hashable keys, within a budget of bytes.

    A value larger than the budget is not kept. Values are handed out, not copied: their holder keeps them alive after
    they have left the cache.
    """

    def __init__(self, byte_budget: int) -> None:
        """Start empty."""
        self.byte_budget = byte_budget
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, Sized] = OrderedDict()
        self._bytes = 0

    @property
    def nbytes(self) -> int:
        """Bytes of all values kept."""
        with self._lock:
            return self._bytes

    def __len__(self) -> int:
        with self._lock:
            return len(self._values)

    def __contains__(self, key: Hashable) -> bool:
        with self._lock:
            return key in self._values

    def get(self, key: Hashable, kind: type[V]) -> V | None:
        """The value under a key, if it is kept and of this kind; it counts as used now."""
        with self._lock:
            value = self._values.get(key)
            if value is None:
                return None
            self._values.move_to_end(key)
        return value if isinstance(value, kind) else None

    def put(self, key: Hashable, value: Sized) -> None:
        """Keep a value; others make room for it."""
        size = value.nbytes
        with self._lock:
            old = self._values.pop(key, None)
            if old is not None:
                self._bytes -= old.nbytes
            if size > self.byte_budget:
                return
            self._values[key] = value
            self._bytes += size
            while self._bytes > self.byte_budget:
                _, gone = self._values.popitem(last=False)
                self._bytes -= gone.nbytes

    def drop(self, key: Hashable) -> None:
        """Forget one value."""
        with self._lock:
            old = self._values.pop(key, None)
            if old is not None:
                self._bytes -= old.nbytes

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()
            self._bytes = 0
