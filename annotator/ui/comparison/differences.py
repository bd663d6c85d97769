"""Where two responses differ: word by word, Chinese character by character; no Qt, so that a lane may do it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from annotator.cancel import CancelToken, check

Spans = tuple[tuple[int, int], ...]
_TOKEN = re.compile(r"[A-Za-z0-9À-ɏ]+|\s+|.", re.DOTALL)
_SENTENCE = re.compile(r"[^。！？.!?\n]*[。！？.!?\n]?", re.DOTALL)
# Beyond so many words, whole sentences are compared first: comparing words costs up to their product.
_MANY = 1500


def differences(first: str, second: str, token: CancelToken | None = None) -> tuple[Spans, Spans]:
    """What of each text the other one has not, as [start, end) in code points, in order, neighbours joined."""
    words = (_split(_TOKEN, first), _split(_TOKEN, second))
    if max(map(len, words)) <= _MANY:
        found = _compared(*words)
    else:
        found = _in_sentences(first, second, token)
    return _tidy(first, found[0]), _tidy(second, found[1])


def _split(pattern: re.Pattern[str], text: str) -> list[str]:
    return [part for part in pattern.findall(text) if part]


def _compared(first: Sequence[str], second: Sequence[str]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    places = (_starts(first), _starts(second))
    found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind != "equal":
            found[0].append((places[0][a], places[0][b]))
            found[1].append((places[1][c], places[1][d]))
    return found


def _in_sentences(
    first: str, second: str, token: CancelToken | None
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Sentences first; inside stretches of sentences that differ, words where there are not too many."""
    whole = (_split(_SENTENCE, first), _split(_SENTENCE, second))
    found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    places = (_starts(whole[0]), _starts(whole[1]))
    for kind, a, b, c, d in SequenceMatcher(None, whole[0], whole[1], autojunk=False).get_opcodes():
        check(token)
        if kind == "equal":
            continue
        parts = [_split(_TOKEN, "".join(side[i:j])) for side, i, j in ((whole[0], a, b), (whole[1], c, d))]
        small = kind == "replace" and max(map(len, parts)) <= _MANY
        inner = _compared(*parts) if small else ([(0, len("".join(parts[0])))], [(0, len("".join(parts[1])))])
        for side, start in ((0, places[0][a]), (1, places[1][c])):
            found[side].extend((start + i, start + j) for i, j in inner[side])
    return found


def _starts(parts: Sequence[str]) -> list[int]:
    starts, at = [0], 0
    for part in parts:
        at += len(part)
        starts.append(at)
    return starts


def _tidy(text: str, spans: Sequence[tuple[int, int]]) -> Spans:
    """Without those that are empty or blank, joined where only a sign or a blank lies between."""
    kept: list[tuple[int, int]] = []
    for start, end in spans:
        if not text[start:end].strip():
            continue
        if kept and start - kept[-1][1] <= 1:
            kept[-1] = (kept[-1][0], end)
        else:
            kept.append((start, end))
    return tuple(kept)


Work = Callable[[CancelToken], tuple[Spans, Spans]]


def work(first: str, second: str) -> Work:
    """The comparison of two texts as work for a lane."""
    return lambda token: differences(first, second, token)
