"""A display buffer as a PNG file: what `annotator frame` writes and what a person saves."""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from pathlib import Path

import cv2

from annotator.errors import WorldError, cannot_write, keep_off_workspaces
from annotator.media.display import Pixels
from annotator.media.sniff import name_of


def save_png(pixels: Pixels, path: str | os.PathLike[str]) -> None:
    """Write uint8 (height, width, 4) BGRX as an opaque RGB PNG, whole or not at all; WorldError if it cannot be."""
    where = os.fspath(path)
    ok, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR))
    if not ok:
        raise WorldError(f"{name_of(path)} cannot be written as PNG.", path=where)
    write_whole(data.tobytes(), Path(path))


def write_whole(data: bytes, file: Path) -> None:
    """Write a file that appears whole or not at all, with nothing left beside it; WorldError if it cannot be."""
    keep_off_workspaces(file)
    # Its name holds nothing of the file's, which may be as long as names can be.
    partial = file.with_name(f".{uuid.uuid4().hex}.part")
    try:
        with partial.open("wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        os.replace(partial, file)
    except OSError as error:
        raise cannot_write(file, error) from error
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
