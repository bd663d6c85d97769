"""From the words of an output to one letter: claims first, then lone mentions, then the texts of the choices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from annotator.domain import claim_patterns as say
from annotator.domain.choice_texts import Choices
from annotator.domain.label_forms import Lead, leading, spaced

_NEAR: Final = 30  # how far before a letter a denial is looked for
_LISTED: Final = 3  # so many choices with their letters make a list
_SHORT_REST: Final = 12  # "B, C": a second letter and nothing else


class Found(NamedTuple):
    """The letter, if there is one, and whether letters (not texts of choices) decided."""

    letter: str | None
    by_letter: bool


@dataclass(frozen=True, slots=True)
class _Claim:
    at: int
    end: int
    letter: str
    final: bool = False
    by_letter: bool = True


def letter_in(text: str, held: Choices) -> Found:
    """The one letter that a text (unwrapped, plain forms) answers with."""
    whole = held.same_text(text)
    if whole is not None:
        return Found(whole, False)
    rest, listed = _without_list(text, held)
    claims = _claims(rest, held)
    lead = None if listed else leading(text)
    if lead is not None and not _runs_down(lead, held):
        letter = held.known(lead.letter)
        if letter is not None:
            return _led(letter, lead.rest, held, lead.apart)
        if "F" <= lead.letter <= "J":
            return Found(None, True)
    if claims:
        return _settled(rest, claims)
    near = spaced(text)
    if near is not None and held.known(near.letter) and held.same_text(_first_clause(near.rest)) == near.letter:
        return Found(near.letter, True)
    return _unclaimed(rest, held, listed)


def _unclaimed(text: str, held: Choices, listed: bool) -> Found:
    """Without a claim: a lone letter that stands like an answer, a place in the order, or a choice's text."""
    mentions = list(_mentions(text, held))
    letters = {letter for letter, _ in mentions}
    if len(letters) > 1:
        return Found(None, True)
    if letters and not held.labelled and any(placed for _, placed in mentions):
        letter = letters.pop()
        other = held.same_text(say.MENTION.sub(" ", text))  # "green bus (C)", and not "green bus (D)"
        return Found(letter if other in (None, letter) else None, True)
    order = _by_order(text, held)
    if order is not None:
        return Found(order, False)
    if letters or _speaks_of_letters(text, held):
        return Found(None, True)
    if listed:
        return Found(None, False)
    return Found(held.inside(text) or _begun(text, held), False)


def _begun(text: str, held: Choices) -> str | None:
    """The choice whose whole text is the first clause (`Yes, there is`), where the rest holds none of another."""
    first = _first_clause(text)
    letter = held.same_text(first) if any(map(str.isalpha, first)) else None
    rest = text[text.find(first) + len(first) :].casefold()
    if letter is None or any(t in rest for t in held.texts if t and t not in held.texts_of(letter)):
        return None
    return letter


def _led(letter: str, rest: str, held: Choices, apart: bool) -> Found:
    """A text that begins with a letter: unless its text is another choice's, or a second letter follows.

    `apart`: a comma stands between the letter and the rest.
    """
    own = held.texts_of(letter)
    for part in (rest, rest.split("\n", 1)[0], _first_clause(rest)):
        other = held.same_text(part) if part.strip() else None
        if other is not None and other != letter:
            return Found(None, True)
        if other == letter:
            break
    said = next((t for t in sorted(own, key=len, reverse=True) if t and rest.casefold().lstrip().startswith(t)), "")
    second = say.SECOND.match(rest)
    if (
        not said
        and second is not None
        and held.known(second["x"]) not in (None, letter)
        and len(rest.strip()) <= _SHORT_REST
    ):
        return Found(None, True)
    if not said and say.JOINED.match(rest):
        return Found(None, True)
    later = _claims(rest, held)
    denied = say.DENIED_AFTER.match(rest.lstrip(), len(said)) or (say.AGAINST.match(rest) if not said else None)
    if denied:
        another = say.COMMA_LETTER.match(rest, denied.end())  # "B, not C"
        if not apart or another is None or held.known(another["x"]) in (None, letter):
            return _settled(rest, later) if later else Found(None, True)
    if any(c.letter != letter for c in later):
        return _settled(rest, [_Claim(0, 0, letter), *later])
    if not later and say.SECOND_THOUGHT.match(rest):
        others = {(one, placed) for one, placed in _mentions(rest, held) if one != letter}
        if others:
            one, placed = next(iter(others))
            return Found(one if len(others) == 1 and placed else None, True)
    return Found(letter, True)


def _runs_down(lead: Lead, held: Choices) -> bool:
    """Whether a letter at the beginning begins a list: of letters (`A, B and D are`), or of all choices, one by one."""
    among = say.AMONG.match(lead.rest)
    if among is not None and held.known(among["x"]) not in (None, lead.letter):
        return len(lead.rest.strip()) > _SHORT_REST or _denied_behind(f",{lead.rest}", 0)
    order = list(dict.fromkeys(held.letters))
    if lead.letter != order[0]:
        return False
    labels = [m["x"] for m in say.LABELS.finditer(lead.rest)]
    return labels[: _LISTED - 1] == order[1:_LISTED]


def _claims(text: str, held: Choices) -> list[_Claim]:
    """What the text claims, by place; denied claims and articles are left out."""
    found: list[_Claim] = []
    for pattern in say.CLAIMS if held.labelled else (*say.CLAIMS, *say.LOOSE_CLAIMS):
        for match in pattern.finditer(text):
            found += _claim(text, match, held)
    for match in say.TEXT_CLAIM.finditer(text):
        clauses = (match["t"], match["t"].split(". ")[0], _first_clause(match["t"]))
        letter = next((one for c in clauses if len(_bare(c)) > 1 and (one := held.same_text(c))), None)
        if letter is not None and not say.DENIED_BEFORE.search(
            text, max(0, match.start("t") - _NEAR), match.start("t")
        ):
            found.append(_Claim(match.start("t"), match.end("t"), letter, bool(match["final"]), by_letter=False))
    return sorted(found, key=lambda c: c.at)


def _claim(text: str, match: re.Match[str], held: Choices) -> list[_Claim]:
    """The claim of one match; two where another choice's text, or a second letter, stands behind the letter."""
    groups = match.groupdict()
    name = next(n for n in ("x", "y", "z") if groups.get(n))
    raw, start, place = groups[name] or "", match.start(name), match.end(name)
    letter = held.known(raw)
    if letter is None or (raw == "A" and say.ARTICLE_AFTER.match(text, place)):
        return []
    before = text[max(0, match.start() - _NEAR) : start]
    if _denied_behind(text, place) or say.DENIED_BEFORE.search(before) or say.LOOKED_AT.search(before):
        return []
    if say.SUPPOSED.search(text[:start]):
        return []
    final = bool(groups.get("final"))
    made = [_Claim(start, match.end(), letter, final)]
    line = text[place : text.find("\n", place) if text.find("\n", place) >= 0 else len(text)]
    after = line.lstrip(" \t)]】\"'”’.:、,，-–—")
    for part in (after, _first_clause(after)):
        other = held.same_text(part) if len(_bare(part)) > 1 else None
        if other is not None and other != letter:
            made.append(_Claim(start + 1, match.end(), other, final, by_letter=False))
            break
    return made + _also(text, place, held, final)


def _denied_behind(text: str, end: int) -> bool:
    """Whether a letter that ends there is denied by what follows, alone or with the list that it begins."""
    if say.DENIED_AFTER.match(text, end):
        return True
    tail = say.LIST_TAIL.match(text, end)
    return tail is not None and say.DENIED_AFTER.match(text, tail.end()) is not None


def _also(text: str, place: int, held: Choices, final: bool) -> list[_Claim]:
    """Further letters that a claim names in one breath (`A and C`)."""
    made = []
    also = say.ALSO.match(text, place)
    while also is not None:
        other, end = held.known(also["x"]), also.end("x")
        if other is None or (also["x"] == "A" and say.ARTICLE_AFTER.match(text, end)):
            break
        if say.DENIED_AFTER.match(text, end):
            break
        made.append(_Claim(also.start("x"), also.end(), other, final))
        also = say.ALSO.match(text, end)
    return made


def _settled(text: str, claims: list[_Claim]) -> Found:
    """One letter out of several claims: the final one, the only one, or the last one after taking back."""
    by_letter = any(c.by_letter for c in claims)
    finals = {c.letter for c in claims if c.final}
    if len(finals) == 1:
        return Found(finals.pop(), by_letter)
    if len({c.letter for c in claims}) == 1:
        return Found(claims[0].letter, by_letter)
    last = claims[-1]
    before = [c for c in claims if c.letter != last.letter]
    apart = all(c.at < last.at - 1 for c in before)
    if apart and say.TAKEN_BACK.search(text[before[-1].at : last.end]):
        return Found(last.letter, by_letter)
    return Found(None, by_letter)


def _mentions(text: str, held: Choices) -> Iterator[tuple[str, bool]]:
    """(letter, whether it stands like an answer) of each undenied letter."""
    for match in say.MENTION.finditer(text):
        letter, start, end = held.known(match["b"] or match["x"]), match.start(), match.end()
        if letter is None or (match["x"] == "A" and say.ARTICLE_AFTER.match(text, end)):
            continue
        before = text[max(0, start - _NEAR) : start]
        if _denied_behind(text, end) or say.DENIED_BEFORE.search(before):
            continue
        ends = not text[end:].strip(" \t\r\n.。)]!！\"'”")
        placed = say.PLACED.search(before) is not None or not start
        words = text[:start].casefold().rstrip()
        beside = any(t and words.endswith(t) for t in held.texts_of(letter))  # the green bus (C) is
        stands = say.NAMED.search(before) or (placed and ends) or (match["b"] and (placed or ends or beside))
        doubtful = say.LOOKED_AT.search(before) or say.SUPPOSED.search(text[:start])
        yield letter, bool(stands and not doubtful)


def _speaks_of_letters(text: str, held: Choices) -> bool:
    found = (m for m in say.MENTION.finditer(text) if held.known(m["b"] or m["x"]))
    return any(not (m["x"] == "A" and say.ARTICLE_AFTER.match(text, m.end())) for m in found)


def _without_list(text: str, held: Choices) -> tuple[str, bool]:
    """The text without a repeated list of the choices, and whether there was one (three or more)."""
    if len(say.LISTED.findall(text)) < _LISTED:
        return text, False
    rest, hits = text, 0
    for letter, choice in zip(held.letters, held.texts, strict=True):
        if not choice:
            continue
        words = r"\s+".join(map(re.escape, choice.split()))
        pattern = re.compile(rf"(?<![A-Za-z])[(\[]?{letter}\s*[).:\]]\s*{words}(?!\w)", re.IGNORECASE)
        rest, count = pattern.subn(" ", rest, count=1)
        hits += count
    return (rest, True) if hits >= _LISTED else (text, False)


def _by_order(text: str, held: Choices) -> str | None:
    found = set()
    for match in say.ORDINAL.finditer(text):
        place = say.ORDER[(match[1] or match[2] or match[3]).lower()]
        before = text[max(0, match.start() - _NEAR) : match.start()]
        if say.DENIED_BEFORE.search(before) or say.DENIED_AFTER.match(text, match.end()):
            continue
        if -len(held.letters) <= place < len(held.letters):
            found.add(held.letters[place])
    return found.pop() if len(found) == 1 else None


def _first_clause(text: str) -> str:
    match = say.CLAUSE.search(text)
    return match.group() if match else ""


def _bare(text: str) -> str:
    return text.strip(" .。,，()[]\"'")
