"""What a table could not hold as it was: one line for each such cell, and their counts by code."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, Final

from annotator.report.writing import json_line, remove, whole_file

SUFFIX: Final = ".manifest.jsonl"
_IN_MEMORY: Final = 1 << 20
_WHERE: Final = ("item", "dialogue_id", "responder", "target", "field", "rater", "phase")


def manifest_file(file: Path) -> Path:
    """Where the list beside a table stands."""
    return file.with_name(file.name + SUFFIX)


class Notes:
    """The list beside a table, written as the table is; ids, which come again and again, once for each id.

    Codes: `cell_formula` (an apostrophe, or the type of the cell, keeps it from running), `cell_id` (an apostrophe
    keeps an id from becoming a number or a date), `cell_escape` (it looked like a mark of ours, which is told apart),
    `control_chars`, `surrogate`, `cell_cut` (these three hold the whole text as `text`), `time_text`, `cell_long` (all
    of it is in the CSV file, and more than a spreadsheet shows).
    """

    def __init__(self, folder: Path) -> None:
        """Collect; what is much goes to a nameless file in `folder`."""
        self._held = tempfile.SpooledTemporaryFile(_IN_MEMORY, "w+b", dir=str(folder))
        self._ids: dict[tuple[str, str, str], dict[str, Any]] = {}
        self.counts: Counter[str] = Counter()

    def say(
        self, code: str, place: tuple[str, int, str], row: dict[str, Any], reason: str, text: str | None = None
    ) -> None:
        """One cell; `place` is sheet, row (from 1, the head counted) and column, `row` the cells as they should be."""
        self.counts[code] += 1
        self._held.write(json_line(_entry(code, place, row, reason, text)))

    def say_id(self, code: str, place: tuple[str, int, str], text: str, reason: str) -> None:
        """One cell with an id; the list tells its first row, and how many there are."""
        self.counts[code] += 1
        key = (code, place[2], text)
        if key in self._ids:
            self._ids[key]["cells"] += 1
        else:
            self._ids[key] = {**_entry(code, place, {}, reason, text), "cells": 1}

    def publish(self, file: Path) -> Path | None:
        """Put the list beside the table, in the place of an older one; None where there is nothing to tell.

        Raises:
            WorldError: when it cannot be written.
        """
        beside = manifest_file(file)
        if not self.counts:
            remove(beside)
            return None
        for entry in self._ids.values():
            self._held.write(json_line(entry))
        self._held.seek(0)
        with whole_file(beside) as handle:
            shutil.copyfileobj(self._held, handle)
        return beside

    def told(self) -> list[dict[str, Any]]:
        """The counts, for the metadata."""
        return [{"code": code, "count": n} for code, n in sorted(self.counts.items())]

    def close(self) -> None:
        """Let go of what was collected."""
        self._held.close()


def _entry(
    code: str, place: tuple[str, int, str], row: dict[str, Any], reason: str, text: str | None
) -> dict[str, Any]:
    sheet, number, column = place
    where = {name: row[name] for name in _WHERE if row.get(name) is not None}
    entry = {"code": code, "row": number, "column": column, **where, "reason": reason}
    if sheet:
        entry = {"code": code, "sheet": sheet, **entry}
    return entry if text is None else {**entry, "text": text}
