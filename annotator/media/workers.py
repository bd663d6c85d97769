"""Worker threads with a queue by urgency, lanes in which the newest request wins, and shared work.

A decoder stands somewhere in its film, and each worker has its own. What is wanted now of one film therefore goes to
the worker that showed the last of it, and goes on from there; what can wait goes to another one, so that it does not
lead the first away. Otherwise all workers would decode the whole film while it plays.
"""

from __future__ import annotations

import heapq
import itertools
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, TypeVar

from annotator.cancel import Cancelled, CancelToken

R = TypeVar("R")

# Films of which it is remembered who showed them last; a forgotten one costs one seek.
_FILMS_KEPT = 64


class Urgency(IntEnum):
    """In which order waiting work is taken up."""

    NOW = 0
    SOON = 1
    LATER = 2


@dataclass
class _Job:
    """One piece of work and all who wait for it."""

    key: Hashable
    work: Callable[[CancelToken], Any]
    urgency: Urgency
    token: CancelToken = field(default_factory=CancelToken)
    waiters: list[Future[Any]] = field(default_factory=list)
    started: bool = False
    spare: bool = False
    film: Hashable = None


class Workers:
    """A few threads that do jobs. Equal keys are one job; a job nobody waits for any more is cancelled."""

    def __init__(self, count: int, on_exit: Callable[[], None]) -> None:
        """Start `count` threads; `on_exit` runs in each of them before it ends."""
        self._changed = threading.Condition(threading.RLock())
        self._heap: list[tuple[int, int, _Job]] = []
        self._numbers = itertools.count()
        self._jobs: dict[Hashable, _Job] = {}
        self._lanes: dict[Hashable, Future[Any]] = {}
        self._closed = False
        # Work that can wait never takes all threads: what a person asks for next must find one free.
        self._spare = max(1, count - 1)
        self._later = 0
        self._count = max(1, count)
        self._shows: OrderedDict[Hashable, int] = OrderedDict()  # by film: the thread that showed it last
        self._doing: dict[int, _Job] = {}  # by thread
        self._on_exit = on_exit
        self._threads = [
            threading.Thread(target=self._run, name=f"media-{number}", daemon=True) for number in range(self._count)
        ]
        for thread in self._threads:
            thread.start()

    def ask(
        self,
        key: Hashable,
        work: Callable[[CancelToken], R],
        lane: Hashable,
        urgency: Urgency,
        film: Hashable = None,
    ) -> Future[R]:
        """Have `work` done; the future fails with what it raised. Cancelling the future gives the work up.

        `film`: whose decoder does it, where its position matters.
        """
        future: Future[R] = Future()
        with self._changed:
            if self._closed:
                raise RuntimeError("the media service was shut down")
            job = self._jobs.get(key)
            if job is None or job.token.cancelled:
                job = _Job(key, work, urgency, film=film)
                self._jobs[key] = job
                self._push(job)
            elif urgency < job.urgency and not job.started:
                job.urgency = urgency
                self._push(job)
            job.waiters.append(future)
            replaced = self._lanes.pop(lane, None) if lane is not None else None
            if lane is not None:
                self._lanes[lane] = future
        future.add_done_callback(self._given_up(job))
        if replaced is not None:
            replaced.cancel()
        return future

    def cancel(self, lane: Hashable) -> None:
        """Give up what a lane waits for."""
        with self._changed:
            future = self._lanes.pop(lane, None) if lane is not None else None
        if future is not None:
            future.cancel()

    @property
    def busy(self) -> bool:
        """Whether any job waits or is being done."""
        with self._changed:
            return bool(self._jobs)

    def shutdown(self) -> None:
        """Cancel all jobs and wait until every thread has ended; safe to call twice."""
        with self._changed:
            self._closed = True
            waiting = [future for job in self._jobs.values() for future in job.waiters]
            self._lanes.clear()
            self._changed.notify_all()
        for future in waiting:
            future.cancel()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join()

    def _push(self, job: _Job) -> None:
        heapq.heappush(self._heap, (job.urgency, next(self._numbers), job))
        self._changed.notify_all()

    def _given_up(self, job: _Job) -> Callable[[Future[Any]], None]:
        """What to do when a future is done: if it was cancelled and was the job's last, the job is given up too."""

        def done(future: Future[Any]) -> None:
            if not future.cancelled():
                return
            with self._changed:
                if future in job.waiters:
                    job.waiters.remove(future)
                if not job.waiters:
                    job.token.cancel()
                    if self._jobs.get(job.key) is job:
                        del self._jobs[job.key]

        return done

    def _run(self) -> None:
        try:
            while (job := self._next()) is not None:
                self._do(job)
        finally:
            self._on_exit()

    def _next(self) -> _Job | None:
        with self._changed:
            while True:
                job = self._take()
                if job is not None:
                    return job
                if self._closed:
                    return None
                self._changed.wait()

    def _take(self) -> _Job | None:
        """The most urgent job that this thread may start now. The caller holds the lock."""
        me = threading.get_ident()
        passed: list[tuple[int, int, _Job]] = []
        found: _Job | None = None
        while self._heap and found is None:
            urgency, _, job = entry = self._heap[0]
            if urgency == Urgency.LATER and self._later >= self._spare and not (job.started or job.token.cancelled):
                break
            heapq.heappop(self._heap)
            if job.started or job.token.cancelled:
                continue
            if self._suits(job, me):
                found = job
            else:
                passed.append(entry)
        for entry in passed:
            heapq.heappush(self._heap, entry)
        if found is not None:
            self._begin(found, me)
        return found

    def _suits(self, job: _Job, me: int) -> bool:
        """Whether a job is for this thread. One that is not has a thread that will take it: idle, or soon done."""
        owner = self._shows.get(job.film) if job.film is not None else None
        if owner is None or self._count == 1:
            return True
        if job.urgency != Urgency.NOW:
            return owner != me
        doing = self._doing.get(owner)
        return owner == me or (doing is not None and (doing.film, doing.urgency) != (job.film, Urgency.NOW))

    def _begin(self, job: _Job, me: int) -> None:
        job.started = True
        job.spare = job.urgency == Urgency.LATER
        self._later += job.spare
        self._doing[me] = job
        if job.film is not None and job.urgency == Urgency.NOW:
            self._shows[job.film] = me
            self._shows.move_to_end(job.film)
            while len(self._shows) > _FILMS_KEPT:
                self._shows.popitem(last=False)
        # What was left to this thread while it was idle may be another one's now.
        self._changed.notify_all()

    def _do(self, job: _Job) -> None:
        result: Any = None
        error: BaseException | None = None
        try:
            job.token.check()
            result = job.work(job.token)
        except Cancelled as reason:
            error = reason
        except BaseException as reason:  # noqa: BLE001 - handed to whoever waits; a worker must outlive any of it
            error = reason
        with self._changed:
            self._doing.pop(threading.get_ident(), None)
            if job.spare:
                self._later -= 1
            self._changed.notify_all()
            waiters = list(job.waiters)
            job.waiters.clear()
            if self._jobs.get(job.key) is job:
                del self._jobs[job.key]
            for lane in [lane for lane, future in self._lanes.items() if future in waiters]:
                del self._lanes[lane]
        for future in waiters:
            if not future.set_running_or_notify_cancel():
                continue
            if error is not None:
                future.set_exception(error)
            else:
                future.set_result(result)
