"""What no careful reading may do, on answers that were written or composed before the rules were mended for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotator.domain.letters import extract

TWINS: Final = Path(__file__).parents[2] / "data" / "letters" / "twins.jsonl"
ROWS: Final = [json.loads(line) for line in TWINS.read_text(encoding="utf-8").split("\n") if line]
THINGS: Final = (
    "yellow kite",
    "grey pigeon",
    "brass lamp",
    "paper boat",
    "glass door",
    "stone arch",
    "tin drum",
    "rope",
)
CLAIMS: Final = (
    "{0}", "({0})", "{0}. {1}", "({0}) {1}", "The answer is {0}.", "Answer: {0}", "**Answer:** {0}", "\\boxed{{{0}}}",
    "<answer>{0}</answer>", '{{"answer": "{0}"}}', "Option {0} is correct.", "I would choose {0}.", "Therefore, ({0}).",
    "The correct option is ({0}) {1}.", "答案是{0}。", "选（{0}）", "因此选择{0}。", "{1}", "{1}.",
)  # fmt: skip
SENTENCES: Final = tuple(claim for claim in CLAIMS if claim.endswith((".", "。", "{0}", "）")) and len(claim) > 4)
REJECTIONS: Final = (
    "{0} is wrong.", "It is not {0}.", "Option {0} can be ruled out.", "({0}) does not match the picture.",
    "One might choose {0}, but that would be a mistake.", "Many would say {0}, wrongly.", "I do not think it is {0}.",
    "{0}不对。", "不能选{0}。", "可以排除{0}。", "很多人会误选{0}。",
)  # fmt: skip


def _choices(texts: list[str], letters: str = "ABCD") -> list[str]:
    return [f"({letter}) {text}" for letter, text in zip(letters, texts, strict=True)]


four_things = st.lists(st.sampled_from(THINGS), min_size=4, max_size=4, unique=True)


def test_no_twin_is_read_as_another_letter() -> None:
    read = [(row, extract("careful", row["output"], row["choices"])) for row in ROWS]
    wrong = [(row["output"], letter, row["human"]) for row, letter in read if letter not in (None, row["human"])]
    assert wrong == []
    sure = [letter == row["human"] for row, letter in read if not row["hard"]]
    assert len(sure) >= 80
    assert sum(sure) >= 0.95 * len(sure)


@pytest.mark.parametrize("kind", ["denied", "two", "claimed", "text", "told", "none"])
def test_each_kind_of_twin_is_there(kind: str) -> None:
    assert sum(row["kind"] == kind for row in ROWS) >= 10


@given(four_things, st.integers(0, 3), st.sampled_from(("{}", "{}.", '"{}"', "**{}**", "The {}", "A {}", "It is {}")))
@settings(max_examples=150, deadline=None)
def test_the_text_of_one_choice_is_that_choice(texts: list[str], place: int, form: str) -> None:
    assert extract("careful", form.format(texts[place]), _choices(texts)) == "ABCD"[place]


@given(
    four_things, st.integers(0, 3), st.integers(0, 3), st.sampled_from(("{}", "{}.", "The answer is {}.", "{} it is"))
)
@settings(max_examples=150, deadline=None)
def test_a_text_that_two_choices_share_is_neither(texts: list[str], place: int, other: int, form: str) -> None:
    said = texts[place]
    texts[other] = said
    assert extract("careful", form.format(said), _choices(texts)) == (None if place != other else "ABCD"[place])


@given(four_things, st.integers(0, 3), st.permutations("ABCD"), st.sampled_from(CLAIMS))
@settings(max_examples=200, deadline=None)
def test_letters_moved_with_their_texts_move_the_answer(
    texts: list[str], place: int, moved: list[str], claim: str
) -> None:
    before = extract("careful", claim.format("ABCD"[place], texts[place]), _choices(texts))
    after = extract("careful", claim.format(moved[place], texts[place]), _choices(texts, "".join(moved)))
    assert (before, after) == ("ABCD"[place], moved[place])


@given(
    four_things, st.permutations("ABCD"), st.sampled_from(CLAIMS), st.sampled_from(REJECTIONS), st.booleans(),
    st.sampled_from(("\n", "\n\n")),
)  # fmt: skip
@settings(max_examples=400, deadline=None)
def test_a_rejected_choice_is_never_the_answer(
    texts: list[str], order: list[str], claim: str, rejection: str, first: bool, gap: str
) -> None:
    claimed, rejected = order[:2]
    parts = [claim.format(claimed, texts["ABCD".index(claimed)]), rejection.format(rejected)]
    assert extract("careful", gap.join(parts[:: -1 if first else 1]), _choices(texts)) in (claimed, None)
    assert extract("careful", rejection.format(rejected), _choices(texts)) is None


@given(four_things, st.permutations("ABCD"), st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
@settings(max_examples=200, deadline=None)
def test_two_claims_of_different_letters_are_none(texts: list[str], order: list[str], first: str, second: str) -> None:
    lines = [
        claim.format(letter, texts["ABCD".index(letter)]) for claim, letter in zip((first, second), order, strict=False)
    ]
    assert extract("careful", "\n".join(lines), _choices(texts)) is None
