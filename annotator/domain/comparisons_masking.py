"""Models that name themselves inside an answer: found, and covered without moving a character.

Only what an answer says of its own writer is covered; a brand in a picture that the answer describes stays readable.
"""

from __future__ import annotations

import re
from typing import Final

COVER: Final = "█"

_NAME: Final = (
    r"(?:chat\s?gpt|gpt[-\s]?[0-9][\w.\-]*|openai|claude(?:[-\s][\w.\-]*\d[\w.\-]*|\s(?:opus|sonnet|haiku))?|anthropic|"
    r"gemini(?:[-\s][\w.\-]*\d[\w.\-]*|\s(?:pro|flash|ultra))?|bard|google(?:\s?deepmind|\s?ai)?|"
    r"qwen[\w.\-]*|tongyi(?:\sqianwen)?|alibaba(?:\s?cloud)?|llava[\w.\-]*|llama[\w.\-]*|meta\s?ai|internvl[\w.\-]*|"
    r"internlm[\w.\-]*|minicpm[\w.\-]*|deepseek[\w.\-]*|mistral[\w.\-]*|pixtral[\w.\-]*|grok[\w.\-]*|copilot|"
    r"ernie(?:\sbot)?|glm-?[\w.\-]*|chatglm[\w.\-]*|yi-vl[\w.\-]*|doubao[\w.\-]*|kimi|moonshot|hunyuan[\w.\-]*|"
    r"通义千问|千问|通义|阿里(?:巴巴|云)?(?:通义)?|文心一言|文心|百度|豆包|字节跳动|智谱(?:清言|AI)?|月之暗面|混元|腾讯|书生|深度求索)"
)
_TAIL: Final = r"(?![A-Za-z0-9])"
# What stands before a name when somebody speaks of himself, or of who made him.
_SELF: Final = re.compile(
    r"(?:\b(?:i\s?[’']?\s?a?m|i\sam|my\sname\s(?:is|[’']s)|as|call\sme|this\sis|here\sis|known\sas|named|called)\s+(?:an?\s+|the\s+)?"
    r"(?:(?:ai|large|language|multimodal|vision|assistant|model|chatbot)\s+){0,4}(?:(?:called|named|from|by|of)\s+)?"
    r"|(?:我是|我叫|作为|我的名字(?:是|叫)|本人是|我乃)\s*(?:一个|一款|由)?\s*)"
    rf"(?P<name>{_NAME}){_TAIL}",
    re.IGNORECASE,
)
_MAKER: Final = re.compile(
    r"(?:\b(?:i|me|assistant|model|ai|chatbot)\b[^.!?\n]{0,60}?\b(?:developed|made|created|trained|built|designed|provided)\s+by\s+"
    r"|(?:我|助手|模型)[^。！？\n]{0,30}?由\s*)"
    rf"(?P<name>{_NAME}){_TAIL}",
    re.IGNORECASE,
)
_SIGNED: Final = re.compile(rf"(?m)^\s*(?P<name>{_NAME}){_TAIL}\s*[:：]", re.IGNORECASE)
_CHAINED: Final = re.compile(
    rf"[^.!?。！？\n]{{0,50}}?(?:\bby\s+|\bfrom\s+|由\s*|[,，、(（]\s*)(?P<name>{_NAME}){_TAIL}", re.IGNORECASE
)


def self_names(text: str) -> tuple[tuple[int, int], ...]:
    """Where an answer names its own model or maker: [start, end) in code points, in order, not overlapping."""
    found: set[tuple[int, int]] = set()
    for pattern in (_SELF, _MAKER, _SIGNED):
        for match in pattern.finditer(text):
            span = match.span("name")
            found.add(span)
            if pattern is _SIGNED:
                continue
            following = _CHAINED.match(text, span[1])
            if following is not None:
                found.add(following.span("name"))
    spans: list[tuple[int, int]] = []
    for start, end in sorted(found):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return tuple(spans)


def masked(text: str) -> str:
    """The answer with those names covered; as long as before, so that places in it stay right."""
    for start, end in self_names(text):
        text = text[:start] + COVER * (end - start) + text[end:]
    return text
