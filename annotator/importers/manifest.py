"""Asset manifests: JSON, JSON Lines or CSV with what is known about each media file."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from annotator.cancel import CancelToken
from annotator.domain.assets import AssetTerms
from annotator.domain.report import ReportLine
from annotator.errors import Refused
from annotator.importers import text
from annotator.importers.base import Context, Record, Sayings, kind_of, written

TABLE_SUFFIXES: Final = frozenset({".csv", ".tsv"})
_PATHS: Final = ("path", "asset", "asset_path", "file", "media_path", "clip_path", "image_path")
_HASHES: Final = ("sha256", "sha-256", "hash")
_TEXTS: Final = ("source", "terms", "attribution")
_TAKEDOWN: Final = ("takedown", "takedown_date", "takedown_reason")
_FORMS: Final = ("file", "reference", "none")
_HASH: Final = re.compile(r"[0-9a-fA-F]{64}")
_TRUE: Final = frozenset({"true", "yes", "y", "1", "taken down", "takedown"})
_FALSE: Final = frozenset({"", "false", "no", "n", "0", "none", "null"})
_KNOWN: Final = frozenset({*_PATHS, *_HASHES, *_TEXTS, *_TAKEDOWN, "release_form", "safety"})


def is_manifest(names: Any) -> bool:
    """Whether a record's fields (or a table's columns) are those of a manifest."""
    has = {str(name).strip().lower() for name in names}
    named = any(name in has for name in (*_PATHS, *_HASHES))
    return named and (bool(has & {"release_form", "takedown"}) or {"source", "terms"} <= has)


def columns_of(file: text.TextFile) -> list[str]:
    """The column names of a table; [] where it has no first line."""
    first = _first_line(file)
    return next(csv.reader([first], delimiter=_delimiter(first)), []) if first else []


def _first_line(file: text.TextFile) -> str:
    return next(iter(text.head(file, 1 << 16).lstrip(text.BOM).splitlines()), "")


def table_records(file: text.TextFile, token: CancelToken | None = None, meter: text.Meter | None = None) -> Iterator[
    Record | ReportLine
]:  # fmt: skip
    """The rows of a table as records; a row with more cells than the head has is told and kept as far as it goes.

    Raises:
        Refused: when it has no head, or its quoting is broken.
    """
    names = [name.strip() for name in columns_of(file)]
    if not any(names):
        raise Refused(f'The table "{file.path}" has no column names: export it with its head.', code="kind")
    rows = csv.reader(_lines(file, token, meter), delimiter=_delimiter(_first_line(file)))
    try:
        next(rows, None)
        for number, row in enumerate(r for r in rows if any(cell.strip() for cell in r)):
            if len(row) > len(names):
                reason = f"the row has {len(row)} cells, the head {len(names)}; what is over is left out"
                yield ReportLine(code="field_type", file=file.name, line=rows.line_num, record=number, reason=reason)
            yield Record(dict(zip(names, row, strict=False)), number, rows.line_num)
    except csv.Error as error:
        why = f'The table "{file.path}" cannot be read at line {rows.line_num} ({error}): export it again.'
        raise Refused(why, code="bad_line", path=str(file.path)) from error


def _lines(file: text.TextFile, token: CancelToken | None, meter: text.Meter | None) -> Iterator[str]:
    for line in text.lines(file, token, meter):
        if line.text is None:
            why = f'"{file.path}" holds bytes that are no text at line {line.number}: export it as UTF-8.'
            raise Refused(why, code="bad_bytes", path=str(file.path))
        yield line.text + "\n"


def _delimiter(head: str) -> str:
    return max(",;\t", key=head.count) if any(c in head for c in ",;\t") else ","


@dataclass(slots=True)
class ManifestReader:
    """Reads manifest records."""

    context: Context
    notes: list[str] = field(default_factory=list)

    def read(self, record: Record) -> Iterator[AssetTerms | ReportLine]:
        """The entries of a record: one, or those of its list `assets`; and lines about what was wrong in them."""
        inner = record.value.get("assets")
        if isinstance(inner, list) and not is_manifest(record.value):
            for entry in inner:
                if isinstance(entry, dict):
                    yield from self._entry(Record(entry, record.record, record.line))
            return
        yield from self._entry(record)

    def _entry(self, record: Record) -> Iterator[AssetTerms | ReportLine]:
        sayings = Sayings(self.context.file, record.record, record.line)
        value = {str(name).strip(): held for name, held in record.value.items()}
        fields = {name.lower(): held for name, held in value.items()}
        path = next((p for n in _PATHS if (p := _text(fields.get(n), n, sayings))), None)
        digest = next((h for n in _HASHES if (h := _text(fields.get(n), n, sayings))), None)
        if digest is not None and not _HASH.fullmatch(digest.removeprefix("sha256:")):
            sayings.say("field_type", f'"{digest[:80]}" is no SHA-256; left out', "sha256")
            digest = None
        if path is None and digest is None:
            sayings.say("asset_unnamed", "the entry names neither a path nor a sha256; left out")
            yield from sayings.lines
            return
        taken, date, reason = _takedown(fields, sayings)
        terms = AssetTerms(
            path=path,
            sha256=digest.removeprefix("sha256:").lower() if digest is not None else None,
            **{name: _text(fields.get(name), name, sayings) or "" for name in _TEXTS},
            release_form=_form(fields.get("release_form"), sayings),
            takedown=taken,
            takedown_date=date,
            takedown_reason=reason,
            safety=bool(_flag(fields.get("safety"))),
            extra={name: held for name, held in value.items() if name.lower() not in _KNOWN},
        )
        yield from sayings.lines
        yield terms


def _text(value: Any, name: str, sayings: Sayings) -> str | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, str):
        return value.strip()
    sayings.say("field_type", f"expected a text, found {kind_of(value)}; kept as text", name)
    return written(value)


def _form(value: Any, sayings: Sayings) -> Any:
    held = _text(value, "release_form", sayings)
    if held is None:
        return None
    if held.lower() in _FORMS:
        return held.lower()
    # The careful reading: what is not plainly released as a file is not passed on as one.
    sayings.say("field_type", f'"{held[:80]}" is none of file, reference, none; taken as none', "release_form")
    return "none"


def _flag(value: Any) -> bool | None:
    """True or false where a value plainly says so, None where it says something else."""
    if isinstance(value, bool):
        return value
    if value is None:
        return False
    if isinstance(value, int | float):
        return bool(value)
    folded = str(value).strip().lower()
    return True if folded in _TRUE else False if folded in _FALSE else None


def _takedown(fields: dict[str, Any], sayings: Sayings) -> tuple[bool, str, str]:
    """(taken down, date, reason). A date or a reason alone means a takedown: what may be, is hidden."""
    held = fields.get("takedown")
    if isinstance(held, dict):
        inner = {str(k).lower(): v for k, v in held.items()}
        fields = {**fields, "takedown_date": inner.get("date"), "takedown_reason": inner.get("reason")}
        held = inner.get("status", inner.get("takedown", inner.get("value", bool(inner))))
    date = _text(fields.get("takedown_date"), "takedown_date", sayings) or ""
    reason = _text(fields.get("takedown_reason"), "takedown_reason", sayings) or ""
    flag = _flag(held)
    if flag is None:
        reason = reason or str(held).strip()
        flag = True
    stated = "takedown" in fields and held is not None and not (isinstance(held, str) and not held.strip())
    return (flag if stated else bool(date or reason)), date, reason
