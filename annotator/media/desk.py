"""Open clips: each worker keeps a few of its own, their packet indexes are shared."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from fractions import Fraction
from typing import NamedTuple

from annotator.cancel import CancelToken
from annotator.media.clip import Clip
from annotator.media.opening import Film, open_film
from annotator.media.packets import PacketIndex

# Open files per worker: the clip on the screen and the neighbour that is prefetched. A decoder's frames cost memory.
OPEN_PER_WORKER = 2

# Indexes kept: half a megabyte for ten minutes of video each.
KEPT_INDEXES = 64


class Identity(NamedTuple):
    """A file as it was when asked for: a file replaced under its name is another one."""

    path: str
    modified_ns: int
    size: int


def identity_of(path: str | os.PathLike[str]) -> Identity:
    """Look the file up; one that is not there has an identity too, and fails where it is opened."""
    where = os.fspath(path)
    try:
        state = os.stat(where)
    except OSError:
        return Identity(where, 0, -1)
    return Identity(where, state.st_mtime_ns, state.st_size)


class _Mine(threading.local):
    """What one worker has open."""

    def __init__(self) -> None:
        self.films: OrderedDict[tuple[Identity, Fraction | float | None], Film] = OrderedDict()


class Films:
    """Opened films by file, per worker thread; the least recently used is closed first."""

    def __init__(self) -> None:
        """Nothing is open yet."""
        self._mine = _Mine()
        self._lock = threading.Lock()
        self._indexes: OrderedDict[Identity, PacketIndex] = OrderedDict()

    def film(self, identity: Identity, fps: Fraction | float | None, token: CancelToken) -> Film:
        """This worker's film of a file, opened if need be. Raises WorldError and Cancelled."""
        films = self._mine.films
        key = (identity, fps)
        for other, resting in films.items():
            if other != key and isinstance(resting, Clip):
                resting.rest()
        film = films.get(key)
        if film is not None:
            films.move_to_end(key)
            return film
        with self._lock:
            index = self._indexes.get(identity)
        film = open_film(identity.path, fps, token, index)
        if isinstance(film, Clip):
            with self._lock:
                self._indexes[identity] = film.packet_index
                self._indexes.move_to_end(identity)
                while len(self._indexes) > KEPT_INDEXES:
                    self._indexes.popitem(last=False)
        films[key] = film
        while len(films) > OPEN_PER_WORKER:
            _, oldest = films.popitem(last=False)
            oldest.close()
        return film

    def close_mine(self) -> None:
        """Close what the calling thread has open."""
        while self._mine.films:
            _, film = self._mine.films.popitem()
            film.close()
