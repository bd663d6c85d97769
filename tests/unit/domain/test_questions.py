"""Questions as values: what their identity hangs on."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from annotator.domain.base import content_hash
from annotator.domain.items import Asset, AssetStatus
from annotator.domain.questions import Choice, Finding, Question

TEXT = st.text(st.characters(codec=None), max_size=12)


def questions(text: st.SearchStrategy[str]) -> st.SearchStrategy[Question]:
    """Questions of any content."""
    image = st.builds(
        Asset, role=st.just("image"), raw=st.none() | text, field=text, status=st.sampled_from(get_args(AssetStatus)),
        inside=st.none() | text, root=st.none() | text,
    )  # fmt: skip
    choice = st.builds(Choice, st.none() | st.sampled_from("ABCDE"), text)
    finding = st.builds(Finding, text, st.lists(text, max_size=2).map(tuple), text)
    return st.builds(
        Question.model_construct, item_id=text, source_id=text, source=text, row=st.integers(0, 30), collection=text,
        index=st.none() | text, text=text, choices=st.lists(choice, max_size=6).map(tuple), key=st.none() | text,
        key_raw=text, task=text, subtask=text, category=text, canonical=st.tuples(text, text, text),
        dataset=st.none() | text, language=st.sampled_from(["en", "zh"]), split=st.sampled_from(["full", "lite"]),
        image=st.none() | image, findings=st.lists(finding, max_size=2).map(tuple), revision=st.integers(1, 3),
    )  # fmt: skip


FEW = settings(max_examples=40, deadline=None)


@FEW
@given(questions(TEXT))
def test_the_hash_put_together_by_hand_is_that_of_the_content(question: Question) -> None:
    assert question.content_hash() == content_hash(question.content())


def test_a_value_that_is_not_checked_is_as_good_as_one_that_is() -> None:
    fields: dict[str, Any] = {
        "role": "image", "raw": "a/b.jpg", "field": "Image", "status": "ok", "inside": "a/b.jpg", "root": None,
    }  # fmt: skip
    checked, unchecked = Asset(**fields), Asset.unchecked(**fields)
    assert unchecked == checked
    assert unchecked.model_dump_json(exclude_defaults=True) == checked.model_dump_json(exclude_defaults=True)
    changed = unchecked.model_copy(update={"status": "missing"})
    assert changed.status == "missing"
    assert unchecked.status == "ok"
    assert changed == checked.model_copy(update={"status": "missing"})
    with pytest.raises(ValidationError):
        unchecked.status = "missing"  # type: ignore[misc]
