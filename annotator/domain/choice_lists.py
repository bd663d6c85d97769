"""Choices that a text repeats: whole lists of them, and a choice's text beside a letter."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from annotator.domain import claim_patterns as say
from annotator.domain.choice_texts import Choices

LISTED: Final = 3  # so many choices with their letters make a list
_NEAR: Final = 12  # so near to its text stands a letter


def without_list(text: str, held: Choices) -> tuple[str, bool]:
    """The text without a repeated list of the choices, and whether there was one (three or more)."""
    if len(say.LISTED.findall(text)) < LISTED:
        return text, False
    rest, hits = text, 0
    for letter, choice in zip(held.letters, held.texts, strict=True):
        if not choice:
            continue
        rest, count = _labelled(letter, choice).subn(".\n", rest, count=1)  # nothing reaches over it
        hits += count
    return (rest, True) if hits >= LISTED else (text, False)


# Twenty models answer the same questions one after the other.
@lru_cache(maxsize=1 << 12)
def _labelled(letter: str, choice: str) -> re.Pattern[str]:
    """A choice as lists repeat it: its letter with a mark, and its text."""
    words = r"\s+".join(map(re.escape, choice.split()))
    return re.compile(rf"(?<![A-Za-z])[(\[]?{letter}\s*[).:\]]\s*{words}(?!\w)", re.IGNORECASE)


def beside_another(letter: str, text: str, held: Choices) -> bool:
    """Whether the very text beside a letter is that of another choice, so that the two disagree."""
    small, own = text.casefold(), held.texts_of(letter)
    for other in set(held.texts) - own:
        at = small.find(other) if len(other) > 1 or other.isdigit() else -1
        while at >= 0:
            end = at + len(other)
            whole = not small[end : end + 1].isalnum() and not any(
                t and (small.startswith(t, at) or small.endswith(t, 0, end)) for t in own
            )
            sides = (say.BEFORE_TEXT.search(small, max(0, at - _NEAR), at), say.BEHIND_TEXT.match(small, end))
            if whole and any(side is not None and side[1].upper() == letter for side in sides):
                return True
            at = small.find(other, end)
    return False
