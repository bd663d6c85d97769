"""The plain values that go in and out of the store, beside those of the domain."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from annotator.domain.fold import Current


class Any_:  # noqa: N801 - a marker, not a kind of thing
    """The type of `ANY`."""


# "Whatever the responder": None is a responder's absence and cannot mean that.
ANY: Final = Any_()


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement that is not an event yet; the store gives it its id, place, parents and digest.

    Attributes:
        item_revision: None for the current one.
        judged: the hash of what was judged; None to have the store compute it.
        at: UTC, ISO 8601 with microseconds and `Z`; None for now.
        parents: what it supersedes; None for the current heads of its key, read inside the transaction.
        extra: fields of a newer version, as JSON text.
    """

    rater: str
    item_id: str
    target: str
    field: str
    value: Any
    responder: str | None = None
    phase: str = "blind"
    rubric: str = ""
    lang: str = ""
    active_ms: int = 0
    item_revision: int | None = None
    judged: str | None = None
    at: str | None = None
    parents: tuple[str, ...] | None = None
    extra: str = ""


@dataclass(frozen=True, slots=True)
class CurrentLabel:
    """A current value, and whether what it judged has changed since (then it is shown, and kept out of figures)."""

    current: Current
    stale: bool


class Known(NamedTuple):
    """What is there under an id: the newest revision and its hash, and the hashes of all revisions."""

    revision: int
    content_hash: str
    hashes: frozenset[str]


class PredictionRun(NamedTuple):
    """One file of a model's outputs that an import read.

    Attributes:
        model, file: whose, and what it is called.
        collection: the set of questions that it joined ("" while it waits).
        chunk, chunks: which part of how many (0 of 0 where it is whole; chunks is -1 where nobody says how many).
        records: how many outputs it holds.
    """

    model: str
    file: str
    collection: str
    chunk: int
    chunks: int
    records: int


class WaitingPrediction(NamedTuple):
    """An output that waits for its question: all that is needed to join it later."""

    model: str
    file: str
    row: int
    line: int | None
    output: str | None
    source_id: str | None
    at_index: str | None
    text: str | None
    choices: list[str]
    truth: str | None
    claims: dict[str, Any]
    chunk: int
    chunks: int


class Quarantined(NamedTuple):
    """An event that could not be taken in, and a sentence why."""

    event_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class MergeResult:
    """What became of events that came from elsewhere; inserted + duplicates + quarantined = all of them.

    Attributes:
        inserted, duplicates: how many were new, and known with equal content.
        quarantined: those kept aside: altered, unfit, or claiming a place in the log that another event holds.
        rows: the (item id, responder) whose current values changed.
    """

    inserted: int = 0
    duplicates: int = 0
    quarantined: tuple[Quarantined, ...] = ()
    rows: frozenset[tuple[str, str | None]] = frozenset()


@dataclass(frozen=True, slots=True)
class ItemHead:
    """The light part of an item: what lists need.

    Attributes:
        parts: turns of a dialogue, responses of a comparison.
        missing: evidence files that are not there.
    """

    item_id: str
    kind: str
    source_id: str
    revision: int
    content_hash: str
    title: str
    scenario: str
    modality: str
    categories: tuple[str, ...]
    spoken: bool
    parts: int
    missing: int


@dataclass(frozen=True, slots=True)
class ImportInfo:
    """One published import and its report."""

    import_id: int
    kind: str
    source: str
    at: str
    report: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check of the whole workspace found.

    Attributes:
        ok: whether there is no problem.
        problems: sentences.
        notes: sentences about what is no problem but worth knowing.
        events: label events in the log.
        rebuilt_equal: whether the current labels and the progress equal what the events give.
        totals: counts of what is published.
    """

    ok: bool
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    events: int
    rebuilt_equal: bool
    totals: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recovered:
    """What a rebuild from the journal brought back.

    Attributes:
        folder: the workspace.
        events: label events that it holds now; `from_journal` of them were not in the backup.
        backup: the backup it started from, None without a good one (then the sources are to be imported again).
        set_aside: where the damaged database went, None where there was none.
        unreadable: journal lines that could not be read.
    """

    folder: Path
    events: int
    from_journal: int
    backup: Path | None
    set_aside: Path | None
    unreadable: int
