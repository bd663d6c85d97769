"""Writing one import: in small transactions, so that a click never waits, invisible until published."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from annotator.domain.base import content_hash
from annotator.domain.ids import ItemKind
from annotator.domain.items import Dialogue, Responder
from annotator.domain.judge import JudgeRecord
from annotator.domain.questions import Prediction
from annotator.domain.report import Choice, ImportReport, Problem
from annotator.errors import WorldError
from annotator.store import rows as made
from annotator.store.codec import mended, now, text_of, value_of
from annotator.store.database import Database
from annotator.store.desk import Desk, set_meta
from annotator.store.folding import refresh_stale
from annotator.store.judged import Judged
from annotator.store.locks import FileLock
from annotator.store.sweeping import IMPORTED, remove
from annotator.store.values import Known, PredictionRun, WaitingPrediction
from annotator.store.visible import SEEN, find_responder, item_row, load_dialogue

if TYPE_CHECKING:
    from sqlalchemy import Engine

# A label waits for the transaction before it: with 500 rows each, 95 of 100 waited up to 140 ms, with 120 up to 30.
BATCH: Final = 120
# Questions and outputs are a tenth as long as dialogues: eight times as many take no longer.
_SHORT: Final = 1 / 8
_BREATH_S: Final = 0.001
# Asking for each of a release's judgements took longer than writing it; so many names are some thirty megabytes.
_KNOWN_JUDGES: Final = 100_000


class ImportWriter:
    """An import that is being written; used by one thread at a time.

    Leaving its `with` block without `publish` abandons it, and so does a crash: nothing of it was ever visible.
    """

    def __init__(self, database: Database, judged: Judged, lock: FileLock, run: int) -> None:
        """Write as import `run`, whose lock the caller has taken."""
        self.import_id = run
        self._db = database
        self._judged = judged
        self._lock = lock
        self._open = True
        self._engine: Engine | None = None
        self._pending: list[made.Made] = []
        self._size = 0.0
        with database.read() as connection:
            self._items = made.known_items(connection)
            self._responders = made.known_responders(connection)
        self._judges: dict[tuple[str, str], str] = {}
        self._published: dict[tuple[str, str], str] | None = None
        self._looked = False

    def __enter__(self) -> ImportWriter:
        """Write inside a block."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Abandon what was not published; what cannot be removed now (a full disk) is swept by the next import."""
        if self._open:
            with suppress(WorldError):
                self.abandon()

    # ---------------------------------------------------------------------------------------------- what is there
    def known_dialogue(self, item_id: str) -> Known | None:
        """The newest revision of an item and the hashes of all, own rows included."""
        return made.known(self._items.get(item_id))

    def known_responder(self, item_id: str, responder: str) -> Known | None:
        """The same of a responder's answers."""
        return made.known(self._responders.get((item_id, responder)))

    def known_judge(self, judgement_id: str, judge: str) -> str | None:
        """The content hash of the last record of a judgement, counted or waiting; None where there is none."""
        own = self._judges.get((judgement_id, judge))
        if own is not None:
            return own
        if not self._looked:  # nothing is published while this import runs
            self._looked = True
            with self._db.seeing(), self._db.read() as connection:
                self._published = made.known_judges(connection, _KNOWN_JUDGES)
        if self._published is not None:
            return self._published.get((judgement_id, judge))
        with self._db.seeing(), self._db.read() as connection:
            return made.known_judge(connection, judgement_id, judge)

    def known_source_ids(self) -> dict[str, list[str]]:
        """The item ids of each source id, own rows included; hidden repeats have none of their own."""
        self.flush()
        rows = self._db.all(
            f"SELECT source_id, item_id FROM item WHERE {SEEN} GROUP BY source_id, item_id ORDER BY min(place)",
            {"own": self.import_id},
        )
        again = Desk(self._db).repeats()
        found: dict[str, list[str]] = {}
        for source_id, item_id in rows:
            if item_id not in again:
                found.setdefault(source_id, []).append(item_id)
        return found

    def dialogue(self, item_id: str, revision: int | None = None) -> Dialogue | None:
        """A dialogue, own rows included; None where it is not there."""
        self.flush()
        with self._db.read() as connection:
            row = item_row(connection, item_id, revision, self.import_id)
            return load_dialogue(connection, row.place) if row and row.kind == "dialogue" else None

    def responder(self, item_id: str, responder: str) -> Responder | None:
        """A responder's answers, own rows included; None where it did not answer."""
        dialogue = self.dialogue(item_id)
        if dialogue is None:
            return None
        with self._db.read() as connection:
            return find_responder(connection, dialogue, responder, self.import_id)

    def body(self, item_id: str) -> dict[str, Any]:
        """The stored object of an item that is known here, own rows included."""
        self.flush()
        with self._db.read() as connection:
            row = item_row(connection, item_id, None, self.import_id)
            place = -1 if row is None else row.place
            held = connection.execute("SELECT placed(body) FROM item_body WHERE place = ?", (place,)).fetchone()
        found: dict[str, Any] = json.loads(held[0])
        return found

    # ------------------------------------------------------------------------------------------------- what is new
    def put_dialogues(self, dialogues: Iterable[Dialogue]) -> None:
        """Add dialogues; the revision that each carries is new, or known and its local facts are looked up again."""
        for dialogue in dialogues:
            row = made.of_dialogue(dialogue)
            made.note(self._items, dialogue.item_id, dialogue.revision, row.light["content_hash"])
            self.put_row(row)

    def put_responders(self, responders: Iterable[Responder]) -> None:
        """Add responders' answers, by the same rule."""
        for responder in responders:
            row = made.of_responder(responder)
            key = (responder.item_id, responder.responder)
            made.note(self._responders, key, responder.revision, row.light["content_hash"])
            self.put_row(row)

    def put_judge_records(self, records: Iterable[tuple[str, JudgeRecord]]) -> None:
        """Add judge records, each with the id of the item that it judges; of one judgement the last counts."""
        for item_id, record in records:
            row = made.of_judge(item_id, record)
            self._judges[record.judgement_id, record.judge] = row.light["content_hash"]
            self.put_row(row)

    def put_waiting(self, records: Iterable[JudgeRecord]) -> None:
        """Keep records whose item is not there yet."""
        for record in records:
            row = made.of_waiting(record)
            self._judges[record.judgement_id, record.judge] = row.light["content_hash"]
            self.put_row(row)

    def waiting(self, source_id: str | None = None) -> list[tuple[int, JudgeRecord]]:
        """What waits (for one source id), with the ids by which `join` takes it; own rows included."""
        return [(place, value_of(JudgeRecord, body)) for place, body in self.waiting_rows("judge", source_id)]

    def waiting_rows(self, kind: str, source_id: str | None = None) -> list[tuple[int, str]]:
        """The same of records of any kind, as (id, JSON text)."""
        self.flush()
        with self._db.seeing():
            return self._db.all(
                f"SELECT place, body FROM waiting_record WHERE {SEEN} AND kind = :kind AND joined_by IS NULL "
                "AND (:source IS NULL OR source_id = :source) ORDER BY place",
                {"own": self.import_id, "kind": kind, "source": source_id},
            )

    def join(self, waiting_ids: Iterable[int]) -> None:
        """Say that waiting records have found their item; they go when this import is published."""
        ids = list(waiting_ids)
        for start in range(0, len(ids), BATCH):
            with self._db.write() as connection:
                connection.executemany(
                    "UPDATE waiting_record SET joined_by = ? WHERE place = ?",
                    [(self.import_id, place) for place in ids[start : start + BATCH]],
                )

    def put_problems(self, problems: Iterable[Problem]) -> None:
        """Add what must wait for a decision."""
        for problem in problems:
            light = {"problem_id": problem.id, "code": problem.code, "body": text_of(problem.model_dump(mode="json"))}
            self.put_row(made.Made("problem", light))

    def put_decision(self, problem_id: str, choice: Choice) -> None:
        """Say how a problem was settled; it counts together with what this import wrote."""
        self.put_row(made.Made("decision", {"problem_id": problem_id, "choice": choice, "at": now()}))

    def put_item(
        self,
        kind: ItemKind,
        item_id: str,
        source_id: str,
        body: dict[str, Any] | str,
        *,
        revision: int = 1,
        title: str = "",
        parts: int = 0,
        search: Sequence[str] = (),
        digest: str | None = None,
        scenario: str = "",
        modality: str = "",
        categories: Sequence[str] = (),
        missing: int = 0,
    ) -> None:
        """Add an item of a kind that has no class of its own here: questions and comparisons.

        `body` is an object, or its JSON text. `digest` is the hash of its content where local facts in the body are no
        part of that; else the body's.
        """
        digest = content_hash(body) if digest is None else digest
        about = (scenario, modality, categories, missing)
        row = made.of_item(kind, item_id, source_id, body, revision, title, parts, search, digest, about)
        self.put_row(row, _SHORT)
        made.note(self._items, item_id, revision, digest)

    def put_predictions(self, predictions: Iterable[Prediction]) -> None:
        """Add models' outputs; of one question and model the first published stays, so callers look first."""
        for prediction in predictions:
            self.put_row(made.of_prediction(prediction), _SHORT)

    def put_prediction_run(self, run: PredictionRun) -> None:
        """Say which file of which model's outputs this import read."""
        self.put_row(made.of_prediction_run(run))

    def put_waiting_predictions(self, records: Iterable[WaitingPrediction]) -> None:
        """Keep outputs whose question is not there yet."""
        for record in records:
            self.put_row(made.of_waiting_prediction(record))

    def waiting_predictions(self) -> list[tuple[int, WaitingPrediction]]:
        """The outputs that wait, with the ids by which `join` takes them; own rows included."""
        return [(place, made.waiting_prediction(body)) for place, body in self.waiting_rows("prediction")]

    # --------------------------------------------------------------------------------------------------- the writing
    def put_row(self, row: made.Made, weight: float = 1.0) -> None:
        """Put one row of any table of imports."""
        if not self._open:
            raise ValueError("this import has ended")
        if row.body is not None and row.table in ("item", "responder"):
            row.body["body"] = self._db.places.kept_text(row.body["body"])
        self._pending.append(row)
        self._size += weight if row.body is None else 2 * weight
        if self._size >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what was put so far, in one transaction."""
        if not self._pending:
            return
        from annotator.store.bulk import transaction, write_rows

        pending, self._pending, self._size = self._pending, [], 0.0
        with self._db.locked(), transaction(self._bulk_engine(), self._db.file) as opened:
            for table in dict.fromkeys(row.table for row in pending):
                of_table = [row for row in pending if row.table == table]
                light, bodies = made.placed(opened, table, of_table, self.import_id)
                write_rows(opened, table, light)
                write_rows(opened, f"{table}_body", bodies)
        # The lock is taken and given many times in a row: let a click that waits for it have it.
        time.sleep(_BREATH_S)

    def _bulk_engine(self) -> Engine:
        if self._engine is None:
            from annotator.store.bulk import engine_on

            self._engine = engine_on(self._db.open_bulk())
        return self._engine

    def publish(self, report: ImportReport, facts: Mapping[str, Any] | None = None) -> None:
        """Make everything visible at once, and the report with it; then look again at labels on changed content.

        `facts` of the workspace that come with the import are written in the same transaction.
        """
        self.flush()
        with self._db.write() as connection:
            changed = made.changed_items(connection, self.import_id)
            connection.execute("DELETE FROM waiting_record WHERE joined_by = ?", (self.import_id,))
            connection.execute(
                "UPDATE import_run SET state = 'published', report = ?, source = CASE WHEN source = '' THEN ? ELSE "
                "source END WHERE import_id = ?",
                (text_of(report.model_dump(mode="json")), mended(report.source), self.import_id),
            )
            for name, value in (facts or {}).items():
                set_meta(connection, name, value)
            refresh_stale(connection, self._judged, changed)
        self._end()
        with self._db.write() as connection:
            # Never the label tables: figures from the first few labels make SQLite walk the whole log for every key.
            for table in (*IMPORTED, "import_run"):
                connection.execute(f"ANALYZE {table}")

    def abandon(self) -> None:
        """Remove everything that this import wrote."""
        self._pending = []
        try:
            remove(self._db, self.import_id)
        finally:
            self._end()

    def _end(self) -> None:
        self._open = False
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None
        self._db.close_bulk()
        self._lock.close()
