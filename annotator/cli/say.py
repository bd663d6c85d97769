"""Printing: tables for people, JSON for programs, sentences on the error stream."""

from __future__ import annotations

import io
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, Final

_ELLIPSIS: Final = "…"
_COLUMNS: Final = 120
_HIDDEN: Final = frozenset({"Cc", "Cf", "Zl", "Zp", "Cs"})


def prepare_streams() -> None:
    """Let no text fail at the terminal: what its encoding cannot hold is written as an escape."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def as_json(value: Any) -> None:
    """One JSON value on the output, readable, with real characters where the output can hold them; never NaN."""
    import json

    plain = "utf" not in (sys.stdout.encoding or "").lower()
    print(json.dumps(value, ensure_ascii=plain, indent=2, allow_nan=False))


def complain(sentence: str) -> None:
    """One sentence, in one line, on the error stream."""
    print(" ".join(clean(sentence).split()), file=sys.stderr)


def line(text: str = "") -> None:
    """A line for people on the output."""
    print(clean(text))


def counted(number: int, word: str) -> str:
    """A number with its word: `1 row`, `7,340 rows`; a word that ends in y takes -ies."""
    if number == 1:
        return f"1 {word}"
    return f"{number:,} {word[:-1]}ies" if word.endswith("y") else f"{number:,} {word}s"


def clean(text: str) -> str:
    """Text that cannot command a terminal: control and direction marks become visible escapes, but tab and newline."""
    if text.isprintable():
        return text
    return "".join(
        c if c in "\t\n" or unicodedata.category(c) not in _HIDDEN else f"\\u{ord(c):04x}" for c in text
    )  # fmt: skip


def width(text: str) -> int:
    """How many columns of a terminal a text takes (Chinese characters take two, combining marks none)."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )  # fmt: skip


def cut(text: str, columns: int) -> str:
    """A text in one line, cut with a mark to at most so many columns."""
    flat = " ".join(clean(text).split())
    if width(flat) <= columns:
        return flat
    taken = 0
    for place, character in enumerate(flat):
        taken += width(character)
        if taken > columns - 1:
            return flat[:place] + _ELLIPSIS
    return flat


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Columns aligned on the left, numbers on the right, cut to the terminal; whole where the output is no terminal."""
    cells = [["" if value is None else str(value) for value in row] for row in rows]
    limit = shutil.get_terminal_size((_COLUMNS, 24)).columns if sys.stdout.isatty() else 10_000
    shown = [[cut(text, limit) for text in row] for row in [list(head), *cells]]
    right = [bool(cells) and all(_is_number(row[i]) for row in cells) for i in range(len(head))]
    widths = [max(width(row[i]) for row in shown) for i in range(len(head))]
    for row in shown:
        parts = [_padded(text, w, r) for text, w, r in zip(row, widths, right, strict=True)]
        print(cut_line("  ".join(parts).rstrip(), limit))


def cut_line(text: str, columns: int) -> str:
    """An aligned line, cut to the terminal without touching its blanks."""
    if width(text) <= columns:
        return text
    taken = 0
    for place, character in enumerate(text):
        taken += width(character)
        if taken > columns - 1:
            return text[:place] + _ELLIPSIS
    return text


def _is_number(text: str) -> bool:
    return text.replace(",", "").replace(" ", "").isdecimal() or not text


def _padded(text: str, columns: int, right: bool) -> str:
    blanks = " " * (columns - width(text))
    return blanks + text if right else text + blanks


class Progress:
    """How far a long job is, in one line of the error stream that is written over; silent where nobody looks."""

    def __init__(self, what: str, unit: str = "") -> None:
        """`what` is done; `unit` is "bytes" or names what is counted."""
        self._what = what
        self._unit = unit
        self._shown = -1
        self._wanted = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __call__(self, done: int, total: int) -> None:
        """Called from the working thread with what is done and what there is (0 = not known)."""
        if not self._wanted:
            return
        permille = done * 1000 // total if total else done
        if permille == self._shown:
            return
        self._shown = permille
        amount = f"{done * 100 // total:3d} %" if total else f"{done:,} {self._unit}"
        print(f"\r{self._what} {amount}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away again."""
        if self._shown >= 0:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
