"""Labels as a table file: CSV, XLSX or parquet, with its metadata and its list of what did not fit beside it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from annotator.cancel import CancelToken, check
from annotator.domain.cells import LABEL_COLUMNS
from annotator.report.lines import Line
from annotator.report.table_csv import CsvSink
from annotator.report.table_notes import Notes
from annotator.report.table_parquet import ParquetSink
from annotator.report.table_rows import Row, SinkMaker, row_of
from annotator.report.table_xlsx import XlsxSink
from annotator.report.writing import Meta, meta_file, whole_file, write_meta

FORMATS: Final[dict[str, SinkMaker]] = {"csv": CsvSink, "xlsx": XlsxSink, "parquet": ParquetSink}
_CHECK_EVERY: Final = 500
_CHUNK: Final = 1 << 20
_MARKS: Final = {
    "csv": (
        "UTF-8 with a BOM, CRLF. One apostrophe stands before a text that begins with = + - @ (also full-width), a tab "
        "or a line break, before ids that a spreadsheet would change, and before such a text's own apostrophes: take "
        "exactly one away on reading."
    ),
    "xlsx": (
        "Every text is a text cell and is not marked. Characters that XML cannot hold are written as _xHHHH_, and a "
        "low line before what only looks like that as _x005F_. A text longer than 32,767 UTF-16 units is cut, which "
        "value_type says; the manifest has all of it."
    ),
    "parquet": "Texts are as they were said; a value is a text, and value_type says how to read it.",
}


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: rows, the counts of what did not fit, and the list of it (None where all did)."""

    rows: int
    told: list[dict[str, Any]]
    file: Path | None


def write_table(
    file: Path,
    labels: Iterable[tuple[Line, str]],
    format_name: str,
    token: CancelToken | None = None,
    meta: Meta | None = None,
) -> Written:
    """Write labels (line, what the item is) as one long table, a row for each; all files appear, or none does.

    Raises:
        WorldError: when it cannot be written; Cancelled: nothing was.
    """
    rows = (row_of(line, kind) for line, kind in labels)
    return write_rows(file, rows, LABEL_COLUMNS, format_name, token, meta)


def write_rows(
    file: Path,
    rows: Iterable[Row],
    columns: Mapping[str, str],
    format_name: str,
    token: CancelToken | None = None,
    meta: Meta | None = None,
) -> Written:
    """Write rows as a table; `columns` is column -> what stands in it, as in `LABEL_COLUMNS`.

    Raises:
        WorldError: when it cannot be written; Cancelled: nothing was.
    """
    count = 0
    with whole_file(file) as handle, closing(Notes(file.parent)) as notes:
        sink = FORMATS[format_name](handle, columns, notes)
        try:
            for row in rows:
                if count % _CHECK_EVERY == 0:
                    check(token)
                sink.write(row)
                count += 1
            sink.finish()
        except BaseException:
            sink.abandon()
            raise
        handle.flush()
        os.fsync(handle.fileno())
        listed = notes.publish(file)
        if meta is not None:
            told = {
                "columns": list(columns), "rules": _MARKS[format_name], "manifest": notes.told(),
                "manifest_file": listed.name if listed is not None else None,
            }  # fmt: skip
            write_meta(meta_file(file), {**meta(count, _digest(handle)), **told})
    return Written(count, notes.told(), listed)


def _digest(handle: IO[bytes]) -> str:
    """The SHA-256 of what was written so far."""
    with Path(handle.name).open("rb") as written:
        return hashlib.file_digest(written, "sha256").hexdigest()
