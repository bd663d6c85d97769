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
from functools import lru_cache
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
_BARE: Final = rf"null|true|false|-?[1-9]\d{{0,17}}|0|{_STRING}"
# A value: bare, or nested, of which only a parser can tell whether it is canonical JSON.
_VALUE: Final = rf"({_BARE}|[\[{{].*[\]}}])"
_PARENTS: Final = rf'(\[(?:"{_PLAIN}"(?:,"{_PLAIN}")*)?\])'
# Nearly every event; what does not match is parsed and compared.
_SIMPLE: Final = re.compile(
    rf'\["e","([0-9a-f]{{32}})",(\[{_S},{_S},{_INTEGER},{_S},{_S},{_INTEGER},(null|"{_PLAIN}"),{_S},{_S},'
    rf"{_VALUE},{_PARENTS},{_S},{_S},{_S},{_INTEGER},{_S},{_S},({_STRING})\])\]"
)
_VALUE_AND_PARENTS: Final = re.compile(rf"{_VALUE},{_PARENTS}")
_DIGEST: Final = re.compile("[0-9a-f]{32}")
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


def lines_in(data: bytes) -> list[str]:
    """The lines of some UTF-8, each of which ends in a line break, without it."""
    return data.decode("utf-8").split("\n")[:-1]


def simple_fields(line: str) -> tuple[str, ...] | None:
    """(digest, text, the 18 fields) of the line of nearly every event; None for any other.

    A text that matches is canonical. Strings are bare; the responder, the value, the parents and `extra` are JSON.
    """
    found = _SIMPLE.fullmatch(line)
    return None if found is None or not is_canonical(found[12]) else found.groups()


class Alike(NamedTuple):
    """Events of one bundle are much alike: what one of them says of the following fields, most of them say.

    Attributes:
        device, rater, rubric, phase, lang: bare strings; `responder` and `extra`: JSON.
        pattern: of a line that says the same of them; its groups are digest, event_id, seq, item_id, item_revision,
            target, field, value, parents, active_ms, at, judged. It costs half of what the whole pattern does.
    """

    device: str
    rater: str
    responder: str
    rubric: str
    phase: str
    lang: str
    extra: str
    pattern: re.Pattern[str]


def alike(line: str) -> Alike | None:
    """The pattern of lines like this one; None where it is no event as most are."""
    held = simple_fields(line)
    if held is None:
        return None
    return _alike(held[3], held[5], held[8], held[13], held[14], held[15], held[19])


@lru_cache(maxsize=64)
def _alike(device: str, rater: str, responder: str, rubric: str, phase: str, lang: str, extra: str) -> Alike:
    e = re.escape
    pattern = re.compile(
        rf'\["e","([0-9a-f]{{32}})",\[{_S},"{e(device)}",{_INTEGER},"{e(rater)}",{_S},{_INTEGER},{e(responder)},'
        rf'{_S},{_S},{_VALUE},{_PARENTS},"{e(rubric)}","{e(phase)}","{e(lang)}",{_INTEGER},{_S},{_S},{e(extra)}\]\]'
    )
    return Alike(device, rater, responder, rubric, phase, lang, extra, pattern)


def value_and_parents(text: str) -> tuple[str, str] | None:
    """(value, parents) of what stands between an event's field and its rubric; None where it is not canonical."""
    found = _VALUE_AND_PARENTS.fullmatch(text)
    return None if found is None or not is_canonical(found[1]) else (found[1], found[2])


def is_canonical(value: str) -> bool:
    """Whether a value that was cut out by one of the patterns is canonical JSON; only nested ones need a look.

    What is JSON there is the value, wherever else it might have ended: JSON can be read in one way only.
    """
    return value[0] not in "[{" or _is_canonical(value)


@lru_cache(maxsize=4096)  # facts about what was seen come by the thousand and differ little
def _is_canonical(text: str) -> bool:
    try:
        return _encode(json.loads(text)) == text
    except (ValueError, RecursionError):
        return False


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


def is_digest(said: object) -> bool:
    """Whether something from elsewhere is a digest: 32 hexadecimal digits."""
    return isinstance(said, str) and _DIGEST.fullmatch(said) is not None


def xor_of(digests: Iterable[str]) -> str:
    """The exclusive or of digests, 32 hex digits: the same for a set whatever its order."""
    return xor_of_joined(bytes.fromhex("".join(digests)))


def xor_of_joined(data: bytes) -> str:
    """The same of digests one after the other, 16 bytes each; folded in halves, which costs next to nothing."""
    count = len(data) // 16
    value = int.from_bytes(data)
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
