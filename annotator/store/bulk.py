"""Bulk writing through the SQLModel tables: SQLAlchemy Core inserts on a connection with our settings.

This is the one module beside `tables` that imports SQLAlchemy; it is imported when the first import begins.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, insert
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool
from sqlmodel import SQLModel

from annotator.store import tables, tables_attributions, tables_predictions, tables_spots
from annotator.store.faults import explain

TABLES: Final[dict[str, type[SQLModel]]] = {
    "item": tables.Item,
    "item_body": tables.ItemBody,
    "responder": tables.Responder,
    "responder_body": tables.ResponderBody,
    "judge_record": tables.JudgeRow,
    "attribution_record": tables_attributions.AttributionRow,
    "spot_draw": tables_spots.SpotDrawRow,
    "waiting_record": tables.WaitingRow,
    "problem": tables.ProblemRow,
    "decision": tables.DecisionRow,
    "prediction": tables_predictions.PredictionRow,
    "prediction_body": tables_predictions.PredictionBody,
    "prediction_run": tables_predictions.PredictionRunRow,
}


def engine_on(connection: sqlite3.Connection) -> Engine:
    """An engine that uses this one connection, each transaction begun with `BEGIN IMMEDIATE`."""
    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)

    def begin(opened: Connection) -> None:
        opened.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "begin", begin)
    return engine


@contextmanager
def transaction(engine: Engine, file: Path) -> Iterator[Connection]:
    """One transaction; the world's faults come out as sentences about `file`."""
    try:
        with engine.begin() as opened:
            yield opened
    except DBAPIError as error:
        known = explain(error.orig, file) if error.orig is not None else None
        if known is None:
            raise
        raise known from error


def write_rows(opened: Connection, table: str, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows, all with the same columns; one that this import wrote before under the same key is replaced."""
    if rows:
        statement, values = _insert(table, tuple(rows[0]))
        opened.exec_driver_sql(statement, [values(row) for row in rows])


@lru_cache(maxsize=64)
def _insert(table: str, columns: tuple[str, ...]) -> tuple[str, Callable[[dict[str, Any]], tuple[Any, ...]]]:
    """The statement's text, compiled once from the table's class, and what takes its parameters out of a row.

    Given as an expression it would be looked up, and its parameters be walked in Python, for each batch anew: that took
    as long as SQLite itself. Columns here are texts and whole numbers, which need no conversion.
    """
    compiled = insert(TABLES[table]).prefix_with("OR REPLACE").compile(dialect=dialect(), column_keys=columns)
    names = compiled.positiontup or []
    return str(compiled), itemgetter(*names)
