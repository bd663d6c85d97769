"""The lines of a bundle sorted: events, which stay bytes as they came, and others.

Events are nearly all of a bundle. They are found by how their lines begin, thousands at a time, and handed on as pieces
of what was unpacked: nothing is made of a line of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from annotator.domain.wire import EVENT_LINE, lines_in

FEW: Final = 1 << 16  # bytes for which loading numpy would take longer than the work
_HEAD: Final = EVENT_LINE.encode()
_BEHIND: Final = b'",'  # what stands behind the digest
_AT: Final = len(EVENT_LINE) + 32


class Sorted(NamedTuple):
    """Some lines.

    Attributes:
        events: the lines of events, each with its line break; `ends`: where each of them ends, behind it.
        others: the other lines.
    """

    events: bytes | memoryview
    ends: Sequence[int]
    others: list[str]


def is_event(line: str) -> bool:
    """Whether a line begins as an event's."""
    return line[_AT : _AT + 2] == '",' and line.startswith(EVENT_LINE)


def sorted_out(lines: bytes) -> Sorted:
    """Sort whole lines, each ended by a line break, of UTF-8."""
    if len(lines) >= FEW:
        return _many(lines)
    events: list[bytes] = []
    ends: list[int] = []
    others: list[str] = []
    for line in lines_in(lines):
        if is_event(line):
            events.append(line.encode() + b"\n")
            ends.append(len(events[-1]) + (ends[-1] if ends else 0))
        else:
            others.append(line)
    return Sorted(b"".join(events), ends, others)


def _many(lines: bytes) -> Sorted:
    import numpy as np  # for which nobody is to wait who has only some news

    flat = np.frombuffer(lines, np.uint8)
    ends = np.flatnonzero(flat == ord("\n")) + 1
    starts = np.concatenate([[0], ends[:-1]])
    event = ends - starts > _AT + len(_BEHIND)  # else what is there is said by the next line
    for text, at in ((_HEAD, 0), (_BEHIND, _AT)):
        windows: Any = np.ndarray((len(lines) - len(text) + 1,), f"V{len(text)}", lines, 0, (1,))
        said = windows[np.minimum(starts + at, len(windows) - 1)]  # behind the end nothing is said
        if said.tobytes() != text * len(ends):
            event &= (said.view(np.uint8).reshape(len(ends), -1) == np.frombuffer(text, np.uint8)).all(axis=1)
    if not lines.isascii():  # places are counted in characters
        odd = flat.take(starts[:, None] + np.arange(_AT), mode="clip") > 127
        event &= ~odd.any(axis=1)
    others: list[str] = []
    for n in np.flatnonzero(~event).tolist():
        line = lines[starts[n] : ends[n] - 1].decode()
        event[n] = is_event(line)
        if not event[n]:
            others.append(line)
    if not others:
        return Sorted(lines, ends.data, [])
    turns = np.flatnonzero(np.diff(event, prepend=False, append=False)).reshape(-1, 2).tolist()
    kept = b"".join([lines[starts[a] : ends[b - 1]] for a, b in turns])
    return Sorted(kept, np.cumsum((ends - starts)[event]).data, others)


@dataclass(slots=True)
class Gathered:
    """Lines of events on their way into portions of at most `size`."""

    size: int
    count: int = 0
    parts: list[bytes | memoryview] = field(default_factory=list)

    def full(self, events: bytes | memoryview, ends: Sequence[int]) -> Iterator[bytes]:
        """Add lines, of which is known where each ends; gives each portion behind which more comes."""
        view, done, place = memoryview(events), 0, 0
        while self.count + len(ends) - done > self.size:
            some = self.size - self.count
            if some:
                done, self.count = done + some, self.size
                self.parts.append(view[place : ends[done - 1]])
                place = ends[done - 1]
            yield self.all()
        if done < len(ends):
            self.parts.append(view[place:])
            self.count += len(ends) - done

    def all(self) -> bytes:
        """What is here, which is here no more then."""
        made = b"".join(self.parts)
        self.parts, self.count = [], 0
        return made
