"""Arrays from long rows: groups, middles and means."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.report.figures_calibration import family, zero_test
from annotator.report.retention import Candidate
from annotator.report.tables import Column, column, groups, means, middles, others

SCORE = st.one_of(st.none(), st.integers(1, 5))


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(SCORE, min_size=3, max_size=3), min_size=n, max_size=n)))
def test_middles_are_levels_and_lie_between_the_ends(rows: list[list[int | None]]) -> None:
    scores = np.array(rows, dtype=float)
    for unit, (middle, mean) in enumerate(zip(middles(scores), means(scores), strict=True)):
        said = sorted(row[unit] for row in rows if row[unit] is not None)
        if not said:
            assert np.isnan(middle) and np.isnan(mean)
        else:
            assert middle == said[(len(said) - 1) // 2] and mean == pytest.approx(np.mean(said))


def test_nobody_says_nothing() -> None:
    empty = np.empty((0, 2))
    assert np.isnan(middles(empty)).all() and np.isnan(means(empty)).all()
    assert np.isnan(others(np.array([[1.0, 2.0]]), 0)).all()


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), max_size=30))
def test_groups_part_all_rows(rows: list[tuple[str, str]]) -> None:
    columns = {"one": column([row[0] for row in rows]), "two": column([row[1] for row in rows])}
    seen = np.zeros(len(rows), dtype=int)
    for by, mask in groups(columns, len(rows)):
        assert {rows[place] for place in np.flatnonzero(mask)} == {(by["one"], by["two"])}
        seen += mask
    assert (seen == 1).all()


def test_without_fields_all_rows_are_one_group() -> None:
    assert [(by, mask.tolist()) for by, mask in groups({}, 2)] == [({}, [True, True])]


def test_a_stated_order_goes_first() -> None:
    made = column(["zeta", "beta", "alpha"], order=("beta", "gamma"))
    assert made == Column(made.codes, ("beta", "alpha", "zeta")) and made.codes.tolist() == [2, 0, 1]


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("api::Qwen3-VL::v1", "qwen"),
        ("acme::qwen-max::t", "qwen"),
        ("gpt-5", "gpt"),
        ("x::org/GLM-4::t", "glm"),
        ("", ""),
    ],
)
def test_the_family_is_what_the_name_begins_with(name: str, own: str) -> None:
    assert family(name) == own


def test_the_zero_test_needs_five_clusters_and_something_that_varies() -> None:
    assert zero_test(np.array([1.0, 2, 3, 4]), np.arange(4), None) is None
    assert zero_test(np.ones(6), np.arange(6), None) is None
    assert zero_test(np.array([1.0, -1, 2, -2, 3, -3]), np.arange(6), None) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("blind", "adjudicated", "verdict"),
    [
        ("", (), None),
        ("k", (), "keep"),
        ("kr", (), "undecided"),
        ("kkr", (), "keep"),
        ("kkrv", (), "undecided"),
        ("krv", (), "undecided"),
        ("rrk", ("keep",), "keep"),
        ("k", ("keep", "reject"), "undecided"),
    ],
)
def test_a_verdict_needs_more_than_half(blind: str, adjudicated: tuple[str, ...], verdict: str | None) -> None:
    words = {"k": "keep", "r": "reject", "v": "revise"}
    said = {str(place): words[letter] for place, letter in enumerate(blind)}
    assert Candidate("x", blind=said, adjudicated=adjudicated).verdict() == verdict
