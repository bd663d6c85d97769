"""Checking a whole workspace: that the file is sound, the log unaltered and gapless, and all that is derived equal."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from annotator.domain.labels import LabelEvent
from annotator.store import folding
from annotator.store.codec import EVENT_COLUMNS, event_of
from annotator.store.journal import Journal
from annotator.store.judged import Judged
from annotator.store.union_rows import wire_of_row

_COLUMNS: Final = ", ".join(EVENT_COLUMNS)
_SHOWN: Final = 5
_BY_ITEM: Final = "SELECT item_id, json_group_array(arrival) FROM label_event GROUP BY item_id"
_CURRENT: Final = f"SELECT {folding.CURRENT_COLUMNS} FROM label_current WHERE item_id = ?"


def integrity(connection: sqlite3.Connection, quick: bool = False) -> list[str]:
    """What SQLite finds wrong with the file; empty where nothing is."""
    pragma = "quick_check" if quick else "integrity_check"
    try:
        found = [str(row[0]) for row in connection.execute(f"PRAGMA {pragma}({_SHOWN})")]
        if not quick:
            found += [
                f"row {row[1]} of {row[0]} points to nothing" for row in connection.execute("PRAGMA foreign_key_check")
            ]
    except sqlite3.DatabaseError as error:
        return [f"The database is damaged: {error}."]
    return [f"The database is damaged: {text}." for text in found if text != "ok"]


def log(connection: sqlite3.Connection, judged: Judged) -> tuple[list[str], bool]:
    """(problems, whether what is derived equals what the events give), from one walk through all events.

    It goes item by item, so that of a log of a million events only one item's are in memory at a time. An altered event
    cannot be read as what it was: with one of them nothing that is derived is proved.
    """
    altered: list[str] = []
    keys, equal = 0, True
    progress: set[tuple[Any, ...]] = set()
    for item_id, arrivals in connection.execute(_BY_ITEM):
        currents, rows = folding.expected(connection, judged, _whole(connection, arrivals, altered))
        if altered or not equal:
            continue  # how many are altered is still to be told
        held = set(connection.execute(_CURRENT, (item_id,)).fetchall())
        keys += len(held)
        equal = held == currents
        progress |= rows
    if altered:
        return [f"{len(altered)} label events were altered in the file: {_some(altered)}."], False
    if equal and keys == connection.execute("SELECT count(*) FROM label_now").fetchone()[0]:
        equal = progress == set(connection.execute(f"SELECT {folding.PROGRESS_COLUMNS} FROM progress"))
        if equal:
            return [], True
    return ["The current labels are not what the events give: rebuild them."], False


def _whole(connection: sqlite3.Connection, arrivals: str, altered: list[str]) -> Iterator[tuple[int, LabelEvent]]:
    """(arrival, event) of those of some events that are what their digests say; the ids of others go to `altered`."""
    for arrival, *row in connection.execute(folding.EVENTS, (arrivals,)):
        try:
            event = event_of(row) if wire_of_row(tuple(row)) is not None else None
        except (ValueError, TypeError):
            event = None
        if event is not None:
            yield arrival, event
        else:
            altered.append(str(row[0]))


def gaps(connection: sqlite3.Connection, own: Sequence[str]) -> tuple[list[str], list[str]]:
    """(problems, notes) about places missing in the devices' logs; only our own devices must have none."""
    problems: list[str] = []
    notes: list[str] = []
    rows = connection.execute("SELECT device, count(*), min(seq), max(seq) FROM label_event GROUP BY device")
    for device, count, first, last in rows.fetchall():
        if count == last and first == 1:
            continue
        sentence = f"The log of device {device} has {count} of {last} events."
        (problems if device in own else notes).append(sentence)
    return problems, notes


def journal_agrees(
    connection: sqlite3.Connection, journal: Journal, sizes: dict[Path, int]
) -> tuple[list[str], list[str]]:
    """(problems, notes) about the journal, read as far as `sizes`, beside the database."""
    held = dict(connection.execute("SELECT event_id, digest FROM label_event").fetchall())
    problems, notes = [], []
    if held and not sizes:
        return [
            f"The second copy of the labels is gone: {journal.folder} holds no journal of the {len(held):,} events. "
            "The database has them all: put the folder back if it lies elsewhere, else open the workspace for work "
            "(annotator open), which writes it anew."
        ], []
    unreadable, other, written = 0, [], set()
    for event in journal.lines(sizes):
        if event is None:
            unreadable += 1
        elif held.get(event.event_id) != event.digest:
            other.append(event.event_id)
        else:
            written.add(event.event_id)
    missing = [event_id for event_id in held if event_id not in written]
    if other:
        problems.append(f"{len(other)} events of the journal are not in the database as they were: {_some(other)}.")
    if missing:
        problems.append(f"{len(missing)} events are not in the journal: {_some(missing)}; rebuilding writes them.")
    if unreadable:
        notes.append(f"{unreadable} lines or events of the journal cannot be read; the database has what was in them.")
    return problems, notes


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
