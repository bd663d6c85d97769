"""What a question's record calls right, and what is odd about its choices; both are said when it is read."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from annotator.domain.questions import Choice, Finding
from annotator.importers.base import Sayings
from annotator.importers.tables import cell_text

_TRUTH: Final = re.compile(r"\s*[(（]?\s*([A-Za-zＡ-Ｚ])\s*[)）]?\s*[.．。]?\s*")
_TRUTH_TEXT: Final = re.compile(r"\s*\(?\s*([A-Za-z])\s*[).:]\s*(\S.*)", re.DOTALL)
_USUAL: Final = 5


def read_key(truth: Any, choices: tuple[Choice, ...], sayings: Sayings) -> tuple[str | None, str, list[Finding]]:
    """(the letter of the key or None, what stood there as text, what is to be said of it in the window)."""
    letters = [c.letter for c in choices]
    if isinstance(truth, str) and letters.count(truth) == 1:
        return truth, truth, []
    raw = truth if isinstance(truth, str) else "" if truth is None else cell_text(truth)[0]
    plain = unicodedata.normalize("NFKC", raw)
    match = _TRUTH.fullmatch(plain)
    letter = match[1].upper() if match else ""
    count = letters.count(letter) if letter else 0
    if count == 1:
        return letter, raw, []
    whole = _TRUTH_TEXT.fullmatch(plain)
    if whole is not None and letters.count(whole[1].upper()) == 1:
        letter = whole[1].upper()
        if any(c.letter == letter and _same(c.text, whole[2]) for c in choices):
            sayings.say(
                "truth_bad", f'the truth "{raw[:40]}" is a letter with its text; {letter} is taken', "Ground truth"
            )
            return letter, raw, []
    why = (
        f'the truth "{raw[:40]}" stands under two choices'
        if count
        else f'the truth "{raw[:40]}" is no choice\'s letter'
    )
    sayings.say("truth_bad", why, "Ground truth")
    return (
        (letter if count else None),
        raw,
        [Finding(code="truth_bad", letters=(letter,) if letter else (), detail=raw[:40])],
    )


def _same(one: str, other: str) -> bool:
    return " ".join(unicodedata.normalize("NFKC", one).split()) == " ".join(other.split())


def usual(choices: tuple[Choice, ...]) -> bool:
    """Whether these are five choices of five letters and five texts, of which there is nothing to say."""
    if len(choices) != _USUAL or len({c.letter for c in choices}) != _USUAL:
        return False
    texts = {c.text.strip() for c in choices}
    return len(texts) == _USUAL and "" not in texts


def twins(choices: tuple[Choice, ...], key: str | None, sayings: Sayings) -> Iterator[Finding]:
    """Letters that stand twice, texts that stand under two letters, and numbers of choices that are unusual."""
    repeated = [letter for letter, n in Counter(c.letter for c in choices if c.letter).items() if n > 1]
    if repeated:
        sayings.say("choice_dup_letter", f"the letter {', '.join(repeated)} stands twice", "Answer choices")
        yield Finding(code="choice_dup_letter", letters=tuple(repeated))
    by_text: dict[str, list[str]] = {}
    for choice in choices:
        if choice.text.strip():
            by_text.setdefault(choice.text.strip(), []).append(choice.letter or "?")
    for text, letters in by_text.items():
        if len(letters) > 1:
            if len({c.text for c in choices if c.text.strip() == text}) < len(letters):  # not by blanks alone
                sayings.say("choice_twin", f"the choices {', '.join(letters)} have the same text", "Answer choices")
            yield Finding(code="choice_twin", letters=tuple(letters))
            if key in letters:
                yield Finding(code="truth_twin", letters=tuple(letters))
    if any(not c.text.strip() for c in choices) or not choices:
        yield Finding(code="choice_missing", letters=tuple(c.letter or "?" for c in choices if not c.text.strip()))
    if choices and len(choices) != _USUAL:
        yield Finding(code="choice_count", detail=str(len(choices)))
