"""Accuracy out of a workspace: outputs, keys and what people said become arrays, and arrays become figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from annotator.cancel import check
from annotator.domain.letters import PROFILES
from annotator.domain.question_sheet import NO_LETTER, needs_letter, settled_finding
from annotator.domain.questions import OUTPUT_STATES
from annotator.errors import WorldError
from annotator.report.accuracy import Array, Ints, Outcomes, accuracies, groups_of, shares, wrong_choices
from annotator.report.figures import Asked, Figure
from annotator.store import Store
from annotator.workspace.questions_bins import image_sizes, resolution_of, share_of
from annotator.workspace.questions_said import Said, said_of

FIELDS: Final = (
    *("model", "profile", "task", "domain", "category", "language", "split", "state", "key", "resolution", "share"),
)
LETTERS: Final = ("A", "B", "C", "D", "E")
DEFAULT: Final = "careful"
_CONFIRMED: Final = "confirmed"
_CLAIMED: Final = "claimed_ratings"
_ITEM_FIELDS: Final = ("task", "domain", "category", "language", "split", "key", "resolution", "share")


@dataclass(slots=True)
class _Items:
    """The questions as columns."""

    place: dict[str, int] = field(default_factory=dict)
    key: list[str] = field(default_factory=list)
    image: list[str] = field(default_factory=list)
    columns: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in _ITEM_FIELDS})
    paths: list[Any] = field(default_factory=list)


def accuracy_of(store: Store, asked: Asked) -> tuple[tuple[Figure, ...], tuple[str, ...]]:
    """All figures of accuracy, and notes about what they stand on.

    Letters are those of the profile `careful` unless grouped by `profile`; the profile `confirmed` is `careful` with
    the letters that people read. What failed or is blank is wrong under every profile.

    Raises:
        WorldError: a field that accuracy cannot be grouped by; Cancelled: stopped.
    """
    said, items, outputs = _read(store, asked)
    figures = list(_of_models(outputs, asked))
    mended = _mended(said, items)
    if mended and outputs.size:
        figures += accuracies(outputs.outcomes(items, mended), asked, "_mended")
    figures += _of_people(said, items, asked)
    notes = (
        [f"{len(mended)} keys are wrong by people's majority; the mended figures use the right ones."] if mended else []
    )
    waiting = store.predictions.waiting()
    if waiting:
        notes.append(f"{waiting} outputs wait for their questions and count nowhere.")
    return tuple(_with_claims(store, figures, asked)), tuple(notes)


def _read(store: Store, asked: Asked) -> tuple[Mapping[str, Said], _Items, _Outputs]:
    for name in asked.by:
        if name not in FIELDS:
            raise WorldError(f'Figures of accuracy cannot be grouped by "{name}": choose among {", ".join(FIELDS)}.')
    said = said_of(store.labels.current())
    items = _items(store, asked, said)
    confirmed = _confirmed(said)
    profiles = (*PROFILES, *((_CONFIRMED,) if confirmed else ())) if "profile" in asked.by else (DEFAULT,)
    return said, items, _outputs(store, asked, items, profiles, confirmed)


def questions_of(store: Store, asked: Asked, *, people: bool) -> dict[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """The questions that each group of outputs stands on (with `people`: of people's blind answers), by its fields.

    Raises:
        WorldError: as `accuracy_of`.
    """
    said, items, outputs = _read(store, asked)
    answered = _answered(said, items)
    outcomes = _people_outcomes(answered, items, asked) if people else outputs.outcomes(items)
    places = answered[0] if people else outputs.item
    names = np.array(list(items.place), dtype=object)
    return {
        tuple(group.by.items()): tuple(sorted(set(names[places[group.rows]].tolist())))
        for group in groups_of(outcomes, asked.by)
    }


def _items(store: Store, asked: Asked, said: Mapping[str, Said]) -> _Items:
    items = _Items()
    wanted = set(asked.by)
    sizes = image_sizes(store, asked.token) if "resolution" in wanted else {}
    for number, (item_id, body) in enumerate(store.items.bodies("question")):
        if number % 5_000 == 0:
            check(asked.token)
        image = body.get("image") or {}
        task, domain, category = body.get("canonical") or ("", "", "")
        items.place[item_id] = len(items.place)
        items.key.append(body.get("key") or "")
        items.image.append(image.get("inside") or image.get("raw") or item_id)
        told = {
            "task": task, "domain": domain, "category": category, "language": body.get("language", "en"),
            "split": body.get("split", "full"), "key": body.get("key") or "none",
            "resolution": resolution_of(sizes.get(item_id)) if sizes else "",
            "share": share_of(said.get(item_id)) if "share" in wanted else "",
        }  # fmt: skip
        for name, value in told.items():
            items.columns[name].append(value)
    return items


@dataclass(slots=True)
class _Outputs:
    """Outputs as columns, one block of rows for each profile."""

    item: Ints
    state: Ints
    letter: Ints
    letters: Sequence[str]
    fields: dict[str, tuple[Ints, Sequence[str]]]
    items: _Items

    @property
    def size(self) -> int:
        return int(self.item.size)

    def truth(self, mended: Mapping[int, str] | None = None) -> Ints:
        """The key's code of each row, -1 where there is none."""
        code = {letter: place for place, letter in enumerate(self.letters)}
        keys = np.array([code.get(k, -1) for k in self.items.key], dtype=np.int64)
        for place, letter in (mended or {}).items():
            keys[place] = code.get(letter, -1)
        return keys[self.item] if self.size else np.zeros(0, dtype=np.int64)

    def outcomes(self, items: _Items, mended: Mapping[int, str] | None = None) -> Outcomes:
        """What the figures are made of."""
        truth = self.truth(mended)
        right: Array = ((self.letter == truth) & (truth >= 0)).astype(np.float64)
        domain, _ = _coded(items.columns["domain"])
        names = [f"{d}\x1f{c}" for d, c in zip(items.columns["domain"], items.columns["category"], strict=True)]
        category, _ = _coded(names)
        cluster, _ = _coded(items.image)
        return Outcomes(right, domain[self.item], category[self.item], cluster[self.item], self.fields)


def _outputs(
    store: Store, asked: Asked, items: _Items, profiles: Sequence[str], confirmed: Mapping[tuple[str, str], str]
) -> _Outputs:
    place: list[int] = []
    models: list[str] = []
    states: list[int] = []
    letters: dict[str, list[str | None]] = {name: [] for name in profiles}
    state_code: dict[str, int] = {state: code for code, state in enumerate(OUTPUT_STATES)}
    for number, row in enumerate(store.predictions.light()):
        if number % 20_000 == 0:
            check(asked.token)
        where = items.place.get(row.item_id)
        if where is None:
            continue
        place.append(where)
        models.append(row.model)
        states.append(state_code[row.state])
        for name, held in letters.items():
            if name == _CONFIRMED:
                held.append(confirmed.get((row.item_id, row.model), row.careful))
            else:
                held.append(getattr(row, name))
    known = sorted({*LETTERS, *items.key, *(x for held in letters.values() for x in set(held) if x)} - {"", NO_LETTER})
    code: dict[str | None, int] = {letter: at for at, letter in enumerate(known)}
    count = len(profiles)
    item = np.tile(np.array(place, dtype=np.int64), count)
    letter = np.array([code.get(x, -1) for name in profiles for x in letters[name]], dtype=np.int64)
    state = np.tile(np.array(states, dtype=np.int64), count)
    model_codes, model_names = _coded(models)
    fields: dict[str, tuple[Ints, Sequence[str]]] = {
        "model": (np.tile(model_codes, count), model_names),
        "profile": (np.repeat(np.arange(count), len(place)), tuple(profiles)),
        "state": (state, OUTPUT_STATES),
    }
    for name in _ITEM_FIELDS:
        if name in asked.by:
            codes, values = _coded(items.columns[name])
            fields[name] = (codes[item] if item.size else item, values)
    return _Outputs(item, state, letter, known, fields, items)


def _coded(values: Sequence[str]) -> tuple[Ints, list[str]]:
    names = sorted(set(values))
    place = {name: at for at, name in enumerate(names)}
    return np.fromiter((place[v] for v in values), np.int64, len(values)), names


def _of_models(outputs: _Outputs, asked: Asked) -> Iterator[Figure]:
    outcomes = outputs.outcomes(outputs.items)
    yield from accuracies(outcomes, asked)
    if not outputs.size:
        return
    truth = outputs.truth()
    e_code = outputs.letters.index("E")
    marks: dict[str, Array] = {
        "e_answered": (outputs.letter == e_code).astype(np.float64),
        "e_truth": (truth == e_code).astype(np.float64),
        "answered": (outputs.letter >= 0).astype(np.float64),
    }
    for code, state in enumerate(OUTPUT_STATES):
        marks[f"share_{state}"] = (outputs.state == code).astype(np.float64)
    yield from shares(outcomes, marks, asked)
    yield from wrong_choices(outcomes, truth, outputs.letter, outputs.letters, asked)


def _confirmed(said: Mapping[str, Said]) -> dict[tuple[str, str], str]:
    """The letter that most people read in each output that somebody spoke of; none without a majority."""
    votes: dict[tuple[str, str], Counter[str]] = {}
    for item_id, held in said.items():
        for rater in held.cells:
            for model, letter in held.sheet(item_id, rater).letters().items():
                votes.setdefault((item_id, model), Counter())[str(letter)] += 1
    found = {}
    for key, counts in votes.items():
        letter, most = counts.most_common(1)[0]
        found[key] = letter if 2 * most > counts.total() else NO_LETTER
    return found


def _mended(said: Mapping[str, Said], items: _Items) -> dict[int, str]:
    """The right letter of each question whose key is wrong by people's majority."""
    found = {}
    for item_id, held in said.items():
        settled = settled_finding(held.verdicts(item_id))
        if settled is not None and needs_letter(settled[0]) and settled[1] and item_id in items.place:
            found[items.place[item_id]] = str(settled[1])
    return found


def _of_people(said: Mapping[str, Said], items: _Items, asked: Asked) -> list[Figure]:
    """People's own accuracy: blind answers alone, "cannot tell" is wrong."""
    if any(name in ("model", "profile", "state") for name in asked.by):
        return []
    answered = _answered(said, items)
    return accuracies(_people_outcomes(answered, items, asked), asked, "_people") if answered[0].size else []


def _answered(said: Mapping[str, Said], items: _Items) -> tuple[Ints, Array]:
    """(question, whether it was the key) of each blind answer of people."""
    place: list[int] = []
    right: list[float] = []
    for item_id, held in said.items():
        where = items.place.get(item_id)
        if where is None:
            continue
        for phases in held.cells.values():
            cell = phases.get("blind", {}).get("answer")
            if cell is not None and cell.value is not None and not cell.stale:
                place.append(where)
                right.append(float(bool(items.key[where]) and cell.value == items.key[where]))
    return np.array(place, dtype=np.int64), np.array(right, dtype=np.float64)


def _people_outcomes(answered: tuple[Ints, Array], items: _Items, asked: Asked) -> Outcomes:
    at, right = answered
    read: Callable[[str], Ints] = lambda name: _coded(items.columns[name])[0][at]  # noqa: E731
    fields = {n: (read(n), _coded(items.columns[n])[1]) for n in asked.by}
    return Outcomes(right, read("domain"), read("category"), _coded(items.image)[0][at], fields)


def _with_claims(store: Store, figures: Sequence[Figure], asked: Asked) -> Iterator[Figure]:
    """What a model's own table of accuracies says overall, beside ours."""
    claims: dict[str, dict[str, float]] = store.desk.get(_CLAIMED, {}) if "model" in asked.by else {}
    for figure in figures:
        claimed = claims.get(str(figure.by.get("model")), {}).get("Overall")
        plain = set(asked.by) <= {"model", "profile"}
        yield (
            figure.with_more(claimed=claimed) if claimed is not None and plain and figure.name == "accuracy" else figure
        )
