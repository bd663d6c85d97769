"""A label event as it travels: its digest, and the very text of which that is the digest.

The text is the canonical JSON list of the event's fields in their order, without the digest. Whoever carries events
needs to look inside of none: text and digest prove each other, and equal events are equal text on every machine.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Any, Final, NamedTuple

from annotator.domain.base import canonical_json
from annotator.domain.labels import LabelEvent

FIELDS: Final = tuple(f.name for f in fields(LabelEvent) if f.name != "digest")
Range = tuple[int, int]
Ranges = tuple[Range, ...]

# A string as canonical JSON writes it, but for control characters that have no letter of their own.
_PLAIN: Final = r'[^"\\\x00-\x1f]*'
_STRING: Final = rf'"{_PLAIN}(?:\\["\\nrtbf]{_PLAIN})*"'
_INTEGER: Final = r"(0|[1-9]\d{0,17})"
_S: Final = rf'"({_PLAIN})"'
# Nearly every event: scores, texts and facts without nested values. What does not match is parsed and compared.
_SIMPLE: Final = re.compile(
    rf'\["e","([0-9a-f]{{32}})",(\[{_S},{_S},{_INTEGER},{_S},{_S},{_INTEGER},(null|"{_PLAIN}"),{_S},{_S},'
    rf'(null|true|false|-?[1-9]\d{{0,17}}|0|{_STRING}),(\[(?:"{_PLAIN}"(?:,"{_PLAIN}")*)?\]),'
    rf"{_S},{_S},{_S},{_INTEGER},{_S},{_S},({_STRING})\])\]"
)
EVENT_LINE: Final = '["e","'
_encode: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


class Wire(NamedTuple):
    """One event on its way.

    Attributes:
        digest: the event's own, 32 hex digits.
        text: the canonical JSON list of `FIELDS`.
    """

    digest: str
    text: str


def wire_of(event: LabelEvent) -> Wire:
    """An event as it travels; half a surrogate pair is escaped, so that the text is proper Unicode at all events."""
    values = _values(event)
    text = canonical_json(values)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(values, separators=(",", ":"), sort_keys=True)
    return Wire(event.digest, text)


def _values(event: LabelEvent) -> list[Any]:
    return [list(v) if isinstance(v, tuple) else v for v in (getattr(event, name) for name in FIELDS)]


def proved(wire: Wire) -> bool:
    """Whether the text is what the digest says, byte for byte."""
    return hashlib.blake2b(wire.text.encode("utf-8"), digest_size=16).hexdigest() == wire.digest


def line_of(wire: Wire) -> str:
    """An event as a line of a bundle: `["e", digest, text]`."""
    return f'{EVENT_LINE}{wire.digest}",{wire.text}]'


def wire_in(line: str) -> Wire:
    """What is in such a line, whatever it is."""
    return Wire(line[6:38], line[40:-1])


def simple_fields(line: str) -> tuple[str, ...] | None:
    """(digest, text, the 18 fields) of the line of an event without nested values; None for any other.

    A text that matches is canonical. Strings are bare; the responder, the value, the parents and `extra` are JSON.
    """
    found = _SIMPLE.fullmatch(line)
    return None if found is None else found.groups()


def canonical_fields(text: str) -> list[Any] | None:
    """The fields of an event's text, if it is the canonical one."""
    try:
        held = json.loads(text)
        same = isinstance(held, list) and len(held) == len(FIELDS) and _encode(held) == text
    except (ValueError, RecursionError):
        return None
    return held if same else None


def event_of(wire: Wire) -> LabelEvent:
    """The event inside.

    Raises:
        ValueError: when the text is no list of an event's fields.
    """
    held = json.loads(wire.text)
    if not isinstance(held, list) or len(held) != len(FIELDS):
        raise ValueError("not the fields of a label event")
    values = dict(zip(FIELDS, held, strict=True))
    if not isinstance(values["parents"], list):
        raise ValueError("its parents are no list")
    values["parents"] = tuple(values["parents"])
    return LabelEvent(**values, digest=wire.digest)


def xor_of(digests: Iterable[str]) -> str:
    """The exclusive or of digests, 32 hex digits: the same for a set whatever its order."""
    return xor_of_joined("".join(digests))


def xor_of_joined(text: str) -> str:
    """The same of digests written one after the other; folded in halves, which costs next to nothing."""
    count = len(text) // 32
    value = int(text, 16) if text else 0
    while count > 1:
        half = count // 2
        low = value & ((1 << (128 * half)) - 1)
        value = (value >> (128 * half)) ^ low
        count -= half
    return f"{value:032x}"


def joined(*groups: Iterable[Range]) -> Ranges:
    """Ranges of whole numbers (both ends included) as few as possible, in order."""
    made: list[Range] = []
    for first, last in sorted(r for group in groups for r in group):
        if made and first <= made[-1][1] + 1:
            made[-1] = (made[-1][0], max(made[-1][1], last))
        else:
            made.append((first, last))
    return tuple(made)


def without(held: Iterable[Range], taken: Iterable[Range]) -> Ranges:
    """What is in `held` and not in `taken`."""
    left = joined(held)
    for first, last in joined(taken):
        rest: list[Range] = []
        for a, b in left:
            if b < first or a > last:
                rest.append((a, b))
                continue
            if a < first:
                rest.append((a, first - 1))
            if b > last:
                rest.append((last + 1, b))
        left = tuple(rest)
    return left


def size(ranges: Iterable[Range]) -> int:
    """How many whole numbers."""
    return sum(last - first + 1 for first, last in ranges)
