"""The command that reads letters out of models' outputs."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import Annotated, Any

import typer

from annotator.cli import say
from annotator.cli.options import Json
from annotator.errors import WorldError


class Profile(enum.StrEnum):
    """The named rules."""

    OFFICIAL = "official"
    VLMEVALKIT = "vlmevalkit"
    CAREFUL = "careful"


def extract(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.jsonl", help="Lines of {id, choices, output}.", show_default=False, readable=False
        ),
    ],
    profile: Annotated[Profile, typer.Option(help="The rule to read by.", show_default=False)],
    json: Json = False,
) -> None:
    """Read the letter of each output under a named rule."""
    found = [_one(value, line, file, profile.value) for line, value in _lines(file)]
    if json:
        say.as_json(found)
    else:
        say.table(("id", "letter"), [(row["id"], row["letter"] or "-") for row in found])


def _lines(file: Path) -> list[tuple[int, dict[str, Any]]]:
    """(physical line, record) of each line.

    Raises:
        WorldError: where the file cannot be read, or a line is no object.
    """
    from annotator.importers import text
    from annotator.importers.base import Record
    from annotator.importers.jsonstream import Reader

    held: list[tuple[int, dict[str, Any]]] = []
    for found in Reader(text.inspect(file, file.name)).records():
        if isinstance(found, Record):
            held.append((found.line or 0, found.value))
        elif found.code in ("bad_line", "not_object", "cut_off", "bad_bytes", "too_deep"):
            raise WorldError(f"{file}: line {found.line}: {found.reason}; mend it and run again.", path=str(file))
    return held


def _one(value: dict[str, Any], line: int, file: Path, profile: str) -> dict[str, Any]:
    from annotator.domain.letters import extract as letter_of

    choices = value.get("choices")
    if not (isinstance(choices, list) and all(isinstance(c, str) for c in choices)):
        raise WorldError(f'{file}: line {line}: "choices" must be a list of texts.', path=str(file))
    if "output" not in value:
        raise WorldError(f'{file}: line {line}: "output" is missing.', path=str(file))
    return {"id": value.get("id"), "letter": letter_of(profile, value["output"], choices)}
