"""Events that are read as columns are what they are read as one by one, and nothing else is taken for one."""

from __future__ import annotations

import hashlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.domain.labels import LabelEvent
from annotator.domain.wire import Wire, line_of, wire_in, wire_of
from annotator.store import Store, create_store, union
from annotator.store.block_runs import runs_of
from annotator.store.blocks import WIDE, Block, block_of
from annotator.store.codec import EVENT_COLUMNS
from annotator.store.inserting import insert_block
from annotator.store.union import Taken
from annotator.store.union_rows import rows_of
from tests.unit.store.made import MODELS, RATER, dialogue, fill, the_id
from tests.unit.store.test_fold_property import event_sets

_CALM = settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
_VALUES: list[Any] = [
    *(1, 5, None, True, -3, 2.5, 10**17, "cannot_judge", "", 'why "so"', "理由 \\ \n\u2028", "x" * (WIDE + 40)),
    *([1, "a,b", []], {"opened": 1, "played": 0.5}, {"a": [1, '"]],["e"']}, "\x7f\x00", "é" * 30),
]
_NAMES = st.sampled_from(["ann", "bo", "李", "a,b", "b\\c", 'q"t', "", "x" * 70, "\x1f", "née"])


@st.composite
def events(draw: st.DrawFn) -> list[LabelEvent]:
    """Events as strange as they may be, of one device or several, counting on or not."""
    made = []
    step = draw(st.integers(1, 3))
    for number in range(draw(st.integers(1, 9))):
        odd = draw(st.integers(0, 5)) == 0  # mostly all alike, as in a bundle
        event = LabelEvent(
            event_id=f"{number:08d}-0000-7000-8000-00000000000a" if not odd else draw(_NAMES) + str(number),
            device=draw(_NAMES) if odd else "s1", seq=draw(st.integers(1, 10**18)) if odd else 9 + number * step,
            rater=draw(_NAMES) if odd else "ann", item_id=the_id(draw(st.integers(0, 2))),
            item_revision=draw(st.integers(0, 10**17)) if odd else 1,
            responder=draw(st.none() | _NAMES) if odd else MODELS[0], target=f"turn:{draw(st.integers(0, 12))}",
            field=draw(_NAMES) if odd else "accuracy", value=draw(st.sampled_from(_VALUES if odd else _VALUES[:6])),
            parents=tuple(draw(st.lists(st.sampled_from(["p1", "p2", 'p"3']), max_size=2))) if odd else (),
            rubric="r@1", phase="blind", lang="zh_CN" if odd else "en", active_ms=draw(st.integers(0, 99_999)),
            at=f"2026-01-01T00:00:{number:02d}.000000Z", judged="" if odd else "ab" * 16,
            extra=draw(st.sampled_from(["", '{"new":1}', "plain"])),
        )  # fmt: skip
        made.append(replace(event, digest=event.compute_digest()))
    return made


def _cut(block: Block | None) -> list[tuple[Any, ...]]:
    return [] if block is None else list(zip(*(block.texts(name) for name in EVENT_COLUMNS), strict=True))


def _sealed(text: str) -> str:
    return line_of(Wire(hashlib.blake2b(text.encode(), digest_size=16).hexdigest(), text))


@_CALM
@given(events())
def test_columns_say_what_rows_say(made: list[LabelEvent]) -> None:
    lines = [line_of(wire_of(event)) for event in made]
    rows, good, _ = rows_of(lines)
    block = block_of(lines)
    cut = _cut(block)
    held = dict(zip(good, rows, strict=True))
    assert cut == [held[line] for line in (block.lines if block else [])]
    if block is not None:
        assert sorted([*block.lines, *block.odd]) == sorted(lines)
        assert block.digests.hex() == "".join(row[-1] for row in cut)
        assert block.journal.decode() == "".join(line + "\n" for line in block.lines)
        assert block.linked == [n for n, row in enumerate(cut) if row[EVENT_COLUMNS.index("parents")] != "[]"]
        for names in (("rater",), ("rater", "device"), ("rater", "item_id"), ("item_id", "responder", "target")):
            places = [EVENT_COLUMNS.index(name) for name in names]
            said = [tuple(row[place] or "" for place in places) for row in cut]
            runs = runs_of(block, names)
            assert dict(zip(runs.keys, runs.counts(), strict=True)) == {key: said.count(key) for key in said}
            assert [runs.keys[n] for n in np.repeat(runs.which, runs.ends - runs.starts)] == said
        for name in ("field", "value", "lang"):
            texts = [row[EVENT_COLUMNS.index(name)] for row in cut]
            for text in {*texts, "verdict", "null", ""}:
                assert block.saying(name, text) == [n for n, said in enumerate(texts) if said == text]


@_CALM
@given(events(), st.data())
def test_bytes_of_lines_are_the_block_that_the_lines_are(made: list[LabelEvent], data: st.DataObject) -> None:
    lines = [line_of(wire_of(event)) for event in made]
    for put in data.draw(
        st.lists(st.sampled_from(["", "\r", "\x00", "]]", '["e","', "\u2028", "é" * 40, "!"]), max_size=3)
    ):
        at = data.draw(st.integers(0, len(lines)))
        lines.insert(at, put if data.draw(st.booleans()) else lines[at - 1] + put)
    one, other = block_of(lines), block_of("".join(line + "\n" for line in lines).encode())
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert (one.lines, one.odd, one.columns, one.linked) == (other.lines, other.odd, other.columns, other.linked)
        assert (one.journal, one.first_id, one.data) == (other.journal, other.first_id, other.data)
        assert [*one.lines, *one.odd] != [] and one.first_id == json.loads(one.lines[0])[2][0]


def test_one_parent_is_read_like_any_other() -> None:
    parents: list[tuple[str, ...]] = [
        (),
        ("p" * 36,),
        ("",),
        ("a,b],[",),
        ("é" * 9,),
        ("b\\",),
        ('q"',),
        ("p", "q"),
        ("\x00",),
    ]
    for value in (0, 5, 12, None, "x", [], {"a": ["]"]}):
        made = [replace(_plain(n, n + 1, value), parents=above) for n, above in enumerate(parents)]
        lines = [line_of(wire_of(replace(e, digest=e.compute_digest()))) for e in made]
        block = block_of(lines)
        assert block is not None
        rows = dict(zip(lines, rows_of(lines)[0], strict=True))
        assert _cut(block) == [rows[line] for line in block.lines]
        assert {0, 1, 2, 3, 4} <= {lines.index(line) for line in block.lines}, "and not one by one"
        assert block.linked == [n for n, line in enumerate(block.lines) if made[lines.index(line)].parents]


def test_value_and_parents_are_taken_as_they_are_or_not_at_all() -> None:
    whole = wire_of(_plain(0, 1, 5)).text
    plain = ["5,[]", '5,["p"]', "15,[]", '"5",[]', '["5",[]],[]', '0,["]"]']
    others = [
        *("5,[],7", '5,["p"],7', '5,["\\u0070"]', "5 ,[]", "5, []", '5,["p",7]', '5,["p"]x', "05,[]", '5,["p" ]', "5"),
        *(
            '5,[7,"p"]',
            '5,[["p"]]',
            "5,[],[]",
            '5,["p"],[]',
            "5,[]]",
            "[],5",
            '5,"p"',
            ",[]",
            "5,",
            "x,[]",
            "/,[]",
            ":,[]",
        ),
    ]
    lines = [_sealed(whole.replace(",5,[],", f",{said},", 1)) for said in [*plain, *others]]
    block = block_of(lines)
    assert block is not None
    assert block.lines == lines[: len(plain)] and block.odd == lines[len(plain) :]
    assert _cut(block) == rows_of(block.lines)[0] and rows_of(block.odd)[0] == []


@pytest.mark.parametrize("put", ["x", ";", '"', "\\", " ", "7", "\r", ",", ""])
def test_every_byte_of_a_line_counts(put: str) -> None:
    """Another byte at each place in turn, under a digest that is right for it."""
    lines = [_sealed(wire_of(_plain(0, 1, 5)).text)]
    for event in (_plain(0, 1, 5), replace(_plain(0, 1, 5), responder=None, parents=("p",))):
        text = wire_of(event).text
        lines += [_sealed(text[:at] + put + text[at + 1 :]) for at in range(len(text))]
        lines += [line[:at] + put + line[at + 1 :] for line in [_sealed(text)] for at in (*range(40), len(text) + 40)]
    block = block_of(lines)
    rows, good, _ = rows_of(lines)
    held = dict(zip(good, rows, strict=True))
    assert block is not None and set(block.lines) <= set(good)
    assert (len(block.lines) > 100) == (put not in ('"', "\\", "\r")), "nearly all of it stands in strings"
    assert all(line == line_of(wire_in(line)) for line in block.lines), "the journal takes them as they are"
    assert _cut(block) == [held[line] for line in block.lines]


def test_plain_events_are_columns_of_every_kind() -> None:
    kinds: dict[str, set[str]] = {}
    for values in ([1] * 4, [1, None, 3, "cannot_judge"], ["x" * n for n in (1, 90, 4, 5)]):
        for step in (1, 2):
            lines = [
                line_of(wire_of(replace(e, digest=e.compute_digest())))
                for n, value in enumerate(values)
                for e in [_plain(n, 1 + n * step, value)]
            ]
            block = block_of(lines)
            assert block is not None and not block.odd and _cut(block) == rows_of(lines)[0]
            for name, column in block.columns.items():
                kinds.setdefault(name, set()).add(column.kind)
    assert kinds["seq"] == {"counted", "number"} and kinds["value"] == {"same", "padded", "spread"}
    assert kinds["device"] == {"same"} and kinds["event_id"] == {"fixed"}


def test_no_responder_stays_none_whatever_the_others_are_called(tmp_path: Path) -> None:
    for n, other in enumerate((None, "m", "m" * WIDE, "m" * (WIDE + 1), "长" * WIDE)):
        made = [replace(_plain(k, k + 1, 1), responder=who) for k, who in enumerate((None, other, None, "m::x"))]
        made = [replace(event, digest=event.compute_digest()) for event in made]
        block = block_of([line_of(wire_of(event)) for event in made])
        assert block is not None and list(block.texts("responder")) == [event.responder for event in made]
        with create_store(tmp_path / str(n), rater=RATER) as store:
            with store.database.write() as connection:
                assert insert_block(connection, block)
            assert list(store.labels.events()) == made


def _plain(number: int, seq: int, value: Any) -> LabelEvent:
    return LabelEvent(
        f"{number:08d}-0000-7000-8000-000000000000", "d1", seq, "ann", the_id(0), 1, MODELS[0], f"turn:{number}",
        "accuracy", value, (), "r@1", "blind", "en", 5, "2026-01-01T00:00:00.000000Z", "ab" * 16, "",
    )  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_line_of_another_shape_is_never_taken_for_an_event(data: st.DataObject) -> None:
    """One change anywhere, under a digest that is right for it: what the slow way refuses, the quick one refuses."""
    whole = wire_of(replace(_plain(3, 4, {"a": [1, "b"]}), responder=data.draw(st.sampled_from([None, "m::x"])))).text
    at = data.draw(st.integers(0, len(whole)))
    put = data.draw(
        st.sampled_from(["", '"', ",", "[", "]", "0", "null", "\\", "\x01", "é", " ", '","', "{}", "-", "e"])
    )
    text = whole[:at] + put + whole[at + data.draw(st.integers(0, 3)) :]
    others = [line_of(wire_of(replace(e, digest=e.compute_digest()))) for e in (_plain(1, 2, 3), _plain(2, 3, 4))]
    lines = [others[0], _sealed(text), others[1]]
    rows, good, _ = rows_of(lines)
    block = block_of(lines)
    assert block is not None
    held = dict(zip(good, rows, strict=True))
    assert _cut(block) == [held[line] for line in block.lines]
    assert set(others) <= set(block.lines)


def test_what_no_digest_proves_is_left_for_a_closer_look() -> None:
    lines = [line_of(wire_of(replace(e, digest=e.compute_digest()))) for n in range(4) for e in [_plain(n, n + 1, n)]]
    spoiled = [lines[0], lines[1].replace("accuracy", "relevance"), lines[2], lines[3].replace('["e","', '["e","F', 1)]
    block = block_of(spoiled)
    assert block is not None and block.lines == [lines[0], lines[2]] and block.odd == [spoiled[1], spoiled[3]]
    assert block_of([spoiled[1]]) is None
    assert block_of(["", "[]", "null"]) is None
    assert block_of(["two\nlines"]) is None
    assert block_of(["half a pair \ud800"]) is None


def test_a_block_is_inserted_whole_or_not_at_all(tmp_path: Path) -> None:
    lines = [line_of(wire_of(replace(e, digest=e.compute_digest()))) for n in range(5) for e in [_plain(n, n + 1, n)]]
    rival = replace(_plain(9, 3, 1), event_id="rival")
    with create_store(tmp_path / "w", rater=RATER) as store:
        store.labels.merge([replace(rival, digest=rival.compute_digest())])
        block = block_of(lines)
        assert block is not None
        with store.database.write() as connection:
            guards = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
            assert not insert_block(connection, block)
            assert connection.execute("SELECT count(*) FROM label_event").fetchone() == (1,)
            assert connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall() == guards


def _state(store: Store) -> tuple[Any, ...]:
    currents = [(c.current, c.stale) for c in store.labels.current()]
    aside = sorted((q["event_id"], q["reason"]) for q in store.labels.quarantine())
    return (
        sorted(store.labels.events(), key=lambda e: e.event_id), currents, aside,
        store.queue.rows(RATER, ("blind", "open")),
    )  # fmt: skip


@settings(_CALM, max_examples=15)
@given(made=event_sets(), strange=events(), packed=st.booleans(), data=st.data())
def test_taking_blocks_in_equals_merging_one_by_one(
    made: list[LabelEvent], strange: list[LabelEvent], packed: bool, data: st.DataObject
) -> None:
    alone = list({(e.device, e.seq): e for e in strange}.values())  # of rivals, the first that comes is taken in
    every = data.draw(st.permutations([*made, *alone]))
    cut = data.draw(st.integers(0, len(every)))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(union, "MANY", 1)
        patch.setattr(union, "_LINE_BYTES", 1)
        with _fresh(Path(folder) / "one") as one, _fresh(Path(folder) / "many") as many:
            taken = Taken()
            merged = one.labels.merge([*every[:cut], *every])
            for part in (every[:cut], every):
                lines = [line_of(wire_of(e)) for e in part]
                many.union.take("".join(line + "\n" for line in lines).encode() if packed else lines, taken)
            assert _state(many) == _state(one)
            assert (taken.inserted, taken.duplicates) == (merged.inserted, merged.duplicates)
            assert taken.rows == {(e.rater, e.item_id, e.responder or "") for e in many.labels.events()}
            assert sum(taken.by.values()) == taken.inserted
            assert many.upkeep.check().ok == one.upkeep.check().ok
            assert {e.event_id for e in many.journal.events()} == {e.event_id for e in many.labels.events()}


def _fresh(folder: Path) -> Store:
    store = create_store(folder, rater=RATER)
    fill(store, [dialogue(0)])
    return store


def test_lines_in_the_journal_are_read_and_torn_ones_are_written_again(tmp_path: Path) -> None:
    lines = [line_of(wire_of(replace(e, digest=e.compute_digest()))) for n in range(6) for e in [_plain(n, n + 1, n)]]
    with create_store(tmp_path / "w", rater=RATER) as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(union, "MANY", 1)
        store.union.take(lines, Taken())
        file = store.journal.files()[-1]
        assert file.read_text("utf-8").split("\n")[-7:] == [*lines, ""]
        whole = list(store.journal.events())
        assert [e.seq for e in whole] == [1, 2, 3, 4, 5, 6]
        file.write_bytes(file.read_bytes()[: -len(lines[-1]) - 40])  # the last whole, the one before it cut
        with store.database.write() as connection:
            assert store.journal.reconcile(connection) == []
        assert {e.event_id for e in store.journal.events()} == {e.event_id for e in whole}
        assert store.upkeep.check().ok
        assert json.loads(lines[0])[0] == "e"
