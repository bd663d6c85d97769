"""Accuracy out of a workspace: outputs, keys and what people said become arrays, and arrays become figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from annotator.domain.questions import OUTPUT_STATES
from annotator.report.accuracy import Array, Ints, accuracies, groups_of, shares, wrong_choices
from annotator.report.accuracy_printed import ENGLISH, printed
from annotator.report.accuracy_rates import rates
from annotator.report.figures import Asked, Figure
from annotator.store import Store
from annotator.workspace.accuracy_rows import (
    CAREFUL,
    CONFIRMED,
    FIELDS,
    OF_OUTPUTS,
    OF_QUESTIONS,
    Judged,
    Tested,
    judged,
)
from annotator.workspace.figures_where import EVERYWHERE, Where

__all__ = ["CAREFUL", "CONFIRMED", "FIELDS", "Tested", "accuracy_of", "questions_of"]

_CLAIMED: Final = "claimed_ratings"
_PRINTED: Final = ("accuracy", "avg", "avg_c")


def accuracy_of(
    store: Store, asked: Asked, where: Where = EVERYWHERE, tested: Tested | None = None,
    only: frozenset[str] | None = None,
) -> tuple[tuple[Figure, ...], tuple[str, ...]]:  # fmt: skip
    """All figures of accuracy of a part (and of the questions `only`), and notes about what they stand on.

    Letters are those of the profile `careful` unless grouped or restricted by `profile`; the profile `confirmed` is
    `careful` with the letters that people read. What failed or is blank is wrong under every profile. `tested` keeps
    what was read for the next call.

    Raises:
        WorldError: a field that accuracy cannot be grouped by; Cancelled: stopped.
    """
    held = _held(store, asked, tested)
    outputs = judged(held, asked.by, where, only)
    figures = list(_of_models(outputs, asked))
    if outputs.mended is not None and outputs.item.size:
        figures += accuracies(outputs.mended, asked, "_mended")
    if outputs.proposed is not None and outputs.item.size:
        figures += accuracies(outputs.proposed, asked, "_proposed")
    figures += _of_people(held, asked, where, only)
    notes = _about_keys(held)
    waiting = store.predictions.waiting()
    if waiting:
        notes.append(f"{waiting} outputs wait for their questions and count nowhere.")
    figures = [_with_printed(figure, held, where) for figure in _with_claims(store, figures, asked, where)]
    return tuple(figures), tuple(notes)


def _about_keys(held: Tested) -> list[str]:
    """How many keys are mended, and on how many people that rests."""
    mended = len(held.mended())
    alone = len(held.mended(cross_checked=False)) - mended
    said = (
        f"Keys that at least two people who agree, or an adjudication, call wrong: {mended}; the mended figures use the"
    )
    notes = [f"{said} right ones."] if mended else []
    if alone:
        notes.append(f"Keys that one person alone calls wrong: {alone}; only the proposed figures use these too.")
    return notes


def questions_of(
    store: Store, asked: Asked, *, people: bool, where: Where = EVERYWHERE, tested: Tested | None = None,
    only: frozenset[str] | None = None,
) -> dict[tuple[tuple[str, str], ...], tuple[str, ...]]:  # fmt: skip
    """The questions that each group of outputs stands on (with `people`: of people's blind answers), by its fields.

    Raises:
        WorldError: as `accuracy_of`.
    """
    held = _held(store, asked, tested)
    if people:
        outcomes, places = held.people(asked.by, held.allowed(where, only))
    else:
        outputs = judged(held, asked.by, where, only)
        outcomes, places = outputs.outcomes, outputs.item
    return {tuple(group.by.items()): named(held, places[group.rows]) for group in groups_of(outcomes, asked.by)}


def named(tested: Tested, places: Ints) -> tuple[str, ...]:
    """The ids of questions, each once, in their order."""
    return tuple(sorted({tested.ids[place] for place in places.tolist()}))


def _held(store: Store, asked: Asked, tested: Tested | None) -> Tested:
    if tested is None:
        return Tested(store, asked.token)
    tested.token = asked.token
    return tested


def _of_models(outputs: Judged, asked: Asked) -> Iterator[Figure]:
    yield from accuracies(outputs.outcomes, asked)
    if not outputs.item.size:
        return
    e_code = outputs.known.index("E")
    marks: dict[str, Array] = {
        "e_answered": (outputs.letter == e_code).astype(np.float64),
        "answered": (outputs.letter >= 0).astype(np.float64),
    }
    yield from rates(outputs.outcomes, marks, asked)
    plain: dict[str, Array] = {"e_truth": (outputs.truth == e_code).astype(np.float64)}
    for code, state in enumerate(OUTPUT_STATES):
        plain[f"share_{state}"] = (outputs.state == code).astype(np.float64)
    yield from shares(outputs.outcomes, plain, asked)
    yield from wrong_choices(outputs.outcomes, outputs.truth, outputs.letter, outputs.known, asked)


def _of_people(held: Tested, asked: Asked, where: Where, only: frozenset[str] | None) -> list[Figure]:
    """People's own accuracy: blind answers alone, "cannot tell" is wrong."""
    if any(name in OF_OUTPUTS for name in asked.by):
        return []
    outcomes, answers = held.people(asked.by, held.allowed(where, only))
    return accuracies(outcomes, asked, "_people") if answers.size else []


def _with_claims(store: Store, figures: Sequence[Figure], asked: Asked, where: Where) -> Iterator[Figure]:
    """What a model's own table of accuracies says overall, beside ours."""
    plain = set(asked.by) <= {"model", "profile"} and not any(where.get(name) for name in (*OF_QUESTIONS, "state"))
    claims: dict[str, dict[str, float]] = store.desk.get(_CLAIMED, {}) if plain else {}
    for figure in figures:
        claimed = claims.get(_only(figure, where, "model") or "", {}).get("Overall")
        yield figure.with_more(claimed=claimed) if claimed is not None and figure.name == "accuracy" else figure


def _with_printed(figure: Figure, held: Tested, where: Where) -> Figure:
    """What the paper prints for this model, task and domain, on the full English set."""
    if figure.name not in _PRINTED:
        return figure
    model, task = _only(figure, where, "model"), _only(figure, where, "task")
    if model is None or task is None or _apart(figure, where):
        return figure
    language = _only(figure, where, "language") or _single(held, "language")
    if language != ENGLISH:
        return figure
    value = printed(model, figure.name, task, _only(figure, where, "domain"))
    return figure if value is None else figure.with_more(printed=value)


def _apart(figure: Figure, where: Where) -> bool:
    """Whether the figure is of a part that the paper prints nothing for."""
    fine = ("category", "split", "state", "key", "resolution", "share")
    return any(name in figure.by or where.get(name) for name in fine)


def _only(figure: Figure, where: Mapping[str, frozenset[str]], name: str) -> str | None:
    """The one value of a field that a figure is of."""
    if name in figure.by:
        return str(figure.by[name])
    values = where.get(name) or frozenset()
    return next(iter(values)) if len(values) == 1 else None


def _single(held: Tested, name: str) -> str | None:
    values = held.column(name)[1]
    return values[0] if len(values) == 1 else None
