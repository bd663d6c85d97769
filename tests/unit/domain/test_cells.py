"""Texts in cells: nothing runs, nothing is changed, and the way back leads to exactly what was said."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from annotator.domain import cells

SIGNS = [*"=+-@\t\r\n'＝＋－＠_x0041F ,;\"|%1", "\x00", "\x0b", "\x7f", "\ufffe", "\u200d", "👍", "🏽", "\u0301"]
NASTY = st.text(st.one_of(st.sampled_from(SIGNS), st.characters()), max_size=40)


@given(NASTY, st.booleans())
@example("'=1", False)
@example("''", False)
@example("'007", True)
def test_a_mark_is_taken_away_exactly(text: str, of_id: bool) -> None:
    cell = cells.marked(text, of_id=of_id)
    assert cells.unmarked(cell, of_id=of_id) == text
    assert not cells.starts_formula(cell)
    assert cell in (text, "'" + text)


@given(NASTY, NASTY, st.booleans())
def test_two_texts_never_share_a_cell(one: str, other: str, of_id: bool) -> None:
    assert (cells.marked(one, of_id=of_id) == cells.marked(other, of_id=of_id)) is (one == other)
    assert (cells.escaped(one) == cells.escaped(other)) is (one == other)


@given(NASTY)
@example("_x0041_x0042_")
@example("_x0041\x01")
@example("\x01x0041\x02_x005F_")
def test_an_escape_is_taken_away_exactly(text: str) -> None:
    told = cells.escaped(text)
    assert cells.unescaped(told) == text
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", told)
    assert (told == text) is not (cells.has_control(text) or cells.looks_escaped(text))


@pytest.mark.parametrize("text", ["a b", "中文", "_x41_", "tab\t", "line\nline", "\r", "x0041_"])
def test_what_xml_can_hold_stays_as_it_is(text: str) -> None:
    assert cells.escaped(text) == text


@pytest.mark.parametrize(
    "text",
    ["1582917533873852417", "00123", "1E5", "3-4", "1/2", "TRUE", "false", "+44", "1e999", "MARCH1", "9" * 40, "007",
     "-1", "2026-11-30", "3月4日", "上午9时", "12:30", "1.50", "1,234", "(12)", "50%", "¥5", "１２", "May 1",
     "1-Jan-26"],
)  # fmt: skip
def test_an_id_that_a_spreadsheet_would_change_is_marked(text: str) -> None:
    assert cells.marked(text, of_id=True) == "'" + text


@pytest.mark.parametrize(
    "text", ["0", "7", "12345", "123456789012345", "0x1F", "d1", "abc-1", "street-1", "v1.2", "陈", ""]
)
def test_an_id_that_stays_what_it_is_gets_no_mark(text: str) -> None:
    assert cells.marked(text, of_id=True) == text


@pytest.mark.parametrize("text", ["1-2", "00123", "TRUE", " =1", '"=1"', "normal", "%0A=1", "|cmd", "DDE(1)"])
def test_a_text_that_somebody_wrote_gets_no_mark_for_looking_like_a_number(text: str) -> None:
    assert cells.marked(text) == text


def test_an_id_of_any_length_is_looked_at_once() -> None:
    assert cells.changed_as_id("1 " * 50_000 + "x") is False
    assert cells.changed_as_id("1" * 100_000) is True


@pytest.mark.parametrize("unit", ["x", "👍", "\x01", "👍🏽", "e\u0301", "_x0041_", "中"])
@pytest.mark.parametrize("over", [0, 1, 2, 3, 7, 40_000])
def test_a_cell_is_filled_to_its_limit_and_not_beyond(unit: str, over: int) -> None:
    text = unit * (cells.CELL_UNITS // cells.units(cells.escaped(unit))) + "y" * over
    told = cells.escaped(text)
    if cells.fits_cell(told):
        assert cells.units(told) <= cells.CELL_UNITS
        return
    cut = cells.cut_to_cell(text, " … [cut]")
    assert cells.units(cut) <= cells.CELL_UNITS and cells.units(cut) > cells.CELL_UNITS - 40
    kept = cells.unescaped(cut.removesuffix(" … [cut]"))
    assert text.startswith(kept)
    assert not text[len(kept) :].startswith(("🏽", "\u0301"))


def test_half_a_character_is_replaced_and_whole_ones_are_not() -> None:
    assert cells.whole("a\ud83db👍") == "a\ufffdb👍"
    assert not cells.is_tame("\ud83d") and not cells.is_tame("=1") and not cells.is_tame("\x01")
    assert cells.is_tame("中文 👍") and cells.is_tame("007") and not cells.is_tame("007", True)
