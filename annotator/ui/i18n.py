"""The window's words, Chinese and English, switched live.

A key is ``<file>.<name>``; the file ``resources/i18n/<file>.toml`` is read when its first key is asked for.
Sentences are never put together from parts: values go into ``{name}`` fields of a whole sentence.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import Literal

from PySide6.QtCore import QLocale, QObject, Signal

from annotator import resources

Language = Literal["en", "zh_CN"]
LANGUAGES: tuple[Language, ...] = ("en", "zh_CN")
log = logging.getLogger(__name__)


class LanguageBus(QObject):
    """Tells widgets to read their texts again. Lives on the GUI thread."""

    changed = Signal()


class _State:
    language: Language = "en"


@cache
def bus() -> LanguageBus:
    """The one bus of language changes."""
    return LanguageBus()


def language() -> Language:
    """The language in force."""
    return _State.language


def other_language() -> Language:
    """The other one, for rows that show both."""
    return "en" if _State.language == "zh_CN" else "zh_CN"


def system_language() -> Language:
    """What the desktop speaks: Chinese of any place is answered in Simplified Chinese, everything else in English."""
    return "zh_CN" if QLocale.system().language() is QLocale.Language.Chinese else "en"


def set_language(language: Language) -> None:
    """Switch the language and tell everybody."""
    if language not in LANGUAGES:
        raise ValueError(f"no such language: {language}")
    if language != _State.language:
        _State.language = language
        bus().changed.emit()


@cache
def table(file: str) -> dict[str, dict[str, str]]:
    """All texts of one file as ``{"name": {"en": …, "zh_CN": …}}``; nested tables are joined by dots.

    Empty if there is no file.
    """
    path = resources.root() / "i18n" / f"{file}.toml"
    if not path.is_file():
        return {}
    return dict(_flat("", resources.read_toml(path.read_text(encoding="utf-8"))))


def _flat(prefix: str, node: dict[str, object]) -> list[tuple[str, dict[str, str]]]:
    if node and all(isinstance(value, str) for value in node.values()):
        return [(prefix, {name: str(value) for name, value in node.items()})]
    found: list[tuple[str, dict[str, str]]] = []
    for name, value in node.items():
        if isinstance(value, dict):
            found += _flat(f"{prefix}.{name}" if prefix else name, value)
    return found


def tr(key: str, /, **values: object) -> str:
    """The text of a key in the current language with ``{name}`` fields filled in.

    An unknown key shows itself and is logged.
    """
    return tr_in(_State.language, key, **values)


def tr_in(language: Language, key: str, /, **values: object) -> str:
    """``tr`` in a named language, for rows that show both."""
    file, _, name = key.partition(".")
    entry = table(file).get(name)
    if entry is None or language not in entry:
        log.warning("The text %s is missing in %s.", key, language)
        return key
    return entry[language].format(**values) if values else entry[language]


def has(key: str) -> bool:
    """Whether a key exists; for keys made from data, such as problem codes."""
    file, _, name = key.partition(".")
    return name in table(file)


def text(mapping: Mapping[str, str]) -> str:
    """The current language of a bilingual value such as a rubric text; falls back to the other, then to nothing."""
    return mapping.get(_State.language) or mapping.get(other_language()) or ""


def count(number: int) -> str:
    """A count with thin grouping: ``5,859`` in English, ``5 859`` in Chinese."""
    return f"{number:,}" if _State.language == "en" else f"{number:,}".replace(",", " ")
