"""One JSON text to one value, with everything noted that a plain parser passes over in silence.

Repeated keys (the last value is used), NaN and infinities (the value counts as missing), halves of surrogate pairs
(stored as U+FFFD) and nesting that no honest record has.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any, Final

MAX_DEPTH: Final = 200
_LONGEST_INT: Final = 4000  # Python refuses to read longer ones by itself
_WORDS: Final = ("true", "false", "null", "NaN", "Infinity", "-Infinity")
_HALF_NUMBER: Final = re.compile(r"\.|[eE][+-]?")
_HALF_WRITTEN: Final = re.compile(r"\\?u?[0-9a-fA-F]{0,4}")
_CUT_ZONE: Final = 16  # the longest thing that may be cut: half an escape, `-Infinity`
_HALF_ESCAPE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_HALF: Final = re.compile("[\ud800-\udfff]")
# Possessive, so that a text that is cut off inside a string costs no backtracking.
_BRACKET: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


class WrittenFloat(float):
    """A number with a fraction or exponent that remembers how it was written (`1.0`, `1e5`)."""

    __slots__ = ("text",)
    text: str


class _NotFinite:
    """Stands where NaN or an infinity stood until its place is known."""


_NOT_FINITE: Final = _NotFinite()


class Parser:
    """A JSON reader with notes; the notes are those of the last text read."""

    def __init__(self) -> None:
        """Prepare the decoder once; its hooks write into this object."""
        self.repeated: list[str] = []
        self._not_finite = False
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._pairs,
            parse_float=self._float,
            parse_int=_integer,
            parse_constant=self._constant,
            strict=False,  # a raw control character in a text is reported, not refused
        )

    def _pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.repeated.append(key)
                seen.add(key)
        return value

    def _float(self, text: str) -> Any:
        value = WrittenFloat(text)
        if math.isinf(value):
            return self._constant(text)
        value.text = text
        return value

    def _constant(self, text: str) -> Any:
        self._not_finite = True
        return _NOT_FINITE

    def read(self, text: str, start: int) -> tuple[Any, int]:
        """The value that begins at `start`, and where it ends.

        Raises:
            json.JSONDecodeError: where it is no JSON; its `pos` counts in `text`.
            RecursionError: for nesting beyond what the interpreter allows.
        """
        self.repeated = []
        self._not_finite = False
        return self._decoder.raw_decode(text, start)

    @property
    def plain(self) -> bool:
        """Whether there is nothing to note about the last text but what its escapes may hide."""
        return not (self.repeated or self._not_finite)

    def mend(self, value: Any, text: str, start: int, end: int) -> tuple[Any, list[str], list[str]]:
        """The value without NaN and halves of pairs, and the fields in which each stood.

        `text[start:end]` is what it was read from: only where that shows an escaped half is the value walked.
        """
        not_finite: list[str] = []
        halves: list[str] = []
        if self._not_finite or _HALF_ESCAPE.search(text, start, end):
            value = _mend(value, "", not_finite, halves)
        return value, not_finite, halves


def _integer(text: str) -> int | str:
    return int(text) if len(text) <= _LONGEST_INT else text


def _mend(value: Any, path: str, not_finite: list[str], halves: list[str]) -> Any:
    if isinstance(value, dict):
        return {
            _whole(k, f"{path}.{k}"[1:], halves): _mend(v, f"{path}.{k}", not_finite, halves) for k, v in value.items()
        }
    if isinstance(value, list):
        return [_mend(v, f"{path}[{i}]", not_finite, halves) for i, v in enumerate(value)]
    if isinstance(value, str):
        return _whole(value, path.removeprefix("."), halves)
    if value is _NOT_FINITE:
        not_finite.append(path.removeprefix("."))
        return None
    return value


def _whole(text: str, path: str, halves: list[str]) -> str:
    if not _HALF.search(text):
        return text
    halves.append(_HALF.sub("\ufffd", path))
    return _HALF.sub("\ufffd", text)


def may_be_cut(error: json.JSONDecodeError, length: int) -> bool:
    """Whether more text at the end could mend this error."""
    return error.pos >= length - _CUT_ZONE or error.msg.startswith("Unterminated string")


def is_cut(error: json.JSONDecodeError, text: str) -> bool:
    """Whether the text is the beginning of something proper: it breaks off, and holds no mistake before that."""
    tail = text[error.pos :].rstrip()
    if error.msg.startswith("Unterminated string") or not tail:
        return True
    if error.msg.startswith("Invalid \\u"):
        return bool(_HALF_WRITTEN.fullmatch(tail))
    return any(word.startswith(tail) for word in _WORDS) or bool(_HALF_NUMBER.fullmatch(tail))


def too_deep(text: str, start: int = 0, end: int | None = None) -> bool:
    """Whether brackets are nested deeper than `MAX_DEPTH`; exact, and cheap for ordinary records."""
    stop = len(text) if end is None else end
    if text.count("[", start, stop) + text.count("{", start, stop) <= MAX_DEPTH:
        return False
    depth = 0
    for match in _BRACKET.finditer(text, start, stop):
        mark = match.group()
        if mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                return True
        elif mark in "]}":
            depth -= 1
    return False


def strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text inside a value with its field, depth first."""
    if isinstance(value, str):
        yield path.removeprefix("."), value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from strings(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from strings(inner, f"{path}[{index}]")
