"""Whatever comes in whatever order: what is kept equals the fold of the set of events."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.domain.fold import Current, fold
from annotator.domain.labels import LabelEvent
from annotator.store import Store, create_store
from annotator.store.queue import Queue
from tests.unit.store.made import MODELS, RATER, dialogue, fill, the_id

_CALM = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@st.composite
def event_sets(draw: st.DrawFn) -> list[LabelEvent]:
    """Events of three devices about few keys, each superseding any earlier or later ones of its key."""
    places = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["accuracy", "relevance", "verdict"]),
                st.sampled_from([0, 1]),
                st.sampled_from([MODELS[0], MODELS[1]]),
                st.sampled_from([1, 2, 5, None, "cannot_judge"]),
                st.sampled_from(["d1", "d2", "d3"]),
                st.sampled_from(["blind", "open"]),
            ),
            max_size=14,
        )
    )
    counted = {"d1": 0, "d2": 0, "d3": 0}
    events: list[LabelEvent] = []
    for number, (field, turn, responder, value, device, phase) in enumerate(places):
        counted[device] += 1
        verdict = field == "verdict"
        event = LabelEvent(
            event_id=f"{number:08d}-0000-7000-8000-000000000000",
            device=device,
            seq=counted[device],
            rater=RATER,
            item_id=the_id(0),
            item_revision=1,
            responder=None if verdict else responder,
            target="item" if verdict else f"turn:{turn}",
            field=field,
            value={1: "keep", 2: "revise", 5: "reject"}.get(value) if verdict else value,  # type: ignore[call-overload]
            parents=(),
            rubric="",
            phase=phase,
            lang="",
            active_ms=0,
            at=f"2026-01-01T00:00:{number:02d}.000000Z",
        )
        same = [e.event_id for e in events if e.key == event.key]
        parents = draw(st.lists(st.sampled_from(same), unique=True)) if same else []
        event = replace(event, parents=tuple(parents))
        events.append(replace(event, digest=event.compute_digest()))
    return events


def _kept(store: Store) -> dict[object, Current]:
    return {held.current.key: held.current for held in store.labels.current()}


def _fresh(folder: str) -> Store:
    store = create_store(Path(folder) / "w", rater=RATER)
    fill(store, [dialogue(0)])
    return store


@_CALM
@given(events=event_sets(), data=st.data())
def test_what_is_kept_is_the_fold_in_any_order_and_portions(events: list[LabelEvent], data: st.DataObject) -> None:
    order = data.draw(st.permutations(events))
    cuts = data.draw(st.lists(st.integers(0, len(events)), max_size=3).map(sorted))
    repeats = data.draw(st.lists(st.sampled_from(events), max_size=3)) if events else []
    with tempfile.TemporaryDirectory() as folder, _fresh(folder) as store:
        start = 0
        for cut in [*cuts, len(order)]:
            store.labels.merge([*order[start:cut], *repeats[:1]])
            start = cut
        store.labels.merge(repeats)
        assert _kept(store) == fold(events)
        assert store.upkeep.check().ok
        kept, rows = _kept(store), store.queue.rows(RATER, ("blind", "open"))
        store.upkeep.rebuild()
        assert (_kept(store), store.queue.rows(RATER, ("blind", "open"))) == (kept, rows)
        assert store.labels.merge(events).inserted == 0
        assert store.labels.count() == len(events)


@_CALM
@given(events=event_sets(), split=st.data())
def test_two_stores_that_merge_each_other_agree(events: list[LabelEvent], split: st.DataObject) -> None:
    mine = split.draw(st.lists(st.booleans(), min_size=len(events), max_size=len(events)))
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        with _fresh(one) as first, _fresh(two) as second:
            first.labels.merge(e for e, m in zip(events, mine, strict=True) if m)
            second.labels.merge(e for e, m in zip(events, mine, strict=True) if not m)
            first.labels.merge(second.labels.events())
            second.labels.merge(first.labels.events())
            assert _kept(first) == _kept(second) == fold(events)
            assert isinstance(first.queue, Queue)
            assert first.queue.rows(RATER) == second.queue.rows(RATER)
