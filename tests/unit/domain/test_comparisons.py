"""What a comparison is: order, ties, masking, completeness, and what a reviewer's word does."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from annotator.domain.comparisons import (
    Comparison,
    Response,
    competition,
    drawn_for_repeat,
    full_tie,
    notation,
    pairs_of,
    shown_order,
    with_example,
)
from annotator.domain.comparisons_masking import masked, self_names
from annotator.domain.comparisons_records import Saying, as_bench, as_pairs, as_ranked, keeping, restored
from annotator.domain.comparisons_sheet import ComparisonSheet, Example, Review, contradicting
from annotator.domain.labels import LabelError, check_value
from annotator.domain.sheet import Cell, Gap


def _comparison(count: int = 4, **more: Any) -> Comparison:
    responses = tuple(Response(text=f"answer {k}") for k in range(count))
    return Comparison(item_id="comparison:1", source_id="one", form="mm-rlhf", responses=responses, **more)


def _sheet(count: int = 3, **values: Any) -> ComparisonSheet:
    cells = {("item", name): Cell(value) for name, value in values.items()}
    return ComparisonSheet("comparison:1", "ann", count, cells=cells)


def _scored(sheet: ComparisonSheet, levels: list[int]) -> ComparisonSheet:
    scores = {
        (f"response:{k}", scale): Cell(level)
        for k, level in enumerate(levels)
        for scale in ("faithfulness", "helpfulness", "ethical")
    }
    return ComparisonSheet(sheet.item_id, sheet.rater, sheet.responses, sheet.reasons, {**sheet.cells, **scores})


def test_order_is_a_shuffle_of_its_own_for_each_rater_and_seed_and_the_same_each_time() -> None:
    one = _comparison()
    assert sorted(shown_order(one, "ann", 1)) == [0, 1, 2, 3]
    assert shown_order(one, "ann", 1) == shown_order(_comparison(), "ann", 1)
    orders = {shown_order(one, f"rater {k}", 0) for k in range(200)}
    assert len(orders) == 24, "every order of four occurs among two hundred raters"
    assert len({shown_order(one, "ann", seed) for seed in range(50)}) > 10


def test_each_place_is_shown_first_about_equally_often() -> None:
    firsts = Counter(shown_order(_comparison(), f"rater {k}", 7)[0] for k in range(4000))
    assert all(850 < n < 1150 for n in firsts.values())


def test_a_hidden_repeat_shows_the_other_way_round() -> None:
    one = _comparison(2)
    again = one.model_copy(update={"item_id": "comparison:2", "repeat_of": one.item_id})
    for rater in ("ann", "bob", "cem"):
        assert shown_order(again, rater, 3) == shown_order(one, rater, 3)[::-1]


def test_repeats_are_drawn_at_their_rate_and_by_their_seed() -> None:
    ids = [f"comparison:{k:016x}" for k in range(4000)]
    drawn = [i for i in ids if drawn_for_repeat(i, 0.1, 5)]
    assert 320 < len(drawn) < 480
    assert drawn == [i for i in ids if drawn_for_repeat(i, 0.1, 5)]
    assert drawn != [i for i in ids if drawn_for_repeat(i, 0.1, 6)]
    assert not any(drawn_for_repeat(i, 0.0, 5) for i in ids) and all(drawn_for_repeat(i, 1.0, 5) for i in ids)


def test_ranks_give_pairs_for_differences_only() -> None:
    assert len(pairs_of([1, 2, 3, 4])) == 6
    assert pairs_of([1, 2, 2, 3]) == [(0, 1), (0, 2), (0, 3), (1, 3), (2, 3)]
    assert pairs_of([1, 1, 1]) == []
    assert full_tie([2, 2]) and not full_tie([1, 2])
    assert competition([1, 2, 2, 3]) == [1, 2, 2, 4]
    assert notation([1, 3, 2, 3]) == "1 > 3 > 2 = 4"
    assert with_example([1, 1, 1], "negative") == [1, 1, 1, 4]
    assert with_example([1, 1, 1], "positive") == [2, 2, 2, 1]


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("I'm ChatGPT, a model made by OpenAI. The sign says Google.", ["ChatGPT", "OpenAI"]),
        ("我是通义千问，由阿里云开发的。招牌上写着百度。", ["通义千问", "阿里云"]),
        ("I am Qwen2-VL-72B developed by Alibaba Cloud.", ["Qwen2-VL-72B", "Alibaba Cloud"]),
        ("Claude: the box is red", ["Claude"]),
        ("As a large language model trained by Google, I cannot say.", ["Google"]),
        ("我是由OpenAI训练的模型。", ["OpenAI"]),
        ("The painting is by Claude Monet, sold at Alibaba.", []),
        ("The shop next to the Google office is closed.", []),
    ],
)
def test_self_naming_is_covered_and_the_rest_stays(text: str, covered: list[str]) -> None:
    assert [text[a:b] for a, b in self_names(text)] == covered
    hidden = masked(text)
    assert len(hidden) == len(text) and hidden.count("█") == sum(map(len, covered))
    assert not covered or masked(hidden) == hidden


def test_a_sheet_wants_scores_then_a_ranking_and_reasons_where_asked() -> None:
    sheet = _sheet(2)
    assert sheet.status() == "new" and sheet.gaps()[0] == Gap("response:0", "faithfulness") and len(sheet.gaps()) == 7
    scored = _scored(_sheet(2, ranking=[1, 2]), [4, 3])
    assert scored.status() == "complete"
    asked = ComparisonSheet("comparison:1", "ann", 2, True, scored.cells)
    assert asked.gaps() == (Gap("response:0", "note"), Gap("response:1", "note"), Gap("item", "ranking_reason"))
    assert asked.status() == "started" and scored.status(returned=True) == "returned"


def test_a_full_tie_wants_an_example_and_ranks_it() -> None:
    tied = _scored(_sheet(3, ranking=[1, 1, 1]), [5, 5, 5])
    assert tied.gaps() == (Gap("item", "constructed"),)
    told = ComparisonSheet(
        tied.item_id, "ann", 3, cells={**tied.cells, ("item", "constructed"): Cell(Example("B", "negative").value())}
    )
    assert told.gaps() == () and told.extended() == [1, 1, 1, 4]
    saying = Saying.of_sheet(_comparison(3), told)
    assert saying.texts[-1] == "B" and saying.ranking == (1, 1, 1, 4) and saying.scores[-1] == {}
    assert len(list(as_pairs(_comparison(3), saying))) == 3
    assert Example.of({"kind": "negative", "text": " "}) is None and Example.of("B") is None


def test_a_ranking_that_scores_contradict_is_told() -> None:
    assert _scored(_sheet(3, ranking=[1, 2, 3]), [3, 5, 1]).contradictions() == ((0, 1),)
    assert _scored(_sheet(3, ranking=[1, 2, 2]), [3, 3, 3]).contradictions() == ()
    assert _sheet(3).contradictions() == ()
    missing = contradicting([1, 2], [(None, 1, "cannot_judge"), (5, 2, 5)])
    assert missing == ((0, 1),), "only scales that were judged for both are compared"
    assert contradicting([1, 2], [(None, None, 1), (5, 5, None)]) == ()


def test_stale_and_unfitting_rankings_do_not_count() -> None:
    sheet = ComparisonSheet("comparison:1", "ann", 3, cells={("item", "ranking"): Cell([1, 2, 3], stale=True)})
    assert Gap("item", "ranking") in sheet.gaps() and sheet.status() == "stale"
    assert Saying.of_sheet(_comparison(3), sheet).ranking is None
    assert _sheet(3, ranking=[1, 2]).ranking is None


def test_a_returned_item_comes_back_until_something_new_is_said() -> None:
    review = Review("rev", "returned", "look again", ("e1", "e2"))
    read = Review.read("rev", review.value())
    assert read == review and review.still_returns(["e2", "e1"]) and not review.still_returns(["e2", "e3"])
    assert not Review("rev", "accepted", of=("e1",)).still_returns(["e1"])
    assert Review.read("rev", {"state": "odd"}) is None and Review.read("rev", None) is None


def test_the_new_fields_are_checked() -> None:
    check_value("item", "constructed", {"kind": "negative", "text": "C"})
    check_value("item", "review:ann", {"state": "returned", "comment": "no", "of": ["e1"]})
    check_value("item", "constructed", None)
    for target, name, value in (
        ("item", "constructed", {"kind": "other", "text": "C"}),
        ("response:0", "constructed", {"kind": "negative", "text": "C"}),
        ("item", "review:ann", {"state": "maybe"}),
        ("item", "review:ann", {"state": "accepted", "more": 1}),
        ("item", "review:", {"state": "accepted"}),
    ):
        with pytest.raises(LabelError):
            check_value(target, name, value)


def test_records_keep_what_their_fields_do_not_give_back() -> None:
    raw = {"id": "one", "models_output": ["a", "b"], "faithfulness": ["5", 2.0], "more": {"x": 1}, "question": "q"}
    read = Comparison(
        item_id="comparison:1", source_id="one", form="mm-rlhf", prompt="q",
        responses=(Response(text="a", scores={"faithfulness": 5}), Response(text="b", scores={"faithfulness": 2})),
    )  # fmt: skip
    kept = keeping(read, raw)
    assert restored(kept) == raw and list(restored(kept)) == list(raw)
    assert repr(restored(kept)) == repr(raw), "5 stays the text it was"


def test_items_of_the_benchmark_say_so_in_every_line() -> None:
    ours = _comparison(2).model_copy(update={"form": "rubric-mme"})
    saying = Saying(("a", "b"), ({}, {}), (2, 1), (None, None))
    for shape in (as_ranked, as_pairs, as_bench):
        assert [record["evaluation_only"] for record in shape(ours, saying)] == [True]
    assert next(iter(as_pairs(ours, saying)))["chosen"] == "b"
    assert list(as_ranked(ours, Saying(("a", "b"), ({}, {}), None, (None, None)))) == []
