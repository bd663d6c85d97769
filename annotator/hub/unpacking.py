"""What zip and tar share: where a member may go, how much may come, and what has to be said."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from annotator.cancel import CancelToken, check
from annotator.errors import Refused, WorldError
from annotator.hub.names import Hostile, folded, inner_parts, link_parts, unfit
from annotator.hub.troubles import of_disk, size

_BLOCK: Final = 1 << 18
_NAMED: Final = 5
_ARCHIVES: Final = (".zip", ".tar", ".gz", ".tgz", ".xz", ".bz2", ".zst", ".7z", ".rar")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much an archive may hold. Pictures and clips hardly shrink, so real ones stay far below.

    Attributes:
        members: how many names.
        ratio, free_size: the content may be so many times the archive, and this many bytes in any case.
        reserve: bytes that must stay free on the disk.
    """

    members: int = 2_000_000
    ratio: int = 250
    free_size: int = 256 * 1024 * 1024
    reserve: int = 200 * 1000 * 1000


class Unpacking:
    """The unpacking of one archive into an empty folder."""

    def __init__(self, name: str, folder: Path, packed: int, limits: Limits, token: CancelToken | None) -> None:
        """`packed`: the archive's own size in bytes."""
        self.name, self.token = name, token
        self.files = self.written = 0
        self.notes: list[str] = []
        self.allowed = max(limits.free_size, packed * limits.ratio)
        self._folder, self._limits = folder, limits
        self._members = 0
        self._left_out: dict[str, list[str]] = {}
        self._kept: dict[str, str] = {}
        self._links: list[tuple[tuple[str, ...], tuple[str, ...]]] = []
        self._since_look = _BLOCK * 256

    # --- what refuses the archive -------------------------------------------------------------------------------
    def refuse(self, why: str, code: str) -> Refused:
        """The whole archive is refused."""
        return Refused(f"{self.name} {why}: nothing of it was unpacked.", code=code, path=self.name)

    def place(self, name: str) -> tuple[str, ...]:
        """Where a member goes, as parts.

        Raises:
            Refused: outside, or one member too many.
        """
        check(self.token)
        self._members += 1
        if self._members > self._limits.members:
            raise self.refuse(f"holds more than {self._limits.members:,} names", "bomb")
        try:
            return inner_parts(name)
        except Hostile as error:
            raise self.refuse(f'has a member "{name}", which {error}', "outside") from error

    def link(self, parts: tuple[str, ...], target: str, *, hard: bool) -> None:
        """Remember a link; one that stays inside is made a file of its own at the end.

        Raises:
            Refused: it leads outside.
        """
        try:
            to = inner_parts(target) if hard else link_parts(parts, target)
        except Hostile as error:
            why = f'has a link "{"/".join(parts)}" to "{target}", a place outside'
            raise self.refuse(why, "link") from error
        self._links.append((parts, to))

    def check_total(self, total: int) -> None:
        """Compare the content with the limit.

        Raises:
            Refused: it is too much.
        """
        if total > self.allowed:
            raise self.refuse(
                f"would unpack to more than {size(self.allowed)}, which no archive of its size honestly holds", "bomb"
            )

    # --- what is kept -------------------------------------------------------------------------------------------
    def leave_out(self, parts: Sequence[str] | str, why: str) -> None:
        """A member that is not kept, for a reason that ends a sentence."""
        name = parts if isinstance(parts, str) else "/".join(parts)
        self._left_out.setdefault(why, []).append(name.encode("utf-8", "backslashreplace").decode("utf-8"))

    def keep(self, parts: tuple[str, ...], read: Callable[[int], bytes], length: int) -> None:
        """Write a member of `length` bytes; `read` raises its own errors when it is damaged, then nothing is kept."""
        why = unfit(parts)
        if why:
            self.leave_out(parts, why)
            return
        target = self._folder.joinpath(*parts)
        # Beside the folder, where no member of any name can be.
        temporary = self._folder.with_name(f"{self._folder.name}.member")
        try:
            self._copy(read, temporary, length)
            self._settle(temporary, target, parts)
        except OSError as error:
            if error.errno is None:
                raise  # the archive's own trouble, not the disk's
            raise of_disk(error, self._folder) from error
        finally:
            temporary.unlink(missing_ok=True)

    def _copy(self, read: Callable[[int], bytes], temporary: Path, length: int) -> None:
        left = length
        with temporary.open("wb") as out:
            while left > 0:
                check(self.token)
                block = read(min(_BLOCK, left))
                if not block:
                    raise EOFError("the member ends early")
                left -= len(block)
                self._look_at_disk(len(block))
                out.write(block)
                self.written += len(block)
                self.check_total(self.written)

    def _look_at_disk(self, count: int) -> None:
        self._since_look += count
        if self._since_look < _BLOCK * 256:
            return
        self._since_look = 0
        free = shutil.disk_usage(self._folder).free
        if free < self._limits.reserve:
            raise WorldError(
                f"Only {size(free)} are free where {self.name} is unpacked: free some space and try again.",
                code="disk_full", path=str(self._folder),
            )  # fmt: skip

    def _settle(self, temporary: Path, target: Path, parts: tuple[str, ...]) -> None:
        """Give a written member its name; the first of one name stays."""
        key = folded(parts)
        name = "/".join(parts)
        other = self._kept.get(key)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError):
            self.leave_out(parts, "a file lies where its folder should be")
            return
        if target.is_dir():
            self.leave_out(parts, "a folder has its name")
        elif target.exists():
            if not filecmp.cmp(temporary, target, shallow=False):
                same = other is None or other == name
                why = (
                    "another content of the same name came first" if same else f'its name falls together with "{other}"'
                )
                self.leave_out(parts, why)
        else:
            if other is not None:
                self.notes.append(
                    f'{self.name}: "{other}" and "{name}" differ by case or accents only; on Windows and macOS they '
                    "would be one file."
                )
            self._kept.setdefault(key, name)
            os.replace(temporary, target)
            self.files += 1

    # --- the end ------------------------------------------------------------------------------------------------
    def finish(self) -> None:
        """Make the links that stay inside, and put what was left out into sentences."""
        for parts, to in self._links:
            self._make_link(parts, to)
        for why, names in self._left_out.items():
            more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
            self.notes.append(f"{self.name}: left out {', '.join(names[:_NAMED])}{more}: {why}.")
        nested = [name for name in self._kept.values() if name.lower().endswith(_ARCHIVES)]
        if nested:
            more = f" and {len(nested) - _NAMED:,} more" if len(nested) > _NAMED else ""
            self.notes.append(f"{self.name}: archives inside stay packed: {', '.join(nested[:_NAMED])}{more}.")

    def _make_link(self, parts: tuple[str, ...], to: tuple[str, ...]) -> None:
        source, target = self._folder.joinpath(*to), self._folder.joinpath(*parts)
        if unfit(parts) or unfit(to) or not source.is_file() or target.exists():
            self.leave_out(parts, "it is a link to no file of the archive")
            return
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(source, target)
            except OSError:
                self.check_total(self.written + source.stat().st_size)
                shutil.copyfile(source, target)
        except (FileExistsError, NotADirectoryError):
            self.leave_out(parts, "a file lies where its folder should be")
            return
        except OSError as error:
            raise of_disk(error, self._folder) from error
        self.files += 1
