"""Comparisons made from dialogues: who, where, how many, and what may leave."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.comparisons import Comparison, shown_order
from annotator.errors import WorldError
from annotator.store import Draft, Store
from annotator.workspace.comparisons_export import export_comparisons
from annotator.workspace.comparisons_making import make_comparisons, projects
from annotator.workspace.comparisons_repeats import make_repeats
from annotator.workspace.intake_comparisons import comparisons_in
from annotator.workspace.listing import list_items, show_item
from tests.helpers.imports import bring, image, sample, video, workspace, write

TASK = "omnibench_video_stream_text"


def _id(model: str) -> str:
    return f"p::{model}::{TASK}"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Eight dialogues of three turns, answered by a and b, five of them by c as well."""
    names = [f"d{k}" for k in range(8)]
    source = tmp_path / "source"
    write(source / "video.json", [video(name, turns=3) for name in names])
    write(source / "image.json", [image("i1")])
    for model, mine in (("a", names), ("b", names), ("c", names[:5])):
        write(source / f"{model}_samples.json", [sample(name, model, turns=3) for name in mine])
    with workspace(tmp_path) as made:
        report = bring(made, source)
        assert not report.refused, report.notes
        yield made


def _items(store: Store, **more: Any) -> list[Comparison]:
    made = make_comparisons(store, **{"responders": ["a", "b"], "size": 6, "project": "set", **more})
    held = store.items.bodies_of(made.items)
    return [Comparison.model_validate(held[item]) for item in made.items]


def test_a_turn_is_compared_with_the_answers_question_and_evidence_of_that_turn(store: Store) -> None:
    items = _items(store)
    assert len(items) == len({c.item_id for c in items}) == 6
    for one in items:
        assert one.turn is not None and one.dialogue is not None
        dialogue = store.items.dialogue(one.dialogue)
        assert one.prompt == f"question {one.turn}" and one.reference == f"reference {one.turn}"
        assert [r.text for r in one.responses] == [f"a says {one.turn}", f"b says {one.turn}"]
        assert [r.responder for r in one.responses] == [_id("a"), _id("b")]
        assert one.media == dialogue.turns[one.turn].evidence and one.evaluation_only
        assert one.source_labels() == []


def test_an_equal_seed_draws_the_same_and_another_seed_does_not(store: Store, tmp_path: Path) -> None:
    first = [c.item_id for c in _items(store, project="one", seed=4)]
    with pytest.raises(WorldError, match="already"):
        _items(store, project="one")
    (tmp_path / "again").mkdir()
    with workspace(tmp_path / "again") as other:
        bring(other, tmp_path / "source")
        assert [c.item_id for c in _items(other, project="one", seed=4, responders=["b", "a"])] == first
    assert {c.item_id for c in _items(store, project="two", seed=5)} != set(first)
    assert projects(store) == ["one", "two"]


def test_sessions_hold_every_answer(store: Store) -> None:
    items = _items(store, level="session", responders=[_id("a"), _id("b"), _id("c")], size=5)
    assert {c.dialogue for c in items} == {store.items.resolve(f"d{k}") for k in range(5)}
    one = items[0]
    assert one.turn is None and one.level == "session" and len(one.responses) == 3 and len(one.media) == 3
    assert one.responses[2].text == "[1] c says 0\n\n[2] c says 1\n\n[3] c says 2"


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"responders": ["a"]}, "2 to 5"),
        ({"responders": ["a", "a"]}, "2 to 5"),
        ({"responders": ["a", "nobody"]}, "no responder"),
        ({"size": 25}, "24 turns"),
        ({"responders": ["a", "b", "c"], "size": 16}, "15 turns"),
    ],
)
def test_what_does_not_fit_is_a_sentence(store: Store, more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(WorldError, match=sentence):
        _items(store, **more)
    assert list(comparisons_in(store)) == [] and projects(store) == []


def test_a_turn_that_a_responder_saw_otherwise_is_not_compared(store: Store, tmp_path: Path) -> None:
    record = sample("d0", "x", turns=3)
    record["rounds"][1]["question_text"] = "another question"
    bring(store, write(tmp_path / "x_samples.json", [record]))
    made = make_comparisons(store, ["a", "x"], 1, project="set")
    assert made.population == 1 and made.notes == ("2 turns are left out, where a responder saw other texts.",)
    turn = Comparison.model_validate(store.items.body(made.items[0])).turn
    assert turn == 0, "turn 1 was asked otherwise, and turn 2 has another history"


def test_strata_get_their_shares(tmp_path: Path) -> None:
    places = ["personal_living_space-x"] * 6 + ["outdoor_public_space-y"] * 2
    source = tmp_path / "source"
    dialogues = [video(f"d{k}", turns=2, environment=place) for k, place in enumerate(places)]
    write(source / "video.json", dialogues)
    for model in "ab":
        records = [sample(f"d{k}", model, environment=place) for k, place in enumerate(places)]
        write(source / f"{model}_samples.json", records)
    with workspace(tmp_path) as store:
        bring(store, source)
        made = make_comparisons(store, ["a", "b"], 8, project="set")
    assert [(s.scenario, s.population, s.drawn) for s in made.strata] == [
        ("outdoor_public_space", 4, 2),
        ("personal_living_space", 12, 6),
    ]


def test_repeats_hide_and_swap_and_stay_out_of_exports(store: Store, tmp_path: Path) -> None:
    made = make_comparisons(store, ["a", "b"], 24, project="set", repeats=0.5, seed=1)
    assert 5 <= len(made.repeats) <= 19
    first = {c.item_id: c for c in comparisons_in(store, repeats=False)}
    again = [c for c in comparisons_in(store) if c.repeat_of]
    assert [c.item_id for c in again] == list(made.repeats)
    for one in again:
        other = first[one.repeat_of or ""]
        assert one.content() == other.content()
        assert shown_order(one, "ann", 1) == shown_order(other, "ann", 1)[::-1]
    store.labels.append([Draft("tester", again[0].item_id, "item", "ranking", [1, 2])])
    done = export_comparisons(store, tmp_path / "x.jsonl", "pairs", include_evaluation_only=True)
    assert done.lines == 0
    assert make_repeats(store, 0.5, 1) == list(made.repeats), "the same are drawn, and are there already"
    with pytest.raises(WorldError, match="rate"):
        make_repeats(store, 1.5, 1)


@pytest.mark.parametrize(("shape", "kept_back"), [("mm-rlhf", True), ("pairs", True), ("reward-bench", False)])
def test_the_benchmarks_items_leave_for_training_only_when_insisted(
    store: Store, tmp_path: Path, shape: str, kept_back: bool
) -> None:
    one = _items(store)[0]
    store.labels.append([Draft("tester", one.item_id, "item", "ranking", [2, 1])])
    done = export_comparisons(store, tmp_path / "x.jsonl", shape)
    assert done.lines == (0 if kept_back else 1)
    meta = json.loads(done.meta.read_text(encoding="utf-8"))
    assert meta["left_out"] == ({"evaluation_only": 6} if kept_back else {"unsaid": 5})
    done = export_comparisons(store, tmp_path / "y.jsonl", shape, include_evaluation_only=True)
    lines = [json.loads(line) for line in done.file.read_text(encoding="utf-8").splitlines()]
    assert [line["evaluation_only"] for line in lines] == [True]
    meta = json.loads(done.meta.read_text(encoding="utf-8"))
    assert meta["evaluation_only"] is True and "evaluation only" in meta["use"].lower()


def test_lists_and_pages_know_comparisons(store: Store) -> None:
    one = _items(store)[0]
    assert {e["status"] for e in list_items(store, kind="comparison")} == {"new"}
    store.labels.append([Draft("tester", one.item_id, "item", "ranking", [2, 1])])
    assert [e["item"] for e in list_items(store, kind="comparison", status="started")] == [one.item_id]
    page = show_item(store, one.source_id)
    assert page["item"] == one.item_id and page["evaluation_only"] and page["level"] == "turn"
    assert [r["responder"] for r in page["responses"]] == [_id("a"), _id("b")]
    assert [(line["field"], line["value"]) for line in page["labels"]] == [("ranking", [2, 1])]


@pytest.mark.parametrize("shape", ["mm-rlhf", "pairs"])
def test_what_was_exported_for_evaluation_only_stays_so_wherever_it_is_imported(
    store: Store, tmp_path: Path, shape: str
) -> None:
    one = _items(store, size=1)[0]
    store.labels.append([Draft("tester", one.item_id, "item", "ranking", [2, 1])])
    file = export_comparisons(store, tmp_path / f"{shape}.jsonl", shape, include_evaluation_only=True).file
    (tmp_path / "other").mkdir()
    with workspace(tmp_path / "other") as other:
        bring(other, file)
        (back,) = comparisons_in(other)
        assert back.evaluation_only and back.form == shape
        other.labels.append([Draft("tester", back.item_id, "item", "ranking", [1, 2])])
        assert export_comparisons(other, tmp_path / "none.jsonl", shape).lines == 0
        again = export_comparisons(other, tmp_path / "again.jsonl", shape, include_evaluation_only=True)
        lines = [json.loads(line) for line in again.file.read_text(encoding="utf-8").splitlines()]
        assert [line["evaluation_only"] for line in lines] == [True]
