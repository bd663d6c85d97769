"""Which letter an output means: three named rules, as pure functions.

`official` is the benchmark's own rule and `vlmevalkit` that of a widely used tool, quirks included, so that published
figures can be reproduced. `careful` is ours: the letter that a careful reader would take, or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from annotator.domain import reading
from annotator.domain.questions import OutputState

PROFILES: Final = ("official", "vlmevalkit", "careful")

# Deleted wherever they stand, in this order. In the official list two commas are missing, so that its last four texts
# became two that never occur; the other tool's list has them.
_LEADS: Final = ("The best answer is", "The correct answer is", "The answer is", "The answer")
_OFFICIAL_LEADS: Final = (*_LEADS, "The best option isThe correct option is", "Best answer:Best option:")
_TOOL_LEADS: Final = (*_LEADS, "The best option is", "The correct option is", "Best answer:", "Best option:")
_TOOL_CHOICES: Final = ("(A)", "(B)", "(C)", "(D)", "(E)")
_CAPITAL: Final = re.compile("[ABCDE]")
_ANSWER_TAG: Final = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_MANY_WORDS: Final = 10


def extract(profile: str, output: Any, choices: Sequence[str]) -> str | None:
    """The letter under a profile, None for none.

    `choices` are the texts with their marks (`(A) …`); `output` is a text, a number or None.

    Raises:
        KeyError: no such profile.
    """
    return _RULES[profile](output, choices)


def official(output: Any, choices: Sequence[str]) -> str | None:
    """The benchmark's own rule.

    Blanks around are dropped and the known lead-ins deleted wherever they stand. More than ten words without a capital
    A-E give nothing; else the first capital A-E anywhere counts, be it inside a word. Without one, the first choice in
    whose small letters the small letters of the text occur counts, so that an empty text is in the first. Anything but
    a text is an exception there, and none here.
    """
    if not isinstance(output, str):
        return None
    return _by_rule(output, _OFFICIAL_LEADS, choices)


def vlmevalkit(output: Any, choices: Sequence[str]) -> str | None:
    """The rule of VLMEvalKit.

    What stands between answer tags is taken alone and in capitals. Then as the official rule, but with all eight
    lead-ins, and the choices are the bare marks `(A)` to `(E)`, so that no text of a choice is ever found.
    """
    if not isinstance(output, str):
        return None
    tagged = _ANSWER_TAG.search(output)
    return _by_rule(tagged.group(1).upper() if tagged else output, _TOOL_LEADS, _TOOL_CHOICES)


def _by_rule(output: str, leads: Sequence[str], choices: Sequence[str]) -> str | None:
    text = output.strip()
    for lead in leads:
        text = text.replace(lead, "")
    found = _CAPITAL.search(text)
    if found is not None:
        return found.group()
    if len(text.split()) > _MANY_WORDS:
        return None
    small = text.lower()
    choice = next((c for c in choices if small in c.lower()), "")
    return choice[1:2] or None


def careful(output: Any, choices: Sequence[str]) -> str | None:
    """The letter that a careful reader would take, or None.

    Thinking is left out; what is boxed, tagged or a field named answer is the answer. A letter alone, or in front of
    its text, is the answer, unless the text is another choice's. A claimed answer ("the answer is", "option … is
    correct", 选) beats a mentioned letter; the last of several claims counts only where the earlier one was taken back.
    A claim is believed only where its clause holds no word of doubt, and is not asked, supposed or told of others.
    "A" before a word is an article; a letter that is denied, or listed among all, is no answer, and neither are two, or
    a letter beside another choice's very text. Without a letter, the text of exactly one choice is that choice, whole
    or, undenied, inside a sentence. Refusals, the runner's errors and letters that no choice has are no answers.
    """
    return reading.read(output, choices).letter


_RULES: Final[dict[str, Callable[[Any, Sequence[str]], str | None]]] = {
    "official": official,
    "vlmevalkit": vlmevalkit,
    "careful": careful,
}


def state_of(output: Any, choices: Sequence[str]) -> OutputState:
    """What kind of output it is (see `reading.read`)."""
    return reading.read(output, choices).state
