"""Which questions an output may belong to, and the output as it is kept: with its kind and its letters."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from annotator.domain.letters import official, vlmevalkit
from annotator.domain.questions import OutputState, Prediction
from annotator.domain.reading import read
from annotator.importers.predictions import PredictionFound
from annotator.store import WaitingPrediction
from annotator.workspace.questions_book import Collection, Entry, same

_CACHED_LENGTH: Final = 400


def named(held: Collection, row: PredictionFound) -> Iterator[Entry]:
    """The questions that a row's id, index or place names, in that order."""
    if row.source_id is not None:
        yield from held.by_id.get(row.source_id, ())
        return
    by_index = held.by_index.get(row.index, ()) if row.index is not None else ()
    yield from by_index
    # Without indices of its own a set is counted by place: by the index where the row has one.
    if not by_index:
        place = int(row.index) if row.index is not None and row.index.isdigit() and not held.by_index else row.place
        if place is not None and 0 <= place < len(held.entries):
            yield held.entries[place]


def candidates_of(held: Collection, row: PredictionFound) -> list[Entry]:
    """The questions that a row's content may belong to."""
    if row.text is None:
        return list(named(held, row))
    return held.by_text.get(same(row.text), [])


def found_of(record: WaitingPrediction) -> PredictionFound:
    """A waiting output as it was found."""
    return PredictionFound(
        model=record.model, output=record.output, record=record.row, line=record.line, source_id=record.source_id,
        index=record.at_index, place=record.row, text=record.text, choices=tuple(record.choices), truth=record.truth,
        claims=record.claims,
    )  # fmt: skip


def prediction_of(entry: Entry, model: str, found: PredictionFound) -> Prediction:
    """The output with its kind and its letters."""
    short = found.output is None or len(found.output) <= _CACHED_LENGTH
    letters = (_read_often if short else _read)(found.output, entry.marked)
    return Prediction(item_id=entry.item_id, model=model, output=found.output, claims=found.claims, **letters._asdict())


class _Letters(NamedTuple):
    state: OutputState
    official: str | None
    vlmevalkit: str | None
    careful: str | None


def _read(output: str | None, choices: tuple[str, ...]) -> _Letters:
    careful, state = read(output, choices)
    return _Letters(state, official(output, choices), vlmevalkit(output, choices), careful)


# Twenty models answer one question with few different texts.
_read_often = lru_cache(maxsize=100_000)(_read)
