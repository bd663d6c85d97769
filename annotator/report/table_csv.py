"""A table as CSV that Excel opens unharmed, in China as elsewhere: a BOM, CRLF, marks before what would run."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Any, Final

from annotator.domain.cells import fits_cell, is_tame, marked
from annotator.report.table_notes import Notes
from annotator.report.table_rows import Row, tell_start, without_halves

_HOW: Final = "one apostrophe stands before it"
_SHORT: Final = 120


class CsvSink:
    """Rows of RFC 4180 in UTF-8."""

    def __init__(self, handle: IO[bytes], columns: Mapping[str, str], notes: Notes) -> None:
        """Write the head; `columns` is column -> what stands in it (`domain.cells.LABEL_COLUMNS`)."""
        self._text = io.TextIOWrapper(handle, encoding="utf-8-sig", newline="")
        self._rows = csv.writer(self._text, lineterminator="\r\n")
        self._columns = tuple(columns.items())
        self._notes = notes
        self._number = 1
        self._rows.writerow(columns)

    def write(self, row: Row) -> None:
        """Take a row."""
        self._number += 1
        self._rows.writerow([self._cell(row[name], kind, name, row) for name, kind in self._columns])

    def _cell(self, value: Any, kind: str, name: str, row: Row) -> Any:
        if isinstance(value, str):
            if len(value) <= _SHORT and is_tame(value, kind == "id"):
                return value
            place = ("", self._number, name)
            text = without_halves(value, place, row, self._notes)
            tell_start(text, kind, place, row, self._notes, _HOW)
            cell = marked(text, of_id=kind == "id")
            if not fits_cell(cell):
                self._notes.say(
                    "cell_long", place, row, "whole in this file, but a spreadsheet shows only its beginning"
                )
            return cell
        if isinstance(value, bool):
            return "true" if value else "false"
        return value

    def finish(self) -> None:
        """Hand over what is still held."""
        self._text.flush()
        self._text.detach()

    def abandon(self) -> None:
        """Let go of the file."""
        with suppress(OSError, ValueError):
            self._text.detach()
