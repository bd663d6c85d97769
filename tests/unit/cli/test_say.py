"""What is printed for people can neither command a terminal nor break its columns."""

from __future__ import annotations

import io
import json
import sys

import pytest

from annotator.cli import say


def test_control_and_direction_marks_become_visible() -> None:
    assert say.clean("a\x1b[31mb\u202ec\x00") == "a\\u001b[31mb\\u202ec\\u0000"
    assert say.clean("中文\tand\nlines 👍") == "中文\tand\nlines 👍"


@pytest.mark.parametrize(
    ("text", "columns", "shown"),
    [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("中文字", 5, "中文…"), ("中文字", 6, "中文字"), ("a\n b", 9, "a b")],
)
def test_a_text_is_cut_by_columns(text: str, columns: int, shown: str) -> None:
    assert say.cut(text, columns) == shown
    assert say.width(shown) <= columns


@pytest.mark.parametrize(
    ("number", "word", "told"),
    [(0, "row", "0 rows"), (1, "row", "1 row"), (1, "category", "1 category"), (7340, "category", "7,340 categories")],
)
def test_a_number_with_its_word(number: int, word: str, told: str) -> None:
    assert say.counted(number, word) == told


def test_a_table_is_aligned_with_wide_characters(capsys: pytest.CaptureFixture[str]) -> None:
    say.table(("name", "n"), [("中文", 5), ("abc", 10)])
    head, first, second = capsys.readouterr().out.splitlines()
    assert {say.width(line) for line in (first, second)} == {8}
    assert first.endswith(" 5") and second.endswith("10") and head.startswith("name")


def test_a_complaint_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    say.complain("two\nlines")
    assert capsys.readouterr().err == "two lines\n"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "gb18030"])
def test_json_can_be_read_back_from_any_output(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding=encoding))
    say.prepare_streams()
    value = {"text": "中文 👍 é", "half": "\ud83d"}
    say.as_json(value)
    sys.stdout.flush()
    assert json.loads(raw.getvalue().decode("utf-8")) == value


def test_json_never_holds_nan() -> None:
    with pytest.raises(ValueError, match="JSON"):
        say.as_json(float("nan"))
