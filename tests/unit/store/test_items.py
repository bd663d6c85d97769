"""Reading items, answers and texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotator.domain.report import ImportReport
from annotator.errors import WorldError
from annotator.store import Store, create_store
from tests.unit.store.made import MODELS, RATER, answers, dialogue, fill, the_id, workspace


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with workspace(tmp_path / "w") as made:
        yield made


def test_what_was_put_comes_back_equal(store: Store) -> None:
    assert store.items.dialogue(the_id(0)) == dialogue(0)
    assert store.items.responders(the_id(1)) == [answers(1, MODELS[0]), answers(1, MODELS[1])]
    assert store.items.responder(the_id(1), MODELS[1]) == answers(1, MODELS[1])
    assert store.items.responder(the_id(1), "nobody") is None
    assert store.items.responder_ids() == list(MODELS[:2])


def test_free_form_json_with_odd_characters_comes_back_equal(store: Store) -> None:
    odd = dialogue(7).model_copy(
        update={"meta": {"half": "\ud83d", "nul": "\x00", "n": [1.5, None]}, "persona": "\udc00"}
    )
    fill(store, [odd])
    assert store.items.dialogue(the_id(7)) == odd


def test_the_reference_is_a_responder_made_from_the_dialogue(store: Store) -> None:
    found = store.items.responder(the_id(0), "reference")
    assert found is not None
    assert [a.text for a in found.answers] == ["Réponse 0.0", "Réponse 0.1", "Réponse 0.2"]
    fill(store, [dialogue(5)])
    assert store.items.responders_of(the_id(5)) == ["reference"]
    assert store.items.responders_of(the_id(0)) == list(MODELS[:2])
    store.desk.set("rate_reference", True)
    assert store.items.responders_of(the_id(0)) == [*MODELS[:2], "reference"]


def test_older_revisions_stay_readable_and_the_newest_counts(store: Store) -> None:
    fill(store, [dialogue(0, revision=2, mark=" new")])
    assert store.items.dialogue(the_id(0)).revision == 2
    assert store.items.dialogue(the_id(0), 1) == dialogue(0)
    with pytest.raises(WorldError):
        store.items.dialogue(the_id(0), 3)
    head = store.items.head(the_id(0))
    assert head is not None
    assert (head.revision, head.parts, head.missing) == (2, 3, 3)
    assert [h.item_id for h in store.items.heads()] == [the_id(0), the_id(1)]
    assert head in store.items.heads("dialogue")
    assert store.items.heads("question") == []


def test_local_facts_are_looked_up_again_without_a_new_revision(store: Store) -> None:
    found = dialogue(0)
    turns = tuple(
        t.model_copy(update={"evidence": tuple(a.model_copy(update={"status": "ok"}) for a in t.evidence)})
        for t in found.turns
    )
    fill(store, [found.model_copy(update={"turns": turns})])
    head = store.items.head(the_id(0))
    assert head is not None
    assert (head.revision, head.missing) == (1, 0)
    assert store.items.dialogue(the_id(0)).turns[0].evidence[0].found
    assert [r.missing_media for r in store.queue.rows(RATER)] == [0, 0, 3, 3]


def test_an_item_is_named_by_its_id_or_by_its_own_where_that_is_unique(store: Store) -> None:
    assert store.items.resolve(the_id(1)) == the_id(1)
    assert store.items.resolve("d1") == the_id(1)
    fill(store, [dialogue(1, modality="image")])
    with pytest.raises(WorldError) as caught:
        store.items.resolve("d1")
    assert caught.value.code == "ambiguous"
    assert the_id(1) in caught.value.sentence
    assert the_id(1, "image") in caught.value.sentence
    for unknown in ("d9", "", "dialogue:0000", "\udcff", "d1' OR 1"):
        with pytest.raises(WorldError) as caught:
            store.items.resolve(unknown)
        assert caught.value.code == "unknown_item"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("第0轮问题", {0, 1}),
        ("STRASSE 1", {1}),
        ("re\u0301ponse 0.2", {0}),
        ("RÉPONSE 1.0", {1}),
        ("d1", {1}),
        ("%", set()),
        ("_", set()),
        ("'", set()),
        ('"', set()),
        ("*", set()),
        ("", set()),
        ("\ud83d", set()),
    ],
)
def test_the_search_is_literal_and_folded(store: Store, text: str, where: set[int]) -> None:
    assert store.items.search(text) == {(the_id(n), None) for n in where}


def test_the_search_tells_whose_answer_it_is_and_knows_only_what_is_shown(store: Store) -> None:
    assert store.items.search("ANSWER 0.1 of") == {(the_id(0), MODELS[0]), (the_id(0), MODELS[1])}
    fill(store, [], [answers(0, MODELS[0], revision=2, mark=" 100% sure_")])
    assert store.items.search("100% SURE_") == {(the_id(0), MODELS[0])}
    assert (the_id(0), MODELS[0]) in store.items.search("answer 0.1 of")
    fill(store, [], [answers(0, MODELS[0], revision=3, mark=" changed")])
    assert store.items.search("100%") == set()
    # A model's name is hidden from raters: it is no text that can be searched for.
    assert store.items.search("Alpha") == set()


def test_totals_count_distinct_things(store: Store) -> None:
    fill(store, [dialogue(0, revision=2), dialogue(8, modality="image", turns=5)])
    totals = store.items.totals()
    assert totals == {
        "dialogues": 3,
        "turns": 11,
        "video_dialogues": 2,
        "video_turns": 6,
        "image_dialogues": 1,
        "image_turns": 5,
        "responders": 2,
        "rows": 5,
        "scenarios": 1,
        "categories": 2,
    }
    assert totals["rows"] == len(store.queue.rows(RATER))


def test_other_kinds_of_item_fit_without_a_change(tmp_path: Path) -> None:
    with create_store(tmp_path / "w", rater=RATER) as store:
        with store.imports.begin("mme-realworld", "x.json") as writer:
            body = {"text": "Which colour?", "choices": ["(A) red", "(B) blue"], "key": "A"}
            writer.put_item("question", "question:0011223344556677", "q1", body, title="Which colour?", search=["RED"])
            writer.publish(ImportReport(kind="mme-realworld"))
        assert store.items.resolve("q1") == "question:0011223344556677"
        assert store.items.body("question:0011223344556677") == body
        assert store.items.heads("question")[0].title == "Which colour?"
        assert store.items.search("red") == {("question:0011223344556677", None)}
        assert store.queue.rows(RATER) == []
        with pytest.raises(WorldError):
            store.items.dialogue("question:0011223344556677")
        assert store.items.judged("question:0011223344556677", None, "item", "answer") != ""
