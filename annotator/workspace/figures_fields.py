"""What figures can be grouped by: the fields of dialogues and turns, read once each."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Any, Final

from annotator.domain.items import Dialogue
from annotator.domain.labels import turn_index
from annotator.store import Store

SESSION: Final = "(session)"
NONE: Final = "(none)"
_CHINESE_SHARE: Final = 0.2


@lru_cache(maxsize=4096)
def _week(day: str) -> str:
    try:
        year, week, _ = date.fromisoformat(day).isocalendar()
    except ValueError:
        return NONE
    return f"{year}-W{week:02d}"


def week_of(at: str) -> str:
    """The ISO week of a moment, as `2026-W07`."""
    return _week(at[:10])


def language_of(dialogue: Dialogue) -> str:
    """`zh` or `en`: the dialogue's own texts decide, Chinese from a fifth of Chinese letters on; `(none)` without."""
    text = "".join(turn.question + turn.reference for turn in dialogue.turns)
    letters = sum(character.isalpha() for character in text)
    chinese = sum("\u3400" <= character <= "\u9fff" for character in text)
    if not letters:
        return NONE
    return "zh" if chinese >= _CHINESE_SHARE * letters else "en"


class Places:
    """Where an item belongs. Scenario and modality are at hand; the rest is read from dialogues, when it is asked."""

    def __init__(self, store: Store, *, repeats: bool = False) -> None:
        """Read the light parts of all dialogues of `store`; of hidden repeats only with `repeats`."""
        self._store = store
        hidden = {} if repeats else store.desk.repeats()
        self.known = {head.item_id: head for head in store.items.heads("dialogue") if head.item_id not in hidden}
        self._lengths: dict[tuple[str, str], dict[int, int]] = {}
        self._read: dict[str, tuple[str, str, tuple[str, ...]]] = {}

    def reader(self, name: str) -> Callable[[Any], str]:
        """A function from anything with an `item_id` to the value of a field of its item."""
        if name in ("scenario", "modality"):
            return lambda unit: str(getattr(self.known[unit.item_id], name)) or NONE
        if name == "language":
            return lambda unit: self._of(unit.item_id)[0]
        return lambda unit: self._of(unit.item_id)[1]

    def value(self, name: str, item_id: str) -> str:
        """A field of an item."""
        if name in ("scenario", "modality"):
            return str(getattr(self.known[item_id], name)) or NONE
        language, source, _ = self._of(item_id)
        return language if name == "language" else source

    def capability(self, item_id: str, target: str) -> str:
        """What a turn probes; sessions are a group of their own, since they probe several things at once."""
        index = turn_index(target)
        if index is None:
            return SESSION
        names = self._of(item_id)[2]
        return names[index] if index < len(names) else NONE

    def capabilities(self, item_id: str) -> tuple[str, ...]:
        """All that a dialogue probes, each once."""
        return tuple(dict.fromkeys(self._of(item_id)[2])) or (NONE,)

    def length(self, item_id: str, responder: str, target: str) -> int:
        """How many characters were answered at a turn, or in the whole session."""
        key = (item_id, responder)
        held = self._lengths.get(key)
        if held is None:
            answered = self._store.items.responder(item_id, responder)
            answers = () if answered is None else answered.answers
            held = self._lengths[key] = {answer.index: len(answer.text or "") for answer in answers}
        index = turn_index(target)
        return sum(held.values()) if index is None else held.get(index, 0)

    def _of(self, item_id: str) -> tuple[str, str, tuple[str, ...]]:
        held = self._read.get(item_id)
        if held is None:
            dialogue = self._store.items.dialogue(item_id)
            names = tuple((turn.category and turn.category.primary) or NONE for turn in dialogue.turns)
            held = self._read[item_id] = (language_of(dialogue), dialogue.source or NONE, names)
        return held
