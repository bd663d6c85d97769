"""Paths named by data, resolved inside the data roots and nowhere else.

A path is taken by its parts; links are followed by hand, one step at a time, so that nothing outside a root is ever
looked at. What leaves a root (`..`, an absolute path, a link out) is refused; an absolute path of somebody else's
machine is tried by its longest tail that exists inside a root; addresses are told apart and never fetched.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import unquote

Status = Literal["ok", "remapped", "missing", "refused", "url"]
Wanted = Literal["file", "folder"]

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(//)?")
_DRIVE: Final = re.compile(r"[A-Za-z]:")
_MAX_LINKS: Final = 40
_MAX_PATH: Final = 4096
_CACHED: Final = 50_000


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where a path leads.

    Attributes:
        status: `ok`, `remapped` (found by its tail), `missing`, `refused`, `url`.
        inside: the path inside `root` with forward slashes, where found.
        root: the data root, absolute, where found.
        reason: why it was refused, as the end of a sentence.
    """

    status: Status
    inside: str | None = None
    root: str | None = None
    reason: str = ""

    @property
    def found(self) -> bool:
        """Whether there is a file to show."""
        return self.status in ("ok", "remapped")


_MISSING: Final = Resolved("missing")
_URL: Final = Resolved("url")


class Roots:
    """The data roots of one import, in the order in which they are tried.

    Answers are remembered, so a thousand turns that share a clip cost one look at the disk; files that come or go while
    an import runs are seen by the next one.
    """

    def __init__(self, folders: Iterable[str | Path], *, stated: bool = True) -> None:
        """`stated`: somebody named these folders; else an absolute path found nowhere is merely missing."""
        self._roots = tuple(_Root(Path(os.path.abspath(folder))) for folder in folders)
        self._stated = stated
        self._known: dict[tuple[str, Wanted], Resolved] = {}

    @property
    def folders(self) -> tuple[str, ...]:
        """The roots as absolute paths."""
        return tuple(root.name for root in self._roots)

    def resolve(self, raw: Any, wanted: Wanted = "file") -> Resolved:
        """Where the path `raw` leads; anything but a text that is not blank is missing.

        `wanted`: a file, or a folder (of frames).
        """
        if not isinstance(raw, str) or not raw.strip():
            return _MISSING
        known = self._known.get((raw, wanted))
        if known is None:
            known = self._resolve(raw, wanted)
            if len(self._known) < _CACHED:
                self._known[raw, wanted] = known
        return known

    def _resolve(self, raw: str, wanted: Wanted) -> Resolved:
        if "\0" in raw:
            return Resolved("refused", reason="it holds a NUL character")
        scheme = _SCHEME.match(raw)
        if scheme is not None:
            name = scheme.group(1).lower()
            if name == "data":
                return Resolved("refused", reason="it is data, not a file")
            if name == "file":
                return self._absolute(
                    _parts(unquote(raw[scheme.end() :])), "/" + unquote(raw[scheme.end() :]).lstrip("/"), wanted
                )
            if scheme.group(2):
                return _URL
        if len(raw) > _MAX_PATH:
            return _MISSING
        if raw.startswith(("/", "\\")) or _DRIVE.match(raw):
            return self._absolute(_parts(_DRIVE.sub("", raw, count=1)), raw, wanted)
        return self._relative(raw, wanted)

    def _relative(self, raw: str, wanted: Wanted) -> Resolved:
        # A backslash is an ordinary character of a name here, so the exact name comes first.
        spellings = [raw] if "\\" not in raw else [raw, raw.replace("\\", "/")]
        refused: Resolved | None = None
        for spelling in spellings:
            parts = _normal(spelling.split("/"))
            if parts is None:
                refused = Resolved("refused", reason="it leaves the data root by ..")
                continue
            for root in self._roots:
                found = root.look(parts)
                if found == wanted:
                    return Resolved("ok", "/".join(parts), root.name)
                if found == "outside":
                    refused = refused or Resolved("refused", reason="it is a link that leaves the data root")
        return refused or _MISSING

    def _absolute(self, written: list[str], raw: str, wanted: Wanted) -> Resolved:
        """A path of this or another machine: inside a root as it stands, or by its longest tail."""
        for root in self._roots:
            parts = root.below(raw)
            if parts is not None and root.look(parts) == wanted:
                return Resolved("ok", "/".join(parts), root.name)
        parts = _normal(written)
        if parts is None:
            return Resolved("refused", reason="it leaves its own root by ..")
        refused: Resolved | None = None
        for start in range(len(parts)):
            for root in self._roots:
                found = root.look(parts[start:])
                if found == wanted:
                    return Resolved("remapped", "/".join(parts[start:]), root.name)
                if found == "outside":
                    refused = Resolved("refused", reason="it is a link that leaves the data root")
        if refused is not None:
            return refused
        return Resolved("refused", reason="no part of it lies in a data root") if self._stated else _MISSING


def _parts(text: str) -> list[str]:
    return text.replace("\\", "/").split("/")


def _normal(parts: Iterable[str]) -> list[str] | None:
    """Parts without `.` and blanks, with each `..` taken; None where it climbs out."""
    found: list[str] = []
    for part in parts:
        if part == "..":
            if not found:
                return None
            found.pop()
        elif part not in ("", "."):
            found.append(part)
    return found


class _Root:
    """One data root: looks at names inside it, never outside."""

    def __init__(self, folder: Path) -> None:
        self.name = str(folder)
        self._real = os.path.realpath(folder)
        self._kinds: dict[tuple[str, ...], int | str | None] = {}

    def below(self, raw: str) -> list[str] | None:
        """The parts of an absolute path below this root, None where it lies elsewhere."""
        for prefix in (self.name, self._real):
            if raw.startswith(prefix.rstrip("/") + "/"):
                return _normal(raw[len(prefix.rstrip("/")) + 1 :].split("/"))
        return None

    def look(self, parts: list[str]) -> Literal["file", "folder", "none", "outside"]:
        """What lies at a place inside the root: a regular file, a folder, nothing of use, or a link out."""
        if not parts:
            return "none"
        todo = list(reversed(parts))
        here: list[str] = []
        links = 0
        while todo:
            part = todo.pop()
            if part == "..":
                if not here:
                    return "outside"
                here.pop()
                continue
            here.append(part)
            kind = self._kind(tuple(here))
            if kind is None:
                return "none"
            if isinstance(kind, str):
                links += 1
                if links > _MAX_LINKS:
                    return "none"
                here.pop()
                if kind.startswith("/"):
                    below = self.below(kind + "/.")
                    if below is None:
                        return "outside"
                    here, kind = [], "/".join(below)
                todo.extend(p for p in reversed(kind.split("/")) if p not in ("", "."))
            elif todo and not stat.S_ISDIR(kind):
                return "none"
        final = self._kind(tuple(here)) if here else None
        if not isinstance(final, int):
            return "none"
        return "file" if stat.S_ISREG(final) else "folder" if stat.S_ISDIR(final) else "none"

    def _kind(self, place: tuple[str, ...]) -> int | str | None:
        """The file mode at a place that holds no link above it; a link's target as text; None where nothing is."""
        if place in self._kinds:
            return self._kinds[place]
        path = os.path.join(self._real, *place)
        found: int | str | None
        try:
            mode = os.lstat(path).st_mode
            found = os.readlink(path) if stat.S_ISLNK(mode) else mode
        except (OSError, ValueError):
            found = None  # not there, too long a name, or no name the system knows
        if len(self._kinds) < _CACHED:
            self._kinds[place] = found
        return found
