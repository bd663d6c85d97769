"""The fold is a function of the set of events: order, repeats and late parents change nothing."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.fold import fold
from annotator.domain.labels import LabelEvent


def event(
    number: int, value: Any, parents: tuple[str, ...] = (), *, device: str = "d1", target: str = "turn:0"
) -> LabelEvent:
    made = LabelEvent(
        event_id=f"e{number:04d}", device=device, seq=number, rater="r", item_id="dialogue:0", item_revision=1,
        responder="p::m::t", target=target, field="accuracy", value=value, parents=parents, rubric="rubric-mme@1.0",
        phase="blind", lang="en", active_ms=0, at="2026-01-01T00:00:00.000000Z",
    )  # fmt: skip
    return replace(made, digest=made.compute_digest())


def only(events: list[LabelEvent]) -> Any:
    (current,) = fold(events).values()
    return current


def test_the_last_of_a_chain_counts() -> None:
    chain = [event(1, 3), event(2, 4, ("e0001",)), event(3, 5, ("e0002",))]
    assert only(chain).value == 5
    assert only(chain).heads == ("e0003",)


def test_two_devices_that_differ_are_a_conflict_and_have_no_value() -> None:
    current = only([event(1, 3), event(2, 4, ("e0001",)), event(3, 2, ("e0001",), device="d2")])
    assert current.in_conflict
    assert current.value is None
    assert current.conflict == (4, 2)


def test_two_devices_that_agree_are_quiet() -> None:
    current = only([event(1, 3), event(2, 4, ("e0001",)), event(3, 4, ("e0001",), device="d2")])
    assert not current.in_conflict
    assert current.value == 4


def test_true_and_one_are_two_values() -> None:
    assert only([event(1, True), event(2, 1)]).in_conflict


def test_a_settling_event_supersedes_all_heads() -> None:
    heads = [event(1, 4), event(2, 2, device="d2")]
    assert only([*heads, event(3, 3, ("e0001", "e0002"))]).value == 3


def test_a_child_may_arrive_before_its_parent() -> None:
    child = event(2, 5, ("e0001",))
    assert only([child]).value == 5
    assert only([child, event(1, 3)]).value == 5


@given(st.data())
def test_order_and_repeats_change_nothing(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 12))
    events = []
    for number in range(1, count + 1):
        earlier = [e.event_id for e in events]
        parents = data.draw(st.lists(st.sampled_from(earlier), unique=True)) if earlier else []
        target = data.draw(st.sampled_from(["turn:0", "turn:1"]))
        mine = tuple(p for p in parents if next(e for e in events if e.event_id == p).target == target)
        events.append(event(number, data.draw(st.sampled_from([1, 2, None])), mine, target=target))
    again = events + events[: count // 2]
    random.Random(data.draw(st.integers(0, 9))).shuffle(again)
    assert fold(again) == fold(events)


def test_the_digest_tells_every_field() -> None:
    base = event(1, 3)
    changed = [replace(base, value=4), replace(base, at="x"), replace(base, extra="{}"), replace(base, parents=("e9",)),
               replace(base, judged="h"), replace(base, value="3")]  # fmt: skip
    digests = {base.digest, *(c.compute_digest() for c in changed)}
    assert len(digests) == len(changed) + 1
