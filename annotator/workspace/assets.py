"""The workspace's asset manifest: what it says of the files that dialogues name, takedowns, and bound local copies."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from annotator import settings
from annotator.cancel import CancelToken, check
from annotator.domain.assets import AssetTerms
from annotator.domain.items import Asset, Dialogue, Turn
from annotator.errors import WorldError
from annotator.media import keeping
from annotator.store import Store

MANIFEST: Final = "asset_manifest"
BOUND: Final = "asset_bound"
HASHES: Final = "asset_hashes"
_CHUNK: Final = 1 << 20


class AssetBook:
    """The manifest of one workspace, looked up by the names that dialogues use. Read once; `refresh` reads it again."""

    def __init__(self, store: Store) -> None:
        """Use an open store."""
        self._store = store
        self.refresh()

    def refresh(self) -> None:
        """Read the manifest and what is bound."""
        bound: dict[str, dict[str, Any]] = self._store.desk.get(BOUND, {})
        self._terms: dict[str, AssetTerms] = {}
        for held in self._store.desk.get(MANIFEST, []):
            terms = AssetTerms.model_validate(held)
            own = bound.get(terms.key)
            if own is not None:
                terms = terms.model_copy(update={"bound": own["path"], "bound_sha256": own["sha256"]})
            self._terms[terms.key] = terms
        self._by_path = {plain(t.path): t for t in self._terms.values() if t.path}
        self._by_hash = {t.sha256: t for t in self._terms.values() if t.sha256}
        self._hash_of: dict[str, str] = {p: h for p, (_, _, h) in self._store.desk.get(HASHES, {}).items()}
        self._forget_kept(bound)

    def _forget_kept(self, bound: Mapping[str, Mapping[str, Any]]) -> None:
        """A takedown takes what is kept on disk of a file with it: previews and tiles in the user's cache folder."""
        down = [terms for terms in self._terms.values() if terms.takedown]
        names = [terms.path for terms in down if terms.path]
        names += [str(bound[terms.key]["path"]) for terms in down if terms.key in bound]
        digests = {terms.sha256 for terms in down if terms.sha256}
        names += [path for path, digest in self._hash_of.items() if digest in digests]
        if names:
            keeping.forget(settings.cache_dir(), names)

    def __len__(self) -> int:
        """How many entries there are."""
        return len(self._terms)

    @property
    def entries(self) -> tuple[AssetTerms, ...]:
        """All entries, in the order of the manifest."""
        return tuple(self._terms.values())

    def of(self, asset: Asset) -> AssetTerms | None:
        """What the manifest says of a file; a takedown by any of its names wins over whatever another entry says."""
        names = [plain(n) for n in (asset.raw, asset.inside) if n]
        found = [self._by_path[n] for n in names if n in self._by_path]
        digest = self._hash_of.get(_where(asset))
        if digest is not None and digest in self._by_hash:
            found.append(self._by_hash[digest])
        return next((t for t in found if t.takedown), found[0] if found else None)

    # --------------------------------------------------------------------------------------------------------- showing
    def apply(self, dialogue: Dialogue) -> tuple[Dialogue, dict[str, AssetTerms]]:
        """The dialogue with takedowns and bound copies applied to its files, and the terms by the files' raw names."""
        turns, terms = self.apply_turns(dialogue.turns)
        return (dialogue if turns is dialogue.turns else dialogue.model_copy(update={"turns": turns})), terms

    def apply_turns(self, turns: tuple[Turn, ...]) -> tuple[tuple[Turn, ...], dict[str, AssetTerms]]:
        """The same for turns alone."""
        terms: dict[str, AssetTerms] = {}
        if not self._terms:
            return turns, terms
        made = tuple(self._turn(turn, terms) for turn in turns)
        return (made if made != turns else turns), terms

    def _turn(self, turn: Turn, terms: dict[str, AssetTerms]) -> Turn:
        update: dict[str, Any] = {
            "evidence": tuple(self._asset(a, terms) for a in turn.evidence),
            "frames": tuple(self._asset(a, terms) for a in turn.frames),
        }
        if turn.audio is not None:
            update["audio"] = self._asset(turn.audio, terms)
        return turn.model_copy(update=update)

    def _asset(self, asset: Asset, terms: dict[str, AssetTerms]) -> Asset:
        held = self.of(asset)
        if held is None:
            return asset
        terms[asset.raw or asset.inside or ""] = held
        if held.takedown:
            return asset.model_copy(update={"status": "takedown"})
        if held.bound and not asset.found:
            copy = Path(held.bound)
            if copy.is_file():
                return asset.model_copy(update={"status": "ok", "root": str(copy.parent), "inside": copy.name})
        return asset

    def taken_down(self, name: str) -> bool:
        """Whether a file of this name is under takedown: for exports."""
        held = self._by_path.get(plain(name))
        return held is not None and held.takedown

    # --------------------------------------------------------------------------------------------------------- binding
    def bind(self, name: str, file: Path) -> AssetTerms:
        """Bind a local copy to an entry, by a name that dialogues or the manifest use; its hash is stored.

        Raises:
            WorldError: no such entry, one under takedown, a file that cannot be read, or another file than was meant.
        """
        held = self._by_path.get(plain(name)) or self._terms.get(name)
        if held is None:
            raise WorldError(f'The manifest has no entry "{name}": import it first.', code="no_entry")
        if held.takedown:
            raise WorldError(f'"{name}" is under takedown: no copy of it can be bound.', code="takedown")
        digest = hash_file(file)
        if held.sha256 is not None and digest != held.sha256:
            raise WorldError(
                f'"{file}" is not the file that the manifest means (its SHA-256 differs): choose another.', code="hash"
            )
        bound = dict(self._store.desk.get(BOUND, {}))
        bound[held.key] = {"path": str(file.resolve()), "sha256": digest, "size": file.stat().st_size}
        self._store.desk.set(BOUND, bound)
        self.refresh()
        return self._terms[held.key]

    def unbind(self, name: str) -> None:
        """Forget a bound copy; the file is not touched."""
        held = self._by_path.get(plain(name)) or self._terms.get(name)
        bound = dict(self._store.desk.get(BOUND, {}))
        if held is not None and bound.pop(held.key, None) is not None:
            self._store.desk.set(BOUND, bound)
            self.refresh()

    # ----------------------------------------------------------------------------------------------------------- hashes
    def learn_hashes(self, assets: Iterable[Asset], token: CancelToken | None = None) -> None:
        """Hash the files at hand, where the manifest names some by hash alone; what is known and unchanged is kept."""
        if not any(t.path is None for t in self._terms.values()):
            return
        known: dict[str, list[Any]] = dict(self._store.desk.get(HASHES, {}))
        seen: dict[str, list[Any]] = {}
        for path in dict.fromkeys(_where(a) for a in assets if a.found):
            check(token)
            try:
                state = os.stat(path)
                held = known.get(path)
                if held is None or held[:2] != [state.st_size, state.st_mtime_ns]:
                    held = [state.st_size, state.st_mtime_ns, hash_file(Path(path), token)]
            except (OSError, WorldError):
                continue  # gone since it was found: the check of media tells it
            seen[path] = held
        if seen != known:
            self._store.desk.set(HASHES, known | seen)
            self.refresh()


def merged(old: Iterable[Mapping[str, Any]], new: Iterable[AssetTerms]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The manifest after another import, and how many entries are `new`, `revised`, `unchanged`.

    An entry of the same key takes the place of the older one; what a source no longer names stays.
    """
    entries = {AssetTerms.model_validate(e).key: dict(e) for e in old}
    counts = {"new": 0, "revised": 0, "unchanged": 0}
    for terms in new:
        made = terms.model_dump(mode="json")
        before = entries.get(terms.key)
        counts["new" if before is None else "unchanged" if before == made else "revised"] += 1
        entries[terms.key] = made
    return list(entries.values()), counts


def hash_file(file: Path, token: CancelToken | None = None) -> str:
    """The SHA-256 of a file's bytes, in hexadecimal.

    Raises:
        WorldError: when it cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with file.open("rb") as handle:
            while chunk := handle.read(_CHUNK):
                check(token)
                digest.update(chunk)
    except OSError as error:
        raise WorldError(
            f'"{file}" cannot be read ({error.strerror}): choose another file.', code="unreadable"
        ) from error
    return digest.hexdigest()


def plain(path: str | None) -> str:
    """A path as names are compared: forward slashes, no leading `./`."""
    text = (path or "").replace("\\", "/").strip()
    while text.startswith("./"):
        text = text[2:]
    return text


def _where(asset: Asset) -> str:
    return "" if asset.root is None or asset.inside is None else str(Path(asset.root, *asset.inside.split("/")))
