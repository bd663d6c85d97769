"""The forms in which a letter stands as a label: alone, in front of a text, or as a capital before a word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# A letter as a label: in any brackets, or bare; small letters only where the place leaves no doubt.
_L: Final = r"[A-Za-z]"
_LABEL: Final = rf"[(\[{{<\"'“‘【「『«»《]*\s*(?P<x>{_L})\s*[)\]}}>\"'”’】」』»«》]*"
# Pictures behind a letter, but none that cross it out.
_PRAISE: Final = r"(?:(?![❌❎✗✘✖×🚫👎⛔❓⁉])[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff]|\s)*"
_ALONE: Final = re.compile(
    rf"(?!\s*[!¬≠])[\W_]*?(?:option|choice|answer|letter|选项|答案)?\s*{_LABEL}[\s.。,，;；:：!！?？)）\-–—_]*(?:选项"
    rf"|项)?[\s.。]*{_PRAISE}",
    re.IGNORECASE,
)
_DELIMITED: Final = (
    r"[).:：、,，;。\]】!！]|\s*[-–—](?:\s|$)|\s+\||\s*\n|\s*$"
    r"|\s+(?:because|since|definitely|certainly|obviously|as\s+(?:there|the|it|i|we|only))\b"
)
_LEADING: Final = re.compile(
    r"[\s>#\-•\"'“‘]*(?:(?:option|choice|选项|选择|选)\s*)?"
    rf"(?:[(\[【]\s*(?P<b>{_L})\s*[)\]】]|(?P<x>[A-Z])(?!\.(?:[a-z]\.|\s?[A-Z]\.))(?={_DELIMITED})"
    rf"|(?P<y>[a-z])(?=[).](?:\s|$)))"
    r"[).:：、,，;。\]】!！\s\-–—|]*(?P<rest>.*)",
    re.DOTALL,
)
_LONGEST_ALONE: Final = 40
_AFTER_CAPITAL: Final = re.compile(r"\s*(?P<x>[A-Z])\s+(?P<rest>\S.*)", re.DOTALL)


def alone(text: str) -> str | None:
    """The letter that is all a text holds, whatever brackets and marks stand around it."""
    match = _ALONE.fullmatch(text) if len(text) <= _LONGEST_ALONE else None
    return match["x"] if match else None


@dataclass(frozen=True, slots=True)
class Lead:
    """A letter at the very beginning, with what follows it; `apart`: behind a comma;
    `bare`: with nothing but blanks between."""

    letter: str
    rest: str
    apart: bool = False
    bare: bool = False


def leading(text: str) -> Lead | None:
    """The letter that a text begins with as a label, whether or not a choice has it."""
    match = _LEADING.match(text)
    if match is None:
        return None
    letter = match["b"] or match["x"] or match["y"]
    between = text[match.end("b" if match["b"] else "x" if match["x"] else "y") : match.start("rest")]
    return Lead(letter.upper(), match["rest"], any(mark in between for mark in ",，"), not between.strip(" \t)]】"))


def spaced(text: str) -> Lead | None:
    """A capital and then a word: a letter before its text, or an article."""
    match = _AFTER_CAPITAL.fullmatch(text)
    return Lead(match["x"], match["rest"]) if match else None
