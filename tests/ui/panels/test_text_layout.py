"""Plain text on screen: lines, code points, directions, and no markup."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtWidgets import QApplication

from annotator.ui import fonts
from annotator.ui.transcript_layout import LIMIT_CHARS, LIMIT_LINES, TextBlock, from_utf16, is_rtl, paragraphs, to_utf16
from tests.ui.panels.helpers import case_texts

EMOJI = "👍🏽好 é é 👨‍👩‍👧"


def block(text: str, width: float = 400, limited: bool = True) -> TextBlock:
    return TextBlock(text, fonts.font("read"), 23, width, limited)


def test_code_points_and_utf16_offsets_are_two_things() -> None:
    assert EMOJI.index("好") == 2 and to_utf16(EMOJI, 2) == 4
    assert [from_utf16(EMOJI, to_utf16(EMOJI, k)) for k in range(len(EMOJI) + 1)] == list(range(len(EMOJI) + 1))


def test_offset_inside_a_pair_is_the_pairs_start() -> None:
    assert from_utf16("a😀b", 2) == 1


def test_lines_cover_every_code_point_once(qapp: QApplication) -> None:
    text = (EMOJI + " words between ") * 40
    lines = block(text, 300).lines
    assert lines[0].start == 0 and lines[-1].end == len(text)
    assert all(a.end == b.start for a, b in itertools.pairwise(lines))


def test_pieces_of_a_long_paragraph_join_without_a_seam(qapp: QApplication) -> None:
    text = "字" * 7000
    made = block(text, 400, limited=False)
    lengths = {line.end - line.start for line in made.lines[:-1]}
    assert sum(line.end - line.start for line in made.lines) == 7000
    assert len(lengths) == 1, "a line at a seam is as long as any other"


def test_line_breaks_and_indents_are_visible(qapp: QApplication) -> None:
    answer = case_texts("txt_lines")[0][1]
    made = block(answer, 800)
    assert len(made.lines) == 5
    plain, indented, tabbed = made.rects(0, 1)[0], made.rects(6, 7)[0], made.rects(14, 15)[0]
    assert answer[6] == "-" and answer[14] == "制"
    assert plain.left() < indented.left() < tabbed.left()


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\r", "\u2028", "\u2029"])
def test_every_kind_of_line_break_breaks(qapp: QApplication, break_: str) -> None:
    assert [p for _, p in paragraphs(f"a{break_}b")] == ["a", "b"]
    assert len(block(f"a{break_}b").lines) == 2


def test_right_to_left_text_begins_at_the_right(qapp: QApplication) -> None:
    for question, _, _ in case_texts("txt_rtl")[:2]:
        assert is_rtl(question)
        first = block(question, 400).rects(0, 1)[0]
        assert first.right() > 380


def test_clicks_find_code_points_beside_emoji(qapp: QApplication) -> None:
    made = block(EMOJI)
    good = made.rects(2, 3)[0]
    assert made.position_at(good.left() + 1, 5) == 2
    assert made.position_at(good.right() - 1, 5) == 3


def test_long_text_is_cut_unless_all_is_asked_for(qapp: QApplication) -> None:
    for text in ("字" * 100_000, "x\n" * 5000):
        made = block(text, 500)
        assert made.cut and len(made.lines) <= LIMIT_LINES + LIMIT_CHARS // 20
        whole = block(text, 500, limited=False)
        assert not whole.cut and whole.lines[-1].end == len(text)


def test_short_text_is_never_cut(qapp: QApplication) -> None:
    assert not block("字" * LIMIT_CHARS, 500).cut


def test_double_click_takes_a_word_or_one_character(qapp: QApplication) -> None:
    made = block("one two 三四")
    assert made.word_at(5) == (4, 7)
    assert made.word_at(8) == (8, 9)
