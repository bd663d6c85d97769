"""Locks between processes: held by the operating system while the process lives, so that none is left over.

The file of a lock says who holds it; it stays when the lock is gone and means nothing then.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

if sys.platform == "win32":
    import msvcrt

    # A locked byte cannot be read on Windows: lock one far behind the text.
    _FAR: Final = 1 << 30

    def _take(handle: int) -> bool:
        os.lseek(handle, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _give(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _take(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _give(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


class FileLock:
    """One lock file; exclusive between processes, and between two objects of one process."""

    def __init__(self, path: Path) -> None:
        """Name the file; it is opened when the lock is first wanted."""
        self.path = path
        self._handle: int | None = None
        self.held = False

    def acquire(self, timeout: float = 0.0) -> bool:
        """Take the lock, waiting at most `timeout` seconds; False where somebody else keeps it.

        Raises:
            OSError: when the file cannot be made.
        """
        if self._handle is None:
            self._handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
        deadline = time.monotonic() + timeout
        pause = 0.0005
        while not _take(self._handle):
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(pause, left))
            pause = min(pause * 1.5, 0.02)
        self.held = True
        self._sign()
        return True

    def _sign(self) -> None:
        """Write who holds it; of use to others only, so that a failure is none."""
        text = json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode()
        if self._handle is not None:
            try:
                os.lseek(self._handle, 0, os.SEEK_SET)
                os.write(self._handle, text.ljust(120) + b"\n")
            except OSError:
                return

    def release(self) -> None:
        """Give the lock back, if it is held."""
        if self.held and self._handle is not None:
            self.held = False
            _give(self._handle)

    def close(self) -> None:
        """Give it back and let go of the file."""
        self.release()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def holder(self) -> str:
        """Who holds it, for a sentence: `process 123 on host`."""
        try:
            said = json.loads(self.path.read_text(encoding="utf-8"))
            return f"process {int(said['pid'])} on {said['host']}"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process"


_threads: dict[str, threading.RLock] = {}
_threads_guard = threading.Lock()


def thread_lock(path: Path) -> threading.RLock:
    """The lock of this process for one workspace, shared by all stores that are open on it."""
    with _threads_guard:
        return _threads.setdefault(os.path.realpath(path), threading.RLock())


@contextmanager
def maybe_held(lock: FileLock, timeout: float) -> Iterator[bool]:
    """Hold the lock if it can be had; yields whether it is."""
    taken = lock.acquire(timeout)
    try:
        yield taken
    finally:
        if taken:
            lock.release()
