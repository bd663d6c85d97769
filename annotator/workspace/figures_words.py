"""Sentences of figures in the language of whoever reads them: one list serves the window and the report."""

from __future__ import annotations

from typing import Final

from annotator.report.reasons import reason, sentence

__all__ = ["words_in"]

_HEAD: Final = "undefined: "


def words_in(text: str, lang: str) -> str:
    """A reason without its head, a note or a notice in `lang`; as it came where it is none that we know."""
    said = sentence(text, lang)
    return said if said != text else reason(_HEAD + text, lang)
