"""Writing events into the narrow rows of the log, and current values beside them.

An event's row names by numbers who says something about what (`label_subject`), by which revision, rubric, language and
content (`label_setting`), and on which device (`label_device`). These are looked up here, and made where they are new.
All that reads goes through the views `label_event` and `label_current`, which say the names.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from math import prod
from typing import Any, Final, NamedTuple

from annotator.store.codec import EVENT_COLUMNS

LOG_COLUMNS: Final = (
    *("event_id", "device", "seq", "subject", "setting", "field", "value", "parents", "active_ms", "at", "extra"),
    "digest",
)
PUT: Final = (
    f"INSERT INTO label_log ({', '.join(LOG_COLUMNS)}) VALUES ({', '.join('?' * len(LOG_COLUMNS))}) "
    "ON CONFLICT (event_id) DO NOTHING"
)
SUBJECT: Final = ("item_id", "responder", "rater", "phase", "target")
SETTING: Final = ("judged", "item_revision", "rubric", "lang")
_SUBJECT_OF: Final = tuple(EVENT_COLUMNS.index(name) for name in SUBJECT)
_SETTING_OF: Final = tuple(EVENT_COLUMNS.index(name) for name in SETTING)
_ID, _DEVICE, _SEQ, _FIELD, _VALUE, _PARENTS, _ACTIVE, _AT, _EXTRA, _DIGEST = (
    EVENT_COLUMNS.index(name)
    for name in ("event_id", "device", "seq", "field", "value", "parents", "active_ms", "at", "extra", "digest")
)


class Kind(NamedTuple):
    """How rows of one of the three tables are found, one or many, and made.

    Attributes:
        find: by all columns; `make`: with number and columns; `last`: the greatest number.
        among: number and columns of those whose first `leading` columns are each in a JSON list.
    """

    find: str
    make: str
    last: str
    among: str
    leading: int


def among(names: Sequence[str]) -> str:
    """The condition that each of some columns is in a JSON list of its own."""
    return " AND ".join(f"{name} IN (SELECT value FROM json_each(?))" for name in names)


def _kind(table: str, number: str, columns: tuple[str, ...], leading: int) -> Kind:
    names = ", ".join(columns)
    return Kind(
        f"SELECT {number} FROM {table} WHERE {' AND '.join(f'{name} = ?' for name in columns)}",
        f"INSERT INTO {table} ({number}, {names}) VALUES (?, {', '.join('?' * len(columns))})",
        f"SELECT coalesce(max({number}), 0) FROM {table}",
        f"SELECT {number}, {names} FROM {table} WHERE {among(columns[:leading])}",
        leading,
    )


DEVICES: Final = _kind("label_device", "device", ("name",), 1)
SUBJECTS: Final = _kind("label_subject", "subject", SUBJECT, 3)
SETTINGS: Final = _kind("label_setting", "setting", SETTING, 1)
SEEKS: Final = 20_000
"""How many combinations of such lists are looked up at once; where there are more, each by itself is found sooner."""


class LogRows:
    """Makes rows of the log within one transaction; what it looked up counts no longer than that."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Look up, and make, on this connection."""
        self._connection = connection
        self._known: dict[Kind, dict[tuple[Any, ...], int]] = {DEVICES: {}, SUBJECTS: {}, SETTINGS: {}}

    def row(self, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """The values of `LOG_COLUMNS` of a row of `EVENT_COLUMNS`, whose digest is 32 hexadecimal digits."""
        item_id, responder, *rest = (row[place] for place in _SUBJECT_OF)
        return (
            *(row[_ID], self.number(DEVICES, (row[_DEVICE],)), row[_SEQ]),
            self.number(SUBJECTS, (item_id, responder or "", *rest)),
            self.number(SETTINGS, tuple(row[place] for place in _SETTING_OF)),
            *(row[_FIELD], row[_VALUE], row[_PARENTS], row[_ACTIVE], row[_AT], row[_EXTRA]),
            bytes.fromhex(row[_DIGEST]),
        )

    def put(self, row: tuple[Any, ...]) -> int:
        """Append an event; returns its arrival. One that is known changes nothing, and the number says nothing."""
        return self._connection.execute(PUT, self.row(row)).lastrowid or 0

    def number(self, kind: Kind, key: tuple[Any, ...]) -> int:
        """The number of one row, made where it is new."""
        known = self._known[kind]
        number = known.get(key)
        if number is None:
            found = self._connection.execute(kind.find, key).fetchone()
            number = int(found[0]) if found is not None else self._make(kind, [key])
            known[key] = number
        return number

    def numbers(self, kind: Kind, keys: Sequence[tuple[Any, ...]]) -> list[int]:
        """The numbers of many rows, in their order; found and made many at a time."""
        known = self._known[kind]
        wanted = dict.fromkeys(key for key in keys if key not in known)
        leading = [{key[place] for key in wanted} for place in range(kind.leading)]
        if prod(map(len, leading)) > SEEKS:  # many of everything, mixed
            return [self.number(kind, key) for key in keys]
        for number, *key in self._connection.execute(kind.among, [json.dumps(list(part)) for part in leading]):
            known[tuple(key)] = number
        new = [key for key in wanted if key not in known]
        first = self._make(kind, new)
        known.update(zip(new, range(first, first + len(new)), strict=True))
        return [known[key] for key in keys]

    def _make(self, kind: Kind, keys: Sequence[tuple[Any, ...]]) -> int:
        """Make rows; returns the number of the first, from which the others count on."""
        first = int(self._connection.execute(kind.last).fetchone()[0]) + 1
        self._connection.executemany(kind.make, [(number, *key) for number, key in enumerate(keys, first)])
        return first
