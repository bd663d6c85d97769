"""One file over the network: resumed where it stopped, checked against the listing, put in place in one step."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from annotator.cancel import CancelToken
from annotator.errors import WorldError
from annotator.hub.door import Door
from annotator.hub.pace import Pace
from annotator.hub.values import RemoteFile

if TYPE_CHECKING:
    import httpx2

_CHUNK: Final = 1 << 20


class WrongBytes(Exception):  # noqa: N818 - what came
    """The content that came is not what the Hub lists."""


class WrongSize(WrongBytes):
    """What is about to come has another length than the Hub lists: somebody's page, or another file."""


def hasher(file: RemoteFile) -> Any:
    """A hash object for a file's content; git puts the length before it."""
    if file.kind == "sha256":
        return hashlib.sha256()
    return hashlib.sha1(b"blob %d\0" % file.size, usedforsecurity=False)


def is_right(path: Path, file: RemoteFile, token: CancelToken) -> bool:
    """Whether a file on disk is the listed one, by its whole content."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size != file.size:
            return False
        digest = hasher(file)
        with path.open("rb") as source:
            while block := source.read(_CHUNK):
                token.check()
                digest.update(block)
    except OSError:
        return False
    return bool(digest.hexdigest() == file.digest)


def part_of(parts: Path, file: RemoteFile) -> Path:
    """Where what came of a file waits for the rest; two files of one content are two transfers."""
    place = hashlib.sha256(file.path.encode("utf-8")).hexdigest()[:12]
    return parts / f"{file.digest}-{place}.part"


class Transfer:
    """One file on its way into the data root."""

    def __init__(self, door: Door, commit: str, file: RemoteFile, root: Path, parts: Path, pace: Pace) -> None:
        """The part of it that is here already lies in `parts`, named by its digest and its place."""
        self._door, self._file, self._pace = door, file, pace
        self._url = door.file(commit, file.path)
        self._target = root.joinpath(*file.path.split("/"))
        self._part = part_of(parts, file)
        self._came = 0
        self._counted = 0
        self._beyond = False

    def run(self) -> None:
        """Fetch it; wrong bytes are fetched once more.

        Raises:
            WorldError: the Hub refuses or is gone; WrongBytes: it twice sent what it does not list; OSError: the disk.
            Cancelled: what came is kept.
        """
        for _ in range(2):
            try:
                self._door.patiently(self._attempt, lambda: self._came, self._file.path)
                self._put_in_place()
            except WrongSize:  # nothing of that answer was taken: what came before is still good
                pass
            except WrongBytes:
                self._part.unlink(missing_ok=True)
                self._count_to(0)
                self._beyond = False
            else:
                return
        raise WrongBytes(self._file.path)

    def _attempt(self) -> None:
        """One answer, from where the part ends."""
        self._part.parent.mkdir(parents=True, exist_ok=True)
        have = self._part.stat().st_size if self._part.exists() else 0
        if have > self._file.size:
            self._part.unlink()
            have = 0
        self._count_to(have)
        if have == self._file.size and (have or self._part.exists()):
            return
        with self._door.stream(self._url, have) as answer:
            if answer.status_code == 416:
                raise WrongBytes(self._file.path)  # there is no such byte: the file there is a shorter one
            going_on = bool(have) and _goes_on(answer, have)
            promised = _promised(answer)
            if promised is not None and promised + (have if going_on else 0) != self._file.size:
                raise WrongSize(self._file.path)
            with self._part.open("ab") as part:
                if have and not going_on:
                    part.truncate(0)
                    self._count_to(0)
                self._receive(answer, part)
                part.flush()
                os.fsync(part.fileno())
        if self._counted < self._file.size and not self._beyond:
            if promised is not None or answer.headers.get("transfer-encoding"):
                raise WrongBytes(self._file.path)  # it came to its end, and that was too early
            raise ConnectionError("the answer ended early")

    def _receive(self, answer: httpx2.Response, part: Any) -> None:
        for block in answer.iter_bytes():  # as it arrives: what a cut leaves behind is kept
            self._door.token.check()
            if self._counted + len(block) > self._file.size:
                self._beyond = True
                return
            part.write(block)
            self._came += len(block)
            self._counted += len(block)
            self._pace.add(len(block), name=self._file.path)

    def _count_to(self, have: int) -> None:
        """Let the shared count say what the part holds."""
        if have != self._counted:
            self._pace.add(have - self._counted, moved=False)
            self._counted = have

    def _put_in_place(self) -> None:
        if self._beyond or not is_right(self._part, self._file, self._door.token):
            raise WrongBytes(self._file.path)
        self._target.parent.mkdir(parents=True, exist_ok=True)
        if self._target.is_dir() and not self._target.is_symlink():
            raise WorldError(
                f"{self._target} is a folder, and the Hub has a file of that name: choose another data folder.",
                code="in_the_way", path=str(self._target),
            )  # fmt: skip
        os.replace(self._part, self._target)


def _promised(answer: httpx2.Response) -> int | None:
    """How many bytes an answer says that it holds; None where it does not, or where they are compressed."""
    length = answer.headers.get("content-length", "")
    plain = answer.headers.get("content-encoding", "identity").strip().lower() in ("", "identity")
    return int(length) if plain and length.isascii() and length.isdecimal() else None


def _goes_on(answer: httpx2.Response, have: int) -> bool:
    """Whether an answer begins at the byte that was asked for."""
    begins = answer.headers.get("content-range", "").removeprefix("bytes ").partition("-")[0].strip()
    return answer.status_code == 206 and begins == str(have)
