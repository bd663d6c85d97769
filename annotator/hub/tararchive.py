"""Tar archives, plain or compressed, read once from front to back."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from typing import Any, Final

from annotator.cancel import check
from annotator.hub.joined import Joined
from annotator.hub.unpacking import Unpacking

_HEAD: Final = 512
_BLOCK: Final = 1 << 18
_NAME_BYTES: Final = 1 << 20
_LONG: Final = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME,
                tarfile.GNUTYPE_LONGLINK)  # fmt: skip
DAMAGE: Final = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError, ValueError, OverflowError)


class _Info(tarfile.TarInfo):
    """A header whose additions are of a sensible size: the standard reader takes them into memory whole."""

    def _proc_member(self, tar: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type in _LONG and self.size > _NAME_BYTES:
            raise tarfile.ReadError("a header of more than 1 MiB")
        made: tarfile.TarInfo = super()._proc_member(tar)  # type: ignore[misc]
        return made


class _Counted(io.RawIOBase):
    """What comes out of the compression, counted against the limit."""

    def __init__(self, source: Any, work: Unpacking) -> None:
        super().__init__()
        self._source, self._work = source, work
        self._count = 0

    def read(self, count: int = -1) -> bytes:
        check(self._work.token)
        block: bytes = self._source.read(count)
        self._count += len(block)
        self._work.check_total(self._count)
        return block


def unpack_tar(source: Joined, work: Unpacking) -> None:
    """Unpack all members.

    Raises:
        Refused: see `archives.unpack`; also where it is no tar, or where its end is missing.
    """
    expanded = _expanded(source, work)
    plain = isinstance(expanded, io.BufferedReader)
    stream = _Counted(expanded, work)
    try:
        with tarfile.open(fileobj=stream, mode="r|", bufsize=_BLOCK, tarinfo=_Info, encoding="utf-8") as tar:
            while (member := tar.next()) is not None:
                _take(tar, member, work)
                tar.members = []  # type: ignore[attr-defined]  # millions of names are not needed again
        while stream.read(_BLOCK):  # to the end, where the checksum of the compression lies
            pass
    except DAMAGE as error:
        if plain and not work.files:
            why = "is no archive of a kind that is read here (zip, tar, tar.gz, tar.bz2, tar.xz)"
            raise work.refuse(why, "kind") from error
        why = "is damaged, ends early (is a part of it missing?), or is no tar inside"
        raise work.refuse(why, "damaged") from error


def _expanded(source: Joined, work: Unpacking) -> Any:
    """The tar inside the compression, told by the first bytes and not by the name."""
    source.seek(0)
    head = source.read(_HEAD) or b""
    source.seek(0)
    buffered = io.BufferedReader(source, _BLOCK)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=buffered)
    if head.startswith(b"BZh"):
        return bz2.BZ2File(buffered)
    if head.startswith((b"\xfd7zXZ\0", b"\x5d\0\0")):
        return lzma.LZMAFile(buffered)
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        raise work.refuse("is packed by zstd, which is not read here: unpack it by hand", "kind")
    return buffered


def _take(tar: tarfile.TarFile, member: tarfile.TarInfo, work: Unpacking) -> None:
    parts = work.place(_meant(member.name))
    name = "/".join(parts)
    if member.issym() or member.islnk():
        work.link(parts, _meant(member.linkname), hard=member.islnk())
    elif member.ischr() or member.isblk() or member.isfifo():
        raise work.refuse(f'has a member "{name}", which is a device', "device")
    elif member.isfile() and parts:
        work.check_total(work.written + member.size)
        stream = tar.extractfile(member)
        if stream is not None:
            work.keep(parts, stream.read, member.size)
    elif not member.isdir():
        work.leave_out(parts, "it is no file")


def _meant(name: str) -> str:
    """A name that is no UTF-8 was written by a system of another encoding; Chinese ones are told."""
    raw = name.encode("utf-8", "surrogateescape")
    for encoding in ("utf-8", "gb18030"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return name
