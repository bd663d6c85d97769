"""Figures of preference: who wins, how often people tie, agree, flip with the order, and contradict their own scores.

A ballot is one person's ranking of one item. Of each pair of responses a ballot says that the first is better (1), that
the second is (-1), or that they tie (0); a full tie says nothing of who is stronger.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, Final

import numpy as np

from annotator import stats
from annotator.report.figures import Asked, Figure, of_result
from annotator.report.tables import Array

POLICIES: Final = ("half", "drop", "loss")
_COUNTED: Final = {"wins": 1, "losses": -1, "ties": 0}
_NO_TRIPLE: Final = "undefined: no three responders were compared and told apart with each other"
NAMELESS: Final = "undefined: the responses compared here do not say who made them"


@dataclass(frozen=True)
class Ballot:
    """One person's ranking of one item.

    Attributes:
        cluster: what belongs together, a dialogue or a source's id.
        place: the dialogue and turn that is compared, equal for items that compare other responders there.
        ranking: (responses,), 1 is best.
        responders: who answered; None where the source does not say.
        scores: (responses, 3), NaN for a gap; features: (responses, 12) of the rubric, NaN for a gap.
        shown: the responses' places in the order on screen; None where it was not recorded.
        repeat_of: the item that was shown again.
        of: the fields to group by.
    """

    item_id: str
    cluster: str
    place: Hashable
    rater: str
    ranking: tuple[int, ...]
    responders: tuple[str | None, ...]
    scores: Array
    features: Array
    shown: tuple[int, ...] | None = None
    repeat_of: str | None = None
    of: Mapping[str, str] = field(default_factory=dict)

    def outcomes(self) -> Iterator[tuple[int, int, int]]:
        """(i, j, outcome) of each pair of responses, i before j."""
        for i, j in combinations(range(len(self.ranking)), 2):
            yield i, j, int(np.sign(self.ranking[j] - self.ranking[i]))


def credit(guess: int, truth: int, policy: str) -> float:
    """What a guess at a pair's outcome earns; a tie on either side earns half, nothing, or does not count (NaN)."""
    if guess and truth:
        return float(guess == truth)
    return {"half": 0.5, "drop": float("nan"), "loss": 0.0}[policy]


def shares(name: str, by: Mapping[str, Any], pairs: Iterable[tuple[str, float]], asked: Asked, **more: Any) -> Figure:
    """The mean of values in clusters, given as (cluster, value), NaN for what does not count."""
    held = list(pairs)
    values = np.array([value for _, value in held], dtype=np.float64)
    clusters = np.unique([cluster for cluster, _ in held], return_inverse=True)[1] if held else np.empty(0, np.int64)
    return of_result(name, by, stats.mean(values, clusters=clusters, **asked.how()), **more)


def grouped(ballots: Sequence[Ballot], by: Sequence[str]) -> list[tuple[dict[str, str], list[Ballot]]]:
    """The ballots of each combination of the fields that occurs."""
    found: dict[tuple[str, ...], list[Ballot]] = defaultdict(list)
    for ballot in ballots:
        found[tuple(ballot.of[name] for name in by)].append(ballot)
    if not by and not found:
        found[()] = []
    return [(dict(zip(by, key, strict=True)), found[key]) for key in sorted(found)]


def outcome_figures(ballots: Sequence[Ballot], by: Mapping[str, str], asked: Asked) -> list[Figure]:
    """Every figure of one group that needs rankings alone."""
    return [*win_figures(ballots, by, asked), *people_figures(ballots, by, asked)]


def win_figures(ballots: Sequence[Ballot], by: Mapping[str, str], asked: Asked) -> list[Figure]:
    """Who wins: strengths, the share won in each pair, circles."""
    first = [ballot for ballot in ballots if ballot.repeat_of is None]
    return [*strengths(first, by, asked), *win_rates(first, by, asked), *transitivity(first, by, asked)]


def people_figures(ballots: Sequence[Ballot], by: Mapping[str, str], asked: Asked) -> list[Figure]:
    """How people rank: ties, agreement, what position and a second look change, their own scores."""
    first = [ballot for ballot in ballots if ballot.repeat_of is None]
    return [
        *ties(first, by, asked),
        *concordance(first, by, asked),
        *positions(ballots, by, asked),
        consistency(first, by, asked),
    ]


# ---------------------------------------------------------------------------------------------------------- strength
def _named(ballots: Sequence[Ballot]) -> tuple[list[str], Array, Array, list[str]]:
    """(responders, wins per ballot (ballots, m, m), ties likewise, clusters) of ballots that are no full tie."""
    used = [b for b in ballots if None not in b.responders and len(set(b.ranking)) > 1]
    names = sorted({str(name) for b in used for name in b.responders})
    place = {name: k for k, name in enumerate(names)}
    won = np.zeros((len(used), len(names), len(names)))
    tied = np.zeros_like(won)
    for row, ballot in enumerate(used):
        for i, j, outcome in ballot.outcomes():
            a, b = place[str(ballot.responders[i])], place[str(ballot.responders[j])]
            if outcome:
                won[row, a if outcome > 0 else b, b if outcome > 0 else a] += 1
            else:
                tied[row, a, b] += 1
                tied[row, b, a] += 1
    return names, won, tied, [b.cluster for b in used]


def strengths(ballots: Sequence[Ballot], by: Mapping[str, str], asked: Asked) -> list[Figure]:
    """Davidson's strengths with intervals over clusters; where they cannot be told, the reason names the responders."""
    names, won, tied, clusters = _named(ballots)
    if not names:
        why = NAMELESS if ballots else "undefined: nobody ranked anything"
        return [Figure("davidson", by, None, why)]
    whole = stats.davidson(won.sum(axis=0), tied.sum(axis=0))
    more = {"items": names, "nu": whole.nu}
    if whole.value is None:
        return [of_result("davidson", by, whole, **more)]

    codes = np.unique(clusters, return_inverse=True)[1]
    made = stats.davidson_clustered(won, tied, codes, **asked.how())
    return [of_result("davidson", by, made, **more, comparisons=whole.n_units)]


def win_rates(ballots: Sequence[Ballot], by: Mapping[str, str], asked: Asked) -> list[Figure]:
    """The share of comparisons that the first of two responders won, for each way of counting ties."""
    pairs: dict[tuple[str, str], list[tuple[str, int]]] = defaultdict(list)
    for ballot in ballots:
        if None in ballot.responders:
            continue
        for i, j, outcome in ballot.outcomes():
            a, b = str(ballot.responders[i]), str(ballot.responders[j])
            pairs[min(a, b), max(a, b)].append((ballot.cluster, outcome if a <= b else -outcome))
    figures = []
    for names, held in sorted(pairs.items()):
        for policy in POLICIES:
            values = ((cluster, credit(1, outcome, policy)) for cluster, outcome in held)
            about = {**by, "responders": list(names)}
            counts = {word: sum(outcome == sign for _, outcome in held) for word, sign in _COUNTED.items()}
            figures.append(shares(f"win_rate_{policy}", about, values, asked, responders=list(names), **counts))
    return figures


def ties(ballots: Sequence[Ballot], by: Mapping[str, str], asked: Asked) -> list[Figure]:
    """How often two responses share a rank, and how often all of an item's do."""
    pairs = [(b.cluster, float(outcome == 0)) for b in ballots for _, _, outcome in b.outcomes()]
    full = [(b.cluster, float(len(set(b.ranking)) == 1)) for b in ballots]
    return [shares("tie_rate", by, pairs, asked), shares("full_tie_rate", by, full, asked)]


# --------------------------------------------------------------------------------------------------------- agreement
def by_item(ballots: Iterable[Ballot]) -> dict[str, list[Ballot]]:
    """The ballots of each item."""
    found: dict[str, list[Ballot]] = defaultdict(list)
    for ballot in ballots:
        found[ballot.item_id].append(ballot)
    return found


def concordance(ballots: Sequence[Ballot], by: Mapping[str, str], asked: Asked) -> list[Figure]:
    """Kendall's W with ties, the mean over items; and the share of pairs that another person orders the same."""
    agreed: list[tuple[str, float]] = []
    guesses: dict[str, list[tuple[str, float]]] = {policy: [] for policy in POLICIES}
    for held in by_item(ballots).values():
        if len(held) < 2:
            continue
        found = stats.kendall_w(np.array([b.ranking for b in held], dtype=np.float64), resamples=1).value
        if isinstance(found, float):
            agreed.append((held[0].cluster, found))
        for one, two in combinations(held, 2):
            for (_, _, a), (_, _, b) in zip(one.outcomes(), two.outcomes(), strict=True):
                for policy in POLICIES:
                    guesses[policy].append((one.cluster, credit(a, b, policy)))
    return [
        shares("kendall_w", by, agreed, asked),
        *(shares(f"ceiling_{policy}", by, guesses[policy], asked, ties=policy) for policy in POLICIES),
    ]


def positions(ballots: Sequence[Ballot], by: Mapping[str, str], asked: Asked) -> list[Figure]:
    """Whether what is shown first wins more often, and what hidden swapped repeats change."""
    first: list[tuple[str, float]] = []
    for ballot in ballots:
        at = {place: k for k, place in enumerate(ballot.shown or ())}
        for i, j, outcome in ballot.outcomes() if ballot.shown else ():
            if outcome:
                first.append((ballot.cluster, float((outcome > 0) == (at[i] < at[j]))))
    before = {(b.item_id, b.rater): b for b in ballots if b.repeat_of is None}
    flips: list[tuple[str, float]] = []
    same: list[tuple[str, float]] = []
    for again in ballots:
        once = before.get((again.repeat_of or "", again.rater))
        if once is None:
            continue
        for (_, _, a), (_, _, b) in zip(once.outcomes(), again.outcomes(), strict=True):
            same.append((again.cluster, float(a == b)))
            if a and b:
                flips.append((again.cluster, float(a != b)))
    return [
        shares("position_first", by, first, asked),
        shares("position_flip", by, flips, asked),
        shares("self_agreement", by, same, asked),
    ]


# ------------------------------------------------------------------------------------------------- order and scores
def _circles(prefers: Mapping[tuple[str, str], int]) -> list[float]:
    """For each triple of which all three pairs are decided: 1 where it is no circle, else 0."""
    names = sorted({name for pair in prefers for name in pair})
    found = []
    for a, b, c in combinations(names, 3):
        around = [prefers.get((a, b), 0), prefers.get((b, c), 0), -prefers.get((a, c), 0)]
        if 0 not in around:
            found.append(float(abs(sum(around)) != 3))
    return found


def transitivity(ballots: Sequence[Ballot], by: Mapping[str, str], asked: Asked) -> list[Figure]:
    """Triples of responders that are not preferred in a circle: by the majority, and by one person at one place."""
    majority: dict[tuple[str, str], int] = defaultdict(int)
    own: dict[Hashable, dict[tuple[str, str], int]] = defaultdict(lambda: defaultdict(int))
    cluster: dict[Hashable, str] = {}
    for ballot in ballots:
        if None in ballot.responders:
            continue
        here = (ballot.rater, ballot.place)
        cluster[here] = ballot.cluster
        for i, j, outcome in ballot.outcomes():
            a, b = str(ballot.responders[i]), str(ballot.responders[j])
            pair, said = ((a, b), outcome) if a <= b else ((b, a), -outcome)
            majority[pair] += said
            own[here][pair] += said
    of_all = _circles(_signs(majority))
    of_one = [(cluster[here], good) for here, said in own.items() for good in _circles(_signs(said))]
    value = sum(of_all) / len(of_all) if of_all else None
    figures = [Figure("transitivity_majority", by, value, None if of_all else _NO_TRIPLE, n=len(of_all))]
    figure = shares("transitivity_rater", by, of_one, asked)
    return [*figures, figure if of_one else replace(figure, why=_NO_TRIPLE)]


def _signs(sums: Mapping[tuple[str, str], int]) -> dict[tuple[str, str], int]:
    return {pair: int(np.sign(value)) for pair, value in sums.items()}


def consistency(ballots: Sequence[Ballot], by: Mapping[str, str], asked: Asked) -> Figure:
    """Of the pairs that both ranking and own scores tell apart, the share that they order the same."""
    found: list[tuple[str, float]] = []
    for ballot in ballots:
        for i, j, outcome in ballot.outcomes():
            both = ~np.isnan(ballot.scores[i]) & ~np.isnan(ballot.scores[j])
            gap = float(np.sign((ballot.scores[i] - ballot.scores[j])[both].sum())) if both.any() else 0.0
            if outcome and gap:
                found.append((ballot.cluster, float(gap == outcome)))
    return shares("score_consistency", by, found, asked)
