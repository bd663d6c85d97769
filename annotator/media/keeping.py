"""What is kept on disk of a file, found again by the file's name: to remove it at once when the file must leave.

Nothing but the standard library: a takedown is met where no picture is decoded.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

KINDS = ("previews", "tiles")


def mark_of(path: str) -> str:
    """How the name of a kept file begins, by the name of what it was made from, wherever that lies."""
    name = os.path.basename(path.replace("\\", "/").rstrip("/"))
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16] + "-"


def forget(folder: Path, names: Iterable[str]) -> int:
    """Remove what is kept in a cache folder of files of these names (or paths); how many were removed.

    Another file of the same name loses its copies too, which costs one decoding.
    """
    marks = tuple({mark_of(name) for name in names})
    gone = 0
    for kind in KINDS if marks else ():
        with contextlib.suppress(OSError):
            for entry in list(os.scandir(folder / kind)):
                if entry.name.startswith(marks):
                    with contextlib.suppress(OSError):
                        os.unlink(entry.path)
                        gone += 1
    return gone
