"""Archives among files, whole or split in parts, unpacked into a folder of their own: safely, or not at all.

An archive is unpacked beside its place into a temporary folder that takes its final name only at the end. One name
that would lead outside, a device, or too much content refuses the whole archive, since whoever made it cannot be
trusted with the rest. What is merely damaged or cannot be kept here is left out and named.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from annotator.cancel import CancelToken
from annotator.errors import Refused
from annotator.hub import ziparchive
from annotator.hub.joined import Joined
from annotator.hub.pace import Pace
from annotator.hub.tararchive import unpack_tar
from annotator.hub.troubles import of_disk
from annotator.hub.unpacking import Limits, Unpacking

_WHOLE: Final = re.compile(
    r"(?P<stem>.+?)\.(?:zip|tar|tgz|txz|tbz2?|tar\.(?:gz|xz|bz2|zst|lzma))", re.IGNORECASE
)  # fmt: skip
_PART: Final = re.compile(
    r"(?P<name>.+?\.(?:zip|tar|tgz|txz|tbz2?|tar\.(?:gz|xz|bz2|zst|lzma)))"
    r"[._-](?P<word>part|vol)?[._-]?(?P<mark>\d{1,5}|[a-z]{2,3})",
    re.IGNORECASE,
)  # fmt: skip
_LETTERS: Final = re.compile(r"a[a-z]{1,2}")
_NO_MARKS: Final = frozenset({"asc", "ass", "aux", "avi"})
"""Endings of files about an archive that look like a part's letters."""
_SPANNED: Final = re.compile(r".+\.z\d\d", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Archive:
    """One archive.

    Attributes:
        name: its path among the files, without a part's mark; `parts`: the paths to join, in order.
        folder: where it is unpacked to, as a path among the files.
        missing: the mark of a part that is not there, "" when all are.
    """

    name: str
    parts: tuple[str, ...]
    folder: str
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What came of an archive: how many files and bytes, and what has to be said about it, in sentences."""

    files: int
    size: int
    notes: tuple[str, ...]


def is_archive(path: str) -> bool:
    """Whether a name is that of an archive or of a part of one."""
    name = path.rpartition("/")[2]
    return _WHOLE.fullmatch(name) is not None or _part(name) is not None


def _part(name: str) -> re.Match[str] | None:
    """A name taken apart as that of a part; letters alone have to be some that a split begins with.

    `data.zip.txt` and `data.tar.gz.asc` are files about an archive.
    """
    found = _PART.fullmatch(name)
    if found is None or found["word"] or found["mark"].isdecimal():
        return found
    mark = found["mark"].lower()
    return found if _LETTERS.fullmatch(mark) and mark not in _NO_MARKS else None


def find(paths: Iterable[str]) -> list[Archive]:
    """The archives among files, sorted by name; parts are gathered by the name that they share."""
    given = sorted(paths)
    groups: dict[str, list[tuple[str, str]]] = {}
    for path in given:
        place, slash, name = path.rpartition("/")
        if _WHOLE.fullmatch(name):
            groups.setdefault(path, []).insert(0, ("", path))
        elif part := _part(name):
            groups.setdefault(place + slash + part["name"], []).append((part["mark"].lower(), path))
    taken = {folder for path in given for folder in _folders(path)} | set(given)
    spanned = {p.rpartition(".")[0].lower() for p in given if _SPANNED.fullmatch(p)}
    found = []
    for name, group in sorted(groups.items()):
        folder = _free(name, taken)
        taken.add(folder)
        gap = "z01" if name.rpartition(".")[0].lower() in spanned else _gap([mark for mark, _ in group])
        ordered = sorted(group, key=lambda pair: (len(pair[0]), pair[0]))
        found.append(Archive(name, tuple(path for _, path in ordered), folder, gap))
    return found


def _folders(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def _free(name: str, taken: set[str]) -> str:
    """The archive's name without its endings; with one more word where the files have that name already."""
    place, slash, last = name.rpartition("/")
    match = _WHOLE.fullmatch(last)
    stem = place + slash + (match["stem"] if match else last)
    folder, number = stem, 1
    while folder in taken:
        folder, number = f"{stem}-unpacked{number if number > 1 else ''}", number + 1
    return folder


def _gap(marks: Sequence[str]) -> str:
    """The first mark that is missing from 00, 01 … or 1, 2 … or aa, ab …; a whole archive has the mark ""."""
    split = [m for m in marks if m]
    if not split:
        return ""
    if "" in marks:
        return "which is there whole and in parts"
    numbers = {_number(m): m for m in split}
    first = 0 if not split[0].isdecimal() or 0 in numbers else 1
    for expected in range(first, first + len(split)):
        if expected not in numbers:
            return _mark(expected, split[0])
    return ""


def _number(mark: str) -> int:
    if mark.isdecimal():
        return int(mark)
    value = 0
    for letter in mark:
        value = value * 26 + ord(letter) - ord("a")
    return value


def _mark(number: int, like: str) -> str:
    if like.isdecimal():
        return f"{number:0{len(like)}d}"
    letters = ""
    for _ in like:
        number, letter = divmod(number, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


def unpack(
    archive: Archive, root: Path, scratch: Path, *, limits: Limits | None = None, pace: Pace | None = None,
    token: CancelToken | None = None, place: Callable[[Path, Path], None] | None = None,
) -> Unpacked:  # fmt: skip
    """Unpack an archive of `root` into its folder there, by way of `scratch` on the same disk.

    `place` gives the finished folder its name; without it, it replaces what is there.

    Raises:
        Refused: a name, link or device that leads outside, more content than the limits allow, a part that is
            missing, an end that is missing, a password, no archive at all; nothing of it is left.
        WorldError: the disk is full; Cancelled: nothing is left.
    """
    paths = [root.joinpath(*part.split("/")) for part in archive.parts]
    target = root.joinpath(*archive.folder.split("/"))
    if archive.missing:
        what = archive.missing if " " in archive.missing else f"of which the part {archive.missing} is missing"
        raise Refused(f"{archive.name} is a split archive {what}: nothing of it was unpacked.", code="parts")
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        scratch.mkdir(parents=True)
        with Joined(paths, partial(pace.add, name=archive.name) if pace is not None else None) as source:
            work = Unpacking(archive.name, scratch, source.size, limits or Limits(), token)
            if ziparchive.is_zip(source):
                ziparchive.unpack_zip(source, work)
            else:
                unpack_tar(source, work)
        work.finish()
        if not work.files:
            raise Refused(f"{archive.name} holds no file that can be kept: nothing was unpacked.", code="empty")
        (place or replace_folder)(scratch, target)
    except OSError as error:
        raise of_disk(error, target) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return Unpacked(work.files, work.written, tuple(work.notes))


def replace_folder(made: Path, target: Path) -> None:
    """Give the finished folder its name; what an earlier unpacking left there goes."""
    if target.is_dir():
        shutil.rmtree(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    made.rename(target)
