"""How far words reach: whether the clause around a letter doubts it, asks about it, or tells what others would say.

A claim is believed only where its own clause holds no word of doubt. This is wider than a denial right beside the
letter, and deliberately so: what is doubted in words nobody foresaw is then no answer, rather than a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_FAR: Final = 160  # a clause longer than this is cut
_END: Final = re.compile(r"[。;；!！?？\n]|\.(?=\s|$|[)\]\"'”’])")
# Words that begin a new clause, to the left of a letter and to its right.
_LEFT: Final = re.compile(
    r"[,，:：—–()（）\[\]|]|\s-\s|->|→|=>|(?i:\b(?:but|so|because|since|while|then|hence|thus|therefore|and|leaving"
    r"|leaves|which|making|rather)\b)|所以|因此|故|而(?!非)|但|于是|那么|、(?![(]?[A-Z])"
)
_RIGHT: Final = re.compile(
    r"[,，:：—–()（）\[\]|]|\s-\s|->|→|=>|(?i:\b(?:but|so|because|since|as|while|then|hence|thus|therefore|and|rather"
    r"|instead|unlike|whereas|given|due|with|where|which|that|if|not\s+(?=(?:option |choice )?[(\[\"']?[A-Z]\b)))|"
    r"所以|因此|因为|而|但|、"
)
_SURE: Final = re.compile(
    r"(?i:\b(?:no|without(?: a| any)?|beyond(?: a| any)?) (?:doubt|question)\b|\bundoubtedly\b|\bdoubtless\b"
    r"|\bnot only\b|\bno other\b|\bno\b\s*$)|毫?无疑问?|无论|不难|不仅|无误|非常|没错|不用说|除非"
)
_DOUBT: Final = re.compile(
    r"(?i:\b(?:not|never|neither|nor|no|cannot|wrong\w*|incorrect\w*|false\w*|mistak\w+|errors?|erroneous\w*|fail\w*"
    r"|eliminat\w+|exclud\w+|reject\w*|dismiss\w*|discard\w*|avoid\w*|contradict\w*|conflict\w*|unlikely|less|least"
    r"|doubt\w*|distract\w*|tempt\w*|mislead\w*|misread\w*|misle\w*|trap|(?:is|are|was|seems?|clearly|way"
    r"|bit|far) off|(?:is|are|was|rul\w+|cross\w*|leav\w+|throw\w*) out|impossible|improbable|implausible"
    r"|unsupported|unfounded|irrelevant|inconsistent|inaccurate|invalid|lack\w*|except|hardly|barely|scarcely|worst"
    r"|questionable|debatable|(?:mis)?match(?:es)? nothing|mismatch\w*|ignor\w+|disagree\w*|differ\w*|disqualif\w+"
    r"|unsuitable|unlike|opposite|contrary|reverse|nothing|none|missing|anything but|far from|absent|too"
    r"|expect\w*|absurd|excluding|struck|cross(?:ed|ing)?|drop(?:ped|ping)?|skip(?:ped|ping)?|ditch\w*"
    r"|second[- ]best)\b"
    r"|n['’]t\b)|[不没非误错否勿✗✘❌❎🚫👎]|别(?!的|处|人)|无(?!疑)|排除(?!法)|干扰|矛盾|难(?!免)|未必|划掉|剔除|淘汰"
)
# What is supposed, asked, or said by somebody else.
_OTHERS: Final = re.compile(
    r"(?i:\b(?:if(?! (?:i|we|forced|pressed)\b)|unless|suppos\w+|assum(?:e|ing)|whether|many|some|someone|somebody"
    r"|people|others|users?|they|he|she|students?|annotators?|other models?|everyone|anyone|most (?:people|users)"
    r"|(?:one|you) (?:might|may|could|would)|might (?:say|think|seem|look|appear)|(?:at )?first(?:ly)? (?:glance|sight)"
    r"|initially|originally|formerly|almost|nearly|(?:was|were|had been) (?:going|about|tempted)|used to"
    r"|could have|would have|had it been|were it|anything but|all but|everything but|far from"
    r"|(?<!sign )(?<!it )(?<!text )(?<!board )(?<!label )(?<!poster )(?<!banner )(?<!screen )says|said"
    r"|claims|claimed|thinks|states|stated|suggests|asked|for example|e\.g\.|examples?|formats?|such as"
    r"|your)\b)"
    r"|(?<!没)有人(?=[说选认会觉猜可])|很多人|许多人|人们|有些|大家|别人|他们|[他她]说|[他她]认为|用户|[你您]说|说的|万一|例如|比如|譬如|格式|示例|要不|不妨|难道"
    r"|本来|原本|原来想|差点|险些|曾经|假设|假如|如果(?!我|必须|一定)|若是|要是|是否|会不会|是不是|乍看|初看|看似|貌似|容易|起初|一开始"
)
# Behind these the writer speaks for himself again.
_TURNS: Final = re.compile(
    r"(?i:\b(?:(?<!thing )(?<!all )but|actually|however|in fact|in truth|really)\b)|但|其实|实际上|事实上|不过|然而"
)
# A capital before such a sign is an answer; before any other it is the name of something (`B座`, `C出口`).
_NOT_A_NAME: Final = "选项正才最符因和或与及是为对更错不也都可应答而则吧了呢这无没有说描明被所但以即时很比还会的"
# A later clause that speaks of what was just named.
_TAKES_UP: Final = re.compile(
    r"(?i:\b(?:but|yet|though|although|however|which|that|it|this|and)\b)[^.;!?\n]*|(?:[但可却]|而(?!不是|非))[^。；！？\n]*"
)
# What opens a reason for a letter, or turns to another one.
_REASON: Final = re.compile(r"\s*(?:(?i:because|since|as|given|due|for|and|but|not|rather|no)\b|因|而|不|理由)")
_ONLY_IF: Final = re.compile(r"(?i:\b(?:if|unless|provided|depending)\b(?!\s+(?:i|we|forced|pressed|you)\b))|除非|的话")
_ASKED: Final = re.compile(r"[^.。;；!！?？\n]*(?:[?？]|[吗呢么]\s*(?:$|[.。!！\n]))")


def sentence_start(text: str, at: int) -> int:
    """Where the sentence begins that holds a place."""
    begin = max(0, at - 2 * _FAR)
    ends = [m.end() for m in _END.finditer(text, begin, at)]
    return ends[-1] if ends else begin


def doubted(text: str, start: int, end: int, texts: Sequence[str]) -> bool:
    """Whether the words around a letter keep it from being a claim."""
    if _ASKED.match(text, end):
        return True
    first = sentence_start(text, start)
    stop = _END.search(text, end)
    before, after = text[first:start], text[end : stop.start() if stop else len(text)][:_FAR]
    turns = [m.end() for m in _TURNS.finditer(before)]
    told = before[turns[-1] :] if turns else before
    if _OTHERS.search(told) and _OTHERS.search(without_texts(told, texts)):
        return True
    if _ONLY_IF.search(after):
        return True
    if not _DOUBT.search(before) and not _DOUBT.search(after):
        return False
    cuts = [m.end() for m in _LEFT.finditer(before.rstrip(" \t:(（[\"'“‘"))]
    near = before[cuts[-1] :] if cuts else before
    edge = " \t)）]】\"'”’:："
    told = after.lstrip(edge + ",，-–—")
    own = max((t for t in texts if t and told.casefold().startswith(t)), key=len, default="")
    if own:  # its text stands first; what is set off behind it still speaks of it
        after, edge = told[len(own) :], edge + "-–—,("
    after = without_texts(after, texts)
    begin = len(after) - len(after.lstrip(edge))
    cut = _RIGHT.search(after, begin)
    behind = after[: cut.start()] if cut else after
    words = near + " \u2026 " + behind
    return _DOUBT.search(_SURE.sub(" ", without_texts(words, texts))) is not None


def text_doubted(text: str, start: int, end: int, texts: Sequence[str]) -> bool:
    """The same for the text of a choice in a sentence, which later clauses may take back too (`…, but it is not`)."""
    if doubted(text, start, end, texts):
        return True
    stop = _END.search(text, end)
    rest = without_texts(text[end : stop.start() if stop else len(text)], texts)
    return any(_DOUBT.search(_SURE.sub(" ", clause[0])) for clause in _TAKES_UP.finditer(rest))


def told_with_doubt(rest: str, texts: Sequence[str]) -> bool:
    """Whether the sentence behind a letter and a comma goes on to doubt it (`B, on the other hand, can be …`)."""
    if _REASON.match(rest):
        return False
    stop = _END.search(rest)
    return _DOUBT.search(_SURE.sub(" ", without_texts(rest[: stop.start() if stop else len(rest)], texts))) is not None


def without_texts(words: str, texts: Sequence[str]) -> str:
    """Words with blanks for the texts of choices, whose own denials deny no choice."""
    small = words.casefold()
    if len(small) != len(words):
        return words
    for choice in texts:
        place = small.find(choice) if len(choice) > 1 else -1
        if place >= 0:
            words = words[:place] + " " * len(choice) + words[place + len(choice) :]
            small = words.casefold()
    return words


def a_name(text: str, end: int) -> bool:
    """Whether a letter that ends there is the first sign of a Chinese name."""
    sign = text[end : end + 1]
    return "\u4e00" <= sign <= "\u9fff" and sign not in _NOT_A_NAME
