"""Reading bundles: whole and as they were written, or recognised for what is wrong with them."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from annotator.cancel import CancelToken, check
from annotator.domain.wire import EVENT_LINE
from annotator.sync.bundle import FORMAT, GZIP, RIDING, VERSION, BundleFault, DeviceSet, Header, Trailer

_FEED: Final = 1 << 18
_UNPACKED: Final = 1 << 22
_MAX_LINE: Final = 1 << 26


@dataclass(slots=True)
class Opened:
    """A bundle that is as it was written; `portions` walks through it.

    Attributes:
        digest: of the file's bytes.
        trailer: what it holds; None until `portions` has come to the end.
        unknown: lines of kinds that this version does not know, counted while walking.
    """

    data: bytes
    header: Header
    digest: str
    trailer: Trailer | None = None
    unknown: int = 0

    def portions(self, size: int, token: CancelToken | None = None) -> Iterator[tuple[list[str], list[Any]]]:
        """(lines of events, other lines) in portions of at most `size` events.

        Raises:
            BundleFault: when it turns out to be damaged after all; Cancelled.
        """
        events: list[str] = []
        others: list[Any] = []
        count, held = 0, ""
        with _faults():
            for lines in _unpacked(self.data):
                # One line behind, since the last is the trailer; the first is the header.
                several = [held, *lines[:-1]] if count else lines[:-1]
                skipped = 0 if count else 1
                count, held = count + len(lines), lines[-1]
                several = several[skipped:]
                found = [line for line in several if line[38:40] == '",' and line.startswith(EVENT_LINE)]
                if len(found) < len(several):
                    held_events = set(found)
                    for line in several:
                        if line not in held_events:
                            self._other(line, others)
                events += found
                while len(events) > size:
                    check(token)
                    yield events[:size], others
                    events, others = events[size:], []
        self.trailer = _trailer(held, count)
        yield events, others

    def _other(self, line: str, others: list[Any]) -> None:
        try:
            held = json.loads(line)
        except (ValueError, RecursionError):
            held = None
        if isinstance(held, list) and held and held[0] in RIDING:
            others.append(held)
        else:
            self.unknown += 1


def open_bundle(data: bytes, named: str | None) -> Opened:
    """See whether a file, read whole, is a bundle as it was written.

    `named` is the digest in the file's name: where the bytes have it, nothing else needs to be proved. Where the name
    says none, the digest in the trailer must be right.

    Raises:
        BundleFault: torn, altered, foreign, or made by a newer version.
    """
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    if data[:2] != b"\x1f\x8b":
        if named is not None and not data.strip(b"\0"):
            raise BundleFault("torn", "is empty or not written to its end")
        raise BundleFault("foreign", "is no bundle")
    try:
        with _faults():
            header = _header(next(_unpacked(data), [""])[0])
    except BundleFault as fault:
        if named is None and fault.kind == "torn":  # nothing says that it was ever to be one
            raise BundleFault("foreign", "is no bundle") from fault
        raise
    if digest == named:
        return Opened(data, header, digest)
    with _faults():
        _prove(data)
    if named is not None:
        raise BundleFault("altered", "is not what its name says")
    return Opened(data, header, digest)


def _prove(data: bytes) -> None:
    inside = hashlib.blake2b(digest_size=16)
    held, count = "", 0
    for lines in _unpacked(data):
        several = [held, *lines[:-1]] if count else lines[:-1]
        inside.update("".join(line + "\n" for line in several).encode("utf-8"))
        count, held = count + len(lines), lines[-1]
    if _trailer(held, count).digest != inside.hexdigest():
        raise BundleFault("altered", "is not what its own digest says")


@contextmanager
def _faults() -> Iterator[None]:
    """What is wrong with the bytes, as a fault of the file."""
    try:
        yield
    except EOFError as error:
        raise BundleFault("torn", "is not whole yet, or was cut off") from error
    except zlib.error as error:
        raise BundleFault("altered", "is damaged") from error
    except UnicodeDecodeError as error:
        raise BundleFault("altered", "holds bytes that are no text") from error


def _unpacked(data: bytes) -> Iterator[list[str]]:
    """The lines of a gzip file, many at a time.

    Raises:
        EOFError: when it is cut off; zlib.error: when it is damaged.
    """
    unpacker = zlib.decompressobj(wbits=GZIP)
    rest = b""
    view = memoryview(data)
    for at in range(0, len(view), _FEED):
        feed: Any = view[at : at + _FEED]
        while feed:
            rest += unpacker.decompress(feed, _UNPACKED)
            feed = unpacker.unconsumed_tail
            lines, line_feed, rest = rest.rpartition(b"\n")
            if len(rest) > _MAX_LINE:
                raise zlib.error("a line that is too long")
            if line_feed:
                yield lines.decode("utf-8").split("\n")
    if rest or not unpacker.eof:
        raise EOFError
    if unpacker.unused_data:
        raise zlib.error("something follows the end")


def _header(line: str) -> Header:
    try:
        raw = json.loads(line)
        known = isinstance(raw, dict) and raw.get("format") == FORMAT
        version = int(raw["version"]) if known else 0
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise BundleFault("foreign", "is no bundle") from error
    if not known:
        raise BundleFault("foreign", "is no bundle")
    if version > VERSION:
        raise BundleFault(
            "newer", f"was made by a newer version (format {version}, this program knows {VERSION}): update the program"
        )
    skew = raw.get("skew_s")
    try:
        return Header(
            device=str(raw["device"]),
            number=int(raw["number"]),
            workspace=str(raw.get("workspace", "")),
            rater=str(raw.get("rater", "")),
            app=str(raw.get("app", "")),
            written_at=float(raw.get("written_at", 0.0)),
            skew_s=None if skew is None else float(skew),
        )
    except (KeyError, ValueError, TypeError) as error:
        raise BundleFault("altered", "has a header that cannot be read") from error


def _trailer(line: str, count: int) -> Trailer:
    try:
        raw = json.loads(line)
        if not (isinstance(raw, dict) and raw.get("end") is True and raw["lines"] == count - 2):
            raise BundleFault("torn", "has no end")
        return Trailer(
            lines=int(raw["lines"]),
            events=int(raw["events"]),
            sets={str(d): DeviceSet.of(s) for d, s in raw["sets"].items()},
            last=int(raw["last"]),
            digest=str(raw["digest"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BundleFault("torn", "has no end") from error
