"""Every frame, picture and sound of a workspace decoded once, so that what fails is known before a rater meets it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from annotator.cancel import CancelToken, check
from annotator.domain.items import Asset
from annotator.errors import WorldError
from annotator.store import Store
from annotator.workspace.assets import AssetBook, hash_file
from annotator.workspace.intake import assets_of
from annotator.workspace.views import asset_path

Progress = Callable[[int, int], None]
# Frames named one by one in a sentence; beyond that their number is told.
_NAMED: Final = 5


@dataclass(slots=True)
class File:
    """One distinct local file: what the source called it, what it is to the turns, which dialogues need it."""

    path: str
    raw: str | None
    roles: set[str] = field(default_factory=set)
    items: dict[str, None] = field(default_factory=dict)


def check_media(store: Store, token: CancelToken | None = None, progress: Progress | None = None) -> dict[str, Any]:
    """Decode everything that the dialogues name; nothing is written.

    Returns `files, ok, missing, takedown, frames, damaged, faults`; `damaged` and `faults` are lists of
    `{path, raw, why, items}` with the source's ids of the dialogues. Damaged files show in part, which is told and no
    fault. `missing` counts assets that were never there, `takedown` those that the manifest hides (never opened).

    Raises:
        Cancelled: the token was cancelled.
    """
    book = AssetBook(store)
    files, missing, hidden = files_of(store, book)
    told: dict[str, Any] = {"files": len(files), "ok": 0, "missing": missing, "takedown": hidden, "frames": 0}
    damaged: list[dict[str, Any]] = []
    faults: list[dict[str, Any]] = []
    bound = {t.bound: t.bound_sha256 for t in book.entries if t.bound}
    for number, file in enumerate(files):
        check(token)
        if progress is not None:
            progress(number, len(files))
        entry = {"path": file.path, "raw": file.raw, "items": list(file.items)}
        try:
            if file.path in bound and hash_file(Path(file.path), token) != bound[file.path]:
                why = f'"{file.path}" is another file than the one that was bound: bind it again.'
                raise WorldError(why, code="hash", path=file.path)
            frames, why = decode(file, token)
        except WorldError as error:
            faults.append(entry | {"why": error.sentence})
            continue
        told["frames"] += frames
        if why:
            damaged.append(entry | {"why": why})
        else:
            told["ok"] += 1
    if progress is not None:
        progress(len(files), len(files))
    return told | {"damaged": damaged, "faults": faults}


def files_of(store: Store, book: AssetBook) -> tuple[list[File], int, int]:
    """The distinct local files in order of their paths; how many assets were never there; how many are hidden."""
    files: dict[str, File] = {}
    missing = hidden = 0
    for head in store.items.heads("dialogue"):
        dialogue, _ = book.apply(store.items.dialogue(head.item_id))
        for asset in assets_of(dialogue):
            missing += asset.status == "missing"
            hidden += asset.status == "takedown"
            _add(files, asset, head.source_id)
    return [files[path] for path in sorted(files)], missing, hidden


def _add(files: dict[str, File], asset: Asset, source_id: str) -> None:
    path = asset_path(asset)
    if path is not None:
        file = files.setdefault(str(path), File(str(path), asset.raw))
        file.roles.add(asset.role)
        file.items[source_id] = None


def decode(file: File, token: CancelToken | None = None) -> tuple[int, str]:
    """Decode one file whole, as what it is to its turns: how many pictures came, and what is wrong ("" = nothing).

    Raises:
        WorldError: when nothing of it can be shown or heard.
    """
    if "clip" in file.roles:
        return _decode_film(file.path, token)
    if file.roles == {"audio"}:
        from annotator.media.sound import decode_pcm

        return 0, decode_pcm(file.path, token=token).why
    return _decode_picture(file.path, token)


def _decode_film(path: str, token: CancelToken | None) -> tuple[int, str]:
    from annotator.media.opening import open_film
    from annotator.media.sound import decode_pcm, has_sound

    bad: list[int] = []
    with open_film(path, token=token) as film:
        count = len(film)
        for index in range(count):
            check(token)
            frame = film.frame(index, token)
            if frame.damaged or not frame.exact:
                bad.append(index)
        why = film.why if film.damaged else ""
    if bad:
        shown = ", ".join(map(str, bad[:_NAMED])) + (f" and {len(bad) - _NAMED} more" if len(bad) > _NAMED else "")
        why = f"{Path(path).name}: frames {shown} cannot be decoded cleanly. {why}".strip()
    if Path(path).is_file() and has_sound(path):
        try:
            heard = decode_pcm(path, token=token).why
        except WorldError as silent:
            heard = silent.sentence
        why = " ".join(part for part in (why, heard) if part)
    return count, why


def _decode_picture(path: str, token: CancelToken | None) -> tuple[int, str]:
    from annotator.media.header import FULL_PIXEL_BUDGET, read_header
    from annotator.media.pictures import load_full, load_preview

    header = read_header(path)
    if header.pixels > FULL_PIXEL_BUDGET:  # such pictures are only ever shown reduced, and in crops
        picture = load_preview(path, 2048, 2048, token)
        return 1, picture.why if picture.damaged else ""
    whys: list[str] = []
    for number in range(max(1, header.frames)):
        check(token)
        picture = load_full(path, token, frame=number)
        if picture.damaged:
            whys.append(picture.why)
    return max(1, header.frames), whys[0] if whys else ""
