"""A stand-in for the Hub on this machine's loopback: the answers that a dataset's fetch needs, and faults on demand.

Run as a program it serves until it is killed. In a test it is a context manager whose server lives in a thread.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import parse_qs, unquote, urlsplit

from huggingface_hub.constants import _HF_DEFAULT_ENDPOINT

COMMIT = "1234567890abcdef1234567890abcdef12345678"
HOSTS = {"mirror": _HF_DEFAULT_ENDPOINT, "relative": "", "away": "http://127.0.0.1:9"}
PAGE = 40
"""Entries of one page of a listing; few, so that tests turn pages."""


def blob_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


@dataclass
class Repo:
    """One dataset repository and its troubles.

    `commits`: commit -> its files; `refs`: branch -> commit; `large`: paths kept by LFS; `token`: who may read.
    `gated`: the token is known but has no access. Troubles by path: `wrong` content sent so many times, `cut` after
    so many bytes so many times, `fail` (status, retry-after, times), `slow` seconds between packets.
    """

    files: Mapping[str, bytes]
    commit: str = COMMIT
    large: frozenset[str] = frozenset()
    token: str = ""
    gated: bool = False
    no_range: bool = False
    commits: dict[str, Mapping[str, bytes]] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    wrong: dict[str, int] = field(default_factory=dict)
    cut: dict[str, list[int]] = field(default_factory=dict)
    fail: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    slow: dict[str, float] = field(default_factory=dict)
    listed_path: str = ""
    links: str = ""
    """How a listing names its next page: "mirror" (by the Hub's own host), "relative", "circle" (itself), "away"."""
    twice: bool = False
    """Every file is listed twice."""
    instead: dict[str, bytes | None] = field(default_factory=dict)
    """What is sent for a file in the place of its content, whole and of its own length; None: there is none."""
    elsewhere: str = ""
    """Another host to which large files are redirected, as to a content network."""

    def __post_init__(self) -> None:
        self.commits.setdefault(self.commit, self.files)
        self.refs.setdefault("main", self.commit)


class FakeHub:
    """Serves repositories and keeps what was asked: (method, path, range, authorization)."""

    def __init__(self, repos: Mapping[str, Repo]) -> None:
        self.repos = dict(repos)
        self.asked: list[tuple[str, str, str, str]] = []
        self.down = False
        self._lock = threading.Lock()
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                _Answer(self, hub).give()

            do_HEAD = do_GET

            def log_message(self, format: str, *args: object) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.block_on_close = False
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self) -> FakeHub:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.shutdown()
        self.server.server_close()
        self._thread.join(5)

    def note(self, entry: tuple[str, str, str, str]) -> None:
        with self._lock:
            self.asked.append(entry)

    def take(self, counts: dict[str, int], path: str) -> bool:
        """Use up one of the times that a trouble has."""
        with self._lock:
            left = counts.get(path, 0)
            counts[path] = left - 1
            return left > 0

    def pop(self, troubles: dict[str, list], path: str) -> object:  # type: ignore[type-arg]
        with self._lock:
            return troubles[path].pop(0) if troubles.get(path) else None

    def files_asked(self) -> list[str]:
        return [p.split("/resolve/")[1].partition("/")[2] for _, p, _, _ in self.asked if "/resolve/" in p]


class _Answer:
    """One request."""

    def __init__(self, handler: BaseHTTPRequestHandler, hub: FakeHub) -> None:
        self.handler, self.hub = handler, hub
        split = urlsplit(handler.path)
        self.path, self.query = unquote(split.path), parse_qs(split.query)
        self.sent = handler.headers
        hub.note((handler.command, self.path, self.sent.get("Range", ""), self.sent.get("Authorization", "")))

    def give(self) -> None:
        api = re.fullmatch(r"/api/datasets/([^/]+/[^/]+)(?:/(revision|tree)/(.+))?", self.path)
        file = re.fullmatch(r"/datasets/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", self.path)
        match = api or file
        repo = self.hub.repos.get(match.group(1)) if match else None
        if match is None or repo is None:
            self.error(401 if match else 404, "RepoNotFound")
            return
        if self.barred(repo):
            return
        if api:
            self.api(repo, api.group(2) or "revision", api.group(3) or "main")
        elif file:
            self.file(repo, file.group(2), file.group(3))

    def barred(self, repo: Repo) -> bool:
        given = self.sent.get("Authorization", "").removeprefix("Bearer ")
        if given == "hf_forbidden":
            self.error(403, "")
        elif given == "hf_bad":
            self.error(401, "", "Invalid credentials in Authorization header")
        elif repo.gated:
            self.error(403 if given else 401, "GatedRepo")
        elif repo.token and given != repo.token:
            self.error(404 if given else 401, "RepoNotFound")
        else:
            return False
        return True

    def api(self, repo: Repo, what: str, revision: str) -> None:
        trouble = self.hub.pop(repo.fail, what)
        commit = repo.refs.get(revision, revision)
        if trouble is not None:
            self.fault(trouble)
        elif commit not in repo.commits:
            self.error(404, "RevisionNotFound")
        elif what == "revision":
            siblings = [{"rfilename": path} for path in repo.commits[commit]]
            self.json({"id": "x/y", "sha": commit, "siblings": siblings, "private": False, "gated": False})
        else:
            self.tree(repo, commit)

    def tree(self, repo: Repo, commit: str) -> None:
        entries = [{"type": "directory", "path": "d", "oid": "0" * 40, "size": 0}]
        for path, content in sorted(repo.commits[commit].items()):
            entry = {"type": "file", "path": path, "size": len(content), "oid": blob_id(content)}
            if path in repo.large:
                pointer = b"pointer to " + path.encode()
                entry["oid"] = blob_id(pointer)
                entry["lfs"] = {"oid": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 130}
            entries.append(entry)
        if repo.listed_path:
            entries.append({"type": "file", "path": repo.listed_path, "size": 1, "oid": blob_id(b"x")})
        at = int(self.query.get("cursor", ["0"])[0])
        more = {}
        if at + PAGE < len(entries):
            here = self.handler.path.partition("?")[0]
            address = f"{HOSTS.get(repo.links, self.hub.endpoint)}{here}?cursor={at + PAGE}"
            more = {"Link": f'<{address if repo.links != "circle" else self.handler.path}>; rel="next"'}
        self.json(entries[at : at + PAGE] * (2 if repo.twice else 1), more)

    def file(self, repo: Repo, commit: str, path: str) -> None:
        content = repo.instead.get(path, repo.commits.get(commit, {}).get(path))
        if content is None:
            self.error(404, "EntryNotFound")
            return
        trouble = self.hub.pop(repo.fail, path)
        if trouble is not None:
            self.fault(trouble)
            return
        if repo.elsewhere and path in repo.large:
            self.head(302, 0, {"Location": repo.elsewhere + self.handler.path})
            return
        if self.hub.take(repo.wrong, path):
            content = bytes(b ^ 1 for b in content)
        begin = re.fullmatch(r"bytes=(\d+)-", self.sent.get("Range", ""))
        start = int(begin.group(1)) if begin and not repo.no_range else 0
        if start and start >= len(content):
            self.head(416, 0, {"Content-Range": f"bytes */{len(content)}"})
            return
        headers = {"ETag": f'"{blob_id(content)}"', "X-Repo-Commit": commit}
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self.head(206 if start else 200, len(content) - start, headers)
        self.body(repo, path, content[start:])

    def body(self, repo: Repo, path: str, content: bytes) -> None:
        if self.handler.command == "HEAD":
            return
        cut = self.hub.pop(repo.cut, path)
        step = 1 << 12 if path in repo.slow else 1 << 20
        try:
            for at in range(0, len(content) if cut is None else int(str(cut)), step):
                self.handler.wfile.write(content[at : min(at + step, len(content) if cut is None else int(str(cut)))])
                if path in repo.slow:
                    self.handler.wfile.flush()
                    time.sleep(repo.slow[path])
        except OSError:
            self.handler.close_connection = True
        if cut is not None:
            self.handler.close_connection = True

    def fault(self, trouble: object) -> None:
        status, after = trouble  # type: ignore[misc]
        self.error(status, "", headers={"Retry-After": after} if after else {})

    def error(self, status: int, code: str, message: str = "", headers: Mapping[str, str] | None = None) -> None:
        told = {"X-Error-Code": code, "X-Error-Message": message}
        self.head(status, 0, {**{k: v for k, v in told.items() if v}, **(headers or {})})

    def json(self, value: object, headers: Mapping[str, str] | None = None) -> None:
        data = json.dumps(value).encode()
        self.head(200, len(data), {"Content-Type": "application/json", **(headers or {})})
        if self.handler.command != "HEAD":
            self.handler.wfile.write(data)

    def head(self, status: int, length: int, headers: Mapping[str, str]) -> None:
        self.handler.send_response(status)
        self.handler.send_header("Content-Length", str(length))
        for name, value in headers.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()
