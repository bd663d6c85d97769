"""Timestamps of the benchmark: every form of the cases, and their siblings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.timecode import clock, exact, parse


@pytest.mark.parametrize(
    ("raw", "start", "end", "kind"),
    [
        ("12.5", 12.5, None, "seconds"),
        ("30:24", 1824, None, "seconds"),
        ("01:02:03", 3723, None, "seconds"),
        ("1:02:03.250", 3723.25, None, "seconds"),
        ("12.5s", 12.5, None, "seconds"),
        ("12 秒", 12, None, "seconds"),
        ("00：05", 5, None, "seconds"),
        ("5~9", 5, 9, "seconds"),
        ("5～9", 5, 9, "seconds"),
        ("00:05–00:09", 5, 9, "seconds"),
        (" 00:10 ", 10, None, "seconds"),
        ("3s-8s", 3, 8, "seconds"),
        ("3秒-8秒", 3, 8, "seconds"),
        (7.25, 7.25, None, "seconds"),
        (0, 0, None, "seconds"),
        ("0", 0, None, "seconds"),
        ("90", 90, None, "seconds"),
        ("120:05", 7205, None, "seconds"),
        ("2024-05-01 10:00:00", None, None, "iso"),
        ("2024-05-01", None, None, "iso"),
        ("2024-05-01T10:00:00Z", None, None, "iso"),
        ("2024-05-01T10:00:00+08:00", None, None, "iso"),
        ("1:2:3:4", None, None, "text"),
        (-5, None, None, "text"),
        ("-5", None, None, "text"),
        ("1分05秒", None, None, "text"),
        ("00:05-", None, None, "text"),
        ("-00:05", None, None, "text"),
        ("刚进门时", None, None, "text"),
        ("∞", None, None, "text"),
        ("nan", None, None, "text"),
        ("1e3", None, None, "text"),
        ("１２", None, None, "text"),
        (True, None, None, "text"),
        (["5"], None, None, "text"),
        (float("inf"), None, None, "text"),
        (None, None, None, "none"),
        ("", None, None, "none"),
        ("  ", None, None, "none"),
    ],
)
def test_a_timestamp_is_read_or_kept(raw: Any, start: float | None, end: float | None, kind: str) -> None:
    read = parse(raw)
    assert (read.start, read.end, read.kind) == (start, end, kind)


@given(st.text())
def test_no_text_is_ever_refused(text: str) -> None:
    read = parse(text)
    assert read.kind in ("seconds", "iso", "text", "none")
    assert (read.start is not None) == (read.kind == "seconds")


def test_decimals_are_exact() -> None:
    assert exact(0.1) == Fraction(1, 10)
    assert parse("47.0").end_exact == Fraction(47)
    assert parse("3-8.04").end_exact == Fraction(804, 100)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(Fraction(0), "00:00.000"), (Fraction(41320, 1000), "00:41.320"), (Fraction(3723), "1:02:03.000"),
     (Fraction(59999999, 1000000), "00:59.999")],
)  # fmt: skip
def test_a_clock_never_shows_a_time_that_was_not_reached(seconds: Fraction, text: str) -> None:
    assert clock(seconds) == text
