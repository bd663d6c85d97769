"""Choices as they are compared: folded texts by letter, and where a text holds one of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from annotator.domain.doubts import text_doubted, without_texts

_HIDDEN: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u00ad]")
_MARK: Final = re.compile(r"\s*[(（\[【]?\s*([A-Za-zＡ-Ｚ])\s*(?:[)）\]】]|[.．:：、](?=\s|\D))\s*")
# Letters of other alphabets that look like ours.
_ALIKE: Final = str.maketrans("АВСЕDΑΒΕ", "ABCEDABE")
_EDGE: Final = " \t\r\n.。,，;；:：!！?？\"'“”‘’`*()（）[]【】"
_ARTICLE: Final = re.compile(r"(?:an?(?=\s+[a-z])|the|it is|it's|its|they are|this is|there (?:is|are))\s+")
_NUMBER: Final = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?")
_CURRENCY: Final = "$€£¥￥"
# A number behind such words is a bound, not the number itself.
_BOUND: Final = re.compile(
    r"(?:\b(?:(?:more|less|fewer|greater|higher|lower|larger|smaller|other|rather) than|over|under|above|below|at least"
    r"|at most|up to|beyond|after|before|since|until|prior to)"
    r"|超过|不止|少于|多于|大于|小于|高于|低于|不到|至少|至多)\s*$"
)
_DENIAL: Final = re.compile(
    r"\b(?:not?|never|neither|nor|without|cannot|can't|isn't|aren't|doesn't|don't|wasn't|weren't|didn't|rather than"
    r"|instead of|incorrect|wrong|rule[sd]? out|exclud\w*|eliminat\w*|except)\b|[不没非无]|排除|错误",
    re.IGNORECASE,
)
# Numbers in Chinese characters, with what they count.
_CHARACTERS: Final = re.compile("[一二两三四五六七八九十百千万]+[\u4e00-\u9fff]{0,2}")
_BEYOND: Final = re.compile(r"\s*(?:or (?:more|less|fewer)\b|\+)|\s*年?(?:之后|之前|以后|以前|以上|以下)")
_ENDS: Final = (*".。;；!！\n,，", " but ", "而是")  # where a denial ends
_OTHERWISE: Final = re.compile(r"\s*(?:or|/|或者?)\s*(?:the |an? )?(\w+)")
_UNIT: Final = re.compile(r"(?<=\d)\s+(?=[^\d\s])")  # 35 °C is 35°C
_SHORT: Final = 4
_AROUND: Final = 40  # what may stand around a choice's text and still leave it the whole text


def plain(text: str) -> str:
    """Full-width forms as plain ones, without characters that have no width."""
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", text))


def fold(text: str) -> str:
    """A text as it is compared: small, blanks single, without marks at its edges."""
    return " ".join(plain(text).casefold().split()).strip(_EDGE)


def alike(letter: str) -> str:
    """A letter as ours, where it only looks like one."""
    return letter.translate(_ALIKE)


def split_mark(choice: str) -> tuple[str | None, str]:
    """(letter, text) of a choice; the letter is None where it has no usual mark. The text keeps its inner form."""
    match = _MARK.match(choice)
    if match is None:
        return None, choice
    return unicodedata.normalize("NFKC", match[1]).upper(), choice[match.end() :]


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of one question.

    Attributes:
        letters: the letter of each; texts: folded, of each.
        forms: of each text, the ways in which it may be written.
        labelled: whether some text is itself one of the letters, so that a bare letter may mean either.
    """

    letters: tuple[str, ...]
    texts: tuple[str, ...]
    forms: tuple[frozenset[str], ...]
    labelled: bool

    @classmethod
    def of(cls, choices: Sequence[str]) -> Choices:
        """From texts with their marks; without one, the letter of the place."""
        return _choices(tuple(choices))

    @classmethod
    def made_of(cls, choices: Sequence[str]) -> Choices:
        """The same, made anew."""
        pairs = [split_mark(c) for c in choices]
        letters = tuple(letter or chr(65 + i) for i, (letter, _) in enumerate(pairs))
        texts = tuple(fold(text) for _, text in pairs)
        forms = tuple(_forms(t) if t else frozenset() for t in texts)
        return cls(letters, texts, forms, any(t.upper() in letters for t in texts))

    def known(self, letter: str) -> str | None:
        """The letter in capitals, if a choice has it (letters of other alphabets that look alike count)."""
        capital = alike(letter.upper())
        return capital if capital in self.letters else None

    def texts_of(self, letter: str) -> set[str]:
        """The texts that stand under a letter."""
        return {t for one, t in zip(self.letters, self.texts, strict=True) if one == letter}

    def same_text(self, text: str) -> str | None:
        """The letter of the one choice whose whole text this is; articles and the writing of numbers aside."""
        if len(text) > 2 * max(map(len, self.texts), default=0) + _AROUND:
            return None
        wanted = _forms(text)
        found = {one for one, forms in zip(self.letters, self.forms, strict=True) if not wanted.isdisjoint(forms)}
        if len(found) > 1:
            folded = fold(text)
            exact = {one for one, t in zip(self.letters, self.texts, strict=True) if t == folded}
            found = exact or found
        return found.pop() if len(found) == 1 else None

    def inside(self, text: str) -> str | None:
        """The letter of the one choice whose text occurs in a sentence that does not deny it; None for two.

        A number counts only where no other number stands beside; short texts (`no`) only against another choice.
        """
        folded = " ".join(plain(text).casefold().split())
        numbers = _NUMBER.findall(folded)
        hits: list[tuple[int, int, str]] = []
        for letter, choice in zip(self.letters, self.texts, strict=True):
            for needle in sorted(_needles(choice), key=len, reverse=True):
                if needle not in folded:
                    continue
                number = bool(_NUMBER.fullmatch(needle))
                short = not number and len(needle) < _SHORT and needle.isascii()
                if (number and len(set(numbers)) > 1) or (short and len(needle) == 1):
                    continue
                places = [m.span() for m in _bounded(needle).finditer(folded)]
                kept = [(a, b, "" if short else letter) for a, b in places if not self._denied(folded, a, b, needle)]
                loose = [m.span() for m in _bounded(needle, True).finditer(folded)] if needle[0].isdigit() else []
                places_beside = [p for p in loose if p not in places]  # beside a Chinese sign: no proof, but a doubt
                others = [t for one, t in zip(self.letters, self.texts, strict=True) if one != letter]
                kept += [(a, b, "") for a, b, _ in kept if _or_another(folded, b, others)]  # which makes it two
                kept += [(a, b, "") for a, b in places_beside if not self._denied(folded, a, b, needle)]
                if places or places_beside:
                    hits += kept
                    break
        # A text inside a longer one that was found is not said by itself.
        outer = [h for h in hits if not any(o[0] <= h[0] and h[1] <= o[1] and o[1] - o[0] > h[1] - h[0] for o in hits)]
        found = {letter for *_, letter in outer}
        return (found.pop() or None) if len(found) == 1 else None

    def _denied(self, text: str, start: int, end: int, needle: str) -> bool:
        alone = without_texts(text[:start], self.texts) + text[start:end] + without_texts(text[end:], self.texts)
        return _denied(alone, start, end, needle) or text_doubted(text, start, end, self.texts)


# Twenty models answer the same questions one after the other.
@lru_cache(maxsize=1 << 15)
def _choices(choices: tuple[str, ...]) -> Choices:
    return Choices.made_of(choices)


# The parts of one output are compared again and again, and models say the same.
@lru_cache(maxsize=1 << 12)
def _forms(text: str) -> frozenset[str]:
    folded = fold(text)
    forms = {folded, _ARTICLE.sub("", folded, count=1) if _ARTICLE.match(folded) else folded}
    amount = folded.lstrip(_CURRENCY).strip()
    bare = amount.replace(",", "") if _NUMBER.fullmatch(amount) else folded
    if re.fullmatch(r"-?\d+\.0+", bare):
        bare = bare.split(".")[0]
    return frozenset(forms | {bare, _UNIT.sub("", folded)})


def _needles(choice: str) -> set[str]:
    bare = _ARTICLE.sub("", choice, count=1) if _ARTICLE.match(choice) else choice
    return {n for n in (choice, bare, choice.lstrip(_CURRENCY)) if n}


@lru_cache(maxsize=1 << 12)
def _bounded(needle: str, loose: bool = False) -> re.Pattern[str]:
    """A text that is no part of a longer word; `loose`: Chinese signs beside it make it none."""
    word = r"[^\W\u3040-\u9fff]" if loose else r"\w"
    left = rf"(?<!{word})(?<!\.)(?<!\d,)" if needle[0].isascii() and needle[0].isalnum() else ""
    left += r"(?<![-−])" if needle[0].isdigit() else ""
    right = rf"(?!{word}|[.,]\d)" if needle[-1].isascii() and needle[-1].isalnum() else ""
    return re.compile(left + re.escape(needle) + right)


def _or_another(text: str, end: int, others: Sequence[str]) -> bool:
    """Whether a place goes on with a word of another choice, as an alternative (`turn left or right`)."""
    match = _OTHERWISE.match(text, end)
    return match is not None and any(match[1] in other for other in others)


def _denied(text: str, start: int, end: int, needle: str) -> bool:
    """Whether the sentence around a place denies what stands there; denials inside the choice itself do not count."""
    begin = max((text.rfind(mark, 0, start) for mark in _ENDS), default=-1) + 1
    stop = min((p for p in (text.find(mark, end) for mark in _ENDS) if p >= 0), default=len(text))
    number = _NUMBER.fullmatch(needle) or _CHARACTERS.fullmatch(needle)
    if number and (_BOUND.search(text[begin:start]) or _BEYOND.match(text, end)):
        return True
    return bool(_DENIAL.search(text[begin:start]) or _DENIAL.search(text[end:stop]))
