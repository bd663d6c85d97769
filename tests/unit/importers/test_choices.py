"""The short way for choices in the usual form says the same as the long one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.questions import Choice
from annotator.importers import mme_choices
from annotator.importers.base import Context, Located, Record, Sayings
from annotator.importers.mme_truth import read_key
from annotator.importers.predictions import PredictionFound, PredictionReader

BLANK = st.sampled_from(["", " ", "  ", "\t", "\u3000", "\n"])
MARK = st.sampled_from(["(A)", "(B)", "(C)", "(C)", "(d)", "（E）", "A.", "", "( A )", "(Ａ)"])
PART = st.builds(
    lambda mark, blank, text: mark + blank + text, MARK, BLANK, st.sampled_from(["", "7", "a b", "（A）", " "])
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PART | st.integers(0, 9) | st.none(), max_size=6))
def test_usual_choices_are_read_as_any_others(parts: list[Any]) -> None:
    short = mme_choices._usual(parts)
    sayings = Sayings("f.json", 0, None)
    if short:
        assert mme_choices._marked(list(parts), "Answer choices", sayings) == short
        assert not sayings.lines


def test_what_nearly_all_records_hold_goes_the_short_way() -> None:
    found = mme_choices._usual([f"({c}) text {c}" for c in "ABCDE"])
    assert [(c.letter, c.text) for c in found] == [(c, f"text {c}") for c in "ABCDE"]
    assert mme_choices._usual(["(A) 1", "(B)2"]) == ()  # without the blank that would be cut off


THREE = [("A", "one"), ("B", "two"), ("C", "three")]


@pytest.mark.parametrize(
    ("value", "codes"),
    [
        ({"A": "one", "B": "two", "C": "three"}, ["field_type"]),
        ({"(a)": "one", "(b)": "two", "(c)": "three"}, ["field_type"]),
        ([{"letter": "A", "text": "one"}, {"label": "B", "content": "two"}, {"C": "three"}], ["field_type"]),
        ([["A", "one"], ["B", "two"], ["C", "three"]], ["field_type"]),
        (["[A] one", "[B] two", "[C] three"], []),
        (["【Ａ】one", "【Ｂ】two", "【Ｃ】three"], []),
        (["（Ａ）one", "（ b ）two", "(c) three"], []),
        (["A. one", "B. two", "C. three"], []),
        ("(A) one (B) two (C) three", ["field_type"]),
    ],
)
def test_choices_of_other_shapes_are_put_together_and_said(value: Any, codes: list[str]) -> None:
    sayings = Sayings("f.json", 0, None)
    found = mme_choices.read_choices(value, {"Answer choices": value}, sayings, listed=True)
    assert [(c.letter, c.text) for c in found] == THREE
    assert [line.code for line in sayings.lines] == codes


def test_what_is_no_letter_with_a_text_is_kept_as_it_stands() -> None:
    sayings = Sayings("f.json", 0, None)
    found = mme_choices.read_choices([["x", 1, 2], {"size": 3, "of": 4}], {}, sayings, listed=True)
    assert [c.text for c in found] == ["['x', 1, 2]", "{'size': 3, 'of': 4}"]
    assert "field_type" not in [line.code for line in sayings.lines]


@pytest.mark.parametrize(
    ("truth", "letter", "codes"),
    [
        ("B", "B", []), ("b", "B", []), ("Ｂ", "B", []), ("（Ｂ）", "B", []), (" (B). ", "B", []),
        ("(B) two", "B", ["truth_bad"]), ("B. two", "B", ["truth_bad"]), ("(B) three", None, ["truth_bad"]),
        ("two", None, ["truth_bad"]), ("F", None, ["truth_bad"]), (None, None, ["truth_bad"]), (1, None, ["truth_bad"]),
        ("B, C", None, ["truth_bad"]), (["B"], None, ["truth_bad"]),
    ],
)  # fmt: skip
def test_a_key_is_a_letter_in_any_dress_or_nothing(truth: Any, letter: str | None, codes: list[str]) -> None:
    sayings = Sayings("f.json", 0, None)
    choices = tuple(Choice(one, text) for one, text in THREE)
    found, _, findings = read_key(truth, choices, sayings)
    assert found == letter
    assert [line.code for line in sayings.lines] == codes
    assert [f.code for f in findings] == ([] if letter else ["truth_bad"])


@pytest.mark.parametrize("filtered", [None, []])
def test_an_output_that_was_filtered_away_is_taken_from_what_was_put_out(filtered: Any) -> None:
    reader = PredictionReader(Context("f.jsonl", "f", lambda raw: Located("missing")))
    value = {"doc_id": 0, "filtered_resps": filtered, "resps": [["E"]], "target": "E"}
    found = [f for f in reader.read(Record(value, 0, 1)) if isinstance(f, PredictionFound)]
    assert [f.output for f in found] == ["E"]
