"""How the bytes of a file become text: strict UTF-8, UTF-16 by its mark, GB18030 where the whole file decodes.

A file is read twice. The first pass settles the encoding and the file's hash without keeping anything; the second hands
out text. No replacement character is ever put in by us: what does not decode is told by its byte offset.
"""

from __future__ import annotations

import codecs
import errno
import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.cancel import CancelToken, check
from annotator.errors import Refused, WorldError

CHUNK: Final = 1 << 20
BOM: Final = "\ufeff"
_BREAK: Final = re.compile(r"\r\n|\n|\r")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

Progress = Callable[[int, int], None]


class Meter:
    """Counts the bytes read against the bytes there are to read, and tells whoever wants to know."""

    def __init__(self, total: int = 0, tell: Progress | None = None) -> None:
        """`total` may grow as files are found; `tell` takes (done, total)."""
        self.total = total
        self.done = 0
        self._tell = tell

    def advance(self, count: int) -> None:
        """Another `count` bytes are read."""
        self.done = min(self.done + count, self.total) if self.total else self.done + count
        if self._tell is not None:
            self._tell(self.done, max(self.total, self.done))

    def part(self, size: int) -> Progress:
        """Something to tell of work that counts as `size` bytes; it takes (done, total) in units of its own."""
        start = self.done

        def tell(done: int, of: int) -> None:
            self.advance(start + size * done // max(of, 1) - self.done)

        return tell


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file whose encoding is settled.

    Attributes:
        path: where it is; `name`: how reports call it (relative to the source).
        size: in bytes; `sha256`: of its bytes, hexadecimal.
        encoding: `utf-8`, `utf-16-le`, `utf-16-be` or `gb18030`.
        skip: bytes of the mark at its start.
        bad_offset: the first byte that fits no accepted encoding, None where all do.
        torn: the file ends in the middle of a character.
    """

    path: Path
    name: str
    size: int
    sha256: str
    encoding: str
    skip: int
    bad_offset: int | None = None
    torn: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line.

    Attributes:
        number: from 1; `offset`: of its first byte.
        text: None where its bytes decode by no accepted encoding; `bad_offset` then says where.
        ended: whether a line break follows.
    """

    number: int
    offset: int
    text: str | None
    ended: bool
    bad_offset: int | None = None


def inspect(path: Path, name: str, token: CancelToken | None = None, meter: Meter | None = None) -> TextFile:
    """Settle how a file is to be read, in one streaming pass (a second one where it is not UTF-8).

    Raises:
        Refused: when it holds nothing.
        WorldError: when it cannot be read.
    """
    size, digest, head, bad, torn = _utf8_pass(path, token, meter)
    if size == 0:
        raise Refused(f'The file "{path}" is empty: export it again.', code="empty", path=str(path))
    for mark, encoding in ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")):
        if head.startswith(mark):
            bad, torn = _decode_pass(path, encoding, len(mark), token)
            return TextFile(path, name, size, digest, encoding, len(mark), bad, torn)
    skip = len(codecs.BOM_UTF8) if head.startswith(codecs.BOM_UTF8) else 0
    if bad is not None and not skip and not torn:
        other, _ = _decode_pass(path, "gb18030", 0, token)
        if other is None:
            return TextFile(path, name, size, digest, "gb18030", 0)
    return TextFile(path, name, size, digest, "utf-8", skip, bad, torn)


def _utf8_pass(path: Path, token: CancelToken | None, meter: Meter | None) -> tuple[int, str, bytes, int | None, bool]:
    """Size, hash, first bytes, offset of the first byte that is not UTF-8, and whether only the end is torn."""
    digest = hashlib.sha256()
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    size, head, bad = 0, b"", None
    for chunk in raw_chunks(path, token, meter):
        head = head or chunk[:4]
        digest.update(chunk)
        if bad is None:
            bad = _feed(decoder, chunk, size, final=False)
        size += len(chunk)
    if bad is not None:
        return size, digest.hexdigest(), head, bad, False
    held = len(decoder.getstate()[0])
    return size, digest.hexdigest(), head, size - held if held else None, bool(held)


def _decode_pass(path: Path, encoding: str, skip: int, token: CancelToken | None) -> tuple[int | None, bool]:
    """The first byte that does not decode, and whether that is only the torn end."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    size = 0
    for chunk in raw_chunks(path, token, None):
        data = chunk[skip:] if size == 0 else chunk
        start = skip if size == 0 else size
        bad = _feed(decoder, data, start, final=False)
        if bad is not None:
            return bad, False
        size += len(chunk)
    held = _held(decoder)
    return (size - held, True) if held else (None, False)


def _held(decoder: codecs.IncrementalDecoder) -> int:
    """How many bytes a decoder is still waiting to complete."""
    try:
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        return len(error.object) - error.start
    return 0


def _feed(decoder: codecs.IncrementalDecoder, data: bytes, offset: int, *, final: bool) -> int | None:
    """Decode one chunk; the absolute offset of its first bad byte, None where all is well."""
    waiting = decoder.getstate()[0]
    try:
        decoder.decode(data, final)
    except UnicodeDecodeError as error:
        # The decoder looks at the bytes it kept from the chunk before, followed by this chunk.
        kept = len(error.object) - len(data) if len(error.object) >= len(data) else len(waiting)
        return offset - kept + error.start
    return None


def raw_chunks(path: Path, token: CancelToken | None, meter: Meter | None) -> Iterator[bytes]:
    """The bytes of a file in pieces.

    Raises:
        WorldError: when it cannot be read.
    """
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                check(token)
                yield chunk
                if meter is not None:
                    meter.advance(len(chunk))
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: OSError) -> WorldError:
    """The sentence for a file that the system does not hand out."""
    if error.errno == errno.ENOENT:
        return WorldError(f'There is no file "{path}": check the path.', code="no_file", path=str(path))
    if error.errno in (errno.EACCES, errno.EPERM):
        return WorldError(f'"{path}" may not be read: change its permissions.', code="no_access", path=str(path))
    return WorldError(f'"{path}" cannot be read ({error.strerror}): check the disk.', code="unreadable", path=str(path))


def chunks(file: TextFile, token: CancelToken | None = None, meter: Meter | None = None) -> Iterator[str]:
    """The file's text in pieces; a torn end is left out. For files without bad bytes."""
    decoder = codecs.getincrementaldecoder(file.encoding)("strict")
    first = True
    for chunk in raw_chunks(file.path, token, meter):
        text = decoder.decode(chunk[file.skip :] if first else chunk)
        first = False
        if text:
            yield text


def head(file: TextFile, size: int = CHUNK) -> str:
    """The beginning of the text, for telling what the file holds; undecodable bytes are left out."""
    try:
        with file.path.open("rb") as handle:
            data = handle.read(size)
    except OSError as error:
        raise unreadable(file.path, error) from error
    return codecs.getincrementaldecoder(file.encoding)("ignore").decode(data[file.skip :])


def lines(file: TextFile, token: CancelToken | None = None, meter: Meter | None = None) -> Iterator[Line]:
    """The physical lines; a line that does not decode is handed out as such and does not harm its neighbours."""
    if file.encoding.startswith("utf-16"):
        yield from _wide_lines(file, token, meter)
        return
    number, offset = 1, file.skip
    for data, ended in _byte_lines(file, token, meter):
        try:
            text: str | None = data.decode(file.encoding)
            bad = None
        except UnicodeDecodeError as error:
            text, bad = None, offset + error.start
            if not ended and error.end == len(data) and "end of data" in error.reason:
                text, bad = data[: error.start].decode(file.encoding), None  # torn: the record is cut off anyway
        yield Line(number, offset, text.rstrip("\r\n") if text is not None else None, ended, bad)
        number, offset = number + 1, offset + len(data)


def _byte_lines(file: TextFile, token: CancelToken | None, meter: Meter | None) -> Iterator[tuple[bytes, bool]]:
    """Lines with their breaks, as bytes; safe where no byte of a longer character looks like a break."""
    held: list[bytes] = []
    first = True
    for chunk in raw_chunks(file.path, token, meter):
        piece = chunk[file.skip :] if first else chunk
        first = False
        if held and held[-1].endswith(b"\r") and not piece.startswith(b"\n"):
            yield b"".join(held), True
            held = []
        if b"\n" not in piece and b"\r" not in piece:
            held.append(piece)
            continue
        parts = piece.splitlines(keepends=True)
        parts[0] = b"".join([*held, parts[0]])
        # The last part may go on in the next chunk, and so may a break of two characters.
        held = [] if parts[-1].endswith(b"\n") else [parts.pop()]
        for part in parts:
            yield part, True
    rest = b"".join(held)
    if rest:
        yield rest, rest.endswith(b"\r")


def _wide_lines(file: TextFile, token: CancelToken | None, meter: Meter | None) -> Iterator[Line]:
    decoder = codecs.getincrementaldecoder(file.encoding)("surrogatepass")
    number, offset, held, first = 1, file.skip, "", True

    def line(text: str, ended: bool) -> Line:
        bad = _SURROGATE.search(text)
        where = None if bad is None else offset + len(text[: bad.start()].encode(file.encoding))
        return Line(number, offset, None if bad else text, ended, where)

    for chunk in raw_chunks(file.path, token, meter):
        held += decoder.decode(chunk[file.skip :] if first else chunk)
        first = False
        start = 0
        for match in _BREAK.finditer(held):
            if match.end() == len(held) and match.group() == "\r":
                break  # its second half may stand in the next chunk
            text = held[start : match.start()]
            yield line(text, True)
            number += 1
            offset += len(held[start : match.end()].encode(file.encoding, "surrogatepass"))
            start = match.end()
        held = held[start:]
    if held:
        yield line(held.rstrip("\r"), held.endswith("\r"))
