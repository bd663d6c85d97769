"""Names that others wrote into listings and archives: where they would lead, and how they were spelled."""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Sequence
from typing import Final

PART_BYTES: Final = 255
PATH_BYTES: Final = 3000
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_ENCODINGS: Final = ("utf-8", "gb18030")
_WINDOWS_ONLY: Final = re.compile(r'[<>:"|?*\x00-\x1f]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)', re.IGNORECASE)


class Hostile(ValueError):  # noqa: N818 - said of a name
    """A name that would lead out of the folder it is unpacked to; the text ends a sentence."""


def inner_parts(name: str) -> tuple[str, ...]:
    """The parts of a path that stays inside its folder; none for the folder itself.

    A backslash separates like a slash: archives made on Windows by simple means hold such names.

    Raises:
        Hostile: an absolute path, a drive, `..`, or a NUL character.
    """
    flat = name.replace("\\", "/")
    if "\0" in flat:
        raise Hostile("holds a NUL character")
    if flat.startswith("/") or _DRIVE.match(flat):
        raise Hostile("is an absolute path")
    parts = tuple(part for part in flat.split("/") if part not in ("", "."))
    if ".." in parts:
        raise Hostile("leaves the folder by ..")
    return parts


def link_parts(place: Sequence[str], target: str) -> tuple[str, ...]:
    """Where a symbolic link at `place` leads, as parts from the archive's top.

    Raises:
        Hostile: outside.
    """
    flat = target.replace("\\", "/")
    if flat.startswith("/") or _DRIVE.match(flat) or "\0" in flat:
        raise Hostile("is a link to a place outside")
    found = list(place[:-1])
    for part in flat.split("/"):
        if part == "..":
            if not found:
                raise Hostile("is a link to a place outside")
            found.pop()
        elif part not in ("", "."):
            found.append(part)
    return tuple(found)


def unfit(parts: Sequence[str]) -> str:
    """Why no file of this name can be made here, as the end of a sentence; "" when it can."""
    try:
        lengths = [len(part.encode("utf-8")) for part in parts]
    except UnicodeEncodeError:
        return "its name is no text"
    if max(lengths, default=0) > PART_BYTES or sum(lengths) + len(parts) > PATH_BYTES:
        return "its name is too long"
    if sys.platform == "win32" and any(_WINDOWS_ONLY.search(part) for part in parts):
        return "Windows does not allow its name"
    return ""


def folded(parts: Sequence[str]) -> str:
    """The same for all names that some file systems take as one: by case, or by Unicode form."""
    return unicodedata.normalize("NFC", "/".join(parts)).casefold()


def encoding_of(raw_names: Sequence[bytes], fallback: str) -> str:
    """The encoding of an archive's names: the first that fits all of them; names of one archive share theirs."""
    for encoding in _ENCODINGS:
        try:
            for raw in raw_names:
                raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return fallback
