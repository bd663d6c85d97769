"""Where the data files of the program are: beside the package in a checkout, inside it when installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

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


def read_toml(text: str) -> dict[str, Any]:
    """What a TOML text says.

    The plain lines our own files are made of (a table, or a key with a text, a whole number or a list of texts) are
    read here, because importing the general parser costs a twentieth of what the first window may take. A text with
    any other line is read by the general parser as a whole.

    Raises:
        ValueError: the text is no TOML.
    """
    found: dict[str, Any] = {}
    table: dict[str, Any] | None = found
    names: set[str] = set()
    for line in text.split("\n"):
        if not line or (line[0] == "#" and line.isprintable()):
            continue
        if line[0] == "[" and line[-1] == "]" and line not in names:
            names.add(line)
            table = _table(found, line[1:-1])
        else:
            key, sign, written = line.partition(" = ")
            value = _plain_value(written)
            if table is None or value is None or not (sign and _is_bare(key)) or key in table:
                return _read_any_toml(text)
            table[key] = value
        if table is None:
            return _read_any_toml(text)
    return found


def _is_bare(name: str) -> bool:
    return name.isascii() and name.replace("_", "x").replace("-", "x").isalnum()


def _table(root: dict[str, Any], name: str) -> dict[str, Any] | None:
    """The table of a dotted name, made where it is not there; None where the name is not plain."""
    node: Any = root
    for part in name.split("."):
        node = node.setdefault(part, {}) if _is_bare(part) and isinstance(node, dict) else None
    return node if isinstance(node, dict) else None


def _plain_value(written: str) -> str | int | list[str] | None:
    """A text, a whole number or a list of texts; None for anything else."""
    inner = written[1:-1]
    if "\\" in written or not written.isprintable():
        return None
    if len(written) > 1 and written[0] == written[-1] == '"':
        return inner if '"' not in inner else None
    if written.isascii() and written.isdigit():
        return int(written) if written == "0" or written[0] != "0" else None
    if written.startswith('["') and written.endswith('"]'):
        texts = written[2:-2].split('", "')
        return texts if '"' not in "".join(texts) else None
    return None


def _read_any_toml(text: str) -> dict[str, Any]:
    import tomllib

    return tomllib.loads(text)
