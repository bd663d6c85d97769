"""The queue: one row per (dialogue, responder), filtered literally, counted, walked in order."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from operator import attrgetter

from annotator.domain.rubric import SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.domain.sheet import Sheet, Status, turn_progress

FINISHED: frozenset[Status] = frozenset({"complete"})


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One row of the queue, cheap enough for tens of thousands.

    Attributes:
        item_id, responder: what is judged.
        source_id: the source's own id; `title`: a line to know it by.
        alias: the responder as raters see it ("A", "B", …; "" for the reference).
        scenario, modality, categories, spoken: what it is filtered by.
        turns: how many turns; `progress[k]` of the eight dimensions of turn k are said; `session` of the four.
        verdict: the rater's, if given.
        status: see `sheet.row_status`.
        missing_media: evidence files that are not there.
        unplayable: the rater said that something does not play here: it is left to the lead, not scored blindly.
    """

    item_id: str
    responder: str
    source_id: str
    title: str
    alias: str
    scenario: str
    modality: str
    categories: tuple[str, ...]
    spoken: bool
    turns: int
    progress: bytes
    session: int
    verdict: str | None
    status: Status
    missing_media: int = 0
    unplayable: bool = False

    @property
    def finished(self) -> bool:
        """Whether nothing is left to do."""
        return self.status in FINISHED

    @property
    def key(self) -> tuple[str, str]:
        """(item_id, responder)."""
        return (self.item_id, self.responder)


@dataclass(frozen=True, slots=True)
class QueueFilter:
    """What is shown; an empty set does not restrict.

    Attributes:
        search: literal text; case and Unicode form do not matter (folded and NFC-compared).
        unfinished: only rows that are not complete.
        project: only rows of which this spot-check drew something.
        only: exactly these rows (item id, responder), whatever else they are; a figure's items, say.
    """

    search: str = ""
    unfinished: bool = False
    scenarios: frozenset[str] = field(default=frozenset())
    categories: frozenset[str] = field(default=frozenset())
    modalities: frozenset[str] = field(default=frozenset())
    responders: frozenset[str] = field(default=frozenset())
    statuses: frozenset[str] = field(default=frozenset())
    only: frozenset[tuple[str, str]] = field(default=frozenset())
    project: str = ""

    def kept(self, rows: Iterable[QueueRow]) -> list[QueueRow]:
        """The rows that pass everything but the search (which the store answers), in their order.

        One criterion after the other, each over all rows that are left: thousands are asked while somebody waits.
        """
        found = list(rows)
        if self.unfinished:
            found = [row for row in found if row.status not in FINISHED]
        for name, chosen in (
            ("scenario", self.scenarios),
            ("modality", self.modalities),
            ("responder", self.responders),
            ("status", self.statuses),
        ):
            if chosen:
                value = attrgetter(name)
                found = [row for row in found if value(row) in chosen]
        if self.categories:
            found = [row for row in found if not self.categories.isdisjoint(row.categories)]
        if self.only:
            found = [row for row in found if row.key in self.only]
        return found

    @property
    def narrows(self) -> bool:
        """Whether it hides anything at all."""
        return self != QueueFilter()


@dataclass(frozen=True, slots=True)
class Facets:
    """How many rows each value of each field has, over all rows (not the filtered ones)."""

    scenarios: Counter[str]
    categories: Counter[str]
    modalities: Counter[str]
    responders: Counter[str]
    statuses: Counter[str]


def facets(rows: Iterable[QueueRow]) -> Facets:
    """Count the values that can be filtered by."""
    every = list(rows)

    def count(name: str) -> Counter[str]:
        return Counter(map(attrgetter(name), every))

    categories: Counter[str] = Counter()
    for names, times in Counter(row.categories for row in every).items():
        for name in names:
            categories[name] += times
    return Facets(count("scenario"), categories, count("modality"), count("responder"), count("status"))


def fold_text(text: str) -> str:
    """Text as it is compared by the search: NFC of the case fold of NFD, so that `É` finds `é` in either form.

    Source: the caseless matching of canonically equivalent strings of the Unicode standard (D145).
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


def step(rows: Sequence[QueueRow], current: tuple[str, str] | None, by: int) -> QueueRow | None:
    """The row `by` places from the current one in the shown order; None at the ends."""
    place = position(rows, current)
    index = (0 if by > 0 else -1) if place is None else place + by
    return rows[index] if rows and 0 <= index < len(rows) else None


def next_unfinished(rows: Sequence[QueueRow], current: tuple[str, str] | None) -> QueueRow | None:
    """The next row with something left to do, from the current one on and then from the top; None when all is done."""
    place = position(rows, current)
    start = -1 if place is None else place
    order = chain(islice(rows, start + 1, None), islice(rows, start + 1))
    return next((r for r in order if not (r.finished or r.unplayable) and r.key != current), None)


def position(rows: Sequence[QueueRow], key: tuple[str, str] | None) -> int | None:
    """Where a row stands in the shown order."""
    if key is None:
        return None
    item, responder = key  # compared one by one: this walks thousands of rows while somebody waits for the next one
    return next((i for i, r in enumerate(rows) if r.item_id == item and r.responder == responder), None)


def row_of_drawn(row: QueueRow, targets: frozenset[str]) -> QueueRow:
    """The row as a spot-check sees it: complete when all that was drawn of it is said, whatever else there is."""
    if row.status in ("conflict", "stale", "returned"):
        return row
    full = {
        **{f"turn:{k}": n == len(TURN_DIMENSIONS) for k, n in enumerate(row.progress)},
        "session": row.session == len(SESSION_DIMENSIONS),
    }
    if all(full.get(target, True) for target in targets):
        return replace(row, status="complete")
    return replace(row, status="started" if any(row.progress) or row.session else "new")


def row_after(row: QueueRow, sheet: Sheet) -> QueueRow:
    """The row as it stands after what the sheet says; a returned row stays returned until it is completed anew."""
    returned = row.status == "returned" and not sheet.value("item", "complete")
    return replace(
        row,
        progress=bytes(turn_progress(sheet)),
        session=sheet.done("session"),
        verdict=sheet.value("item", "verdict"),
        status=sheet.status(returned),
        unplayable=any(f == "unplayable" and c.value is not None for (_, f), c in sheet.cells.items()),
    )
