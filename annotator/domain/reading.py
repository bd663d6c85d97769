"""Reading a model's output as a careful person would: what it claims, what it only mentions, what it denies."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from annotator.domain.choice_texts import Choices, alike, fold, plain
from annotator.domain.claims import claimed_in, letter_in
from annotator.domain.label_forms import alone
from annotator.domain.questions import OutputState


class Reading(NamedTuple):
    """What was read: the letter or None, and what kind of output it is."""

    letter: str | None
    state: OutputState


_FAILED: Final = re.compile(
    r"failed to obtain answer|<class '[\w.]+'>|traceback \(most recent call last\)|^\W*(?:\w*error|exception)\b\s*[:(]"
    r"|\b(?:api|http|server|connection|timeout|runtime|request) error\b|(?:request|connection) timed? ?out"
    r"|cuda out of memory|rate limit exceeded|^\W*(?:error|timeout)\W*$",
    re.IGNORECASE,
)
_EMPTY_CELL: Final = frozenset({"nan", "<na>", "n/a", "none", "null"})
_REFUSED: Final = re.compile(
    r"\b(?:can(?:no|')?t|cannot|unable to|not able to|won't|will not)\b|\bsorry\b|\bas an ai\b|apologi[sz]e|"
    r"(?:无法|不能|抱歉|对不起|作为.{0,6}(?:模型|人工智能)|不确定|不知道)|\bnot sure\b|\bno idea\b|don't know",
    re.IGNORECASE,
)

_THINK: Final = re.compile(r"<(think|thinking|thought|reasoning|analysis|scratchpad)\b[^>]*>", re.IGNORECASE)
_AFTER_THINKING: Final = re.compile(r"</(?:think|thinking|thought|reasoning|analysis)\s*>", re.IGNORECASE)
# A claim stands at the beginning or at the end; nobody reads the middle of a text that repeats itself.
_LONGEST, _HEAD, _TAIL = 4000, 1500, 2000
_ANSWER: Final = re.compile(
    r"<(answer|final_answer|final|ans|response|output)>(.*?)(?:</\1>|$)", re.IGNORECASE | re.DOTALL
)
_BEGIN_BOX: Final = re.compile(r"<\|begin_of_box\|>(.*?)<\|end_of_box\|>", re.DOTALL)
# What a chat template puts around a turn; a reply that was not cleaned still carries it.
_CONTROL_TOKEN: Final = re.compile(
    r"<\|(?:im_start|im_end|endoftext|end_of_text|eot_id|end|assistant)\|>|</?s>|<(?:eos|bos|pad|end_of_turn)>"
)
_BOXED: Final = re.compile(r"\\(?:boxed|fbox)\s*\{")
_BOXES: Final = 20
_MACRO: Final = re.compile(r"\\(?:text|textbf|mathrm|mathbf|mathit|textit|rm|bf)\s*\{([^{}]*)\}")
_WRAPPED: Final = re.compile(
    r"<(answer|final_answer|final|ans|response|output)>.*?(?:</\1>|$)|<\|begin_of_box\|>.*?<\|end_of_box\|>"
    r"|\\(?:boxed|fbox)\s*\{(?:[^{}]|\{[^{}]*\})*\}",
    re.IGNORECASE | re.DOTALL,
)
_WRAPPED_IN_TAGS: Final = re.compile(
    r"<(answer|final_answer|final|ans|response|output)>.*?(?:</\1>|$)|<\|begin_of_box\|>.*?<\|end_of_box\|>",
    re.IGNORECASE | re.DOTALL,
)
_FIELD: Final = re.compile(r":\s*\"([^\"]+)\"")
_STRUCK: Final = re.compile(r"~~[^~\n]+~~")
_FENCE: Final = re.compile(r"^\s*```\w*\s*\n?(.*?)\n?```\s*$", re.DOTALL)
_ANSWER_KEYS: Final = re.compile(
    r"(?:final[ _]?|correct[ _]?|best[ _]?)?(?:answer|choice|option|letter|prediction|ans)|答案"
)


def read(output: Any, choices: Sequence[str]) -> Reading:
    """Read one output beside its choices (texts with their marks); a number is read as it is printed."""
    held = Choices.of(choices)
    text = "" if output is None else output if isinstance(output, str) else _printed(output)
    text = plain(_ends_of(text))
    if len(text.strip()) == 1:
        text = alike(text.strip())
    if not text.strip():
        return Reading(None, "blank")
    whole = held.same_text(text)
    if whole is None and fold(text) in _EMPTY_CELL and fold(text) != "none":
        return Reading(None, "blank")
    if whole is None and _FAILED.search(text):
        return Reading(None, "failed")
    inner, cut = unwrap(_CONTROL_TOKEN.sub(" ", text))
    if inner is None or (cut and not inner.strip()):
        return Reading(None, "cut_off")
    bare = held.known(alone(inner) or "-")
    if bare is not None and not (held.labelled and "letter" in inner.casefold()):
        if _said_beside(text, bare, held):
            return Reading(None, "letter_with_text")
        fields = _FIELD.findall(text) if text.lstrip().startswith("{") else ()
        if any(held.same_text(value) not in (None, bare) for value in fields if len(value) > 1):
            return Reading(None, "letter_with_text")
        return Reading(bare, "bare_letter")
    found = letter_in(inner, held)
    if found.letter is not None and _said_beside(text, found.letter, held):
        return Reading(None, "letter_with_text")
    if found.letter is not None:
        return Reading(found.letter, "letter_with_text" if found.by_letter else "text_only")
    if found.by_letter:
        return Reading(None, "letter_with_text")
    return Reading(None, "refused" if _REFUSED.search(inner) else "cut_off" if cut else "text_only")


def _said_beside(text: str, letter: str, held: Choices) -> bool:
    """Whether the words around a wrapped answer, thinking aside, say another letter."""
    if ("<" not in text and "\\" not in text) or not _WRAPPED.search(text):
        return False
    rest, _ = _without_thinking(text)
    around = unwrap_inner(_WRAPPED.sub(" ", rest or ""))[0].strip()
    said = held.known(alone(around) or "-") or claimed_in(around, held)
    return said is not None and said != letter


def _ends_of(text: str) -> str:
    """A text of a length that honest answers have, else what it begins and ends with; thinking has gone by then."""
    if len(text) <= _LONGEST:
        return text
    thoughts = [match.end() for match in _AFTER_THINKING.finditer(text)]
    if thoughts:
        text = text[thoughts[-1] :]
    elif _THINK.search(text[:_HEAD]):
        return text[:_HEAD]
    return text if len(text) <= _LONGEST else text[:_HEAD] + "\n…\n" + text[-_TAIL:]


def _printed(output: Any) -> str:
    if isinstance(output, bool):
        return str(output).upper()
    return repr(output) if isinstance(output, float) else str(output)


def unwrap(text: str) -> tuple[str | None, bool]:
    """(what is left of an output without its thinking and wrappings, whether it breaks off).

    None where it never came out of its thinking. Differing answers in several wrappings stand side by side, so that
    they are seen as two.
    """
    rest, open_end = _without_thinking(text)
    if rest is None:
        return None, True
    text = rest
    fenced = _FENCE.match(text)
    if fenced:
        text = fenced[1]
    for wrapped in (_ANSWER.findall(text), _BEGIN_BOX.findall(text)):
        parts = [p[1] if isinstance(p, tuple) else p for p in wrapped]
        parts = list(dict.fromkeys(p.strip() for p in parts if p.strip()))
        boxed = _boxes(_WRAPPED_IN_TAGS.sub(" ", text)) if parts else None
        if boxed is not None and boxed not in parts:
            parts.append(boxed)
        if parts:
            inner, _ = unwrap_inner(parts[0] if len(parts) == 1 else " / ".join(parts))
            return inner, open_end
    return unwrap_inner(text)[0], open_end


def unwrap_inner(text: str) -> tuple[str, bool]:
    """The same for boxes, JSON and list literals, and marks of emphasis."""
    boxed = _boxes(text)
    text = (_STRUCK.sub(" ", text) if "~~" in text else text) if boxed is None else boxed
    named = _named_answer(text)
    if named is not None:
        text = named
    return re.sub(
        r"[*`_~]{1,3}(?=\S)|(?<=\S)[*`~]{1,3}|\$|\\[()\[\]]|</?(?:b|strong|i|em|u|p|span|br)\s*/?>",
        "",
        _MACRO.sub(r"\1", text),
    ), boxed is not None


def _without_thinking(text: str) -> tuple[str | None, bool]:
    while True:
        opening = _THINK.search(text)
        if opening is None:
            break
        closing = re.search(rf"</{opening[1]}\s*>", text[opening.end() :], re.IGNORECASE)
        if closing is None:
            before = text[: opening.start()]
            rest = re.search(r"<answer>.*", text[opening.end() :], re.DOTALL | re.IGNORECASE)
            kept = before + (rest.group() if rest else "")
            return (kept, True) if kept.strip() else (None, True)
        text = text[: opening.start()] + " " + text[opening.end() + closing.end() :]
    ended = [match.end() for match in _AFTER_THINKING.finditer(text)]
    return (text[ended[-1] :] if ended else text), False


def _boxes(text: str) -> str | None:
    found = []
    for match in list(_BOXED.finditer(text))[-_BOXES:]:
        depth, end = 1, match.end()
        while end < len(text) and depth:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        found.append(_MACRO.sub(r"\1", text[match.end() : end - (depth == 0)]).strip())
    distinct = list(dict.fromkeys(f for f in found if f))
    return " / ".join(distinct) if distinct else None


def _named_answer(text: str) -> str | None:
    """The answer inside a JSON object, or the only member of a list."""
    stripped = text.strip()
    if stripped[:1] not in "{[":
        return None
    value: Any
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        pairs = re.findall(r"[\"']([^\"'{}]+)[\"']\s*:\s*[\"']([^\"']*)[\"']", stripped)
        items = re.fullmatch(r"\[\s*[\"']([^\"']*)[\"']\s*\]", stripped)
        value = dict(pairs) if pairs else [items[1]] if items else None
    if isinstance(value, list) and len(value) == 1:
        if not isinstance(value[0], dict):
            return _text(value[0])
        value = value[0]
    if isinstance(value, dict):
        found = [_text(v) for k, v in value.items() if _ANSWER_KEYS.fullmatch(fold(str(k)))]
        answers = [f for f in found if f is not None]
        letters = list(dict.fromkeys(letter.upper() for f in answers if (letter := alone(f)) is not None))
        return " / ".join(letters) if len(letters) > 1 else next(iter(answers), None)
    return None


def _text(value: Any) -> str | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, str) else str(value) if isinstance(value, (int, float)) else None
