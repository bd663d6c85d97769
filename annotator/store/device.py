"""Which device this workspace is on: two logs must never count under one device id.

The id is kept in the database and, beside it, in this person's state folder under the workspace, its path and the
machine. A workspace that was copied, moved or put back from a backup does not match what is remembered and gets a new
id; its labels stay, under the device that made them.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import uuid
from pathlib import Path
from typing import Any

from annotator.domain.ids import uuid7


def state_dir() -> Path:
    """The folder for what this machine remembers: `ANNOTATOR_STATE_DIR` where set, else the platform's own."""
    chosen = os.environ.get("ANNOTATOR_STATE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_state_dir("rubric-annotator", appauthor=False))


def machine_id() -> str:
    """Something that tells this machine from others that may share a home folder."""
    for name in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        try:
            text = Path(name).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            continue
        if text:
            return text
    return f"{uuid.getnode():012x}"


def _memory(workspace_id: str, folder: Path) -> Path:
    where = "\x1f".join((workspace_id, os.path.realpath(folder), machine_id()))
    name = hashlib.sha256(where.encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return state_dir() / "devices" / f"{name}.json"


def remember(workspace_id: str, folder: Path, file: Path, device: str, seq: int) -> None:
    """Keep the device id and how far it counted outside the database; a failure only costs a new id next time."""
    memory = _memory(workspace_id, folder)
    said = {"device": device, "seq": seq, "inode": file.stat().st_ino}
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        temporary = memory.with_name(f"{memory.name}.{os.getpid()}.tmp")
        temporary.write_text(json.dumps(said) + "\n", encoding="utf-8")
        os.replace(temporary, memory)
    except OSError:
        return


def recall(workspace_id: str, folder: Path) -> dict[str, Any]:
    """What was remembered, empty where nothing (readable) was."""
    try:
        said = json.loads(_memory(workspace_id, folder).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return said if isinstance(said, dict) else {}


def still_ours(workspace_id: str, folder: Path, file: Path, device: str, seq: int) -> bool:
    """Whether the database is the one that was here before, and not behind what it had counted to."""
    said = recall(workspace_id, folder)
    reached = said.get("seq")
    return (
        said.get("device") == device
        and said.get("inode") == file.stat().st_ino
        and isinstance(reached, int)
        and reached <= seq
    )


def new_device() -> str:
    """A device id that no other device has."""
    return uuid7()


def highest_seq(connection: sqlite3.Connection, device: str) -> int:
    """How far a device has counted in this database; 0 where it has no event."""
    query = "SELECT seq FROM label_event WHERE device = ? ORDER BY seq DESC LIMIT 1"
    row = connection.execute(query, (device,)).fetchone()
    return 0 if row is None else int(row[0])
