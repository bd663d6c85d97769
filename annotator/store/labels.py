"""The append-only log of labels: writing, merging and reading it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from annotator.domain.fold import Current, head
from annotator.domain.ids import uuid7
from annotator.domain.labels import Key, LabelEvent, phase_ok
from annotator.domain.sheet import Cell
from annotator.errors import WorldError
from annotator.store import folding, streaming
from annotator.store.codec import EVENT_COLUMNS, event_of, event_row, fits, now, text_of, unfit
from annotator.store.database import Database
from annotator.store.device import highest_seq
from annotator.store.journal import Journal
from annotator.store.judged import Judged, Now
from annotator.store.log_rows import LogRows
from annotator.store.quarantine import keep_aside, why_not
from annotator.store.streaming import Streamed
from annotator.store.values import ANY, Any_, CurrentLabel, Draft, MergeResult, Quarantined
from annotator.store.visible import item_row

_COLUMNS: Final = ", ".join(EVENT_COLUMNS)
_BATCH: Final = 500


class _Seen(NamedTuple):
    """What one call of `append` has looked up: what is known by key, revisions by item, what is judged."""

    held: dict[Key, folding.Held]
    revisions: dict[str, int]
    judged: Now


class Labels:
    """Labels of one workspace. All writing methods return when both copies are on disk."""

    def __init__(self, database: Database, journal: Journal, judged: Judged, device: str) -> None:
        """Work on `database` as `device`."""
        self._db = database
        self._journal = journal
        self._judged = judged
        self.device = device

    def append(self, drafts: Sequence[Draft]) -> list[LabelEvent]:
        """Say something: one transaction for all drafts, in their order.

        Place in the log and what is superseded are found inside the transaction, so that two processes of one workspace
        interleave without a gap or a rival. A later draft of one key supersedes an earlier one.

        Raises:
            WorldError: when it could not be saved (full disk, workspace in use); then nothing of it was.
        """
        if not drafts:
            return []
        events: list[LabelEvent] = []

        def follow(connection: sqlite3.Connection) -> None:
            self._journal.follow(connection, events)

        with self._db.write(committed=follow) as connection:
            seq = highest_seq(connection, self.device)
            log = LogRows(connection)
            seen = _Seen({}, {}, self._judged.for_many(connection))
            held = seen.held
            rows: set[folding.RowKey] = set()
            for draft in drafts:
                seq += 1
                event = self._event(connection, draft, seq, seen)
                arrival = log.put(event_row(event))
                known = held[event.key]
                if set(known.heads) <= set(event.parents):
                    stale = (draft.judged is not None or draft.item_revision is not None) and folding.is_stale(
                        connection, seen.judged, _alone(event)
                    )
                    places = {**known.places, event.event_id: arrival}
                    folding.put_current(connection, [folding.current_row(_alone(event), stale, places)])
                    held[event.key] = folding.Held((event.event_id,), places)
                    rows.add(folding.row_key(event.key))
                else:
                    folding.refold(connection, self._judged, {event.key: [arrival]})
                    held[event.key] = folding.held_of(connection, event.key)
                events.append(event)
            folding.refresh_progress(connection, rows)
        return events

    def _event(self, connection: sqlite3.Connection, draft: Draft, seq: int, seen: _Seen) -> LabelEvent:
        """A draft with all that an event has; notes in `seen` what was looked up for it."""
        held, revisions, there = seen.held, seen.revisions, seen.judged
        key = Key(draft.rater, draft.item_id, draft.responder, draft.target, draft.field, draft.phase)
        if not fits("".join(part or "" for part in key)):
            raise _refused("one of its names is no proper text")
        if key not in held:
            held[key] = folding.held_of(connection, key)
        judged, revision = draft.judged, draft.item_revision
        if revision is None:
            revision = revisions.get(draft.item_id)
        if revision is None:
            found = item_row(connection, draft.item_id)
            revision = revisions[draft.item_id] = 1 if found is None else found.revision
        if judged is None and draft.item_revision is None:
            judged = there(draft.item_id, draft.responder, draft.target, draft.field)
        elif judged is None:
            judged = self._judged.now(connection, draft.item_id, draft.responder, draft.target, draft.field, revision)
        event = LabelEvent(
            event_id=uuid7(),
            device=self.device,
            seq=seq,
            rater=draft.rater,
            item_id=draft.item_id,
            item_revision=revision,
            responder=draft.responder,
            target=draft.target,
            field=draft.field,
            value=json.loads(text_of(draft.value)),
            parents=held[key].heads if draft.parents is None else draft.parents,
            rubric=draft.rubric,
            phase=draft.phase,
            lang=draft.lang,
            active_ms=draft.active_ms,
            at=draft.at or now(),
            judged=judged,
            extra=draft.extra,
        )
        reason = unfit(event) or ("" if phase_ok(event.phase) else f'its phase "{event.phase}" is none of ours')
        if reason:
            raise _refused(reason)
        return replace(event, digest=event.compute_digest())

    def merge(self, events: Iterable[LabelEvent]) -> MergeResult:
        """Take in events that were made elsewhere: the union of both sets by event id.

        Nothing is overwritten and nothing is dropped in silence: an event that is altered, unfit, known with another
        content, or that claims a place in its device's log which another event holds, is kept whole in quarantine.
        """
        inserted = duplicates = 0
        kept: list[Quarantined] = []
        touched: set[tuple[str, str | None]] = set()
        batch: list[LabelEvent] = []
        for event in events:
            batch.append(event)
            if len(batch) == _BATCH:
                inserted, duplicates = self._merge_batch(batch, inserted, duplicates, kept, touched)
                batch = []
        if batch:
            inserted, duplicates = self._merge_batch(batch, inserted, duplicates, kept, touched)
        return MergeResult(inserted, duplicates, tuple(kept), frozenset(touched))

    def _merge_batch(
        self,
        batch: list[LabelEvent],
        inserted: int,
        duplicates: int,
        kept: list[Quarantined],
        touched: set[tuple[str, str | None]],
    ) -> tuple[int, int]:
        new: list[LabelEvent] = []
        arrivals: dict[Key, list[int]] = {}
        aside: list[Quarantined] = []
        same = 0

        def follow(connection: sqlite3.Connection) -> None:
            self._journal.follow(connection, new)

        with self._db.write(committed=follow) as connection:
            log = LogRows(connection)
            for event in batch:
                reason = why_not(connection, event)
                if reason is None:
                    same += 1
                elif reason:
                    aside.append(Quarantined(str(event.event_id), reason))
                    keep_aside(connection, event, reason)
                else:
                    arrival = log.put(event_row(event))
                    arrivals.setdefault(event.key, []).append(arrival)
                    new.append(event)
            folding.refold(connection, self._judged, arrivals)
        kept += aside
        touched.update((e.item_id, e.responder) for e in new)
        return inserted + len(new), duplicates + same

    def cells(
        self, item_id: str, responder: str | None, rater: str, phase: str, only: tuple[str, str] | None = None
    ) -> dict[tuple[str, str], Cell]:
        """What a rater's sheet of one row says, the candidate's own labels included; `only` one (target, field)."""
        one, named = ("", ()) if only is None else ("AND c.target = ? AND c.field = ? ", only)
        rows = self._db.all(
            "SELECT c.target, c.field, c.value, c.rivals, c.stale, CASE c.at WHEN '' THEN e.at ELSE c.at END "
            f"FROM {folding.CURRENTS} WHERE c.item_id = ? AND c.responder IN ('', ?) AND c.rater = ? AND c.phase = ? "
            f"{one}ORDER BY c.responder",
            (item_id, responder or "", rater, phase, *named),
        )
        return {
            (target, field): Cell(json.loads(value), tuple(json.loads(rivals)) if rivals else (), bool(stale), at)
            for target, field, value, rivals, stale, at in rows
        }

    def current(
        self,
        *,
        item_id: str | None = None,
        responder: str | Any_ | None = ANY,
        rater: str | None = None,
        phase: str | None = None,
        field: str | None = None,
    ) -> list[CurrentLabel]:
        """Current values, of everything or of what is named; in the order of their keys."""
        said: dict[str, Any] = {"item_id": item_id, "rater": rater, "phase": phase, "field": field}
        if not isinstance(responder, Any_):
            said["responder"] = responder or ""
        return self._currents(*_where(said, "c."))

    def stream(self) -> Generator[Streamed, None, None]:
        """All current labels as they are at one moment, item by item, in bounded memory; close it when done."""
        return streaming.stream(self._db)

    def count_current(self) -> int:
        """How many keys have a current value."""
        return streaming.count(self._db)

    def conflicts(self, rater: str | None = None) -> list[CurrentLabel]:
        """The keys about which devices of one rater disagree."""
        where, values = _where({"rater": rater}, "c.")
        return self._currents(where + " AND c.rivals <> ''", values)

    def _currents(self, where: str, values: tuple[Any, ...]) -> list[CurrentLabel]:
        query = f"SELECT {folding.READ_COLUMNS} FROM {folding.CURRENTS} WHERE {where}"
        order = " ORDER BY c.item_id, c.responder, c.rater, c.phase, c.target, c.field"
        rows = self._db.all(query + order, values)
        return [CurrentLabel(*folding.current_of(row)) for row in rows]

    def events(
        self, *, item_id: str | None = None, rater: str | None = None, device: str | None = None, after: int = 0
    ) -> Iterator[LabelEvent]:
        """Events in the order of arrival, from the one behind the first `after` on; read in portions."""
        where, values = _where({"rater": rater, "device": device})
        if item_id is not None:
            about, of = folding.arrivals_about(item_id)
            where, values = f"{where} AND arrival IN ({about})", (*values, *of)
        reached = after
        while True:
            rows = self._db.all(
                f"SELECT arrival, {_COLUMNS} FROM label_event WHERE {where} AND arrival > ? ORDER BY arrival LIMIT 999",
                (*values, reached),
            )
            if not rows:
                return
            for row in rows:
                yield event_of(row[1:])
            reached = rows[-1][0]

    def event(self, event_id: str) -> LabelEvent | None:
        """An event by id."""
        rows = self._db.all(f"SELECT {_COLUMNS} FROM label_event WHERE event_id = ?", (event_id,))
        return event_of(rows[0]) if rows else None

    def history(self, rater: str, device: str | None = None, limit: int | None = None) -> list[LabelEvent]:
        """A rater's own events on a device (this one unless named), newest first: what undo walks back through."""
        rows = self._db.all(
            f"SELECT {_COLUMNS} FROM label_event WHERE device = ? AND rater = ? ORDER BY seq DESC LIMIT ?",
            (device or self.device, rater, -1 if limit is None else limit),
        )
        return [event_of(row) for row in rows]

    def raters(self) -> list[str]:
        """Everybody who said something, sorted."""
        rows = self._db.all("SELECT DISTINCT rater FROM progress ORDER BY rater")
        return [row[0] for row in rows]

    def count(self) -> int:
        """How many events there are."""
        return int(self._db.all("SELECT count(*) FROM label_log")[0][0])

    def watermark(self) -> dict[str, int]:
        """How far each device's log is known: the highest seq up to which nothing is missing."""
        rows = self._db.all("SELECT device, seq FROM label_event ORDER BY device, seq")
        reached: dict[str, int] = {}
        for device, seq in rows:
            if seq == reached.get(device, 0) + 1:
                reached[device] = seq
        return reached

    def quarantine(self) -> list[dict[str, Any]]:
        """What is kept aside: `event_id`, `reason`, `event` (its fields), `at`, `place` (in order of arrival)."""
        rows = self._db.all("SELECT event_id, reason, body, at, place FROM quarantine ORDER BY place")
        return [{"event_id": i, "reason": r, "event": json.loads(b), "at": at, "place": p} for i, r, b, at, p in rows]


def _refused(reason: str) -> WorldError:
    return WorldError(f"This label cannot be saved: {reason}.", code="unfit")


def _alone(event: LabelEvent) -> Current:
    """What a key says whose only head is this event."""
    return head(event.key, [event])


def _where(said: dict[str, Any], of: str = "") -> tuple[str, tuple[Any, ...]]:
    """A condition for the columns that are named, each behind `of`, and its values."""
    named = {name: value for name, value in said.items() if value is not None}
    return " AND ".join(["1", *(f"{of}{name} = ?" for name in named)]), tuple(named.values())
