"""The one table of keys: ids, sequences, groups and the places they work in.

The router, the keycaps and the overview read it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from annotator.ui import i18n

Context = Literal[
    "dialogue", "question", "question_open", "question_letter", "comparison", "comparison_ranking", "none"
]
Group = Literal["score", "move", "turn", "media", "verdict", "question", "comparison", "window"]
GROUPS: tuple[Group, ...] = ("score", "move", "turn", "verdict", "media", "question", "comparison", "window")

_DIALOGUE: frozenset[Context] = frozenset({"dialogue"})
_QUESTIONS: frozenset[Context] = frozenset({"question", "question_open", "question_letter"})
_COMPARISONS: frozenset[Context] = frozenset({"comparison", "comparison_ranking"})
_SCORED: frozenset[Context] = frozenset({"dialogue", "comparison"})
_ITEMS: frozenset[Context] = _DIALOGUE | _QUESTIONS | _COMPARISONS
_BLIND: frozenset[Context] = frozenset({"question"})
_OPEN: frozenset[Context] = frozenset({"question_open"})
_LETTER: frozenset[Context] = frozenset({"question_letter"})
_SCALES: frozenset[Context] = frozenset({"comparison"})
_RANKING: frozenset[Context] = frozenset({"comparison_ranking"})
_AUDITED: frozenset[Context] = _DIALOGUE | _COMPARISONS  # what both pages have
_EVERYWHERE: frozenset[Context] = _ITEMS | {"none"}


class Key(NamedTuple):
    """One action of the keyboard.

    ``sequences`` are portable key texts, the first one is printed on keycaps. ``repeat`` lets a held key
    repeat; ``hold`` makes it an action that lasts while the key is down; ``in_text`` lets it out of text fields.
    """

    id: str
    sequences: tuple[str, ...]
    group: Group
    contexts: frozenset[Context]
    repeat: bool = False
    hold: bool = False
    in_text: bool = False


def _numbered(stem: str, digits: str, group: Group, contexts: frozenset[Context]) -> tuple[Key, ...]:
    return tuple(Key(f"{stem}_{digit.lower()}", (digit,), group, contexts) for digit in digits)


KEYS: tuple[Key, ...] = (
    *_numbered("score", "12345", "score", _SCORED),
    Key("cannot_judge", ("0", "-"), "score", _SCORED),
    Key("reason", ("Tab",), "score", _SCORED),
    Key("tags", ("T",), "score", _SCORED),
    Key("grid", ("Esc",), "score", _ITEMS, in_text=True),
    Key("levels", ("L",), "score", _SCORED),
    Key("agree", ("A",), "score", _DIALOGUE),
    Key("keep_mine", ("=",), "score", _DIALOGUE),
    Key("judge_next", ("Shift+A",), "score", _DIALOGUE),
    Key("row_up", ("Up",), "move", _SCORED, repeat=True),
    Key("row_down", ("Down",), "move", _SCORED, repeat=True),
    Key("turn_prev", ("[",), "move", _DIALOGUE, repeat=True),
    Key("turn_next", ("]",), "move", _DIALOGUE, repeat=True),
    Key("item_next", ("N",), "move", _ITEMS),
    Key("item_prev", ("P",), "move", _ITEMS),
    Key("next_gap", ("G",), "move", _ITEMS),
    Key("toggle_session", ("S",), "turn", _DIALOGUE),
    Key("reference", ("R",), "turn", _AUDITED),
    Key("model_frames", ("M",), "turn", _DIALOGUE),
    Key("peek", ("Y",), "turn", _DIALOGUE | _SCALES),
    Key("verdict_keep", ("K",), "verdict", _DIALOGUE),
    Key("verdict_revise", ("V",), "verdict", _DIALOGUE),
    Key("verdict_reject", ("X",), "verdict", _DIALOGUE),
    Key("complete_next", ("Ctrl+Enter",), "verdict", _ITEMS),
    Key("play", ("Space",), "media", _ITEMS),
    Key("pan", ("Space",), "media", _ITEMS, hold=True),
    Key("frame_back", (",",), "media", _ITEMS, repeat=True),
    Key("frame_forward", (".",), "media", _ITEMS, repeat=True),
    Key("second_back", ("Shift+,",), "media", _ITEMS, repeat=True),
    Key("second_forward", ("Shift+.",), "media", _ITEMS, repeat=True),
    Key("segment_start", ("Home",), "media", _ITEMS),
    Key("segment_end", ("End",), "media", _ITEMS),
    Key("loupe", ("Z",), "media", _ITEMS, hold=True),
    Key("fit", ("F",), "media", _ITEMS),
    Key("actual_size", ("Ctrl+0",), "media", _ITEMS),
    Key("zoom_in", ("Ctrl++", "Ctrl+="), "media", _ITEMS, repeat=True),
    Key("zoom_out", ("Ctrl+-",), "media", _ITEMS, repeat=True),
    Key("navigator", ("F9",), "media", _ITEMS),
    Key("evidence", ("B",), "media", _DIALOGUE),
    Key("contact_sheet", ("C",), "media", _DIALOGUE),
    Key("compare", ("D",), "media", _DIALOGUE),
    Key("adjust", ("I",), "media", _DIALOGUE),
    Key("keep_zoom", ("J",), "media", _DIALOGUE),
    Key("loop", ("O",), "media", _DIALOGUE),
    Key("clip_sound", ("Ctrl+E",), "media", _DIALOGUE),
    Key("question_audio", ("E",), "media", _DIALOGUE),
    Key("slower", ("Ctrl+,",), "media", _AUDITED),
    Key("faster", ("Ctrl+.",), "media", _AUDITED),
    Key("go_to_time", ("Ctrl+G",), "media", _DIALOGUE),
    Key("copy_crop", ("Ctrl+Shift+C",), "media", _DIALOGUE),
    Key("save_crop", ("Ctrl+Shift+S",), "media", _DIALOGUE),
    Key("unblur", ("H",), "media", _AUDITED),
    Key("unplayable", ("U",), "media", _DIALOGUE),
    *_numbered("answer", "ABCDE", "question", _BLIND),
    Key("answer_cannot", ("0",), "question", _BLIND),
    *_numbered("key_verdict", "1234567", "question", _OPEN),
    Key("box", ("B",), "question", _OPEN),
    Key("letter_next", ("J",), "question", _OPEN | _LETTER),
    Key("letter_confirm", ("Enter",), "question", _LETTER),
    *_numbered("letter", "ABCDE", "question", _LETTER),
    Key("letter_none", ("0",), "question", _LETTER),
    Key("next_question", ("Enter",), "question", _OPEN),
    *_numbered("pick", "ABCDE", "comparison", _RANKING),
    Key("rank_left", ("Left",), "comparison", _RANKING, repeat=True),
    Key("rank_right", ("Right",), "comparison", _RANKING, repeat=True),
    Key("tie", ("=",), "comparison", _RANKING),
    Key("rank_confirm", ("Enter",), "comparison", _RANKING),
    Key("all_good", ("+",), "comparison", _RANKING),
    Key("all_bad", ("-",), "comparison", _RANKING),
    *_numbered("pairwise", "120", "comparison", _RANKING),
    Key("pair_back", ("Backspace",), "comparison", _RANKING),
    Key("ranking", ("Shift+R",), "comparison", _SCALES),
    Key("pairs", ("Shift+P",), "comparison", _COMPARISONS),
    Key("column_left", ("Left",), "comparison", _SCALES, repeat=True),
    Key("column_right", ("Right",), "comparison", _SCALES, repeat=True),
    Key("differences", ("D",), "comparison", _SCALES),
    Key("link_scroll", ("J",), "comparison", _COMPARISONS),
    Key("scroll_up", ("PgUp",), "comparison", _COMPARISONS, repeat=True),
    Key("scroll_down", ("PgDown",), "comparison", _COMPARISONS, repeat=True),
    Key("history", ("W",), "comparison", _COMPARISONS),
    Key("review_mode", ("F6",), "comparison", _COMPARISONS),
    Key("review_next", ("F5",), "comparison", _COMPARISONS),
    Key("review_accept", ("F2",), "comparison", _COMPARISONS),
    Key("review_correct", ("F3",), "comparison", _COMPARISONS),
    Key("review_return", ("F10",), "comparison", _COMPARISONS),
    *(Key(f"response_flag_{n}", (f"Ctrl+{n}",), "comparison", _SCALES) for n in range(1, 6)),
    Key("undo", ("Ctrl+Z",), "window", _ITEMS, repeat=True),
    Key("redo", ("Ctrl+Shift+Z",), "window", _ITEMS, repeat=True),
    Key("search", ("/",), "window", _EVERYWHERE),
    Key("toggle_queue", ("F7",), "window", _ITEMS),
    Key("toggle_tray", ("F8",), "window", _ITEMS),
    Key("open_workspace", ("Ctrl+O",), "window", _EVERYWHERE),
    Key("new_workspace", ("Ctrl+N",), "window", _EVERYWHERE),
    Key("all_keys", ("?",), "window", _EVERYWHERE),
    Key("guide", ("F1",), "window", _EVERYWHERE),
)
BY_ID: dict[str, Key] = {key.id: key for key in KEYS}

_CAPS = {
    "Up": "↑", "Down": "↓", "Left": "←", "Right": "→", "Shift+,": "Shift ,", "Shift+.": "Shift .", "Shift+A": "Shift A",
    "Ctrl++": "Ctrl +", "Ctrl+-": "Ctrl -",
}  # fmt: skip


class _Chosen:
    complete: str | None = None


def complete_key() -> str | None:
    """The single key a person chose for complete-and-next, beside Ctrl+Enter; None if there is none."""
    return _Chosen.complete


def set_complete_key(sequence: str | None) -> None:
    """Bind one more key to complete-and-next; ValueError if another action has it in a place where items are open."""
    if sequence is not None and not can_bind(sequence):
        raise ValueError(f"the key {sequence} is taken")
    _Chosen.complete = sequence


def restore_complete_key(sequence: str) -> None:
    """Bind a key that was chosen with an earlier version, unless an action has it by now."""
    set_complete_key(sequence if can_bind(sequence) else None)


def can_bind(sequence: str) -> bool:
    """Whether a key is free for complete-and-next."""
    return bool(sequence) and all(sequence not in key.sequences for key in KEYS if key.id != "complete_next")


def sequences(action: str) -> tuple[str, ...]:
    """All key texts of an action, the person's own included; KeyError for an unknown id."""
    found = BY_ID[action].sequences
    return (*found, _Chosen.complete) if action == "complete_next" and _Chosen.complete else found


def label(action: str) -> str:
    """What stands on the keycap of an action."""
    first = sequences(action)[0]
    return _CAPS.get(first, first)


def caps(action: str) -> tuple[str, ...]:
    """Keycap texts of all keys of an action."""
    return tuple(_CAPS.get(each, each) for each in sequences(action))


def description(action: str, language: i18n.Language | None = None) -> str:
    """What an action does, in the current or a named language."""
    chosen = language or i18n.language()
    return i18n.tr_in(chosen, f"keys.{BY_ID[action].id}")
