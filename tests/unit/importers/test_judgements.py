"""Judge records by themselves: whose dialogue, which round, what counts; every doubt is a line."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.importers.base import Context, Located, Record
from annotator.importers.judgements import JudgeFound, JudgeReader
from tests.helpers.imports import judged


def _read(value: dict[str, Any]) -> tuple[JudgeFound | None, list[str]]:
    reader = JudgeReader(Context("j.jsonl", "j", lambda raw: Located("missing")))
    found = list(reader.read(Record(value, 0, 1)))
    whole = [f for f in found if isinstance(f, JudgeFound)]
    said = [f.code for f in found if not isinstance(f, JudgeFound)]
    return (whole[0], [line.code for line in whole[0].lines]) if whole else (None, said)


def _without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {k: v for k, v in value.items() if k not in names}


@pytest.mark.parametrize(
    ("held", "name", "said"),
    [
        ("d1", "d1", []),
        (" d1", " d1", []),
        (7, "7", ["id_not_text"]),
        (None, "d1", ["id_repaired"]),
        (True, "d1", ["id_repaired"]),
        ("", "d1", ["id_repaired"]),
        (["d1"], "d1", ["id_repaired"]),
        ("1.23E+15", None, ["id_damaged"]),
        ("####", None, ["id_damaged"]),
    ],
)
def test_whose_dialogue_it_is(held: Any, name: str | None, said: list[str]) -> None:
    found, codes = _read(judged() | {"dialogue_id": held})
    assert (found.record.source_id if found else None, codes) == (name, said)


def test_without_id_and_scope_an_id_is_made_up() -> None:
    found, codes = _read(_without(judged(), "dialogue_id"))
    assert found is not None and (found.record.source_id, codes) == ("d1", ["id_repaired"])
    found, codes = _read(_without(judged(), "dialogue_id", "dialogue_scope_key"))
    assert found is not None and found.record.source_id.startswith("no-id-") and codes == ["id_repaired"]


@pytest.mark.parametrize(
    ("more", "target", "said"),
    [
        ({}, "turn:1", []),
        ({"round_index": None}, "turn:1", []),
        ({"round_id": None}, "turn:1", []),
        ({"round_index": "1"}, "turn:1", ["field_type"]),
        ({"round_index": True}, "turn:1", ["field_type"]),
        ({"round_index": -1}, "turn:1", ["field_type"]),
        ({"round_index": 1.5}, "turn:1", ["field_type"]),
        ({"round_id": "d1:round_000"}, "turn:1", ["round_differs"]),
        ({"round_index": None, "round_id": None}, None, ["round_unknown"]),
        ({"round_index": None, "round_id": "the second"}, None, ["round_unknown"]),
    ],
)
def test_which_round_it_is(more: dict[str, Any], target: str | None, said: list[str]) -> None:
    found, codes = _read(judged(index=1) | more)
    assert (found.record.target if found else None, codes) == (target, said)


@pytest.mark.parametrize(
    "score", [{"score": 4}, [4], "4/5", "N/A", "5分", "４", "⑤", "4,0", "80%", "null", False, 0, 6]
)
def test_what_is_no_score(score: Any) -> None:
    found, codes = _read(judged(scores={"accuracy": {"score": score}}))
    assert found is not None and (found.record.scores, found.rejected, codes) == ({}, 1, ["score_rejected"])


@pytest.mark.parametrize(
    ("scores", "vector", "kept", "said"),
    [
        ({"accuracy": {"score": 4}}, {"accuracy": 4}, {"accuracy": 4}, []),
        ({"accuracy": {"score": 4}}, {"accuracy": 5}, {"accuracy": 4}, ["vector_differs"]),
        ({"accuracy": {"score": 4}}, {"accuracy": None}, {"accuracy": 4}, []),
        ({"accuracy": {"score": None}}, {"accuracy": 5}, {}, ["vector_differs"]),
        ({}, {"accuracy": 5}, {"accuracy": 5}, []),
        (None, {"accuracy": "5", "relevance": None}, {"accuracy": 5}, ["field_type"]),
        ({"accuracy": {"score": 4}}, [4], {"accuracy": 4}, ["field_type"]),
        ({"accuracy": 4}, None, {"accuracy": 4}, ["field_type"]),
        ({"safety": {"score": 9}}, None, {}, ["dim_unknown"]),
        ({"Accuracy": {"score": 4}}, None, {}, ["dim_unknown"]),
        ({"intent_fulfillment": {"score": 4}}, None, {}, ["dim_wrong_level"]),
        ({"intent_fulfillment": {"score": 9}}, None, {}, ["dim_wrong_level", "score_rejected"]),
    ],
)
def test_scores_and_their_vector(scores: Any, vector: Any, kept: dict[str, int], said: list[str]) -> None:
    found, codes = _read(judged(scores=scores, score_vector=vector))
    assert found is not None and (found.record.scores, codes) == (kept, said)


@pytest.mark.parametrize("status", ["Success", "SUCCESS", " success", "ok", "partial", "api_error", "", None])
def test_only_success_is_a_score(status: Any) -> None:
    found, codes = _read(judged(status=status))
    assert found is not None and (found.record.scores, codes) == ({}, ["judge_no_score"])
    assert ("missing" in found.lines[0].reason) == (not status)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        (4.3333, []),
        ("4.3333", []),
        (None, []),
        (4.33, ["avg_differs"]),
        (0, ["avg_differs"]),
        ("good", ["field_type"]),
        (True, ["field_type"]),
    ],
)
def test_the_average_is_recomputed(stated: Any, said: list[str]) -> None:
    scores = {name: {"score": score} for name, score in (("accuracy", 4), ("relevance", 4), ("naturalness", 5))}
    found, codes = _read(judged(scores=scores, avg_score=stated))
    assert found is not None and (found.record.avg, codes) == (4.3333, said)
