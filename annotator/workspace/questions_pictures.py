"""Pictures of questions: found in the data roots by path or name, or kept once, by content, in the workspace.

The workspace's own store is the folder `media/`: one file per content, named by its SHA-256. Nothing of it goes into
the database but the name.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from annotator.domain.items import Asset
from annotator.importers.base import Located
from annotator.media.roots import Roots
from annotator.media.sniff import sniff
from annotator.store.faults import explain_os

FOLDER: Final = "media"
_HEAD: Final = 64
_WALKED: Final = 300_000
_NEAR: Final = ("imgs", "images", "data")
_SUFFIX: Final = {
    "jpeg": ".jpg", "jpg": ".jpg", "png": ".png", "webp": ".webp", "gif": ".gif", "bmp": ".bmp", "tiff": ".tif",
    "avif": ".avif",
}  # fmt: skip


class PictureStore:
    """The pictures that a workspace keeps itself."""

    def __init__(self, folder: Path) -> None:
        """`folder` is the workspace."""
        self._folder = folder

    def keep(self, picture: str | bytes) -> str | None:
        """Keep a picture (bytes or base64) and return its path inside the workspace; None where it is none.

        A file that is there with the right length is left as it is: its name is the hash of what it holds.

        Raises:
            WorldError: when it cannot be written.
        """
        data = picture if isinstance(picture, bytes) else _decoded(picture)
        if data is None:
            return None
        kind = sniff(data[:_HEAD])
        if kind not in _SUFFIX:  # some tables hold the text of base64 as bytes
            data = _decoded(data.decode("ascii", "ignore")) if isinstance(picture, bytes) else None
            kind = sniff(data[:_HEAD]) if data else ""
        if data is None or kind not in _SUFFIX:
            return None
        name = hashlib.sha256(data).hexdigest()
        inside = f"{FOLDER}/{name[:2]}/{name}{_SUFFIX[kind]}"
        try:
            self._write(self._folder / inside, data)
        except OSError as error:
            raise explain_os(error, self._folder / inside) from error
        return inside

    @staticmethod
    def _write(path: Path, data: bytes) -> None:
        try:
            if path.stat().st_size == len(data):
                return
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".part")
        partial.write_bytes(data)
        os.replace(partial, path)


def _decoded(text: str) -> bytes | None:
    start = text.find(",") + 1 if text.startswith("data:") else 0
    try:
        return base64.b64decode(text[start:] if start else text, validate=False) or None
    except (binascii.Error, ValueError):
        return None


class Finder:
    """Finds the picture that a record names: by its path, near its file, else by its name anywhere in the roots."""

    def __init__(self, roots: Roots, *, search: bool) -> None:
        """`search`: the roots were named (or are the source itself), so that they may be walked."""
        self._roots = roots
        self._search = search
        self._names: dict[str, list[tuple[str, str]]] | None = None
        self.beside = ""  # the folder of the file that is being read
        self._places_of: str | None = None
        self._known_places: tuple[str, ...] = ()
        self._held: frozenset[str] = frozenset()  # the names in any of them
        self._listings: dict[str, frozenset[str]] = {}

    def locate(self, raw: Any) -> Located:
        """Where it is; a picture found near its file, or by its name, counts as found."""
        found = self._roots.resolve(raw)
        if found.status == "missing" and isinstance(raw, str) and raw.strip():
            near = self._near(raw) or self._by_name(raw)
            if near is not None:
                return near
        return Located(found.status, found.inside, found.root, found.reason)

    def _near(self, raw: str) -> Located | None:
        """Beside its file or in one of the usual folders, by its path, then by its bare name.

        Only what a listing of these folders shows is looked at: tens of thousands of pictures may be missing.
        """
        path = raw.replace("\\", "/")
        base = path.rsplit("/", 1)[-1]
        places = self._places()
        for name in (path, base) if path != base else (path,):
            first = name.split("/", 1)[0]
            for folder in places if first in self._held else ():
                if first in self._listing(folder):
                    found = self._roots.resolve(f"{folder}/{name}")
                    if found.status == "ok":
                        return Located("ok", found.inside, found.root)
        return None

    def _places(self) -> tuple[str, ...]:
        if self._places_of != self.beside:
            folders = [f for f in (self.beside, *self._roots.folders) if f]
            inner = [f"{folder}/{name}" for folder in folders for name in _NEAR if name in self._listing(folder)]
            self._known_places = tuple(dict.fromkeys([*folders, *inner]))
            self._held = frozenset().union(*map(self._listing, self._known_places))
            self._places_of = self.beside
        return self._known_places

    def _listing(self, folder: str) -> frozenset[str]:
        if folder not in self._listings:
            try:
                self._listings[folder] = frozenset(os.listdir(folder))
            except OSError:
                self._listings[folder] = frozenset()
        return self._listings[folder]

    def _by_name(self, raw: str) -> Located | None:
        """The one file of this name whose path ends like `raw`, else the one file of this name."""
        if not self._search:
            return None
        if self._names is None:
            self._names = _names_of(self._roots.folders)
        parts = [p for p in raw.replace("\\", "/").split("/") if p not in ("", ".", "..")]
        held = self._names.get(parts[-1], []) if parts else []
        tail = "/".join(parts)
        ending = [h for h in held if h[1] == tail or h[1].endswith("/" + tail)]
        chosen = ending or held
        return Located("ok", chosen[0][1], chosen[0][0]) if len(chosen) == 1 else None


def _names_of(folders: Iterable[str]) -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    count = 0
    for root in folders:
        for place, inner, names in os.walk(root):
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            for name in names:
                inside = os.path.relpath(os.path.join(place, name), root).replace(os.sep, "/")
                found.setdefault(name, []).append((root, inside))
            count += len(names)
            if count > _WALKED:
                return found
    return found


def picture_path(asset: Asset | None, workspace: Path) -> Path | None:
    """The file of a question's picture, None where there is none to show."""
    if asset is None or asset.inside is None or not asset.found:
        return None
    return (workspace if asset.root is None else Path(asset.root)) / asset.inside
