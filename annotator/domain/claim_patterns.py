"""The words by which a text claims a letter, denies one, or takes one back; English and Chinese, on plain forms.

In each claim the letter is group `x` (a capital), `y` (a small letter in brackets) or `z` (a lone small letter before
a stop); `final` is set where the words say that it is the last word on it.
"""

from __future__ import annotations

import re
from typing import Final

_OPEN: Final = r"[(\[【<{\"'“‘]"
_CLOSE: Final = r"[)\]】>}\"'”’]"
_STOP: Final = r"(?=\s*(?:[.。,，;；:!)\]\n]|$))"
X: Final = rf"(?:{_OPEN}{{0,4}}\s*(?<![A-Za-z])(?P<x>[A-Z])(?![A-Za-z'’])\s*{_CLOSE}{{0,4}}"
_LET: Final = X + r"|[(\[【]\s*(?P<y>[a-z])\s*[)\]】]|(?<![A-Za-z'’])(?P<z>[a-z])(?=\s*(?:[.。,，;；!)\]\n]|$)))"
_SURE: Final = (
    r"(?:\s*\b(?i:definitely|probably|likely|most likely|clearly|indeed|therefore|thus|simply|option|choice|letter"
    r"|answer|the|that|as)\b)*"
)
_MAY_BE: Final = r"would be|should be|must be|will be|has to be|could be|may be|might be|seems to be|appears to be"
_IS: Final = rf"(?:\s*(?i:\bis\b|\bwas\b|{_MAY_BE}|[:=]|->|→|=>))"
_FINAL: Final = r"(?P<final>(?i:final)\s+)?"
_SO: Final = (
    r"(?i:\btherefore|\bthus|\bhence|\bso|\bconsequently|\bfinally|\bin conclusion|\bin short|\bconclusion"
    r"|\boverall|\bsummary)"
)
_FROM: Final = r"(?i:\b(?:based on|according to|judging by|looking at|given|from)\b[^,，.\n]{0,80})"
_NOUN: Final = (
    r"(?i:\banswers?|\bans\b\.?|\bresponse|\bchoice|\boption|\bselection|\bsolution|\bprediction|\bpick|\bguess)\b\.?"
)
_CHOOSING: Final = (
    r"(?i:\b(?:i|we|my)\b(?:\s*['’](?:d|ll|ve)|\s+(?:would|will|have to|must|shall|can))?"
    r"(?:\s+(?:therefore|thus|still|also))?\s*"
    r"(?:choose|chose|pick|picked|select|selected|go with|go for|went with|say|answer|vote for|opt for|think|believe"
    r"|guess|conclude|choosing|selecting)(?:\s+(?:that|it is|it's|it would be|the answer is|for))*)"
)
_PERHAPS: Final = (
    r"(?i:probably|maybe|perhaps|possibly|likely|most likely|surely|sure|yes|okay|ok|i guess|可能|也许|大概)"
)
_CN_NOUN: Final = r"(?:的)?(?:正确|最佳)?(?:答案|选项|结论|回答)"
_CN_SURE: Final = r"(?:应该|应当|应|就|可能|最有可能|最可能|显然|最终|肯定|也)*"

CLAIMS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # the answer is C; Ans. (d); correct option: E
        rf"{_FINAL}{_NOUN}(?:\s+(?i:to|for|of|in|here)\b[^.:\n]{{0,60}}?)?{_IS}{_IS}?{_SURE}\s*:?\s*{_LET}",
        # answer C
        rf"{_FINAL}(?i:\banswer|\bans\b\.?)[】\])]?\s*{X}){_STOP}",
        rf"(?i:\bans\b)\.?\s*{_LET}",
        # I would choose C; go with option B
        rf"{_CHOOSING}{_SURE}\s*:?\s*{_LET}",
        rf"(?i:\b(?:choose|pick|select|selecting|choosing|go with|going with))\b{_SURE}\s*:?\s*{_LET}",
        # B is correct; option B seems to be the right answer
        rf"(?:(?i:\b(?:option|choice|answer)\s+))?{X})\s+"
        r"(?i:is|was|seems|appears|looks|stands out|would be|must be|should be)"
        r"(?:\s+(?i:to be|as|the|only|most|more|clearly|definitely|likely|probably))*"
        r"\s+(?i:correct|right|best|true|answer|accurate|appropriate|suitable|choice)",
        rf"(?i:\b(?:option|choice|answer)\s+){X})\s+(?i:matches|fits|applies|holds){_STOP}",
        rf"(?i:\b(?:correct|best|right|(?P<final>final)))(?i:\s+one)?\s*:\s*{_LET}",
        # that leaves C; wait, actually C; I meant C; no, C
        rf"(?i:\b(?:(?:that|this|which)(?:\s+only)?\s+leaves|leaving|left with))(?:\s+(?i:us with|us|only|me with))?"
        rf"{_SURE}\s*{_LET}",
        rf"(?i:\b(?:wait|actually|correction|edit|sorry|no|i mean|i meant))\b[\s,，:…]*{_SURE}\s*{_LET}{_STOP}",
        # not A but C
        rf"(?i:\bnot)\b(?!\s+(?i:only))[^.;!?。；\n]{{1,25}}\b(?i:but)\b(?!\s+(?i:also)){_SURE}\s*{_LET}",
        rf"^\W*{_PERHAPS}[\s,，:]*{_LET}{_STOP}",
        rf"(?:→|->|=>|⇒)\s*{_LET}\s*$",
        # 答案是B, 选D, 应该是B, B正确
        rf"(?P<final>最终|最后)?{_CN_NOUN}[】\])]?{_CN_SURE}(?:是|为|选择|选|:|=)*\s*(?:选项|选)?\s*{_LET}",
        r"(?<![不没非别勿])(?:选择|选|应该是|应是|应为|就是|可能是|认为是|对应|是|为)"
        rf"\s*(?:选项|答案)?\s*:?\s*{_LET}",
        rf"{X})\s*(?:选项|项)?\s*(?:是|为|才是|最)?\s*(?:正确|对的|最佳|符合|答案)",
    )
)
# Only where no text of a choice is a letter itself: "the letter shown is B" says nothing about the choice B.
LOOSE_CLAIMS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        # so C; based on the image, C
        rf"(?:{_SO}|{_FROM})\s*[,，:]?"
        rf"(?:\s*(?i:it is|it's|this is|it must be|it should be|i choose|i pick|we choose))?{_SURE}\s*{_LET}{_STOP}",
        # it is C
        r"(?i:\bit(?:['’]s|\s+(?:is|must be|should be|would be|has to be))|\b(?:must|should) be)\b"
        rf"{_SURE}\s*{_LET}{_STOP}",
    )
)
# The answer is green bus: group `t` is what was claimed, to the end of the line.
TEXT_CLAIM: Final = re.compile(
    rf"{_FINAL}(?:(?i:\banswer|\boption|\bchoice|\bans\b\.?){_IS}{_IS}?"
    r"|(?i:\bi\s+(?:choose|pick|select|would choose|would say))\b"
    r"|(?:答案|选项|结论)(?:应该|应)?(?:是|为|:)+|(?<!不)(?:应该是|选择|我选|应选))\s*:?\s*(?P<t>[^\n]+)"
)
# After a capital A: a small word that is none of these makes it an article.
ARTICLE_AFTER: Final = re.compile(
    r"\s+(?!(?:because|since|as|which|and|or|but|with|for|given|due|based|in|on|is|was|seems|appears|are|were|would"
    r"|must|should|can|matches|fits|applies|holds|stands)\b)[a-z]"
)
# A denial holds for a list of letters and for some words, but not beyond a stop or a word that turns the sentence.
_TURN: Final = r"(?i:(?:but|and|so|then|hence|thus|therefore|because|since|as|rather|leaves|leaving|however|while)\b)"
_BREAK: Final = r"\w.。;；!！?？,，:：\n"
DENIED_BEFORE: Final = re.compile(
    r"(?:(?i:\bnot\b(?!\s+only)|n['’]t|\bnever|\bneither|\bnor|\bcannot|rather than|instead of"
    r"|(?:rul|cross)(?:e|ed|es|ing)? out|eliminat\w+|exclud\w+|\bexcept|\bdoubt\w*|\breject\w*|\bavoid\w*"
    r"|\bdiscard\w*|\bdismiss\w*|\bunlikely|\bif\b|\bwhether\b|\bsuppos\w+|\bassum\w+))"
    rf"[^{_BREAK}]*(?:(?<![A-Za-z])[A-Z][)\]】]?\s*(?:[,，/&]\s*(?=$|[(\[【]?[A-Z]\b|(?i:and|or|nor)\b))?"
    r"(?:(?i:and|or|nor|not)\s+)*[(\[【]?)*"
    rf"(?:(?!{_TURN})\w+[^{_BREAK}]+){{0,4}}$"
    r"|(?i:\b(?:wrong|incorrect|false|worst|least \w+|(?:second|next)[- ]best)\s+(?:answer|option|choice|guess)\b)"
    r"\s*(?i:is|was|would be|may be)?\s*:?\s*[(\[【\"'“]*$"
    r"|(?:不是|不选|不应|不要|不宜|勿|别(?!的|处|人)|不可能|并非|而非|排除(?!法)|不能选|如果|若是|假如|假设|(?:错误|不正确|不对|不符合?)的)[^,，。.;；]{0,4}$"
)
DENIED_AFTER: Final = re.compile(
    rf"{_CLOSE}*\s*(?:选项|项)?\s*(?:"
    r"(?i:(?:is|are|was|were|seems?|can|could|would|does|do|must)\s*(?:all\s+|both\s+|clearly\s+|definitely\s+)?"
    r"(?:not|n['’]t|never|be ruled|be excluded|be eliminated|wrong|incorrect|false|ruled|excluded|eliminated|out"
    r"|unlikely|impossible)\b|(?:isn|aren|wasn|can|doesn|couldn)['’]t\b|cannot\b)"
    r"|(?:是|都|都是|也|均)?(?:错|不对|不正确|不符|不是|不可能|有误|可以?排除|被排除|排除))"
)
# The rest of a list of letters, which may be denied as a whole (`A, B and D are wrong`).
LIST_TAIL: Final = re.compile(
    rf"(?:{_CLOSE}*\s*(?:[,，、/&]\s*(?:(?i:and|or|nor)\s+|[和或与及]\s*)?|(?i:and|or|nor)\s+|[和或与及]\s*)"
    rf"{_OPEN}*\s*(?<![A-Za-z])[A-Z](?![A-Za-z'’])){{1,8}}"
)
# A claim in the same sentence holds only under a condition; "if I had to choose" is none.
SUPPOSED: Final = re.compile(
    r"(?:(?i:\b(?:if|unless|were it|had it been|assuming|supposing)\b(?!\s+(?:i|we|forced|pressed|you)\b))"
    r"|如果(?!我|必须|一定)|若是|若(?=[^干])|假如|假设|要是|除非)[^.。!！?？;；\n]*$"
)
# Behind a letter and a colon: what is said against it.
AGAINST: Final = re.compile(
    r"(?:(?i:false|wrong|incorrect|no|impossible|unlikely|excluded|eliminated)\b|[✗✘❌×]|错|不对|不正确)"
)
SECOND_THOUGHT: Final = re.compile(
    r"\W*(?:(?i:hmm+|oh|um|uh|well)\W+)?(?:(?i:wait|actually|no|sorry|correction|scratch that)\b|不对|等等|更正)"
)
TAKEN_BACK: Final = re.compile(
    r"(?i:\bwait\b|\bactually\b|second thought|\bcorrection\b|\bedit\b|\bno[,.!]|\bsorry\b|\bi mean\b|scratch that"
    r"|\binstead\b|\bchange my\b|\brevis|re-?check|look(?:ing)? again|\bmistake|\bhowever\b)"
    r"|不对|等等|更正|其实|重新|修正|纠正|但实际|最终|不[,，]"
)
ALSO: Final = re.compile(
    rf"{_CLOSE}*\s*(?:[,，;/&+、]|(?i:and|or|und|and/or)|和|或|与|及|或者|以及)\s*"
    rf"(?:(?i:and|or|also|option|choice|maybe)\s+)*{X})"
)
SECOND: Final = re.compile(rf"(?:(?i:and|or)\s+|[,/&+]\s*|和|或)?\s*{X})(?=\s*(?:[.。,，;)\]\n/&]|and\b|or\b|$))")
AMONG: Final = re.compile(rf"{X})\s*(?:[,，、/&]|(?i:and|or)\b|和|或)")
LABELS: Final = re.compile(r"(?<![A-Za-z])[(\[【]?(?P<x>[A-Z])\s*[)\]】.:：](?![A-Za-z])")
JOINED: Final = re.compile(r"\s*(?:(?i:and|or)\b|[/&+]|和|或)")
MENTION: Final = re.compile(r"[(\[【]\s*(?P<b>[A-Za-z])\s*[)\]】]|(?<![A-Za-z0-9'’.\-&])(?P<x>[A-Z])(?![A-Za-z0-9'’&])")
COMMA_LETTER: Final = re.compile(rf"\s*{X})")
LISTED: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]\s*[).:\]]")
NAMED: Final = re.compile(r"(?:(?i:\boption|\bchoice)|选项|选)\s*$")
# A letter that is looked at, asked about, or the first step of a reasoning that breaks off, is not yet an answer.
LOOKED_AT: Final = re.compile(
    r"(?:\b(?:ask(?:s|ed|ing)?|about|consider(?:s|ing)?|check(?:s|ing)?|compar(?:e|es|ing)|verify(?:ing)?|examin\w+"
    r"|analy[sz](?:e|es|ing|is)(?:\s+of)?|evaluat\w+|explor\w+|discuss\w*|regarding|concerning|as for|between"
    r"|says|saying|reads|reading|marked|labell?ed|figure|point|look(?:s|ing)? (?:at|into)|start(?:s|ing)? with"
    r"|begin(?:s|ning)? with)\s+(?:the\s+)?(?:options?|choices?|letter)?"
    r"|(?:^|[.\n])\s*for\s+(?:the\s+)?(?:option|choice)"
    r"|\b(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|next|to (?:begin|start)(?: with)?|step \d+)\s*[,:]?"
    r"|(?<!of )\b(?:each|every|all|the)\s+(?:of the\s+)?(?:options?|choices?)"
    r"(?:\s+(?:one by one|in turn|separately))?\s*[.:]"
    r"|\b(?:one by one|in turn|separately|step by step)\s*[.:,]|(?:^|[.\n])\s*(?:options|choices)\s*:"
    r"|(?:首先|其次|然后|接着|先看|来看|看看|关于|考虑|问的是|图)\s*(?:选项)?[,:]?"
    r"|(?:逐一|逐个|依次|分析|比较|对比|对于)[^。.!?,，选答是为\n]{0,8}(?:选项)?[。.:,]?)\s*[(\[【\"']*$",
    re.IGNORECASE,
)
PLACED: Final = re.compile(r"(?:^|[,，:;；\-–—>\n.。!?(\[【\"'“])\s*$")
ORDINAL: Final = re.compile(
    r"\b(?:the\s+)?(first|second|third|fourth|fifth|sixth|last|1st|2nd|3rd|4th|5th)\s+(?:option|choice|answer|one)\b"
    r"|第\s*([一二三四五六1-6])\s*(?:个|项)?\s*(?:选项|答案|选择|项|个)|(最后)一(?:个|项)(?:选项)?",
    re.IGNORECASE,
)
ORDER: Final[dict[str, int]] = {
    **{word: i for i, word in enumerate(("first", "second", "third", "fourth", "fifth", "sixth"))},
    **{word: i for i, word in enumerate(("1st", "2nd", "3rd", "4th", "5th"))},
    **{word: i for i, word in enumerate("一二三四五六")},
    **{word: i for i, word in enumerate("123456")},
    "last": -1,
    "最后": -1,
}
CLAUSE: Final = re.compile(r"[^.。;；!！\n,，]+")
