"""What requests to the service have in common."""

from __future__ import annotations

from collections.abc import Hashable
from concurrent.futures import Future
from fractions import Fraction
from typing import TypeVar

from annotator.media.clip import as_time
from annotator.media.workers import Urgency

T = TypeVar("T")


def urgency_for(lane: Hashable, urgency: Urgency | None) -> Urgency:
    """What a person waits for has a lane; the rest yields."""
    if urgency is not None:
        return urgency
    return Urgency.NOW if lane is not None else Urgency.LATER


def rate_of(fps: Fraction | float | None) -> Fraction | None:
    """Frames per second as an exact fraction."""
    return as_time(fps) if fps is not None else None


def done_with(value: T) -> Future[T]:
    """A future that has its value already."""
    future: Future[T] = Future()
    future.set_result(value)
    return future
