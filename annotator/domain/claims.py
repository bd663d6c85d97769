"""From the words of an output to one letter: claims first, then lone mentions, then the texts of the choices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from annotator.domain import claim_patterns as say
from annotator.domain import doubts as scope
from annotator.domain.choice_lists import LISTED, beside_another, without_list
from annotator.domain.choice_texts import Choices
from annotator.domain.label_forms import Lead, leading, spaced

_ALL_CLAIMS: Final = (*say.CLAIMS, *say.LOOSE_CLAIMS)
_FAR: Final = 150  # and how far a choice's text may reach back
_NEAR: Final = 30  # how far before a letter a denial is looked for
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
    rest, listed = without_list(text, held)
    found = _found(text, rest, listed, held)
    if found.letter is not None and found.by_letter and beside_another(found.letter, rest, held):
        return Found(None, True)
    return found


def _found(text: str, rest: str, listed: bool, held: Choices) -> Found:
    """The same before the texts beside the letter were looked at; `rest`: without a repeated list of the choices."""
    whole = held.same_text(text)
    if whole is not None:
        return Found(whole, False)
    claims = _claims(rest, held)
    lead = None if listed else leading(text)
    if lead is not None and not _runs_down(lead, held) and not (lead.bare and _told_of(lead, held)):
        letter = held.known(lead.letter)
        if letter is not None:
            return _led(letter, lead.rest, held, lead.apart)
        if "F" <= lead.letter <= "J" and not claims:
            return Found(None, True)
    if claims:
        return _settled(rest, claims)
    near = spaced(text)
    if (
        near is not None
        and held.known(near.letter)
        and near.letter
        in (
            held.same_text(near.rest),
            held.same_text(_first_clause(near.rest)),
        )
    ):
        return Found(near.letter, True)
    return _unclaimed(rest, held, listed)


def claimed_in(text: str, held: Choices) -> str | None:
    """The letter that a text claims in so many words, None where it claims none or two."""
    claims = _claims(text, held)
    return _settled(text, claims).letter if claims else None


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
    if _lead_denied(letter, rest, len(said), held, apart):
        return _settled(rest, later) if later else Found(None, True)
    if any(c.letter != letter for c in later):
        return _settled(rest, [_Claim(0, 0, letter), *later])
    if not later and say.SECOND_THOUGHT.match(rest.lstrip()[len(said) :]):
        others = {(one, placed) for one, placed in _mentions(rest, held) if one != letter}
        if others:
            one, placed = next(iter(others))
            return Found(one if len(others) == 1 and placed else None, True)
    return Found(letter, True)


def _lead_denied(letter: str, rest: str, said: int, held: Choices, apart: bool) -> bool:
    """Whether what follows a letter, and the first `said` signs of it that are its text, denies it."""
    if said:
        if say.REFUTED.match(rest.lstrip(), said):
            return True
    elif apart and scope.told_with_doubt(rest, held.texts):
        return True
    denied = say.DENIED_AFTER.match(rest.lstrip(), said) or (say.AGAINST.match(rest) if not said else None)
    if denied is None:
        return False
    another = say.COMMA_LETTER.match(rest, denied.end())  # "B, not C"
    return not apart or another is None or held.known(another["x"]) in (None, letter)


def _told_of(lead: Lead, held: Choices) -> bool:
    """Whether a letter in brackets is the subject of what follows (`(A) fails`) and not the label of its text."""
    rest = lead.rest.casefold().lstrip()
    return say.SUBJECT.match(rest) is not None and not any(t and rest.startswith(t) for t in held.texts)


def _runs_down(lead: Lead, held: Choices) -> bool:
    """Whether a letter at the beginning begins a list: of letters (`A, B and D are`), or of all choices, one by one."""
    among = say.AMONG.match(lead.rest)
    if among is not None and held.known(among["x"]) not in (None, lead.letter):
        return len(lead.rest.strip()) > _SHORT_REST or _denied_behind(f",{lead.rest}", 0)
    beside = say.COMMA_LETTER.match(lead.rest)
    if beside is not None and held.known(beside["x"]) and _denied_behind(f",{lead.rest}", 0):
        return True
    order = list(dict.fromkeys(held.letters))
    if lead.letter != order[0]:
        return False
    labels = [m["x"] for m in say.LABELS.finditer(lead.rest)]
    return labels[: LISTED - 1] == order[1:LISTED]


def _claims(text: str, held: Choices) -> list[_Claim]:
    """What the text claims, by place; denied claims and articles are left out."""
    found: list[_Claim] = []
    small = text.lower()
    if say.LONE.search(text):
        for pattern in _patterns(small, held):
            for match in pattern.finditer(text):
                found += _claim(text, match, held)
    for match in say.TEXT_CLAIM.finditer(text) if any(cue in small for cue in say.TEXT_CUES) else ():
        clauses = (match["t"], match["t"].split(". ")[0], _first_clause(match["t"]))
        letter = next((one for c in clauses if len(_bare(c)) > 1 and (one := held.same_text(c))), None)
        if letter is not None and not say.DENIED_BEFORE.search(
            text, max(0, match.start("t") - _NEAR), match.start("t")
        ):
            found.append(_Claim(match.start("t"), match.end("t"), letter, bool(match["final"]), by_letter=False))
    for match in say.TEXT_HOLDS.finditer(text) if " is " in small else ():
        letter = held.same_text(match["t"]) if len(_bare(match["t"])) > 1 else None
        if letter is not None:
            found.append(_Claim(match.start("t"), match.end("t"), letter, by_letter=False))
    return sorted(found, key=lambda c: c.at)


def _patterns(small: str, held: Choices) -> Iterator[re.Pattern[str]]:
    """The patterns whose words stand in a text of small letters."""
    for cues, pattern in say.CLAIMS if held.labelled else _ALL_CLAIMS:
        for cue in cues:
            if cue in small:
                break
        else:
            if cues:
                continue
        yield pattern


def _claim(text: str, match: re.Match[str], held: Choices) -> list[_Claim]:
    """The claim of one match; two where another choice's text, or a second letter, stands behind the letter."""
    groups = match.groupdict()
    name = next(n for n in ("x", "y", "z") if groups.get(n))
    raw, start, place = groups[name] or "", match.start(name), match.end(name)
    letter = held.known(raw)
    if letter is None or (raw == "A" and _article(text, start, place)):
        return []
    before = text[max(0, match.start() - _NEAR) : start]
    if _denied_behind(text, place) or _denied_before(text, match.start(), start, held) or say.LOOKED_AT.search(before):
        return []
    if (
        say.SUPPOSED.search(text[:start])
        or (scope.a_name(text, place) and not say.CHOSEN.search(text, match.start(), start))
        or scope.doubted(text, start, place, held.texts)
    ):
        return []
    final = bool(groups.get("final"))
    made = [_Claim(start, match.end(), letter, final)]
    line = text[place : text.find("\n", place) if text.find("\n", place) >= 0 else len(text)]
    after = line.lstrip(" \t)]】\"'”’.:、,，-–—")
    for part in (after, _first_clause(after)):
        bare = _bare(part)
        other = held.same_text(part) if len(bare) > 1 or bare.isdigit() else None
        if other is not None and other != letter:
            made.append(_Claim(start + 1, match.end(), other, final, by_letter=False))
            break
    return made + _also(text, place, held, final)


def _article(text: str, start: int, end: int) -> bool:
    """Whether a capital A is an article: before a small word, and not named as an option."""
    return say.ARTICLE_AFTER.match(text, end) is not None and not say.NAMED.search(text, max(0, start - _NEAR), start)


def _denied_before(text: str, at: int, start: int, held: Choices) -> bool:
    """Whether the words before a letter deny it, those within the text of a choice aside."""
    begin = max(0, at - _NEAR)
    if not say.DENIED_BEFORE.search(text[begin:start]):
        return False
    further = max(0, at - _FAR)
    return say.DENIED_BEFORE.search(scope.without_texts(text[further:start], held.texts)[begin - further :]) is not None


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
    while text[place : place + 1] in (")", "]", "】"):
        place += 1
    beside = say.SECOND.match(text, place) if not made else None
    other = held.known(beside["x"]) if beside is not None and "\n" not in beside.group() else None
    if beside is not None and other is not None and not _denied_behind(text, beside.end("x")):
        made.append(_Claim(beside.start("x"), beside.end(), other, final))
    return made


def _settled(text: str, claims: list[_Claim]) -> Found:
    """One letter out of several claims: the final one, the only one, or the last one after taking back."""
    by_letter = any(c.by_letter for c in claims)
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
        if letter is None or (match["x"] == "A" and _article(text, start, end)):
            continue
        before = text[max(0, start - _NEAR) : start]
        if _denied_behind(text, end) or _denied_before(text, start, start, held):
            continue
        if scope.a_name(text, end) or scope.doubted(text, start, end, held.texts):
            yield letter, False
            continue
        ends = not text[end:].strip(" \t\r\n.。)]!！\"'”")
        placed = (say.PLACED.search(before) is not None and not say.ABBREVIATED.search(before)) or not start
        words = text[:start].casefold().rstrip()
        beside = any(t and words.endswith(t) for t in held.texts_of(letter))  # the green bus (C) is
        named = say.NAMED.search(before) and not say.TOLD_OF.match(text, end)
        told = say.SUBJECT.match(text, end)
        stands = (
            named
            or (placed and ends)
            or (match["b"] and (beside or (not told and (placed or (ends and not scope.sentence_start(text, start))))))
        )
        doubtful = say.LOOKED_AT.search(before) or say.SUPPOSED.search(text[:start])
        yield letter, bool(stands and not doubtful)


def _speaks_of_letters(text: str, held: Choices) -> bool:
    found = (m for m in say.MENTION.finditer(text) if held.known(m["b"] or m["x"]))
    return any(
        not (m["x"] == "A" and _article(text, m.start(), m.end()) and not say.A_TELLS.match(text, m.end()))
        for m in found
    )


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
