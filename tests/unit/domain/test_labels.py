"""Which values each field accepts, and which targets an item has."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.domain.ids import item_id, model_of, responder_id, uuid7
from annotator.domain.labels import LabelError, check_target, check_value, needs_responder, turn_index

GOOD: list[tuple[str, str, Any]] = [
    ("turn:0", "accuracy", 5),
    ("turn:0", "accuracy", "cannot_judge"),
    ("turn:3", "reason:accuracy", "因为"),
    ("turn:3", "tags:accuracy", ["幻觉与捏造"]),
    ("turn:3", "span:accuracy", [[2, 3, "幻觉与捏造"]]),
    ("session", "intent_fulfillment", 1),
    ("item", "verdict", "revise"),
    ("item", "verdict_reasons", ["privacy", "other"]),
    ("item", "note", ""),
    ("item", "flag:confusing", True),
    ("item", "answer", "cannot_tell"),
    ("item", "key_verdict", "broken"),
    ("item", "key_letter", "E"),
    ("item", "letter:some/model", "B"),
    ("item", "box", [1, 2, 30, 4.5]),
    ("response:0", "faithfulness", 3),
    ("item", "ranking", [1, 2, 2]),
    ("turn:1", "edit:question", "new text"),
    ("turn:1", "voice_ok", False),
    ("turn:1", "viewing", {"opened": 1.0}),
    ("turn:1", "peek", {"stop": 1}),
    ("item", "complete", True),
    ("turn:0", "accuracy", None),
]
BAD: list[tuple[str, str, Any]] = [
    ("turn:0", "accuracy", 0),
    ("turn:0", "accuracy", 6),
    ("turn:0", "accuracy", 4.0),
    ("turn:0", "accuracy", "4"),
    ("turn:0", "accuracy", True),
    ("turn:0", "accuracy", [4]),
    ("turn:0", "intent_fulfillment", 4),
    ("session", "accuracy", 4),
    ("item", "accuracy", 4),
    ("turn:0", "verdict", "keep"),
    ("item", "verdict", "KEEP"),
    ("item", "verdict_reasons", ["boredom"]),
    ("item", "verdict_reasons", "privacy"),
    ("turn:0", "reason:session_consistency", "x"),
    ("turn:0", "reason:", "x"),
    ("turn:0", "tags:accuracy", "幻觉与捏造"),
    ("turn:0", "tags:accuracy", ["bogus"]),
    ("session", "tags:session_consistency", ["幻觉与捏造"]),
    ("turn:0", "span:accuracy", [[0, 1, "bogus"]]),
    ("turn:0", "span:accuracy", [[3, 2, "x"]]),
    ("turn:0", "span:accuracy", [[0, True, "x"]]),
    ("item", "box", [0, 0, 0, 5]),
    ("item", "ranking", [1]),
    ("item", "flag:", True),
    ("item", "nothing", 1),
    ("item", "complete", 1),
]


@pytest.mark.parametrize(("target", "field", "value"), GOOD)
def test_values_that_fit(target: str, field: str, value: Any) -> None:
    check_value(target, field, value)


@pytest.mark.parametrize(("target", "field", "value"), BAD)
def test_values_that_do_not_fit_are_named(target: str, field: str, value: Any) -> None:
    with pytest.raises(LabelError, match=field.split(":")[0]):
        check_value(target, field, value)


@pytest.mark.parametrize("target", ["item", "session", "turn:0", "turn:8"])
def test_targets_of_a_dialogue(target: str) -> None:
    check_target("dialogue", target, 9)


@pytest.mark.parametrize(
    "target", ["turn:9", "turn:-1", "turn:01", "turn:1.0", "turn:１", "response:0", "", "turn", "item:0"]
)
def test_targets_that_a_dialogue_has_not(target: str) -> None:
    with pytest.raises(LabelError):
        check_target("dialogue", target, 9)


def test_who_needs_a_responder() -> None:
    assert needs_responder("dialogue", "accuracy")
    assert needs_responder("dialogue", "complete")
    assert not needs_responder("dialogue", "verdict")
    assert not needs_responder("dialogue", "edit:question")
    assert not needs_responder("question", "answer")
    assert turn_index("turn:12") == 12
    assert turn_index("session") is None


def test_identities_are_equal_everywhere() -> None:
    assert item_id("dialogue", "d1", "video") == item_id("dialogue", "d1", "video")
    assert item_id("dialogue", "d1", "video") != item_id("dialogue", "d1", "image")
    assert item_id("dialogue", "a\x1fb", "c") != item_id("question", "a", "b\x1fc")
    assert model_of(responder_id("prov", "name", "task")) == "name"


def test_event_ids_grow() -> None:
    ids = [uuid7() for _ in range(5000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    assert all(i[14] == "7" and i[19] in "89ab" for i in ids)
