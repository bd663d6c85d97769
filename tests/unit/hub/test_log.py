"""Tokens never reach a log line."""

from __future__ import annotations

import logging
import sys

from annotator.app import LogLines
from annotator.errors import without_tokens

SECRET = "hf_" + "aB3" * 11


def test_tokens_are_taken_out_of_messages_and_tracebacks() -> None:
    try:
        raise RuntimeError(f"authorization: Bearer {SECRET}")
    except RuntimeError:
        record = logging.LogRecord("x", logging.ERROR, "f.py", 1, "sent %s", (SECRET,), sys.exc_info())
    line = LogLines("%(message)s").format(record)
    assert SECRET not in line
    assert "sent hf_***" in line and "RuntimeError" in line


def test_other_words_stay() -> None:
    text = "hf_hub_download and hf_raise_for_status of HF_TOKEN; Bearer of news"
    assert without_tokens("hf_hub_download and hf_raise_for_status") == "hf_hub_download and hf_raise_for_status"
    assert SECRET not in without_tokens(f"{text} Bearer {SECRET}, Bearer abc.def")
    assert "abc.def" not in without_tokens("Authorization: Bearer abc.def")
