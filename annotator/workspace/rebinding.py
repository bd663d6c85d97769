"""Saying where a folder with media is now that has moved since the import."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotator.domain.items import Asset
from annotator.errors import WorldError
from annotator.store import Store
from annotator.workspace.intake import assets_of
from annotator.workspace.views import asset_path


def rebind(store: Store, old: str, new: Path) -> dict[str, Any]:
    """Read all media below `old` as lying below `new`: `{old, new, files, found}`, counted over distinct files.

    Raises:
        WorldError: no such folder, or nothing of this workspace was ever found below `old`; nothing was changed then.
    """
    if not new.is_dir():
        raise WorldError(
            f"{new} is no folder: name the folder where the media are now.", code="no_folder", path=str(new)
        )
    old = os.path.abspath(os.path.expanduser(old))
    target = str(new.resolve())
    inside = {path[len(old) :] for path in _files(store) if path.startswith(old + os.sep)}
    if not inside:
        roots = ", ".join(store.desk.media_roots()) or "none"
        raise WorldError(
            f"No file of {store.folder} was found below {old}: name the folder as it was at the import ({roots}).",
            code="no_media_root",
            path=old,
        )
    found = sum(os.path.isfile(target + path) for path in inside)
    if not found:
        raise WorldError(
            f"None of the {len(inside):,} files is below {target}: choose the folder that took the place of {old}; "
            "nothing was changed.",
            code="no_media_there",
            path=target,
        )
    store.desk.rebind(old, target)
    return {"old": old, "new": target, "files": len(inside), "found": found}


def _files(store: Store) -> Iterator[str]:
    """The distinct local files that items name, wherever they are looked for now."""
    seen: set[str] = set()
    for asset in _assets(store):
        path = asset_path(asset)
        if path is not None and str(path) not in seen:
            seen.add(str(path))
            yield str(path)


def _assets(store: Store) -> Iterator[Asset]:
    for head in store.items.heads("dialogue"):
        yield from assets_of(store.items.dialogue(head.item_id))
    for _, body in store.items.bodies("question"):
        if body.get("image"):
            yield Asset.model_validate(body["image"])
