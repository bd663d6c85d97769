"""Labels of invented dialogues, and tables of labels read back by libraries that know nothing of this program."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as pq

from annotator.store import Draft, Store, create_store
from annotator.workspace.importing import import_source
from tests.helpers.imports import CASES, video, write

AT = "2026-03-02T09:30:00.000001Z"
WHOLE = ("index", "score", "item_revision", "active_ms")


def case(name: str) -> dict[str, Any]:
    """A case by id."""
    held = json.loads((CASES / "export-cases.json").read_text(encoding="utf-8"))["cases"]
    return next(c for c in held if c["id"] == name)


def data(name: str) -> Any:
    """What a case's file holds."""
    return json.loads((CASES / case(name)["files"][0]).read_text(encoding="utf-8"))


def with_dialogues(folder: Path, turns: dict[str, int], name: str = "workspace") -> Store:
    """A workspace with dialogues of so many turns, by id; to be closed."""
    source = write(folder / f"{name}.json", [video(key, count) for key, count in turns.items()])
    store = create_store(folder / name, rater="tester")
    assert not import_source(store, source).refused
    return store


def say(store: Store, dialogue: str, field: str, values: list[Any], rater: str = "lin") -> None:
    """Say the values of one field, one on each turn."""
    item = store.items.resolve(dialogue)
    drafts = [
        Draft(rater=rater, item_id=item, target=f"turn:{k}", field=field, value=v, responder="reference", at=AT)
        for k, v in enumerate(values)
        if v is not None
    ]
    store.labels.append(drafts)


def csv_rows(file: Path) -> list[dict[str, str]]:
    """The rows of a CSV file as its cells stand there."""
    text = file.read_bytes().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def xlsx_rows(file: Path) -> list[dict[str, Any]]:
    """The rows of all sheets as openpyxl's cells."""
    rows = []
    for sheet in openpyxl.load_workbook(file).worksheets:
        held = sheet.iter_rows()
        names = [cell.value for cell in next(held)]
        rows += [dict(zip(names, row, strict=True)) for row in held]
    return rows


def parquet_rows(file: Path) -> list[dict[str, Any]]:
    """The rows of a parquet file."""
    return pq.read_table(file).to_pylist()


def said(store: Store) -> set[tuple[Any, ...]]:
    """The current values, as what they are about and say."""
    return {
        (*held.current.key, json.dumps(held.current.value, sort_keys=True)) for held in store.labels.current()
    }  # fmt: skip
