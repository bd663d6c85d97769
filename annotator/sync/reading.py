"""Reading bundles: whole and as they were written, or recognised for what is wrong with them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from isal import isal_zlib

from annotator.cancel import CancelToken, check
from annotator.sync.bundle import FORMAT, GZIP, RIDING, VERSION, BundleFault, DeviceSet, Header, Trailer
from annotator.sync.sorting import Gathered, sorted_out

_FIRST: Final = 1 << 12  # packed bytes in which the header ought to be
_FEED: Final = 1 << 17
_UNPACKED: Final = 1 << 20
_MAX_LINE: Final = 1 << 26
_DAMAGED: Final[type[Exception]] = isal_zlib.error  # type: ignore[assignment]  # its stubs take the class for one of it


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

    def portions(self, size: int, token: CancelToken | None = None) -> Iterator[tuple[bytes, list[Any]]]:
        """(lines of events as they are in the file, other lines) in portions of at most `size` events.

        Raises:
            BundleFault: when it turns out to be damaged after all; Cancelled.
        """
        waiting = Gathered(size)
        others: list[Any] = []
        count, held = 1, b""
        with _faults():
            pieces = _unpacked(self.data)
            next(pieces, None)
            for lines in pieces:
                found = sorted_out(held)  # one piece behind, since the last is the trailer
                count += len(found.ends) + len(found.others)
                held = lines
                for line in found.others:
                    self._other(line, others)
                for events in waiting.full(found.events, found.ends):
                    check(token)
                    yield events, others
                    others = []
        self.trailer = _trailer(held, count + 1)
        yield waiting.all(), others

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
            header = _header(next(_unpacked(data), b""))
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
    held, count = b"", 0
    for lines in _unpacked(data):
        inside.update(held)
        count += held.count(b"\n")
        held = lines
    if _trailer(held, count + 1).digest != inside.hexdigest():
        raise BundleFault("altered", "is not what its own digest says")


@contextmanager
def _faults() -> Iterator[None]:
    """What is wrong with the bytes, as a fault of the file."""
    try:
        yield
    except EOFError as error:
        raise BundleFault("torn", "is not whole yet, or was cut off") from error
    except _DAMAGED as error:
        raise BundleFault("altered", "is damaged") from error
    except UnicodeDecodeError as error:
        raise BundleFault("altered", "holds bytes that are no text") from error


def _unpacked(data: bytes) -> Iterator[bytes]:
    """The lines of a gzip file, many at a time, each ended by a line break; the first and the last come alone.

    Raises:
        EOFError: when it is cut off; _DAMAGED, BundleFault: when it is damaged; UnicodeDecodeError: when it is no text.
    """
    begun, length = False, 0
    rest: list[bytes] = []  # the last line that is whole, and the beginning of another of `length` bytes
    unpacker = isal_zlib.decompressobj(wbits=GZIP)  # a third of the time that zlib takes
    for more in _inflated(unpacker, data):
        if not begun:
            more = b"".join([*rest, more])
            first = more.find(b"\n") + 1
            begun, rest = first > 0, []
            if begun:
                yield _text(more[:first])
                more = more[first:]
        end = more.rfind(b"\n") + 1
        length = len(more) - end if end else sum(map(len, rest)) + len(more)
        if length > _MAX_LINE:
            raise BundleFault("altered", "holds a line that is too long")
        last = more.rfind(b"\n", 0, max(end - 1, 0)) + 1
        if end and not last:
            more, rest = b"".join([*rest, more]), []
            last = more.rfind(b"\n", 0, more.rfind(b"\n")) + 1
        if last:
            yield _text(b"".join([*rest, memoryview(more)[:last]]))
            rest = []
        rest.append(more[last:])
    ending = b"".join(rest)
    if not unpacker.eof or ending[-1:] not in (b"", b"\n"):
        raise EOFError
    if unpacker.unused_data:
        raise BundleFault("altered", "is damaged: something follows its end")
    if ending:
        yield _text(ending)


def _inflated(unpacker: Any, data: bytes) -> Iterator[bytes]:
    """What is packed in some bytes, piece by piece."""
    view = memoryview(data)
    at, step = 0, _FIRST
    while at < len(view):
        feed: Any = view[at : at + step]
        at, step = at + step, _FEED
        while feed:
            yield unpacker.decompress(feed, _UNPACKED)
            feed = unpacker.unconsumed_tail


def _text(lines: bytes) -> bytes:
    """The same, which is proper UTF-8."""
    if not lines.isascii():
        lines.decode("utf-8")
    return lines


def _header(line: bytes) -> Header:
    try:
        raw = json.loads(line.decode())
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


def _trailer(line: bytes, count: int) -> Trailer:
    try:
        raw = json.loads(line.decode())
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
