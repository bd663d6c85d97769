"""From domain values to the rows of an import, and what an import needs to know of the rows that are there."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

from annotator.domain.base import content_hash
from annotator.domain.items import Dialogue, Responder
from annotator.domain.judge import JudgeRecord
from annotator.domain.questions import NO_ANSWER, Prediction
from annotator.domain.queue import fold_text
from annotator.store.codec import body_of, mended, text_of
from annotator.store.values import Known, PredictionRun, WaitingPrediction
from annotator.store.visible import NOBODY, SEEN

if TYPE_CHECKING:
    from sqlalchemy import Connection

_Key = TypeVar("_Key", bound=Hashable)
LETTERS: Final = ("official", "vlmevalkit", "careful")
# Between two texts of the search column, so that nothing is found across them by a person's typing.
_BETWEEN = "\x1f"
_PLACED = frozenset(
    {"item", "responder", "judge_record", "attribution_record", "waiting_record", "prediction", "prediction_run"}
)
_KEYS = {
    "item": ("item_id", "revision"),
    "responder": ("item_id", "responder", "revision"),
    "prediction": ("item_id", "model"),
    "problem": ("problem_id",),
    "decision": ("problem_id",),
}


@dataclass(slots=True)
class Made:
    """A row of `table` without its place and import, and what goes to `<table>_body` with it."""

    table: str
    light: dict[str, Any]
    body: dict[str, Any] | None = None


def of_dialogue(dialogue: Dialogue) -> Made:
    """The rows of a dialogue."""
    texts = [dialogue.source_id, dialogue.item_id]
    for turn in dialogue.turns:
        texts += [turn.question, turn.reference]
    texts += [entry.text for entry in dialogue.unanswered]
    light = {
        "item_id": dialogue.item_id,
        "revision": dialogue.revision,
        "kind": "dialogue",
        "source_id": mended(dialogue.source_id),
        "content_hash": dialogue.content_hash(),
        "title": mended(dialogue.title()),
        "scenario": mended(dialogue.scenario),
        "modality": dialogue.modality,
        "categories": text_of(list(dialogue.capabilities())),
        "spoken": int(dialogue.spoken),
        "parts": len(dialogue.turns),
        "missing": missing_media(dialogue),
    }
    return Made("item", light, {"search": search_text(texts), "body": body_of(dialogue)})


def missing_media(dialogue: Dialogue) -> int:
    """How many distinct evidence files of a dialogue are not there."""
    return len({asset.raw for turn in dialogue.turns for asset in turn.evidence if asset.status == "missing"})


def of_responder(responder: Responder) -> Made:
    """The rows of a responder's answers."""
    texts = [answer.text for answer in responder.answers if answer.text]
    for turn in responder.turns or ():
        texts += [turn.question, turn.reference]
    light = {
        "item_id": responder.item_id,
        "responder": mended(responder.responder),
        "revision": responder.revision,
        "content_hash": responder.content_hash(),
        "answered": sum(answer.text is not None for answer in responder.answers),
    }
    return Made("responder", light, {"search": search_text(texts), "body": body_of(responder)})


def of_judge(item_id: str, record: JudgeRecord) -> Made:
    """The row of a judge record."""
    light = _judge_light(record)
    light |= {"item_id": item_id, "responder": mended(record.responder), "target": mended(record.target)}
    return Made("judge_record", light | {"status": mended(record.status)})


def of_waiting(record: JudgeRecord) -> Made:
    """The row of a judge record whose item is not there."""
    return Made(
        "waiting_record", _judge_light(record) | {"kind": "judge", "source_id": record.source_id, "joined_by": None}
    )


def _judge_light(record: JudgeRecord) -> dict[str, Any]:
    return {
        "judgement_id": mended(record.judgement_id),
        "judge": mended(record.judge),
        "content_hash": content_hash(record.raw),
        "body": body_of(record),
    }


def of_item(
    kind: str,
    item_id: str,
    source_id: str,
    body: dict[str, Any] | str,
    revision: int,
    title: str,
    parts: int,
    search: Sequence[str],
    digest: str,
    about: tuple[str, str, Sequence[str], int],
) -> Made:
    """The rows of an item of another kind; `about` is scenario, modality, categories, missing files."""
    scenario, modality, categories, missing = about
    light = {
        "item_id": item_id,
        "revision": revision,
        "kind": kind,
        "source_id": mended(source_id),
        "content_hash": digest,
        "title": mended(title),
        "scenario": mended(scenario),
        "modality": modality,
        "categories": _categories(tuple(categories)),
        "spoken": 0,
        "parts": parts,
        "missing": missing,
    }
    return Made(
        "item",
        light,
        {
            "search": search_text([source_id, item_id, *search]),
            "body": body if isinstance(body, str) else text_of(body),
        },
    )


@lru_cache(maxsize=1024)
def _categories(names: tuple[str, ...]) -> str:
    return text_of(list(names))


def of_prediction(prediction: Prediction) -> Made:
    """The rows of one model's output for one question; letters of what is no answer are kept out of the light row."""
    no_answer = prediction.state in NO_ANSWER
    letters = {name: None if no_answer else prediction.letter(name) for name in LETTERS}
    light = {"item_id": prediction.item_id, "model": mended(prediction.model), "state": prediction.state, **letters}
    light["content_hash"] = output_hash(prediction.output)
    return Made("prediction", light, {"body": body_of(prediction)})


def of_prediction_run(run: PredictionRun) -> Made:
    """The row that names a file of outputs."""
    return Made("prediction_run", {**run._asdict(), "model": mended(run.model), "file": mended(run.file)})


def of_waiting_prediction(record: WaitingPrediction) -> Made:
    """The row of an output whose question is not there."""
    body = text_of(record._asdict())
    light = {
        "kind": "prediction", "source_id": mended(record.file), "judgement_id": str(record.row),
        "judge": mended(record.model), "content_hash": output_hash(body), "body": body, "joined_by": None,
    }  # fmt: skip
    return Made("waiting_record", light)


def waiting_prediction(body: str) -> WaitingPrediction:
    """The waiting output of a row's body."""
    return WaitingPrediction(**json.loads(body))


def output_hash(output: str | None) -> str:
    """What tells one output from another (null is no text)."""
    text = "\x00" if output is None else output
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def search_text(texts: Iterable[str]) -> str:
    """Texts as they are searched; folded in one go, since nothing composes across the separator."""
    whole = _BETWEEN.join(texts)
    if whole.isascii():
        return whole.lower()  # which is all that folding does to it
    return fold_text(mended(whole))


def placed(
    opened: Connection, table: str, rows: Sequence[Made], run: int
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The light rows and the bodies with their places and their import."""
    if table in _KEYS:  # said twice in one import: the last word counts
        key = itemgetter(*_KEYS[table])
        rows = list({key(row.light): row for row in rows}.values())
    light = [{**row.light, "import_id": run} for row in rows]
    if table not in _PLACED:
        return light, []
    first = int(opened.exec_driver_sql(f"SELECT coalesce(max(place), 0) + 1 FROM {table}").scalar_one())
    bodies = []
    for place, (row, whole) in enumerate(zip(light, rows, strict=True), start=first):
        row["place"] = place
        if whole.body is not None:
            bodies.append({**whole.body, "place": place})
    return light, bodies


def known_items(connection: sqlite3.Connection) -> dict[str, dict[int, str]]:
    """Revision to content hash for each published item."""
    found: dict[str, dict[int, str]] = {}
    rows = connection.execute(f"SELECT item_id, revision, content_hash FROM item WHERE {SEEN}", {"own": NOBODY})
    for item_id, revision, digest in rows:
        note(found, item_id, revision, digest)
    return found


def known_responders(connection: sqlite3.Connection) -> dict[tuple[str, str], dict[int, str]]:
    """The same for each responder of each item."""
    found: dict[tuple[str, str], dict[int, str]] = {}
    rows = connection.execute(
        f"SELECT item_id, responder, revision, content_hash FROM responder WHERE {SEEN}", {"own": NOBODY}
    )
    for item_id, responder, revision, digest in rows:
        note(found, (item_id, responder), revision, digest)
    return found


def known_judge(connection: sqlite3.Connection, judgement_id: str, judge: str) -> str | None:
    """The content hash of the last published record of a judgement, counted or waiting."""
    for table, kind in (("judge_record", ""), ("waiting_record", "AND kind = 'judge' ")):
        found = connection.execute(
            f"SELECT content_hash FROM {table} WHERE judgement_id = :id AND judge = :judge AND {SEEN} {kind}"
            "ORDER BY place DESC LIMIT 1",
            {"id": judgement_id, "judge": judge, "own": NOBODY},
        ).fetchone()
        if found is not None:
            return str(found[0])
    return None


def known_judges(connection: sqlite3.Connection, most: int) -> dict[tuple[str, str], str] | None:
    """The same of every published record; None where there are more than `most`."""
    found: dict[tuple[str, str], str] = {}
    for table, kind in (
        ("waiting_record", "AND kind = 'judge' "),
        ("judge_record", ""),
    ):  # what counts has the last word
        rows = connection.execute(
            f"SELECT judgement_id, judge, content_hash FROM {table} WHERE {SEEN} {kind}ORDER BY place LIMIT :most",
            {"own": NOBODY, "most": most + 1},
        ).fetchall()
        if len(rows) > most:
            return None
        found.update(((judgement_id, judge), digest) for judgement_id, judge, digest in rows)
    return found


def note(held: dict[_Key, dict[int, str]], key: _Key, revision: int, digest: str) -> None:
    """Remember a revision."""
    held.setdefault(key, {})[revision] = digest


def known(revisions: dict[int, str] | None) -> Known | None:
    """What is known of something, as its callers want it."""
    if not revisions:
        return None
    newest = max(revisions)
    return Known(newest, revisions[newest], frozenset(revisions.values()))


def changed_items(connection: sqlite3.Connection, run: int) -> list[str]:
    """The items that have labels and to which this import brings content, not only newly looked up local facts."""
    found: set[str] = set()
    for table, same in (("item", ""), ("responder", "AND older.responder = new.responder ")):
        rows = connection.execute(
            f"SELECT DISTINCT new.item_id FROM {table} AS new WHERE new.import_id = :run "
            "AND EXISTS (SELECT 1 FROM label_current WHERE item_id = new.item_id) "
            f"AND NOT EXISTS (SELECT 1 FROM {table} AS older WHERE older.item_id = new.item_id {same}"
            "AND older.revision = new.revision AND older.import_id IN "
            "(SELECT import_id FROM import_run WHERE state = 'published'))",
            {"run": run},
        )
        found.update(row[0] for row in rows)
    return sorted(found)
