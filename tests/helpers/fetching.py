"""A fetch in a process of its own, as huggingface_hub reads its settings at import; it reaches this machine only."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

# Before anything else: no connection but to this machine; waits are short; counted answers go out as JSON.
GUARD = """
import socket, sys, json, os
_connect = socket.socket.connect
def connect(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1"):
        print("LEFT THE MACHINE", address, file=sys.stderr, flush=True)
        os._exit(99)
    return _connect(self, address)
socket.socket.connect = connect
_look_up = socket.getaddrinfo
def look_up(host, *more, **kw):
    if host not in ("127.0.0.1", "localhost", "::1", None):
        print("ASKED FOR", host, file=sys.stderr, flush=True)
        os._exit(99)
    return _look_up(host, *more, **kw)
socket.getaddrinfo = look_up
import annotator.hub.door as door
door.PAUSE_S = (0.01,)
"""
FETCH = (
    GUARD
    + """
from pathlib import Path
from annotator.hub import fetch_dataset
from annotator.errors import WorldError
from annotator.cancel import Cancelled, CancelToken
asked = json.loads(sys.argv[1])
token, steps, pauses = CancelToken(), [], []
def progress(step):
    pauses.append([step.phase, step.pause])
    steps.append([step.phase, step.done, step.total, step.files_done, step.files_total])
    if step.phase == "fetch" and step.done >= asked.get("stop_at", 1 << 60):
        token.cancel()
exec(asked.get("first", ""))
try:
    got = fetch_dataset(asked["repo_id"], Path(asked["root"]), revision=asked.get("revision"),
                        allow=asked.get("allow", ()), token=token, progress=progress)
    told = {"revision": got.revision, "requested": got.requested, "files": got.files, "size": got.size,
            "fetched": got.fetched, "folders": [str(f) for f in got.folders], "notes": got.notes,
            "refused": got.refused}
except WorldError as error:
    told = {"error": error.sentence, "code": error.code}
except Cancelled:
    told = {"cancelled": True}
told["steps"], told["pauses"] = steps, pauses
told["imported"] = "huggingface_hub" in sys.modules
print(json.dumps(told))
"""
)


@dataclass(frozen=True)
class Came:
    """What came of a fetch: the answer as JSON, and all that was printed."""

    told: dict[str, Any]
    printed: str


def environment(endpoint: str, home: Path, **more: str) -> dict[str, str]:
    """Settings under which a process asks the stand-in and nobody else."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "HUGGING")) and "proxy" not in k.lower()}
    return {
        **kept, "HF_ENDPOINT": endpoint, "HF_HOME": str(home / "hf"), "HOME": str(home), "NO_PROXY": "127.0.0.1",
        "PYTHONPATH": str(ROOT), **more,
    }  # fmt: skip


def python(code: str, *arguments: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], env=env, cwd=ROOT, capture_output=True, text=True, check=False,
        timeout=120,
    )  # fmt: skip


def fetch(endpoint: str, home: Path, repo_id: str, root: Path, env: dict[str, str] | None = None, **asked: Any) -> Came:
    """Fetch in a fresh process."""
    request = json.dumps({"repo_id": repo_id, "root": str(root), **asked})
    done = python(FETCH, request, env=environment(endpoint, home, **(env or {})))
    assert done.returncode == 0, done.stderr[-3000:]
    return Came(json.loads(done.stdout), done.stdout + done.stderr)
