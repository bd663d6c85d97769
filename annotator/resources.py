"""Where the data files of the program are: beside the package in a checkout, inside it when installed."""

from __future__ import annotations

from pathlib import Path

from annotator.errors import WorldError

_PACKAGE = Path(__file__).resolve().parent


def root() -> Path:
    """The folder of the program's own data files."""
    inside = _PACKAGE / "_resources"
    return inside if inside.is_dir() else _PACKAGE.parent / "resources"


def path(name: str) -> Path:
    """The file or folder `name` (with forward slashes) among the program's data files.

    Raises:
        WorldError: when it is not there, which means a damaged installation.
    """
    found = root() / name
    if not found.exists():
        raise WorldError(
            f"The program's own file {found} is missing: install Rubric Annotator again.",
            code="installation",
            path=str(found),
        )
    return found
