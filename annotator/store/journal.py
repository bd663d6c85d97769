"""The second copy of the labels: one fsynced JSON line for each transaction, from which all can be rebuilt.

Order of the two copies. COMMIT comes first and the line second, under one lock. Were it the other way round, a crash or
a full disk between the two would leave a line for labels that were reported as *not* saved; when the person then said
something else, the rebuilt workspace would hold two rival values. This way the journal can only be behind, never ahead:
what is missing is in the database and is written before the next line, or when the workspace is opened next.

When the line cannot be written (its disk is full, its folder is gone), the labels are already durable in the database,
so that `append` reports them as saved, which is true, and `Store.journal_warning` says that the second copy is behind.
Raising instead would make the caller say it a second time.

A torn last line (power loss) is closed off by a line break and skipped by readers; its labels are in the database.

Three kinds of lines: `{"events": […]}` and `{"rows": […]}` are a transaction of labels that were made here; `["e",
digest, [fields]]` is one event that travelled, as it came.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from annotator.domain.labels import LabelEvent
from annotator.domain.wire import FIELDS
from annotator.store.codec import EVENT_COLUMNS, event_from_object, event_object, event_of
from annotator.store.faults import explain_os

FOLDER: Final = "journal"
_COLUMNS: Final = ", ".join(EVENT_COLUMNS)
_CHUNK: Final = 500
_TAIL: Final = 1 << 16


class Journal:
    """The journal of one workspace; all calls are made under the writer's lock.

    Attributes:
        warning: a sentence while the journal is behind the database, else "".
    """

    def __init__(self, workspace: Path) -> None:
        """Name the folder; nothing is read yet."""
        self.folder = workspace / FOLDER
        self.warning = ""

    def files(self) -> list[Path]:
        """The files of the journal, oldest first."""
        return sorted(self.folder.glob("labels-*.jsonl"))

    def follow(self, connection: sqlite3.Connection, events: Sequence[LabelEvent] = ()) -> None:
        """Write what was just committed; where the journal is behind, everything that it lacks."""
        if self.warning:
            self.complete(connection)
        elif events:
            with self._watched():
                self._write([events])

    def follow_rows(self, connection: sqlite3.Connection, rows: Sequence[str]) -> None:
        """The same for events that were made many at a time, each as the text of `[digest, [the other fields]]`."""
        if self.warning:
            self.complete(connection)
        elif rows:
            with self._watched():
                self._append(('{"rows":[' + ",".join(rows) + "]}\n").encode())

    def follow_lines(self, connection: sqlite3.Connection, lines: Sequence[bytes]) -> None:
        """The same for events that travelled, as the lines that they travel in.

        Such a transaction is many lines. Where only some of them reach the disk, those are whole events all the same,
        and what is missing is found and written when the workspace is opened next.
        """
        if self.warning:
            self.complete(connection)
        elif lines:
            with self._watched():
                self._append(b"".join(lines))

    def complete(self, connection: sqlite3.Connection) -> None:
        """Write everything that the journal lacks, read through and through."""
        with self._watched():
            self._catch_up(connection)

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Tell in `warning` whether what is done inside succeeds."""
        try:
            yield
        except OSError as error:
            self.warning = (
                f"Labels are saved in the database, but the second copy in {self.folder} cannot be written: "
                f"{explain_os(error, self.folder).sentence}"
            )
        else:
            self.warning = ""

    def reconcile(self, connection: sqlite3.Connection) -> list[LabelEvent]:
        """At opening: write what the journal lacks; returns readable events that the database lacks.

        Only the journal's last line is read where the two agree, which is the normal case.
        """
        last = self._last_event_id()
        found = None
        if last is not None:
            found = connection.execute("SELECT arrival FROM label_event WHERE event_id = ?", (last,)).fetchone()
        lost: list[LabelEvent] = []
        if last is not None and found is None:
            known = {row[0] for row in connection.execute("SELECT event_id FROM label_event")}
            # One id once: a line may stand twice.
            lost = list({e.event_id: e for e in self.events() if e.event_id not in known}.values())
        with self._watched():
            if found is None:
                self._catch_up(connection)
            else:
                self._write_after(connection, found[0])
        return lost

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        """Write every event of the database that no line of the journal holds."""
        held = {event.event_id for event in self.events()}
        missing: list[LabelEvent] = []
        for row in connection.execute(f"SELECT {_COLUMNS} FROM label_event ORDER BY arrival"):
            if row[0] not in held:
                missing.append(event_of(row))
        self._write([missing[i : i + _CHUNK] for i in range(0, len(missing), _CHUNK)])

    def _write_after(self, connection: sqlite3.Connection, arrival: int) -> None:
        rows = connection.execute(f"SELECT {_COLUMNS} FROM label_event WHERE arrival > ? ORDER BY arrival", (arrival,))
        missing = [event_of(row) for row in rows]
        self._write([missing[i : i + _CHUNK] for i in range(0, len(missing), _CHUNK)])

    def _write(self, transactions: Sequence[Sequence[LabelEvent]]) -> None:
        """Append a line for each transaction and wait until the disk has them."""
        if transactions:
            self._append(
                "".join(
                    json.dumps({"events": [event_object(e) for e in t]}, ensure_ascii=True) + "\n" for t in transactions
                ).encode()
            )

    def _append(self, data: bytes) -> None:
        made = not self.folder.is_dir()
        self.folder.mkdir(exist_ok=True)
        path = self._current_file()
        made_file = not path.exists()
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
        try:
            size = os.fstat(handle).st_size
            if size:
                os.lseek(handle, size - 1, os.SEEK_SET)
                if os.read(handle, 1) != b"\n":
                    data = b"\n" + data
            _write_all(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        if made_file:
            sync_folder(self.folder)
        if made:
            sync_folder(self.folder.parent)

    def _current_file(self) -> Path:
        """This month's file, or a later one that is there already: a clock set back must not split the order."""
        path = self.folder / f"labels-{datetime.now(UTC):%Y%m}.jsonl"
        newest = self.files()[-1:]
        return max([path, *newest])

    def _last_event_id(self) -> str | None:
        """The id of the last event of the last readable line; None for an empty journal."""
        for path in reversed(self.files()):
            for event_id in _last_ids(path):
                return event_id
        return None

    def sizes(self) -> dict[Path, int]:
        """How long each file is now."""
        return {path: path.stat().st_size for path in self.files()}

    def _objects(self, sizes: Mapping[Path, int] | None = None) -> Iterator[dict[str, Any] | None]:
        """Each event object of the journal (as far as `sizes`); None for a line that cannot be read."""
        for path, size in (self.sizes() if sizes is None else sizes).items():
            with path.open("rb") as lines:
                for line in lines:
                    size -= len(line)
                    if size < 0:
                        break
                    if line.strip():
                        yield from _objects_of(line)

    def events(self) -> Iterator[LabelEvent]:
        """All events of the journal that can be read and are what their digest says."""
        for event in self.lines():
            if event is not None:
                yield event

    def lines(self, sizes: Mapping[Path, int] | None = None) -> Iterator[LabelEvent | None]:
        """Each event (as far as `sizes`), or None for each line or event that is torn, altered or no event."""
        for held in self._objects(sizes):
            try:
                event = None if held is None else event_from_object(held)
            except (ValueError, TypeError):
                event = None
            yield event if event is not None and event.digest == event.compute_digest() else None


def _objects_of(line: bytes) -> list[dict[str, Any] | None]:
    try:
        held = json.loads(line)
        if isinstance(held, list):  # as it travelled
            return [_object_of_row(held[1:]) if held[:1] == ["e"] else None]
        events = held["events"] if "events" in held else [_object_of_row(row) for row in held["rows"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return [None]
    if not isinstance(events, list):
        return [None]
    return [e if isinstance(e, dict) else None for e in events]


def _object_of_row(row: Any) -> dict[str, Any] | None:
    """The event object of `[digest, [the other fields]]`; None for anything else."""
    if not (isinstance(row, list) and len(row) == 2 and isinstance(row[1], list) and len(row[1]) == len(FIELDS)):
        return None
    return {**dict(zip(FIELDS, row[1], strict=True)), "digest": row[0]}


def _last_ids(path: Path) -> Iterator[str]:
    """The ids of the last events of the lines at the end of a file, last line first, torn ones left out."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        back = _TAIL
        while True:
            start = max(0, size - back)
            file.seek(start)
            lines = file.read().split(b"\n")
            whole = lines if start == 0 else lines[1:]
            ids = [str(held["event_id"]) for line in whole if line.strip() for held in _objects_of(line)[-1:] if held]
            if ids or start == 0:
                yield from reversed(ids)
                return
            back *= 8


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder durable, where the system can."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
