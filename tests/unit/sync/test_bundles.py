"""Bundles: written once, named by their bytes, and recognised for what they are whatever happens to them."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.labels import LabelEvent
from annotator.domain.wire import (
    Wire,
    event_of,
    joined,
    line_of,
    lines_in,
    proved,
    simple_fields,
    size,
    wire_in,
    wire_of,
    without,
    xor_of,
)
from annotator.errors import WorldError
from annotator.sync import BundleFault, Contents, Header, Hub, compose, open_bundle, skew_of

DEVICE = "01a22ccf-333a-7000-a37b-8d8b41bfd1b7"


def event(seq: int, value: object = 3, **more: object) -> LabelEvent:
    held = LabelEvent(
        event_id=f"{seq:08d}-0000-7000-8000-000000000000", device=DEVICE, seq=seq, rater="lin", item_id="dialogue:1",
        item_revision=1, responder="a::b::c", target="turn:0", field="accuracy", value=value, parents=(), rubric="r@1",
        phase="blind", lang="en", active_ms=7, at="2026-01-01T00:00:00.000000Z",
    )  # fmt: skip
    from dataclasses import replace

    held = replace(held, **more)  # type: ignore[arg-type]
    return replace(held, digest=held.compute_digest())


def packed(count: int = 5, **more: object) -> tuple[bytes, str]:
    out = io.BytesIO()
    events = ((DEVICE, n, wire_of(event(n))) for n in range(1, count + 1))
    digest, _ = compose(out, Header(DEVICE, 1, written_at=1.0), Contents(events, last=count, **more))  # type: ignore[arg-type]
    return out.getvalue(), digest


def test_what_goes_in_comes_out() -> None:
    data, digest = packed(
        5, items=[{"item_id": "i"}], judges=[("i", {"x": "\ud800"})], rubrics=[{"name": "r@1", "hash": "h", "body": {}}]
    )
    assert hashlib.blake2b(data, digest_size=16).hexdigest() == digest
    bundle = open_bundle(data, digest)
    assert bundle.trailer is None
    portions = list(bundle.portions(2))
    lines = [line for events, _ in portions for line in lines_in(events)]
    assert [event_of(wire_in(line)) for line in lines] == [event(n) for n in range(1, 6)]
    assert max(events.count(b"\n") for events, _ in portions) <= 2
    assert [kind[0] for _, others in portions for kind in others] == ["r", "i", "j"]
    assert bundle.trailer is not None and bundle.trailer.events == 5
    said = bundle.trailer.sets[DEVICE]
    assert (said.ranges, said.count) == (((1, 5),), 5)
    assert said.xor == xor_of(event(n).digest for n in (3, 1, 5, 2, 4))


def test_equal_contents_give_equal_bytes() -> None:
    assert packed() == packed()


def test_every_line_is_json() -> None:
    data, _ = packed(3, judges=[("i", {"t": "中\u2028"})])
    lines = gzip.decompress(data).decode("utf-8").rstrip("\n").split("\n")
    values = [json.loads(line) for line in lines]
    assert values[0]["format"] == "rubric-annotator-bundle" and values[-1]["end"] is True
    assert values[-1]["digest"] == hashlib.blake2b(("\n".join(lines[:-1]) + "\n").encode(), digest_size=16).hexdigest()


def test_cut_anywhere_it_is_torn() -> None:
    data, digest = packed()
    for at in range(len(data)):
        with pytest.raises(BundleFault) as told:
            open_bundle(data[:at], digest)
        assert told.value.kind == "torn" if 2 <= at or at == 0 else told.value.kind == "foreign"
        with pytest.raises(BundleFault):
            open_bundle(data[:at], None)


def test_any_changed_byte_is_seen() -> None:
    data, digest = packed(2)
    for at in range(len(data)):
        other = data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]
        with pytest.raises(BundleFault):
            open_bundle(other, digest)


def test_without_a_name_the_trailer_proves_it() -> None:
    data, _ = packed(2)
    list(open_bundle(data, None).portions(9))
    text = gzip.decompress(data)
    with pytest.raises(BundleFault) as told:
        open_bundle(gzip.compress(text.replace(b'"lin"', b'"bob"', 1)), None)
    assert told.value.kind == "altered"
    with pytest.raises(BundleFault) as told:
        open_bundle(gzip.compress(b"\n".join(text.split(b"\n")[:-2]) + b"\n"), None)
    assert told.value.kind == "torn"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"", "foreign"), (b"hello", "foreign"), (gzip.compress(b"hello\n"), "foreign"),
        (gzip.compress(b'{"format":"rubric-annotator-bundle","version":9}\n'), "newer"),
        (gzip.compress(b'{"format":"rubric-annotator-bundle","version":1}\n{}\n'), "altered"),
        (gzip.compress(b"\xff\xfe\n"), "altered"), (gzip.compress(b"[" * 100_000 + b"\n"), "foreign"),
    ],
)  # fmt: skip
def test_what_is_no_bundle_is_told(data: bytes, kind: str) -> None:
    with pytest.raises(BundleFault) as told:
        open_bundle(data, None)
    assert told.value.kind == kind


def test_a_hub_is_made_once_and_written_by_name(tmp_path: Path) -> None:
    assert Hub.open(tmp_path, make=False) is None
    first, second = Hub.open(tmp_path, make=True), Hub.open(tmp_path, make=True)
    assert first is not None and second is not None and first.id == second.id and first.made and not second.made
    place, digest, length, _ = first.write(Header(DEVICE, 3), Contents([(DEVICE, 1, wire_of(event(1)))], last=1))
    (found,) = first.files()
    assert (found.place, found.digest, found.number, found.size) == (place, digest, 3, length)
    assert abs(first.clock_ahead(DEVICE)) < 60
    assert [f.name for f in tmp_path.rglob(".*")] == []
    with pytest.raises(WorldError):
        Hub.open(tmp_path / "absent", make=True)


def test_clocks() -> None:
    now = 1_000_000.0
    assert skew_of(Header("d", 1, written_at=now), now, now) == 0
    assert skew_of(Header("d", 1, written_at=now + 7200), now, now) == 7200
    assert skew_of(Header("d", 1, written_at=now - 7200), now, now) == 0  # it may have been copied later
    assert skew_of(Header("d", 1, written_at=now - 7200, skew_s=7200.0), now, now) == -7200
    assert skew_of(Header("d", 1, written_at=now, skew_s=200.0), now, now) == 0


def test_a_line_that_is_not_canonical_is_not_taken_for_one() -> None:
    wire = wire_of(event(1))
    assert proved(wire) and simple_fields(line_of(wire)) is not None
    for text in (
        wire.text.replace(",1,", ", 1,", 1), wire.text.replace(",3,", ",03,"), wire.text.replace("lin", "l\\u0069n"),
        wire.text.replace(",3,", ",3.0,"), wire.text + " ", wire.text.replace("lin", "l\nin"),
    ):  # fmt: skip
        assert text != wire.text and simple_fields(line_of(Wire(wire.digest, text))) is None


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
        max_leaves=6,
    ),
    st.text(max_size=8), st.lists(st.uuids().map(str), max_size=3), st.text(max_size=12),
)  # fmt: skip
def test_any_event_survives_the_wire(value: object, rater: str, parents: list[str], extra: str) -> None:
    made = event(1, value, rater=rater, parents=tuple(parents), extra=extra)
    again = event_of(wire_in(line_of(wire_of(made))))
    assert again == made and again.compute_digest() == made.digest
    held = simple_fields(line_of(wire_of(made)))
    if held is not None:
        assert (held[0], held[5], json.loads(held[11]), json.loads(held[19])) == (made.digest, rater, value, extra)
        assert type(json.loads(held[11])) is type(value)


@given(
    st.lists(st.tuples(st.integers(1, 40), st.integers(0, 9))),
    st.lists(st.tuples(st.integers(1, 40), st.integers(0, 9))),
)
def test_ranges_are_sets(one: list[tuple[int, int]], two: list[tuple[int, int]]) -> None:
    def numbers(pairs: object) -> set[int]:
        return {n for a, b in pairs for n in range(a, b + 1)}  # type: ignore[attr-defined]

    first, second = [(a, a + n) for a, n in one], [(a, a + n) for a, n in two]
    assert numbers(joined(first, second)) == numbers(first) | numbers(second)
    assert numbers(without(first, second)) == numbers(first) - numbers(second)
    assert size(joined(first)) == len(numbers(first))
    assert list(joined(first)) == sorted(joined(first))


@given(st.lists(st.binary(min_size=16, max_size=16), max_size=40))
def test_exclusive_or_of_many(digests: list[bytes]) -> None:
    expected = 0
    for digest in digests:
        expected ^= int.from_bytes(digest, "big")
    assert xor_of(d.hex() for d in digests) == f"{expected:032x}"
