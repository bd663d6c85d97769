"""Where each field of an event lies in the bytes of its line, for thousands of lines at once.

The places of all quotation marks of a block are found in one go, and what stands between two strings is compared, byte
for byte, with what stands there in a canonical event. Nearly always all lines are alike in that; only where they are
not is it asked of which.

Places are offsets in bytes into the block, int64, one for each line.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from annotator.domain.wire import value_and_parents

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
NUMBERS: Final = ("seq", "item_revision", "active_ms")
MOST: Final = 18  # digits of a whole number
_QUOTE, _COMMA, _BREAK, _ESCAPE, _ZERO, _SPACE, _L = 34, 44, 10, 92, 48, 32, 108
_FEWEST: Final = 28  # quotation marks in an event's line


class Found(NamedTuple):
    """What was found in some lines.

    Attributes:
        starts, ends: of each line, without its line break.
        ok: which lines are events as nearly all are; where one is not, its other places are of no meaning.
        spans: from where to where each field is said in each line.
    """

    starts: Places
    ends: Places
    ok: Flags
    spans: dict[str, tuple[Places, Places]]


class _Marks(NamedTuple):
    """Lines, and the quotation marks of all of them, between which each line's break stands.

    `base` is the number of a line's first mark, `last` of its break.
    """

    starts: Places
    ends: Places
    quotes: Places
    base: Places
    last: Places
    ok: Flags

    def from_start(self, number: int | Places) -> Places:
        """The n-th quotation mark of each line; of another line where it has not so many."""
        return self.quotes.take(self.base + number, mode="clip")

    def from_end(self, number: int) -> Places:
        """The n-th last of each line, counted from 1."""
        return self.quotes.take(self.last - number, mode="clip")


def cut_at(data: bytes, places: Places, width: int) -> npt.NDArray[np.void]:
    """`width` bytes from each place on, as one item each: cut so, they are copied at once and not byte by byte."""
    windows: npt.NDArray[np.void] = np.ndarray((len(data) - width + 1,), f"V{width}", data, 0, (1,))
    return windows[places]


def places_in(data: bytes, size: int) -> Found | None:
    """Where the fields lie in the lines that the first `size` bytes are; None where there is no event among them.

    What stands between two strings is compared byte for byte, so that what is found there is a string, a whole number
    or null. Behind the lines there must be some 70 bytes more.
    """
    flat = np.frombuffer(data, np.uint8)
    marks = _marks(flat[:size])
    if marks is None:
        return None
    starts, ends, _, base, last, ok = marks

    def there(places: Places, text: bytes) -> None:
        _there(data, ok, places, text)

    q = [marks.from_start(n) for n in range(4, 14)]
    q4, q5, q6, q7, q8, q9, q10, q11, q12, q13 = q
    there(starts, b'["e","')
    there(starts + 38, b'",["')
    np.logical_and(ok, q4 == starts + 41, out=ok)
    none = flat[q12 - 2] == _L  # `,1,null,"` where else `,1,"` stands
    skip = np.where(none, 2, 0)
    t0, t1, f0, f1 = (marks.from_start(n - skip) for n in (14, 15, 16, 17))
    e1, e0, j1, j0, a1, a0, l1, l0, p1, p0, r1, r0 = (marks.from_end(n) for n in range(1, 13))
    np.logical_and(ok, last - 12 > base + 17 - skip, out=ok)
    for close in (q5, q9, t1, r1, p1, a1, j1):
        there(close, b'","')
    for close, opening in ((q7, q8), (q11, q12), (l1, a0), (f1, r0)):  # a number, or value and parents
        there(close, b'",')
        there(opening - 1, b',"')
        np.logical_and(ok, opening > close + 3, out=ok)
    there(e1, b'"]]\n')
    np.logical_and(ok, q5 > q4 + 1, out=ok)
    np.logical_and(ok, ends == e1 + 3, out=ok)
    revised, who = q12 - 1, (q12 + 1, q13)
    if none.any():
        for back, byte in enumerate(b",null", -6):
            np.logical_and(ok, ~none | (flat[q12 + back] == byte), out=ok)
        revised = np.where(none, q12 - 6, revised)
        who = np.where(none, q12, who[0]), np.where(none, q12, q13)
    np.logical_and(ok, none | ((t0 == q13 + 2) & (flat[q13 + 1] == _COMMA) & (q13 > q12 + 1)), out=ok)
    bare = _without_escapes(data, flat, marks, f1, r0)
    spans = {
        "event_id": (q4 + 1, q5), "device": (q6 + 1, q7), "seq": (q7 + 2, q8 - 1), "rater": (q8 + 1, q9),
        "item_id": (q10 + 1, q11), "item_revision": (q11 + 2, revised), "responder": who, "target": (t0 + 1, t1),
        "field": (f0 + 1, f1), "rubric": (r0 + 1, r1), "phase": (p0 + 1, p1), "lang": (l0 + 1, l1),
        "active_ms": (l1 + 2, a0 - 1), "at": (a0 + 1, a1), "judged": (j0 + 1, j1), "extra": (e0 + 1, e1),
        "digest": (starts + 6, starts + 38),
    }  # fmt: skip
    for name in NUMBERS:
        _check_number(data, flat, ok, *spans[name], least=1 if name == "seq" else 0)
    until = f1 + 2 + _lengths_of_values(data, flat, marks, bare, base + 17 - skip, f1, r0)
    spans["value"], spans["parents"] = (f1 + 2, until), (until + 1, r0 - 1)
    return Found(starts, ends, ok, spans)


def _marks(flat: Bytes) -> _Marks | None:
    """The lines and quotation marks of some bytes; None where these are no whole lines."""
    marks = np.flatnonzero(flat <= _QUOTE)  # blanks, exclamation and control marks too, of which there are few
    said = flat[marks]
    last = np.flatnonzero(said != _QUOTE)
    control: Places = last[:0]
    if (said[last] != _BREAK).any():
        control = marks[(said < _SPACE) & (said != _BREAK)]
        fit = (said == _QUOTE) | (said == _BREAK)
        marks, said = marks[fit], said[fit]
        last = np.flatnonzero(said == _BREAK)
    if not len(last) or flat[-1] != _BREAK:
        return None
    ends = marks[last]
    starts = np.concatenate([[0], ends[:-1] + 1])
    base = np.concatenate([[0], last[:-1] + 1])
    ok = last - base >= _FEWEST
    ok[np.searchsorted(ends, control)] = False
    return _Marks(starts, ends, marks, base, last, ok)


def _there(data: bytes, ok: Flags, places: Places, text: bytes) -> None:
    """Leave only lines that say `text` at that place."""
    cells = cut_at(data, places, len(text))
    if cells.tobytes() != text * len(places):
        said = cells.view(np.uint8).reshape(len(places), len(text))
        np.logical_and(ok, (said == np.frombuffer(text, np.uint8)).all(axis=1), out=ok)


def _without_escapes(data: bytes, flat: Bytes, marks: _Marks, since: Places, until: Places) -> Flags | bool:
    """Which lines have no backslash; leave only those that have none outside of value and parents, which are read."""
    if b"\\" not in data:
        return True
    escapes = np.flatnonzero(flat == _ESCAPE)
    line = np.searchsorted(marks.ends, escapes)
    marks.ok[line[(escapes < since[line]) | (escapes > until[line])]] = False
    bare = np.ones(len(marks.ok), bool)
    bare[line] = False
    return bare


def _check_number(data: bytes, flat: Bytes, ok: Flags, starts: Places, ends: Places, least: int) -> None:
    """Leave only lines of which this span is a whole number as JSON writes it, of at most 18 digits."""
    wide = ends - starts
    ok &= (wide >= 1) & (wide <= MOST)
    ok &= (flat[starts] != _ZERO) | ((wide == 1) & (least == 0))
    most = int(wide[ok].max(initial=1))
    digits = cut_at(data, ends - most, most).view(np.uint8).reshape(len(ends), most) - _ZERO
    digit = digits <= 9  # below "0" it wraps round, and is too large
    for place in range(most):
        ok &= digit[:, place] | (most - place > wide)


def _lengths_of_values(
    data: bytes, flat: Bytes, marks: _Marks, bare: Flags | bool, number: Places, close: Places, opening: Places
) -> Places:
    """How many bytes each line's value has; leaves only lines in which value and parents are canonical.

    They stand between the quotation mark `close`, which is the `number`-th, and `opening`. Mostly the value is a digit,
    and there is one parent or none; only others are looked at one by one.
    """
    ok = marks.ok
    digit = flat[close + 2] - _ZERO <= 9
    alone = digit & (opening == close + 7) & _says(data, close + 3, b",[],")
    one = digit & bare & (marks.last - 12 == number + 3)
    if (one & ok).any():
        first, second = (marks.quotes.take(number + n, mode="clip") for n in (1, 2))
        one &= (first == close + 5) & _says(data, close + 3, b",[") & (opening == second + 3)
        one &= _says(data, second + 1, b"],")
    lengths = np.ones(len(ok), np.int64)
    rest = np.flatnonzero(ok & ~alone & ~one)
    if len(rest):
        places = zip((close[rest] + 2).tolist(), (opening[rest] - 1).tolist(), strict=True)
        lengths[rest] = [_length_of_value(data[a:b]) for a, b in places]
        ok[rest[lengths[rest] == 0]] = False
    return lengths


def _says(data: bytes, places: Places, text: bytes) -> Any:
    """Which lines say `text` at that place."""
    cells = cut_at(data, places, len(text)).view(np.uint8).reshape(len(places), len(text))
    return (cells == np.frombuffer(text, np.uint8)).all(axis=1)


@lru_cache(maxsize=65536)  # facts are few; the parents of what was said again are not
def _length_of_value(text: bytes) -> int:
    """How many of these bytes are the value, before a comma and the parents; 0 where they are not canonical.

    Two parents and more are kept in another spelling than they travel in; they come when a conflict was settled.
    """
    try:
        held = value_and_parents(text.decode())
    except UnicodeDecodeError:
        return 0
    return 0 if held is None or '","' in held[1] else len(held[0].encode())
