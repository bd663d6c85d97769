"""A dataset repository of the Hub into a folder: look, compare with what is here, fetch, check, unpack."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from annotator.cancel import Cancelled, CancelToken
from annotator.errors import Refused, WorldError
from annotator.hub import archives, clearing, door, folders, listing, state, transfer
from annotator.hub.pace import Pace
from annotator.hub.state import Opened, State
from annotator.hub.troubles import NO_FILE, Asked, in_the_way, of_disk, offline, size
from annotator.hub.values import Fetched, Progress, RemoteFile, Step

WORKERS: Final = 8
RESERVE: Final = 200 * 1000 * 1000
"""Bytes that must stay free on the disk."""
MAIN: Final = "main"


class _Linked(CancelToken):
    """Stops when the person's token says so, or when one of several workers met trouble."""

    def __init__(self, parent: CancelToken | None) -> None:
        super().__init__()
        self._parent = parent

    @property
    def cancelled(self) -> bool:
        return super().cancelled or (self._parent is not None and self._parent.cancelled)

    def check(self) -> None:
        if self.cancelled:
            raise Cancelled


def fetch_dataset(
    repo_id: str,
    data_root: Path,
    *,
    revision: str | None = None,
    allow: Sequence[str] = (),
    token: CancelToken | None = None,
    progress: Progress | None = None,
) -> Fetched:
    """Bring a dataset repository, or the files that fit `allow` (shell patterns), into `data_root`.

    Without a revision it is the commit that the folder holds already, else what `main` is now; a branch or tag is
    looked up anew. A fetch that was interrupted goes on with the commit it began with. Where all of a pinned commit is
    here, no request is made. `progress` is called from several threads, one at a time.

    Raises:
        WorldError: in one sentence: no such repository or revision, no access, gated, no benchmark files in it, the
            disk too small, the connection lost, bytes that are not what the Hub lists, other files in the way.
        Cancelled: what came is kept; the next call goes on.
    """
    listing.check_repo_id(repo_id)
    root = Path(data_root).absolute()
    with state.held(root):
        try:
            return _Fetch(repo_id, root, revision, tuple(allow), _Linked(token), progress).run()
        except OSError as error:
            raise of_disk(error, root) from error


class _Fetch:
    """One run."""

    def __init__(
        self, repo_id: str, root: Path, revision: str | None, allow: tuple[str, ...], token: CancelToken,
        progress: Progress | None,
    ) -> None:  # fmt: skip
        self._repo, self._root, self._allow = repo_id, root, allow
        self._token, self._progress = token, progress
        self._before = state.load(root)
        if self._before is not None and self._before.repo_id != repo_id:
            raise WorldError(
                f"{root} holds files of {self._before.repo_id}: choose another data folder for {repo_id}.",
                code="other_repo", path=str(root),
            )  # fmt: skip
        self._asked_for = revision
        self._door: door.Door | None = None
        self._pace: Pace | None = None
        self._fetched = 0

    # --- look ---------------------------------------------------------------------------------------------------
    def run(self) -> Fetched:
        self._tell(Step("look"))
        held = self._remembered() or self._listed()
        missing = [f for f in held.files if not held.is_here(self._root, f)]
        try:
            if missing:
                held.complete = False
                clearing.make_way(self._root, held)
                missing = self._really_missing(held, missing)
                self._look_at_folders(held, missing)
                self._bring(held, missing)
            self._unpack(held)
            clearing.clear(self._root, held)
            held.complete = True
        finally:
            state.save(self._root, held)
        return self._result(held)

    def _remembered(self) -> State | None:
        """What the folder knows, where that answers the request without asking the Hub."""
        before, wanted = self._before, self._asked_for
        if before is not None and before.complete and not before.allow and self._allow:
            before = self._narrowed(before)
        if before is None or before.allow != self._allow:
            return None
        same = wanted is None or wanted == before.revision
        if same or (wanted == before.requested and (not before.complete or door.is_offline())):
            return before
        return None

    def _narrowed(self, whole: State) -> State:
        """A part of what is here whole."""
        files = listing.chosen(whole.files, self._allow, self._repo)
        others = [*whole.others, *(f for f in whole.files if f not in set(files))]
        return replace(whole, allow=self._allow, files=files, others=others)

    def _listed(self) -> State:
        """Ask the Hub, and let go of what is no longer of this commit."""
        before = self._before
        requested = self._asked_for or (before.revision if before is not None else MAIN)
        way = self._way(requested)
        commit = listing.commit_of(way, requested)
        files = listing.files_at(way, commit)
        of_ours = set(before.seen) if before is not None else set()
        here = [f.path for f in files if f.path in of_ours]
        made = State(self._repo, requested, commit, self._allow, listing.chosen(files, self._allow, self._repo, here))
        if before is not None:
            made.requested = before.requested if self._asked_for is None else requested
            clearing.let_go(self._root, before, made, files)
        state.save(self._root, made)
        return made

    def _way(self, revision: str) -> door.Door:
        if door.is_offline():
            raise offline(Asked(self._repo, revision))
        if self._door is None:
            self._door = door.Door(self._repo, revision, self._token, self._wait)
        return self._door

    def _wait(self, seconds: float) -> None:
        if self._pace is not None:
            self._pace.wait(seconds)
        else:
            self._tell(Step("look", pause=seconds))

    # --- fetch --------------------------------------------------------------------------------------------------
    def _really_missing(self, held: State, suspects: Sequence[RemoteFile]) -> list[RemoteFile]:
        """Files that are not here by their content; a stranger's file in the place of one is not overwritten."""
        missing = []
        for file in suspects:
            path = self._root.joinpath(*file.path.split("/"))
            if transfer.is_right(path, file, self._token):
                held.note(self._root, file)
            elif os.path.lexists(path) and file.path not in held.seen:
                raise WorldError(
                    f"{path} is not what {self._repo} has there: move it away, or choose another data folder.",
                    code="in_the_way", path=str(path),
                )  # fmt: skip
            else:
                missing.append(file)
        return missing

    def _bring(self, held: State, missing: Sequence[RemoteFile]) -> None:
        if not missing:
            return
        way = self._way(held.requested)
        parts = self._root / listing.STATE / "parts"
        self._check_disk(held, missing, parts)
        pace = self._pace = Pace("fetch", sum(f.size for f in missing), len(missing), self._progress)
        pace.start()
        wrong: list[str] = []
        trouble: Exception | None = None
        lost: WorldError | None = None
        with ThreadPoolExecutor(min(WORKERS, len(missing)), thread_name_prefix="hub") as pool:
            waiting = {
                pool.submit(transfer.Transfer(way, held.revision, f, self._root, parts, pace).run): f for f in missing
            }
            for done in as_completed(waiting):
                error = done.exception()
                if error is None:
                    held.note(self._root, waiting[done])
                    pace.file_done()
                elif isinstance(error, transfer.WrongBytes):
                    wrong.append(waiting[done].path)
                elif isinstance(error, WorldError) and error.code == NO_FILE:
                    lost = lost or error
                elif isinstance(error, Exception):
                    self._token.cancel()  # one worker's trouble stops the others; what they have is kept
                    trouble = trouble if trouble is not None and not isinstance(trouble, Cancelled) else error
        self._fetched = pace.moved
        if isinstance(trouble, OSError):
            raise of_disk(trouble, self._root) from trouble
        if end := trouble or lost:
            raise end
        if wrong:
            names = ", ".join(sorted(wrong)[:5]) + (f", … (+{len(wrong) - 5:,})" if len(wrong) > 5 else "")
            raise WorldError(
                f"The Hub twice sent other bytes than it lists for {names} of {self._repo}: the rest is here and "
                "checked; try again later.",
                code="wrong_bytes",
            )
        shutil.rmtree(parts, ignore_errors=True)

    def _check_disk(self, held: State, missing: Sequence[RemoteFile], parts: Path) -> None:
        """Room for what is to come, and for what archives hold: media hardly shrink, so as much again."""
        try:
            there = (transfer.part_of(parts, f) for f in missing)
            fetch = sum(f.size for f in missing) - sum(p.stat().st_size for p in there if p.exists())
            free = shutil.disk_usage(self._root).free
        except OSError as error:
            raise of_disk(error, self._root) from error
        digests = {f.path: f for f in held.files}
        todo = [a for a in archives.find(digests) if not self._is_open(held, a, _key(a, digests))]
        unpack = sum(digests[part].size for archive in todo for part in archive.parts)
        if free < fetch + unpack + RESERVE:
            more = f" and about {size(unpack)} to unpack" if unpack else ""
            raise WorldError(
                f"{self._repo} needs {size(fetch)} to fetch{more}, and {self._root} has {size(free)} free "
                f"({size(RESERVE)} stay free): free some space, or choose another data folder.",
                code="disk_small", path=str(self._root),
            )  # fmt: skip

    # --- unpack -------------------------------------------------------------------------------------------------
    def _unpack(self, held: State) -> None:
        digests = {f.path: f for f in held.files}
        found = archives.find(digests)
        todo = [a for a in found if not self._is_open(held, a, _key(a, digests))]
        if not todo:
            return
        held.complete = False
        pace = Pace("unpack", sum(digests[p].size for a in todo for p in a.parts), len(todo), self._progress)
        pace.start()
        for archive in todo:
            known = held.opened.get(archive.name)
            ours = known is not None or archive.folder in held.left.values()
            # Written down before: an end in the middle must not make a stranger's folder of ours.
            held.opened[archive.name] = Opened("", archive.folder)
            state.save(self._root, held)
            held.opened[archive.name] = self._opened(archive, _key(archive, digests), ours, pace)
            state.save(self._root, held)
            pace.file_done()

    def _opened(self, archive: archives.Archive, key: str, ours: bool, pace: Pace) -> Opened:
        """Unpack one archive."""
        place = partial(clearing.place, self._root, archive.name, ours)
        scratch = self._root / listing.STATE / "unpacking"
        try:
            made = archives.unpack(archive, self._root, scratch, pace=pace, token=self._token, place=place)
        except Refused as error:
            return Opened(key, "", [], error.sentence)
        return Opened(key, archive.folder, list(made.notes))

    def _is_open(self, held: State, archive: archives.Archive, key: str) -> bool:
        opened = held.opened.get(archive.name)
        if opened is None or opened.key != key:
            return False
        folder = self._root.joinpath(*opened.folder.split("/"))
        return bool(opened.refused) or folders.is_whole(self._root, folder)

    def _look_at_folders(self, held: State, missing: Sequence[RemoteFile]) -> None:
        """A folder that is not ours is not replaced; told before anything is fetched."""
        to_come = {f.path for f in missing}
        ours = {*(o.folder for o in held.opened.values()), *held.left.values()}
        for archive in archives.find(f.path for f in held.files):
            target = self._root.joinpath(*archive.folder.split("/"))
            if archive.folder not in ours and to_come.intersection(archive.parts) and os.path.lexists(target):
                raise in_the_way(target, archive.name)

    # --- the end ------------------------------------------------------------------------------------------------
    def _result(self, held: State) -> Fetched:
        opened = [held.opened[a.name] for a in archives.find(f.path for f in held.files)]
        return Fetched(
            repo_id=self._repo,
            requested=held.requested,
            revision=held.revision,
            root=self._root,
            folders=tuple(self._root.joinpath(*o.folder.split("/")) for o in opened if o.folder),
            files=len(held.files),
            size=sum(f.size for f in held.files),
            fetched=self._fetched,
            notes=tuple(note for o in opened for note in o.notes),
            refused=tuple(o.refused for o in opened if o.refused),
        )

    def _tell(self, step: Step) -> None:
        if self._progress is not None:
            self._progress(step)


def _key(archive: archives.Archive, files: dict[str, RemoteFile]) -> str:
    return "+".join(files[part].digest for part in archive.parts)
