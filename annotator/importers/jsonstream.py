"""A file cut into records, whatever its name says: a JSON list, JSON Lines, or one object.

A list that is damaged is refused as a whole, since what is missing cannot be known; a damaged line harms only itself.
Elements are parsed one at a time out of a sliding window, so memory follows the longest record, not the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NoReturn

from annotator.cancel import CancelToken
from annotator.domain.report import ReportLine
from annotator.errors import Refused
from annotator.importers import oddities, text
from annotator.importers.base import Record, kind_of
from annotator.importers.jsonvalue import MAX_DEPTH, Parser, is_cut, may_be_cut, too_deep
from annotator.importers.window import Window

Shape = Literal["list", "lines", "object", "other"]
Found = Record | ReportLine

LINE_SUFFIXES: Final = (".jsonl", ".ndjson", ".jl")
# Lines of these codes mean that one record could not be used.
LOST_RECORD: Final = frozenset({"bad_line", "bad_bytes", "not_object", "too_deep", "cut_off", "id_damaged"})
_BLANK: Final = " \t\r\n" + text.BOM
_FIRST: Final = 16
_MANY_BLANKS: Final = re.compile(r"\s+")


@dataclass(slots=True)
class Reader:
    """Reads the records of one file."""

    file: text.TextFile
    token: CancelToken | None = None
    meter: text.Meter | None = None
    parser: Parser = field(default_factory=Parser)

    def records(self) -> Iterator[Found]:
        """The records in order, with lines about what was wrong in between.

        Raises:
            Refused: when the file as a whole cannot be used (the line that says why is handed out first), or when there
                is nothing in it.
        """
        if self.file.encoding not in ("utf-8",):
            yield self._line("encoding", f"read as {self.file.encoding}, not utf-8", line=None)
        head = text.head(self.file)
        if not head.strip(_BLANK):
            why = f'The file "{self.file.path}" holds nothing but blanks: export it again.'
            raise Refused(why, code="empty", path=str(self.file.path))
        shape = shape_of(head, self.file.path.suffix.lower())
        if shape == "lines":
            yield from self._lines()
            return
        if self.file.bad_offset is not None and not self.file.torn:
            yield self._line(
                "bad_bytes", "these bytes fit no accepted encoding", line=None, offset=self.file.bad_offset
            )
            self._refuse(
                f"holds bytes that fit no accepted encoding (first at byte {self.file.bad_offset})", "bad_bytes"
            )
        window = Window(text.chunks(self.file, self.token, self.meter))
        if shape == "list":
            yield from self._list(window)
        elif shape == "object":
            yield from self._objects(window)
        else:
            yield from self._other(window)

    # ---------------------------------------------------------------------------------------------- helpers

    def _line(self, code: str, reason: str, *, line: int | None, **more: Any) -> ReportLine:
        return ReportLine(code=code, file=self.file.name, line=line, reason=reason, **more)

    def _refuse(self, why: str, code: str) -> NoReturn:
        about = f'"{self.file.path}" {why}: nothing was imported from it; '
        if self._is_wide():
            about += "it looks like UTF-16 without its mark, save it as UTF-8."
        else:
            about += "export it again."
        raise Refused(about, code=code, path=str(self.file.path))

    def _is_wide(self) -> bool:
        """Whether every other one of the first characters is a NUL, as where UTF-16 is read byte by byte."""
        first = text.head(self.file, _FIRST)
        return len(first) > 2 and any(set(first[start::2]) == {"\0"} for start in (0, 1))

    def _value(self, value: Any, source: str, start: int, end: int, record: int, line: int) -> Iterator[Found]:
        """One parsed value as a record, preceded by what was noted while reading it."""
        if type(value) is dict and self.parser.plain and not oddities.may_hold(source, start, end):
            if source.count("[", start, end) + source.count("{", start, end) <= MAX_DEPTH:
                yield Record(value, record, line)
                return
        about: dict[str, Any] = {"line": line, "record": record}
        if too_deep(source, start, end):
            yield self._line("too_deep", f"nested deeper than {MAX_DEPTH}; the record is left out", **about)
            return
        value, not_finite, halves = self.parser.mend(value, source, start, end)
        if not isinstance(value, dict):
            yield self._line("not_object", f"expected an object, found {kind_of(value)}", **about)
            return
        for key in self.parser.repeated:
            yield self._line("dup_key", f'the key "{key}" occurs twice; the last value is used', field=key, **about)
        for name in not_finite:
            yield self._line("non_finite", "NaN or Infinity; the value counts as missing", field=name, **about)
        for name in halves:
            yield self._line("surrogate", "half of a surrogate pair; stored as U+FFFD", field=name, **about)
        for code, name, reason in oddities.look(value, source, start, end):
            yield self._line(code, reason, field=name, **about)
        yield Record(value, record, line, tuple(not_finite))

    # ------------------------------------------------------------------------------------------------ a list

    def _list(self, window: Window) -> Iterator[Found]:
        yield from self._blanks(window)
        window.take()  # the opening bracket
        record = 0
        char = yield from self._blanks(window)
        while char != "]" or record:
            yield from self._element(window, record)
            record += 1
            char = yield from self._blanks(window)
            if char == "]":
                break
            if char != ",":
                yield from self._broken(window, "a comma or the end of the list was expected")
            window.take()
            char = yield from self._blanks(window)
        window.take()
        if (yield from self._blanks(window)):
            yield from self._broken(window, "there is more after the end of the list")

    def _objects(self, window: Window) -> Iterator[Found]:
        record = 0
        while (yield from self._blanks(window)):
            yield from self._element(window, record)
            record += 1

    def _element(self, window: Window, record: int) -> Iterator[Found]:
        line = window.line
        while True:
            try:
                value, end = self.parser.read(window.text, window.pos)
            except RecursionError:
                yield self._line(
                    "too_deep", f"nested deeper than {MAX_DEPTH}; the record is left out", line=line, record=record
                )
                if not window.skip_value():
                    yield from self._broken(window, "the file ends in the middle of a record", cut=True)
                return
            except json.JSONDecodeError as error:
                if window.text[error.pos : error.pos + 1] == text.BOM:
                    window.drop(error.pos)
                    yield self._bom(window.line_at(error.pos))
                    continue
                if may_be_cut(error, len(window.text)) and window.fill():
                    continue
                yield from self._broken(window, error.msg, error.pos, cut=is_cut(error, window.text))
                return
            if end == len(window.text) and window.fill():
                continue  # a number might go on
            yield from self._value(value, window.text, window.pos, end, record, line)
            window.take(end - window.pos)
            return

    def _blanks(self, window: Window) -> Generator[ReportLine, None, str]:
        """Skip what means nothing; returns the next character, "" at the end."""
        while (char := window.next_char()) == text.BOM:
            yield self._bom(window.line)
            window.take()
        return char

    def _bom(self, line: int) -> ReportLine:
        return self._line("bom_inside", "a byte order mark stood inside the file; dropped", line=line)

    def _broken(self, window: Window, why: str, pos: int | None = None, *, cut: bool = False) -> Iterator[ReportLine]:
        """Say where the file is damaged, and refuse it."""
        at = window.pos if pos is None else pos
        ended = cut or not window.next_char()
        line, column = window.line_at(at), window.column_at(at)
        if ended:
            yield self._line("cut_off", f"the file ends in the middle of a record (line {line})", line=line)
            self._refuse(f"ends in the middle of a record (line {line})", "cut_off")
        yield self._line("bad_json", f"not JSON at line {line}, column {column}: {_sentence(why)}", line=line)
        self._refuse(f"is not JSON (line {line}, column {column}: {_sentence(why)})", "bad_json")

    def _other(self, window: Window) -> Iterator[Found]:
        """Neither list nor object: a lone value, or no JSON at all."""
        yield from self._blanks(window)
        while True:
            try:
                value, end = self.parser.read(window.text, window.pos)
            except json.JSONDecodeError as error:
                if may_be_cut(error, len(window.text)) and len(window.text) < 16 * text.CHUNK and window.fill():
                    continue
                yield from self._broken(window, error.msg, error.pos)
                return
            if end == len(window.text) and window.fill():
                continue
            break
        line, kind = window.line, kind_of(value)
        window.take(end - window.pos)
        if (yield from self._blanks(window)):
            yield from self._broken(window, "there is more after the first value")
        yield self._line("not_object", f"expected a list or an object, found {kind}", line=line, record=0)
        self._refuse(f"holds {kind} where a list of records is expected", "not_object")

    # ------------------------------------------------------------------------------------------------- lines

    def _lines(self) -> Iterator[Found]:
        record, good, torn = -1, 0, None
        trouble = ""
        for line in text.lines(self.file, self.token, self.meter):
            source = line.text
            if source is not None and not source.strip(_BLANK):
                if text.BOM in source:
                    yield self._bom(line.number)
                continue
            record += 1
            if torn is not None:  # what looked cut off is followed by more: a broken line
                yield torn
                torn = None
            for found in self._one_line(line, record):
                good += isinstance(found, Record)
                if isinstance(found, ReportLine) and found.code == "cut_off":
                    trouble = trouble or f"line {line.number} is not JSON"
                    torn = found.model_copy(update={"code": "bad_line"})
                else:
                    if isinstance(found, ReportLine) and found.code in LOST_RECORD:
                        trouble = trouble or f"line {line.number}: {found.reason}"
                    yield found
        if torn is not None:
            yield torn.model_copy(
                update={"code": "cut_off", "reason": f"line {torn.line} ends in the middle of a record"}
            )
        if not good and trouble:
            self._refuse(f"holds no record that can be read ({trouble})", "bad_json")

    def _one_line(self, line: text.Line, record: int) -> Iterator[Found]:
        source = line.text
        if source is None:
            reason = f"bytes that fit no accepted encoding at byte {line.bad_offset}; the line is left out"
            yield self._line("bad_bytes", reason, line=line.number, record=record, offset=line.bad_offset)
            return
        if too_deep(source):
            reason = f"nested deeper than {MAX_DEPTH}; the record is left out"
            yield self._line("too_deep", reason, line=line.number, record=record)
            return
        source = source.rstrip(" \t\r\n")
        while True:
            start = len(source) - len(source.lstrip(_BLANK))
            for _ in range(source.count(text.BOM, 0, start)):
                yield self._bom(line.number)
            try:
                value, end = self.parser.read(source, start)
                if end != len(source):
                    raise json.JSONDecodeError("Extra data", source, end)
            except json.JSONDecodeError as error:
                if source[error.pos : error.pos + 1] == text.BOM:
                    yield self._bom(line.number)
                    source = source[start : error.pos] + source[error.pos + 1 :]
                    continue
                cut = error.msg != "Extra data" and is_cut(error, source)
                reason = f"line {line.number} is not JSON at column {error.pos + 1}: {_sentence(error.msg)}"
                yield self._line("cut_off" if cut else "bad_line", reason, line=line.number, record=record)
                return
            yield from self._value(value, source, start, end, record, line.number)
            return


def _sentence(message: str) -> str:
    return _MANY_BLANKS.sub(" ", message[:1].lower() + message[1:])


def shape_of(head: str, suffix: str) -> Shape:
    """What a file is, by its beginning (not blank); the name only decides where the beginning leaves it open."""
    rows = [row for row in re.split(r"\r\n|\n|\r", head) if row.strip(_BLANK)][:2]
    first = rows[0].strip(_BLANK)
    second = rows[1].strip(_BLANK) if len(rows) > 1 else ""
    by_lines = suffix in LINE_SUFFIXES
    if first[0] == "[" and not by_lines:
        return "list"
    whole = too_deep(first) or _is_json(first)
    next_whole = second.startswith("{") and _is_json(second)
    if first[0] == "[":
        broken_line = not whole and next_whole and len(first) > 1
        return "lines" if (whole and second) or broken_line else "list"
    if first[0] == "{":
        if whole or (next_whole and len(first) > 1):
            return "lines"
        pretty = second.startswith(('"', "}")) or (not by_lines)
        return "object" if pretty else "lines"
    return "lines" if by_lines or (whole and next_whole) else "other"


def _is_json(row: str) -> bool:
    if too_deep(row):
        return False
    try:
        json.loads(row, strict=False)
    except ValueError:
        return False
    return True
