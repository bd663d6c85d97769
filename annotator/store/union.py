"""Taking in many events that travelled, and handing out those that are to travel: set union by event id.

What `Labels.merge` does for single events is done here for thousands at a time: texts go from the wire into the rows
and into the journal without becoming objects, and only what is out of the ordinary is looked at one by one. The result
is the same, and a test holds the two against each other.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from annotator.domain.wire import (
    Ranges,
    Wire,
    event_of,
    joined,
    line_of,
    lines_in,
    proved,
    simple_fields,
    wire_in,
    wire_of,
    xor_of_joined,
)
from annotator.store import device as devices
from annotator.store import folding, union_fold
from annotator.store.codec import EVENT_COLUMNS, event_row
from annotator.store.database import Database
from annotator.store.desk import get_meta, set_meta
from annotator.store.inserting import CACHE, MANY, insert_all, insert_block
from annotator.store.journal import Journal
from annotator.store.judged import Judged
from annotator.store.labels import Labels
from annotator.store.log_rows import LogRows
from annotator.store.quarantine import keep_aside, keep_text, why_not
from annotator.store.union_rows import Row, arrival_of, digests_of, is_known, rows_of, wire_of_row
from annotator.store.values import CurrentLabel, Quarantined
from annotator.store.visible import NOBODY, SEEN

if TYPE_CHECKING:
    from annotator.store.blocks import Block

BATCH: Final = 5000
_BREATH_S: Final = 0.001
_LINE_BYTES: Final = 300  # what the line of an event takes, about
_COLUMNS: Final = ", ".join(EVENT_COLUMNS)
_ID, _SEQ = 0, 2
_OF_DEVICE: Final = "device = (SELECT device FROM label_device WHERE name = ?)"


@dataclass(slots=True)
class Taken:
    """What became of events that were taken in.

    Attributes:
        inserted, duplicates: how many were new, and known with equal content.
        quarantined: those kept aside, each with a reason.
        by: (rater, device) to how many of the new ones.
        rows: (rater, item id, responder or "") whose labels changed.
    """

    inserted: int = 0
    duplicates: int = 0
    quarantined: list[Quarantined] = field(default_factory=list)
    by: Counter[tuple[str, str]] = field(default_factory=Counter)
    rows: set[tuple[str, str, str]] = field(default_factory=set)


class Union:
    """The log of one workspace as a set that is united with others."""

    def __init__(self, database: Database, journal: Journal, judged: Judged, labels: Labels) -> None:
        """Work on `database`; `labels` makes this device's own events."""
        self._db = database
        self._journal = journal
        self._judged = judged
        self._labels = labels

    # ---------------------------------------------------------------------------------------------------- taking in
    def take(self, lines: Sequence[str] | bytes, taken: Taken, facts: Mapping[str, Any] | None = None) -> None:
        """Take in lines of events, at most `BATCH`, and `facts` about them: one transaction, none without the others.

        Bytes are the UTF-8 of whole lines, each ended by a line break. Counts into `taken`. Nothing is overwritten and
        nothing dropped in silence: an event that is altered, unfit, known with another content, or whose place in its
        device's log is held, is kept whole in quarantine.

        Raises:
            WorldError: when it could not be saved; then nothing of it was.
        """
        block = _block_of(lines)
        rows, plain, odd = ([], [], []) if block is not None else rows_of(_lines_of(lines))
        new: list[Row] = []
        told: list[str] = []  # the lines of `new`
        journal: list[bytes] = []  # the same of a block

        def follow(connection: sqlite3.Connection) -> None:
            self._journal.follow_lines(connection, [*journal, *(line.encode() + b"\n" for line in told)])

        with self._db.write(committed=follow) as connection:
            if _are_many(lines):
                connection.execute(CACHE)
            before = arrival_of(connection)
            whole: Block | None = None
            if block is not None and self._insert_block(connection, block):
                whole, odds = block, block.odd
                journal.append(block.journal)
            elif block is None and self._insert(connection, rows):
                new, told, odds = rows, plain, odd
            else:
                odds = [*plain, *odd] if block is None else _lines_of(lines)
            for row, line in self._one_by_one(connection, odds, taken):
                new.append(row)
                told.append(line)
            if whole is not None and new:
                new[:0] = whole.rows()
                whole = None
            fresh = union_fold.fold_new(connection, self._judged, new if whole is None else whole, before)
            for name, value in (facts or {}).items():
                set_meta(connection, name, value)
        taken.inserted += sum(fresh.by.values())
        taken.by.update(fresh.by)
        taken.rows |= fresh.rows
        time.sleep(_BREATH_S)  # the lock is taken many times in a row: let a click that waits for it have it

    def _insert(self, connection: sqlite3.Connection, rows: list[Row]) -> bool:
        """Insert all rows, or none where one of them is known or rivals another."""
        if rows and is_known(connection, rows[0][_ID]):
            return False
        return insert_all(connection, rows)

    def _insert_block(self, connection: sqlite3.Connection, block: Block) -> bool:
        """The same for a block."""
        return not is_known(connection, block.first_id) and insert_block(connection, block)

    def _one_by_one(self, connection: sqlite3.Connection, lines: Sequence[str], taken: Taken) -> list[tuple[Row, str]]:
        """Look at each: known, kept aside, or inserted; returns those that were."""
        ids = [(simple_fields(line) or ("", "", ""))[2] for line in lines]
        held = digests_of(connection, ids)
        new: list[tuple[Row, str]] = []
        log = LogRows(connection)
        for line, event_id in zip(lines, ids, strict=True):
            wire = wire_in(line)
            if held.get(event_id) == wire.digest and proved(wire):
                taken.duplicates += 1
                continue
            try:
                event = event_of(wire)
                reason = why_not(connection, event)
            except (ValueError, TypeError, RecursionError) as error:
                keep_text(connection, line, f"it is no label event: {error}")
                taken.quarantined.append(Quarantined("", f"it is no label event: {error}"))
                continue
            if reason is None:
                taken.duplicates += 1
            elif reason:
                keep_aside(connection, event, reason)
                taken.quarantined.append(Quarantined(str(event.event_id), reason))
            else:
                row = event_row(event)
                log.put(row)
                new.append((row, line_of(wire_of(event))))
        return new

    # --------------------------------------------------------------------------------------------------- handing out
    def wires(self, device: str, ranges: Ranges) -> Iterator[tuple[int, Wire]]:
        """(place, event) of a device in some places of its log, in order; one altered in the file is left out."""
        query = (
            f"SELECT {_COLUMNS} FROM label_event WHERE device = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT {BATCH}"
        )
        for first, last in ranges:
            reached = first
            while reached <= last:
                rows = self._db.all(query, (device, reached, last))
                if not rows:
                    break
                for row in rows:
                    wire = wire_of_row(row)
                    if wire is not None:
                        yield row[_SEQ], wire
                reached = rows[-1][_SEQ] + 1

    def arrival(self) -> int:
        """A number that grows with every event that comes, made here or taken in."""
        return arrival_of(self._db.reader())

    def devices(self, after: int = 0) -> list[str]:
        """The devices of which an event came behind that arrival."""
        if after == 0:
            return [row[0] for row in self._db.all("SELECT name FROM label_device ORDER BY name")]
        rows = self._db.all("SELECT DISTINCT device FROM label_event WHERE arrival > ?", (after,))
        return sorted(row[0] for row in rows)

    def ranges(self, device: str) -> Ranges:
        """The places in a device's log of which the event is here."""
        first, last, count = self._db.all(
            f"SELECT min(seq), max(seq), count(*) FROM label_log WHERE {_OF_DEVICE}", (device,)
        )[0]
        if not count:
            return ()
        if count == last - first + 1:
            return ((first, last),)
        islands = self._db.all(
            "SELECT min(seq), max(seq) FROM (SELECT seq, seq - row_number() OVER (ORDER BY seq) AS island "
            f"FROM label_log WHERE {_OF_DEVICE}) GROUP BY island",
            (device,),
        )
        return joined((a, b) for a, b in islands)

    def reached(self, device: str) -> int:
        """How far a device has counted here."""
        return devices.highest_seq(self._db.reader(), device)

    def totals(self, device: str, ranges: Ranges) -> tuple[int, str]:
        """(how many, exclusive or of the digests) of a device's events in some places, read from the rows."""
        count, held = 0, []
        for first, last in ranges:
            found, digests = self._db.all(
                f"SELECT count(*), CAST(group_concat(digest, '') AS BLOB) FROM label_log WHERE {_OF_DEVICE} "
                "AND seq BETWEEN ? AND ?",
                (device, first, last),
            )[0]
            count += found
            held.append(digests or b"")
        return count, xor_of_joined(b"".join(held))

    def items_of(self, device: str, ranges: Ranges) -> set[str]:
        """The items that a device's events of some places are about."""
        found: set[str] = set()
        for first, last in ranges:
            rows = self._db.all(
                "SELECT DISTINCT item_id FROM label_event WHERE device = ? AND seq BETWEEN ? AND ?",
                (device, first, last),
            )
            found.update(row[0] for row in rows)
        return found

    def events_about(self, item_ids: Iterable[str]) -> dict[str, int]:
        """How many events are about each of some items; those about which there are none are left out."""
        rows = self._db.all(
            "SELECT item_id, sum(CASE events WHEN '' THEN 1 ELSE json_array_length(events) END) FROM label_current "
            "WHERE item_id IN (SELECT value FROM json_each(?)) GROUP BY item_id",
            (json.dumps(sorted(item_ids)),),
        )
        return dict(rows)

    def conflicts(self, rater: str) -> list[CurrentLabel]:
        """The keys about which a rater's devices disagree; looks at this rater's labels alone."""
        rows = self._db.all(
            f"SELECT {folding.READ_COLUMNS} FROM progress AS p CROSS JOIN label_current AS c ON c.item_id = p.item_id "
            "AND c.responder = p.responder AND c.rater = p.rater AND c.phase = p.phase "
            "CROSS JOIN label_event AS e ON e.arrival = c.head "
            "WHERE p.rater = ? AND c.rivals <> '' ORDER BY c.item_id, c.responder, c.phase, c.target, c.field",
            (rater,),
        )
        return [CurrentLabel(*folding.current_of(row)) for row in rows]

    def unknown(self, item_ids: Iterable[str]) -> set[str]:
        """Those of some items that are not in the workspace."""
        wanted = set(item_ids)
        rows = self._db.all(
            f"SELECT DISTINCT item_id FROM item WHERE item_id IN (SELECT value FROM json_each(:ids)) AND {SEEN}",
            {"ids": json.dumps(sorted(wanted)), "own": NOBODY},
        )
        return wanted - {row[0] for row in rows}

    # --------------------------------------------------------------------------------------------------------- facts
    def facts(self, prefix: str) -> dict[str, Any]:
        """What was noted under names that begin so, by the rest of the name."""
        rows = self._db.all(
            "SELECT name, value FROM meta WHERE name >= ? AND name < ? ORDER BY name", (prefix, prefix + "\U0010ffff")
        )
        return {name[len(prefix) :]: json.loads(value) for name, value in rows}

    def note(self, facts: Mapping[str, Any]) -> None:
        """Note facts; None forgets one."""
        with self._db.write() as connection:
            for name, value in facts.items():
                if value is None:
                    connection.execute("DELETE FROM meta WHERE name = ?", (name,))
                else:
                    set_meta(connection, name, value)

    def new_device(self) -> str:
        """Go on under another device id: somebody else counts under this one."""
        made = devices.new_device()
        with self._db.write() as connection:
            set_meta(connection, "device", made)
            set_meta(connection, "devices", [*get_meta(connection, "devices", []), made])
            workspace = str(get_meta(connection, "workspace_id", ""))
        self._labels.device = made
        devices.remember(workspace, self._db.folder, self._db.file, made, 0)
        return made


def _block_of(lines: Sequence[str] | bytes) -> Block | None:
    """Many lines as columns; None for few, and for such as cannot be cut so."""
    if not _are_many(lines):
        return None
    from annotator.store.blocks import block_of  # numpy, for which nobody is to wait who only scores

    return block_of(lines)


def _are_many(lines: Sequence[str] | bytes) -> bool:
    """Whether it is worth while; counting the lines in the bytes would take as long as unpacking them."""
    return len(lines) >= (MANY * _LINE_BYTES if isinstance(lines, bytes) else MANY)


def _lines_of(lines: Sequence[str] | bytes) -> list[str]:
    """Each line as a text of its own."""
    return lines_in(lines) if isinstance(lines, bytes) else [*lines]
