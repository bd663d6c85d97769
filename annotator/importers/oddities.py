"""Texts that are kept as they are but deserve a look: control characters, direction marks, double encoding."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from annotator.importers.jsonvalue import strings

_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_BIDI: Final = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f]")

# UTF-8 read as Windows-1252 or Latin-1: a lead byte followed by its continuation bytes, each as a character.
_HIGH: Final = "\x80-\xbf" + "".join(
    re.escape(bytes([b]).decode("cp1252")) for b in range(0x80, 0xA0) if b not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
)
_LATIN_RUN: Final = re.compile(f"(?:[\xc2-\xdf][{_HIGH}]|[\xe0-\xef][{_HIGH}]{{2}}|[\xf0-\xf4][{_HIGH}]{{3}})+")


def _gbk(lead: range, trail: range) -> str:
    found = []
    for a in lead:
        for b in trail:
            try:
                found.append(bytes([a, b]).decode("gbk"))
            except UnicodeDecodeError:
                continue
    return "".join(map(re.escape, found))


# UTF-8 Chinese read as GBK: the first two bytes of a character, then its third with the first of the next.
_GBK_FIRST: Final = _gbk(range(0xE4, 0xEA), range(0x80, 0xC0))
_GBK_PAIR: Final = re.compile(f"[{_GBK_FIRST}][{_gbk(range(0x81, 0xC0), range(0xE3, 0xF0))}]")
_WIDE_RUN: Final = re.compile("[^\x00-\x7f\ufffd]+")
_LOST: Final = "锟斤拷"  # U+FFFD as UTF-8, read as GBK

# One class of the characters with which anything odd begins: searched many times faster than the whole.
_BEGINS: Final = re.compile(f"[{_CONTROL.pattern[1:-1]}{_BIDI.pattern[1:-1]}\xc2-\xf4{_GBK_FIRST}{_LOST[0]}]")
_PLAIN: Final = bytes(b for b in range(0x80) if not _BEGINS.match(chr(b)))
_ANY: Final = re.compile(f"{_CONTROL.pattern}|{_BIDI.pattern}|{_LATIN_RUN.pattern}|{_GBK_PAIR.pattern}|{_LOST}")


def may_hold(text: str, start: int, end: int) -> bool:
    """Whether anything odd may begin in `text[start:end]`, escapes that hide it included; quick, and never wrong."""
    part = text[start:end]
    if part.isascii():  # control characters alone can be odd in it: dropping all others is ten times as fast as looking
        return "\\u" in part or bool(part.encode("ascii").translate(None, _PLAIN))
    return text.find("\\u", start, end) >= 0 or _BEGINS.search(text, start, end) is not None


def look(value: Any, text: str, start: int, end: int) -> Iterator[tuple[str, str, str]]:
    """(code, field, reason) of each odd text in a value that was read from `text[start:end]`.

    The raw text is searched first, so that an ordinary record is not walked; escapes hide characters, so a record with
    escapes is.
    """
    if text.find("\\u", start, end) < 0:
        first = _BEGINS.search(text, start, end)
        if first is None or not _ANY.search(text, first.start(), end):
            return
    for field, string in strings(value):
        for code, reason in odd(string):
            yield code, field, reason


def odd(text: str) -> Iterator[tuple[str, str]]:
    """(code, reason) of each thing that is odd about one text."""
    first = _BEGINS.search(text)
    if first is None or not _ANY.search(text, first.start()):
        return
    control = _CONTROL.search(text)
    if control:
        yield "control_chars", f"holds the control character U+{ord(control.group()):04X}; kept"
    bidi = _BIDI.search(text)
    if bidi:
        name = unicodedata.name(bidi.group(), "a direction mark").lower()
        yield "bidi", f"holds {name} (U+{ord(bidi.group()):04X}), which changes the order of what is shown; kept"
    if is_mojibake(text):
        yield "mojibake", "looks encoded twice; kept as it is"


def is_mojibake(text: str) -> bool:
    """Whether a text looks like UTF-8 that was once read as Windows-1252, Latin-1 or GBK."""
    return _LOST in text or any(map(_is_latin, _LATIN_RUN.findall(text))) or _is_gbk(text)


def _is_latin(run: str) -> bool:
    data = bytearray()
    for char in run:
        try:
            data += char.encode("cp1252")
        except UnicodeEncodeError:
            data += char.encode("latin-1")
    try:
        decoded = data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if any(ord(c) >= 0x800 for c in decoded) or len(decoded) > 1:
        return True
    # One two-byte letter alone may be honest text (a capital and a closing quote); these pairs are not.
    return run[0] in "ÃÂ" and run[1] not in "»”’›"


def _is_gbk(text: str) -> bool:
    if not _GBK_PAIR.search(text):
        return False
    for run in _WIDE_RUN.findall(text):
        data = run.encode("gb18030", "replace")
        decoded = data.decode("utf-8", "ignore")
        lost = len(data) - len(decoded.encode("utf-8"))
        chinese = sum("\u4e00" <= c <= "\u9fff" for c in decoded)
        other = sum(c < "\u2000" for c in decoded)
        if chinese >= 2 and 4 * lost <= len(data) and other == 0:  # honest text loses most of its bytes
            return True
    return False
