"""Comparisons: one prompt, what it was asked about, and two to five responses that people score and rank.

What a source says of its responses (scores, ranks, reasons) rides along as facts of its own; they become labels of the
source's rater and are no part of the content that people judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal

from pydantic import Field

from annotator.domain.base import Value, content_hash
from annotator.domain.ids import rank_hash
from annotator.domain.items import Asset

Origin = Literal["model", "constructed_negative", "constructed_positive"]
Form = Literal["mm-rlhf", "pairs", "swift", "uni-dpo", "rubric-mme"]
Level = Literal["turn", "session"]
FEWEST: Final = 2
MOST: Final = 5
# Who a source's own scores and ranks belong to, and the guidelines they were given under.
SOURCE_RATER: Final = "mm-rlhf"
SOURCE_RUBRIC: Final = "mm-rlhf@1"
SUBSETS: Final = ("mcq", "long", "short", "safety", "video")


class Response(Value):
    """One response, with what its source says of it.

    Attributes:
        text: as it came.
        origin: a model's, or constructed by a person so that a full tie has something to be told from.
        responder: who answered, where the source says so; hidden while people compare.
        scores: the source's scores by scale, whole levels 1-5 only.
        rank: the source's rank, 1 is best, equal ranks tie.
        reason: the source's reason for its scores.
        reward, critic: of a reward model, where the source is its result file.
    """

    text: str
    origin: Origin = "model"
    responder: str | None = None
    scores: dict[str, int] = Field(default_factory=dict)
    rank: int | None = None
    reason: str | None = None
    reward: float | None = None
    critic: str | None = None


class Comparison(Value):
    """One item to compare responses in.

    Attributes:
        item_id: the internal id.
        source_id: the source's id; it may stand for several pairs.
        form: the shape of record it came in.
        prompt: the question; `reference`: what the source calls the answer, never verified.
        media: images, and videos as folders of frames (role `clip`).
        subset: `mcq`, `long`, `short`, `safety`, `video`, or the scenario of a dialogue; "" where nothing tells.
        responses: in source order, which reasons refer to.
        ranking_reason: the source's; `surplus_reasons`: reasons beyond the last response, kept as they stood.
        dialogue, turn: the dialogue that the responses answer, and the turn; no turn where whole sessions are compared.
        project: what it was drawn for; `repeat_of`: the item that this one shows again in swapped order.
        keys, kept: the source's own keys in their order, and values that the fields here do not give back exactly.
        source, record: the file's name and the record's number in it.
        revision: 1 for the first content seen.
    """

    item_id: str
    source_id: str
    form: Form
    prompt: str = ""
    reference: str | None = None
    media: tuple[Asset, ...] = ()
    subset: str = ""
    responses: tuple[Response, ...] = ()
    ranking_reason: str | None = None
    surplus_reasons: tuple[str, ...] = ()
    dialogue: str | None = None
    turn: int | None = None
    project: str | None = None
    repeat_of: str | None = None
    keys: tuple[str, ...] = ()
    kept: dict[str, Any] = Field(default_factory=dict)
    source: str = ""
    record: int = 0
    revision: int = 1

    def content(self) -> dict[str, Any]:
        """What a label judged: texts and media names, not what a source or a program says of them."""
        return {
            "prompt": self.prompt,
            "media": [asset.raw for asset in self.media],
            "responses": [response.text for response in self.responses],
            "responders": [response.responder for response in self.responses],
            "place": [self.dialogue, self.turn],
        }

    def content_hash(self) -> str:
        """The hash of `content()`."""
        return content_hash(self.content())

    @property
    def level(self) -> Level | None:
        """What of a dialogue is compared; None for other sources."""
        if self.dialogue is None:
            return None
        return "session" if self.turn is None else "turn"

    @property
    def evaluation_only(self) -> bool:
        """Whether it comes from the benchmark, which must never train a model; also by an export that says so."""
        return self.form == "rubric-mme" or self.kept.get("evaluation_only") is True

    def source_ranking(self) -> list[int] | None:
        """The source's rank of each response; None unless all have one."""
        ranks = [r.rank for r in self.responses if r.rank is not None]
        return ranks if len(ranks) == len(self.responses) >= FEWEST else None

    def source_labels(self) -> list[tuple[str, str, Any]]:
        """What the source says as (target, field, value), in the order of work; nothing that it does not say."""
        said: list[tuple[str, str, Any]] = []
        for place, response in enumerate(self.responses):
            target = f"response:{place}"
            said += [(target, scale, score) for scale, score in response.scores.items()]
            if response.reason and response.reason.strip():
                said.append((target, "note", response.reason))
        ranking = self.source_ranking()
        if ranking is not None:
            said.append(("item", "ranking", ranking))
        if self.ranking_reason and self.ranking_reason.strip():
            said.append(("item", "ranking_reason", self.ranking_reason))
        return said


def shown_order(comparison: Comparison, rater: str, seed: int) -> tuple[int, ...]:
    """The responses' places in the order in which one rater sees them; stored with each label.

    A hidden repeat shows them the other way round than the same rater saw the first time.
    """
    about = comparison.repeat_of or comparison.item_id
    places = range(len(comparison.responses))
    order = tuple(sorted(places, key=lambda k: (rank_hash("order", str(seed), rater, about, str(k)), k)))
    return order[::-1] if comparison.repeat_of else order


def drawn_for_repeat(item_id: str, rate: float, seed: int) -> bool:
    """Whether an item is among those shown twice: a share `rate` of all, equal on every machine."""
    return int(rank_hash("repeat", str(seed), item_id)[:13], 16) < rate * 16**13


def full_tie(ranking: Sequence[int]) -> bool:
    """Whether all responses have one rank."""
    return len(ranking) >= FEWEST and len(set(ranking)) == 1


def pairs_of(ranking: Sequence[int]) -> list[tuple[int, int]]:
    """(better, worse) for every pair of different rank, none for ties, in the responses' order."""
    places = range(len(ranking))
    return [(i, j) for i in places for j in places if ranking[i] < ranking[j]]


def competition(ranking: Sequence[int]) -> list[int]:
    """The same order in ranks where each rank is one more than the number of responses ahead: 1, 2, 2, 4."""
    return [1 + sum(other < rank for other in ranking) for rank in ranking]


def notation(ranking: Sequence[int]) -> str:
    """A ranking as people write it, responses counted from 1: `1 > 2 = 3 > 4`."""
    by_rank: dict[int, list[int]] = {}
    for place, rank in enumerate(ranking):
        by_rank.setdefault(rank, []).append(place + 1)
    return " > ".join(" = ".join(map(str, by_rank[rank])) for rank in sorted(by_rank))


def with_example(ranking: Sequence[int], kind: str) -> list[int]:
    """A full tie's ranks with the constructed example behind all (`negative`) or ahead of all (`positive`)."""
    count = len(ranking)
    return [1] * count + [count + 1] if kind == "negative" else [2] * count + [1]
