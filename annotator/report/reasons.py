"""Sentences of figures in Chinese: why there is no value or no interval, notes, notices, limits. English is their key.

Figures say why in English, in the JSON and on the command line; a page in Chinese says it in Chinese, by the list in
`resources/report`. A sentence that is not in the list stays as it is: a test holds the list against every sentence that
figures are made with.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from annotator import resources

_REASONS: Final = "reasons"
_SENTENCES: Final = "sentences"


@cache
def _table() -> Mapping[str, Any]:
    file = resources.path("report/sentences_zh_CN.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def _patterns(which: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile("(.+?)".join(map(re.escape, english.split("{}")))), chinese)
        for english, chinese in _table()[which].items()
    )


def _head(text: str) -> str:
    return next((head for head in _table()["heads"] if text.startswith(head)), "")


def sentence(text: str, lang: str) -> str:
    """A sentence of a figure, a note or a notice in `lang`; in English where it is not one of those we know."""
    if lang != "zh_CN":
        return text
    head = _head(text)
    found = _known(text.removeprefix(head), _REASONS if head else _SENTENCES)
    return text if found is None else _table()["heads"].get(head, "") + found


def reason(text: str, lang: str) -> str:
    """A reason in `lang` without its head ("undefined: ")."""
    head = _head(text)
    said = sentence(text, lang)
    return said.removeprefix(head if said.startswith(head) else _table()["heads"][head])


def _known(text: str, which: str) -> str | None:
    for pattern, chinese in _patterns(which):
        found = pattern.fullmatch(text)
        if found is not None:
            return chinese.format(*found.groups())
    return None
