"""Figures of preference from a workspace: blind rankings, with the rubric's scores of the same answers beside them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from annotator import stats
from annotator.cancel import check
from annotator.domain.comparisons import Comparison
from annotator.domain.rubric import CANNOT_JUDGE, COMPARISON_SCALES, SESSION_DIMENSIONS, TURN_DIMENSIONS
from annotator.errors import WorldError
from annotator.report.figures import Asked, Figure, of_result
from annotator.report.preference import Ballot, grouped, people_figures, shares, win_figures
from annotator.report.preference_prediction import DIMENSIONS, prediction
from annotator.report.tables import Array
from annotator.store import Store
from annotator.store.readings import Readings
from annotator.workspace.comparisons_fields import fields_of
from annotator.workspace.comparisons_making import PREFIX, projects
from annotator.workspace.comparisons_safety import safety_rates
from annotator.workspace.figures import BLIND, Figures, left_out_notes
from annotator.workspace.intake_comparisons import comparisons_in

FIELDS: Final = ("rater", "subset", "task", "level", "form")
Where = Mapping[str, frozenset[str]]
_ALL: Final[Where] = {}
_OF_BALLOTS: Final[Mapping[str, Callable[[Sequence[Ballot], Mapping[str, str], Asked], list[Figure]]]] = {
    "wins": win_figures, "people": people_figures, "prediction": prediction,
}  # fmt: skip
PARTS: Final = frozenset((*_OF_BALLOTS, "safety", "bench"))


def preference_of(
    store: Store, asked: Asked, project: str | None = None, where: Where = _ALL, parts: frozenset[str] = PARTS
) -> Figures:
    """Every figure of preference for each combination of the fields; with `project`, over that set alone.

    `where`: field -> the values that count. `parts`: which of `PARTS` are wanted.

    Raises:
        WorldError: a field that these cannot be grouped by, or no such set; Cancelled: stopped.
    """
    items, ballots = _said(store, asked, project, where)
    found = grouped(ballots, asked.by)
    figures: list[Figure] = []
    for done, (by, held) in enumerate(found):
        asked.tell(done, len(found))
        for part, made in _OF_BALLOTS.items():
            figures += made(held, by, asked) if part in parts else ()
    if "safety" in parts:
        figures += safety_rates(store, items, asked, where)
    if "bench" in parts:
        figures += _bench(items.values(), asked)
    notes = left_out_notes(*Readings(store.database).left_out(BLIND, ("ranking",)))
    return Figures("preference", tuple(figures), asked, notes)


def compared_of(
    store: Store, asked: Asked, project: str | None = None, where: Where = _ALL
) -> dict[tuple[str, ...], list[Ballot]]:
    """The rankings that each group stands on: values of the fields asked for -> ballots, hidden repeats among them.

    Raises:
        WorldError: as `preference_of`.
    """
    _, ballots = _said(store, asked, project, where)
    return {tuple(by.values()): held for by, held in grouped(ballots, asked.by)}


def _said(store: Store, asked: Asked, project: str | None, where: Where) -> tuple[dict[str, Comparison], list[Ballot]]:
    for name in (*asked.by, *where):
        if name not in FIELDS:
            raise WorldError(f'Figures of preference cannot be grouped by "{name}": choose among {", ".join(FIELDS)}.')
    mine = None if project is None else _of_project(store, project)
    wanted = {name: values for name, values in where.items() if name != "rater" and values}
    items = {}
    for held in comparisons_in(store):
        of = fields_of(held)
        if (mine is None or held.item_id in mine) and all(of[name] in values for name, values in wanted.items()):
            items[held.item_id] = held
    ballots = _ballots(store, items, asked)
    raters = where.get("rater")
    return items, ballots if not raters else [one for one in ballots if one.rater in raters]


def _of_project(store: Store, project: str) -> set[str]:
    if project not in projects(store):
        raise WorldError(f'There is no set of comparisons "{project}" in this workspace.', code="project")
    held = store.desk.get(PREFIX + project, {})
    return {*held["items"], *held["repeats"]}


# ----------------------------------------------------------------------------------------------------------- ballots
def _ballots(store: Store, items: Mapping[str, Comparison], asked: Asked) -> list[Ballot]:
    rankings: dict[tuple[str, str], list[int]] = {}
    scores: dict[tuple[str, str], dict[tuple[str, str], float]] = defaultdict(dict)
    for row in Readings(store.database).said(BLIND, ("ranking", *COMPARISON_SCALES)):
        held = items.get(row.item_id)
        if held is None:
            continue
        if row.field != "ranking":
            value = float("nan") if row.value == CANNOT_JUDGE else float(row.value)
            scores[row.item_id, row.rater][row.target, row.field] = value
        elif len(row.value) == len(held.responses):
            rankings[row.item_id, row.rater] = row.value
    features = _Features(store, {items[item].dialogue for item, _ in rankings} - {None})
    found: list[Ballot] = []
    orders: dict[str, dict[str, tuple[int, ...]]] = {}
    for (item, rater), ranking in rankings.items():
        check(asked.token)
        if item not in orders:
            orders[item] = _orders(store, item)
        held = items[item]
        own = scores[item, rater]
        found.append(
            Ballot(
                item_id=item,
                cluster=held.dialogue or held.source_id.removesuffix("#again"),
                place=(held.dialogue or item, held.turn),
                rater=rater,
                ranking=tuple(ranking),
                responders=tuple(r.responder for r in held.responses),
                scores=np.array(
                    [
                        [own.get((f"response:{k}", scale), float("nan")) for scale in COMPARISON_SCALES]
                        for k in range(len(held.responses))
                    ]
                ),
                features=features.of(held),
                shown=orders[item].get(rater),
                repeat_of=held.repeat_of,
                of={"rater": rater, **fields_of(held)},
            )
        )
    return found


def _orders(store: Store, item: str) -> dict[str, tuple[int, ...]]:
    """The order that each rater's last blind ranking was made in."""
    found: dict[str, tuple[int, ...]] = {}
    for event in store.labels.events(item_id=item):
        if event.field == "ranking" and event.phase == BLIND and event.extra:
            try:
                shown = json.loads(event.extra).get("shown")
            except (ValueError, AttributeError):
                continue
            if isinstance(shown, list):
                found[event.rater] = tuple(shown)
    return found


class _Features:
    """The rubric's twelve scores of an answer: people's blind means; session scores joined to those of turns."""

    def __init__(self, store: Store, dialogues: Iterable[str | None]) -> None:
        wanted = set(dialogues)
        self._sums: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
        if wanted:
            for row in Readings(store.database).said(BLIND, DIMENSIONS):
                if row.item_id in wanted and row.value != CANNOT_JUDGE:
                    self._sums[row.item_id, row.responder, row.target, row.field].append(float(row.value))
        self._turns: dict[tuple[str, str], set[str]] = defaultdict(set)
        for item, responder, target, _ in self._sums:
            if target.startswith("turn:"):
                self._turns[item, responder].add(target)

    def of(self, comparison: Comparison) -> Array:
        """(responses, 12): of the turn compared, or the mean over all scored turns, and of the session."""
        rows = np.full((len(comparison.responses), len(DIMENSIONS)), np.nan)
        for place, response in enumerate(comparison.responses):
            about = (comparison.dialogue or "", response.responder or "")
            turns = self._turns[about] if comparison.turn is None else {f"turn:{comparison.turn}"}
            for column, name in enumerate(TURN_DIMENSIONS):
                rows[place, column] = _mean(
                    [self._mean(*about, turn, name) for turn in turns if (*about, turn, name) in self._sums]
                )
            for column, name in enumerate(SESSION_DIMENSIONS, start=len(TURN_DIMENSIONS)):
                rows[place, column] = self._mean(*about, "session", name)
        return rows

    def _mean(self, item: str, responder: str, target: str, name: str) -> float:
        return _mean(self._sums.get((item, responder, target, name), []))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


# --------------------------------------------------------------------------------------------------------- the bench
def _bench(items: Iterable[Comparison], asked: Asked) -> list[Figure]:
    """A reward model's accuracy over pairs, and over ids of which it has every pair right; a tie is wrong."""
    if "rater" in asked.by:
        return []
    found: dict[tuple[str, ...], list[tuple[str, bool]]] = defaultdict(list)
    for held in items:
        rewards = [r.reward for r in held.responses]
        ranking = held.source_ranking()
        if held.repeat_of is None and len(rewards) == 2 and ranking is not None and None not in rewards:
            fields = fields_of(held)
            right = (rewards[0] or 0.0) > (rewards[1] or 0.0)
            found[tuple(fields[name] for name in asked.by)].append((held.source_id, right))
    figures: list[Figure] = []
    for key in sorted(found):
        by = dict(zip(asked.by, key, strict=True))
        whole: dict[str, bool] = {}
        for source_id, right in found[key]:
            whole[source_id] = whole.get(source_id, True) and right
        figures.append(shares("reward_acc", by, [(one, float(right)) for one, right in found[key]], asked))
        figures.append(of_result("reward_acc_plus", by, stats.wilson(sum(whole.values()), len(whole))))
    return figures
