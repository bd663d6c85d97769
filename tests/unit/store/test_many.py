"""Saying much at once gives the very events and values that saying it piece by piece gives."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from annotator.errors import WorldError
from annotator.store import Draft, Store, create_store, open_store
from annotator.store.many import PORTION

RATER, PHASE = "src", "source"


def _drafts(count: int, items: int = 7) -> list[Draft]:
    values: list[Any] = [3, None, '一个框 \u2028 "quoted" \\ \n', [1, 2, 2], {"b": 1, "a": [True, 1.5]}, "cannot_judge"]
    return [
        Draft(
            RATER, f"comparison:{k % items:016x}", f"response:{k // items}", f"f{k % 5}", values[k % len(values)],
            phase=PHASE, rubric="x@1", lang="zh_CN", active_ms=k, extra='{"a":1}' if k % 3 else "",
        )
        for k in range(count)
    ]  # fmt: skip


def _said(store: Store) -> list[dict[str, Any]]:
    """Every event but for what is never twice the same: ids, times, the digests that hold them."""
    skip = ("event_id", "at", "device", "digest", "parents")
    return [{k: v for k, v in asdict(e).items() if k not in skip} for e in store.labels.events()]


def _now(store: Store) -> list[tuple[Any, ...]]:
    return [(c.current.key, c.current.value, c.current.conflict, c.stale) for c in store.labels.current()]


def test_it_is_the_same_as_saying_each(tmp_path: Path) -> None:
    drafts = _drafts(PORTION + 300)
    with create_store(tmp_path / "one", rater="ann") as one, create_store(tmp_path / "two", rater="ann") as two:
        one.labels.append(drafts)
        assert two.many.append(drafts) == len(drafts)
        assert _said(one) == _said(two) and _now(one) == _now(two)
        events = list(two.labels.events())
        assert all(e.digest == e.compute_digest() for e in events)
        assert [e.seq for e in events] == list(range(1, len(drafts) + 1))
        assert two.labels.watermark() == {two.device: len(drafts)}
        assert list(two.journal.events()) == events
        assert two.upkeep.check().ok


def test_what_was_said_before_is_superseded_and_the_rest_goes_on(tmp_path: Path) -> None:
    drafts = _drafts(40)
    with create_store(tmp_path / "w", rater="ann") as store:
        before = store.labels.append(drafts[:3])
        twice = Draft(RATER, "comparison:9", "item", "ranking", [1, 2], phase=PHASE)
        store.many.append([*drafts, twice, Draft(RATER, "comparison:9", "item", "ranking", [2, 1], phase=PHASE)])
        assert store.labels.count() == 3 + 40 + 2 and store.upkeep.check().ok
        assert not any(c.current.in_conflict for c in store.labels.current())
        last = [c.current.value for c in store.labels.current(item_id="comparison:9")]
        assert last == [[2, 1]]
        parents = {p for e in store.labels.events() for p in e.parents}
        assert {e.event_id for e in before} <= parents


def test_odd_texts_take_the_other_way_and_a_wrong_phase_is_refused(tmp_path: Path) -> None:
    half = Draft(RATER, "comparison:1", "response:0", "note", "half a pair \ud800", phase=PHASE)
    whole = Draft(RATER, "comparison:1", "response:1", "note", "whole", phase=PHASE)
    with create_store(tmp_path / "w", rater="ann") as store:
        store.many.append([half, whole])
        assert {c.current.value for c in store.labels.current()} == {"half a pair \ud800", "whole"}
        with pytest.raises(WorldError, match="phase"):
            store.many.append([Draft(RATER, "comparison:1", "item", "note", "x", phase="odd")])
        assert store.upkeep.check().ok


def test_it_is_there_after_opening_again(tmp_path: Path) -> None:
    with create_store(tmp_path / "w", rater="ann") as store:
        store.many.append(_drafts(1_200))
        held = _now(store)
    with open_store(tmp_path / "w", write=False) as again:
        assert _now(again) == held and again.upkeep.check().ok
