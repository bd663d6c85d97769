"""What accuracy stands on, as columns: questions, models' outputs, and what people said of both; read once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annotator.cancel import CancelToken, check
from annotator.domain.letters import PROFILES
from annotator.domain.question_sheet import NO_LETTER
from annotator.domain.questions import OUTPUT_STATES
from annotator.errors import WorldError
from annotator.report.accuracy import Array, Ints, Outcomes
from annotator.store import Store
from annotator.workspace.figures_where import EVERYWHERE, Where
from annotator.workspace.questions_bins import image_sizes, resolution_of, share_of
from annotator.workspace.questions_said import Said, said_of

Mask = NDArray[np.bool_]
Column = tuple[Ints, Sequence[str]]
"""(codes by row, values)."""

OF_OUTPUTS: Final = ("model", "profile", "state")
OF_QUESTIONS: Final = ("task", "domain", "category", "language", "split", "key", "resolution", "share")
FIELDS: Final = (*OF_OUTPUTS[:2], *OF_QUESTIONS[:5], "state", *OF_QUESTIONS[5:])
LETTERS: Final = ("A", "B", "C", "D", "E")
CAREFUL: Final = "careful"
CONFIRMED: Final = "confirmed"
_PLAIN: Final = ("task", "domain", "category", "language", "split", "key")


class Tested:
    """All of it for one workspace, for as long as nobody writes."""

    def __init__(self, store: Store, token: CancelToken | None = None) -> None:
        """Read questions and what was said; outputs and pictures when they are first asked for."""
        self._store, self.token = store, token
        self.said: Mapping[str, Said] = said_of(store.labels.current())
        self.place: dict[str, int] = {}
        self.ids: list[str] = []
        self.keys: list[str] = []
        images: list[str] = []
        texts: dict[str, list[str]] = {name: [] for name in _PLAIN}
        for number, (item_id, body) in enumerate(store.items.bodies("question")):
            if number % 5_000 == 0:
                check(token)
            image = body.get("image") or {}
            task, domain, category = body.get("canonical") or ("", "", "")
            self.place[item_id] = number
            self.ids.append(item_id)
            self.keys.append(body.get("key") or "")
            images.append(image.get("inside") or image.get("raw") or item_id)
            told = (task, domain, category, body.get("language", "en"), body.get("split", "full"), body.get("key"))
            for name, value in zip(_PLAIN, told, strict=True):
                texts[name].append(value or "none" if name == "key" else value)
        self._columns: dict[str, Column] = {name: coded(values) for name, values in texts.items()}
        self.cluster, _ = coded(images)
        both = [f"{d}\x1f{c}" for d, c in zip(texts["domain"], texts["category"], strict=True)]
        self.leaf, _ = coded(both)
        self._outputs: Outputs | None = None

    def column(self, name: str) -> Column:
        """A field of questions; the pictures' headers are read when resolutions are first asked for."""
        if name not in self._columns:
            if name == "resolution":
                sizes = image_sizes(self._store, self.token)
                self._columns[name] = coded([resolution_of(sizes.get(item)) for item in self.ids])
            else:
                self._columns[name] = coded([share_of(self.said.get(item)) for item in self.ids])
        return self._columns[name]

    @property
    def outputs(self) -> Outputs:
        """All outputs, read once."""
        if self._outputs is None:
            self._outputs = _read_outputs(self._store, self)
        return self._outputs

    def mended(self, *, cross_checked: bool = True) -> dict[int, str]:
        """The right letter of each question whose key is wrong by people who agree on it, or by an adjudication.

        At least two of them; without `cross_checked` one person's word is enough where nobody else gave a verdict.
        """
        found = {}
        for item_id, held in self.said.items():
            stands = held.finding(item_id) if item_id in self.place else None
            if stands is not None and stands.letter and (stands.cross_checked or not cross_checked):
                found[self.place[item_id]] = str(stands.letter)
        return found

    def answered(self) -> tuple[Ints, Array]:
        """(question, whether it was the key) of each blind answer of people."""
        place: list[int] = []
        right: list[float] = []
        for item_id, held in self.said.items():
            where = self.place.get(item_id)
            for phases in held.cells.values() if where is not None else ():
                cell = phases.get("blind", {}).get("answer")
                if where is not None and cell is not None and cell.value is not None and not cell.stale:
                    place.append(where)
                    right.append(float(bool(self.keys[where]) and cell.value == self.keys[where]))
        return np.array(place, dtype=np.int64), np.array(right, dtype=np.float64)

    def answered_by(self, rater: str) -> frozenset[str]:
        """The questions that a rater has answered."""
        return frozenset(item for item, held in self.said.items() if held.sheet(item, rater).answered)

    def allowed(self, where: Where, only: frozenset[str] | None) -> Mask:
        """The questions that a part lets through; `only` these, where it is not None."""
        found = np.ones(len(self.ids), dtype=bool)
        if only is not None:
            found &= np.fromiter((item in only for item in self.ids), bool, len(self.ids))
        for name, values in where.items():
            if values and name in OF_QUESTIONS:
                codes, names = self.column(name)
                found &= there(codes, names, values)
        return found

    def people(self, by: Sequence[str], allowed: Mask) -> tuple[Outcomes, Ints]:
        """(people's blind answers, the question of each)."""
        at, right = self.answered()
        kept = allowed[at] if at.size else np.zeros(0, dtype=bool)
        at, right = at[kept], right[kept]
        fields = {name: _at(self.column(name), at) for name in by}
        return Outcomes(right, self.column("domain")[0][at], self.leaf[at], self.cluster[at], fields), at


@dataclass(slots=True)
class Outputs:
    """One row for each output.

    Attributes:
        item: the question's place; `letters`: by profile, the code of the letter read, -1 for none.
        known: the letters by code.
    """

    item: Ints
    model: Column
    state: Ints
    letters: Mapping[str, Ints]
    known: Sequence[str]


@dataclass(slots=True)
class Judged:
    """The outputs of a part under some profiles, one block of rows for each profile.

    Attributes:
        outcomes: what figures are made of; `mended`: the same with the keys that people mended, None without any;
            `proposed`: with those too that one person alone mended, None where there are none.
        truth, letter: codes of key and of what was read, -1 for none.
    """

    item: Ints
    state: Ints
    truth: Ints
    letter: Ints
    known: Sequence[str]
    outcomes: Outcomes
    mended: Outcomes | None = None
    proposed: Outcomes | None = None
    notes: list[str] = field(default_factory=list)


def judged(tested: Tested, by: Sequence[str], where: Where = EVERYWHERE, only: frozenset[str] | None = None) -> Judged:
    """The outputs that a part lets through, under the profile `careful` or those that are asked for.

    Raises:
        WorldError: a field that accuracy cannot be grouped or restricted by.
    """
    for name in (*by, *where):
        if name not in FIELDS:
            raise WorldError(f'Figures of accuracy cannot be grouped by "{name}": choose among {", ".join(FIELDS)}.')
    outputs = tested.outputs
    rows = np.flatnonzero(_rows(tested, outputs, where, only))
    asked = where.get("profile") or (outputs.letters if "profile" in by else (CAREFUL,))
    profiles = [name for name in outputs.letters if name in asked]
    count = len(profiles)
    item = np.tile(outputs.item[rows], count)
    letter = np.concatenate([outputs.letters[name][rows] for name in profiles] or [np.zeros(0, dtype=np.int64)])
    fields: dict[str, Column] = {}
    for name in by:
        if name == "profile":
            fields[name] = (np.repeat(np.arange(count), rows.size), tuple(profiles))
        elif name in OF_OUTPUTS:
            codes, values = outputs.model if name == "model" else (outputs.state, OUTPUT_STATES)
            fields[name] = (np.tile(codes[rows], count), values)
        else:
            fields[name] = _at(tested.column(name), item)
    parts = (tested.column("domain")[0][item], tested.leaf[item], tested.cluster[item], fields)
    truth = _truth(tested, outputs, item, {})
    mended, proposed = tested.mended(), tested.mended(cross_checked=False)
    right = _right(letter, truth)
    found = Judged(
        item, np.tile(outputs.state[rows], count), truth, letter, outputs.known, Outcomes(right, *parts)
    )  # fmt: skip
    if mended:
        found.mended = Outcomes(_right(letter, _truth(tested, outputs, item, mended)), *parts)
    if len(proposed) > len(mended):
        found.proposed = Outcomes(_right(letter, _truth(tested, outputs, item, proposed)), *parts)
    return found


def _rows(tested: Tested, outputs: Outputs, where: Where, only: frozenset[str] | None) -> Mask:
    allowed = tested.allowed(where, only)
    found: Mask = allowed[outputs.item] if outputs.item.size else np.zeros(0, dtype=bool)
    if where.get("model"):
        found = found & there(*outputs.model, where["model"])
    if where.get("state"):
        found = found & there(outputs.state, OUTPUT_STATES, where["state"])
    return found


def _truth(tested: Tested, outputs: Outputs, item: Ints, mended: Mapping[int, str]) -> Ints:
    code = {letter: place for place, letter in enumerate(outputs.known)}
    keys = np.array([code.get(key, -1) for key in tested.keys], dtype=np.int64)
    for place, letter in mended.items():
        keys[place] = code.get(letter, -1)
    return keys[item] if item.size else np.zeros(0, dtype=np.int64)


def _right(letter: Ints, truth: Ints) -> Array:
    found: Array = ((letter == truth) & (truth >= 0)).astype(np.float64)
    return found


def _read_outputs(store: Store, tested: Tested) -> Outputs:
    confirmed = _confirmed(tested.said)
    profiles = (*PROFILES, *((CONFIRMED,) if confirmed else ()))
    place: list[int] = []
    models: list[str] = []
    states: list[int] = []
    letters: dict[str, list[str | None]] = {name: [] for name in profiles}
    state_code: dict[str, int] = {state: code for code, state in enumerate(OUTPUT_STATES)}
    official, vlmevalkit, careful = (letters[name] for name in PROFILES)
    people = letters.get(CONFIRMED)
    for number, row in enumerate(store.predictions.light()):
        if number % 20_000 == 0:
            check(tested.token)
        item_id, model, state, *read = row
        where = tested.place.get(item_id)
        if where is None:
            continue
        place.append(where)
        models.append(model)
        states.append(state_code[state])
        official.append(read[0])
        vlmevalkit.append(read[1])
        careful.append(read[2])
        if people is not None:
            people.append(confirmed.get((item_id, model), read[2]))
    seen = {x for held in letters.values() for x in set(held) if x}
    known = sorted({*LETTERS, *tested.keys, *tested.mended(cross_checked=False).values(), *seen} - {"", NO_LETTER})
    code: dict[str | None, int] = {letter: at for at, letter in enumerate(known)}
    coded_letters = {
        name: np.fromiter((code.get(x, -1) for x in held), np.int64, len(held)) for name, held in letters.items()
    }
    return Outputs(
        np.array(place, dtype=np.int64), coded(models), np.array(states, dtype=np.int64), coded_letters, known
    )


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


def coded(values: Sequence[str]) -> Column:
    """Texts as codes, the values in their order."""
    names = sorted(set(values))
    place = {name: at for at, name in enumerate(names)}
    return np.fromiter((place[v] for v in values), np.int64, len(values)), names


def there(codes: Ints, names: Iterable[Any], values: frozenset[str]) -> Mask:
    """Which rows have one of these values."""
    wanted = np.array([name in values for name in names], dtype=bool)
    found: Mask = wanted[codes] if wanted.size else np.zeros(codes.shape, dtype=bool)
    return found


def _at(column: Column, rows: Ints) -> Column:
    codes, values = column
    return (codes[rows] if rows.size else np.zeros(0, dtype=np.int64)), values
