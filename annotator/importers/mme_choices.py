"""Choices in all the shapes in which they are published, as letters and texts.

A list of texts, the text of such a list (read by a literal parser, never evaluated), a header with one choice on each
line, all on one line, or columns A to E.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from annotator.domain.questions import Choice
from annotator.importers.base import Sayings, kind_of
from annotator.importers.tables import cell_text

COLUMNS: Final = ("A", "B", "C", "D", "E")
MARK: Final = re.compile(r"[ \t]*[(（]\s*([A-Za-zＡ-Ｚ])\s*[)）][ \t\u3000]*")
_CAPITALS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_OPEN_MARK: Final = re.compile(r"[ \t]*([A-Z])[.．)）、:：][ \t\u3000]*")
_SQUARE_MARK: Final = re.compile(r"[ \t]*[\[【<{]\s*([A-Za-zＡ-Ｚ])\s*[\]】>}][ \t\u3000]*")
_LETTER: Final = re.compile(r"\s*[(（\[]?\s*([A-Za-zＡ-Ｚ])\s*[)）\].．:：]?\s*")
_LETTER_FIELDS: Final = ("letter", "label", "key", "option", "id", "name")
_TEXT_FIELDS: Final = ("text", "content", "value", "choice", "answer")
_INNER: Final = re.compile(r"(?:(?<=\s)|^)[(（]\s*([A-ZＡ-Ｚ])\s*[)）]")
_HEADER: Final = re.compile(r"\s*(?:the choices are listed below|选项如下(?:所示)?)\s*[:：]?\s*", re.IGNORECASE)
_LONGEST_LITERAL: Final = 1_000_000


def read_choices(value: Any, fields: Mapping[str, Any], sayings: Sayings, *, listed: bool) -> tuple[Choice, ...]:
    """The choices of a record: its choices field, else its columns A to E; what is odd is said.

    `listed`: this kind of file is to hold a list, so that a text in its place is said.
    """
    name = "Answer choices" if listed else "multi-choice options"
    if isinstance(value, str) and value.strip():
        if listed:
            sayings.say("field_type", "expected a list of choices, found a text; taken apart", name)
        parts: list[Any] = split_text(value)
    elif isinstance(value, (list, tuple)):
        parts = list(value)
        usual = _usual(parts)
        if usual:
            return usual
        parts = [_entry(part) for part in value]
        if any(part is not whole for part, whole in zip(parts, value, strict=True)):
            sayings.say("field_type", "choices that are no texts, each a letter with its text; put together", name)
    elif isinstance(value, dict) and value:
        sayings.say("field_type", "expected a list of choices, found an object; its entries are taken in order", name)
        parts = [_labelled(key, text) for key, text in value.items()]
    else:
        if value is not None and not isinstance(value, str):
            sayings.say("field_type", f"expected a list of choices, found {kind_of(value)}", name)
        return _columns(fields, sayings)
    texts = [_cell(part, f"{name}[{place}]", sayings) for place, part in enumerate(parts)]
    if not texts:
        sayings.say("choice_missing", "the question has no choices", name)
    return _marked(texts, name, sayings)


def _labelled(letter: Any, text: Any) -> Any:
    """A choice of a letter and a text that stand apart; the text alone where the letter is none."""
    match = _LETTER.fullmatch(letter) if isinstance(letter, str) else None
    return text if match is None or isinstance(text, (list, dict)) else f"({match[1]}) {cell_text(text)[0]}"


def _entry(part: Any) -> Any:
    """A member of a list of choices: a text as it is; a pair, or an object with a letter and a text, as one text."""
    if isinstance(part, dict):
        letter = next((part[name] for name in _LETTER_FIELDS if name in part), None)
        text = next((part[name] for name in _TEXT_FIELDS if name in part), None)
        if text is None and len(part) == 1:
            letter, text = next(iter(part.items()))
        return part if text is None else _labelled(letter, text)
    if isinstance(part, (list, tuple)) and len(part) == 2:
        found = _labelled(part[0], part[1])
        return part if found is part[1] else found
    return part


def _usual(parts: list[Any]) -> tuple[Choice, ...]:
    """The choices where all are texts in the usual form, `(A) …`, of which there is nothing to say; else ()."""
    found = []
    for text in parts:
        # By hand, as a pattern takes three times as long for each of 150,000 choices.
        if not isinstance(text, str) or text[:1] != "(" or text[2:4] != ") " or text[4:5].isspace() or len(text) < 5:
            return ()
        letter = text[1]
        if letter not in _CAPITALS:
            return ()
        found.append(Choice(letter, text[4:]))
    return tuple(found)


def _columns(fields: Mapping[str, Any], sayings: Sayings) -> tuple[Choice, ...]:
    held = [letter for letter in COLUMNS if fields.get(letter) is not None]
    if not held:
        sayings.say("choice_missing", "the question has no choices")
        return ()
    found = []
    for letter in COLUMNS[: COLUMNS.index(held[-1]) + 1]:
        text = _cell(fields.get(letter), letter, sayings)
        mark = MARK.match(text)
        if mark is not None and mark[1] == letter:
            text = text[mark.end() :]
        if not text.strip():
            sayings.say("choice_missing", f"the choice {letter} is blank", letter)
        found.append(Choice(letter=letter, text=text))
    return tuple(found)


def _cell(value: Any, name: str, sayings: Sayings) -> str:
    if isinstance(value, str):
        return value
    text, number = cell_text(value)
    if number:
        sayings.say("cell_number", f"came as a number or a boolean; kept as the text {text!r}", name)
    return text


def _marked(texts: list[str], name: str, sayings: Sayings) -> tuple[Choice, ...]:
    marks = [MARK.match(text) for text in texts]
    for pattern in (_OPEN_MARK, _SQUARE_MARK) if not any(marks) else ():
        bare = [pattern.match(text) for text in texts]
        letters = [unicodedata.normalize("NFKC", m[1]).upper() if m else "" for m in bare]
        if letters == [chr(65 + i) for i in range(len(texts))]:
            marks = bare
            break
    found: list[Choice] = []
    for place, (text, mark) in enumerate(zip(texts, marks, strict=True)):
        if mark is None:
            sayings.say("choice_format", f"the choice {place + 1} has no mark such as (A)", f"{name}[{place}]")
            found.append(Choice(letter=chr(65 + place) if place < 26 else None, text=text))
        else:
            letter = mark[1] if mark[1].isascii() else unicodedata.normalize("NFKC", mark[1])
            letter = letter.upper()
            found.append(Choice(letter=letter, text=text[mark.end() :]))
        if not found[-1].text.strip():
            sayings.say("choice_missing", f"the choice {place + 1} is blank", f"{name}[{place}]")
    return tuple(found)


def split_text(value: str) -> list[Any]:
    """The choices that one text holds, each with its mark."""
    text = value.strip()
    if text.startswith("[") and len(text) <= _LONGEST_LITERAL:
        try:
            literal = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            literal = None
        if isinstance(literal, list):
            return literal
    header = _HEADER.match(value)
    body = value[header.end() :] if header else value
    lines = re.split(r"\r\n|\n|\r", body.strip("\r\n"))
    if sum(bool(MARK.match(line)) for line in lines) >= 2:
        return _by_lines(lines)
    return _by_marks(body)


def _by_lines(lines: list[str]) -> list[Any]:
    """One choice a line; a line without a mark goes on with the choice before it."""
    found: list[str] = []
    for line in lines:
        if MARK.match(line) or not found:
            found.append(line)
        else:
            found[-1] += "\n" + line
    return [f for f in found if f.strip()]


def _by_marks(body: str) -> list[Any]:
    """All on one line: cut where the marks follow one another in order."""
    cuts: list[int] = []
    wanted = "A"
    for match in _INNER.finditer(body):
        letter = unicodedata.normalize("NFKC", match[1])
        if letter == wanted or (cuts and letter == chr(ord(wanted) - 1)):
            cuts.append(match.start())
            wanted = chr(ord(letter) + 1)
    if not cuts:
        return [body.strip()] if body.strip() else []
    ends = [*cuts[1:], len(body)]
    return [body[a:b].strip() for a, b in zip(cuts, ends, strict=True)]
