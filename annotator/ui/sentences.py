"""What the core says, in the window's language: refusals, reasons of an import's lines, what sync and fetch tell.

The core speaks English to everybody: on the command line, in reports, in its log. The window shows a sentence in
Chinese by the list in `resources/sentences`, whose keys are the English sentences with `{}` for what differs; a test
holds the list against the core's own texts. A sentence that is not in the list is shown as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from annotator import resources
from annotator.ui import i18n

if TYPE_CHECKING:
    from annotator.ui.widgets.message import Message, MessageKind


def words(sentence: str) -> str:
    """A sentence of the core in the language in force; in English where it is none of those that are known."""
    if i18n.language() != "zh_CN" or not sentence:
        return sentence
    return _in_chinese(sentence)


def message(kind: MessageKind, text: str, actions: tuple[tuple[str, str], ...], key: str) -> Message:
    """A message for the bar; a sentence of the core among them is shown in the language in force."""
    from annotator.ui.widgets.message import Message

    return Message(kind, words(text), actions, key)


@cache
def _table() -> Mapping[str, Mapping[str, str]]:
    import tomllib  # not before the first paint

    return tomllib.loads(resources.path("sentences/zh_CN.toml").read_text(encoding="utf-8"))


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Patterns of whole sentences, those that leave least open first."""
    known = sorted(_table()["sentences"].items(), key=lambda entry: -len(entry[0].replace("{}", "")))
    return tuple(
        (re.compile("(.+?)".join(map(re.escape, english.split("{}"))), re.DOTALL), chinese)
        for english, chinese in known
    )


@lru_cache(maxsize=4096)
def _in_chinese(sentence: str) -> str:
    for pattern, chinese in _patterns():
        found = pattern.fullmatch(sentence)
        if found is not None:
            return chinese.format(*map(_part, found.groups()))
    return sentence


def _part(text: str) -> str:
    """What stood in the place of `{}`: a word or a sentence of the list, or carried over."""
    return _table()["words"].get(text) or _in_chinese(text)
