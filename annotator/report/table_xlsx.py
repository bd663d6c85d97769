"""A table as XLSX, written as a stream: any number of rows in little memory, every text a text cell.

Written part by part after ECMA-376 (SpreadsheetML), because a workbook in memory takes gigabytes for a million labels,
and a library that streams takes ten times as long.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import IO, Any, Final

from annotator.domain import cells
from annotator.report import xlsx_parts as parts
from annotator.report.table_notes import Notes
from annotator.report.table_rows import Row, tell_start, without_halves

MAX_ROWS: Final = 1_048_576  # of a sheet, the head among them
_MAX_BYTES: Final = 1_500_000_000  # of a sheet's XML: readers of ZIP without 64 bits end at 2 GiB
_PORTION: Final = 512
_LEVEL: Final = 3
_HOW: Final = "it is a text cell, marked as text, and does not run"
_SHORT: Final = 120


class XlsxSink:
    """Sheets of at most 1,048,576 rows, each with the head on top, frozen, and a filter."""

    def __init__(
        self, handle: IO[bytes], columns: Mapping[str, str], notes: Notes, *, max_rows: int = MAX_ROWS
    ) -> None:
        """Begin the first sheet; `columns` is column -> what stands in it (`domain.cells.LABEL_COLUMNS`)."""
        self._zip = zipfile.ZipFile(handle, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL)
        self._columns = [(parts.letters(i), name, kind) for i, (name, kind) in enumerate(columns.items())]
        self._notes = notes
        self._max_rows = max_rows
        self._sheets: list[str] = []
        self._begin()

    def _begin(self) -> None:
        name = parts.sheet_name(len(self._sheets))
        self._sheets.append(name)
        self._sheet = self._zip.open(parts.entry(f"xl/worksheets/sheet{len(self._sheets)}.xml"), "w")
        self._bytes, self._row = 0, 1
        head = "".join(parts.text_cell(f"{x}1", parts.xml(name), parts.HEAD) for x, name, _ in self._columns)
        texts = [kind not in ("whole", "flag") for _, _, kind in self._columns]
        self._held = [parts.sheet_start(texts), f'<row r="1">{head}</row>']

    def write(self, row: Row) -> None:
        """Take a row."""
        if self._row >= self._max_rows or self._bytes > _MAX_BYTES:
            self._end()
            self._begin()
        self._row += 1
        number = self._row
        made = "".join([self._cell(row, number, x, name, kind) for x, name, kind in self._columns])
        self._held.append(f'<row r="{number}">{made}</row>')
        if len(self._held) >= _PORTION:
            self._flush()

    def _cell(self, row: Row, number: int, letters: str, name: str, kind: str) -> str:
        value = row[name]
        if value is None:
            return ""
        if isinstance(value, bool):
            return f'<c r="{letters}{number}" t="b"><v>{int(value)}</v></c>'
        if isinstance(value, int | float):
            return f'<c r="{letters}{number}"><v>{value!r}</v></c>'
        if name == "value_type" and self._is_cut(row["value"]):
            value = cells.CUT
        if len(value) <= _SHORT and cells.is_tame(value):
            return f'<c r="{letters}{number}" {_short(value, parts.TEXT)}'
        return f'<c r="{letters}{number}" {self._text(value, kind, (self._sheets[-1], number, name), row)}'

    @staticmethod
    def _is_cut(value: Any) -> bool:
        long = isinstance(value, str) and len(value) * 7 > cells.CELL_UNITS  # an escape is seven signs for one
        return long and not cells.fits_cell(cells.escaped(cells.whole(value)))

    def _text(self, value: str, kind: str, place: tuple[str, int, str], row: Row) -> str:
        """A text that somebody typed, made to fit; what that changes is told."""
        text = without_halves(value, place, row, self._notes)
        style = parts.TEXT
        if cells.starts_formula(text):
            tell_start(text, kind, place, row, self._notes, _HOW)
            style = parts.MARKED
        if cells.has_control(text):
            self._notes.say("control_chars", place, row, "characters that XML cannot hold are written as _xHHHH_", text)
        if cells.looks_escaped(text):
            self._notes.say("cell_escape", place, row, "what looks like an escaped character begins with _x005F_")
        told = cells.escaped(text)
        if not cells.fits_cell(told):
            note = parts.cut_note(len(text))
            told = cells.cut_to_cell(text, note)
            self._notes.say("cell_cut", place, row, "longer than a cell can be; here is the whole text", value)
        return parts.text_body(parts.xml(told), style)

    def _flush(self) -> None:
        data = "".join(self._held).encode("utf-8")
        self._held.clear()
        self._bytes += len(data)
        self._sheet.write(data)

    def _end(self) -> None:
        self._held.append(parts.sheet_end(self._columns[-1][0], self._row))
        self._flush()
        self._sheet.close()

    def finish(self) -> None:
        """Write what the sheets are, and the end of the file."""
        self._end()
        for name, text in parts.book(self._sheets).items():
            self._zip.writestr(parts.entry(name), text.encode("utf-8"))
        self._zip.close()

    def abandon(self) -> None:
        """Let go of the file."""
        with suppress(OSError, ValueError):
            self._sheet.close()
        with suppress(OSError, ValueError):
            self._zip.close()


@lru_cache(maxsize=1 << 15)
def _short(text: str, style: int) -> str:
    """The rest of a cell with a text that comes again and again."""
    return parts.text_body(parts.xml(cells.escaped(cells.whole(text))), style)
