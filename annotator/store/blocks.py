"""Events that travelled, read thousands at a time: where each field lies in the bytes of all their lines at once.

Making an object of each field of a million events, and binding each to a statement, took two thirds of a sync. Here the
bytes of many lines stay as they came: `block_places` finds where each field lies in each line, and whole columns are
cut out. SQLite then takes the columns as they are (`inserting`). Each event is still proved by its digest, one by one.
A line that is in any way out of the ordinary is `odd`, and goes the way of `union_rows`, which alone decides what is
wrong with it.

Places are offsets in bytes into the block (int64); a column's matrix is uint8 of shape (events, width).
"""

from __future__ import annotations

import json
from binascii import hexlify
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from annotator.domain.wire import lines_in
from annotator.store.block_places import MOST, NUMBERS, Places, cut_at, places_in
from annotator.store.codec import EVENT_COLUMNS
from annotator.store.union_rows import Row, rows_of

PAD: Final = 31  # a control character, which canonical JSON always escapes: it ends a text that is shorter than others
WIDE: Final = 64  # texts longer than this are not laid out in a column, but named by their place in the block
_PADDING: Final = chr(PAD)
_TAIL: Final = bytes(WIDE + 8)  # so that a column may be cut past the last line
_ZERO: Final = 48


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
        spans: from where to where in `data` the lines lie of the events that are `columns`, in their order.
        odd: the lines that need a closer look.
        columns: by the name of the field, in the order of `EVENT_COLUMNS`.
        linked: the numbers of the events that supersede others.
        digests: the proved digests, 16 bytes each.
        runs: what `block_runs` worked out already, by the names of the fields.
    """

    data: bytes
    spans: tuple[Places, Places]
    odd: list[str]
    columns: dict[str, Column]
    linked: list[int]
    digests: bytes
    runs: dict[tuple[str, ...], Any] = field(default_factory=dict, compare=False)

    def __len__(self) -> int:
        """How many events are columns."""
        return len(self.spans[0])

    @property
    def lines(self) -> list[str]:
        """The lines of the events that are columns, in their order."""
        return lines_in(self.journal)

    def texts(self, name: str) -> Sequence[Any]:
        """What each event says of a field, as its row does; a text, a whole number or None."""
        column = self.columns[name]
        count = len(self)
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
        else:
            cut = texts_in(column.cells, wide)
        return [cell or None for cell in cut] if name == "responder" else cut

    def saying(self, name: str, text: str) -> list[int]:
        """The numbers of the events that say exactly this text in a field of texts or values."""
        column = self.columns[name]
        if column.kind == "same":
            return list(range(len(self))) if column.value == text else []
        if column.kind not in ("fixed", "padded"):
            return [number for number, said in enumerate(self.texts(name)) if said == text]
        sought = text.encode()
        if len(sought) > column.width or (column.kind == "fixed" and len(sought) < column.width):
            return []
        cells = np.frombuffer(column.cells, f"V{column.width}")
        there: list[int] = np.flatnonzero(cells == np.void(sought.ljust(column.width, bytes([PAD])))).tolist()
        return there

    @property
    def first_id(self) -> str:
        """The id of the first event."""
        return str(json.loads(self.data[self.spans[0][0] : self.spans[1][0]])[2][0])

    def rows(self) -> list[Row]:
        """The rows of the events."""
        return rows_of(self.lines)[0]

    @property
    def journal(self) -> bytes:
        """The lines of the events as the journal takes them."""
        if self.odd:
            return b"".join(
                [self.data[a : b + 1] for a, b in zip(*(side.tolist() for side in self.spans), strict=True)]
            )
        return self.data[: -len(_TAIL)]


def block_of(lines: Sequence[str] | bytes) -> Block | None:
    """The block of some lines; None where nothing can be made of them together.

    Bytes are the UTF-8 of whole lines, each ended by a line break.
    """
    count = None
    if not isinstance(lines, bytes):
        try:
            lines, count = ("\n".join(lines) + "\n").encode(), len(lines)
        except UnicodeEncodeError:
            return None
    data = lines + _TAIL
    found = places_in(data, len(lines))
    if found is None or count not in (None, len(found.starts)):
        return None
    number, digests = _proved(data, np.flatnonzero(found.ok), found.starts, found.ends)
    if not len(number):
        return None
    odd: list[str] = []
    starts, ends, spans = found.starts, found.ends, found.spans
    if len(number) < len(starts):
        left = np.setdiff1d(np.arange(len(starts)), number)
        odd = [data[a:b].decode() for a, b in zip(starts[left].tolist(), ends[left].tolist(), strict=True)]
        starts, ends = starts[number], ends[number]
        spans = {name: (first[number], last[number]) for name, (first, last) in spans.items()}
    columns = {name: _column(data, name, *spans[name]) for name in EVENT_COLUMNS}
    above = spans["parents"]
    linked: list[int] = np.flatnonzero(above[1] - above[0] > len("[]")).tolist()
    return Block(data, (starts, ends), odd, columns, linked, digests)


def _proved(data: bytes, number: Places, starts: Places, ends: Places) -> tuple[Places, bytes]:
    """Those of some lines whose text is what their digest says, byte for byte; and their digests."""
    whole = len(number) == len(starts)
    first, last = (starts, ends) if whole else (starts[number], ends[number])
    new = blake2b(digest_size=16).copy  # an empty one: copying it is cheaper than saying again what it is to be
    made: list[bytes] = []
    for a, b in zip((first + 40).tolist(), (last - 1).tolist(), strict=True):
        proof = new()
        proof.update(data[a:b])
        made.append(proof.digest())
    digests = b"".join(made)
    said = cut_at(data, first + 6, 32)
    if hexlify(digests) == said.tobytes():
        return number, digests
    good = [hexlify(proof) == digest.tobytes() for proof, digest in zip(made, said, strict=True)]
    return number[np.array(good, bool)], b"".join([proof for proof, held in zip(made, good, strict=True) if held])


def _column(data: bytes, name: str, starts: Places, ends: Places) -> Column:
    """The column of the events whose field lies there."""
    lengths = ends - starts
    wide = int(lengths.max())
    number = name in NUMBERS
    if not wide:
        return Column("same", None if name == "responder" else "")
    if wide > WIDE:
        return Column(
            "spread",
            cells=digits_of(starts + 1, MOST).tobytes(),
            width=MOST,
            lengths=digits_of(lengths, MOST).tobytes(),
        )
    cut = cut_at(data, starts, wide)
    cells = cut.tobytes()
    even = int(lengths.min()) == wide
    if even and cells == cells[:wide] * len(starts):
        text = cells[:wide].decode()
        return Column("same", int(text) if number else text)
    if name == "seq":
        first = int(data[starts[0] : ends[0]])
        if (_read(data, ends, lengths, wide) == np.arange(first, first + len(starts))).all():
            return Column("counted", first)
    if not even:
        kept = _kept(wide)[lengths].view(np.uint8)
        cells = (cut.view(np.uint8) & kept | ~kept & PAD).tobytes()
    return Column("number" if number else "fixed" if even else "padded", cells=cells, width=wide)


@lru_cache(maxsize=WIDE)
def _kept(wide: int) -> npt.NDArray[np.void]:
    """For each length of a text, all bits of its bytes and none of those behind it: one item of `wide` bytes each."""
    bits = np.where(np.arange(wide) < np.arange(wide + 1)[:, None], 255, 0).astype(np.uint8)
    made: npt.NDArray[np.void] = bits.view(f"V{wide}").ravel()
    return made


def _read(data: bytes, ends: Places, lengths: Places, wide: int) -> Places:
    """The whole numbers that end there, in digits without zeros before them."""
    digits = cut_at(data, ends - wide, wide).view(np.uint8).reshape(len(ends), wide)
    made = np.zeros(len(ends), np.int64)
    for place in range(wide):
        made = made * 10 + np.where(wide - place <= lengths, digits[:, place] - _ZERO, 0)
    return made


def digits_of(numbers: Places, wide: int) -> npt.NDArray[np.uint8]:
    """Whole numbers in digits with zeros before them, of shape (numbers, wide)."""
    powers = 10 ** np.arange(wide - 1, -1, -1, dtype=np.int64)
    made: npt.NDArray[np.uint8] = (numbers[:, None] // powers % 10 + _ZERO).astype(np.uint8)
    return made


def texts_in(cells: bytes, wide: int) -> list[str]:
    """The texts of a column, each in a cell of that width, which ends in `PAD` where the text is shorter."""
    if cells.isascii():
        text = cells.decode("ascii")
        return [text[at : at + wide].rstrip(_PADDING) for at in range(0, len(text), wide)]
    return [cells[at : at + wide].decode().rstrip(_PADDING) for at in range(0, len(cells), wide)]


def _numbers_in(cells: bytes, width: int) -> list[int]:
    text = cells.decode("ascii").replace(_PADDING, " ")
    return [int(text[at : at + width]) for at in range(0, len(text), width)]
