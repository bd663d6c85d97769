"""Zip archives, their names in whatever encoding."""

from __future__ import annotations

import io
import lzma
import stat
import struct
import zipfile
import zlib
from typing import Final

from annotator.hub.joined import Joined
from annotator.hub.names import encoding_of
from annotator.hub.unpacking import Unpacking

_MARKS: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_ENCRYPTED: Final = 0x1
_UNICODE: Final = 0x800
_UNICODE_PATH: Final = 0x7075
_LINK_BYTES: Final = 4096
# RuntimeError: a method of packing that this Python cannot undo. ValueError, OverflowError: nonsense in a header.
# OSError without a number: bad bz2 data, a place before the beginning; the disk's own errors are sentences by then.
DAMAGE: Final = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, struct.error, ValueError, OverflowError,
    OSError,
)  # fmt: skip


def is_zip(source: Joined) -> bool:
    """Whether it begins like one."""
    source.seek(0)
    head = source.read(4) or b""
    source.seek(0)
    return head in _MARKS


def unpack_zip(source: Joined, work: Unpacking) -> None:
    """Unpack all members; damaged ones are named and left out.

    Raises:
        Refused: see `archives.unpack`.
    """
    try:
        # mypy knows no raw streams here; buffered, the parts are read in large pieces.
        archive = zipfile.ZipFile(io.BufferedReader(source, 1 << 18))
    except DAMAGE as error:
        raise work.refuse("is a damaged zip, or one whose parts are missing", "damaged") from error
    with archive:
        members = archive.infolist()
        work.check_total(sum(m.file_size for m in members))
        names = _names(members)
        # All names first: nothing is written of an archive that turns out to be hostile.
        places = [work.place(name) for name in names]
        if any(m.flag_bits & _ENCRYPTED for m in members):
            raise work.refuse("is protected by a password", "password")
        for member, parts in zip(members, places, strict=True):
            _look_at_kind(archive, member, parts, work)
        for member, parts in zip(members, places, strict=True):
            if parts and not member.is_dir() and not _is_link(member):
                _keep(archive, member, parts, work)


def _names(members: list[zipfile.ZipInfo]) -> list[str]:
    """Names as they were meant: by the UTF-8 flag or field, else in the encoding that fits all the rest."""
    told = [_unicode_path(m) for m in members]
    raw = [m.orig_filename.encode("cp437", "replace") for m in members]
    unknown = [r for r, m, t in zip(raw, members, told, strict=True) if not m.flag_bits & _UNICODE and t is None]
    encoding = encoding_of(unknown, "cp437")
    return [
        t if t is not None else m.orig_filename if m.flag_bits & _UNICODE else r.decode(encoding)
        for r, m, t in zip(raw, members, told, strict=True)
    ]


def _unicode_path(member: zipfile.ZipInfo) -> str | None:
    """The name in the field for it (0x7075), where that belongs to the stored name."""
    extra, at = member.extra, 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        body = extra[at + 4 : at + 4 + length]
        if kind == _UNICODE_PATH and len(body) > 5 and body[0] == 1:
            raw = member.orig_filename.encode("cp437" if not member.flag_bits & _UNICODE else "utf-8", "replace")
            try:
                return body[5:].decode("utf-8") if struct.unpack_from("<I", body, 1)[0] == zlib.crc32(raw) else None
            except UnicodeDecodeError:
                return None
        at += 4 + length
    return None


def _mode(member: zipfile.ZipInfo) -> int:
    """The member's kind as Unix has it; 0 where it was not made there."""
    return stat.S_IFMT(member.external_attr >> 16)


def _is_link(member: zipfile.ZipInfo) -> bool:
    return _mode(member) == stat.S_IFLNK


def _look_at_kind(archive: zipfile.ZipFile, member: zipfile.ZipInfo, parts: tuple[str, ...], work: Unpacking) -> None:
    """Refuse devices and links that lead outside."""
    name = "/".join(parts)
    if _mode(member) in (stat.S_IFCHR, stat.S_IFBLK, stat.S_IFIFO, stat.S_IFSOCK):
        raise work.refuse(f'has a member "{name}", which is a device', "device")
    if not _is_link(member):
        return
    if member.file_size > _LINK_BYTES:
        raise work.refuse(f'has a link "{name}" of {member.file_size:,} bytes', "link")
    try:
        target = archive.read(member)
    except DAMAGE as error:
        raise work.refuse(f'has a damaged link "{name}"', "link") from error
    work.link(parts, target.decode("utf-8", "surrogateescape"), hard=False)


def _keep(archive: zipfile.ZipFile, member: zipfile.ZipInfo, parts: tuple[str, ...], work: Unpacking) -> None:
    before = work.written
    try:
        with archive.open(member) as stream:
            work.keep(parts, stream.read, member.file_size)
            if stream.read(1):
                raise zipfile.BadZipFile("more than it says")
    except DAMAGE:
        work.written = before
        work.leave_out(parts, "it is damaged")
