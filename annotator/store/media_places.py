"""Where media lie, kept so that a workspace may be moved or copied with the files inside of it.

A data root that lies in the workspace's own folder is kept relative to it. Roots elsewhere are kept as they are; where
such a folder has moved, a person says so once (`annotator rebind`), and every path below it is read as lying in the new
one. Nothing that was imported is rewritten: what is read is translated, in the text of the stored JSON, by an SQL
function that every connection has.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

# What a root inside the workspace begins with; no path of any system does.
INSIDE: Final = "workspace:"
MOVES: Final = "media_moves"
_ROOT: Final = re.compile(r'("root": ?)("(?:[^"\\]|\\.)*")')
# Folders of a workspace that never hold its media.
_OURS: Final = frozenset({"journal", "backups", "cache"})


class Places:
    """Translates data roots of one workspace between how they are kept and where they are.

    Attributes:
        moves: old folder to new folder, for roots outside of the workspace.
    """

    def __init__(self, folder: Path) -> None:
        """Know where the workspace is."""
        self._folder = os.path.abspath(folder)
        self._real = os.path.realpath(folder)
        self.moves: Mapping[str, str] = {}
        self._known: dict[str, str] = {}

    def set_moves(self, moves: Mapping[str, str]) -> None:
        """Use these moves from now on."""
        self.moves = dict(moves)
        self._known = {}

    def kept(self, root: str) -> str:
        """A root as it is kept."""
        for own in (self._folder, self._real):
            if root == own or root.startswith(own + os.sep):
                return INSIDE + os.path.relpath(root, own).replace(os.sep, "/")
        return root

    def found(self, root: str) -> str:
        """Where a root is; as it was kept where nothing better is known."""
        held = self._known.get(root)
        if held is None:
            held = self._known[root] = self._find(root)
        return held

    def _find(self, root: str) -> str:
        if root.startswith(INSIDE):
            return os.path.normpath(os.path.join(self._folder, *root[len(INSIDE) :].split("/")))
        for old in sorted(self.moves, key=len, reverse=True):
            if root == old or root.startswith((old + "/", old + "\\")):
                return self.moves[old] + root[len(old) :]
        return root if os.path.isdir(root) else self._inside_after_all(root)

    def _inside_after_all(self, root: str) -> str:
        """A root that an older version kept as it was, of a workspace moved since: by its longest tail here."""
        parts = [part for part in re.split(r"[/\\]", root) if part]
        for start in range(1, len(parts)):
            here = os.path.join(self._folder, *parts[start:])
            if parts[start] not in _OURS and os.path.isdir(here):
                return here
        return root

    # -------------------------------------------------------------------------------------------------------- in JSON
    def kept_text(self, text: str) -> str:
        """The JSON of an item with its roots as they are kept."""
        return _ROOT.sub(lambda m: m[1] + _translated(m[2], self.kept), text) if '"root":' in text else text

    def found_text(self, text: str | None) -> str | None:
        """The JSON of an item as it is kept, with its roots where they are."""
        if text is None or '"root":' not in text:
            return text
        return _ROOT.sub(lambda m: m[1] + _translated(m[2], self.found), text)


def _translated(quoted: str, translate: Callable[[str], str]) -> str:
    root = json.loads(quoted)
    made = translate(root)
    return quoted if made == root else json.dumps(made, ensure_ascii=False)
