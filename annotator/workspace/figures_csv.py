"""Figures of a CSV file of anybody's ratings: columns item, rater, score, and if wanted cluster and weight.

A table of labels that was exported from a workspace is read as what it is.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from annotator.domain.rubric import CANNOT_JUDGE
from annotator.errors import WorldError
from annotator.report.figures import SCALE, Asked, Figure
from annotator.report.figures_agreement import agreement
from annotator.report.figures_calibration import calibration
from annotator.report.tables import Column, Table, UnitKey, column
from annotator.workspace.figures_csv_labels import columns_of, is_export, rating_of

NEEDED: Final = ("item", "rater", "score")
OWN: Final = (*NEEDED, "cluster", "weight")
SUBJECTS: Final = ("agreement", "calibration")
_LEVELS: Final = {text: level for level in SCALE for text in (f"{level:g}", f"{level:.1f}")}


@dataclass(frozen=True)
class Line:
    """Something about one line of the file; `line` is physical, from 1."""

    code: str
    line: int
    reason: str


@dataclass
class Ratings:
    """What a file says: the last score of each (rater, item), where it belongs, and what was refused."""

    path: Path
    scores: dict[tuple[str, str], float] = field(default_factory=dict)
    others: dict[tuple[str, str], dict[str, str]] = field(default_factory=dict)
    clusters: dict[str, str] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    levels: Mapping[str, float] = field(default_factory=lambda: _LEVELS)
    lines: list[Line] = field(default_factory=list)
    missing: int = 0

    def refuse(self, line: int, reason: str, code: str = "score_rejected") -> None:
        """Note a line that does not count."""
        self.lines.append(Line(code, line, reason))


def figures_of_csv(path: Path, subject: str, asked: Asked, judge: str | None = None) -> tuple[list[Figure], Ratings]:
    """The figures of a file; for calibration, `judge` names the rater that is one.

    Raises:
        WorldError: the file cannot be read, lacks a column, or has no such judge.
    """
    if subject not in SUBJECTS:
        raise WorldError(f"Figures of {subject} need a workspace: a CSV file gives agreement and calibration.")
    read = read_ratings(path)
    for name in asked.by:
        if name not in (*read.columns, "rater", "judge") or name in ("item", "score", "weight"):
            raise WorldError(f'{path} cannot be grouped by "{name}": it has no such column.')
    heard = {rater for rater, _ in read.scores}
    if subject == "calibration" and judge not in heard:
        raise WorldError(f"{path} has no rater {judge}: name the judge among its raters with --judge.")
    table = table_of_csv(read, asked.by, judge if subject == "calibration" else None)
    return (calibration if subject == "calibration" else agreement)(table, asked), read


def read_ratings(path: Path) -> Ratings:
    """Read a file. The last of several ratings by one rater counts; a blank score is a gap; the rest is refused.

    Raises:
        WorldError: not readable as UTF-8, empty, or without the needed columns.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WorldError(f"{path} is not UTF-8 (byte {error.start}): save it as CSV UTF-8.", path=str(path)) from error
    except OSError as error:
        raise WorldError(f"{path} cannot be read ({error.strerror}): check the path.", path=str(path)) from error
    read = Ratings(path)
    try:
        rows = _rows(text)
        head = next(rows, (0, []))[1]
        names = [name.strip() for name in head]
        lacking = [name for name in NEEDED if name not in names]
        if lacking:
            raise WorldError(
                f"{path} lacks the column {lacking[0]}: its first line must name item, rater and score.", path=str(path)
            )
        if exported := is_export(names):
            read.levels = {**_LEVELS, CANNOT_JUDGE: math.nan}
        read.columns = tuple(name for name in (columns_of(names) if exported else names) if name)
        for line, cells in rows:
            row = dict(zip(names, cells, strict=False))
            rating = row if not exported else rating_of(row) if len(cells) == len(names) else None
            if rating is not None:
                _take(read, line, rating)
    except csv.Error as error:
        raise WorldError(f"{path} is no CSV file ({error}).", path=str(path)) from error
    return read


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, each with the line it begins on."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    begun = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield begun, cells
        begun = reader.line_num + 1


def _take(read: Ratings, line: int, row: Mapping[str, str]) -> None:
    cell = {name: (row.get(name) or "").strip() for name in read.columns}
    item, rater, written = cell["item"], cell["rater"], cell["score"]
    if not item or not rater:
        read.refuse(line, f"the {'rater' if item else 'item'} is missing")
        return
    if written == "":
        read.missing += 1
        return
    level = read.levels.get(written)
    if level is None:
        read.refuse(line, f'the score "{written}" is none of 1 to 5')
        return
    if not _belongs(read, line, item, cell):
        return
    if (rater, item) in read.scores:
        read.refuse(line, f"{rater} rated {item} before: the last one counts", "judge_retry")
    read.scores[rater, item] = level
    read.others[rater, item] = {name: value for name, value in cell.items() if name not in NEEDED}


def _belongs(read: Ratings, line: int, item: str, cell: Mapping[str, str]) -> bool:
    """Note cluster and weight of an item; False where the line lacks them or says otherwise than one before."""
    if "cluster" in read.columns:
        if not cell["cluster"]:
            read.refuse(line, "the cluster is missing", "cluster_missing")
            return False
        if read.clusters.setdefault(item, cell["cluster"]) != cell["cluster"]:
            read.refuse(line, f"{item} was in cluster {read.clusters[item]} before", "cluster_differs")
            return False
    if "weight" in read.columns:
        weight = _number(cell["weight"])
        if weight is None:
            read.refuse(line, f'the weight "{cell["weight"]}" is no number of 0 or more', "weight_rejected")
            return False
        if read.weights.setdefault(item, weight) != weight:
            read.refuse(line, f"{item} had the weight {read.weights[item]:g} before", "weight_differs")
            return False
    return True


def _number(text: str) -> float | None:
    try:
        value = float(text) if text.isascii() else -1.0
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None


def table_of_csv(read: Ratings, by: tuple[str, ...], judge: str | None) -> Table:
    """The file as a table; a unit is an item. The judge's rows become its scores."""
    keys = sorted(read.scores)
    items = sorted({item for _, item in keys})
    place = {item: at for at, item in enumerate(items)}
    mine = [key for key in keys if key[0] != judge]
    raters = tuple(sorted({rater for rater, _ in mine}))
    judged = [key for key in keys if key[0] == judge and not math.isnan(read.scores[key])]
    named = [name for name in by if name not in ("rater", "judge")]
    of_units, of_labels = _columns(read, named, items, mine)
    clusters = None
    if "cluster" in read.columns:
        clusters = column([read.clusters[item] for item in items]).codes
    return Table(
        units=[UnitKey(item, "", "", "") for item in items],
        of_units=of_units,
        of_labels=of_labels,
        label_unit=_ints([place[item] for _, item in mine]),
        label_rater=_ints([raters.index(rater) for rater, _ in mine]),
        values=np.array([read.scores[key] for key in mine], dtype=np.float64),
        raters=raters,
        clusters=clusters,
        weights=np.array([read.weights[item] for item in items], dtype=np.float64) if read.weights else None,
        judges=() if judge is None else (judge,),
        judge_unit=_ints([place[item] for _, item in judged]),
        judge_code=np.zeros(len(judged), dtype=np.int64),
        judge_values=np.array([read.scores[key] for key in judged], dtype=np.float64),
    )


def _columns(
    read: Ratings, named: list[str], items: list[str], keys: list[tuple[str, str]]
) -> tuple[dict[str, Column], dict[str, Column]]:
    """A field that says one thing of each item belongs to units; one that differs between raters, to labels."""
    of_units, of_labels = {}, {}
    for name in named:
        said: dict[str, set[str]] = {}
        for (_, item), others in read.others.items():
            said.setdefault(item, set()).add(others[name])
        if all(len(values) == 1 for values in said.values()):
            of_units[name] = column([next(iter(said[item])) for item in items])
        else:
            of_labels[name] = column([read.others[key][name] for key in keys])
    return of_units, of_labels


def _ints(values: list[int]) -> Any:
    return np.array(values, dtype=np.int64)
