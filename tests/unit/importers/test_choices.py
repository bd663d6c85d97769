"""The short way for choices in the usual form says the same as the long one."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.importers import mme_choices
from annotator.importers.base import Sayings

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
