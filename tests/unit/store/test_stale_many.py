"""Labels that came many at a time grow old exactly as each of them would alone."""

from __future__ import annotations

import sqlite3
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.domain.labels import LabelEvent
from annotator.domain.wire import line_of, wire_of
from annotator.store import Store, create_store, union
from annotator.store.judged import Judged
from annotator.store.union import Taken
from tests.unit.store.made import MODELS, RATER, answers, dialogue, fill, the_id

_FIELDS = ("accuracy", "naturalness", "viewing", "note", "category_ok", "verdict", "flag:x", "complete", "evidence:0a")
_VALUES = (3, "keep", [1, "b"], {"a": 1}, True)
_TARGETS = ("turn:0", "turn:2", "turn:9", "session", "item")


def _filled(folder: Path) -> Store:
    store = create_store(folder, rater=RATER)
    fill(store, [dialogue(0), dialogue(1)], [answers(0, MODELS[0]), answers(1, MODELS[0])])
    fill(store, [dialogue(0, revision=2, mark="!")])
    return store


@st.composite
def _events(draw: st.DrawFn) -> list[tuple[int, str, str, str | None, int, str]]:
    """(dialogue, target, field, responder, revision, what it says of what it judged) of some events."""
    return draw(
        st.lists(
            st.tuples(
                st.sampled_from([0, 1, 7]), st.sampled_from(_TARGETS), st.sampled_from(_FIELDS),
                st.sampled_from([None, *MODELS[:2]]), st.integers(1, 3), st.sampled_from(["right", "none", "wrong"]),
            ),
            min_size=1, max_size=40,
        )
    )  # fmt: skip


def _made(connection: sqlite3.Connection, drawn: list[tuple[int, str, str, str | None, int, str]]) -> list[LabelEvent]:
    made: list[LabelEvent] = []
    last: dict[object, str] = {}
    for number, (which, target, field, who, revision, says) in enumerate(drawn):
        now = Judged().now(connection, the_id(which), who, target, field)
        event = LabelEvent(
            f"{number:08d}-0000-7000-8000-000000000000", "d1", number + 1, "bo", the_id(which), revision, who, target,
            field, _VALUES[number % len(_VALUES)], (), "r@1", "blind", "en", 5, f"2026-01-01T00:{number:02d}:00.000Z",
            {"right": now, "none": "", "wrong": "ab" * 16}[says], "",
        )  # fmt: skip
        event = replace(event, parents=(last[event.key],) if event.key in last and number % 3 else ())
        last[event.key] = event.event_id
        made.append(replace(event, digest=event.compute_digest()))
    return made


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(drawn=_events(), block=st.booleans())
def test_what_came_at_once_is_as_old_as_one_by_one(
    drawn: list[tuple[int, str, str, str | None, int, str]], block: bool
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(union, "MANY", 1 if block else 1000)
        with _filled(Path(folder) / "one") as one, _filled(Path(folder) / "many") as many:
            with one.database.read() as connection:
                events = _made(connection, drawn)
            one.labels.merge(events)
            many.union.take([line_of(wire_of(event)) for event in events], Taken())
            assert [(c.current, c.stale) for c in many.labels.current()] == [
                (c.current, c.stale) for c in one.labels.current()
            ]
            assert many.queue.rows("bo", ("blind",)) == one.queue.rows("bo", ("blind",))
            result = many.upkeep.check()
            assert result.ok and result.rebuilt_equal, result.problems
