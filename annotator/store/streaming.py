"""Current labels as a stream: all of them, in the order of their keys, without ever holding more than a portion."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, NamedTuple

from annotator.store import folding
from annotator.store.database import Database
from annotator.store.values import CurrentLabel

_PORTION: Final = 2_000
_QUERY: Final = (
    f"SELECT {folding.READ_COLUMNS}, e.lang, e.active_ms FROM {folding.CURRENTS} "
    "ORDER BY c.item_id, c.responder, c.rater, c.phase, c.target, c.field"
)


class Streamed(NamedTuple):
    """A current label, with the language and the working time (milliseconds) of the event that says it."""

    label: CurrentLabel
    lang: str
    active_ms: int


def stream(database: Database) -> Generator[Streamed, None, None]:
    """All current labels as they are at one moment, item by item; close the iterator to let go of that moment.

    Raises:
        WorldError: when the workspace cannot be read.
    """
    with database.read() as connection:
        cursor = connection.execute(_QUERY)
        try:
            while rows := cursor.fetchmany(_PORTION):
                for row in rows:
                    yield Streamed(CurrentLabel(*folding.current_of(row[:-2])), row[-2], row[-1])
        finally:
            cursor.close()


def count(database: Database) -> int:
    """How many keys have a current value."""
    return int(database.all("SELECT count(*) FROM label_current")[0][0])
