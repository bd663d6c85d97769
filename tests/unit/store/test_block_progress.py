"""Progress counted from the columns of a block is what the rows say, read one by one."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotator.domain.labels import LabelEvent
from annotator.domain.wire import line_of, wire_of
from annotator.store import block_progress, create_store, union
from annotator.store.folding import RowKey
from annotator.store.union import Taken
from tests.unit.store.made import MODELS, RATER, dialogue, fill, the_id

# Scores, facts of another kind, a dimension where it does not belong, verdicts, names that nothing counts.
_SAID: list[tuple[str, str, Any]] = [
    *(("turn:0", name, 4) for name in ("accuracy", "naturalness", "relevance")),
    *(("turn:1", name, 2) for name in ("accuracy", "naturalness", "note")),
    *(("turn:4095", "accuracy", 1), ("turn:4096", "accuracy", 1), ("session", "accuracy", 3), ("turn:0", "verdict", 3)),
    *(("item", "verdict", "keep"), ("item", "verdict", "reject"), ("item", "verdict", 7), ("item", "", 1)),
    *(("turn:0", "accuracy", None), ("item", "verdict", None), ("turn:0", "viewing", {"null": 0.5})),
    *(("session", "coherence", "null"), ("session", "proactiveness_helpfulness", 5), ("turn:01", "accuracy", 5)),
]
_DRAWN = st.lists(
    st.tuples(
        st.sampled_from([0, 1, 7]), st.sampled_from([None, MODELS[0]]), st.sampled_from(["ann", "bo"]),
        st.sampled_from(["blind", "open"]), st.lists(st.sampled_from(_SAID), min_size=1, max_size=6),
        st.sampled_from(["follow", "follow", "follow", "rival"]),
    ),
    min_size=1, max_size=14,
)  # fmt: skip


def _events(drawn: list[Any]) -> list[LabelEvent]:
    made: list[LabelEvent] = []
    last: dict[object, str] = {}
    for which, who, rater, phase, said, how in drawn:
        for target, field, value in said:
            number = len(made)
            event = LabelEvent(
                f"{number:08d}-0000-7000-8000-000000000000", "d1", number + 1, rater, the_id(which), 1, who, target,
                field, value, (), "r@1", phase, "en", 5, f"2026-01-01T00:00:{number:02d}.000Z", "", "",
            )  # fmt: skip
            if how == "follow" and event.key in last:
                event = replace(event, parents=(last[event.key],))
            last[event.key] = event.event_id
            made.append(replace(event, digest=event.compute_digest()))
    return made


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(_DRAWN, st.integers(1, 30))
def test_what_a_block_counts_is_what_its_rows_say(drawn: list[Any], size: int) -> None:
    events = _events(drawn)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(union, "MANY", 1)
        with (
            create_store(Path(folder) / "one", rater=RATER) as one,
            create_store(Path(folder) / "many", rater=RATER) as many,
        ):
            for store in (one, many):
                fill(store, [dialogue(0)])
            one.labels.merge(events)
            lines = [line_of(wire_of(event)) for event in events]
            for at in range(0, len(lines), size):
                many.union.take(lines[at : at + size], Taken())
            query = "SELECT * FROM progress ORDER BY rater, phase, item_id, responder"
            assert many.database.all(query) == one.database.all(query)
            result = many.upkeep.check()
            assert result.ok and result.rebuilt_equal, result.problems


def test_whole_dialogues_are_counted_from_their_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[set[RowKey]] = []
    put = block_progress.put_progress

    def watched(*args: Any) -> set[RowKey]:
        counted.append(put(*args))
        return counted[-1]

    monkeypatch.setattr(block_progress, "put_progress", watched)
    monkeypatch.setattr(union, "MANY", 1)
    said = [("turn:0", "accuracy", 4), ("turn:0", "accuracy", 5), ("item", "verdict", "keep")]
    withdrawn = [("turn:0", "accuracy", 4), ("turn:0", "accuracy", None)]
    rows: list[tuple[int, Collection[Any]]] = [(0, said), (1, withdrawn), (7, said)]
    with create_store(tmp_path / "w", rater=RATER) as store:
        for drawn in (rows, [(0, said[:1]), (1, said[:1])]):
            before = store.labels.count()
            events = _events([(which, None, "ann", "blind", said, "follow") for which, said in drawn])
            lines = [
                line_of(wire_of(replace(e, digest=e.compute_digest())))
                for e in (
                    replace(e, event_id=f"{before}{e.event_id[1:]}", seq=e.seq + before, parents=e.parents)
                    for e in events
                )
            ]
            store.union.take(lines, Taken())
    assert counted == [{("ann", "blind", the_id(0), ""), ("ann", "blind", the_id(7), "")}, set()]
