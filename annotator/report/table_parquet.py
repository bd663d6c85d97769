"""A table as parquet, with typed columns, one row group after the other."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import IO, Any, Final

from annotator.report.table_notes import Notes
from annotator.report.table_rows import Row, without_halves
from annotator.report.writing import USE_NOTE

_GROUP: Final = 1 << 16
_TIMES: Final = frozenset({"at"})


class ParquetSink:
    """Row groups of 65,536 rows; values are texts beside the column that says how to read them."""

    def __init__(self, handle: IO[bytes], columns: Mapping[str, str], notes: Notes) -> None:
        """Write the schema; `columns` is column -> what stands in it (`domain.cells.LABEL_COLUMNS`)."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        types = {"whole": pa.int64(), "flag": pa.bool_()}
        self._pa = pa
        self._schema = pa.schema(
            [(n, pa.timestamp("us", "UTC") if n in _TIMES else types.get(k, pa.string())) for n, k in columns.items()],
            metadata={"use": USE_NOTE, "content": "rubric-annotator labels"},
        )
        self._file = pq.ParquetWriter(handle, self._schema, compression="snappy")
        self._columns = tuple(columns.items())
        self._held: dict[str, list[Any]] = {name: [] for name in columns}
        self._notes = notes
        self._number = 0

    def write(self, row: Row) -> None:
        """Take a row."""
        self._number += 1
        for name, kind in self._columns:
            self._held[name].append(self._cell(row[name], kind, name, row))
        if self._number % _GROUP == 0:
            self._flush()

    def _cell(self, value: Any, kind: str, name: str, row: Row) -> Any:
        if value is None:
            return None
        place = ("", self._number, name)
        if name in _TIMES:
            return self._time(value, place, row)
        if isinstance(value, str):
            return without_halves(value, place, row, self._notes)
        if kind == "value":
            return str(value).lower() if isinstance(value, bool) else repr(value)
        return value

    def _time(self, value: str, place: tuple[str, int, str], row: Row) -> datetime | None:
        """A moment in UTC; None, which is told, where a text is no moment."""
        try:
            moment = datetime.fromisoformat(value)
            return moment.astimezone(UTC) if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        except (ValueError, OverflowError):
            self._notes.say("time_text", place, row, "the time cannot be read; the cell is empty", value)
            return None

    def _flush(self) -> None:
        arrays = [self._pa.array(self._held[f.name], f.type) for f in self._schema]
        self._file.write_table(self._pa.Table.from_arrays(arrays, schema=self._schema))
        for held in self._held.values():
            held.clear()

    def finish(self) -> None:
        """Write the last row group and the end of the file."""
        if any(self._held.values()) or self._number == 0:
            self._flush()
        self._file.close()

    def abandon(self) -> None:
        """Let go of the file."""
        with suppress(OSError, ValueError, self._pa.ArrowException):
            self._file.close()
