"""The window from a command: apart from the commands that are parsed, so that bare `annotator` imports no parser."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

from annotator.errors import WorldError


def show_window(workspace: Path | None) -> int:
    """The window, on a workspace or on the last one; returns when it is closed.

    Raises:
        WorldError: there is no display.
    """
    if not has_display():
        raise WorldError(
            "There is no display to open a window on: set DISPLAY or WAYLAND_DISPLAY, or use the other commands "
            "(annotator --help).",
            code="no_display",
        )
    gc.disable()  # importing and building make next to no garbage; the window turns it on after its first paint
    from annotator.app import main

    return main(workspace)


def has_display() -> bool:
    """Whether Qt would find a screen, or was told to do without one."""
    names = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in names)
