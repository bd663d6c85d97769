"""A display buffer as a PNG file: what `annotator frame` writes and what a person saves."""

from __future__ import annotations

import os

import cv2

from annotator.errors import WorldError
from annotator.media.display import Pixels
from annotator.media.sniff import name_of


def save_png(pixels: Pixels, path: str | os.PathLike[str]) -> None:
    """Write uint8 (height, width, 4) BGRX as an opaque RGB PNG, whole or not at all; WorldError if it cannot be."""
    where = os.fspath(path)
    ok, data = cv2.imencode(".png", cv2.cvtColor(pixels, cv2.COLOR_BGRA2BGR))
    if not ok:
        raise WorldError(f"{name_of(path)} cannot be written as PNG.", path=where)
    partial = where + ".part"
    try:
        with open(partial, "wb") as handle:
            handle.write(data.tobytes())
        os.replace(partial, where)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise WorldError(f"{name_of(path)} cannot be written ({reason}): check the folder.", path=where) from error
