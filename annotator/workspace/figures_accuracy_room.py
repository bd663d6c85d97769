"""Accuracy for the statistics page: read once, and blind for whoever still answers blind.

A rater who answers blind sees figures over the questions that they have answered, and no others: a figure over the rest
could tell a key or an output. Over all questions they are for an open project, or for who opened the questions for
themselves (see `questions_blind`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from annotator.domain.questions import OUTPUT_STATES
from annotator.report.accuracy import Ints
from annotator.report.figures import Asked
from annotator.store import Store
from annotator.workspace.accuracy_rows import Judged, Mask, Tested, judged
from annotator.workspace.figures import Figures
from annotator.workspace.figures_accuracy import accuracy_of, named
from annotator.workspace.figures_behind import Behind
from annotator.workspace.questions_blind import phase_of

if TYPE_CHECKING:
    from annotator.workspace.figures_room import FigureRoom, Question

Choices = Mapping[str, tuple[tuple[str, int], ...]]
"""Field -> (value, how many carry it)."""


def answer(room: FigureRoom, question: Question, asked: Asked) -> Figures:
    """The figures of a part; `records` tells how many questions they stand on, and of how many."""
    tested = tested_of(room)
    only = visible(room.store, tested)
    figures, notes = accuracy_of(room.store, asked, question.part(), tested, only)
    counts = {"shown": len(tested.ids) if only is None else len(only), "all": len(tested.ids)}
    return Figures("accuracy", figures, asked, notes, {"questions": counts})


def tested_of(room: FigureRoom) -> Tested:
    """What accuracy stands on, kept until somebody writes."""
    kept = room.held().kept
    if "tested" not in kept:
        kept["tested"] = Tested(room.store)
    found: Tested = kept["tested"]
    return found


def visible(store: Store, tested: Tested) -> frozenset[str] | None:
    """The questions of which this workspace's rater may see key and outputs; None for all."""
    rater = store.desk.rater
    return None if phase_of(store, rater) == "open" else tested.answered_by(rater)


def choices(store: Store, held: Choices) -> Choices:
    """What a part can be chosen by: the questions' fields, their languages put together with those `held`."""
    counted: dict[str, Counter[str]] = {}
    for head in store.items.heads("question"):
        task, category, language, split = (*head.categories, "", "", "", "")[:4]
        told = {"task": task, "domain": head.scenario, "category": category, "language": language, "split": split}
        for name, value in told.items():
            counted.setdefault(name, Counter())[value] += 1
    if "language" in counted:
        counted["language"].update(dict(held.get("language", ())))
    return {name: tuple(sorted(counts.items(), key=lambda one: (-one[1], one[0]))) for name, counts in counted.items()}


# ------------------------------------------------------------------------------------------------ the items behind them
def outputs_behind(room: FigureRoom, question: Question, by: Mapping[str, str], what: str) -> Behind:
    """The questions of a group whose output is of a kind.

    `what` is `all`, `wrong`, `right`, `E` (the letter read is E), `open` (no letter was read), or `state:<state>`.
    """
    return _behind(room, question, by, lambda held: _kind(held, what))


def cell_behind(room: FigureRoom, question: Question, by: Mapping[str, str], key: str, letter: str) -> Behind:
    """Exactly the questions of one cell of the table of wrong choices."""

    def chosen(held: Judged) -> Mask:
        code = {name: place for place, name in enumerate(held.known)}
        found: Mask = (held.truth == code.get(key, -2)) & (held.letter == (code[letter] if letter else -1))
        return found

    return _behind(room, question, by, chosen)


def people_behind(room: FigureRoom, question: Question, by: Mapping[str, str]) -> Behind:
    """The questions that people answered blind."""
    tested = _looked(room)
    where = {**question.part(), **{name: frozenset({value}) for name, value in by.items()}}
    _, places = tested.people((), tested.allowed(where, visible(room.store, tested)))
    return _places(named(tested, places), int(places.size))


def _looked(room: FigureRoom) -> Tested:
    room.look()
    return tested_of(room)


def _behind(room: FigureRoom, question: Question, by: Mapping[str, str], chosen: Callable[[Judged], Mask]) -> Behind:
    tested = _looked(room)
    where = {**question.part(), **{name: frozenset({value}) for name, value in by.items()}}
    held = judged(tested, (), where, visible(room.store, tested))
    rows = np.flatnonzero(chosen(held))
    return _places(named(tested, held.item[rows]), int(rows.size))


def _kind(held: Judged, what: str) -> Mask:
    if what.startswith("state:"):
        return _same(held.state, [str(state) for state in OUTPUT_STATES].index(what[6:]))
    if what == "E":
        return _same(held.letter, list(held.known).index("E"))
    if what == "open":
        return _same(held.letter, -1)
    if what == "all":
        return np.ones(held.item.size, dtype=bool)
    found: Mask = held.outcomes.right == (1.0 if what == "right" else 0.0)
    return found


def _same(codes: Ints, code: int) -> Mask:
    found: Mask = codes == code
    return found


def _places(items: tuple[str, ...], units: int) -> Behind:
    return Behind(tuple((item, "", "item") for item in items), units)
