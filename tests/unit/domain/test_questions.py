"""Questions as values: what their identity hangs on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.base import content_hash
from annotator.domain.items import Asset
from annotator.domain.questions import Choice, Question

TEXT = st.text(st.characters(codec=None), max_size=12)
CHOICE = st.builds(Choice, st.none() | st.sampled_from("ABCDE"), TEXT)
IMAGE = st.none() | st.builds(
    Asset, role=st.just("image"), raw=st.none() | TEXT, field=st.just("Image"), status=st.just("missing")
)


@given(
    text=TEXT, choices=st.lists(CHOICE, max_size=6).map(tuple), key=TEXT, names=st.tuples(TEXT, TEXT, TEXT), image=IMAGE
)
def test_the_hash_put_together_by_hand_is_that_of_the_content(
    text: str, choices: tuple[Choice, ...], key: str, names: tuple[str, str, str], image: Asset | None
) -> None:
    question = Question.model_construct(
        item_id="question:0", source_id="q", text=text, choices=choices, key_raw=key, task=names[0], subtask=names[1],
        category=names[2], image=image,
    )  # fmt: skip
    assert question.content_hash() == content_hash(question.content())
