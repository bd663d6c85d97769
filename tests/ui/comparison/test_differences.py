"""Where two texts differ: what is marked in each is what the other has not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotator.ui.comparison import differences as module
from annotator.ui.comparison.differences import Spans, differences
from tests.ui.comparison.sample import FOURTH, LONG


def marked(text: str, spans: Spans) -> list[str]:
    return [text[start:end] for start, end in spans]


def rest(text: str, spans: Spans) -> str:
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at:start])
        at = end
    return "".join((*kept, text[at:]))


def test_words_and_chinese_characters_are_told_apart() -> None:
    first, second = "A red cube, left of the ball.", "A blue cube, left of the ball."
    one, two = differences(first, second)
    assert marked(first, one) == ["red"] and marked(second, two) == ["blue"]
    first, second = "这袋是高筋粉，可以用。", "这袋是低筋粉，可以用。"
    one, two = differences(first, second)
    assert marked(first, one) == ["高"] and marked(second, two) == ["低"]


def test_equal_texts_have_no_marks_and_all_of_a_strange_one_is_marked() -> None:
    assert differences(LONG, LONG) == ((), ())
    one, two = differences("abc", "xyz")
    assert (one, two) == (((0, 3),), ((0, 3),))
    assert differences("", "new") == ((), ((0, 3),))


def test_neighbours_are_joined_and_blanks_are_not_marked() -> None:
    one, two = differences("a b c d", "a x y d")
    assert one == ((2, 5),) and two == ((2, 5),)
    assert differences("a  b", "a b") == ((), ())


def test_long_texts_are_compared_sentence_by_sentence_first() -> None:
    many = [f"第{n}句话说的是同一件事，没有什么不同。" for n in range(400)]
    first = "".join(many)
    changed = list(many)
    changed[200] = "第200句话说的是另一件事，没有什么不同。"
    second = "".join(changed)
    assert len(first) > module._MANY
    one, two = differences(first, second)
    assert marked(first, one) == ["同"] and marked(second, two) == ["另"]


@given(st.text("ab 。低高粉", max_size=40), st.text("ab 。低高粉", max_size=40))
def test_what_is_left_is_the_same_in_both(first: str, second: str) -> None:
    one, two = differences(first, second)
    for text, spans in ((first, one), (second, two)):
        assert all(0 <= start < end <= len(text) for start, end in spans)
        assert list(spans) == sorted(spans)
    if first == second:
        assert one == two == ()


def test_sentences_that_were_left_out_are_marked_whole() -> None:
    whole = FOURTH.replace("\n", "")
    cut = whole.replace("如果都正常，过筛后就能用。", "")
    one, two = differences(whole, cut)
    assert rest(whole, one) == cut and two == ()
