"""What was unpacked into which folder, by name: whether all of it is still there, and what is not ours to remove."""

from __future__ import annotations

import filecmp
import hashlib
import json
import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from annotator.hub.listing import STATE


def _list_of(root: Path, folder: Path) -> Path:
    name = folder.relative_to(root).as_posix()
    return root / STATE / "opened" / f"{hashlib.sha256(name.encode('utf-8')).hexdigest()[:24]}.json"


def files(folder: Path) -> Iterator[str]:
    """All that is no folder, as paths with slashes."""
    for place, _, names in os.walk(folder):
        for name in names:
            yield Path(place, name).relative_to(folder).as_posix()


def remember(root: Path, folder: Path, names: Collection[str]) -> None:
    """Write down what was unpacked into a folder; what an earlier archive left there and this one lacks goes."""
    for name in (_remembered(root, folder) or frozenset()).difference(names):
        with suppress(OSError):
            folder.joinpath(*name.split("/")).unlink()
    path = _list_of(root, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(sorted(names), ensure_ascii=False), encoding="utf-8")
    os.replace(temporary, path)


def _remembered(root: Path, folder: Path) -> frozenset[str] | None:
    try:
        return frozenset(map(str, json.loads(_list_of(root, folder).read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError):
        return None


def is_whole(root: Path, folder: Path) -> bool:
    """Whether every file that was unpacked is still there."""
    held = _remembered(root, folder)
    return held is not None and folder.is_dir() and held.issubset(files(folder))


def stranger(root: Path, folder: Path) -> Path | None:
    """A file in an unpacked folder that did not come from an archive; None where all did."""
    held = _remembered(root, folder) or frozenset()
    found = next((name for name in files(folder) if name not in held), None)
    return folder / found if found is not None else None


def clear(root: Path, folder: Path) -> None:
    """Take away what was unpacked; what a person put beside it stays."""
    for name in _remembered(root, folder) or ():
        with suppress(OSError):
            folder.joinpath(*name.split("/")).unlink()
    for place, _, _ in os.walk(folder, topdown=False):
        with suppress(OSError):  # what is not empty stays
            os.rmdir(place)
    _list_of(root, folder).unlink(missing_ok=True)


def holds_all(folder: Path, made: Path) -> bool:
    """Whether a folder has every file of another one, with the same content."""
    try:
        return folder.is_dir() and all(
            folder.joinpath(name).is_file() and filecmp.cmp(made / name, folder / name, shallow=False)
            for name in files(made)
        )
    except OSError:
        return False
