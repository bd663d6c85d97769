"""Events that travelled, read thousands at a time: where each field lies in the bytes of all their lines at once.

Making an object of each field of a million events, and binding each to a statement, took two thirds of a sync. Here the
places of all quotation marks of a block of lines are found in one go, the skeleton of every line is compared with the
one that a canonical event has, and whole columns are cut out. SQLite then takes the columns as they are (`inserting`).
Each event is still proved by its digest, one by one. A line that is in any way out of the ordinary is `odd`, and goes
the way of `union_rows`, which alone decides what is wrong with it.

Places are offsets in bytes into the block (int64); a column's matrix is uint8 of shape (events, width).
"""

from __future__ import annotations

import json
from binascii import hexlify
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from annotator.domain.wire import value_and_parents
from annotator.store.codec import EVENT_COLUMNS
from annotator.store.union_rows import Row, rows_of

_Places = npt.NDArray[np.int64]
_Flags = npt.NDArray[np.bool_]
PAD: Final = 31  # a control character, which canonical JSON always escapes: it ends a text that is shorter than others
WIDE: Final = 64  # texts longer than this are not laid out in a column, but named by their place in the block
_MOST: Final = 18  # digits of a whole number
_TAIL: Final = bytes(WIDE + 8)  # so that a column may be cut past the last line
_QUOTE, _COMMA, _BREAK, _ESCAPE, _ZERO, _OPEN, _CLOSE, _E, _L = 34, 44, 10, 92, 48, 91, 93, 101, 108


class Column(NamedTuple):
    """What all events of a block say of one field.

    Attributes:
        kind: `same` (all say `value`), `counted` (they count on from `value`), `fixed` (texts of one width), `padded`
            (shorter ones end in `PAD`), `number` (digits, padded), `spread` (named by place and length in the block).
        value: as said; `cells`: texts one behind the other, each `width` bytes; of `spread` ones their places from 1.
        lengths: of `spread` ones, as `cells` are.
    """

    kind: str
    value: str | int | None = None
    cells: bytes = b""
    width: int = 0
    lengths: bytes = b""


@dataclass(slots=True)
class Block:
    """Events whose columns are known.

    Attributes:
        data: the bytes of all lines, each ended by a line break, and a few more.
        lines: the lines of the events that are `columns`, in their order; `odd`: those that need a closer look.
        columns: by the name of the field, in the order of `EVENT_COLUMNS`.
        linked: the numbers of the events that supersede others.
    """

    data: bytes
    lines: list[str]
    odd: list[str]
    columns: dict[str, Column]
    linked: list[int]

    def __len__(self) -> int:
        """How many events are columns."""
        return len(self.lines)

    def texts(self, name: str) -> Sequence[Any]:
        """What each event says of a field, as its row does; a text, a whole number or None."""
        column = self.columns[name]
        count = len(self.lines)
        if column.kind == "same":
            return [column.value] * count
        if column.kind == "counted":
            return range(int(column.value or 0), int(column.value or 0) + count)
        wide = column.width
        if column.kind == "number":
            return _numbers_in(column.cells, wide)
        if column.kind == "spread":
            places, lengths = (_numbers_in(cells, wide) for cells in (column.cells, column.lengths))
            cut = [self.data[a - 1 : a - 1 + n].decode() for a, n in zip(places, lengths, strict=True)]
        elif column.cells.isascii():
            text = column.cells.decode("ascii")
            cut = [text[at : at + wide] for at in range(0, len(text), wide)]
        else:
            cut = [column.cells[at : at + wide].decode() for at in range(0, len(column.cells), wide)]
        if column.kind == "padded":
            cut = [cell.rstrip(chr(PAD)) for cell in cut]
        return [cell or None for cell in cut] if name == "responder" else cut

    def counted(self, *names: str) -> Counter[tuple[Any, ...]]:
        """How often each combination of what the events say of some fields comes."""
        vary = [name for name in names if self.columns[name].kind != "same"]
        if len(vary) > 1:
            return Counter(zip(*(self.texts(name) for name in names), strict=True))
        said = [self.columns[name].value for name in names]
        if not vary:
            return Counter({tuple(said): len(self.lines)})
        at = names.index(vary[0])
        counted = Counter(self.texts(vary[0]))
        return Counter({(*said[:at], text, *said[at + 1 :]): count for text, count in counted.items()})

    @property
    def first_id(self) -> str:
        """The id of the first event."""
        return str(json.loads(self.lines[0])[2][0])

    def rows(self) -> list[Row]:
        """The rows of the events."""
        return rows_of(self.lines)[0]

    @property
    def journal(self) -> bytes:
        """The lines of the events as the journal takes them."""
        if self.odd:
            return "".join(line + "\n" for line in self.lines).encode()
        return self.data[: -len(_TAIL)]


def block_of(lines: Sequence[str]) -> Block | None:
    """The block of some lines; None where nothing can be made of them together."""
    try:
        data = ("\n".join(lines) + "\n").encode() + _TAIL
    except UnicodeEncodeError:
        return None
    skeleton = _skeleton(data, len(lines))
    if skeleton is None:
        return None
    ok, spans = skeleton
    value = spans["value"]
    number = np.flatnonzero(ok)
    starts, ends = value[0][number], value[1][number]
    cut = [data[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    known = {text: _length_of_value(text) for text in set(cut)}
    length = np.fromiter(map(known.__getitem__, cut), np.int64, len(cut))
    number, starts, ends, length = (held[length > 0] for held in (number, starts, ends, length))
    spans["value"] = _among(ok, number, starts, starts + length)
    spans["parents"] = _among(ok, number, starts + length + 1, ends)
    number = _proved(data, number, spans)
    if not len(number):
        return None
    flat = np.frombuffer(data, np.uint8)
    columns = {name: _column(flat, name, *(side[number] for side in spans[name])) for name in EVENT_COLUMNS}
    above = spans["parents"]
    linked: list[int] = np.flatnonzero(above[1][number] - above[0][number] > len("[]")).tolist()
    if len(number) == len(lines):
        return Block(data, list(lines), [], columns, linked)
    good = number.tolist()
    taken = set(good)
    odd = [line for n, line in enumerate(lines) if n not in taken]
    return Block(data, [lines[n] for n in good], odd, columns, linked)


def _skeleton(data: bytes, count: int) -> tuple[_Flags, dict[str, tuple[_Places, _Places]]] | None:
    """(which lines have the skeleton of a canonical event, from where to where each field is said in each line).

    What stands between two strings is compared byte for byte, so that what is found there is a string, a whole number
    or null. Only value and parents, which are one span here, are still to be read. In lines that do not fit, places are
    of no meaning, but inside the data.
    """
    flat = np.frombuffer(data, np.uint8)
    marks = _marks(flat, count)
    if marks is None:
        return None
    starts, ends, quotes, base, last, ok = marks

    def there(places: _Places, byte: int) -> None:
        np.logical_and(ok, flat[places] == byte, out=ok)

    def next_to(close: _Places, opening: _Places) -> None:
        np.logical_and(ok, opening == close + 2, out=ok)
        there(close + 1, _COMMA)

    q = [quotes[base + n] for n in range(14)]
    for place, byte in ((0, _OPEN), (2, _E), (4, _COMMA), (39, _COMMA), (40, _OPEN)):
        there(np.minimum(starts + place, ends), byte)
    for n, place in ((0, 1), (1, 3), (2, 5), (3, 38), (4, 41)):
        ok &= q[n] == starts + place
    none = flat[q[12] - 2] == _L  # `,1,null,"` where else `,1,"` stands
    skip = np.where(none, 2, 0)
    t0, t1, f0, f1 = (quotes[base + n - skip] for n in (14, 15, 16, 17))
    e1, e0, j1, j0, a1, a0, l1, l0, p1, p0, r1, r0 = (quotes[np.maximum(last - n, 0)] for n in range(1, 13))
    ok &= last - 12 > base + 17 - skip
    for close, opening in ((q[5], q[6]), (q[9], q[10]), (t1, f0), (r1, p0), (p1, l0), (a1, j0), (j1, e0)):
        next_to(close, opening)
    ok &= none | ((t0 == q[13] + 2) & (flat[q[13] + 1] == _COMMA) & (q[13] > q[12] + 1))
    revised = np.where(none, q[12] - 6, q[12] - 1)
    for back, byte in enumerate(b",null", -6):
        ok &= ~none | (flat[q[12] + back] == byte)
    for close, opening in ((q[7], q[8]), (q[11], q[12]), (l1, a0), (f1, r0)):  # a number, or value and parents
        there(close + 1, _COMMA)
        there(opening - 1, _COMMA)
        ok &= opening > close + 3
    there(e1 + 1, _CLOSE)
    there(e1 + 2, _CLOSE)
    ok &= (ends == e1 + 3) & (q[5] > q[4] + 1)
    if b"\\" in data:  # in a string that would have to be read; value and parents are read anyway
        escapes = np.flatnonzero(flat == _ESCAPE)
        line = np.searchsorted(ends, escapes)
        ok[line[(escapes < f1[line]) | (escapes > r0[line])]] = False
    spans = {
        "event_id": (q[4] + 1, q[5]), "device": (q[6] + 1, q[7]), "seq": (q[7] + 2, q[8] - 1),
        "rater": (q[8] + 1, q[9]), "item_id": (q[10] + 1, q[11]), "item_revision": (q[11] + 2, revised),
        "responder": (np.where(none, q[12], q[12] + 1), np.where(none, q[12], q[13])), "target": (t0 + 1, t1),
        "field": (f0 + 1, f1), "value": (f1 + 2, r0 - 1), "rubric": (r0 + 1, r1), "phase": (p0 + 1, p1),
        "lang": (l0 + 1, l1), "active_ms": (l1 + 2, a0 - 1), "at": (a0 + 1, a1), "judged": (j0 + 1, j1),
        "extra": (e0 + 1, e1), "digest": (q[2] + 1, q[3]), "text": (starts + 40, ends - 1),
    }  # fmt: skip
    for name in ("seq", "item_revision", "active_ms"):
        _check_number(flat, ok, *spans[name], least=1 if name == "seq" else 0)
    return ok, spans


def _marks(
    flat: npt.NDArray[np.uint8], count: int
) -> tuple[_Places, _Places, _Places, _Places, _Places, _Flags] | None:
    """Where lines start and end; all quotation marks, and which of them are a line's; lines that may be events.

    None where the bytes are not so many lines.
    """
    low = np.flatnonzero(flat[: -len(_TAIL)] <= _QUOTE)
    at_low = flat[low]
    ends = low[at_low == _BREAK]
    if len(ends) != count:
        return None
    starts = np.concatenate([[0], ends[:-1] + 1])
    quotes = low[at_low == _QUOTE]
    base, last = np.searchsorted(quotes, starts), np.searchsorted(quotes, ends)
    ok = last - base >= 28
    ok[np.searchsorted(ends, low[(at_low < 32) & (at_low != _BREAK)])] = False
    return starts, ends, np.concatenate([quotes, np.zeros(20, np.int64)]), base, last, ok


def _check_number(flat: npt.NDArray[np.uint8], ok: _Flags, starts: _Places, ends: _Places, least: int) -> None:
    """Leave only lines of which this span is a whole number as JSON writes it, of at most 18 digits."""
    wide = ends - starts
    ok &= (wide >= 1) & (wide <= _MOST)
    ok &= (flat[starts] != _ZERO) | ((wide == 1) & (least == 0))
    for place in range(int(wide[ok].max(initial=0))):
        digit = flat[np.minimum(starts + place, len(flat) - 1)] - _ZERO  # below "0" it wraps round, and is too large
        ok &= (place >= wide) | (digit <= 9)


@lru_cache(maxsize=65536)  # scores are few; the parents of what was said again are not
def _length_of_value(text: bytes) -> int:
    """How many of these bytes are the value, before a comma and the parents; 0 where they are not canonical.

    Two parents and more are kept in another spelling than they travel in; they come when a conflict was settled.
    """
    try:
        held = value_and_parents(text.decode())
    except UnicodeDecodeError:
        return 0
    return 0 if held is None or '","' in held[1] else len(held[0].encode())


def _among(ok: _Flags, number: _Places, starts: _Places, ends: _Places) -> tuple[_Places, _Places]:
    """Places of some lines, by the number of the line."""
    made = np.zeros((2, len(ok)), np.int64)
    made[0, number], made[1, number] = starts, ends
    return made[0], made[1]


def _proved(data: bytes, number: _Places, spans: dict[str, tuple[_Places, _Places]]) -> _Places:
    """Those of some lines whose text is what their digest says, byte for byte."""
    starts, ends = (side[number].tolist() for side in spans["text"])
    made = [blake2b(data[a:b], digest_size=16).digest() for a, b in zip(starts, ends, strict=True)]
    said = [data[a - 34 : a - 2] for a in starts]
    if hexlify(b"".join(made)) == b"".join(said):
        return number
    good = [hexlify(proof) == digest for proof, digest in zip(made, said, strict=True)]
    kept: _Places = number[np.array(good, bool)]
    return kept


def _column(flat: npt.NDArray[np.uint8], name: str, starts: _Places, ends: _Places) -> Column:
    """The column of the events whose field lies there."""
    lengths = ends - starts
    wide = int(lengths.max())
    number = name in ("seq", "item_revision", "active_ms")
    if not wide:
        return Column("same", None if name == "responder" else "")
    if wide > WIDE:
        return Column("spread", cells=_digits(starts + 1), width=_MOST, lengths=_digits(lengths))
    cells = np.lib.stride_tricks.sliding_window_view(flat, wide)[starts]
    even = int(lengths.min()) == wide
    if even and (cells == cells[0]).all():
        text = cells[0].tobytes().decode()
        return Column("same", int(text) if number else text)
    if name == "seq":
        first = int(flat[starts[0] : ends[0]].tobytes())
        if _without_rest(cells, lengths) == "".join(map(str, range(first, first + len(starts)))).encode():
            return Column("counted", first)
    if not even:
        cells[np.arange(wide) >= lengths[:, None]] = PAD
    return Column("number" if number else "fixed" if even else "padded", cells=cells.tobytes(), width=wide)


def _without_rest(cells: npt.NDArray[np.uint8], lengths: _Places) -> bytes:
    """The texts of a matrix one behind the other, without what is behind each."""
    held: bytes = cells[np.arange(cells.shape[1]) < lengths[:, None]].tobytes()
    return held


def _digits(numbers: _Places) -> bytes:
    """Whole numbers in digits, each `_MOST` wide, with zeros before them."""
    powers = 10 ** np.arange(_MOST - 1, -1, -1, dtype=np.int64)
    return bytes((numbers[:, None] // powers % 10 + _ZERO).astype(np.uint8).tobytes())


def _numbers_in(cells: bytes, width: int) -> list[int]:
    text = cells.decode("ascii").replace(chr(PAD), " ")
    return [int(text[at : at + width]) for at in range(0, len(text), width)]
