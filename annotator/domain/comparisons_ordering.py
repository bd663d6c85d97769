"""Arranging responses from best to worst, one step at a time: tiers, moves, ties, and a ranking made of pairs.

An arrangement is a tuple of tiers, best first; the responses of one tier tie. Responses are named by their place in
source order and stand in a tier in the order in which they are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Tiers = tuple[tuple[int, ...], ...]


def apart(order: Sequence[int]) -> Tiers:
    """Each response in a tier of its own, in the order in which they are shown: where arranging begins."""
    return tuple((place,) for place in order)


def together(order: Sequence[int]) -> Tiers:
    """All responses in one tier."""
    return (tuple(order),)


def from_ranking(ranking: Sequence[int], order: Sequence[int]) -> Tiers:
    """The tiers of a ranking (the rank of each response, 1 is best)."""
    return tuple(tuple(p for p in order if ranking[p] == rank) for rank in sorted(set(ranking)))


def to_ranking(tiers: Tiers) -> list[int]:
    """The rank of each response, one more than the number of those ahead: 1, 2, 2, 4."""
    ranks: dict[int, int] = {}
    ahead = 0
    for tier in tiers:
        ranks.update(dict.fromkeys(tier, ahead + 1))
        ahead += len(tier)
    return [ranks[place] for place in range(ahead)]


def tier_of(tiers: Tiers, place: int) -> int:
    """The tier in which a response stands."""
    return next(number for number, tier in enumerate(tiers) if place in tier)


def moved(tiers: Tiers, place: int, by: int) -> Tiers:
    """A response one step towards the best (`by` -1) or the worst (1).

    One that ties with others steps out of its tier; one that stands alone passes the next tier. At the end it stays.
    """
    at = tier_of(tiers, place)
    rest = tuple(p for p in tiers[at] if p != place)
    if rest:
        pair = ((place,), rest) if by < 0 else (rest, (place,))
        return (*tiers[:at], *pair, *tiers[at + 1 :])
    to = at + by
    if not 0 <= to < len(tiers):
        return tiers
    others = [tier for number, tier in enumerate(tiers) if number != at]
    others.insert(to, (place,))
    return tuple(others)


def tied(tiers: Tiers, place: int, order: Sequence[int]) -> Tiers:
    """A response tied with its left neighbour; one that ties already steps out again, behind the others."""
    at = tier_of(tiers, place)
    if len(tiers[at]) > 1:
        return moved(tiers, place, 1)
    if at == 0:
        return tiers
    joined = tuple(p for p in order if p in (*tiers[at - 1], place))
    return (*tiers[: at - 1], joined, *tiers[at + 1 :])


def dropped(tiers: Tiers, place: int, gap: int | None, tier: int | None, order: Sequence[int]) -> Tiers:
    """A response put down by hand: into `tier`, or alone into `gap`, the number of tiers of `tiers` left of it."""
    at = tier_of(tiers, place)
    if tier is not None:
        if tier == at:
            return tiers
        target = tiers[tier]
        made = [
            tuple(p for p in order if p in (*held, place)) if held == target else tuple(p for p in held if p != place)
            for held in tiers
        ]
        return tuple(held for held in made if held)
    made = [tuple(p for p in held if p != place) for held in tiers]
    made.insert(gap or 0, (place,))
    return tuple(held for held in made if held)


def written(tiers: Tiers, letters: Sequence[str]) -> str:
    """The arrangement as one line, `letters` by place in source order: `B > A = D > C`."""
    return " > ".join(" = ".join(letters[place] for place in tier) for tier in tiers)


# -------------------------------------------------------------------------------------------------------------- pairs
@dataclass(frozen=True, slots=True)
class Pairing:
    """How far a ranking made of pairs is.

    Attributes:
        tiers: of the responses compared so far.
        pair: the two to be compared next, the one that is shown further left first; None once all are placed.
        done, most: how many pairs were answered, and how many there may be at most.
    """

    tiers: Tiers
    pair: tuple[int, int] | None
    done: int
    most: int


def pairing(order: Sequence[int], answers: Sequence[int]) -> Pairing:
    """Place the responses one after the other by comparing each with the middle of those placed: it cannot contradict.

    `answers` are, pair after pair, -1 where the left one is better, 1 where the right one is, 0 for a tie.
    """
    said = iter(answers)
    used = 0
    tiers: Tiers = ((order[0],),)
    most = sum(count.bit_length() for count in range(1, len(order)))
    for place in order[1:]:
        low, high = 0, len(tiers)
        while low < high:
            middle = (low + high) // 2
            answer = next(said, None)
            if answer is None:
                return Pairing(tiers, (tiers[middle][0], place), used, most)
            used += 1
            if answer == 0:
                tiers = (*tiers[:middle], (*tiers[middle], place), *tiers[middle + 1 :])
                break
            if answer < 0:
                low = middle + 1
            else:
                high = middle
        else:
            tiers = (*tiers[:low], (place,), *tiers[low:])
    return Pairing(tiers, None, used, most)
