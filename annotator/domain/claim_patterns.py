"""The words by which a text claims a letter, denies one, or takes one back; English and Chinese, on plain forms.

In each claim the letter is group `x` (a capital), `y` (a small letter in brackets) or `z` (a lone small letter before
a stop); `final` is set where the words say that it is the last word on it.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_OPEN: Final = r"[(\[【「『<{\"'“‘]"
_CLOSE: Final = r"[)\]】」』>}\"'”’]"
_STOP: Final = r"(?=\s*(?:[.。,，;；:!)\]\n\u2600-\u27bf\U0001f300-\U0001faff]|$))"
X: Final = rf"(?:{_OPEN}{{0,4}}\s*(?<![A-Za-z])(?P<x>[A-Z])(?![A-Za-z]|['’]\w|-\w)\s*{_CLOSE}{{0,4}}"
_LET: Final = X + r"|[(\[【]\s*(?P<y>[a-z])\s*[)\]】]|(?<![A-Za-z'’])(?P<z>[a-z])(?=\s*(?:[.。,，;；!)\]\n]|$)))"
_SURE: Final = (
    r"(?:\s*\b(?i:definitely|probably|likely|most likely|clearly|indeed|therefore|thus|simply|option|choice|letter"
    r"|answer|the|that|as)\b)*"
)
_MAY_BE: Final = r"would be|should be|must be|will be|has to be|could be|may be|might be|seems to be|appears to be"
_MAY_BE_THEN: Final = r"(?:would|should|must|will|can) (?:then|thus|therefore|hence|also|still|only) be"
_IS: Final = rf"(?:\s*(?i:\bis\b|\bwas\b|{_MAY_BE}|{_MAY_BE_THEN}|[:=]|->|→|=>)|['’]s\b)"
_FINAL: Final = r"(?P<final>(?i:final)\s+)?"
_SO: Final = (
    r"(?i:\btherefore|\bthus|\bhence|\bso|\bconsequently|\bfinally|\bin conclusion|\bin short|\bconclusion"
    r"|\boverall|\bsummary)"
)
_FROM: Final = r"(?i:\b(?:based on|according to|judging by|looking at|given|from)\b[^,，.\n]{0,80})"
_NOUN: Final = (
    r"(?i:\banswers?|\bans\b\.?|\bresponse|\bchoice|\boption|\bselection|\bsolution|\b(?:correct|right|best"
    r"|answer)\s+letter|\bprediction|\bpick|\bguess)\b\.?"
)
_CHOOSING: Final = (
    r"(?i:\b(?:i|we|my)\b(?:\s*['’](?:d|ll|ve)|\s+(?:would|will|have(?! to\b)|have to|must|shall|can))?"
    r"(?:\s+(?:therefore|thus|still|also))?\s*"
    r"(?:choose|chose|chosen|selected as|pick|picked|select|selected|go with|go for|went with|say|answer"
    r"|vote for|opt for|think|believe"
    r"|guess|conclude|choosing|selecting)(?:\s+(?:that|it is|it's|it would be|the answer is|for))*)"
)
_PERHAPS: Final = (
    r"(?i:probably|maybe|perhaps|possibly|likely|most likely|surely|sure|yes|okay|ok|i guess|clearly"
    r"|obviously|definitely|certainly|undoubtedly|evidently|indeed|可能|也许|大概)"
)
_CN_NOUN: Final = r"(?:的)?(?:正确|最佳)?(?:答案|选项|结论|回答)"
_CN_SURE: Final = r"(?:应该|应当|应|就|可能|最有可能|最可能|显然|最终|肯定|也)*"


class Cued(NamedTuple):
    """A pattern, and words of which one must stand in a text (in small letters) that it can match; none: always."""

    cues: tuple[str, ...]
    pattern: re.Pattern[str]


def _cued(cues: str, pattern: str) -> Cued:
    return Cued(tuple(cues.split()), re.compile(pattern))


_NOUNS: Final = "ans response choice option selection solution prediction pick guess letter"
CLAIMS: Final = (
    # the answer is C; Ans. (d); correct option: E
    _cued(
        _NOUNS,
        rf"{_FINAL}{_NOUN}(?:\s+(?i:to|for|of|in|here|that|which|i|we|from|among"
        rf"|given)\b[^.:\n]{{0,60}}?)?{_IS}{_IS}?{_SURE}\s*:?\s*{_LET}",
    ),
    # answer C
    _cued("ans", rf"{_FINAL}(?i:\banswer|\bans\b\.?)[】\])]?\s*{X}){_STOP}"),
    _cued("ans", rf"(?i:\bans\b)\.?\s*[-–—]?\s*{_LET}"),
    # I would choose C; go with option B
    _cued("", rf"{_CHOOSING}{_SURE}\s*:?\s*{_LET}"),
    _cued(
        "choos pick select go",
        rf"(?i:\b(?:choose|pick|select|selecting|choosing|go with|going with))\b{_SURE}\s*:?\s*{_LET}",
    ),
    # B is correct; option B seems to be the right answer
    _cued(
        "correct right best true answer accurate appropriate suitable choice",
        rf"(?:(?i:\b(?:option|choice|answer)\s+))?{X})\s+"
        r"(?i:is|was|seems|appears|looks|stands out|would be|must be|should be)"
        r"(?:\s+(?i:to be|as|the|only|most|more|clearly|definitely|likely|probably))*"
        r"\s+(?i:correct|right|best|true|answer|accurate|appropriate|suitable|choice)",
    ),
    _cued("option choice answer", rf"(?i:\b(?:option|choice|answer)\s+){X})\s+(?i:matches|fits|applies|holds){_STOP}"),
    _cued("correct best right final", rf"(?i:\b(?:correct|best|right|(?P<final>final)))(?i:\s+one)?\s*:\s*{_LET}"),
    # this corresponds to option C; only C fits; making C the right answer; the right one is C
    _cued(
        "correspond point lead equivalent belong match",
        rf"(?i:\b(?:correspond(?:s|ing)?|points?|pointing|leads?|leading|equivalent|belongs?|match(?:es|ing)?)\b)"
        rf"(?:\s+(?i:to|with|towards?|best))?{_SURE}\s*{X}){_STOP}",
    ),
    _cued(
        "option choice",
        r"(?i:\b(?:option|choice)\s+)(?P<z>[a-z])\s+(?i:is|seems)\s+(?i:the\s+)?(?i:correct|right|best|answer)\b",
    ),
    _cued("to", rf"(?i:\b(?:corrected|changed|changing|revised|updated|switched?)\s+(?:it\s+)?to){_SURE}\s*{_LET}"),
    # B is possible too
    _cued(
        "also equal just too well",
        rf"{X})\s+(?i:(?:is|may|might|could|would|can)\s+(?:be\s+)?(?:also|equally|just as)\b|(?:too"
        rf"|as well)\b(?!\s+as))",
    ),
    _cued(
        "only",
        rf"(?i:\bonly)\s+(?:(?i:option|choice|answer)\s+)?{X})\s+(?i:is|was|fits|matches|holds|agrees|remains|works)",
    ),
    _cued(
        "mak leav",
        rf"(?i:\b(?:making|makes|make|leaves|leaving))\s+(?:(?i:option|choice|answer)\s+)?{X})\s+(?i:as\s+)?"
        r"(?i:the\b)",
    ),
    _cued(
        "right correct best proper true closest nearest most that",
        rf"(?i:\b(?:right|correct|best|proper|true|closest|nearest|most\s+\w+)\s+(?:one|description"
        rf"|statement|match|fit)|\bthe\s+(?:one|statement)\s+that\s+\w+(?:\s+\w+)?)"
        rf"{_IS}{_SURE}\s*{_LET}",
    ),
    # that leaves C; wait, actually C; I meant C; no, C
    _cued(
        "leav left",
        rf"(?i:\b(?:(?:that|this|which)(?:\s+only)?\s+leaves|leaving|left with))(?:\s+(?i:us with|us|only|me with))?"
        rf"{_SURE}\s*{_LET}",
    ),
    _cued(
        "wait actually correction edit sorry no mean",
        rf"(?i:\b(?:wait|actually|correction|edit|sorry|no|i meant?))\b(?!\s*\n)[\s,，:…]*{_SURE}\s*{_LET}{_STOP}",
    ),
    # not A but C
    _cued("but", rf"(?i:\bnot)\b(?!\s+(?i:only))[^.;!?。；\n]{{1,25}}\b(?i:but)\b(?!\s+(?i:also)){_SURE}\s*{_LET}"),
    _cued("", rf"^\W*{_PERHAPS}[\s,，:]*{_LET}{_STOP}"),
    _cued("→ -> => ⇒", rf"(?:→|->|=>|⇒)\s*{_LET}\s*$"),
    # 答案是B, 选D, 应该是B, B正确
    _cued(
        "答 选 结论 回答",
        rf"(?P<final>最终|最后)?{_CN_NOUN}[】\])]?{_CN_SURE}(?:是|为|选择|选|:|=)*\s*(?:选项|选)?\s*{_LET}",
    ),
    _cued(
        "选 应 就是 可能 认为 对应 正确 是 为",
        r"(?<![不没非别勿])(?:选择|选|应该是|应是|应为|就是|可能是|认为是|对应|正确的?是|(?<!还)是|为)"
        rf"\s*(?:选项|答案)?\s*:?\s*{_LET}",
    ),
    _cued(
        "正确 对的 最佳 符合 合适 恰当 合理 准确 答案",
        rf"{X})\s*(?:选项|项)?\s*(?:是|为|才是|最|更)?\s*(?:正确|对的|最佳|符合|合适|恰当|合理|准确|答案)",
    ),
)
# Only where no text of a choice is a letter itself: "the letter shown is B" says nothing about the choice B.
LOOSE_CLAIMS: Final = (
    # so C; based on the image, C
    _cued(
        "so thus hence therefore conse final conclu short overall summary based according judging looking given from",
        rf"(?:{_SO}\s*[,，:]?|{_FROM}\s*[,，:])"
        rf"(?:\s*(?i:it is|it's|this is|it must be|it should be|i choose|i pick|we choose))?{_SURE}\s*{_LET}{_STOP}",
    ),
    # it is C
    _cued(
        "it that this must should",
        r"(?i:\b(?:it|that|this)(?:['’]s|\s+(?:is|must be|should be|would be|has to be))|\b(?:must|should) be)\b"
        rf"{_SURE}\s*{_LET}{_STOP}",
    ),
)
TEXT_CUES: Final = ("ans", "option", "choice", "choose", "pick", "select", "would say", "选", "答", "结论", "应该是")
# A letter by itself, without which no letter is claimed.
LONE: Final = re.compile(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
# The answer is green bus: group `t` is what was claimed, to the end of the line.
TEXT_CLAIM: Final = re.compile(
    rf"{_FINAL}(?:(?i:\banswer|\boption|\bchoice|\bans\b\.?){_IS}{_IS}?"
    r"|(?i:\bi\s+(?:choose|pick|select|would choose|would say))\b"
    r"|(?:答案|选项|结论)(?:应该|应)?(?:是|为|:)+|(?<!不)(?:应该是|选择|我选|应选))\s*:?\s*(?P<t>[^\n]+)"
)
# Green bus is correct.
TEXT_HOLDS: Final = re.compile(
    r"(?:^|[.,;:\n])[^\S\n]*(?P<t>[^.;:\n]{2,80}?)\s+is\s+(?:the\s+)?(?i:correct|right|best|answer)\b"
)
# After a capital A: a small word that is none of these makes it an article.
ARTICLE_AFTER: Final = re.compile(
    r"\s+(?!(?:because|since|as|which|and|or|but|with|for|given|due|based|in|on|is|was|seems|appears|are|were|would"
    r"|must|should|can|matches|fits|applies|holds|stands|the|this|that|it|as)\b)[a-z]"
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
    r"|(?i:\b(?:wrong|incorrect|false|worst|previous|earlier|former|rejected|discarded|other|least \w+"
    r"|(?:second|next)[- ]best)\s+(?:answer|option|choice|guess)\b)"
    r"\s*(?i:is|was|would be|may be)?\s*:?\s*[(\[【\"'“]*$"
    r"|(?:不是|不选|不应|不要|不宜|勿|别(?!的|处|人)|不可能|并非|而非|排除(?!法)|不能选|如果|若是|假如|假设|(?:错误|不正确|不对|不符合?)的)[^,，。.;；]{0,4}$"
)
DENIED_AFTER: Final = re.compile(
    rf"{_CLOSE}*[^\S\n]*(?:选项|项)?[^\S\n]*(?:"
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
# Behind a choice's whole text: what is said against it.
REFUTED: Final = re.compile(
    r"[\s.\-–—:;,(\[]*(?:(?i:(?:is\s+|are\s+)?(?:clearly\s+|simply\s+)?(?:false|wrong|incorrect|impossible|unlikely|excluded"
    r"|eliminated|ruled out|discarded|rejected|not\s+(?:correct|right|seen|visible|present|supported"
    r"|there|true|shown))\b"
    r"|no\s*(?:[.,;)\n]|$))|[✗✘❌×]|错|不对|不正确|不符|排除|有误)"
)
SECOND_THOUGHT: Final = re.compile(
    r"\W*(?:(?i:hmm+|oh|um|uh|well)\W+)?(?:(?i:wait|actually|no|sorry|correction|scratch that)\b|不对|等等|更正)"
)
TAKEN_BACK: Final = re.compile(
    r"(?i:\bwait\b|\bactually\b|second thought|\bcorrect(?:ion|ed to)\b|chang(?:ed|ing) (?:it )?to\b"
    r"|\bedit\b|\bno[,.!]|\bsorry\b|\bi mean\b|scratch that"
    r"|\binstead\b|\bchange my\b|\brevis|re-?check|look(?:ing)? again|\bmistake|\bhowever\b)"
    r"|不对|等等|更正|其实|重新|修正|纠正|但实际|看错|不[,，]"
)
ALSO: Final = re.compile(
    rf"{_CLOSE}*\s*(?:[,，;/&+、]|(?i:and|or|und|and/or)|和|或者?|与|及|以及|还是)\s*"
    rf"(?:(?i:and|or|also|option|choice|maybe|perhaps|possibly|probably)\s+|也?可能是?|也许是?)*{X})"
)
SECOND: Final = re.compile(
    rf"(?:(?i:and|or)\s+|[,/&+、]\s*|和|或|还是)?\s*{X})(?=\s*(?:[.。,，、;)\]\n/&]|and\b|or\b|$))"
)
AMONG: Final = re.compile(rf"{X})\s*(?:[,，、/&]|(?i:and|or)\b|和|或|还是)")
LABELS: Final = re.compile(r"(?<![A-Za-z])[(\[【]?(?P<x>[A-Z])\s*[)\]】.:：](?![A-Za-z])")
JOINED: Final = re.compile(r"\s*(?:(?i:and|or)\b|[/&+]|和|或)")
MENTION: Final = re.compile(r"[(\[【]\s*(?P<b>[A-Za-z])\s*[)\]】]|(?<![A-Za-z0-9'’.\-&])(?P<x>[A-Z])(?![A-Za-z0-9'’&])")
COMMA_LETTER: Final = re.compile(rf"\s*{X})")
# Between a letter and its text; the text stands right behind it, or right before it where the letter is in brackets.
BEFORE_TEXT: Final = re.compile(
    r"(?<![a-z])([a-z])[)\].,:;\s–—(\-=|\"]*(?:(?:i\.e\.?|namely|that is|即|就是|也就是)[\s,:(]*)?$"
)
BEHIND_TEXT: Final = re.compile(r"\s*[(\[【]\s*([a-z])\s*[)\]】]")
LISTED: Final = re.compile(r"(?<![A-Za-z])[A-Za-z]\s*[).:\]]")
NAMED: Final = re.compile(r"(?:(?i:\boption|\bchoice)|选项|选)\s*$")
# A named option of which something is told ("option B says …") is spoken about; one that stands by itself is chosen.
CHOSEN: Final = re.compile(r"选|答案")
TOLD_OF: Final = re.compile(rf"{_CLOSE}*\s+(?!(?:because|since|as|given|due|for|with|is the|the)\b)[a-z]")
# A letter that is looked at, asked about, or the first step of a reasoning that breaks off, is not yet an answer.
LOOKED_AT: Final = re.compile(
    r"(?:\b(?:ask(?:s|ed|ing)?|about|consider(?:s|ing)?|check(?:s|ing)?|compar(?:e|es|ing)|verify(?:ing)?|examin\w+"
    r"|analy[sz](?:e|es|ing|is)(?:\s+of)?|evaluat\w+|explor\w+|discuss\w*"
    r"|regarding|concerning|according to|as for|between"
    r"|see|parts?|panel|area|region|section|row|column|box|says|saying|reads|reading|marked|labell?ed"
    r"|figure|point|look(?:s|ing)? (?:at|into)|start(?:s|ing)? with"
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
# A letter as the subject of a sentence that tells something of it, and not in front of its text.
SUBJECT: Final = re.compile(
    r"\s*(?!(?:is|was|looks|seems|stands|matches|fits|works|holds|agrees|remains)\s+(?:\w+\s+){0,3}?"
    r"(?:correct|right|best|true|it|answer|one|well)\b)"
    r"(?:is|are|was|has|had|can|could|would|will|may|might|must|should|does|did|cannot|\w+[^s\W]s)(?![\w'’])(?!\s*$)"
    r"|\s*\w+[^s\W]s\s*[.!]"
)
ABBREVIATED: Final = re.compile(
    r"\b(?:(?:Mrs?|Ms|Dr|St|No|Nr|Fig|Eq|Sec|Vol|Ch|pp?|vs|ca)|[A-Z])\.\s*$|^\s*[!¬≠]\s*$", re.IGNORECASE
)
# A capital A before a word that tells something: a letter as likely as an article.
A_TELLS: Final = re.compile(r"\s+(?!(?:\w*bus|gas|lens|canvas|atlas|iris|virus|series|cactus)\b)[a-z]+[^s\W]s\s+\S")
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
