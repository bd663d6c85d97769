"""A bundle's lines stay bytes: sorted, cut and gathered they are what reading them one by one makes of them."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.wire import EVENT_LINE, line_of, lines_in, wire_of
from annotator.sync import BundleFault, open_bundle, reading, sorting
from annotator.sync.bundle import RIDING
from annotator.sync.sorting import Gathered, is_event, sorted_out
from tests.unit.sync.test_bundles import event

_HASH = "0123456789abcdef" * 2
_LINES = st.sampled_from(
    [
        *(line_of(wire_of(event(n, value))) for n, value in enumerate((3, "理由 \u2028", "x\r\x00 ", {"a": 1}), 1)),
        *(f'{EVENT_LINE}{_HASH}",', f'{EVENT_LINE}{_HASH}"', f'{EVENT_LINE}{_HASH}",[\r]]', f'["e", "{_HASH}",[]]'),
        # As many characters as a digest has in more bytes; as many bytes in fewer characters.
        *(f'{EVENT_LINE}{_HASH[1:]}é",[]]', f'{EVENT_LINE}{_HASH[2:]}é",[]]', f'{EVENT_LINE}{_HASH[:-2]}é",[]]'),
        *("", "\r", "\x0b", "\u2028", "é", "[]", "null", "[" * 40, '["e"]', EVENT_LINE, f" {EVENT_LINE}{_HASH}"),
        *('["i",{"t":"中"}]', '["j","i",{}]', '["z",1]', '["r",{"body":"' + "r" * 70_000 + '"}]', "not json"),
    ]
)


def _joined(lines: list[str]) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


@pytest.mark.parametrize("few", [1, 1 << 40])
@settings(max_examples=200, deadline=None)
@given(lines=st.lists(_LINES, min_size=1, max_size=12))
def test_lines_are_sorted_as_one_by_one(few: int, lines: list[str]) -> None:
    lines.append("-" * 64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "FEW", few)
        found = sorted_out(_joined(lines))
    expected = [line for line in lines if is_event(line)]
    assert bytes(found.events) == _joined(expected)
    assert [bytes(found.events)[:end] for end in found.ends] == [
        _joined(expected[:n]) for n in range(1, 1 + len(expected))
    ]
    assert found.others == [line for line in lines if not is_event(line)]


@pytest.mark.parametrize("few", [1, 1 << 40])
def test_a_short_line_is_not_what_the_next_one_makes_of_it(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorting, "FEW", few)
    for short in range(len(EVENT_LINE), len(EVENT_LINE) + 33):
        line = f'{EVENT_LINE}{_HASH}",[]]'
        lines = [line[:short], "x" * (37 - short) + '",' + "y" * 40, line]
        assert sorted_out(_joined(lines)).others == lines[:2]
        assert bytes(sorted_out(_joined(lines)).events) == _joined(lines[2:])


@given(st.lists(st.lists(st.text("ab", max_size=3), max_size=9), max_size=6), st.integers(1, 7))
def test_portions_are_full_wherever_the_pieces_end(pieces: list[list[str]], size: int) -> None:
    waiting = Gathered(size)
    made = []
    for piece in pieces:
        ends = [len(_joined(piece[:n])) for n in range(1, 1 + len(piece))]
        made += [lines_in(portion) for portion in waiting.full(_joined(piece), ends)]
    every = [line for piece in pieces for line in piece]
    last = lines_in(waiting.all())
    assert all(len(portion) == size for portion in made) and len(last) <= size
    assert [line for portion in [*made, last] for line in portion] == every
    assert last or not every, "something is left for the end, with which the bundle is noted"


def _packed(lines: list[str]) -> bytes:
    header = {"format": "rubric-annotator-bundle", "version": 1, "device": "d", "number": 1}
    trailer = {"end": True, "lines": len(lines), "events": 0, "sets": {}, "last": 0, "digest": ""}
    return gzip.compress(_joined([json.dumps(header), *lines, json.dumps(trailer)]), mtime=0)


def _read(data: bytes, size: int) -> tuple[list[str], list[Any], int]:
    bundle = open_bundle(data, reading.hashlib.blake2b(data, digest_size=16).hexdigest())
    portions = list(bundle.portions(size))
    assert all(events.count(b"\n") == size for events, _ in portions[:-1])
    assert bundle.trailer is not None
    return (
        [line for events, _ in portions for line in lines_in(events)],
        [other for _, others in portions for other in others],
        bundle.unknown,
    )


@settings(max_examples=150, deadline=None)
@given(
    lines=st.lists(_LINES, max_size=9), size=st.integers(1, 4), first=st.integers(1, 40), feed=st.integers(1, 40),
    unpacked=st.integers(90, 600), few=st.sampled_from([64, 500, 1 << 16]),
)  # fmt: skip
def test_a_bundle_is_read_alike_wherever_it_is_cut(
    lines: list[str], size: int, first: int, feed: int, unpacked: int, few: int
) -> None:
    riding = [line for line in lines if line.startswith(tuple(f'["{kind}",' for kind in RIDING))]
    events = [line for line in lines if is_event(line)]
    unknown = len(lines) - len(riding) - len(events)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_FIRST", first)
        patch.setattr(reading, "_FEED", feed)
        patch.setattr(reading, "_UNPACKED", unpacked)
        patch.setattr(sorting, "FEW", few)
        assert _read(_packed(lines), size) == (events, [json.loads(line) for line in riding], unknown)


@pytest.mark.parametrize("unpacked", [7, 100, 1 << 20])
def test_the_first_and_the_last_line_come_alone(unpacked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_UNPACKED", unpacked)
    for lines in (["a"], ["a", "b"], ["", ""], ["a", "b" * 300, "é"], ["h", *"xyz" * 9, "t" * 50]):
        pieces = list(reading._unpacked(gzip.compress(_joined(lines))))
        assert b"".join(pieces) == _joined(lines)
        assert pieces[0] == _joined(lines[:1]) and pieces[-1] == _joined(lines[-1:])


def test_what_is_not_whole_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def kind(data: bytes) -> str:
        with pytest.raises(BundleFault) as told:
            list(open_bundle(data, reading.hashlib.blake2b(data, digest_size=16).hexdigest()).portions(3))
        return told.value.kind

    lines = [line_of(wire_of(event(n))) for n in range(1, 9)]
    whole = _packed(lines)
    assert _read(whole, 3) == (lines, [], 0)
    text = gzip.decompress(whole)
    assert kind(gzip.compress(text[:-1])) == "torn", "the last line has no end"
    assert kind(gzip.compress(text[: text.rindex(b"\n", 0, -1) + 1])) == "torn", "no trailer"
    assert kind(gzip.compress(text[: text.index(b"\n") + 1])) == "torn", "nothing but a header"
    assert kind(whole[:-9]) == "torn"
    assert kind(whole + b"more") == "altered"
    assert kind(whole[:-8] + bytes(4) + whole[-4:]) == "altered", "the sum at the end is of other bytes"
    assert kind(gzip.compress(text.replace(b'"lin"', b'"l\xffn"', 1))) == "altered", "no UTF-8"
    monkeypatch.setattr(reading, "_MAX_LINE", 1000)
    monkeypatch.setattr(reading, "_UNPACKED", 300)
    assert _read(whole, 3) == (lines, [], 0)
    assert kind(_packed([*lines, "x" * 1400, *lines])) == "altered", "a line that is too long"
