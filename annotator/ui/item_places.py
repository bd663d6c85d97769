"""Where each item stands in the filtered order, and what comes next, without walking tens of thousands of rows."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any


class ItemPlaces:
    """The places of the rows of one queue; a row has `item_id` and `finished`."""

    def __init__(self) -> None:
        """No queue yet."""
        self._places: dict[str, int] = {}

    def read(self, queue: Any) -> None:
        """Another queue, or the same one filtered otherwise."""
        self._places = {row.item_id: place for place, row in enumerate(queue.rows)}

    def replaced(self, queue: Any, row: Any) -> Any:
        """The queue with this row instead of its older self, and its count of complete ones."""
        place = self._places.get(row.item_id)
        if place is None or queue.rows[place] == row:
            return queue
        gained = row.finished - queue.rows[place].finished
        rows = (*queue.rows[:place], row, *queue.rows[place + 1 :])
        return replace(queue, rows=rows, complete=queue.complete + gained)

    def number(self, here: str | None) -> int:
        """Which row an item is, counted from 1; 0 where it is not in this order."""
        return self._places.get(here or "", -1) + 1

    def step(self, queue: Any, here: str | None, by: int) -> Any:
        """The row `by` places from one; the first row where that one is not in this order; None past the ends."""
        rows = queue.rows if queue is not None else ()
        at = self._places.get(here or "")
        place = 0 if at is None else at + by
        return rows[place] if 0 <= place < len(rows) else None

    def unfinished(self, queue: Any, here: str | None) -> Any:
        """The next row with something left to do, from the beginning again after the last; None where there is none."""
        rows = queue.rows if queue is not None else ()
        at = self._places.get(here or "", -1)
        order = chain(range(at + 1, len(rows)), range(max(0, at)))
        return next((rows[i] for i in order if not rows[i].finished), None)
