"""Rows of a table of labels as label lines: what an export changed for the cells of its format, changed back."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import PurePath
from typing import Any, Final

from annotator.domain.cells import CUT, LABEL_COLUMNS, unescaped, unmarked
from annotator.domain.labels import LabelError, check_value
from annotator.importers.tables import TABLE_SUFFIXES, cell_text

_NAMES: Final = {"dialogue_id": "source_id"}
_WHOLE: Final = re.compile(r"-?\d+(?:\.0+)?", re.ASCII)
_EMPTY_IS_NONE: Final = frozenset({"item", "source_id", "responder", "rater", "phase", "at", "rubric", "lang"})
# Said by other columns, or for reading alone.
_DERIVED: Final = frozenset({"kind", "level", "index", "score", "value_type", "stale"})


class CellError(ValueError):
    """A cell that does not hold what its column is for: (column, reason)."""


def is_label_table(names: Any) -> bool:
    """Whether a table with these columns is one of labels."""
    has = set(names)
    return {"target", "field", "value"} <= has and bool(has & {"item", "source_id", "dialogue_id"})


def is_table(file: str) -> bool:
    """Whether labels in this file are rows of a table."""
    return PurePath(file).suffix.lower() in TABLE_SUFFIXES


def line_of(cells: dict[str, Any], file: str) -> dict[str, Any]:
    """The label line of a row; columns that are not known are kept, empty ones left out.

    Raises:
        CellError: a cell that is cut, or is no whole number, or no JSON, where it should be.
    """
    suffix = PurePath(file).suffix.lower()
    line: dict[str, Any] = {}
    for column, cell in cells.items():
        name = _NAMES.get(column, column)
        if column in _DERIVED or column == "value":
            continue
        value = _whole(column, cell) if LABEL_COLUMNS.get(column) == "whole" else _text(column, cell, suffix)
        if value is None or (value == "" and name in _EMPTY_IS_NONE):
            continue
        line[name] = value
    line["value"] = _value(cells, line, suffix)
    return line


def _text(column: str, cell: Any, suffix: str) -> str | None:
    """A text cell as it was said; a cell that came as a number is its text."""
    if isinstance(cell, datetime):
        moment = cell.astimezone(UTC) if cell.tzinfo is not None else cell.replace(tzinfo=UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    if cell is None:
        return None
    text, _ = cell_text(cell)
    if suffix == ".xlsx":
        return unescaped(text)
    return text if suffix == ".parquet" else unmarked(text, of_id=LABEL_COLUMNS.get(column) == "id")


def _whole(column: str, cell: Any) -> int | None:
    if cell is None or cell == "":
        return None
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    text = str(cell).strip()
    if isinstance(cell, bool) or not _WHOLE.fullmatch(text):
        raise CellError(column, f'"{text[:40]}" in column {column} is no whole number')
    return int(text.partition(".")[0])


def _value(cells: dict[str, Any], line: dict[str, Any], suffix: str) -> Any:
    """What was said, by `value_type`; without one, what the field takes."""
    cell, told = cells.get("value"), cells.get("value_type")
    if told == CUT:
        raise CellError("value", "the cell holds only the beginning of the text: import a JSON Lines or CSV export")
    if told == "text":
        return _text("value", cell, suffix) or ""
    if isinstance(cell, bool | int | float) and told in (None, "", "number", "flag"):
        return int(cell) if isinstance(cell, float) and cell.is_integer() else cell
    text = _text("value", cell, suffix) or ""
    if told in ("number", "flag", "json"):
        return _json(text)
    try:
        check_value(str(line.get("target")), str(line.get("field")), text)
    except LabelError:
        try:
            return _json(text)
        except CellError:
            return text  # refused with the reason that the field gives
    return text


def _json(text: str) -> Any:
    try:
        return json.loads(text.lower() if text.upper() in ("TRUE", "FALSE") else text, parse_constant=_no_number)
    except ValueError as error:
        raise CellError("value", f'"{text[:40]}" in column value is not what value_type says') from error


def _no_number(name: str) -> float:
    raise ValueError(name)
