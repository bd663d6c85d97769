"""What a repository holds at one commit, and whether that can be a benchmark."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import Any, Final
from urllib.parse import unquote

from annotator.errors import WorldError
from annotator.hub import archives
from annotator.hub.door import Door
from annotator.hub.names import Hostile, inner_parts, unfit
from annotator.hub.troubles import unreadable
from annotator.hub.values import RemoteFile

STATE: Final = ".fetch"
"""Our own folder in a data root."""
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")
_PAGE: Final = re.compile(
    r"(?:^|/)datasets/(?P<repo_id>[^/\s?#]+/[^/\s?#]+)"
    r"(?:/(?:tree|blob|resolve)/(?:(?P<commit>[0-9a-f]{40})|(?P<revision>refs/pr/\d+|[^/\s?#]+)))?"
)
_RECORDS: Final = frozenset({".json", ".jsonl", ".ndjson", ".jl"})
_SHOWN: Final = 6


def is_commit(revision: str | None) -> bool:
    """Whether a revision is a whole commit hash, which stands for the same content for ever."""
    return revision is not None and _COMMIT.fullmatch(revision) is not None


def named(text: str) -> tuple[str, str]:
    """The repository and the revision ("" for none) that a text names: OWNER/NAME, or the address of its page."""
    found = _PAGE.search(text.strip())
    if found is None:
        return text.strip().rstrip("/"), ""
    return found["repo_id"], unquote(found["commit"] or found["revision"] or "")


def check_repo_id(repo_id: str) -> None:
    """Look at the name alone.

    Raises:
        WorldError: it cannot be the name of a dataset repository.
    """
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", repo_id, re.ASCII) or ".." in repo_id:
        raise WorldError(
            f'"{repo_id}" is no name of a dataset on the Hub: give OWNER/NAME, such as RobinTeng243/RUBRIC-MME.',
            code="repo_id",
        )


def commit_of(door: Door, revision: str) -> str:
    """The commit that a branch, tag or shortened hash stands for now; one request, none for a whole hash."""
    if is_commit(revision):
        return revision
    answer, _ = door.json(door.api("revision", revision))
    commit = answer.get("sha") if isinstance(answer, dict) else None
    if not isinstance(commit, str) or not is_commit(commit):
        raise unreadable(door.asked)
    return commit


def files_at(door: Door, commit: str) -> list[RemoteFile]:
    """All files of a commit, page by page.

    Raises:
        WorldError: the Hub refuses, or lists a path that would lead out of the data root.
    """
    found: dict[str, RemoteFile] = {}
    asked: set[str] = set()
    page, following = door.json(door.api("tree", commit), {"recursive": "true", "expand": "false"})
    _take(door, page, found)
    while following:
        if following in asked:
            raise unreadable(door.asked)  # a listing that leads in a circle
        asked.add(following)
        page, following = door.json(following)
        _take(door, page, found)
    return [found[path] for path in sorted(found)]


def _take(door: Door, page: Any, found: dict[str, RemoteFile]) -> None:
    """Add a page; a file that is listed twice is one, and cannot be two."""
    for file in _files_of(door, page):
        if found.setdefault(file.path, file) != file:
            raise unreadable(door.asked)


def _files_of(door: Door, page: Any) -> list[RemoteFile]:
    if not isinstance(page, list):
        raise unreadable(door.asked)
    try:
        return [_file_of(door, entry) for entry in page if entry["type"] == "file"]
    except (KeyError, TypeError, ValueError) as error:
        raise unreadable(door.asked) from error


def _file_of(door: Door, entry: dict[str, Any]) -> RemoteFile:
    path, large = str(entry["path"]), entry.get("lfs")
    try:
        parts = inner_parts(path)
    except Hostile as error:
        raise WorldError(
            f'{door.asked.repo_id} lists "{path}", which {error}: nothing is fetched.', code="path"
        ) from error
    if not parts or "/".join(parts) != path or parts[0].casefold() == STATE:
        raise WorldError(
            f'{door.asked.repo_id} lists "{path}", which is no name for a file: nothing is fetched.', code="path"
        )
    if large is not None:
        return RemoteFile(path, int(large["size"]), _hex(large["oid"], 64), "sha256")
    return RemoteFile(path, int(entry["size"]), _hex(entry["oid"], 40), "blob")


def _hex(value: Any, length: int) -> str:
    text = str(value).lower().removeprefix("sha256:")
    if not re.fullmatch(rf"[0-9a-f]{{{length}}}", text):
        raise ValueError("no digest")
    return text


def chosen(
    files: Sequence[RemoteFile], allow: Sequence[str], repo_id: str, here: Sequence[str] = ()
) -> list[RemoteFile]:
    """The files that are wanted: all, or those that fit one of the patterns. `here`: paths that came before.

    Raises:
        WorldError: no pattern fits, nothing of what is left or here can hold a benchmark, or a name cannot be kept.
    """
    wanted = list(files)
    if allow:
        wanted = [f for f in files if any(fnmatchcase(f.path, _whole(pattern)) for pattern in allow)]
        if not wanted:
            raise WorldError(
                f"No file of {repo_id} fits {', '.join(allow)}; it has {_named(files)}: change the pattern.",
                code="no_match",
            )
    if not any(map(_is_useful, [*(f.path for f in wanted), *here])):
        useful = [f for f in files if _is_useful(f.path)]
        if useful:
            raise WorldError(
                f"Only {_named(wanted)} of {repo_id} fits {', '.join(allow)}, and that is no benchmark without "
                f"{_named(useful)}: add a pattern for them.",
                code="no_benchmark",
            )
        raise WorldError(
            f"{repo_id} holds no benchmark files (.json, .jsonl, or an archive of them); found {_named(files)}.",
            code="no_benchmark",
        )
    for file in wanted:
        if why := unfit(file.path.split("/")):
            raise WorldError(
                f'{repo_id} holds "{file.path}", and {why} here: fetch without it, by patterns for the rest.',
                code="path",
            )
    return wanted


def _is_useful(path: str) -> bool:
    """Whether a file can hold a benchmark's records."""
    return PurePosixPath(path).suffix.lower() in _RECORDS or archives.is_archive(path)


def _whole(pattern: str) -> str:
    """A folder stands for all that is in it, as everywhere on the Hub."""
    return pattern + "*" if pattern.endswith("/") else pattern


def _named(files: Sequence[RemoteFile]) -> str:
    if not files:
        return "nothing"
    names = [f.path for f in files if not f.path.startswith(".")] or [f.path for f in files]
    more = f", … (+{len(names) - _SHOWN:,})" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
