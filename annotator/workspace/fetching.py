"""The benchmark from the Hub into a workspace: where it goes, which commit it is, and then the import."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from annotator.cancel import CancelToken
from annotator.errors import ReadOnlyWorkspace, WorldError
from annotator.hub import Fetched, Progress, Step, fetch_dataset
from annotator.hub.archives import is_archive
from annotator.hub.listing import check_repo_id, named
from annotator.hub.troubles import size

if TYPE_CHECKING:
    from annotator.domain.report import ImportReport
    from annotator.workspace.workspace import Workspace

__all__ = [
    "KNOWN",
    "Fetched",
    "Pin",
    "Step",
    "check_repo_id",
    "data_folder",
    "default_folder",
    "fetch",
    "import_fetched",
    "named",
    "pins",
    "size",
]

KNOWN: Final = (
    "RobinTeng243/RUBRIC-MME",
    "RobinTeng243/RUBRIC-MME_small",
    "yifanzhang114/MME-RealWorld",
    "yifanzhang114/MME-RealWorld-Lite",
    "yifanzhang114/MME-RealWorld-CN",
)
"""Repositories that a person is offered; any other dataset repository may be named."""
_SETTING: Final = "hub"


@dataclass(frozen=True, slots=True)
class Pin:
    """The commit of a repository that a workspace was made from.

    Attributes:
        revision: the commit; `requested`: the branch or tag it was then.
        root: where its files are.
        allow: the patterns that chose among its files.
    """

    revision: str
    requested: str
    root: Path
    allow: tuple[str, ...] = ()


def pins(workspace: Workspace) -> dict[str, Pin]:
    """What was fetched into this workspace, by repository."""
    held = workspace.store.desk.get(_SETTING, {})
    return {
        repo_id: Pin(raw["revision"], raw["requested"], Path(raw["root"]), tuple(raw["allow"]))
        for repo_id, raw in held.items()
    }


def data_folder(workspace: Workspace, repo_id: str) -> Path:
    """Where the files of a repository go unless told otherwise: where they are, else a folder in the workspace."""
    return default_folder(workspace.store.folder, pins(workspace), repo_id)


def default_folder(workspace: Path, held: Mapping[str, Pin], repo_id: str) -> Path:
    """The same for a workspace's folder and its pins."""
    pin = held.get(repo_id)
    if pin is not None and pin.root.is_dir():
        return pin.root
    return workspace / "data" / repo_id.rpartition("/")[2]


def fetch(
    workspace: Workspace,
    repo_id: str,
    *,
    data_root: Path | None = None,
    revision: str | None = None,
    allow: Sequence[str] = (),
    token: CancelToken | None = None,
    progress: Progress | None = None,
) -> Fetched:
    """Bring a repository's files here and pin the workspace to their commit; nothing is imported yet.

    Without a revision it is the commit that the workspace is pinned to, else what `main` is now.

    Raises:
        WorldError: see `hub.fetch_dataset`; also a workspace that can only be read.
        Cancelled: what came is kept, and the next call goes on.
    """
    store = workspace.store
    check_repo_id(repo_id)
    if store.read_only:
        raise ReadOnlyWorkspace(store.why or "The workspace can only be read.", code="read_only")
    pin = pins(workspace).get(repo_id)
    root = (data_root or data_folder(workspace, repo_id)).absolute()
    if store.folder.resolve().is_relative_to(root.resolve()):
        raise WorldError(
            f"{root} holds the workspace itself: choose a folder for the data alone.", code="data_root", path=str(root)
        )
    got = fetch_dataset(
        repo_id,
        root,
        revision=revision or (pin.revision if pin is not None else None),
        allow=allow,
        token=token,
        progress=progress,
    )
    told = pin.requested if pin is not None and revision is None else got.requested
    held = workspace.store.desk.get(_SETTING, {})
    made = {"revision": got.revision, "requested": told, "root": str(got.root), "allow": list(allow)}
    if held.get(repo_id) != made:
        store.desk.set(_SETTING, {**held, repo_id: made})
    return got


def media_roots(got: Fetched) -> tuple[Path, ...]:
    """Where the media of what was fetched may be: beside the records, and in each unpacked archive."""
    return (got.root, *got.folders)


def import_fetched(
    workspace: Workspace,
    got: Fetched,
    *,
    token: CancelToken | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ImportReport:
    """Import what was fetched; what has to be said about its archives stands first among the report's notes.

    Raises:
        WorldError, Cancelled: see `Workspace.import_source`.
    """
    report = workspace.import_source(got.root, media_roots=media_roots(got), token=token, progress=progress)
    # The importer passes over archives; that they were unpacked, or why not, is told below.
    report.notes[:] = [note for note in report.notes if not is_archive(note.partition(" is of no known kind")[0])]
    at = 1 if report.refused else 0  # the first note of a refused source says why
    report.notes[at:at] = [*got.refused, *got.notes]
    return report
