"""Texts in the cells of a spreadsheet: what would run, what would be changed, what does not fit, and the way back.

In a CSV file a cell has no type: what begins like a formula would run, and an id of digits would become a number. Such
a text gets one apostrophe in front of it, and so does a text that is one already behind its own apostrophes; so
exactly one apostrophe is taken away on reading, and every text comes back as it was.

In an XLSX file every text is a text cell; there nothing is put in front of it. What XML cannot hold is written as
`_xHHHH_` (ECMA-376, part 1, 22.9.2.19, as Excel does), and so is the first character of what only looks like that.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from functools import lru_cache
from typing import Final

MARK: Final = "'"
FORMULA_STARTS: Final = frozenset("=+-@\t\r\n＝＋－＠")
CELL_UNITS: Final = 32_767  # of UTF-16, in one cell of Excel
LABEL_COLUMNS: Final[dict[str, str]] = {
    "dialogue_id": "id", "item": "text", "kind": "text", "responder": "id", "target": "text", "level": "text",
    "index": "whole", "field": "text", "score": "whole", "value": "value", "value_type": "text", "rater": "id",
    "phase": "text", "at": "text", "rubric": "text", "item_revision": "whole", "lang": "text", "active_ms": "whole",
    "stale": "flag",
}  # fmt: skip
"""The columns of a table of labels in their order, and what stands in them.

`id` is a text that a spreadsheet must not take for a number, `text` any text, `whole` a whole number, `flag` true or
false, `value` what `value_type` says: `text`, `number`, `flag`, `json` (a list or an object, as JSON), or `cut` (the
beginning of a text that no cell can hold).
"""
CUT: Final = "cut"

_PLAIN_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,14}")
# What a spreadsheet may take for a number, an amount, a date or a time: digits with signs, or with a month's name.
# One mark too many does no harm; each pattern takes a time that grows with the text alone.
_NUMBER_LIKE: Final = re.compile(r"[\s\d.,:/\-+()%$¥€£₩年月日时分秒eapm]*")
_MONTH_LIKE: Final = re.compile(
    r"[\s\d,./\-]*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s\d,./\-:]*(?:[ap]m)?\s*"
)
_CHINESE_TIME: Final = re.compile(r"(?:上午|下午|星期|周)[\s\d:时分秒一二三四五六日天]*")
_WORDS: Final = frozenset({"true", "false"})
_CONTROL: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff"
_NOT_XML: Final = re.compile(f"[{_CONTROL}]")
# What is written as an escape: such characters, and a low line where it, with what comes, would look like an escape.
_TO_ESCAPE: Final = re.compile(f"[{_CONTROL}]|_(?=x[0-9A-Fa-f]{{4}}[_{_CONTROL}])")
_ESCAPED: Final = re.compile("_x([0-9A-Fa-f]{4})_")
_HALVES: Final = re.compile("[\ud800-\udfff]")
_JOINED: Final = frozenset("\u200d\ufe0e\ufe0f")


def starts_formula(text: str) -> bool:
    """Whether a spreadsheet may run a text, or take it for a formula."""
    return text[:1] in FORMULA_STARTS


@lru_cache(maxsize=1 << 12)
def changed_as_id(text: str) -> bool:
    """Whether a spreadsheet would show an id otherwise than it is: long digits, leading zeros, dates, TRUE.

    A whole number of at most 15 digits stays what it is, and is not meant.
    """
    if not text or _PLAIN_NUMBER.fullmatch(text):
        return False
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.strip() in _WORDS or _CHINESE_TIME.fullmatch(folded.strip()):
        return True
    if not any(c.isdigit() for c in folded):
        return False
    return bool(_NUMBER_LIKE.fullmatch(folded) or _MONTH_LIKE.fullmatch(folded))


def needs_mark(text: str, *, of_id: bool = False) -> bool:
    """Whether a text gets an apostrophe in a CSV file; `of_id` where it names something."""
    bare = text.lstrip(MARK) if text[:1] == MARK else text
    return bare[:1] in FORMULA_STARTS or (of_id and changed_as_id(bare))


def marked(text: str, *, of_id: bool = False) -> str:
    """A text as it stands in a CSV file."""
    return MARK + text if needs_mark(text, of_id=of_id) else text


def unmarked(cell: str, *, of_id: bool = False) -> str:
    """The text of a cell of a CSV file: the way back from `marked`."""
    return cell[1:] if cell[:1] == MARK and needs_mark(cell, of_id=of_id) else cell


def whole(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair, which no file in UTF-8 can hold."""
    return _HALVES.sub("\ufffd", text)


def has_control(text: str) -> bool:
    """Whether XML, and so a cell of an XLSX file, cannot hold a character of this text."""
    return _NOT_XML.search(text) is not None


def looks_escaped(text: str) -> bool:
    """Whether a part of this text would be read as an escaped character."""
    return any(found.group() == "_" for found in _TO_ESCAPE.finditer(text))


@lru_cache(maxsize=1 << 15)
def is_tame(text: str, of_id: bool = False) -> bool:
    """Whether a text stands in every cell as it is, but for its length; for short texts that come again and again."""
    return not (needs_mark(text, of_id=of_id) or _TO_ESCAPE.search(text) or _HALVES.search(text))


def escaped(text: str) -> str:
    """A text as it stands in a cell of an XLSX file, before XML's own signs are written."""
    return _TO_ESCAPE.sub(lambda found: f"_x{ord(found.group()):04X}_", text)


def unescaped(cell: str) -> str:
    """The text of a cell of an XLSX file: the way back from `escaped`."""
    return _ESCAPED.sub(lambda found: chr(int(found.group(1), 16)), cell)


def units(text: str) -> int:
    """The length of a text as Excel counts it: code units of UTF-16."""
    return len(text) + sum(c > "\uffff" for c in text)


def fits_cell(text: str) -> bool:
    """Whether a cell of an XLSX file holds this (escaped) text."""
    return len(text) * 2 <= CELL_UNITS or units(text) <= CELL_UNITS


def cut_to_cell(text: str, note: str) -> str:
    """The escaped beginning of a text and a note, together one full cell.

    What belongs together stays so: no half of an escape, no emoji without its colour.
    """
    budget = CELL_UNITS - units(note)
    lengths = range(min(len(text), budget) + 1)
    longest = bisect.bisect_right(lengths, budget, key=lambda n: units(escaped(text[:n]))) - 1
    end = longest
    while end and end < len(text) and _continues(text, end):
        end -= 1
    return escaped(text[: end or longest]) + note


def _continues(text: str, end: int) -> bool:
    """Whether the character at `end` is one with what stands before it."""
    after, before = text[end], text[end - 1]
    joined = after in _JOINED or before == "\u200d" or "\U0001f3fb" <= after <= "\U0001f3ff"
    return joined or unicodedata.combining(after) != 0
