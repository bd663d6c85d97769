"""Making workspaces ready: the rater's name, and the bundled sample as a workspace."""

from __future__ import annotations

import getpass
import os
import shutil
from collections.abc import Callable
from pathlib import Path

from annotator.cancel import CancelToken
from annotator.errors import WorldError
from annotator.workspace.workspace import Workspace

Progress = Callable[[int, int], None]


def login_name() -> str:
    """Who is at this machine; `rater` where the system will not say."""
    try:
        return getpass.getuser() or "rater"
    except (OSError, KeyError, ImportError):
        return "rater"


def default_demo_folder() -> Path:
    """Where the sample workspace is made unless told otherwise."""
    chosen = os.environ.get("ANNOTATOR_DATA_DIR")
    if chosen:
        return Path(chosen) / "sample"
    import platformdirs

    return Path(platformdirs.user_data_dir("rubric-annotator", appauthor=False)) / "sample"


def ensure_demo(into: Path | None, *, token: CancelToken | None = None, progress: Progress | None = None) -> Path:
    """The sample workspace: made where it is not there yet, left alone where it is.

    The folder holds `workspace.db` and, beside it, `data/` with the sample's files. A folder that was left half made
    is removed and made again; anything else in the way is refused.

    Raises:
        WorldError: something else is in the folder, or it cannot be written; Cancelled: nothing is left behind.
    """
    folder = default_demo_folder() if into is None else into
    mark = _mark(folder)
    if (folder / "workspace.db").is_file() and not mark.exists():
        return folder
    if folder.is_dir() and any(folder.iterdir()) and not mark.exists():
        raise WorldError(f"{folder} is not empty and holds no workspace: choose another folder.", path=str(folder))
    try:
        _make(folder, mark, token, progress)
    except OSError as error:
        raise WorldError(f"The sample could not be written to {folder}: {error.strerror or error}.") from error
    return folder


def _mark(folder: Path) -> Path:
    """The file beside the folder that says "not finished"; inside, it would be in the way of a new workspace."""
    return folder.with_name(f".{folder.name}.unfinished")


def _make(folder: Path, mark: Path, token: CancelToken | None, progress: Progress | None) -> None:
    from annotator.sample import build_sample

    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()
    if folder.is_dir():
        shutil.rmtree(folder)
    try:
        with Workspace.create(folder, rater=login_name()) as workspace:
            data = folder / "data"
            build_sample(data, token=token, progress=progress)
            workspace.import_source(data, media_roots=[data], token=token)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        mark.unlink(missing_ok=True)
        raise
    mark.unlink()
