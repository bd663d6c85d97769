"""One bundle: gzip of JSON lines, a header first and a trailer last, named by the digest of the file itself.

Lines between are `["e", digest, [fields]]` (an event), `["i", {…}]` (an item's identity), `["j", item, {…}]` (a judge's
record), `["a", item, {…}]` (an error attribution), `["d", {…}]` (a drawn spot-check) and `["r", {…}]` (a rubric). Lines
of other kinds are a newer version's: they stay in the file, and are counted.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, Literal

from annotator.cancel import CancelToken, check
from annotator.domain.base import canonical_json
from annotator.domain.wire import Range, Ranges, Wire, joined, line_of, xor_of

FORMAT: Final = "rubric-annotator-bundle"
VERSION: Final = 1
FaultKind = Literal["torn", "altered", "foreign", "newer", "unreadable", "duplicate", "missing", "gone"]
RIDING: Final = frozenset({"i", "j", "a", "d", "r"})
"""The kinds of lines beside events that this version knows."""
GZIP: Final = 31  # zlib's window bits for a gzip file
_LEVEL: Final = 4


class BundleFault(Exception):  # noqa: N818 - what is wrong with a file, told and not raised further
    """A file that cannot be taken as a bundle; it stays where it is."""

    def __init__(self, kind: FaultKind, why: str) -> None:
        """`why` is the rest of a sentence about the file."""
        super().__init__(why)
        self.kind: FaultKind = kind
        self.why = why


@dataclass(frozen=True, slots=True)
class DeviceSet:
    """Which events of one device a bundle holds: their places, how many, and the exclusive or of their digests."""

    ranges: Ranges
    count: int
    xor: str

    @staticmethod
    def of(raw: Mapping[str, Any]) -> DeviceSet:
        """Read it back from JSON."""
        return DeviceSet(joined((int(a), int(b)) for a, b in raw["ranges"]), int(raw["count"]), str(raw["xor"]))

    def raw(self) -> dict[str, Any]:
        """As JSON."""
        return {"ranges": [list(r) for r in self.ranges], "count": self.count, "xor": self.xor}


@dataclass(frozen=True, slots=True)
class Header:
    """Who wrote a bundle, and when by which clock.

    Attributes:
        device, number: whose bundle, and which: counted from 1 without gaps.
        workspace, rater, app: for people who look into the folder.
        written_at: seconds since 1970 by the writer's own clock.
        skew_s: how far the folder's clock was ahead of the writer's, None where that could not be seen.
    """

    device: str
    number: int
    workspace: str = ""
    rater: str = ""
    app: str = ""
    written_at: float = 0.0
    skew_s: float | None = None

    def raw(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "format": FORMAT, "version": VERSION, "device": self.device, "number": self.number,
            "workspace": self.workspace, "rater": self.rater, "app": self.app, "written_at": self.written_at,
            "skew_s": self.skew_s,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trailer:
    """What a bundle holds, said at its end: a file without it is torn.

    Attributes:
        lines, events: how many lines lie between header and trailer, and how many of them are events.
        sets: device to its events in the bundle.
        last: how far the writer had counted in its own log.
        digest: BLAKE2b-128 of all bytes before the trailer's line.
    """

    lines: int
    events: int
    sets: dict[str, DeviceSet]
    last: int
    digest: str


@dataclass(slots=True)
class Contents:
    """What goes into a bundle: events by device, and lines of other kinds; `others` as they are written."""

    events: Iterable[tuple[str, int, Wire]]
    items: Iterable[dict[str, Any]] = ()
    judges: Iterable[tuple[str, dict[str, Any]]] = ()
    others: Iterable[list[Any]] = ()
    rubrics: Iterable[dict[str, Any]] = ()
    last: int = 0


def compose(out: BinaryIO, header: Header, contents: Contents, token: CancelToken | None = None) -> tuple[str, Trailer]:
    """Write a bundle to `out`; returns the digest of the bytes written, by which it is named, and the trailer."""
    whole = hashlib.blake2b(digest_size=16)
    inside = hashlib.blake2b(digest_size=16)
    packer = zlib.compressobj(_LEVEL, wbits=GZIP)  # its header names no time: equal contents give equal bytes

    def put(data: bytes) -> None:
        if data:
            whole.update(data)
            out.write(data)

    def write(lines: list[str]) -> None:
        text = "".join(line + "\n" for line in lines).encode("utf-8")
        inside.update(text)
        put(packer.compress(text))

    count = events = 0
    places: dict[str, list[Range]] = {}
    digests: dict[str, list[str]] = {}
    waiting: list[str] = [canonical_json(header.raw())]
    for line, event in _lines(contents):
        waiting.append(line)
        count += 1
        if event is not None:
            device, seq, digest = event
            events += 1
            _add(places.setdefault(device, []), seq)
            digests.setdefault(device, []).append(digest)
        if len(waiting) == 2000:
            check(token)
            write(waiting)
            waiting = []
    write(waiting)
    sets = {d: DeviceSet(tuple(places[d]), len(digests[d]), xor_of(digests[d])) for d in sorted(places)}
    trailer = Trailer(count, events, sets, contents.last, inside.hexdigest())
    raw = {"end": True, "lines": count, "events": events, "sets": {d: s.raw() for d, s in sets.items()},
           "last": contents.last, "digest": trailer.digest}  # fmt: skip
    put(packer.compress((canonical_json(raw) + "\n").encode("utf-8")))
    put(packer.flush())
    return whole.hexdigest(), trailer


def _add(ranges: list[Range], seq: int) -> None:
    if ranges and ranges[-1][1] + 1 == seq:
        ranges[-1] = (ranges[-1][0], seq)
    else:
        ranges.append((seq, seq))


def _lines(contents: Contents) -> Iterator[tuple[str, tuple[str, int, str] | None]]:
    for rubric in contents.rubrics:
        yield _json(["r", rubric]), None
    for item in contents.items:
        yield _json(["i", item]), None
    for device, seq, wire in contents.events:
        yield line_of(wire), (device, seq, wire.digest)
    for item_id, record in contents.judges:
        yield _json(["j", item_id, record]), None
    for other in contents.others:
        yield _json(other), None


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)
