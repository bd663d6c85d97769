"""Tables as records: TSV and CSV with pictures in their cells, spreadsheets, parquet; one row at a time.

A cell is never guessed at: `None`, `NA` and `null` are texts, numbers of a spreadsheet stay numbers until their reader
says that they were to be texts. What a spreadsheet holds as a formula is its text.
"""

from __future__ import annotations

import csv
import hashlib
import itertools
import re
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from annotator.cancel import CancelToken, check
from annotator.domain.report import ReportLine
from annotator.errors import Refused
from annotator.importers import oddities, text
from annotator.importers.base import Record

BINARY_SUFFIXES: Final = frozenset({".xlsx", ".parquet"})
TABLE_SUFFIXES: Final = frozenset({".tsv", ".csv", *BINARY_SUFFIXES})
_HEAD: Final = 1 << 20
_CELL: Final = 2**31 - 1
_BATCH_ROWS: Final = 64  # a row may hold a picture of many megabytes
_PICTURES: Final = ("image", "bytes")  # cells that are no texts to be looked at
Found = Record | ReportLine


def inspect(path: Path, name: str, token: CancelToken | None = None, meter: text.Meter | None = None) -> text.TextFile:
    """Like `text.inspect`, but files that are no text are only hashed.

    Raises:
        Refused: when it holds nothing; WorldError: when it cannot be read.
    """
    if path.suffix.lower() not in BINARY_SUFFIXES:
        return text.inspect(path, name, token, meter)
    digest, size = hashlib.sha256(), 0
    for chunk in text.raw_chunks(path, token, meter):
        digest.update(chunk)
        size += len(chunk)
    if size == 0:
        raise Refused(f'The file "{path}" is empty: export it again.', code="empty", path=str(path))
    return text.TextFile(path, name, size, digest.hexdigest(), "binary", 0)


def columns(file: text.TextFile) -> list[str]:
    """The names of a table's columns; [] where it has none that can be read."""
    suffix = file.path.suffix.lower()
    try:
        if suffix == ".parquet":
            return [str(name) for name in _parquet(file).schema_arrow.names]
        if suffix == ".xlsx":
            return [str(cell) for cell in next(_sheet(file), ()) if cell is not None]
    except Refused:
        return []
    lines = text.head(file, _HEAD).removeprefix(text.BOM).splitlines()
    try:
        return next(csv.reader(lines[:1], delimiter=_delimiter(file)), [])
    except csv.Error:
        return []


def records(file: text.TextFile, token: CancelToken | None = None, meter: text.Meter | None = None) -> Iterator[Found]:
    """The rows as records (column name to cell), with lines about what was wrong in between.

    Raises:
        Refused: when the table as a whole cannot be read.
    """
    suffix = file.path.suffix.lower()
    rows = _parquet_rows if suffix == ".parquet" else _sheet_rows if suffix == ".xlsx" else _text_rows
    for found in rows(file, token, meter):
        if isinstance(found, Record):
            yield from _oddities(found, file.name)
        yield found


def _oddities(record: Record, name: str) -> Iterator[ReportLine]:
    """Texts that are kept as they are but deserve a look."""
    for field, cell in record.value.items():
        if not isinstance(cell, str) or field in _PICTURES:
            continue
        for code, reason in oddities.odd(cell):
            yield ReportLine(code=code, file=name, line=record.line, record=record.record, field=field, reason=reason)


# ------------------------------------------------------------------------------------------------------------- text
def _text_rows(file: text.TextFile, token: CancelToken | None, meter: text.Meter | None) -> Iterator[Found]:
    if file.bad_offset is not None:
        line = ReportLine(code="bad_bytes", file=file.name, offset=file.bad_offset, reason="no accepted encoding")
        yield line
        why = f'"{file.path}" holds bytes that are no text (first at byte {file.bad_offset}): export it as UTF-8.'
        raise Refused(why, code="bad_bytes", path=str(file.path))
    if file.encoding != "utf-8":
        yield ReportLine(code="encoding", file=file.name, reason=f"read as {file.encoding}, not utf-8")
    rows = csv.reader(_lines(file, token, meter), delimiter=_delimiter(file))
    before = csv.field_size_limit(_CELL)  # one for the whole process: pictures stand in these cells
    try:
        names = next(rows, [])
        for number in itertools.count():
            start = rows.line_num + 1
            row = next(rows, None)
            if row is None:
                return
            if len(row) != len(names):
                reason = f"the row has {len(row)} cells where the head has {len(names)}; left out"
                yield ReportLine(code="bad_line", file=file.name, line=start, record=number, reason=reason)
                continue
            yield Record(dict(zip(names, row, strict=True)), number, start)
    except csv.Error as error:
        why = f'The table "{file.path}" cannot be read at line {rows.line_num} ({error}): export it again.'
        raise Refused(why, code="bad_line", path=str(file.path)) from error
    finally:
        csv.field_size_limit(before)


def _delimiter(file: text.TextFile) -> str:
    return "\t" if file.path.suffix.lower() == ".tsv" else ","


def _lines(file: text.TextFile, token: CancelToken | None, meter: text.Meter | None) -> Iterator[str]:
    """Lines with their breaks as they are, since a cell may hold one."""
    held: list[str] = []
    for piece in text.chunks(file, token, meter):
        check(token)
        if "\n" not in piece:
            held.append(piece)
            continue
        lines = piece.split("\n")
        yield "".join([*held, lines[0], "\n"])
        for line in lines[1:-1]:
            yield line + "\n"
        held = [lines[-1]] if lines[-1] else []
    if held:
        yield "".join(held)


# ------------------------------------------------------------------------------------------------------ spreadsheets
def _sheet(file: text.TextFile) -> Iterator[tuple[Any, ...]]:
    """The rows of the first sheet, as values, and of those that go on with it ("a", "a 2"); formulas as text."""
    import openpyxl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and extensions that are not read here
        try:
            book = openpyxl.load_workbook(file.path, read_only=True, data_only=False, keep_links=False)
        except (ValueError, KeyError, OSError, zipfile.BadZipFile, SyntaxError) as error:
            why = f'"{file.path}" is no spreadsheet that can be read ({type(error).__name__}): export it again.'
            raise Refused(why, code="bad_json", path=str(file.path)) from error
        try:
            for place, sheet in enumerate(book.worksheets, start=1):
                if place > 1 and sheet.title != f"{book.worksheets[0].title} {place}":
                    break  # another table
                sheet.reset_dimensions()
                rows = sheet.iter_rows(values_only=True)
                yield from itertools.islice(rows, int(place > 1), None)
        except (ValueError, KeyError, zipfile.BadZipFile, SyntaxError, EOFError) as error:
            why = f'"{file.path}" is damaged ({type(error).__name__}): export it again.'
            raise Refused(why, code="bad_json", path=str(file.path)) from error
        finally:
            book.close()


def _sheet_rows(file: text.TextFile, token: CancelToken | None, meter: text.Meter | None) -> Iterator[Found]:
    rows = _sheet(file)
    names = [str(name) if name is not None else "" for name in next(rows, ())]
    number = 0
    for line, row in enumerate(rows, start=2):
        check(token)
        if all(cell is None for cell in row):
            continue
        cells = (*row, *[None] * (len(names) - len(row)))
        yield Record({n: c for n, c in zip(names, cells, strict=False) if n}, number, line)
        number += 1
    if meter is not None:
        meter.advance(file.size)


# ----------------------------------------------------------------------------------------------------------- parquet
def _parquet(file: text.TextFile) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(file.path, pre_buffer=False, buffer_size=1 << 20)
    except (pa.ArrowInvalid, OSError) as error:
        why = f'"{file.path}" is no parquet file that can be read: download or export it again.'
        raise Refused(why, code="bad_json", path=str(file.path)) from error


def _parquet_rows(file: text.TextFile, token: CancelToken | None, meter: text.Meter | None) -> Iterator[Found]:
    import pyarrow as pa

    opened = _parquet(file)
    number = 0
    try:
        for group in range(opened.num_row_groups):
            for batch in opened.iter_batches(batch_size=_BATCH_ROWS, row_groups=[group], use_threads=False):
                check(token)
                names, held = batch.schema.names, batch.columns
                for place in range(batch.num_rows):
                    yield Record({n: c[place].as_py() for n, c in zip(names, held, strict=True)}, number, None)
                    number += 1
            if meter is not None:
                meter.advance(file.size // max(1, opened.num_row_groups))
    except (pa.ArrowInvalid, OSError) as error:
        why = f'"{file.path}" is damaged at row {number}: download or export it again.'
        raise Refused(why, code="bad_json", path=str(file.path)) from error
    finally:
        opened.close()


def cell_text(value: Any) -> tuple[str, bool]:
    """(a cell as the text it was to be, whether it came as a number or a boolean)."""
    if isinstance(value, str):
        return value, False
    if value is None:
        return "", False
    if isinstance(value, bool):
        return str(value).upper(), True
    written = getattr(value, "text", None)
    if isinstance(written, str):
        return written, True
    if isinstance(value, float):
        return (str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)), True
    return str(value), True


_INDEX: Final = re.compile(r"-?\d+(?:\.0+)?", re.ASCII)


def index_text(value: Any) -> str | None:
    """An integer index as text, whether it came as a number or as its digits; None where there is none."""
    if value is None or isinstance(value, bool):
        return None
    held = cell_text(value)[0].strip()
    if _INDEX.fullmatch(held):
        return str(int(held.split(".")[0]))
    return held or None
