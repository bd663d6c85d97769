"""What an older commit left in a data root: kept until the newer one is whole, then taken away; and room for folders.

Only what is ours and lies there as it was found right is ever removed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from annotator.hub import archives, folders
from annotator.hub.state import State
from annotator.hub.troubles import in_the_way
from annotator.hub.values import RemoteFile


def let_go(root: Path, before: State, made: State, listed: Sequence[RemoteFile]) -> None:
    """Carry over what an earlier state knows, and mark what the new commit does not have any more."""
    made.seen, made.opened, made.left = dict(before.seen), dict(before.opened), dict(before.left)
    known, wanted = set(listed), set(made.files)
    on_disk = {f.path: f for f in (*before.files, *before.others)} | before.gone
    for path, file in on_disk.items():
        if file in wanted:
            continue
        if file in known:
            made.others.append(file)
        elif before.untouched(root, file):
            made.gone[path] = file
    here = {a.name for a in archives.find(f.path for f in (*made.files, *made.others))}
    for name in [n for n in made.opened if n not in here]:
        gone = made.opened.pop(name)
        if gone.folder:
            made.left[name] = gone.folder
    for name in here:
        made.left.pop(name, None)


def make_way(root: Path, held: State) -> None:
    """Take away beforehand what would lie in the way: a file where a folder is needed now, or the other way round."""
    paths = {f.path for f in held.files}
    above = {parent for path in paths for parent in _above(path)}
    unpacked = {a.folder for a in archives.find(paths)}
    for file in list(held.gone.values()):
        if file.path in above | unpacked or not (paths | unpacked).isdisjoint(_above(file.path)):
            _remove(root, held, file)
    for name, folder in list(held.left.items()):
        if folder in above or folder in paths:
            folders.clear(root, root.joinpath(*folder.split("/")))
            del held.left[name]


def clear(root: Path, held: State) -> None:
    """Everything of the commit is here: what it does not have goes."""
    used = {o.folder for o in held.opened.values()}
    for file in list(held.gone.values()):
        _remove(root, held, file)
    for folder in held.left.values():
        if folder not in used:
            folders.clear(root, root.joinpath(*folder.split("/")))
    held.left.clear()


def place(root: Path, archive: str, ours: bool, made: Path, target: Path) -> None:
    """Give an unpacked folder its name.

    Raises:
        WorldError: something that is not ours lies there. A folder that holds the very same is taken as ours: it is
            what an earlier fetch left whose memory was deleted.
    """
    foreign = folders.stranger(root, target) if ours else target
    names = frozenset(folders.files(made))
    if foreign is None or not os.path.lexists(foreign):
        archives.replace_folder(made, target)
    elif not folders.holds_all(target, made):
        raise in_the_way(foreign, archive)
    # Afterwards: an end in between leaves a folder that holds the very same, and that is taken as ours.
    folders.remember(root, target, names)


def _remove(root: Path, held: State, file: RemoteFile) -> None:
    """A file that still lies there as it was found right, and the folders that become empty by that."""
    del held.gone[file.path]
    path = root.joinpath(*file.path.split("/"))
    if held.untouched(root, file):
        path.unlink(missing_ok=True)
        with suppress(OSError):  # what is not empty stays
            for _ in _above(file.path):
                path = path.parent
                path.rmdir()
    held.seen.pop(file.path, None)


def _above(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]
