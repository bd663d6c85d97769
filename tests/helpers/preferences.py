"""Invented studies of preference whose truth is known: scores of answers, and people who prefer by known weights.

A response has a quality of its own and twelve scores that follow it, rounded to 1-5. A person's liking of it is the sum
of the scores by weights (which differ a little from dialogue to dialogue) and Gumbel noise, so that of two responses
the first is liked better with the chance of a logistic model; likings that round to one level of a grid are a tie.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotator.report.preference import Ballot, credit
from annotator.report.preference_prediction import PairTable

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
NAMES = ("model-a", "model-b", "model-c")
# What people care for beside accuracy; in the order of the twelve dimensions.
WEIGHTS = np.array([0.15, 0.5, 0.4, 0.1, 0.2, 0.5, 0.4, 0.3, 0.3, 0.5, 0.3, 0.6])


@dataclass(frozen=True)
class World:
    """What a study is drawn from.

    Attributes:
        dialogues, places: how many, and how many turns of each are compared.
        raters: how many people rank each item.
        lead: how much better each responder is than the last, in standard deviations of quality.
        weight_sd: how much weights differ between dialogues; grid: the step to which liking is rounded.
    """

    dialogues: int = 120
    places: int = 2
    raters: int = 2
    lead: float = 0.3
    quality_sd: float = 1.0
    score_slope: float = 0.9
    score_sd: float = 0.8
    weight_sd: float = 0.15
    grid: float = 1.0


@dataclass(frozen=True)
class Study:
    """`scores` (items, responders, 12), `ranks` (raters, items, responders), `dialogue` of each item."""

    scores: Array
    ranks: Ints
    dialogue: Ints


def draw(world: World, rng: np.random.Generator) -> Study:
    """One study."""
    items, count = world.dialogues * world.places, len(NAMES)
    dialogue = np.repeat(np.arange(world.dialogues), world.places)
    quality = -world.lead * np.arange(count) + rng.normal(0, world.quality_sd, (items, count))
    noise = rng.normal(0, world.score_sd, (items, count, WEIGHTS.size))
    scores = np.clip(np.rint(3 + world.score_slope * quality[:, :, None] + noise), 1, 5)
    weights = WEIGHTS + rng.normal(0, world.weight_sd, (world.dialogues, WEIGHTS.size))
    liked = (scores * weights[dialogue][:, None, :]).sum(axis=2)
    seen = liked + rng.gumbel(0, 1, (world.raters, items, count))
    level = np.floor(seen / world.grid)
    ranks = 1 + (level[:, :, None, :] > level[:, :, :, None]).sum(axis=3)
    return Study(scores, ranks.astype(np.int64), dialogue.astype(np.int64))


def ballots_of(study: Study) -> list[Ballot]:
    """The study as rankings of items of a workspace."""
    nothing = np.full((len(NAMES), 3), np.nan)
    return [
        Ballot(
            item_id=f"i{item}", cluster=f"d{study.dialogue[item]}", place=(int(study.dialogue[item]), item),
            rater=f"r{rater}", ranking=tuple(int(r) for r in study.ranks[rater, item]), responders=NAMES,
            scores=nothing, features=study.scores[item],
        )
        for item in range(study.dialogue.size)
        for rater in range(study.ranks.shape[0])
    ]  # fmt: skip


def pairs_of(study: Study) -> PairTable:
    """The study as pairs, every rater's; the same as the ballots give, without the detour."""
    first, second = np.triu_indices(len(NAMES), 1)
    gaps = study.scores[:, first] - study.scores[:, second]
    truth = np.sign(study.ranks[:, :, second] - study.ranks[:, :, first])
    raters = truth.shape[0]
    clusters = np.broadcast_to(study.dialogue[None, :, None], truth.shape)
    return PairTable(
        np.broadcast_to(gaps[None], (raters, *gaps.shape)).reshape(-1, WEIGHTS.size), truth.ravel(), clusters.ravel()
    )


def earned(guess: Ints, truth: Ints, policy: str) -> Array:
    """What each guess earns under a policy about ties; NaN where it does not count."""
    table = np.array([[credit(g, t, policy) for t in (-1, 0, 1)] for g in (-1, 0, 1)])
    earnings: Array = table[guess + 1, truth + 1]
    return earnings
